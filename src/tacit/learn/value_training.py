"""A value network for a policy that stays as it is, trained on the matches that the policy plays.

It reads what the deciding seat knows, as the policy does, and expects every seat's return. A search judges positions by
it (`tacit.bots.master`): it tells decisions apart that differ by little, which the value head of a policy does not.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import torch

from tacit.bots.network.network_file import load_network
from tacit.core.registry import game_named
from tacit.learn.config import Config
from tacit.learn.export import ExportedValues, export_values
from tacit.learn.model import ResidualNet, optimizers
from tacit.learn.trainer import Trainer

FOR_EVER = 1 << 60  # updates in which the critic learns alone


class ValueTrainer(Trainer):
    """One run: a critic that sees all hands sets the goals (TD(lambda)), and the value network learns them beside it.

    Args:
        config: The run. Sizes of the policy are those of its file.
        policy: The file of the network that plays.
        width: Of the value network.
        blocks: Of the value network.
        kernels: A folder of kernels written beforehand.
    """

    def __init__(self, config: Config, policy: Path, width: int, blocks: int, kernels: Path | None = None) -> None:
        header, _ = load_network(policy, game_named(config.game))
        super().__init__(
            msgspec.structs.replace(
                config, critic_first=FOR_EVER, width=header.width, blocks=header.blocks, history=header.history,
                embedding=header.embedding,
            ),
            kernels,
        )  # fmt: skip
        config, game = self.config, self.game
        self.start_from_file(policy)
        self.value = ResidualNet(
            game.observation, 0, self.values, config.history, config.embedding, width, blocks
        ).to(config.device)  # fmt: skip
        self.nets = [self.critic, self.value]
        self.optimizers = optimizers(self.nets, config.rate, config.muon_rate, fused=config.device == "cuda")
        self.average = {name: part.detach().clone() for name, part in self.value.state_dict().items()}

    def told(self, cells: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
        """The value network's returns, clockwise from the deciding seat: (n, values)."""
        with self._mixed():
            return self.value(self._scaled(cells), tokens, self.policy.e.weight.detach()).float()

    def _critic_loss(
        self, cells: torch.Tensor, tokens: torch.Tensor, hidden: torch.Tensor, seats: torch.Tensor, goal: torch.Tensor
    ) -> torch.Tensor:
        critic = super()._critic_loss(cells, tokens, hidden, seats, goal)
        return critic + self._squared(self.told(cells, tokens), seats, goal)

    def _update(self, part: float) -> torch.Tensor:
        entropy = super()._update(part)
        with torch.no_grad():
            now = self.value.state_dict()
            torch._foreach_lerp_(
                list(self.average.values()), [now[name] for name in self.average], 1 - self.config.average
            )
        return entropy

    def errors(self) -> dict[int, dict[str, float]]:
        """By number of seats, root mean squares over fresh decisions of the policy: how far 0, the critic, the
        value network and the policy's own value head are from the goals, and the value network from the critic."""
        play = self.play
        learned = {name: part.clone() for name, part in self.value.state_dict().items()}
        self.value.load_state_dict(self.average)
        found = {}
        with torch.no_grad():
            self._collect()
            _, goals = self._judge()
            for seats in self.config.seats:
                at = (play.seats == seats).nonzero().squeeze(1)
                names = ("nothing", "critic", "value", "head", "value to critic")
                far: dict[str, list[torch.Tensor]] = {name: [] for name in names}
                for t in range(self.config.steps):
                    cells, tokens, mask, hidden = (x[t, at] for x in (play.cells, play.tokens, play.masks, play.hidden))
                    mine = play.mine[t, at]
                    critic = self.expected(cells, tokens, hidden)[mine, 0]
                    value = self.told(cells, tokens)[mine, 0]
                    goal = goals[t, at][mine, 0]
                    head = self.judged(cells, tokens, mask, hidden)[1][mine, 0]
                    away = goal, critic - goal, value - goal, head - goal, value - critic
                    for name, part in zip(names, away, strict=True):
                        far[name].append(part)
                found[seats] = {
                    name: round(float(torch.cat(parts).square().mean().sqrt()), 4) for name, parts in far.items()
                }
        self.value.load_state_dict(learned)
        return found

    def state(self) -> dict[str, torch.Tensor]:
        """The averaged value network, with the embedding of the policy that it reads."""
        return self.average | {"e.weight": self.policy.e.weight.detach()}

    def go_on(self, value: dict[str, torch.Tensor], critic: dict[str, torch.Tensor]) -> None:
        """Take over a value network (`state`) and a critic that were trained before."""
        own = {name: part.float() for name, part in value.items() if name != "e.weight"}
        self.value.load_state_dict(own)
        self.critic.load_state_dict({name: part.float() for name, part in critic.items()})
        for name, part in self.value.state_dict().items():
            self.average[name].copy_(part)

    def export_values(self, path: Path, matches: int = 16) -> ExportedValues:
        """Write the value network's file."""
        training: dict[str, Any] = {"seconds": round(self.seconds, 1), "decisions": self.decisions}
        training["config"] = msgspec.to_builtins(self.config)
        state, policy = (
            {name: part.detach().cpu().numpy() for name, part in found.items()}
            for found in (self.state(), self.policy.state_dict())
        )
        return export_values(state, policy, self.game, path, seats=self.config.seats, matches=matches,
                             training=training)  # fmt: skip
