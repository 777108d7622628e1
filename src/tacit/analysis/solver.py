"""Could it be won? The best line of a co-operative match when all seats know every card and every draw to come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from math import gcd
from types import SimpleNamespace
from typing import Any, Literal, TypeVar

import numpy as np

from tacit.analysis import beam
from tacit.analysis.future import Draws, Future
from tacit.bots.registry import CLAIRVOYANCE
from tacit.core.game import Game, OptionValue
from tacit.core.match import Match
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import build

Status = Literal["proved", "impossible", "unknown"]
M = TypeVar("M", bound=Match)
BUDGET = 4_000_000  # decisions tried
# How many positions a layer keeps, pass by pass, and whether the pass leaves out what hardly ever helps.
PASSES = ((4, 1), (16, 1), (64, 1), (256, 1), (64, 0), (256, 0), (1_024, 0), (4_096, 0), (16_384, 0), (65_536, 0))
TURN = 1 << 14  # positions within the turns of one position


@dataclass(frozen=True)
class Answer:
    """What a clairvoyant table can reach from a position.

    `status` is "proved" (the line reaches the best score there is), "impossible" (no line does: every one was tried,
    and `best` is the most that can be reached) or "unknown" (the budget was spent; `best` is the most that was found).
    `line` are the steps from the position to the end, as numbers: (who, decision or outcome), chance included.
    `tried` is how many decisions the search tried.
    """

    status: Status
    best: int | None  # None if no end of the match was found within the budget
    line: tuple[tuple[int, int], ...]
    tried: int

    @property
    def exact(self) -> bool:
        """Whether nothing better than `best` can be reached."""
        return self.status != "unknown"


def solve(match: Match, future: Future | None = None, *, budget: int = BUDGET) -> Answer:
    """The best that all seats together could still reach in a match, from where it stands now.

    They know everything and agree on everything; chance does what `future` says, by default what `Future.of(match)`
    makes of the record. The budget is the number of decisions tried, so that the same question has the same answer on
    any machine. ValueError if the game is not co-operative, if its decks are renewed, or if the match has met another
    chance than the future's.

    Args:
        match: Where the match stands.
        future: What chance will do.
        budget: How many decisions may be tried.

    Examples:
        >>> from tacit import Match
        >>> match = Match("silencio", 2, seed=1)
        >>> answer = solve(match)
        >>> answer.status, answer.best
        ('proved', 0)
        >>> replay(match, answer).result["verdict"]
        'perfect'
    """
    future = future or Future.of(match)
    solver = Solver(match.game, match.seats, match.options)
    return solver.solve(match.state, future, used=future.used(match), budget=budget)


def replay(match: M, answer: Answer) -> M:
    """A copy of `match` played on along the line of `answer`: a record that can be stepped through."""
    played = match.copy()
    for who, action in answer.line:
        text = played.game.rules.show(played.state, who, action)
        played.play("*" if who == CHANCE else who, text, settle=False)
    return played


class Solver:
    """The clairvoyant search for one game, number of seats and options; its arrays are used again for each position."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, OptionValue] | None = None) -> None:
        if not game.cooperative:
            raise ValueError(f"In {game.title} the seats play against each other: there is no best line for all.")
        self.game, self.seats = game, seats
        self.options = game.check(seats, options)
        best = game.best_score(seats)
        self.goal: int = beam.NO_CEILING if best is None else best
        self.rules = _rules(game)
        self.words = np.zeros(game.max_decisions + 64, np.int64)
        self.log = np.zeros((0, 2), np.int32)
        self.turn = _positions(game, TURN) | {"table": np.zeros((2 * TURN, 3), np.int64)}
        self.small = {
            "mask": np.zeros(game.words, np.int64),
            "weights": np.zeros(game.outcomes, np.int64),
            "left": np.zeros(game.outcomes, np.int64),
            "out": np.zeros(seats, np.int64),
            "at": np.zeros(beam.AT, np.int64),
        }
        self.works: dict[int, beam.Work] = {}

    def deal(self, number: int, *, budget: int = BUDGET, rules_version: int | None = None) -> Answer:
        """The answer for a whole match that meets the chance of `Paired(number)`, from before the deal.

        It is played by the newest rules, unless `rules_version` names an older version.
        """
        state = self.game.blank(self.seats, self.options, rules_version)
        self.game.rules.start(state)
        return self.solve(state, Future.paired(number, self.game, self.seats, self.options), budget=budget)

    def solve(self, state: Any, future: Future, *, used: int = 0, budget: int = BUDGET) -> Answer:
        """The answer for a state of a match in which `used` of the future's words are used up."""
        orders, at = self._orders(future), self.small["at"]
        at[[beam.MADE, beam.GOAL, beam.BEST, beam.BUDGET]] = 0, self.goal, beam.NONE, budget
        at[beam.WORDS_KNOWN] = future.words is not None
        best: int | None = None
        decisions: list[tuple[int, int]] = []
        for width, quick in PASSES:
            work = self._work(width, budget)._replace(orders=orders)
            state.store(work.here[0])
            work.here_at[0, beam.WORDS] = used
            due = self.rules.begin(work)
            if due == 0:
                best, ended = int(work.out[0]), beam.EXHAUSTED
                break
            ended = beam.NO_ORDER if due == CHANCE else self.rules.search(work, width, quick)
            if ended == beam.NO_ORDER:
                raise ValueError(f"A clairvoyant answer for {self.game.title} is not possible: its decks are renewed.")
            if at[beam.BEST_NODE] >= 0:
                best, decisions = int(at[beam.BEST]), _decisions(work)
            if ended != beam.CUT:
                break
        reached = best is not None and best >= self.goal
        status: Status = "proved" if reached else "impossible" if ended == beam.EXHAUSTED else "unknown"
        return Answer(status, best, self._line(state, future, used, decisions), int(at[beam.MADE]))

    def _orders(self, future: Future) -> Any:
        """The orders of the pools that a future knows, as an array; the random words are written down besides."""
        orders = future.orders
        table = np.zeros((len(orders), 2 + max(map(len, orders.values()), default=0)), np.int64)
        for row, (pool, order) in zip(table, orders.items(), strict=True):
            row[: 2 + len(order)] = pool, len(order), *order
        words = future.words or ()
        given = min(len(words), len(self.words))
        self.words[:given] = words[:given]
        self.rules.fill(self.words, given, np.array(future.stream(), np.int64))
        return table

    def _work(self, width: int, budget: int) -> beam.Work:
        """The arrays for a width; the log has room for every decision that may be tried."""
        if len(self.log) <= budget:
            self.log = np.empty((budget + 1, 2), np.int32)
            self.works.clear()
        if width not in self.works:
            here, after = _positions(self.game, width), _positions(self.game, width)
            table = np.zeros((1 << max(12, min(21, (64 * width).bit_length())), 3), np.int64)
            self.works[width] = beam.Work(
                here=here["states"], here_at=here["at"], turn=self.turn["states"], turn_words=self.turn["words"],
                turn_at=self.turn["at"], turn_table=self.turn["table"], after=after["states"],
                after_words=after["words"], after_at=after["at"], after_table=table, heap=np.zeros(width, np.int64),
                log=self.log, orders=None, words=self.words, **self.small,
            )  # fmt: skip
        return self.works[width]

    def _line(self, state: Any, future: Future, used: int, decisions: list[tuple[int, int]]) -> tuple[Any, ...]:
        """The steps of a match that these decisions make, played by the interpreted rules; chance acts in between."""
        rules, played, left = self.game.rules, state.copy(), list(decisions)
        source = Draws(future, used)
        line: list[tuple[int, int]] = []
        while left or (decisions and rules.due(played) == CHANCE):
            if rules.due(played) == CHANCE:
                step = (CHANCE, source.draw(self.game.chance(played), rules.pool(played)))
            else:
                step = left.pop(0)
            rules.step(played, *step)
            line.append(step)
        return tuple(line)


def _rules(game: Game) -> SimpleNamespace:
    """The compiled search of a game; compiled when first called, cached on disk."""
    return build(game.module, "cpu", drivers=_drivers(game))


@cache
def _drivers(game: Game) -> list[Any]:
    own = [game.of_deck(import_module(CLAIRVOYANCE[game.name]))] if game.name in CLAIRVOYANCE else []
    return [*own, beam]


def _positions(game: Game, n: int) -> dict[str, Any]:
    """Room for n positions: as states, as integers in the same memory, and what belongs to each."""
    unit = np.dtype(f"i{gcd(game.dtype.itemsize, 8)}")
    words = np.zeros((n, game.dtype.itemsize // unit.itemsize), unit)
    return {"states": words.view(game.dtype).reshape(n), "words": words, "at": np.zeros((n, 3), np.int64)}


def _decisions(work: beam.Work) -> list[tuple[int, int]]:
    """The decisions that lead to the best end found, from the log."""
    found, node = [], int(work.at[beam.BEST_NODE])
    while node >= 0:
        before, decision = (int(n) for n in work.log[node])
        found.append(divmod(decision, beam.SEAT))
        node = before
    return found[::-1]
