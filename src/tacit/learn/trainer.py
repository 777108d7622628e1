"""Proximal policy optimization (Schulman et al., 2017) in self-play: one network on every seat.

A critic expects every seat's return, clockwise from the one that decides; co-operative games have one return for all.
Advantages are generalised (GAE) along the decisions of a match, whoever makes them, for each seat.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import torch
from torch.nn import functional

from tacit.bots.network.network_file import vocabulary
from tacit.core.registry import game_named
from tacit.learn.config import Config
from tacit.learn.export import Exported, cell_scales, export_network
from tacit.learn.model import ResidualNet, optimizers
from tacit.learn.self_play import HAS_HISTORY, SelfPlay, returns, shares

WARM_UP = 20  # updates in which the learning rate rises
END = 0.05  # of the learning rate, at the end of the run
EVALUATION_SEED = 1 << 50  # of deals that no run learns from


@dataclass
class Progress:
    """How far a run is."""

    seconds: float
    updates: int
    decisions: int
    scores: dict[int, float]  # by number of seats, the mean score of the matches that ended since the last report
    entropy: float

    @property
    def rate(self) -> float:
        """Decisions a second, playing and learning."""
        return self.decisions / max(self.seconds, 1e-9)


class Trainer:
    """One run: its networks, its matches, and how far it is."""

    def __init__(self, config: Config) -> None:
        self.game = game_named(config.game)
        config = config.check(self.game)
        if not HAS_HISTORY:
            config = msgspec.structs.replace(config, history=0, embedding=0)
        self.config = config
        torch.manual_seed(config.seed)
        game, words = self.game, vocabulary(self.game)
        sizes = {
            "history": config.history,
            "embedding": config.embedding,
            "width": config.width,
            "blocks": config.blocks,
        }
        self.values = 1 if game.cooperative else game.max_seats
        self.policy = ResidualNet(game.observation, words, game.actions, **sizes).to(config.device)
        self.critic = ResidualNet(game.observation, words, self.values, **sizes).to(config.device)
        self.nets: list[torch.nn.Module] = [self.policy, self.critic]
        self.optimizers = optimizers(self.nets, config.rate, config.muon_rate)
        self.average = {name: value.detach().clone() for name, value in self.policy.state_dict().items()}
        self.scales = torch.tensor(cell_scales(game), dtype=torch.float32, device=config.device)
        self.updates = self.decisions = 0
        self.seconds = 0.0
        self.curve: list[dict[str, Any]] = []
        self._sit_down()

    def _sit_down(self) -> None:
        """Begin matches; a run that goes on begins others than it has played."""
        config = self.config
        seed = (config.seed << 40) + (self.updates << 20)
        parts = shares(config.matches, len(config.seats))
        self.tables = [
            SelfPlay(self.game, seats, n, config.history, config.device, seed + (k << 36))
            for k, (seats, n) in enumerate(zip(config.seats, parts, strict=True))
        ]

    # -------------------------------------------------------------- networks
    def logits(self, seen: dict[str, torch.Tensor]) -> torch.Tensor:
        """The policy's logits, those of illegal decisions far below."""
        found = self.policy(seen["cells"] * self.scales, seen["tokens"])
        return found.masked_fill(~seen["mask"].bool(), -1e9)  # type: ignore[no-any-return]

    def expected(self, seen: dict[str, torch.Tensor]) -> torch.Tensor:
        """The critic's returns, clockwise from the deciding seat: (n, values)."""
        return self.critic(seen["cells"] * self.scales, seen["tokens"])  # type: ignore[no-any-return]

    # -------------------------------------------------------------- the run
    def run(self, seconds: float, report: Callable[[Progress], None] = lambda _: None, every: float = 5.0) -> None:
        """Learn for so long (or to the configured number of updates); `report` hears how it goes.

        A run by updates is the same each time on the same kind of machine; one by the clock is not.
        """
        began, before = time.monotonic(), self.seconds
        last, totals = began, {seats: [0.0, 0.0] for seats in self.config.seats}
        while True:
            self.seconds = before + time.monotonic() - began
            updates = self.config.updates
            part = self.updates / updates if updates else (self.seconds - before) / seconds
            if part >= 1:
                break
            entropy = self._update(part, totals)
            if time.monotonic() - last >= every:
                last = time.monotonic()
                self._report(report, totals, entropy)
        self._report(report, totals, 0.0)

    def _report(self, report: Callable[[Progress], None], totals: dict[int, list[float]], entropy: float) -> None:
        scores = {seats: total / ended for seats, (total, ended) in totals.items() if ended}
        for pair in totals.values():
            pair[:] = [0.0, 0.0]
        progress = Progress(self.seconds, self.updates, self.decisions, scores, entropy)
        if scores:
            self.curve.append({
                "seconds": round(self.seconds, 1), "decisions": self.decisions,
                "scores": {str(seats): round(score, 4) for seats, score in scores.items()},
            })  # fmt: skip
        report(progress)

    def _update(self, part: float, totals: dict[int, list[float]]) -> float:
        rate = min(1.0, (self.updates + 1) / WARM_UP) * (1 - (1 - END) * part)
        for optimizer, base in zip(self.optimizers, (self.config.rate, self.config.muon_rate), strict=True):
            for group in optimizer.param_groups:
                group["lr"] = base * rate
        with torch.no_grad():
            played = [self._play(table, totals) for table in self.tables]
        data = {name: torch.cat([part[name] for part in played]) for name in played[0]}
        entropy = self._learn(data, self.config.entropy * (1 - 0.9 * part))
        with torch.no_grad():
            for name, value in self.policy.state_dict().items():
                self.average[name].lerp_(value, 1 - self.config.average)
        self.updates += 1
        self.decisions += len(data["action"])
        return entropy

    def _play(self, table: SelfPlay, totals: dict[int, list[float]]) -> dict[str, torch.Tensor]:
        """Some decisions of every match of a table, with advantages and returns."""
        rows: list[dict[str, torch.Tensor]] = []
        rewards, ends = [], []
        for _ in range(self.config.steps):
            seen = table.look()
            log = functional.log_softmax(self.logits(seen), 1)
            action = torch.multinomial(log.exp(), 1).squeeze(1)
            value = self._by_seat(self.expected(seen), seen["seat"], table.seats)
            scores, done = table.step(action)
            reward = returns(self.game, table.seats, scores, self.config.bonus)[:, : value.shape[1]]
            rewards.append(torch.where(done[:, None], reward, 0.0))
            ends.append(done)
            rows.append(seen | {"action": action, "log": log.gather(1, action[:, None]).squeeze(1), "value": value})
            totals[table.seats][0] += float(scores[done].sum()) / table.seats
            totals[table.seats][1] += float(done.sum())
        seen = table.look()
        following = self._by_seat(self.expected(seen), seen["seat"], table.seats)
        advantage = torch.zeros_like(following)
        for row, reward, done in zip(reversed(rows), reversed(rewards), reversed(ends), strict=True):
            goes_on = (~done).float()[:, None]
            surprise = reward + goes_on * following - row["value"]
            advantage = surprise + self.config.gae_lambda * goes_on * advantage
            following = row["value"]
            row["return"] = self._from_seat(advantage + row["value"], row["seat"], table.seats)
            own = advantage if self.values == 1 else advantage.gather(1, row["seat"][:, None])
            row["advantage"] = own.squeeze(1)
        names = ("cells", "tokens", "mask", "action", "log", "advantage", "return")
        return {name: torch.cat([row[name] for row in rows]) for name in names}

    def _by_seat(self, values: torch.Tensor, seat: torch.Tensor, seats: int) -> torch.Tensor:
        """From clockwise order to seats 0, 1, …: (n, seats), or (n, 1) for a common return."""
        if self.values == 1:
            return values
        order = (torch.arange(seats, device=values.device) - seat[:, None]) % seats
        return values.gather(1, order)

    def _from_seat(self, values: torch.Tensor, seat: torch.Tensor, seats: int) -> torch.Tensor:
        """The way back, NaN for seats that nobody has: (n, values)."""
        if self.values == 1:
            return values
        order = (torch.arange(seats, device=values.device) + seat[:, None]) % seats
        empty = torch.full((len(values), self.values - seats), float("nan"), device=values.device)
        return torch.cat([values.gather(1, order), empty], 1)

    def _learn(self, data: dict[str, torch.Tensor], bonus: float) -> float:
        """PPO's epochs over what was played; the mean entropy."""
        config = self.config
        advantage = data["advantage"]
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        parameters = [p for net in self.nets for p in net.parameters()]
        entropies = []
        for _ in range(config.epochs):
            for part in torch.randperm(len(advantage), device=advantage.device).split(config.minibatch):
                seen = {name: data[name][part] for name in ("cells", "tokens", "mask")}
                logs = functional.log_softmax(self.logits(seen), 1)
                ratio = (logs.gather(1, data["action"][part][:, None]).squeeze(1) - data["log"][part]).exp()
                gain = torch.min(
                    ratio * advantage[part], ratio.clamp(1 - config.clip, 1 + config.clip) * advantage[part]
                )
                entropy = -(logs.exp() * logs.clamp(min=-30)).sum(1).mean()
                goal = data["return"][part]
                wrong = torch.where(goal.isnan(), 0.0, self.expected(seen) - goal.nan_to_num()).square().sum(1).mean()
                loss = 0.5 * wrong - gain.mean() - bonus * entropy
                for optimizer in self.optimizers:
                    optimizer.zero_grad(set_to_none=True)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(parameters, 0.5)
                for optimizer in self.optimizers:
                    optimizer.step()
                entropies.append(float(entropy.detach()))
        return sum(entropies) / len(entropies)

    # -------------------------------------------------------------- how strong
    def evaluate(self, deals: int = 512, random: bool = False) -> dict[int, float]:
        """The mean score of a seat on fresh deals, by number of seats: of the averaged policy, or of random play."""
        kept = {name: value.clone() for name, value in self.policy.state_dict().items()}
        self.policy.load_state_dict(self.average)
        found = {}
        with torch.no_grad():
            for seats in self.config.seats:
                table = SelfPlay(self.game, seats, deals, self.config.history, self.config.device, EVALUATION_SEED)
                open_deals = torch.ones(deals, dtype=torch.bool, device=self.config.device)
                total = 0.0
                while open_deals.any():
                    if random:
                        action = torch.from_dlpack(table.batch.random()).clone()
                    else:
                        action = self.logits(table.look()).argmax(1)
                    scores, done = table.step(action)
                    total += float(scores[done & open_deals].sum()) / seats
                    open_deals &= ~done
                found[seats] = total / deals
        self.policy.load_state_dict(kept)
        return found

    # -------------------------------------------------------------- files
    def save(self, path: Path) -> None:
        """Write a checkpoint: everything that `resume` needs."""
        fresh = path.with_suffix(".new")
        torch.save(
            {
                "config": msgspec.json.encode(self.config).decode(),
                "policy": self.policy.state_dict(),
                "critic": self.critic.state_dict(),
                "average": self.average,
                "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
                "random": torch.get_rng_state(),
                "done": json.dumps([self.updates, self.decisions, self.seconds, self.curve]),
            },
            fresh,
        )
        fresh.replace(path)

    @staticmethod
    def resume(path: Path, **changes: Any) -> Trainer:
        """The run of a checkpoint, with some of its configuration changed; its matches begin anew."""
        try:
            kept = torch.load(path, map_location="cpu", weights_only=True)
            config = msgspec.json.decode(kept["config"], type=Config)
            trainer = Trainer(msgspec.structs.replace(config, **changes))
            trainer.policy.load_state_dict(kept["policy"])
            trainer.critic.load_state_dict(kept["critic"])
            for name, value in kept["average"].items():
                trainer.average[name].copy_(value)
            for optimizer, state in zip(trainer.optimizers, kept["optimizers"], strict=True):
                optimizer.load_state_dict(state)
            torch.set_rng_state(kept["random"])
            trainer.updates, trainer.decisions, trainer.seconds, trainer.curve = json.loads(kept["done"])
        except OSError as error:
            raise ValueError(f"The checkpoint {path} cannot be read: {error.strerror or error}.") from error
        except Exception as error:  # whatever a damaged file makes of itself
            raise ValueError(f"The checkpoint {path} cannot be used: {error}") from error
        trainer._sit_down()
        return trainer

    def export(self, path: Path, matches: int = 16) -> Exported:
        """Write the network's file, for bots, from the averaged weights."""
        state = {name: value.cpu().numpy() for name, value in self.average.items()}
        training = {"seconds": round(self.seconds, 1), "decisions": self.decisions, "updates": self.updates}
        training["config"] = msgspec.to_builtins(self.config)
        return export_network(
            state, self.game, path, seats=self.config.seats, matches=matches, training=training
        )  # fmt: skip
