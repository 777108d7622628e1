"""`Batch` on a GPU: compared with the CPU bit for bit, and timed, beside pgx on the same GPU.

    python benchmarks/research_gpu.py compile DIR [--peers]    compile the kernels; needs the extra `gpu`, but no GPU
    python benchmarks/research_gpu.py run DIR OUT              on a machine with a GPU and CuPy: measure, write OUT
    python benchmarks/research_gpu.py compare OUT              here: the same batches on the CPU; print the tables

`run` also tries views of PyTorch and JAX where they are installed, and with `--peers` it measures pgx (needs JAX; takes
longest). `benchmarks/research_gpu.json` keeps the last OUT, and a test plays its batches on the CPU again.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
# name, seats, options
CASES: list[tuple[str, int, dict[str, Any]]] = [
    ("silencio", 3, {}),
    ("silencio", 4, {"tavern": True}),
    ("silver-and-gold", 3, {}),
    ("zombie-city", 4, {"expert": True}),
    ("silent-planet", 4, {}),
]
COMPARED, STEPS = 1024, 120  # matches and steps that are compared
TIMED = (1 << 18, 1 << 20)  # matches that are timed; the better one counts
WARM, ROUNDS = 150, 60  # steps before the clock starts, so that matches are at all stages; steps of one timing
HISTORY = 16  # decisions that each seat remembers
KINDS: dict[str, dict[str, Any]] = {
    "words": {"mask": False, "observation": False},
    "mask": {"observation": False},
    "observation": {},
    "history": {"history": HISTORY, "skip_forced": True},
}
COMPARED_SETTINGS: tuple[dict[str, Any], ...] = ({}, {"history": HISTORY}, KINDS["history"])
PEERS = ("sparrow_mahjong", "leduc_holdem", "kuhn_poker")
PEER_BATCHES = "16384,131072,1048576"
ARRAYS = ("seat", "words", "mask", "observation", "history", "reward", "done", "seeds")


def compile_all(folder: Path, peers: bool) -> None:
    """Cross-compile the kernels for an H100 or H200 (sm_90); install what else `run` needs."""
    sys.path.insert(0, str(ROOT))
    from benchmarks.gpu import install_site
    from tacit import game_named
    from tacit.research.cuda import write_kernels

    for name in dict.fromkeys(case[0] for case in CASES):
        write_kernels(game_named(name), folder / "kernels")
    install_site(folder, ["msgspec", *(["pgx==2.6.0", "svgwrite", "typing_extensions"] if peers else [])])


def run_all(folder: Path, out: Path) -> None:
    """Everything, on the GPU."""
    sys.path[:0] = [str(ROOT / "src"), str(folder / "site")]
    import cupy

    from tacit.research import Batch

    device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    found: dict[str, Any] = {"device": device, "cases": [], "peers": []}
    for name, seats, options in CASES:
        if not (folder / "kernels" / f"{name}.json").exists():
            print("no kernels of", name, flush=True)
            continue
        about: dict[str, Any] = {"game": name, "seats": seats, "options": options}
        about |= {"matches": COMPARED, "steps": STEPS, "digest": digest(name, seats, options, "cuda", folder)}
        for kind, wanted in KINDS.items():
            speeds = {}
            for n in TIMED:
                batch = Batch(name, n, seats, options, "cuda", check=False, kernels=folder / "kernels", **wanted)
                speeds[n] = timed(cupy, batch)
                del batch
                cupy.get_default_memory_pool().free_all_blocks()
            best = max(speeds, key=lambda n: speeds[n])
            about[f"{kind}_decisions_per_second"], about[f"{kind}_matches"] = speeds[best], best
        print(about, flush=True)
        found["cases"].append(about)
        out.write_text(json.dumps(found, indent=2))
    found["views"] = views(folder)
    out.write_text(json.dumps(found, indent=2))
    for name in PEERS if (folder / "site" / "pgx").exists() else ():
        found["peers"].append(peer(folder, name))
        print(found["peers"][-1], flush=True)
        out.write_text(json.dumps(found, indent=2))


def timed(cupy: Any, batch: Any) -> float:
    """Decisions a second of random legal play: choosing and stepping, the best of three."""
    for _ in range(WARM):
        batch.step(batch.random())
    best = 0.0
    for _ in range(3):
        cupy.cuda.Device().synchronize()
        begin = time.perf_counter()
        for _ in range(ROUNDS):
            batch.step(batch.random())
        cupy.cuda.Device().synchronize()
        best = max(best, ROUNDS * batch.n / (time.perf_counter() - begin))
    if bool(batch.illegal.any()):
        raise RuntimeError("A random legal decision was illegal.")
    return best


def views(folder: Path) -> dict[str, Any]:
    """Do PyTorch and JAX see the batch's own memory?"""
    from tacit.research import Batch
    from tacit.research.dlpack import jax_views, torch_views

    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    batch = Batch("silencio", 512, 3, device="cuda", kernels=folder / "kernels")
    found: dict[str, Any] = {}
    for library, views_of in (("torch", torch_views), ("jax", jax_views)):
        try:
            seen = views_of(batch)
            batch.step(batch.random())
            batch.device.xp.cuda.Device().synchronize()
            found[library] = {}
            for name, view in seen.items():
                address = view.data_ptr() if library == "torch" else view.unsafe_buffer_pointer()
                mine, its = (
                    batch.device.fetch(getattr(batch, name)),
                    np.asarray(view.cpu() if library == "torch" else view),
                )
                same = np.array_equal(mine, its)
                found[library][name] = bool(address == getattr(batch, name).data.ptr and same)
        except Exception as error:  # what one library cannot do shall not cost the other measurements
            found[library] = f"{type(error).__name__}: {error}"[:500]
    print("views without a copy:", found, flush=True)
    return found


def peer(folder: Path, name: str) -> dict[str, Any]:
    """pgx in a process of its own, on the same GPU."""
    paths = os.pathsep.join([str(folder / "site"), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": paths, "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    cores = str(len(os.sched_getaffinity(0)))
    command = [sys.executable, str(ROOT / "src/tacit/bench/peer_loops.py"), f"pgx:{name}", "3", cores, PEER_BATCHES]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        return {"name": f"pgx:{name}", "error": done.stderr[-1500:]}
    return {"name": f"pgx:{name}", **json.loads(done.stdout.splitlines()[-1])}


def digest(name: str, seats: int, options: dict[str, Any], device: Any, folder: Path | None = None) -> str:
    """Of all that a batch says at every step, of an imagined batch, and of its last states."""
    from tacit.research import Batch

    kernels = folder / "kernels" if folder is not None else None
    sha = hashlib.sha256()

    def note(batch: Any) -> None:
        for array in ARRAYS:
            sha.update(np.ascontiguousarray(batch.device.fetch(getattr(batch, array))).tobytes())

    for settings in COMPARED_SETTINGS:
        batch = Batch(
            name, COMPARED, seats, options, device, check=False, kernels=kernels, **settings
        )  # fmt: skip
        batch._begin(2024, (2024 ^ 0x5DEECE66D) & 0xFFFFFFFF | 1 << 62)  # the streams of the digests that are kept
        note(batch)
        for _ in range(STEPS):
            batch.step(batch.random())
            note(batch)
        note(batch._imagine(None, 7))
        sha.update(np.ascontiguousarray(batch.device.fetch(batch.observe(1))).tobytes())
        sha.update(np.ascontiguousarray(batch.device.fetch(batch._work.states)).tobytes())
    return sha.hexdigest()


def compare(out: Path) -> None:
    wrong = 0
    found = json.loads(out.read_text())
    print(found["device"], "\n")
    print(
        "| game | seats | compared | SHA-256 | same as CPU | words | mask | and observation | and history, no forced |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for row in found["cases"]:
        same = digest(row["game"], row["seats"], row["options"], "cpu") == row["digest"]
        wrong += not same
        cells = [row["game"], row["seats"], f"{3 * row['matches'] * row['steps']:,}", f"`{row['digest'][:16]}…`"]
        cells += ["yes" if same else "NO"]
        cells += [f"{row[f'{kind}_decisions_per_second'] / 1e6:,.0f} M" for kind in KINDS]
        print("| " + " | ".join(map(str, cells)) + " |")
    first = found["cases"][0]
    print("\n| on the same GPU, in the same run | decisions/s | Silencio with observation is × | with mask × |")
    print("|---|---|---|---|")
    for row in found["peers"]:
        if "error" in row:
            print(f"| {row['name']} | could not be run: {row['error'][-200:]} | | |")
            continue
        speed = row["decisions_per_second"]
        ratios = [first[f"{kind}_decisions_per_second"] / speed for kind in ("observation", "mask")]
        print(f"| {row['name']} | {speed / 1e6:,.1f} M | {ratios[0]:.1f} | {ratios[1]:.1f} |")
    print(f"\nViews without a copy: {found['views']}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["compile", folder, *peers] if peers in ([], ["--peers"]):
            compile_all(Path(folder), bool(peers))
        case ["run", folder, out]:
            run_all(Path(folder), Path(out))
        case ["compare", out]:
            compare(Path(out))
        case _:
            sys.exit(__doc__)
