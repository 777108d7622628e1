"""The rules of `stepping` on a GPU: one thread a match, compiled to machine code by Numba, loaded and run by CuPy.

Machine code (cubins) needs no GPU to be made and is kept in the cache, or in a folder of one's own (`write_kernels`)
for machines on which there is CuPy but no compiler. With NUMBA_ENABLE_CUDASIM=1, set before anything imports Numba, the
kernels run in Numba's simulator over NumPy arrays, slowly.
"""

from __future__ import annotations

import hashlib
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tacit.core.game import Game
from tacit.core.rulekit import cache_home, key
from tacit.research import stepping

THREADS = 256  # in a block, where each works on a match of its own
WARP_SIZE = 32  # in a block that writes observations: those that run in step
SHARED_MEMORY_BYTES = 48 * 1024  # bytes that a block can gather before it writes them out
EIGHT = 8  # cells that are written at a time
WRITTEN_IN = [Path(__file__), Path(__file__).with_name("kernels.py")]
CAPABILITY = (9, 0)  # what kernels are made for where no GPU is there to ask: H100 and H200
NEEDED = "A batch on a GPU needs CuPy and a compiler: pip install 'tacit-games[gpu]'."


def tile(width: int) -> int:
    """How many rows of so many cells a block gathers: a row a thread, or as many as there is room for."""
    if width > SHARED_MEMORY_BYTES:
        raise ValueError(f"A GPU writes observations of at most {SHARED_MEMORY_BYTES} cells, not {width}.")
    fitting = min(WARP_SIZE, SHARED_MEMORY_BYTES // width)
    return fitting // EIGHT * EIGHT or fitting  # so that a block begins with a whole eight, where it can


def place(game: Game, n: int, kernels: Path | None) -> Any:
    """Where a batch lives: on the GPU, or in the simulator."""
    if os.environ.get("NUMBA_ENABLE_CUDASIM", "0") == "1":
        return Simulated(game, n)
    try:
        import cupy
    except ImportError as error:
        raise RuntimeError(NEEDED) from error
    if cupy.cuda.runtime.getDeviceCount() == 0:
        raise RuntimeError("A batch with device='cuda' needs an NVIDIA GPU, and there is none here.")
    return Cuda(game, n, kernels or _cached(game, cupy), cupy)


class Launches(ABC):
    """What a real GPU and the simulator have in common: which kernels make up a rule of `stepping`."""

    device = "cuda"
    xp: Any
    n: int

    @abstractmethod
    def launch(self, kernel: str, *args: Any) -> None:
        """Run one kernel over all matches."""

    def run(self, name: str, *args: Any) -> None:
        """Call a rule of `stepping` on every match."""
        if name == "play":
            *played, mask, observation = args
            self.launch("play", *played)
            given = dict(zip(ARGUMENTS["play"], played, strict=True))
            if mask.size:
                self.launch("mask", given["words"], *_in_eights(mask))
            if observation.size:
                self.launch("observe", given["states"], given["seat"], *_in_eights(observation))
        elif name == "look":
            watchers, states, worlds, blank, observation = args
            self.launch("project_knowledge", watchers, states, worlds, blank)
            self.launch("observe", worlds, watchers, *_in_eights(observation))
        else:
            self.launch(name, *args)

    def blocks(self, game: Game, kernel: str) -> tuple[int, int]:
        """How many blocks a kernel runs in, and how many threads each has."""
        if kernel == "observe":
            return -(-self.n // tile(game.observation)), WARP_SIZE
        work = -(-self.n * game.actions // EIGHT) if kernel == "mask" else self.n
        threads = min(THREADS, work)
        return -(-work // threads), threads

    def first_illegal(self, actions: Any, words: Any) -> int:
        """The first match whose decision is not legal; -1 if all are. Waits for the GPU."""
        xp, within = self.xp, (actions >= 0) & (actions < 64 * words.shape[1])
        at = xp.where(within, actions, 0)
        fine = within & ((words[xp.arange(len(at)), at >> 6] >> (at & 63)) & 1 == 1)
        return -1 if bool(fine.all()) else int(fine.argmin())


def _in_eights(rows: Any) -> tuple[Any, Any]:
    """An array of bytes cell by cell, and the same memory eight cells a number; none where it does not begin at one."""
    cells = rows.reshape(-1)
    address = cells.data.ptr if hasattr(cells.data, "ptr") else cells.ctypes.data
    return cells, cells[: cells.size // EIGHT * EIGHT if address % EIGHT == 0 else 0].view(np.int64)


class Cuda(Launches):
    """CuPy arrays and kernels in machine code."""

    def __init__(self, game: Game, n: int, folder: Path, cupy: Any) -> None:
        self.xp, self.n, self.rows, self.threads = cupy, n, n, n
        about = json.loads((folder / f"{game.name}.json").read_text())
        if about["sizes"] != sizes(game):
            raise ValueError(f"The kernels in {folder} were made for another version of {game.title}.")
        driver, capability = driver_version(cupy), capability_of(cupy)
        check_loadable(folder, about, driver, capability)
        self.kernels = {}
        for kind, entry in about["entries"].items():
            try:
                kernel = cupy.RawModule(path=str(folder / f"{game.name}-{kind}.cubin")).get_function(entry)
            except cupy.cuda.driver.CUDADriverError as error:
                raise RuntimeError(
                    f"The driver here (CUDA {_dotted(driver)}) cannot load the kernels in {folder}, compiled with CUDA "
                    f"{_dotted(about['cuda'])} for compute capability {_dotted(about['capability'])}: {error}"
                ) from error
            self.kernels[kind] = (kernel, *self.blocks(game, kind))

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return self.xp.zeros(shape, dtype)

    def states(self, blank: Any, n: int) -> Any:
        """Records as rows of bytes: CuPy has no structured arrays."""
        return self.xp.zeros((n, blank.dtype.itemsize), np.int8)

    def put(self, array: Any) -> Any:
        if array.dtype.names:
            array = array.view(np.int8).reshape(len(array), -1)
        return self.xp.asarray(array)

    def fetch(self, array: Any) -> Any:
        return self.xp.asnumpy(array)

    def launch(self, kernel: str, *args: Any) -> None:
        flat: list[Any] = [np.int64(self.n)]
        for kind, value in zip(ARGUMENTS[kernel].values(), args, strict=True):
            flat += _flat(kind, value)
        run, blocks, threads = self.kernels[kernel]
        run((blocks,), (threads,), tuple(flat))


def _flat(kind: str, value: Any) -> list[Any]:
    """An argument as Numba's kernels want it: of an array two nulls, cells, their size, address, shape, strides."""
    if kind == "int":
        return [np.int64(value)]
    if kind == "float":
        return [np.float64(value)]
    count, size, shape, strides = value.size, value.itemsize, value.shape, value.strides
    if kind == "record":
        count, size, shape, strides = value.shape[0], value.shape[1], value.shape[:1], value.strides[:1]
    head = [np.int64(0), np.int64(0), np.int64(count), np.int64(size), np.uint64(value.data.ptr)]
    return head + [np.int64(number) for number in (*shape, *strides)]


class Simulated(Launches):
    """Numba's simulator over NumPy arrays. States are plain ones: arithmetic on NumPy's small integers would wrap."""

    xp: Any = np

    def __init__(self, game: Game, n: int) -> None:
        from numba import cuda

        from tacit.research.kernels import kernels_of

        self.game, self.n, self.rows, self.threads = game, n, n, n
        self.kernels = {kind: cuda.jit(kernel) for kind, kernel in kernels_of(game).items()}

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return np.zeros(shape, dtype)

    def states(self, blank: Any, n: int) -> Any:
        return Row([self.game.State() for _ in range(n)])

    def put(self, array: Any) -> Any:
        return Row([self.game.State().load(record) for record in array]) if array.dtype.names else array

    def fetch(self, array: Any) -> Any:
        records = np.zeros(len(array), self.game.dtype)
        for state, record in zip(array, records, strict=True):
            state.store(record)
        return records

    def launch(self, kernel: str, *args: Any) -> None:
        self.kernels[kernel][self.blocks(self.game, kernel)](self.n, *args)


class Row(list[Any]):
    """Plain states where a kernel expects an array: putting one there copies it."""

    def __setitem__(self, at: Any, value: Any) -> None:
        if at is Ellipsis:
            super().__setitem__(slice(None), [state.copy() for state in value])
        else:
            super().__setitem__(at, value.copy())


# ------------------------------------------------------------------ kernels
# The arguments of each kernel after the number of matches, and their kinds.
ARGUMENTS = {
    "play": {
        "mode": "int", "fault": "int", "penalty": "float", "stride": "int", "actions": "line", "weights": "grid",
        "scores": "grid", "states": "record", "blank": "record", "seeds": "line", "rngs": "grid", "seat": "line",
        "words": "grid", "reward": "reals", "done": "bytes", "illegal": "bytes",
    },
    "observe": {"states": "record", "seat": "line", "cells": "bytes", "eights": "line"},
    "mask": {"words": "grid", "cells": "bytes", "eights": "line"},
    "sample_actions": {"words": "grid", "dice": "grid", "actions": "line"},
    "seed_streams": {"first": "int", "dice": "grid"},
    "project_knowledge": {"watchers": "line", "states": "record", "worlds": "record", "blank": "record"},
    "determinize": {
        "first": "int", "watchers": "line", "states": "record", "worlds": "record", "blank": "record", "rngs": "grid",
    },
}  # fmt: skip


def sizes(game: Game) -> dict[str, int | str]:
    """What the kernels of a game rely on."""
    return {
        "rules": game.rules_version,
        "state": game.dtype.itemsize,
        "actions": game.actions,
        "outcomes": game.outcomes,
        "observation": game.observation,
        "kernels": hashlib.sha256(b"".join(path.read_bytes() for path in WRITTEN_IN)).hexdigest()[:16],
    }


def driver_version(cupy: Any) -> tuple[int, int]:
    """The newest CUDA that the driver of this machine knows: (13, 0)."""
    number = cupy.cuda.runtime.driverGetVersion()
    return number // 1000, number % 1000 // 10


def capability_of(cupy: Any) -> tuple[int, int]:
    """The compute capability of the GPU in use: (9, 0) for an H200."""
    digits = str(cupy.cuda.Device().compute_capability)
    return int(digits[:-1]), int(digits[-1])


def check_loadable(folder: Path, about: dict[str, Any], driver: tuple[int, int], capability: tuple[int, int]) -> None:
    """Refuse kernels that this driver or this GPU cannot load, with a sentence. Drivers load machine code of every CUDA
    up to their own major version; a GPU runs what was made for its generation, up to its own minor version."""
    cuda, made_for = tuple(about["cuda"]), tuple(about["capability"])
    if cuda[0] > driver[0]:
        raise RuntimeError(
            f"The kernels in {folder} were compiled with CUDA {_dotted(cuda)}, and the driver here knows CUDA "
            f"{_dotted(driver)} at most: update the driver, or compile them with CUDA {driver[0]}."
        )
    if made_for[0] != capability[0] or made_for > capability:
        raise RuntimeError(
            f"The kernels in {folder} are for GPUs of compute capability {_dotted(made_for)}, and this one has "
            f"{_dotted(capability)}: write them with capability={capability}."
        )


def _dotted(version: Sequence[int]) -> str:
    return ".".join(map(str, version))


def write_kernels(game: Game, folder: Path, capability: tuple[int, int] = CAPABILITY) -> None:
    """Compile the game's kernels into a folder, for GPUs of this compute capability; no GPU is needed.

    They run on GPUs of the same generation (the same major version), with every driver of the compiler's CUDA: 13.0
    and newer for the extra `gpu`.
    """
    from numba import from_dtype, types

    from tacit.core.gpu import compile_kernel, compiler_version
    from tacit.research.kernels import kernels_of

    record, whole = types.Array(from_dtype(game.dtype), 1, "C"), types.int64
    kinds = {
        "int": whole,
        "float": types.float64,
        "line": types.Array(whole, 1, "C"),
        "grid": types.Array(whole, 2, "C"),
        "record": record,
        "reals": types.Array(types.float32, 2, "C"),
        "bytes": types.Array(types.int8, 1, "C"),
    }
    folder.mkdir(parents=True, exist_ok=True)
    entries = {}
    for name, kernel in kernels_of(game).items():
        signature = types.void(whole, *(kinds[kind] for kind in ARGUMENTS[name].values()))
        cubin, entries[name] = compile_kernel(kernel, signature, capability)
        (folder / f"{game.name}-{name}.cubin").write_bytes(cubin)
    about = {"sizes": sizes(game), "cuda": compiler_version(), "capability": capability, "entries": entries}
    (folder / f"{game.name}.json").write_text(json.dumps(about))  # last: the folder is whole when it is there


def _cached(game: Game, cupy: Any) -> Path:
    try:
        from tacit.core.gpu import compiler_version

        cuda = compiler_version()
    except (ImportError, RuntimeError) as error:
        raise RuntimeError(NEEDED) from error
    capability = capability_of(cupy)
    name = f"cubin-{_dotted(capability)}-cuda-{_dotted(cuda)}-{sizes(game)['kernels']}"
    folder = cache_home() / key(game.module, [stepping]) / name
    check_loadable(folder, {"cuda": cuda, "capability": capability}, driver_version(cupy), capability)
    if not (folder / f"{game.name}.json").exists():
        write_kernels(game, folder, capability)
    return folder
