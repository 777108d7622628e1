"""The best score that a deal allows: `python -m tacit.analysis.best_of_deal` reads a question and writes the answer.

A server asks in a process of its own, through stdin: the key of a deal stands in no list of processes.
"""

from __future__ import annotations

import contextlib
import os
import sys

import msgspec

from tacit.analysis.future import Future
from tacit.analysis.solver import BUDGET, Solver
from tacit.core.game import OptionValue
from tacit.core.keyed_chance import Beginning, DealChance
from tacit.core.match import Match
from tacit.core.registry import game_named, register


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """Which deal; `module` is where the rules of its game are, `beginning` the record that it was made of."""

    game: str
    module: str
    seats: int
    options: dict[str, OptionValue]
    rules_version: int
    key: str
    beginning: str | None = None


class Found(msgspec.Struct, frozen=True):
    """A score that seats which know every card can reach on a deal; `exact` if no other is better.

    None if the search found no end of the match.
    """

    score: int | None
    exact: bool


def best_of_deal(question: Question, budget: int = BUDGET) -> Found:
    """What the solver finds within a budget. A game that it cannot solve has no answer: `Found(None, False)`."""
    register(question.game, question.module)
    game = game_named(question.game)
    begun = Beginning.of(Match.load(question.beginning)) if question.beginning is not None else None
    chance = DealChance(bytes.fromhex(question.key), None, begun)
    match = Match(game, question.seats, question.options, chance=chance, rules_version=question.rules_version)
    try:
        solver = Solver(game, match.seats, match.options)
        answer = solver.solve(match.state, Future.dealt(chance), budget=budget)
    except ValueError:
        return Found(None, False)
    return Found(answer.best, answer.exact)


def main() -> None:
    with contextlib.suppress(AttributeError, OSError):
        os.nice(19)
    question = msgspec.json.decode(sys.stdin.buffer.read(), type=Question)
    sys.stdout.buffer.write(msgspec.json.encode(best_of_deal(question)))


if __name__ == "__main__":
    main()
