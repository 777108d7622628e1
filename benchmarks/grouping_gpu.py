"""What sorting matches before they are played gains on a GPU: the measure of a game's `DIVERGENT`.

    python -m benchmarks.grouping_gpu compile DIR [GAME …]    compile the kernels; needs the extra `gpu`, but no GPU
    python -m benchmarks.grouping_gpu run DIR OUT             on a machine with a GPU and CuPy: measure, write OUT

Each game is played in one kernel (`whole`) and in three over sorted matches, in blocks of several sizes. Games whose
kernels are not in DIR are left out. Digests are compared with those of `benchmarks/research_gpu.json`, which the CPU
has played too.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# Sorted or not, and threads in a block.
WAYS = {"whole": (False, 256), "sorted 128": (True, 128), "sorted 256": (True, 256), "sorted 512": (True, 512)}
MATCHES = 1 << 20
WARM, ROUNDS = 100, 30  # steps before the clock starts, and of one timing
KINDS: dict[str, dict[str, Any]] = {"words": {"mask": False, "observation": False}, "observation": {}}


def compile_all(folder: Path, names: list[str]) -> None:
    """The kernels of these games (of all), and what `tacit` needs on the machine with the GPU."""
    from benchmarks.gpu import install_site
    from benchmarks.research_gpu import CASES
    from tacit import game_named
    from tacit.research.cuda import write_kernels

    for name in names or dict.fromkeys(case[0] for case in CASES):
        game = game_named(name)
        for game.divergent in (False, True):
            write_kernels(game, kernels(folder, game.divergent))
    install_site(folder, ["msgspec"])


def kernels(folder: Path, divergent: bool) -> Path:
    """Where the kernels for sorted matches are, or the others."""
    return folder / ("sorted" if divergent else "whole") / "kernels"


def run_all(folder: Path, out: Path) -> None:
    """Measure every game whose kernels are there, and print a line for each as soon as it is known."""
    sys.path[:0] = [str(ROOT / "src"), str(folder / "site")]
    import cupy

    from benchmarks.research_gpu import CASES, digest
    from tacit import game_named

    kept = json.loads((ROOT / "benchmarks" / "research_gpu.json").read_text())["cases"]
    found = []
    for case, before in zip(CASES, kept, strict=True):
        name, seats, options = case
        if not all((kernels(folder, way) / f"{name}.json").exists() for way in (False, True)):
            continue
        row: dict[str, Any] = {"game": name, "seats": seats, "options": options}
        for kind, wanted in KINDS.items():
            row[kind] = {way: measured(cupy, folder, case, way, wanted) for way in WAYS}
            speeds = ", ".join(f"{way}: {speed / 1e6:,.0f} M" for way, speed in row[kind].items())
            print(f"{name} {seats}, {kind}, decisions/s: {speeds}", flush=True)
        for divergent in (False, True):
            game_named(name).divergent = divergent
            found_digest = digest(name, seats, options, "cuda", kernels(folder, divergent).parent)
            row[f"digest_{kernels(folder, divergent).parent.name}"] = found_digest
            print(f"{name} {seats}, digest: {'same' if found_digest == before['digest'] else 'DIFFERENT'}", flush=True)
        found.append(row)
        out.write_text(json.dumps(found, indent=2))


def measured(cupy: Any, folder: Path, case: Any, way: str, wanted: dict[str, Any]) -> float:
    """Decisions a second of random legal play, the better of two timings."""
    from tacit import game_named
    from tacit.research import Batch, cuda

    name, seats, options = case
    game = game_named(name)
    game.divergent, cuda.BLOCK_SIZE = WAYS[way]
    batch = Batch(game, MATCHES, seats, options, "cuda", check=False, kernels=kernels(folder, game.divergent), **wanted)
    for _ in range(WARM):
        batch.step(batch.random())
    best = 0.0
    for _ in range(2):
        cupy.cuda.Device().synchronize()
        begin = time.perf_counter()
        for _ in range(ROUNDS):
            batch.step(batch.random())
        cupy.cuda.Device().synchronize()
        best = max(best, ROUNDS * MATCHES / (time.perf_counter() - begin))
    del batch
    cupy.get_default_memory_pool().free_all_blocks()
    return best


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["compile", folder, *names]:
            compile_all(Path(folder), names)
        case ["run", folder, out]:
            run_all(Path(folder), Path(out))
        case _:
            sys.exit(__doc__)
