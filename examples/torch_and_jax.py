"""A batch's arrays as PyTorch and JAX tensors that share its memory.

python examples/torch_and_jax.py
"""

from __future__ import annotations

from tacit.research import Batch
from tacit.research.dlpack import jax_views, torch_views

batch = Batch("silencio", n=256, seats=3, seed=1)
tensors = torch_views(batch)
arrays = jax_views(batch)
for _ in range(20):
    batch.step(batch.random())
    # Both see what the step just wrote: there is one copy of it.
    assert tensors["observation"].sum() == int(batch.observation.sum())
    assert int(arrays["observation"].astype("int32").sum()) == int(batch.observation.sum())
print({name: tuple(tensor.shape) for name, tensor in tensors.items()})
