"""Matches in which one policy plays every seat: `SelfPlay` steps the batches and keeps what was played."""

from __future__ import annotations

from pathlib import Path

import torch

from tacit.core.game import Game
from tacit.learn.config import Config
from tacit.research.batch import Batch

SECRETS = ("hand", "row")  # fields of a state, one entry for each seat, that a critic sees
SKIPPED = 1 << 24  # seeds between the batches of one run


class Table:
    """Matches with one number of seats, side by side."""

    def __init__(self, game: Game, seats: int, n: int, config: Config, seed: int, kernels: Path | None = None) -> None:
        self.batch = Batch(
            game, n, seats, device=config.device, seed=seed, check=False, history=config.history, skip_forced=True,
            shuffle_due=True, kernels=kernels,
        )  # fmt: skip
        self.game, self.seats, self.n, self.device = game, seats, n, config.device
        names = ["observation", "mask", "reward", "done", "seat", *(["history"] if config.history else [])]
        self.views = {name: torch.from_dlpack(getattr(self.batch, name)) for name in names}  # the next step writes them
        self.ring = torch.arange(game.max_seats, device=config.device)

    def look(self, cells: torch.Tensor, tokens: torch.Tensor, mask: torch.Tensor, seat: torch.Tensor) -> None:
        """Write down what the deciding seats see."""
        cells.copy_(self.views["observation"])
        if "history" in self.views:
            tokens.copy_(self.views["history"])
        mask.copy_(self.views["mask"])
        seat.copy_(self.views["seat"])

    def secrets(self, out: torch.Tensor) -> None:
        """Write down what is hidden, clockwise from the deciding seat: (n, max_seats * fields) int64."""
        seat = self.views["seat"][:, None]
        order = torch.where(self.ring < self.seats, (self.ring + seat) % self.seats, self.ring)
        found = [torch.from_dlpack(self.batch.secret(name)).long() for name in secret_fields(self.game)]
        out.copy_(torch.cat([field.gather(1, order) for field in found], 1))

    def step(self, actions: torch.Tensor) -> None:
        """Play: `views` has the scores (which count where a match is over) and where one is."""
        if self.device == "cpu":
            self.batch.step(actions.numpy())
        else:
            import cupy

            self.batch.step(cupy.from_dlpack(actions.contiguous()))


def secret_fields(game: Game) -> list[str]:
    """The fields of a game's state that a critic sees."""
    names = game.dtype.names or ()
    return [name for name in SECRETS if name in names and game.dtype[name].shape == (game.max_seats,)]


class SelfPlay:
    """Tables of every number of seats, and room for `steps` decisions of each match: (steps, matches, …)."""

    def __init__(self, game: Game, config: Config, seed: int, kernels: Path | None) -> None:
        sizes = config.sizes()
        self.tables = [
            Table(game, seats, n, config, seed + k * SKIPPED, kernels)
            for k, (seats, n) in enumerate(zip(config.seats, sizes, strict=True))
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
        self.actions = room(steps, n, kind=torch.int64)
        self.logs = room(steps, n)
        self.rewards = room(steps, n, 1 if game.cooperative else game.max_seats)
        self.done = room(steps, n, kind=torch.bool)
        self.seats = torch.cat([torch.full((t.n,), t.seats, device=config.device) for t in self.tables])
        self.ended = {table.seats: room(2) for table in self.tables}  # total of scores, matches

    def look(self, t: int) -> None:
        """Write down what the deciding seats see before decision t."""
        for table, cut in zip(self.tables, self.cuts, strict=True):
            table.look(self.cells[t, cut], self.tokens[t, cut], self.masks[t, cut], self.seat[t, cut])
            table.secrets(self.hidden[t, cut])

    def step(self, t: int) -> None:
        """Play decision t."""
        for table, cut in zip(self.tables, self.cuts, strict=True):
            table.step(self.actions[t, cut])
            scores, done = table.views["reward"], table.views["done"].bool()
            got = returns(self.game, table.seats, scores, self.config)
            self.rewards[t, cut, : got.shape[1]] = torch.where(done[:, None], got, 0.0)
            self.done[t, cut] = done
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
        low, high = game.module.score_range(seats)
        common = scores[:, :1]
        return (common - high) * min(10.0 / (high - low), 1.0) + config.best_bonus * (common == high)
    first = scores == scores.max(1, keepdim=True).values
    won = first / first.sum(1, keepdim=True) - 1.0 / seats
    return config.win * won + config.points * scores


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
