"""PyTorch in one thread: the tests' own processes use all cores already."""

from __future__ import annotations

import torch

torch.set_num_threads(1)
