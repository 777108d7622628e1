"""The networks that are trained: a policy, which is exported, and a critic, which stays in training."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

MATRICES = ("a.weight", "b.weight", "i.weight")  # hidden: Muon trains them


class Block(nn.Module):  # type: ignore[misc]
    """x + b(relu(a(norm(x)))); the identity before training."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.n = nn.LayerNorm(width)
        self.a = nn.Linear(width, width)
        self.b = nn.Linear(width, width)
        nn.init.zeros_(self.b.weight)
        nn.init.zeros_(self.b.bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.b(functional.relu(self.a(self.n(x))))


class ResidualNet(nn.Module):  # type: ignore[misc]
    """Cells and the tokens of what was heard in, `outputs` numbers out. `quantize` reads its parameters by name."""

    def __init__(
        self, cells: int, vocabulary: int, outputs: int, history: int, embedding: int, width: int, blocks: int
    ) -> None:
        super().__init__()
        self.e = nn.Embedding(vocabulary, embedding, padding_idx=0)
        self.i = nn.Linear(cells + history * embedding, width)
        self.r = nn.ModuleList(Block(width) for _ in range(blocks))
        self.n = nn.LayerNorm(width)
        self.o = nn.Linear(width, outputs)
        nn.init.normal_(self.e.weight, std=0.3)
        with torch.no_grad():
            self.e.weight[:1].zero_()
        nn.init.zeros_(self.o.weight)

    def forward(self, cells: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
        x = torch.cat([cells, self.e(tokens.int()).flatten(1).to(cells.dtype)], 1)
        x = functional.relu(self.i(x))
        for block in self.r:
            x = block(x)
        return self.o(self.n(x))


def optimizers(nets: list[nn.Module], rate: float, muon_rate: float, fused: bool) -> list[torch.optim.Optimizer]:
    """Adam; and, with a `muon_rate`, Muon (Jordan et al., 2024) for hidden matrices."""
    named = [pair for net in nets for pair in net.named_parameters()]
    hidden = [p for name, p in named if muon_rate and name.endswith(MATRICES)]
    others = [p for name, p in named if not (muon_rate and name.endswith(MATRICES))]
    found: list[torch.optim.Optimizer] = [torch.optim.AdamW(others, lr=rate, eps=1e-5, weight_decay=0.0, fused=fused)]
    if hidden:
        found.append(torch.optim.Muon(hidden, lr=muon_rate, weight_decay=0.0, momentum=0.95))
    return found
