"""Proximal policy optimization (Schulman et al., 2017) in self-play: one network on every seat.

The critic sees all hands and expects every seat's return, clockwise from the seat that decides; co-operative games have
one return for all. Advantages are generalised (GAE) along the policy's decisions of a match, on whichever seat, for
each seat; what bots decide beside it is as chance is, and there neither network is asked.
The policy has a value head of its own, which sees what the seat knows: it helps to learn, and searches use it. With a
weight for `belief` it also learns to tell the hidden cards, which teaches it to read what others show. A policy that
was trained before can learn more of some numbers of seats while it is held to its own play with the others.
"""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import torch
from torch.nn import functional

from tacit.bots.network.network_file import load_network, vocabulary
from tacit.core.registry import game_named
from tacit.learn.config import Config
from tacit.learn.export import Exported, cell_scales, export_network
from tacit.learn.model import ResidualNet, optimizers
from tacit.learn.quantize import dequantize
from tacit.learn.self_play import SelfPlay, Table, bits, seat_order, secret_fields

WARM_UP = 20  # updates in which the learning rate rises
EVALUATION_SEED = 1 << 50  # of deals that no run learns from
ILLEGAL = -1e9  # logit of an illegal decision
SECRET_BITS = 63

Scores = dict[int, tuple[float, float]]  # by number of seats: mean score, and share of the best score or of draws


@dataclass
class Progress:
    """How far a run is."""

    seconds: float
    updates: int
    decisions: int
    scores: dict[int, float]  # by number of seats, the mean score of the matches that ended since the last report
    rate: float  # decisions a second since the last report, playing and learning
    entropy: float


class Trainer:
    """One run: its networks, its matches, and how far it is. `kernels` is a folder of kernels written beforehand."""

    def __init__(self, config: Config, kernels: Path | None = None) -> None:
        self.game = game_named(config.game)
        self.config = config = config.check(self.game)
        self.kernels = kernels
        self.bfloat16 = config.bfloat16 or config.device == "cuda"
        game, words, device = self.game, vocabulary(self.game), config.device
        self.generator = torch.Generator(device).manual_seed(config.seed)
        self.values = 1 if game.cooperative else game.max_seats
        secrets = SECRET_BITS * game.max_seats * len(secret_fields(game))
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed)
            heard = {"history": config.history, "embedding": config.embedding}
            self.policy = ResidualNet(
                game.observation + secrets * config.open_hands, words, game.actions + self.values, **heard,
                width=config.width, blocks=config.blocks,
            ).to(device)  # fmt: skip
            self.critic = ResidualNet(
                game.observation + secrets, 0, self.values, **heard, width=config.critic_width,
                blocks=config.critic_blocks,
            ).to(device)  # fmt: skip
            self.beliefs = (torch.nn.Linear(config.width, secrets) if config.belief else torch.nn.Identity()).to(device)
        self.reference: ResidualNet | None = None  # the policy that the run goes on from, where it holds to it
        self.held = torch.tensor([number in config.held_seats for number in range(game.max_seats + 1)], device=device)
        self.nets: list[torch.nn.Module] = [self.policy, self.critic, self.beliefs]
        self.optimizers = optimizers(self.nets, config.rate, config.muon_rate, fused=device == "cuda")
        self.average = {name: value.detach().clone() for name, value in self.policy.state_dict().items()}
        self.scales = torch.tensor(cell_scales(game), dtype=torch.float32, device=device)
        self.updates = self.decisions = 0
        self.seconds = 0.0
        self.curve: list[dict[str, Any]] = []
        faster: Any = torch.compile(dynamic=False) if device == "cuda" else lambda function: function
        self._sampled, self._expected, self._losses, self._critic_losses = map(
            faster, (self._sample, self.expected, self._loss, self._critic_loss)
        )
        self.play = self._begin()

    def _begin(self) -> SelfPlay:
        """Fresh matches; a run that is resumed begins others than it has played."""
        return SelfPlay(self.game, self.config, (self.config.seed << 44) + (self.updates << 28), self.kernels)

    # -------------------------------------------------------------- networks
    def judged(
        self, cells: torch.Tensor, tokens: torch.Tensor, mask: torch.Tensor, hidden: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The policy's logits, those of illegal decisions far below, and its own values.

        It reads what is hidden only where hands are open (`open_hands`).
        """
        return self._told(self.policy, self._features(self.policy, cells, tokens, hidden), mask)

    def _features(
        self, net: ResidualNet, cells: torch.Tensor, tokens: torch.Tensor, hidden: torch.Tensor
    ) -> torch.Tensor:
        with self._mixed():
            seen = self._with_hidden(cells, hidden) if self.config.open_hands else self._scaled(cells)
            return net.features(seen, tokens)

    def _with_hidden(self, cells: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
        seen = self._scaled(cells)
        return torch.cat([seen, bits(hidden, SECRET_BITS).to(seen.dtype)], 1)

    def _told(self, net: ResidualNet, features: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        with self._mixed():
            found = net.o(features).float()
        actions = self.game.actions
        return found[:, :actions].masked_fill(~mask, ILLEGAL), found[:, actions:]

    def expected(self, cells: torch.Tensor, tokens: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
        """The critic's returns, clockwise from the deciding seat: (n, values)."""
        with self._mixed():
            found = self.critic(self._with_hidden(cells, hidden), tokens, self.policy.e.weight.detach())
        return found.float()

    def _mixed(self) -> Any:
        return torch.autocast(self.config.device, dtype=torch.bfloat16, enabled=self.bfloat16)

    def _scaled(self, cells: torch.Tensor) -> torch.Tensor:
        scaled = cells * self.scales
        return scaled.bfloat16() if self.bfloat16 else scaled

    def _sample(
        self, cells: torch.Tensor, tokens: torch.Tensor, mask: torch.Tensor, hidden: torch.Tensor, noise: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """A decision drawn from the policy (by Gumbel's method, from uniform noise), and its log probability."""
        logits, _ = self.judged(cells, tokens, mask, hidden)
        action = (logits - torch.log(-torch.log(noise.clamp(1e-9, 1 - 1e-7)))).argmax(1)
        log = functional.log_softmax(logits, 1).gather(1, action[:, None]).squeeze(1)
        return action, log

    # -------------------------------------------------------------- the run
    def run(
        self,
        seconds: float,
        report: Callable[[Progress], None] = lambda _: None,
        every: float = 5.0,
        schedule: tuple[float, float] = (0.0, 1.0),
    ) -> None:
        """Learn for so many seconds (or to the configured number of updates); `report` is called as it goes.

        A run by updates is the same each time on the same kind of machine; one by the clock is not. `schedule` is the
        part of the learning rate's course that these seconds are.
        """
        if self.config.holds and self.reference is None:
            raise ValueError("held_seats and magnet hold to a policy that was trained before: start from its file.")
        began, before, last, counted = time.monotonic(), self.seconds, time.monotonic(), self.decisions
        while True:
            now = time.monotonic()
            self.seconds = before + now - began
            updates = self.config.updates
            part = self.updates / updates if updates else (now - began) / seconds
            if part >= 1:
                break
            entropy = self._update(part if updates else schedule[0] + part * (schedule[1] - schedule[0]))
            if time.monotonic() - last >= every:
                self._report(report, entropy, (self.decisions - counted) / (time.monotonic() - last))
                last, counted = time.monotonic(), self.decisions
        self._report(report, 0.0, (self.decisions - counted) / max(time.monotonic() - last, 1e-9))

    def _report(self, report: Callable[[Progress], None], entropy: torch.Tensor | float, rate: float) -> None:
        progress = Progress(
            self.seconds, self.updates, self.decisions, self.play.scores(), rate, round(float(entropy), 4)
        )
        if progress.scores:
            self.curve.append({
                "seconds": round(self.seconds, 1), "decisions": self.decisions,
                "scores": {str(seats): round(score, 4) for seats, score in progress.scores.items()},
            })  # fmt: skip
        report(progress)

    def _update(self, part: float) -> torch.Tensor:
        """Play some decisions of every match and learn from them; `part` of the run is done."""
        config = self.config
        begun = self.updates - config.critic_first  # with its own warm-up: the policy's optimizers know nothing yet
        rate = min(1.0, ((begun if begun >= 0 else self.updates) + 1) / WARM_UP) * (1 - (1 - config.last_rate) * part)
        for optimizer, base in zip(self.optimizers, (config.rate, config.muon_rate), strict=False):
            for group in optimizer.param_groups:
                group["lr"] = base * rate
        with torch.no_grad():
            self._collect()
            advantages, goals = self._judge()
        bonus = config.entropy + (config.last_entropy - config.entropy) * part
        gain = 0.0 if self.updates < config.critic_first + config.teacher_updates else 1.0
        taught = float(self.updates < config.teacher_updates)
        weights = torch.tensor([bonus, gain, taught], device=config.device)
        entropy = self._learn(advantages, goals, weights, still=not (gain or taught))
        if gain or taught:
            with torch.no_grad():
                now = self.policy.state_dict()
                torch._foreach_lerp_(
                    list(self.average.values()), [now[name] for name in self.average], 1 - config.average
                )
        self.updates += 1
        self.decisions += config.steps * config.matches
        return entropy

    def _collect(self) -> None:
        """Play the policy."""
        play, config = self.play, self.config
        for t in range(config.steps):
            play.look(t)
            rows = self._rows(t)
            seen = [part[t][rows] for part in (play.cells, play.tokens, play.masks, play.hidden)]
            noise = torch.rand((len(seen[0]), self.game.actions), generator=self.generator, device=config.device)
            play.actions[t][rows], play.logs[t][rows] = self._sampled(*seen, noise)
            play.step(t, play.teach(t) if self.updates < config.teacher_updates else play.actions[t])
        play.look(config.steps)

    def _rows(self, t: int) -> Any:
        """The matches in which the policy makes decision t; on a GPU, where one size is compiled, all of them."""
        if not self.config.bots or self.config.device == "cuda":
            return slice(None)
        return self.play.mine[t].nonzero().squeeze(1)

    def _judge(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Advantages of the policy's decisions (steps, n), and returns clockwise from who made them (steps, n, values).

        What bots decide between them is to it as chance is.
        """
        play, config, most = self.play, self.config, self.values
        advantages = torch.zeros_like(play.logs)
        goals = torch.zeros((config.steps, config.matches, most), device=config.device)
        following = self._value(config.steps, slice(None))
        gae = torch.zeros_like(following)
        for t in reversed(range(config.steps)):
            goes_on = (~play.done[t]).float()[:, None]
            following, gae = play.rewards[t] + goes_on * following, goes_on * gae
            rows, mine = self._rows(t), play.mine[t][:, None]
            value = following.clone()
            value[rows] = self._value(t, rows)
            gae = torch.where(mine, following - value + config.gae_lambda * gae, gae)
            following = torch.where(mine, value, following)
            if most == 1:
                advantages[t], goals[t] = gae[:, 0], gae + value
            else:
                advantages[t] = gae.gather(1, play.seat[t][:, None]).squeeze(1)
                goals[t] = (gae + value).gather(1, seat_order(play.seat[t], play.seats, most, back=True))
        return advantages, goals

    def _value(self, t: int, rows: Any) -> torch.Tensor:
        """What the critic expects for seats 0, 1, … before decision t in some matches: (rows, values); 0 for seats that
        are not there."""
        play = self.play
        found = self._expected(*(part[t][rows] for part in (play.cells, play.tokens, play.hidden)))
        if self.values == 1:
            return found
        seats = play.seats[rows]
        by_seat = found.gather(1, seat_order(play.seat[t][rows], seats, self.values))
        return by_seat * (torch.arange(self.values, device=found.device) < seats[:, None])

    def _squared(self, expected: torch.Tensor, seats: torch.Tensor, goal: torch.Tensor) -> torch.Tensor:
        """The squared error of expected returns, over the seats that are there."""
        there = torch.arange(self.values, device=goal.device) < seats[:, None]
        return torch.where(there, expected - goal, 0.0).square().sum(1).mean()

    def _critic_loss(
        self, cells: torch.Tensor, tokens: torch.Tensor, hidden: torch.Tensor, seats: torch.Tensor, goal: torch.Tensor
    ) -> torch.Tensor:
        return self._squared(self.expected(cells, tokens, hidden), seats, goal)

    def _loss(self, *data: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The loss of one minibatch, and the entropy; `weights`: of the entropy, of PPO's gain, of imitation."""
        cells, tokens, mask, hidden, seats, action, before, advantage, goal, weights = data
        config = self.config
        features = self._features(self.policy, cells, tokens, hidden)
        logits, own = self._told(self.policy, features, mask)
        logs = functional.log_softmax(logits, 1)
        made = logs.gather(1, action[:, None]).squeeze(1)
        ratio = (made - before).clamp(max=20).exp()
        gains = torch.min(ratio * advantage, ratio.clamp(1 - config.clip, 1 + config.clip) * advantage)
        entropies = -(logs.exp() * logs.clamp(min=-30)).sum(1)
        if config.held_seats:
            free = (~self.held[seats]).float()
            gain, entropy = ((each * free).sum() / free.sum().clamp(min=1) for each in (gains, entropies))
        else:
            gain, entropy = gains.mean(), entropies.mean()
        critic = self._critic_loss(cells, tokens, hidden, seats, goal)
        value = self._squared(own, seats, goal)
        policy = config.value_weight * value - gain - weights[0] * entropy
        if self.reference is not None:
            pull = torch.where(self.held[seats], config.hold, config.magnet)
            policy = policy + (pull * self._divergence(cells, tokens, mask, hidden, logs)).mean()
        taught = config.value_weight * value - made.clamp(min=-30).mean()
        loss = 0.5 * critic + weights[1] * policy + weights[2] * taught
        if config.belief:
            with self._mixed():
                believed = self.beliefs(features).float()
            truth = bits(hidden, SECRET_BITS).float()
            loss = loss + config.belief * functional.binary_cross_entropy_with_logits(believed, truth)
        return loss, entropy

    def _divergence(
        self, cells: torch.Tensor, tokens: torch.Tensor, mask: torch.Tensor, hidden: torch.Tensor, logs: torch.Tensor
    ) -> torch.Tensor:
        """How far the policy's log probabilities are from the reference's: Kullback and Leibler's, of each row."""
        assert self.reference is not None  # `run` asks
        with torch.no_grad():
            logits, _ = self._told(self.reference, self._features(self.reference, cells, tokens, hidden), mask)
            before = functional.log_softmax(logits, 1)
        return (before.exp() * (before - logs).clamp(-30, 30)).sum(1)

    def _learn(self, advantages: torch.Tensor, goals: torch.Tensor, weights: torch.Tensor, still: bool) -> torch.Tensor:
        """PPO's epochs over what was played; the entropy. While the policy stands `still`, the critic learns alone."""
        play, config = self.play, self.config
        steps = config.steps
        mine = play.mine[:steps].flatten().nonzero().squeeze(1) if config.bots else None
        known = advantages if mine is None else advantages.flatten()[mine]
        advantages = (advantages - known.mean()) / (known.std() + 1e-8)
        seats = play.seats.expand(steps, -1)
        rows = [
            part[:steps].flatten(0, 1)
            for part in (
                play.cells, play.tokens, play.masks, play.hidden, seats, play.actions, play.logs, advantages, goals
            )
        ]  # fmt: skip
        parameters = [p for net in self.nets for p in net.parameters()]
        entropy = weights[0]
        for _ in range(config.epochs):
            order = torch.randperm(len(known.flatten()), generator=self.generator, device=config.device)
            order = order if mine is None else mine[order]
            if len(order) > config.minibatch:  # minibatches of one size: another would be compiled anew
                order = order[: len(order) // config.minibatch * config.minibatch]
            for part in order.split(config.minibatch):
                now = [row[part] for row in rows]
                if still:
                    cells, tokens, _, hidden, numbers, _, _, _, goal = now
                    loss = 0.5 * self._critic_losses(cells, tokens, hidden, numbers, goal)
                else:
                    loss, entropy = self._losses(*now, weights)
                for optimizer in self.optimizers:
                    optimizer.zero_grad(set_to_none=True)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(parameters, 0.5)
                for optimizer in self.optimizers:
                    optimizer.step()
        return entropy.detach()

    # -------------------------------------------------------------- how strong
    def evaluate(self, deals: int = 512, random: bool = False, seed: int = EVALUATION_SEED, beside: str = "") -> Scores:
        """Greedy play of the averaged policy (or random play) on fresh deals, by number of seats: its seats' mean
        score, and how often that was the best of a co-operative game, or (in others) its first seat won. With `beside`
        it has one seat, by turns each, and the bot has the others."""
        kept = {name: value.clone() for name, value in self.policy.state_dict().items()}
        self.policy.load_state_dict(self.average)
        try:
            with torch.no_grad():
                return {seats: self._evaluate(seats, deals, random, seed, beside) for seats in self.config.seats}
        finally:
            self.policy.load_state_dict(kept)

    def _evaluate(self, seats: int, deals: int, random: bool, seed: int, beside: str) -> tuple[float, float]:
        config = msgspec.structs.replace(self.config, dense=False, teacher="", teacher_updates=0)
        table = Table(self.game, seats, deals, config, seed, self.kernels, beside)
        views, device = table.views, config.device
        own = (
            torch.arange(deals, device=device) % seats
            if beside
            else torch.zeros(deals, dtype=torch.int64, device=device)
        )
        if beside:
            table.learner = torch.arange(seats, device=device) == own[:, None]
        tokens = views.get("history", torch.zeros((deals, 0), dtype=torch.int32, device=device))
        hidden = torch.zeros((deals, self.play.hidden.shape[-1]), dtype=torch.int64, device=device)
        running = torch.ones(deals, dtype=torch.bool, device=device)
        total, best = torch.zeros((), device=device), torch.zeros((), device=device)
        high = self.game.module.score_range(seats)[1]
        while bool(running.any()):
            if random:
                action = torch.from_dlpack(table.batch.random()).clone()
            else:
                table.secrets(hidden)
                rows = (table.mine() & running).nonzero().squeeze(1)
                seen = [part[rows] for part in (views["observation"], tokens, views["mask"].bool(), hidden)]
                action = torch.zeros(deals, dtype=torch.int64, device=device)
                action[rows] = self.judged(*seen)[0].argmax(1)
            kept = table.learner
            table.step(action)
            table.learner = kept
            scores, ended = views["reward"], views["done"].bool() & running
            ours = scores.gather(1, own[:, None]) if beside else scores
            total += (ours.mean(1) * ended).sum()
            top = scores == scores.max(1, keepdim=True).values
            won = (top / top.sum(1, keepdim=True)).gather(1, own[:, None]).squeeze(1)
            best += ((scores[:, 0] == high if self.game.cooperative else won) * ended).sum()
            running &= ~ended
        return float(total) / deals, float(best) / deals

    # -------------------------------------------------------------- files
    def save(self, path: Path) -> None:
        """Write a checkpoint: everything that `resume` needs."""
        fresh = path.with_suffix(".new")
        kept = {
            "config": msgspec.json.encode(self.config).decode(),
            "policy": self.policy.state_dict(),
            "critic": self.critic.state_dict(),
            "beliefs": self.beliefs.state_dict(),
            "reference": None if self.reference is None else self.reference.state_dict(),
            "average": self.average,
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
            "generator": self.generator.get_state(),
            "done": json.dumps([self.updates, self.decisions, self.seconds, self.curve]),
        }
        torch.save(kept, fresh)
        fresh.replace(path)

    @staticmethod
    def resume(path: Path, kernels: Path | None = None, **changes: Any) -> Trainer:
        """The run of a checkpoint, with some of its configuration changed; its matches begin anew."""
        try:
            kept = torch.load(path, map_location="cpu", weights_only=True)
            config = msgspec.json.decode(kept["config"], type=Config)
            trainer = Trainer(msgspec.structs.replace(config, **changes), kernels)
            trainer.policy.load_state_dict(kept["policy"])
            trainer.critic.load_state_dict(kept["critic"])
            trainer.beliefs.load_state_dict(kept["beliefs"])
            trainer._refer_to(kept.get("reference") or kept["average"])
            for name, value in kept["average"].items():
                trainer.average[name].copy_(value)
            for optimizer, state in zip(trainer.optimizers, kept["optimizers"], strict=True):
                optimizer.load_state_dict(state)
            trainer.generator.set_state(kept["generator"])
            trainer.updates, trainer.decisions, trainer.seconds, trainer.curve = json.loads(kept["done"])
        except OSError as error:
            raise ValueError(f"The checkpoint {path} cannot be read: {error.strerror or error}.") from error
        except Exception as error:  # a damaged file can raise anything
            raise ValueError(f"The checkpoint {path} cannot be used: {error}") from error
        trainer.play = trainer._begin()
        return trainer

    def _refer_to(self, policy: dict[str, torch.Tensor]) -> None:
        """Hold to a policy, where the configuration says so."""
        if self.config.holds:
            self.reference = copy.deepcopy(self.policy).requires_grad_(False)
            self.reference.load_state_dict(policy)

    def start_from_file(self, path: Path) -> None:
        """Take over the policy of a network's file."""
        state = dequantize(*load_network(path, self.game))
        self.start_from({name: torch.tensor(value, device=self.config.device) for name, value in state.items()})

    def start_from(self, state: dict[str, torch.Tensor]) -> None:
        """Take over the weights of a policy that was trained before; parameters of another shape begin anew."""
        own = self.policy.state_dict()
        with torch.no_grad():
            for name, value in state.items():
                if name not in own:
                    raise ValueError(f"The policy has no parameter {name!r}.")
                if own[name].shape == value.shape:
                    own[name].copy_(value)
                elif name == "i.weight" and self.config.open_hands:
                    self._widen(own[name], value)
                elif own[name].shape[1:] == value.shape[1:]:  # a head with further outputs
                    own[name][: len(value)].copy_(value)
                else:
                    raise ValueError(f"{name} has the shape {tuple(value.shape)}, not {tuple(own[name].shape)}.")
            for name, value in own.items():
                self.average[name].copy_(value)
            self._refer_to(own)
            if (self.config.critic_width, self.config.critic_blocks) == (self.config.width, self.config.blocks):
                self._start_critic(own)

    def _start_critic(self, policy: dict[str, torch.Tensor]) -> None:
        """Let the critic begin as the policy's value head: cells that only the critic sees count for nothing yet."""
        for name, value in self.critic.state_dict().items():
            if name == "i.weight":
                self._widen(value, policy[name])
            else:
                value.copy_(policy[name][self.game.actions :] if name.startswith("o.") else policy[name])

    def _widen(self, wide: torch.Tensor, narrow: torch.Tensor) -> None:
        """Copy the first layer of a network that sees what a seat knows into one that sees what is hidden, too."""
        cells, heard = self.game.observation, self.config.history * self.config.embedding
        wide.zero_()
        wide[:, :cells] = narrow[:, :cells]
        wide[:, wide.shape[1] - heard :] = narrow[:, narrow.shape[1] - heard :]

    def export(self, path: Path, matches: int = 16) -> Exported:
        """Write the network's file, for bots, from the averaged weights; ValueError if it sees what is hidden."""
        if self.config.open_hands:
            raise ValueError("A policy that sees all hands measures a bound; no bot may play by it.")
        state = {name: value.cpu().numpy() for name, value in self.average.items()}
        training = {"seconds": round(self.seconds, 1), "decisions": self.decisions, "updates": self.updates}
        training["config"] = msgspec.to_builtins(self.config)
        return export_network(
            state, self.game, path, seats=self.config.seats, matches=matches, training=training
        )  # fmt: skip
