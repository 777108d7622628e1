"""Matches that a policy plays with itself or beside bots: `SelfPlay` steps the batches and keeps what was played."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from tacit.bots.network.network_file import load_network
from tacit.bots.registry import NETWORK_FILE, bot_named
from tacit.core.game import Game
from tacit.learn.bot_seats import EVENTS, BotSeats, Scores
from tacit.learn.config import Config
from tacit.learn.export import cell_scales
from tacit.learn.model import ResidualNet
from tacit.learn.quantize import dequantize
from tacit.research.batch import Batch

SECRETS = ("hand", "row")  # fields of a state, one entry for each seat, that a critic sees
SKIPPED = 1 << 24  # seeds between the batches of one run


class Table:
    """Matches with one number of seats, side by side; in each the policy plays all seats, or a bot some of them."""

    def __init__(
        self, game: Game, seats: int, n: int, config: Config, seed: int, kernels: Path | None = None, bot: str = ""
    ) -> None:
        bots = [name for name in (bot, config.teacher) if name]
        self.batch = Batch(
            game, n, seats, device=config.device, seed=seed, check=False, history=EVENTS if bots else config.history,
            skip_forced=True, shuffle_due=True, kernels=kernels,
        )  # fmt: skip
        self.game, self.seats, self.n, self.config, self.device = game, seats, n, config, config.device
        names = ["observation", "mask", "reward", "done", "seat", *(["history"] if config.history else [])]
        self.views = {name: torch.from_dlpack(getattr(self.batch, name)) for name in names}  # the next step writes them
        if config.history:
            self.views["history"] = self.views["history"][:, : config.history]
        self.ring = torch.arange(game.max_seats, device=config.device)
        self.generator = torch.Generator(config.device).manual_seed(seed & 0xFFFFFFFF)
        self.players = {name: player(self.batch, name, config, kernels) for name in bots}
        self.bot = bot
        self.learner = torch.ones((n, seats), dtype=torch.bool, device=config.device)  # seats that the policy plays
        if bot:
            self.learner = self._draw()
        self.decided: list[torch.Tensor] | None = [] if config.last_hands else None  # hands as they last decided
        self.scores = Scores(self.batch, kernels) if config.dense else None
        self.last = self._standing() if config.dense else None

    def _draw(self) -> torch.Tensor:
        """Seats for the policy: one or more, but not all, and at most `own_seats`."""
        most = min(self.config.own_seats or self.seats, self.seats - 1)
        places = torch.rand((self.n, self.seats), generator=self.generator, device=self.device).argsort(1)
        many = torch.randint(1, most + 1, (self.n, 1), generator=self.generator, device=self.device)
        return places < many

    def _standing(self) -> torch.Tensor:
        assert self.scores is not None
        return torch.from_dlpack(self.scores.now()).clone()

    def look(self, cells: torch.Tensor, tokens: torch.Tensor, mask: torch.Tensor, seat: torch.Tensor) -> None:
        """Write down what the deciding seats see."""
        cells.copy_(self.views["observation"])
        if "history" in self.views:
            tokens.copy_(self.views["history"])
        mask.copy_(self.views["mask"])
        seat.copy_(self.views["seat"])

    def mine(self) -> torch.Tensor:
        """Where a seat of the policy decides: bool (n)."""
        return self.learner.gather(1, self.views["seat"][:, None]).squeeze(1)

    def secrets(self, out: torch.Tensor) -> None:
        """Write down what is hidden, clockwise from the deciding seat: (n, max_seats * fields) int64.

        With `last_hands` of every seat what was hidden when it last decided, 0 before it has.
        """
        seat = self.views["seat"][:, None]
        order = torch.where(self.ring < self.seats, (self.ring + seat) % self.seats, self.ring)
        found = [torch.from_dlpack(self.batch.secret(name)).long() for name in secret_fields(self.game)]
        if self.decided is not None:
            self.decided = self.decided or [torch.zeros_like(field) for field in found]
            for kept, field in zip(self.decided, found, strict=True):
                kept.masked_fill_(self.views["done"].bool()[:, None], 0)
                kept.scatter_(1, seat, field.gather(1, seat))
            found = self.decided
        out.copy_(torch.cat([field.gather(1, order) for field in found], 1))

    def teach(self) -> torch.Tensor:
        """The teacher's decisions."""
        return self.players[self.config.teacher](torch.full((self.n,), -1, device=self.device))

    def step(self, actions: torch.Tensor) -> None:
        """Play: `views` has the scores (which count where a match is over) and where one is.

        On seats of a bot it is the bot that decides, unless the table has a teacher that decided for all.
        """
        if self.bot:
            actions = self.players[self.bot](torch.where(self.mine(), actions, -1))
        self.batch.step(to_batch(actions))
        if self.bot:
            self.learner = torch.where(self.views["done"].bool()[:, None], self._draw(), self.learner)

    def returned(self) -> torch.Tensor:
        """What the last step brought: (n, seats), in co-operative games (n, 1)."""
        scores, done = self.views["reward"], self.views["done"].bool()[:, None]
        if self.last is None:
            return torch.where(done, returns(self.game, self.seats, scores, self.config), 0.0)
        now = self._standing()
        gained = torch.where(done, scores, now) - self.last
        self.last = now
        config = self.config
        if self.game.cooperative:
            return gained[:, :1] * point_worth(self.game, self.seats) + torch.where(
                done, best_bonus(self.game, self.seats, scores, config), 0.0
            )
        return config.points * ahead(gained, config.rivals) + torch.where(done, config.win * won(scores), 0.0)


def to_batch(actions: torch.Tensor) -> Any:
    """Decisions as the batch's own kind of array."""
    if actions.device.type == "cpu":
        return actions.numpy()
    import cupy

    return cupy.from_dlpack(actions.contiguous())


def player(batch: Batch, name: str, config: Config, kernels: Path | None) -> Callable[[torch.Tensor], torch.Tensor]:
    """A bot over a batch: from decisions to the same with the bot's where one is negative."""
    file = (
        name
        if name.endswith(NETWORK_FILE)
        else getattr(getattr(bot_named(batch.game, name), "module", None), "FILE", "")
    )
    if file:
        return NetworkSeats(batch, Path(file), config.device)
    seats = BotSeats(batch, name, kernels)
    return lambda actions: torch.from_dlpack(seats.decide(to_batch(actions)))


class NetworkSeats:
    """A network of a file that decides in a batch where it is asked to, in floating point."""

    def __init__(self, batch: Batch, path: Path, device: str) -> None:
        header, network = load_network(path, batch.game)
        self.batch, self.history, self.device = batch, header.history, device
        self.net = ResidualNet(
            batch.game.observation, header.vocabulary, header.actions + header.values, header.history,
            header.embedding, header.width, header.blocks,
        )  # fmt: skip
        state = dequantize(header, network)
        self.net.load_state_dict({name: torch.tensor(value) for name, value in state.items()})
        self.net = self.net.to(device, torch.bfloat16 if device == "cuda" else torch.float32)
        self.scales = torch.tensor(cell_scales(batch.game), dtype=torch.float32, device=device)
        self.views = [torch.from_dlpack(getattr(batch, name)) for name in ("observation", "history", "mask")]

    def __call__(self, actions: torch.Tensor) -> torch.Tensor:
        cells, tokens, mask = self.views
        with torch.no_grad():
            kind = next(self.net.parameters()).dtype
            wanted = self.net((cells * self.scales).to(kind), tokens[:, : self.history])[:, : mask.shape[1]].float()
        chosen = wanted.masked_fill(~mask.bool(), -1e9).argmax(1)
        return torch.where(actions < 0, chosen, actions)


def secret_fields(game: Game) -> list[str]:
    """The fields of a game's state that a critic sees."""
    names = game.dtype.names or ()
    return [name for name in SECRETS if name in names and game.dtype[name].shape == (game.max_seats,)]


class SelfPlay:
    """Tables of every number of seats, and room for `steps` decisions of each match: (steps, matches, …)."""

    def __init__(self, game: Game, config: Config, seed: int, kernels: Path | None) -> None:
        wanted = config.tables()
        sizes = [n for _, n, _ in wanted]
        self.tables = [
            Table(game, seats, n, config, seed + k * SKIPPED, kernels, bot) for k, (seats, n, bot) in enumerate(wanted)
        ]
        self.cuts = [slice(sum(sizes[:k]), sum(sizes[: k + 1])) for k in range(len(sizes))]
        self.game, self.config = game, config
        n, steps = config.matches, config.steps

        def room(*shape: int, kind: torch.dtype = torch.float32) -> torch.Tensor:
            return torch.zeros(shape, dtype=kind, device=config.device)

        self.cells = room(steps + 1, n, game.observation, kind=torch.int8)
        self.tokens = room(steps + 1, n, config.history, kind=torch.int16)
        self.masks = room(steps + 1, n, game.actions, kind=torch.bool)
        self.seat = room(steps + 1, n, kind=torch.int64)
        self.hidden = room(steps + 1, n, game.max_seats * len(secret_fields(game)), kind=torch.int64)
        self.mine = room(steps + 1, n, kind=torch.bool)  # decisions of the policy, not of a bot
        self.actions = room(steps, n, kind=torch.int64)
        self.logs = room(steps, n)
        self.rewards = room(steps, n, 1 if game.cooperative else game.max_seats)
        self.done = room(steps, n, kind=torch.bool)
        self.seats = torch.cat([torch.full((t.n,), t.seats, device=config.device) for t in self.tables])
        self.taught = torch.arange(n, device=config.device) % 16 < 16 * config.teacher_share
        self.ended = {table.seats: room(2) for table in self.tables}  # total of scores, matches

    def look(self, t: int) -> None:
        """Write down what the deciding seats see before decision t."""
        for table, cut in zip(self.tables, self.cuts, strict=True):
            table.look(self.cells[t, cut], self.tokens[t, cut], self.masks[t, cut], self.seat[t, cut])
            table.secrets(self.hidden[t, cut])
            self.mine[t, cut] = table.mine()

    def teach(self, t: int) -> torch.Tensor:
        """Write down the teacher's decisions as decision t; what is to be played, in some matches the policy's own."""
        own = self.actions[t].clone()
        for table, cut in zip(self.tables, self.cuts, strict=True):
            self.actions[t, cut] = table.teach()
        return torch.where(self.taught, self.actions[t], own)

    def step(self, t: int, played: torch.Tensor) -> None:
        """Play decision t."""
        for table, cut in zip(self.tables, self.cuts, strict=True):
            table.step(played[cut])
            got = table.returned()
            scores, done = table.views["reward"], table.views["done"].bool()
            self.rewards[t, cut, : got.shape[1]] = got
            self.done[t, cut] = done
            if not table.bot:
                total = self.ended[table.seats]
                total[0] += (scores.mean(1) * done).sum()
                total[1] += done.sum()

    def scores(self) -> dict[int, float]:
        """The mean score of the matches that ended since the last time, by number of seats."""
        found = {seats: total.tolist() for seats, total in self.ended.items()}
        for total in self.ended.values():
            total.zero_()
        return {seats: total / ended for seats, (total, ended) in found.items() if ended}


def returns(game: Game, seats: int, scores: torch.Tensor, config: Config) -> torch.Tensor:
    """What each seat wants more of, from the scores at a match's end: (n, seats), in co-operative games (n, 1).

    In co-operative games what the common score lacks (in tenths of a large range), and a bonus for the best score; in
    competitive ones wins and points. A win counts 1, shared by the seats with the highest score, less the fair share.
    """
    if game.cooperative:
        high = game.module.score_range(seats)[1]
        return (scores[:, :1] - high) * point_worth(game, seats) + best_bonus(game, seats, scores, config)
    return config.win * won(scores) + config.points * ahead(scores, config.rivals)


def ahead(points: torch.Tensor, rivals: float) -> torch.Tensor:
    """Points, less that part of the mean points of the others: (n, seats)."""
    if not rivals:
        return points
    return points - rivals * (points.sum(1, keepdim=True) - points) / (points.shape[1] - 1)


def point_worth(game: Game, seats: int) -> float:
    """What a point of the common score counts: a tenth of a large range has 10 of them."""
    low, high = game.module.score_range(seats)
    return float(min(10.0 / (high - low), 1.0))


def best_bonus(game: Game, seats: int, scores: torch.Tensor, config: Config) -> torch.Tensor:
    """The bonus for the best common score: (n, 1)."""
    return config.best_bonus * (scores[:, :1] == game.module.score_range(seats)[1])


def won(scores: torch.Tensor) -> torch.Tensor:
    """1 for a win, shared by the seats with the highest score, less the fair share."""
    first = scores == scores.max(1, keepdim=True).values
    return first / first.sum(1, keepdim=True) - 1.0 / scores.shape[1]


def seat_order(seat: torch.Tensor, seats: torch.Tensor, most: int, back: bool = False) -> torch.Tensor:
    """For each row the seats 0, 1, … as places clockwise from `seat`, or (`back`) those places as seats: (n, most).

    Places beyond a row's number of seats stay where they are.
    """
    ring = torch.arange(most, device=seat.device)
    turned = (ring + seat[:, None]) if back else (ring - seat[:, None])
    return torch.where(ring < seats[:, None], turned % seats[:, None], ring)


def bits(numbers: torch.Tensor, count: int) -> torch.Tensor:
    """The lowest bits of whole numbers (n, k), as cells (n, k * count)."""
    places = torch.arange(count, device=numbers.device)
    return ((numbers[:, :, None] >> places) & 1).flatten(1)
