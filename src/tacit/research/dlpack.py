"""A batch's arrays as tensors of PyTorch or JAX, without a copy (DLPack): they show what the next step writes.

Take them once and read them after each step. JAX takes its arrays for constant and computes when it likes: wait for
what is computed from them (`block_until_ready`) before the next step.
"""

from __future__ import annotations

from typing import Any

from tacit.research.batch import Batch

NAMES = ("observation", "mask", "reward", "done", "seat")


def _names(batch: Batch) -> tuple[str, ...]:
    return (*NAMES, "history") if batch.history.size else NAMES


def torch_views(batch: Batch) -> dict[str, Any]:
    """observation, mask, reward, done, seat and (if kept) history as PyTorch tensors on the batch's device."""
    import torch

    return {name: torch.from_dlpack(getattr(batch, name)) for name in _names(batch)}


def jax_views(batch: Batch) -> dict[str, Any]:
    """observation, mask, reward, done, seat and (if kept) history as JAX arrays on the batch's device.

    Where JAX has no 64-bit numbers (its default), `seat` is left out.
    """
    import jax

    found = {}
    for name in _names(batch):
        array = getattr(batch, name)
        if array.dtype.itemsize == 8 and not jax.config.jax_enable_x64:
            continue
        found[name] = jax.dlpack.from_dlpack(array, copy=False)
    return found
