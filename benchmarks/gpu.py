"""The rules on a real GPU, compared with the CPU bit for bit, and how fast they are.

    python benchmarks/gpu.py compile DIR   compile every game's kernels into DIR (needs the extra `gpu`, but no GPU)
    python benchmarks/gpu.py run DIR OUT   on a machine with a GPU and CuPy: play, measure, write OUT (JSON)
    python benchmarks/gpu.py compare OUT   play the same matches on the CPU, compare, print the table for the docs

On a machine with both, `compile`, `run` and `compare` run one after the other. The last comparison is kept in
`benchmarks/gpu.json`, and a test plays its matches on the CPU again.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

MATCHES = {"silencio": 100_000}  # compared, a game, over its cases; 20,000 of the others
TIMED = 1 << 20  # played for time
THREADS = 128
# name, seats, options
CASES: list[tuple[str, int, dict[str, Any]]] = [
    ("silencio", 2, {"tavern": True}),
    ("silencio", 3, {}),
    ("silencio", 4, {"tavern": True}),
    ("silver-and-gold", 2, {}),
    ("silver-and-gold", 4, {}),
    ("zombie-city", 2, {"survivors": 3}),
    ("zombie-city", 4, {"expert": True}),
    ("zombie-city", 6, {}),
    ("silent-planet", 3, {}),
    ("silent-planet", 6, {}),
]


def share(name: str) -> int:
    return -(-MATCHES.get(name, 20_000) // sum(case[0] == name for case in CASES))


def compile_all(folder: Path) -> None:
    """Cross-compile the kernels for an H100 or H200 (sm_90)."""
    from numba import from_dtype, types

    from tacit import game_named
    from tacit.core import gpu
    from tacit.core.buffers import Buffers

    folder.mkdir(parents=True, exist_ok=True)
    about: dict[str, Any] = {"cases": [], "games": {}}
    for name in dict.fromkeys(case[0] for case in CASES):
        game = game_named(name)
        record = types.Array(from_dtype(game.dtype), 1, "C")
        grid, line, tensor = (
            types.Array(types.int64, 2, "C"),
            types.Array(types.int64, 1, "C"),
            types.Array(types.int8, 2, "C"),
        )
        kernels = {
            "traced": (gpu.traced_kernel(game), types.void(record, types.int64, grid, grid, grid, tensor, line)),
            "played": (gpu.played_kernel(game), types.void(record, types.int64, grid, grid, grid, line)),
            "observed": (gpu.observed_kernel(game), types.void(record, types.int64, grid, grid, grid, tensor, line)),
        }
        entries = {}
        for kind, (kernel, signature) in kernels.items():
            cubin, entries[kind] = gpu.compile_kernel(kernel, signature, (9, 0))
            (folder / f"{name}-{kind}.cubin").write_bytes(cubin)
        sizes = {"words": game.words, "outcomes": game.outcomes, "observation": game.observation}
        about["games"][name] = {"state": game.dtype.itemsize, "entries": entries, **sizes}
    for name, seats, options in CASES:
        blank = Buffers(game_named(name), seats, options).blank.tobytes().hex()
        about["cases"].append(
            {"game": name, "seats": seats, "options": options, "blank": blank, "matches": share(name)}
        )
    (folder / "about.json").write_text(json.dumps(about))


def run_all(folder: Path, out: Path) -> None:
    """Play on the GPU; needs NumPy and CuPy alone."""
    import cupy

    about = json.loads((folder / "about.json").read_text())
    found = []
    for case in about["cases"]:
        game = about["games"][case["game"]]
        kernels = {}
        for kind, entry in game["entries"].items():
            module = cupy.RawModule(path=str(folder / f"{case['game']}-{kind}.cubin"))
            kernels[kind] = module.get_function(entry)
        arrays = _Arrays(cupy, game, bytes.fromhex(case["blank"]), case["matches"])
        arrays.launch(kernels["traced"], 0, ["rngs", "masks", "weights", "outs", "traces"])
        states, traces = cupy.asnumpy(arrays.states), cupy.asnumpy(arrays.traces)
        row = {k: case[k] for k in ("game", "seats", "options", "matches")}
        row |= {"digest": digest(states, traces)}
        for kind, names in (("played", []), ("observed", ["outs"])):
            timed = _Arrays(cupy, game, bytes.fromhex(case["blank"]), TIMED)
            best = 0.0
            for attempt in range(4):
                timed.reset(bytes.fromhex(case["blank"]))
                cupy.cuda.Device().synchronize()
                begin = time.perf_counter()
                timed.launch(kernels[kind], attempt * TIMED, ["rngs", "masks", "weights", *names, "traces"])
                cupy.cuda.Device().synchronize()
                spent = time.perf_counter() - begin
                best = max(best, float(timed.traces.sum()) / spent)
            row[f"{kind}_decisions_per_match"] = float(timed.traces.mean())
            row[f"{kind}_decisions_per_second"] = best
        row["device"] = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        print(row, flush=True)
        found.append(row)
    out.write_text(json.dumps(found, indent=2))


class _Arrays:
    """The arrays of n matches on the GPU, and how a Numba kernel wants to be handed them."""

    def __init__(self, cupy: Any, game: dict[str, Any], blank: bytes, n: int) -> None:
        self.cupy, self.n = cupy, n
        self.states = cupy.zeros((n, game["state"]), cupy.int8)
        self.rngs = cupy.zeros((n, 4), cupy.int64)
        self.masks = cupy.zeros((n, game["words"]), cupy.int64)
        self.weights = cupy.zeros((n, game["outcomes"]), cupy.int64)
        self.outs = cupy.zeros((n, game["observation"]), cupy.int8)
        self.traces = cupy.zeros(n, cupy.int64)
        self.reset(blank)

    def reset(self, blank: bytes) -> None:
        self.states[:] = self.cupy.asarray(np.frombuffer(blank, np.int8))[None, :]

    def launch(self, kernel: Any, first: int, names: list[str]) -> None:
        size = self.states.shape[1]
        args: list[Any] = [np.int64(0), np.int64(0), np.int64(self.n), np.int64(size), self.states.data]
        args += [np.int64(self.n), np.int64(size), np.int64(first)]
        for name in names:
            array = getattr(self, name)
            args += [np.int64(0), np.int64(0), np.int64(array.size), np.int64(array.itemsize), array.data]
            args += [np.int64(n) for n in (*array.shape, *array.strides)]
        kernel(((self.n + THREADS - 1) // THREADS,), (THREADS,), tuple(args))


def digest(states: Any, traces: Any) -> str:
    """Of every byte of every final state, and of every match's trace."""
    return hashlib.sha256(np.ascontiguousarray(states).tobytes() + traces.astype("<i8").tobytes()).hexdigest()


def on_cpu(name: str, seats: int, options: dict[str, Any], matches: int) -> str:
    """The same matches on the CPU."""
    from tacit import game_named
    from tacit.core.buffers import Buffers

    game = game_named(name)
    b = Buffers(game, seats, options, states=matches)
    traces = np.zeros(matches, np.int64)
    game.build("cpu").traced_matches(b.states, b.blank, 0, b.rng, b.mask, b.weights, b.out, traces)
    return digest(b.states.view(np.int8), traces)


def compare(out: Path) -> None:
    wrong = 0
    print("| game | seats | matches compared | SHA-256 | same as CPU | decisions/s | with observation |")
    print("|---|---|---|---|---|---|---|")
    for row in json.loads(out.read_text()):
        same = on_cpu(row["game"], row["seats"], row["options"], row["matches"]) == row["digest"]
        wrong += not same
        cells = [row["game"], row["seats"], f"{row['matches']:,}", f"`{row['digest'][:16]}…`", "yes" if same else "NO"]
        cells += [f"{row[f'{kind}_decisions_per_second'] / 1e6:,.0f} M" for kind in ("played", "observed")]
        print("| " + " | ".join(map(str, cells)) + " |")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["compile", folder]:
            compile_all(Path(folder))
        case ["run", folder, out]:
            run_all(Path(folder), Path(out))
        case ["compare", out]:
            compare(Path(out))
        case _:
            sys.exit(__doc__)
