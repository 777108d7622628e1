"""A batch's arrays as tensors of PyTorch and JAX, without a copy."""

from __future__ import annotations

import numpy as np

from tacit.research import Batch
from tacit.research.dlpack import NAMES, jax_views, torch_views


def test_torch_sees_what_each_step_writes() -> None:
    batch = Batch("toy", 96, 3, seed=2)
    views = torch_views(batch)
    assert tuple(views) == NAMES
    for _ in range(7):
        batch.step(batch.random())
        for name, view in views.items():
            assert view.data_ptr() == getattr(batch, name).ctypes.data
            assert np.array_equal(view.numpy(), getattr(batch, name))


def test_jax_sees_what_each_step_writes() -> None:
    import jax

    batch = Batch("toy", 96, 3, seed=2)
    views = jax_views(batch)
    assert set(views) == set(NAMES) - {"seat"}
    for _ in range(7):
        batch.step(batch.random())
        for name, view in views.items():
            assert view.unsafe_buffer_pointer() == getattr(batch, name).ctypes.data
            assert np.array_equal(np.asarray(view), getattr(batch, name))
    with jax.enable_x64(True):
        assert np.array_equal(np.asarray(jax_views(batch)["seat"]), batch.seat)
