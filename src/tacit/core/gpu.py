"""Whole matches on a GPU, one thread a match: the same rules and driver, built for CUDA.

Without a GPU, `NUMBA_ENABLE_CUDASIM=1` (set before anything imports Numba) runs the same kernel in Numba's simulator,
and `compile_kernel` makes machine code for one that is elsewhere.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from numba import config, cuda

from tacit.core.chance import RNG_WORDS
from tacit.core.game import Game

THREADS = 128  # in a block


def traced_kernel(game: Game) -> Any:
    """A kernel that plays match i from seed first + i into states[i] and leaves its trace in traces[i]."""
    rules = game.build("cuda")
    seed, traced_match = rules.seed_match, rules.traced_match

    def kernel(states: Any, first: int, rngs: Any, masks: Any, weights: Any, outs: Any, traces: Any) -> None:
        i = cuda.grid(1)
        if i < states.shape[0]:
            seed(rngs[i], first + i)
            traces[i] = traced_match(states[i], rngs[i], masks[i], weights[i], outs[i])

    return kernel


def played_kernel(game: Game) -> Any:
    """The same without trace or observation; the number of decisions is left in counts[i]."""
    rules = game.build("cuda")
    seed, random_match = rules.seed_match, rules.random_match

    def kernel(states: Any, first: int, rngs: Any, masks: Any, weights: Any, counts: Any) -> None:
        i = cuda.grid(1)
        if i < states.shape[0]:
            seed(rngs[i], first + i)
            counts[i] = random_match(states[i], rngs[i], masks[i], weights[i])

    return kernel


def observed_kernel(game: Game) -> Any:
    """The same with the deciding seat's observation before each decision."""
    rules = game.build("cuda")
    seed, observed_match = rules.seed_match, rules.observed_match

    def kernel(states: Any, first: int, rngs: Any, masks: Any, weights: Any, outs: Any, counts: Any) -> None:
        i = cuda.grid(1)
        if i < states.shape[0]:
            seed(rngs[i], first + i)
            counts[i] = observed_match(states[i], rngs[i], masks[i], weights[i], outs[i])

    return kernel


def traced_arrays(game: Game, blank: Any, n: int) -> tuple[Any, ...]:
    """(states, rngs, masks, weights, outs, traces) for n matches that begin from a blank state."""
    return (
        np.repeat(blank, n),
        np.zeros((n, RNG_WORDS), np.int64),
        np.zeros((n, game.words), np.int64),
        np.zeros((n, game.outcomes), np.int64),
        np.zeros((n, game.observation), np.int8),
        np.zeros(n, np.int64),
    )


def play_traced(game: Game, blank: Any, first: int, n: int) -> tuple[Any, Any]:
    """(states, traces) of n matches played on the GPU, or in the simulator."""
    states, *rest = traced_arrays(game, blank, n)
    kernel = cuda.jit(traced_kernel(game))
    if config.ENABLE_CUDASIM:
        # The simulator would do arithmetic on NumPy scalars, which do not widen as compiled integers do.
        plain = [game.State().load(blank[0]) for _ in range(n)]
        kernel[1, n](_Row(plain), first, *rest)
        for state, record in zip(plain, states, strict=True):
            state.store(record)
        return states, rest[4]
    on_gpu = [cuda.to_device(array) for array in (states, *rest)]
    kernel[(n + THREADS - 1) // THREADS, THREADS](on_gpu[0], first, *on_gpu[1:])
    return on_gpu[0].copy_to_host(), on_gpu[5].copy_to_host()


def compiler_version() -> tuple[int, int]:
    """The version of CUDA that `compile_kernel` links with."""
    from cuda.bindings import nvjitlink

    major, minor = nvjitlink.version()
    return major, minor


def compile_kernel(kernel: Any, signature: Any, capability: tuple[int, int]) -> tuple[bytes, str]:
    """(cubin, entry): a kernel's machine code for GPUs of this compute capability, and the name of its function.

    Numba makes PTX of the newest version that the installed NVVM knows, which an older driver refuses to read. So
    nvJitLink, which comes with NVVM, assembles it here: drivers load machine code of every CUDA with their own major
    version. Neither a GPU nor a driver is needed. Raises RuntimeError with what nvJitLink says where it cannot.
    """
    import numba.cuda.dispatcher as dispatcher

    asked = dispatcher.get_current_device  # Numba asks the GPU what it is, even when told
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    try:
        made, _ = cuda.compile(kernel, signature, cc=capability, device=False, abi="numba", output="ptx")
    finally:
        dispatcher.get_current_device = asked
    ptx = made.decode() if isinstance(made, bytes) else made
    return link_ptx(ptx, capability), ptx.split(".visible .entry ", 1)[1].split("(", 1)[0].strip()


def link_ptx(ptx: str, capability: tuple[int, int]) -> bytes:
    """The machine code (cubin) of PTX for GPUs of this compute capability."""
    from cuda.bindings import nvjitlink

    data, major, minor = ptx.encode(), *capability
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


class _Row(list[Any]):
    """Plain states where the kernel expects an array."""

    @property
    def shape(self) -> tuple[int]:
        return (len(self),)
