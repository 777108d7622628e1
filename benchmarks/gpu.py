"""The rules on a GPU: compared with the CPU bit for bit, and timed.

    python benchmarks/gpu.py compile DIR      compile the kernels of every game; needs the extra `gpu`, but no GPU
    python benchmarks/gpu.py run DIR OUT      on a machine with a GPU, NumPy and CuPy: play, time, write OUT (JSON)
    python benchmarks/gpu.py compare OUT      here: play the same matches on the CPU, compare, print the table

`benchmarks/gpu.json` keeps the last OUT, and a test plays its matches on the CPU again.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
MATCHES = {"silencio": 100_000}  # compared, over all cases of the game; 20,000 of the others
TIMED = 1 << 20  # matches that are timed
ATTEMPTS = 2  # of which the faster counts
BLOCK_SIZE = 128
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
    from tacit import game_named
    from tacit.core import gpu
    from tacit.core.buffers import buffers
    from tacit.core.workspace import parameters, signature

    folder.mkdir(parents=True, exist_ok=True)
    about: dict[str, Any] = {"cases": [], "games": {}}
    for name in dict.fromkeys(case[0] for case in CASES):
        game = game_named(name)
        kernels = {}
        for kind, kernel in gpu.kernels_of(game).items():
            cubin, entry = gpu.compile_kernel(kernel, signature(kernel, game.dtype), (9, 0))
            (folder / f"{name}-{kind}.cubin").write_bytes(cubin)
            kernels[kind] = {"entry": entry, "parameters": parameters(kernel)}
        sizes = {"words": game.words, "outcomes": game.outcomes, "observation": game.observation}
        about["games"][name] = {"state": game.dtype.itemsize, "kernels": kernels, **sizes}
    for name, seats, options in CASES:
        blank = buffers(game_named(name), seats, options).blank.tobytes().hex()
        about["cases"].append(
            {"game": name, "seats": seats, "options": options, "blank": blank, "matches": share(name)}
        )
    (folder / "about.json").write_text(json.dumps(about))
    install_site(folder, ["msgspec"])


def install_site(folder: Path, packages: list[str], python: str = "3.12") -> None:
    """Install what `tacit` needs on the machine with the GPU into a folder, for its version of Python."""
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--upgrade", "--target", str(folder / "site")]
    subprocess.run([*install, "--python-version", python, "--only-binary", ":all:", *packages], check=True)


def run_all(folder: Path, out: Path) -> None:
    """Play on the GPU."""
    sys.path[:0] = [str(ROOT / "src"), str(folder / "site")]
    import cupy

    about = json.loads((folder / "about.json").read_text())
    found = []
    for case in about["cases"]:
        game = about["games"][case["game"]]
        kernels = {}
        for kind, kernel in game["kernels"].items():
            module = cupy.RawModule(path=str(folder / f"{case['game']}-{kind}.cubin"))
            kernels[kind] = (module.get_function(kernel["entry"]), kernel["parameters"])
        arrays = _Arrays(cupy, game, bytes.fromhex(case["blank"]), case["matches"])
        arrays.launch(*kernels["traced"], 0)
        states, traces = cupy.asnumpy(arrays.states), cupy.asnumpy(arrays.results)
        row = {k: case[k] for k in ("game", "seats", "options", "matches")}
        row |= {"digest": digest(states, traces)}
        for kind in ("played", "observed"):
            timed = _Arrays(cupy, game, bytes.fromhex(case["blank"]), TIMED)
            best = 0.0
            for attempt in range(ATTEMPTS):
                timed.reset(bytes.fromhex(case["blank"]))
                cupy.cuda.Device().synchronize()
                begin = time.perf_counter()
                timed.launch(*kernels[kind], attempt * TIMED)
                cupy.cuda.Device().synchronize()
                spent = time.perf_counter() - begin
                best = max(best, float(timed.results.sum()) / spent)
            row[f"{kind}_decisions_per_match"] = float(timed.results.mean())
            row[f"{kind}_decisions_per_second"] = best
        row["device"] = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        print(row, flush=True)
        found.append(row)
        out.write_text(json.dumps(found, indent=2))


class _Arrays:
    """The arrays of n matches on the GPU, in the order of `tacit.core.gpu.Workspace`."""

    def __init__(self, cupy: Any, game: dict[str, Any], blank: bytes, n: int) -> None:
        self.cupy, self.n = cupy, n
        self.states = cupy.zeros((n, game["state"]), cupy.int8)
        rows = [cupy.zeros((n, size), cupy.int64) for size in (4, game["words"], game["outcomes"])]
        self.results = cupy.zeros(n, cupy.int64)
        self.all = (self.states, *rows, cupy.zeros((n, game["observation"]), cupy.int8), self.results)
        self.reset(blank)

    def reset(self, blank: bytes) -> None:
        self.states[:] = self.cupy.asarray(np.frombuffer(blank, np.int8))[None, :]

    def launch(self, kernel: Any, kinds: list[Any], first: int) -> None:
        from tacit.core.workspace import flat

        kernel(((self.n + BLOCK_SIZE - 1) // BLOCK_SIZE,), (BLOCK_SIZE,), flat(kinds, (first, self.all)))


def digest(states: Any, traces: Any) -> str:
    """Of every byte of every final state, and of every match's trace."""
    return hashlib.sha256(np.ascontiguousarray(states).tobytes() + traces.astype("<i8").tobytes()).hexdigest()


def on_cpu(name: str, seats: int, options: dict[str, Any], matches: int) -> str:
    """The same matches on the CPU."""
    from tacit import game_named
    from tacit.core.buffers import buffers

    game = game_named(name)
    b = buffers(game, seats, options, states=matches)
    game.build("cpu").traced_matches(b, 0)
    return digest(b.states.view(np.int8), b.traces)


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
