"""Partners of a `Batch` on a GPU: compared with the CPU bit for bit, and timed.

    python -m benchmarks.partners_gpu compile DIR [GAME …]   compile the kernels; needs the extra `gpu`, but no GPU
    python -m benchmarks.partners_gpu run DIR OUT            on a machine with a GPU and CuPy: measure, write OUT
    python -m benchmarks.partners_gpu compare OUT            here: the same batches on the CPU; print the table

`run` leaves out games and bots whose kernels are not in DIR. It imports nothing that needs Numba.
`benchmarks/partners_gpu.json` keeps the last OUT, and a test plays its batches on the CPU again.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
BOTS = ("random", "gentle", "steady")
SEATS = 3
COMPARED, STEPS = 512, 60  # matches and steps that are compared
TIMED, WARM, ROUNDS = 1 << 17, 20, 10  # matches that are timed, steps before the clock starts, steps of one timing
ARRAYS = ("seat", "words", "mask", "observation", "history", "reward", "done", "seeds", "partner")
GAMES = ("silencio", "silent-planet", "zombie-city", "silver-and-gold")


def compile_all(folder: Path, games: list[str]) -> None:
    """Cross-compile the kernels for an H100 or H200 (sm_90); install what else `run` needs."""
    from benchmarks.gpu import install_site
    from tacit import game_named
    from tacit.research.cuda import write_kernels
    from tacit.research.partner_kernels import write_partner_kernels

    if not (folder / "site").exists():
        install_site(folder, ["msgspec"])
    for name in games or GAMES:
        begin = time.perf_counter()
        write_partner_kernels(game_named(name), BOTS, folder / "kernels")
        write_kernels(game_named(name), folder / "kernels")
        print(name, round(time.perf_counter() - begin), "s", flush=True)


def run_all(folder: Path, out: Path) -> None:
    """Everything, on the GPU."""
    sys.path[:0] = [str(ROOT / "src"), str(folder / "site")]
    import cupy

    from tacit.research import Batch

    found: list[dict[str, Any]] = []
    for name in GAMES:
        have = [bot for bot in BOTS if (folder / "kernels" / f"{name}-partner-{bot}.json").exists()]
        if not have or not (folder / "kernels" / f"{name}.json").exists():
            continue
        row: dict[str, Any] = {"game": name, "bots": have, "digest": digest(name, have, "cuda", folder / "kernels")}
        for bot in have:
            kernels = folder / "kernels"
            batch = Batch(name, TIMED, SEATS, device="cuda", check=False, partners=[bot], learner=0, kernels=kernels)
            for _ in range(WARM):
                batch.step(batch.random())
            cupy.cuda.Device().synchronize()
            begin = time.perf_counter()
            for _ in range(ROUNDS):
                batch.step(batch.random())
            cupy.cuda.Device().synchronize()
            row[bot] = ROUNDS * batch.n / (time.perf_counter() - begin)
            out.write_text(json.dumps([*found, row], indent=2) + "\n")
            del batch
            cupy.get_default_memory_pool().free_all_blocks()
        print(row, flush=True)
        found.append(row)
        out.write_text(json.dumps(found, indent=2) + "\n")


def digest(name: str, bots: list[str], device: Any, kernels: Path | None = None) -> str:
    """Of all that a batch with partners says at every step, how much its seats heard, and its last states."""
    from tacit.core.events import HEARS_ALL
    from tacit.research import Batch

    sha = hashlib.sha256()
    batch: Any = Batch(
        name, COMPARED, SEATS, device=device, check=False, partners=bots, learner=None, history=8, kernels=kernels
    )  # fmt: skip
    batch._use(batch._work._replace(hears=HEARS_ALL))  # more than these bots read: it changes no decision
    batch.reset()
    for _ in range(STEPS):
        batch.step(batch.random())
        for array in (*(getattr(batch, name) for name in ARRAYS), batch._work.told, batch._work.states):
            sha.update(np.ascontiguousarray(batch.device.fetch(array)).tobytes())
    return sha.hexdigest()


def compare(out: Path) -> None:
    wrong = 0
    print("| game | SHA-256 | same as CPU | " + " | ".join(f"`{bot}`" for bot in BOTS) + " |")
    print("|---|---|---|" + "---|" * len(BOTS))
    for row in json.loads(out.read_text()):
        same = digest(row["game"], row["bots"], "cpu") == row["digest"]
        wrong += not same
        speeds = [f"{row[bot] / 1e6:,.1f} M" if bot in row else "–" for bot in BOTS]
        print("| " + " | ".join([row["game"], f"`{row['digest'][:16]}…`", "yes" if same else "NO", *speeds]) + " |")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["compile", folder, *games]:
            compile_all(Path(folder), games)
        case ["run", folder, out]:
            run_all(Path(folder), Path(out))
        case ["compare", out]:
            compare(Path(out))
        case _:
            sys.exit(__doc__)
