"""A batch on a GPU: the rules of `stepping` compiled by Numba to machine code, which CuPy loads and launches.

Machine code (cubins) is compiled without a GPU. It is kept in the cache, or in a folder (`write_kernels`) for machines
that have CuPy but no compiler. With NUMBA_ENABLE_CUDASIM=1, set before anything imports Numba, the kernels run in
Numba's simulator over NumPy arrays, slowly.
"""

from __future__ import annotations

import hashlib
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from itertools import chain, takewhile
from pathlib import Path
from typing import Any

import numpy as np

from tacit.core import workspace
from tacit.core.game import Game
from tacit.core.rulekit import cache_home, key
from tacit.core.workspace import Kind, flat, parameters, signature
from tacit.research import stepping
from tacit.research.device import Device, DeviceName
from tacit.research.stepping import Workspace

BLOCK_SIZE = 256  # threads in a block that has a thread for each match
WARP_SIZE = 32  # threads in a block that writes observations
SHARED_MEMORY_BYTES = 48 * 1024  # that a block may use without asking for more
WHOLE_KERNEL = ("play",)
SORTED_KERNELS = ("decide", "settle", "enquire")  # the parts of `advance`, one after the other
MAX_BLOCK = 512  # threads that those are compiled for: that leaves each at most 128 registers
WORD_BYTES = 8  # written at a time: a coalesced store of a warp is 256 bytes
MAX_WORKSPACES = 4  # whose launch arguments are remembered
OTHER_SOURCES = ("kernels.py", "partner_kernels.py", "partners.py")
SOURCES = [Path(__file__), *map(Path(__file__).with_name, OTHER_SOURCES), Path(workspace.__file__)]
CAPABILITY = (9, 0)  # to compile for where there is no GPU to ask: H100 and H200
NEEDED = "A batch on a GPU needs CuPy and a compiler: pip install 'tacit-games[gpu]'."


def first_number(game: Game) -> int:
    """How many cells of an observation come before its first number."""
    return sum(field.size for field in takewhile(lambda field: field.kind != "number", game.fields))


def row_bytes(game: Game) -> int:
    """Bytes of shared memory for an observation: one for each cell, or in `PACKED` games one for each cell from the
    first number on, then a bit for every cell. Packed rows are an odd number of words, to begin in different banks."""
    if not game.packed:
        return game.observation
    numbers = -(-(game.observation - first_number(game)) // WORD_BYTES)
    return WORD_BYTES * ((numbers + -(-game.observation // 64)) | 1)


def tile(game: Game) -> int:
    """How many observations a block gathers in shared memory: one for each thread, or as many as fit.

    Raises ValueError if none fits.
    """
    fitting = min(WARP_SIZE, SHARED_MEMORY_BYTES // row_bytes(game))
    if fitting == 0:
        raise ValueError(f"An observation of {game.observation} cells does not fit the shared memory of a GPU.")
    return fitting // WORD_BYTES * WORD_BYTES or fitting  # whole words, so that the next block is aligned too


def device(game: Game, n: int, kernels: Path | None) -> Device:
    """The GPU, or the simulator."""
    if os.environ.get("NUMBA_ENABLE_CUDASIM", "0") == "1":
        return Simulator(game, n)
    try:
        import cupy
    except ImportError as error:
        raise RuntimeError(NEEDED) from error
    if cupy.cuda.runtime.getDeviceCount() == 0:
        raise RuntimeError("A batch with device='cuda' needs an NVIDIA GPU, and there is none here.")
    return Cuda(game, n, kernels or cached(game, cupy), cupy)


class Launcher(ABC):
    """What the GPU and the simulator have in common: which kernels make up a rule of `stepping`."""

    name: DeviceName = "cuda"
    game: Game
    xp: Any
    n: int

    @abstractmethod
    def launch(self, kernel: str, threads: int, *args: Any) -> None:
        """Run a kernel with a number of threads."""

    def run(self, name: str, number: int, w: Workspace) -> None:
        """Run a rule of `stepping` over every match; `number` is its mode or seed."""
        if name == "observe":
            self.launch("project_knowledge", self.n, number, w)
            self._observe(w.worlds, w.watchers, w.observation)
            return
        for kernel in play_kernels(self.game) if name == "play" else (name,):
            self.launch(kernel, self.n, number, w)
        if name == "play":
            self.write_down(w)

    def write_down(self, w: Workspace) -> None:
        """The mask, the observation and the history of the seats that decide, where they are wanted."""
        if w.mask.size:
            self.launch("mask", -(-w.mask.size // WORD_BYTES), w.words, *_as_words(w.mask))
        if w.observation.size:
            self._observe(w.states, w.seat, w.observation)
        if w.history.size:
            self.launch("recall", w.history.size, w)

    def _observe(self, states: Any, seats: Any, observation: Any) -> None:
        blocks = -(-self.n // tile(self.game))
        self.launch("observe", blocks * WARP_SIZE, states, seats, *_as_words(observation))

    def first_illegal(self, w: Workspace) -> int:
        """The first match whose decision is not legal; -1 if all are. Waits for the GPU."""
        xp, within = self.xp, (w.actions >= 0) & (w.actions < 64 * w.words.shape[1])
        at = xp.where(within, w.actions, 0)
        fine = within & ((w.words[xp.arange(len(at)), at >> 6] >> (at & 63)) & 1 == 1)
        return -1 if bool(fine.all()) else int(fine.argmin())


def play_kernels(game: Game) -> tuple[str, ...]:
    """The kernels that are a step: one for each part, over sorted matches, where that is faster."""
    return SORTED_KERNELS if game.divergent else WHOLE_KERNEL


def grid(kernel: str, threads: int) -> tuple[int, int]:
    """How many blocks a kernel runs in, and how many threads each has."""
    size = WARP_SIZE if kernel == "observe" else min(BLOCK_SIZE, threads)
    return -(-threads // size), size


def _as_words(rows: Any) -> tuple[Any, Any]:
    """An array of bytes as one row, and the same memory as 8-byte words (empty if it is not aligned)."""
    cells = rows.reshape(-1)
    address = cells.data.ptr if hasattr(cells.data, "ptr") else cells.ctypes.data
    return cells, cells[: cells.size // WORD_BYTES * WORD_BYTES if address % WORD_BYTES == 0 else 0].view(np.int64)


class Cuda(Launcher):
    """CuPy arrays and kernels in machine code."""

    def __init__(self, game: Game, n: int, folder: Path, cupy: Any) -> None:
        self.game, self.xp, self.n, self.rows, self.threads = game, cupy, n, n, n
        self._workspaces: dict[tuple[int, int], tuple[Any, tuple[Any, ...]]] = {}
        self.kernels = self.load(folder, game.name)

    def load(self, folder: Path, stem: str) -> dict[str, Any]:
        """The kernels that `write` wrote: functions, with the kinds of their parameters. Raises if they do not fit."""
        if not (folder / f"{stem}.json").exists():
            raise ValueError(f"There are no kernels {stem} in {folder}.")
        cupy, manifest = self.xp, json.loads((folder / f"{stem}.json").read_text())
        if manifest["sizes"] != sizes(self.game):
            raise ValueError(f"The kernels in {folder} were made for another version of {self.game.title}.")
        driver, capability = driver_version(cupy), capability_of(cupy)
        check_loadable(folder, manifest, driver, capability)
        found = {}
        for name, kernel in manifest["kernels"].items():
            try:
                function = cupy.RawModule(path=str(folder / f"{stem}-{name}.cubin")).get_function(kernel["entry"])
            except cupy.cuda.driver.CUDADriverError as error:
                raise RuntimeError(
                    f"The driver here (CUDA {_dotted(driver)}) cannot load the kernels in {folder}, compiled with CUDA "
                    f"{_dotted(manifest['cuda'])} for compute capability {_dotted(manifest['capability'])}: {error}"
                ) from error
            found[name] = (function, kernel["parameters"])
        return found

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return self.xp.zeros(shape, dtype)

    def states(self, n: int) -> Any:
        """Rows of bytes: CuPy has no structured arrays."""
        return self.xp.zeros((n, self.game.dtype.itemsize), np.int8)

    def put(self, array: Any) -> Any:
        if array.dtype.names:
            array = array.view(np.int8).reshape(len(array), -1)
        return self.xp.asarray(array)

    def fetch(self, array: Any) -> Any:
        return self.xp.asnumpy(array)

    def field(self, states: Any, name: str) -> Any:
        kind, at = self.game.dtype.fields[name][:2]  # type: ignore[index]
        cells = self.xp.ascontiguousarray(states[:, at : at + kind.itemsize]).view(kind.base)
        return cells.reshape(-1, *kind.shape)

    def launch(self, kernel: str, threads: int, *args: Any) -> None:
        function, kinds = self.kernels[kernel]
        blocks, size = grid(kernel, threads)
        flattened = [self._flat(kind, value) for kind, value in zip(kinds, (self.n, *args), strict=True)]
        function((blocks,), (size,), tuple(chain.from_iterable(flattened)))

    def _flat(self, kind: Kind, value: Any) -> tuple[Any, ...]:
        """An argument laid out for a launch; of the last workspaces this is remembered. Of a workspace that has more
        than a kernel takes, the rest is left out."""
        if not isinstance(value, tuple):
            return flat(kind, value)
        known = self._workspaces.get((id(value), len(kind)))
        if known is None:
            if len(self._workspaces) == MAX_WORKSPACES:
                self._workspaces.clear()
            # The value is kept, so that its id is not reused.
            known = self._workspaces[id(value), len(kind)] = (value, flat(kind, value[: len(kind)]))
        return known[1]


class Simulator(Launcher):
    """Numba's simulator over NumPy arrays. States are plain ones: arithmetic on NumPy's small integers would wrap."""

    xp: Any = np

    def __init__(self, game: Game, n: int) -> None:
        from numba import cuda

        from tacit.research.kernels import kernels_of

        self.game, self.n, self.rows, self.threads = game, n, n, n
        self._jit = cuda.jit
        self.kernels = {name: cuda.jit(kernel) for name, kernel in kernels_of(game).items()}

    def add(self, name: str, kernel: Any) -> None:
        """One more kernel."""
        self.kernels[name] = self._jit(kernel)

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return np.zeros(shape, dtype)

    def states(self, n: int) -> Any:
        return Row([self.game.State() for _ in range(n)])

    def put(self, array: Any) -> Any:
        return Row([self.game.State().load(record) for record in array]) if array.dtype.names else array

    def fetch(self, array: Any) -> Any:
        if isinstance(array, np.ndarray):
            return array
        records = np.zeros(len(array), self.game.dtype)
        for state, record in zip(array, records, strict=True):
            state.store(record)
        return records

    def field(self, states: Any, name: str) -> Any:
        return self.fetch(states)[name].copy()

    def launch(self, kernel: str, threads: int, *args: Any) -> None:
        self.kernels[kernel][grid(kernel, threads)](self.n, *args)


class Row(list[Any]):
    """Plain states where a kernel expects an array: putting one there copies it."""

    def __setitem__(self, at: Any, value: Any) -> None:
        if at is Ellipsis:
            super().__setitem__(slice(None), [state.copy() for state in value])
        else:
            super().__setitem__(at, value.copy())


# ------------------------------------------------------------------ kernels
def sizes(game: Game) -> dict[str, int | str]:
    """What the kernels of a game rely on."""
    return {
        "rules": game.rules_version,
        "state": game.dtype.itemsize,
        "actions": game.actions,
        "outcomes": game.outcomes,
        "observation": game.observation,
        "kernels": hashlib.sha256(b"".join(path.read_bytes() for path in SOURCES)).hexdigest()[:16],
    }


def driver_version(cupy: Any) -> tuple[int, int]:
    """The newest CUDA that the driver of this machine knows: (13, 0)."""
    number = cupy.cuda.runtime.driverGetVersion()
    return number // 1000, number % 1000 // 10


def capability_of(cupy: Any) -> tuple[int, int]:
    """The compute capability of the GPU in use: (9, 0) for an H200."""
    digits = str(cupy.cuda.Device().compute_capability)
    return int(digits[:-1]), int(digits[-1])


def check_loadable(
    folder: Path, manifest: dict[str, Any], driver: tuple[int, int], capability: tuple[int, int]
) -> None:
    """Refuse kernels that this driver or this GPU cannot load, with a sentence. Drivers load machine code of every CUDA
    up to their own major version; a GPU runs what was made for its generation, up to its own minor version."""
    cuda, made_for = tuple(manifest["cuda"]), tuple(manifest["capability"])
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
    from tacit.research.kernels import kernels_of

    write(game, folder, game.name, kernels_of(game), capability)


def write(
    game: Game, folder: Path, stem: str, made: Mapping[str, Any], capability: tuple[int, int] = CAPABILITY
) -> None:
    """Compile kernels, given by name, into a folder; their files begin with `stem`."""
    from tacit.core.gpu import compile_kernel, compiler_version

    folder.mkdir(parents=True, exist_ok=True)
    kernels = {}
    for name, kernel in made.items():
        cubin, entry = compile_kernel(
            kernel, signature(kernel, game.dtype), capability, MAX_BLOCK if name in SORTED_KERNELS else None
        )
        (folder / f"{stem}-{name}.cubin").write_bytes(cubin)
        kernels[name] = {"entry": entry, "parameters": parameters(kernel)}
    manifest = {"sizes": sizes(game), "cuda": compiler_version(), "capability": capability, "kernels": kernels}
    (folder / f"{stem}.json").write_text(json.dumps(manifest))  # last: then the folder is complete


def cached(
    game: Game, cupy: Any, stem: str = "", drivers: Sequence[Any] = (stepping,), made: Mapping[str, Any] | None = None
) -> Path:
    """The folder with the kernels of these drivers for the GPU here; they are compiled if it has none.

    Without `made` they are the kernels of a batch.
    """
    stem = stem or game.name
    try:
        from tacit.core.gpu import compiler_version

        cuda = compiler_version()
    except (ImportError, RuntimeError) as error:
        raise RuntimeError(NEEDED) from error
    capability = capability_of(cupy)
    name = f"cubin-{_dotted(capability)}-cuda-{_dotted(cuda)}-{sizes(game)['kernels']}"
    folder = cache_home() / key(game.module, drivers) / name
    check_loadable(folder, {"cuda": cuda, "capability": capability}, driver_version(cupy), capability)
    if not (folder / f"{stem}.json").exists():
        if made is None:
            write_kernels(game, folder, capability)
        else:
            write(game, folder, stem, made, capability)
    return folder
