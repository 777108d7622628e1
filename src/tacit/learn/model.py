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
    """Cells and the tokens of what was heard in, `outputs` numbers out. `quantize` reads its parameters by name.

    Without a vocabulary it has no embedding of its own, and is given one.
    """

    def __init__(
        self, cells: int, vocabulary: int, outputs: int, history: int, embedding: int, width: int, blocks: int
    ) -> None:
        super().__init__()
        self.i = nn.Linear(cells + history * embedding, width)
        self.r = nn.ModuleList(Block(width) for _ in range(blocks))
        self.n = nn.LayerNorm(width)
        self.o = nn.Linear(width, outputs)
        nn.init.zeros_(self.o.weight)
        if vocabulary:
            self.e = nn.Embedding(vocabulary, embedding, padding_idx=0)
            nn.init.normal_(self.e.weight, std=0.3)
            with torch.no_grad():
                self.e.weight[:1].zero_()

    def forward(self, cells: torch.Tensor, tokens: torch.Tensor, table: torch.Tensor | None = None) -> torch.Tensor:
        return self.o(self.features(cells, tokens, table))

    def features(self, cells: torch.Tensor, tokens: torch.Tensor, table: torch.Tensor | None = None) -> torch.Tensor:
        """What the last layer reads."""
        heard = functional.embedding(tokens.int(), self.e.weight if table is None else table, padding_idx=0)
        x = torch.cat([cells, heard.flatten(1).to(cells.dtype)], 1)
        x = functional.relu(self.i(x))
        for block in self.r:
            x = block(x)
        return self.n(x)


def optimizers(nets: list[nn.Module], rate: float, muon_rate: float, fused: bool) -> list[torch.optim.Optimizer]:
    """Adam; and, with a `muon_rate`, Muon for hidden matrices."""
    named = [pair for net in nets for pair in net.named_parameters()]
    hidden = [p for name, p in named if muon_rate and name.endswith(MATRICES)]
    others = [p for name, p in named if not (muon_rate and name.endswith(MATRICES))]
    found: list[torch.optim.Optimizer] = [torch.optim.AdamW(others, lr=rate, eps=1e-5, weight_decay=0.0, fused=fused)]
    if hidden:
        found.append(Muon(hidden, lr=muon_rate))
    return found


class Muon(torch.optim.Optimizer):  # type: ignore[misc]
    """Muon (Jordan et al., 2024) as in `torch.optim`, without weight decay, for matrices of the same shape at once.

    PyTorch's own works matrix by matrix: starting its kernels took a quarter of a training run's time.
    """

    def __init__(self, params: list[nn.Parameter], lr: float, momentum: float = 0.95) -> None:
        super().__init__(params, {"lr": lr, "momentum": momentum})

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def step(self, closure: None = None) -> None:
        """Move every matrix by the nearest orthogonal matrix to its momentum, scaled by its shape."""
        for group in self.param_groups:
            alike: dict[torch.Size, list[torch.Tensor]] = {}
            for p in (p for p in group["params"] if p.grad is not None):
                alike.setdefault(p.shape, []).append(p)
            for (rows, columns), params in alike.items():
                grads = [p.grad for p in params]
                for p in params:
                    self.state[p].setdefault("momentum", torch.zeros_like(p))
                kept = [self.state[p]["momentum"] for p in params]
                torch._foreach_lerp_(kept, grads, 1 - group["momentum"])
                ahead = torch._foreach_lerp(grads, kept, group["momentum"])
                moved = orthogonal(torch.stack(ahead)).to(params[0].dtype)
                torch._foreach_add_(params, list(moved), alpha=-group["lr"] * max(1.0, rows / columns) ** 0.5)


def orthogonal(matrices: torch.Tensor) -> torch.Tensor:
    """About the nearest orthogonal matrix to each of (k, rows, columns): five Newton-Schulz steps in half precision."""
    x = matrices.bfloat16()
    turned = x.shape[1] > x.shape[2]
    x = x.mT if turned else x
    x = x / x.norm(dim=(1, 2), keepdim=True).clamp(min=1e-7)
    for _ in range(5):
        square = x @ x.mT
        x = torch.baddbmm(x, torch.baddbmm(square, square, square, beta=-4.775, alpha=2.0315), x, beta=3.4445)
    return x.mT if turned else x
