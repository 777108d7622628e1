"""Whole matches on a GPU, a thread each: the same rules and random play, built for CUDA.

Without a GPU, `NUMBA_ENABLE_CUDASIM=1` (set before anything imports Numba) runs the kernels in Numba's simulator, and
`compile_kernel` makes machine code for a GPU elsewhere.
"""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numba import config, cuda

from tacit.core.chance import RNG_WORDS
from tacit.core.game import Game
from tacit.core.workspace import ByteRows, Int, IntRows, Ints, States

BLOCK_SIZE = 128  # threads
CONSTANT_BYTES = 60 * 1024  # constant memory has 64 KiB


class Workspace(NamedTuple):
    """The arrays of n matches, a row each; `states` hold blank ones before a kernel runs."""

    states: States
    rngs: IntRows
    masks: IntRows
    weights: IntRows
    outs: ByteRows  # observations
    results: Ints


def kernels_of(game: Game) -> dict[str, Any]:
    """Kernels that play match i from seed first + i into states[i], by name.

    `played` leaves the number of decisions in results[i]; `observed` too, and writes the deciding seat's observation
    before each decision; `traced` leaves a hash of all steps.
    """
    rules = game.build("cuda")
    seed, random_match = rules.seed_match, rules.random_match
    observed_match, traced_match = rules.observed_match, rules.traced_match

    def played(first: Int, w: Workspace) -> None:
        i = cuda.grid(1)
        if i < w.results.shape[0]:
            seed(w.rngs[i], first + i)
            w.results[i] = random_match(w.states[i], w.rngs[i], w.masks[i], w.weights[i])

    def observed(first: Int, w: Workspace) -> None:
        i = cuda.grid(1)
        if i < w.results.shape[0]:
            seed(w.rngs[i], first + i)
            w.results[i] = observed_match(w.states[i], w.rngs[i], w.masks[i], w.weights[i], w.outs[i])

    def traced(first: Int, w: Workspace) -> None:
        i = cuda.grid(1)
        if i < w.results.shape[0]:
            seed(w.rngs[i], first + i)
            w.results[i] = traced_match(w.states[i], w.rngs[i], w.masks[i], w.weights[i], w.outs[i])

    return {"played": played, "observed": observed, "traced": traced}


def play_traced(game: Game, blank: Any, first: int, n: int) -> tuple[Any, Any]:
    """(states, traces) of n matches played on the GPU, or in the simulator."""
    w = Workspace(
        states=np.repeat(blank, n),
        rngs=np.zeros((n, RNG_WORDS), np.int64),
        masks=np.zeros((n, game.words), np.int64),
        weights=np.zeros((n, game.outcomes), np.int64),
        outs=np.zeros((n, game.observation), np.int8),
        results=np.zeros(n, np.int64),
    )
    kernel = cuda.jit(kernels_of(game)["traced"])
    if config.ENABLE_CUDASIM:
        # The simulator would do arithmetic on NumPy scalars, which do not widen as compiled integers do.
        plain = [game.State().load(blank[0]) for _ in range(n)]
        kernel[1, n](first, w._replace(states=plain))
        for state, record in zip(plain, w.states, strict=True):
            state.store(record)
        return w.states, w.results
    on_gpu = Workspace(*(cuda.to_device(array) for array in w))
    kernel[(n + BLOCK_SIZE - 1) // BLOCK_SIZE, BLOCK_SIZE](first, on_gpu)
    return on_gpu.states.copy_to_host(), on_gpu.results.copy_to_host()


def compiler_version() -> tuple[int, int]:
    """The version of CUDA that `compile_kernel` links with."""
    from cuda.bindings import nvjitlink

    major, minor = nvjitlink.version()
    return major, minor


def compile_kernel(
    kernel: Any, signature: Any, capability: tuple[int, int], block: int | None = None
) -> tuple[bytes, str]:
    """(cubin, entry): a kernel's machine code for GPUs of this compute capability, and the name of its function.

    With `block`, it can be launched with so many threads in a block: it uses no more registers than they can have.

    Numba makes PTX of the newest version that the installed NVVM knows, which an older driver refuses to read. So
    nvJitLink, which comes with NVVM, assembles it here: drivers load the machine code of every CUDA of their major
    version. Needs neither a GPU nor a driver. Raises RuntimeError with nvJitLink's message if it fails.
    """
    import numba.cuda.dispatcher as dispatcher

    asked = dispatcher.get_current_device  # Numba asks the GPU for its compute capability even when it is given
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    try:
        made, _ = cuda.compile(
            kernel, signature, cc=capability, device=False, abi="numba", output="ptx", launch_bounds=block
        )
    finally:
        dispatcher.get_current_device = asked
    ptx = made.decode() if isinstance(made, bytes) else made
    return link_ptx(ptx, capability), ptx.split(".visible .entry ", 1)[1].split("(", 1)[0].strip()


def _constant_bytes(ptx: str) -> int:
    """How much constant memory the arrays of PTX need."""
    return sum(int(size) for size in re.findall(r"\.const \.align \d+ \.b8 \S+\[(\d+)\]", ptx))


def _in_global_memory(ptx: str) -> str:
    """The same PTX with its constants in global memory, where there is room for all of them."""
    for space in (".{} .align", "cvta.{}", "ld.{}"):
        ptx = ptx.replace(space.format("const"), space.format("global"))
    return ptx


def link_ptx(ptx: str, capability: tuple[int, int]) -> bytes:
    """The machine code (cubin) of PTX for GPUs of this compute capability."""
    from cuda.bindings import nvjitlink

    major, minor = capability
    data = (_in_global_memory(ptx) if _constant_bytes(ptx) > CONSTANT_BYTES else ptx).encode()
    options = [f"-arch=sm_{major}{minor}"]
    linker = nvjitlink.create(len(options), options)
    try:
        nvjitlink.add_data(linker, nvjitlink.InputType.PTX, data, len(data), "kernel")
        nvjitlink.complete(linker)
        cubin = bytearray(nvjitlink.get_linked_cubin_size(linker))
        nvjitlink.get_linked_cubin(linker, cubin)
    except nvjitlink.nvJitLinkError as error:
        log = bytearray(nvjitlink.get_error_log_size(linker))
        nvjitlink.get_error_log(linker, log)
        said = bytes(log).decode(errors="replace").strip("\0\n").partition("\n")[0]
        version = ".".join(map(str, nvjitlink.version()))
        raise RuntimeError(
            f"nvJitLink {version} cannot assemble the kernels that NVVM made; both must be of one CUDA "
            f"(pip install --upgrade 'tacit-games[gpu]'): {said or error}"
        ) from error
    finally:
        nvjitlink.destroy(linker)
    return bytes(cubin)
