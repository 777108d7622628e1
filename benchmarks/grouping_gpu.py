"""What sorting the matches of a block before they are played gains on a GPU; with digests of what was played.

    python -m benchmarks.grouping_gpu compile DIR [GAME …]    compile the kernels; needs the extra `gpu`, but no GPU
    python -m benchmarks.grouping_gpu run DIR OUT             on a machine with a GPU and CuPy: measure, write OUT

A block of 32 threads is one warp: its matches are those it would have without grouping. Games whose kernels are not in
DIR are left out. A digest that `benchmarks/research_gpu.json` has from the CPU's rules is compared; the others
`benchmarks/research_gpu.py compare` plays on the CPU.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GROUPS = (32, 128, 256, 512)  # threads in a block that sorts its matches
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
        write_kernels(game_named(name), folder / "kernels")
    install_site(folder, ["msgspec"])


def run_all(folder: Path, out: Path) -> None:
    """Measure every game whose kernels are there, and print a line for each as soon as it is known."""
    sys.path[:0] = [str(ROOT / "src"), str(folder / "site")]
    import cupy

    from benchmarks.research_gpu import CASES, digest

    kept = json.loads((ROOT / "benchmarks" / "research_gpu.json").read_text())["cases"]
    found = []
    for case, before in zip(CASES, kept, strict=True):
        name, seats, options = case
        if not (folder / "kernels" / f"{name}.json").exists():
            continue
        row: dict[str, Any] = {"game": name, "seats": seats, "options": options}
        for kind, wanted in KINDS.items():
            row[kind] = {group: measured(cupy, folder, case, group, wanted) for group in GROUPS}
            speeds = ", ".join(f"{group}: {speed / 1e6:,.0f} M" for group, speed in row[kind].items())
            print(f"{name} {seats}, {kind}, decisions/s by block: {speeds}", flush=True)
        row["digest"] = digest(name, seats, options, "cuda", folder)
        same = "to be compared" if "remake" in before else "same" if row["digest"] == before["digest"] else "DIFFERENT"
        print(f"{name} {seats}, digest {row['digest'][:16]}: {same}", flush=True)
        found.append(row)
        out.write_text(json.dumps(found, indent=2))


def measured(cupy: Any, folder: Path, case: Any, group: int, wanted: dict[str, Any]) -> float:
    """Decisions a second of random legal play, the better of two timings."""
    from tacit.research import Batch

    name, seats, options = case
    batch = Batch(name, MATCHES, seats, options, "cuda", check=False, kernels=folder / "kernels", **wanted)
    batch.device.group = group  # type: ignore[attr-defined]  # blocks may be smaller than what kernels were compiled for
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
