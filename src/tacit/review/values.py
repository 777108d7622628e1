"""Values of moments in one style: what playouts by a bot's policy come to."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from tacit.bots.compiled import CompiledBot
from tacit.bots.registry import (
    PLAYOUT_COSTS,
    REVIEW_UNITS,
    PythonBot,
    bot_named,
    bot_names,
    every_game_bots,
    usual_bot,
)
from tacit.bots.search.engine import KNOWN, WORLD
from tacit.core.bits import mark
from tacit.core.chance import RNG_WORDS, stream
from tacit.core.events import EVENT_CAPACITY
from tacit.core.game import Game
from tacit.core.rulekit import Backend, build
from tacit.review import playouts
from tacit.review.model import Interval, Unit
from tacit.review.timeline import Position

NETWORK_COST = 50.0  # of a step of a playout, as PLAYOUT_COSTS has it
Z = 1.96  # standard errors in an interval of 95 %


def styles_of(game: Game) -> list[str]:
    """The bots by whose policies a match is judged: the usual one, and all compiled ones that are stronger."""
    usual, names = usual_bot(game), bot_names(game)
    stronger = [name for name in names[names.index(usual) + 1 :] if name not in every_game_bots()]
    return [usual, *(name for name in stronger if bot_named(game, name).compiled)]


@cache
def _drivers(game: Game, style: str) -> tuple[Any, ...]:
    """The modules that a style's playouts are built of: with the beliefs of `search`, where that assumes this style."""
    bot = bot_named(game, style)
    assert isinstance(bot, CompiledBot)
    search = bot_named(game, "search") if "search" in bot_names(game) else None
    tuning: ModuleType | None = getattr(search.maker, "TUNING", None) if isinstance(search, PythonBot) else None
    if tuning is None or style != tuning.POLICY.NAME:
        return bot.module, playouts
    return bot.module, game.of_deck(tuning), playouts


def cost_of(game: Game, style: str) -> float:
    """What a step of a playout costs in a style, beside one of the quickest."""
    network = hasattr(_drivers(game, style)[0].choose, "__allocates__")
    return NETWORK_COST if network else PLAYOUT_COSTS.get(game.name, 1.0)


class Measure:
    """How the scores of a match become values: of one side for all in a co-operative game, else of each seat."""

    def __init__(self, game: Game, seats: int) -> None:
        self.cooperative = game.cooperative
        self.sides = 1 if game.cooperative else seats
        self.goal = game.best_score(seats) if game.cooperative else None
        sure = not game.cooperative or self.goal is not None
        self.unit: Unit = REVIEW_UNITS.get(game.name, "chance" if sure else "points")

    def side(self, seat: int) -> int:
        return 0 if self.cooperative else seat

    def chances(self, scores: Any) -> Any | None:
        """1 where a side has won or has the best score, else 0; of a shared win its share. None where there is none."""
        if self.cooperative:
            return None if self.goal is None else (scores[..., :1] >= self.goal).astype(float)
        best = scores == scores.max(axis=-1, keepdims=True)
        return best / best.sum(axis=-1, keepdims=True)

    def values(self, scores: Any) -> Any:
        """The results in the unit of the review, the last axis the sides."""
        if self.unit == "chance":
            return self.chances(scores)
        return scores[..., : self.sides].astype(float)


def interval(samples: Any) -> Interval:
    """The mean of samples."""
    mean, n = float(np.mean(samples)), len(samples)
    return around(mean, float(np.std(samples)) / max(n - 1, 1) ** 0.5)


def around(mean: float, error: float) -> Interval:
    """The interval of a normal estimate."""
    mean, error = float(mean), float(error)
    return Interval(round(mean, 4), round(mean - Z * error, 4), round(mean + Z * error, 4))


def rounded(values: Any) -> list[float]:
    """Values as they are told."""
    return [round(float(x), 4) for x in values]


def _intervals(samples: Any) -> list[Interval]:
    return [interval(samples[:, side]) for side in range(samples.shape[1])]


class Valued:
    """A position that was played out: the scores of its playouts, and what they come to for each side."""

    def __init__(self, measure: Measure, scores: Any) -> None:
        self.scores, self.values, chances = scores, measure.values(scores), measure.chances(scores)
        self.mean: Any = self.values.mean(axis=0)
        self.value = _intervals(self.values)
        self.chance = [] if chances is None else _intervals(chances)
        self.score = rounded(scores[:, : measure.sides].mean(axis=0))


class _PlainStates(list[Any]):
    """States for interpreted rules, in place of an array of records: what is put in is copied."""

    def __setitem__(self, at: Any, state: Any) -> None:
        super().__setitem__(at, state.copy())


class Valuer:
    """Playouts in one style, for one game and number of seats; interpreted ("py") they come to the same, slowly."""

    def __init__(self, game: Game, seats: int, style: str, backend: Backend = "cpu") -> None:
        self.game, self.seats, self.style, self.backend = game, seats, style, backend
        self.cost = cost_of(game, style)
        self.rules = build(game.module, backend, drivers=_drivers(game, style))
        self.work = playouts.Workspace(
            states=self._states(3),
            blank=self._states(1),
            known=self._states(1),
            events=np.zeros((seats, EVENT_CAPACITY), np.int64),
            begun=self._cells(seats),
            heard=self._cells(seats),
            mask=self._cells(game.words),
            weights=self._cells(game.outcomes),
            key=self._cells(2),
            dice=self._rows(playouts.DECKS, RNG_WORDS),
            rng=self._cells(RNG_WORDS),
        )

    def _states(self, n: int) -> Any:
        if self.backend == "py":
            return _PlainStates(self.game.State() for _ in range(n))
        return np.zeros(n, self.game.dtype)

    def _cells(self, n: int) -> Any:
        return [0] * n if self.backend == "py" else np.zeros(n, np.int64)

    def _rows(self, n: int, width: int) -> Any:
        return [self._cells(width) for _ in range(n)] if self.backend == "py" else np.zeros((n, width), np.int64)

    def _put(self, states: Any, place: int, state: Any) -> None:
        if self.backend == "py":
            states[place] = state
        else:
            state.store(states[place])

    def here(self, at: Position, times: int, key: str, first: int = 0) -> Any:
        """The scores of playouts from a position as it truly is: a row for each of `times`, a column for each seat."""
        w = self._at(at, key)
        self._put(w.states, WORLD, at.state)
        for q, heard in enumerate(at.heard):
            self._hear(q, heard)
        scores = np.zeros((times, self.seats), np.int64)
        self.rules.value_here(w, scores, first)
        return scores

    def moves(self, at: Position, seat: int, moves: list[int], times: int, key: str, first: int = 0) -> Any:
        """The scores of each of a seat's decisions in worlds that agree with what it knows: world, decision, seat.

        Every seat is taken to have heard what this seat has: what others heard beyond it, it cannot know.
        """
        w = self._known(at, seat, key)
        for q in range(self.seats):
            self._hear(q, at.heard[seat])
        scores = np.zeros((times, len(moves), self.seats), np.int64)
        compared = self._cells(len(moves))
        compared[:] = moves
        self.rules.value_moves(w, seat, compared, scores, first)
        return scores

    def worlds(self, at: Position, seat: int, times: int, key: str) -> list[Any]:
        """The worlds in which `moves` with the same arguments plays."""
        w, found = self._known(at, seat, key), []
        for number in range(times):
            self.rules.determinize(w, seat, number)
            world = w.states[WORLD]
            found.append(world.copy() if self.backend == "py" else self.game.State().load(world))
        return found

    def decision(self, at: Position, seat: int) -> int:
        """What the policy decides for a seat; the lowest legal decision where its answer is none."""
        w = self.work
        legal = self.game.legal(at.state, seat)
        w.mask[:] = [0] * self.game.words
        for action in legal:
            mark(w.mask, action)
        self._put(w.states, KNOWN, self.game.know(at.state, seat))
        self._hear(seat, at.heard[seat])
        rng = self._cells(RNG_WORDS)
        rng[:] = stream(f"review {at.steps} {seat}")
        action = int(self.rules.chosen(w.states, seat, w.events[seat], len(at.heard[seat]), w.mask, rng))
        return action if action in legal else legal[0]

    def _at(self, at: Position, key: str) -> playouts.Workspace:
        words = stream(f"{key} {at.steps}")
        self.work.key[:] = words[0] & 0xFFFFFFFF, words[1] & 0xFFFFFFFF
        return self.work

    def _known(self, at: Position, seat: int, key: str) -> playouts.Workspace:
        w = self._at(at, key)
        self._put(w.known, 0, self.game.know(at.state, seat))
        return w

    def _hear(self, seat: int, events: Any) -> None:
        n = min(len(events), EVENT_CAPACITY)
        self.work.events[seat, :n] = events[:n]
        self.work.begun[seat] = n
