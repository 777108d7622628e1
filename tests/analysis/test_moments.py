"""The solver along a record: any moment, the turning point, what follows from another moment's answer."""

from __future__ import annotations

import doctest
from functools import cache

import pytest

from tacit import Match
from tacit.analysis import Answer, Draws, Future, Moments, could_be_won, moments, solve, turning_point
from tacit.bots import bot_named
from tacit.bots.match_bots import MatchBots
from tacit.bots.runner import Runner
from tacit.bots.turn import dice_for
from tacit.core.random_play import CHANCE

BUDGET = 300_000


@cache
def played(bot: str, seed: int) -> Match:
    """A match of Silencio between three bots, decided interpreted."""
    match = Match("silencio", 3, seed=seed)
    runners = {seat: Runner(match.game, bot_named(match.game, bot)) for seat in range(3)}
    bots = MatchBots(match, runners, rng=lambda seat: dice_for((seed, 1), len(match.steps), seat))
    while not match.over:
        bots.play(min(match.due))
    bots.close()
    return match


def at(match: Match, step: int) -> Match:
    """The match after so many steps."""
    new = Match(match.game, match.seats, match.options, settle=False)
    for line in match.lines[:step]:
        new.replay(line)
    return new


def end_of(match: Match, step: int, answer: Answer) -> int:
    """The score at the end of an answer's line, played by the interpreted rules from the moment on."""
    state = at(match, step).state
    for who, action in answer.line:
        assert match.game.rules.due(state) == CHANCE or match.game.rules.due(state) >> who & 1
        match.game.rules.step(state, who, action)
    assert match.game.rules.due(state) == 0
    out = [0] * match.seats
    match.game.rules.score(state, out)
    return out[0]


@pytest.mark.parametrize("seed", [1, 3])
def test_the_turning_point_is_where_the_best_score_goes_out_of_reach(seed: int) -> None:
    match = played("gentle", seed)
    assert match.result["left"] > 0  # type: ignore[index]
    along = Moments(match, budget=BUDGET)
    found = along.turning_point()
    assert found.decided is not None
    assert match.steps[found.decided][0] != CHANCE
    assert found.before.status == "proved"
    assert end_of(match, found.decided, found.before) == 0
    fresh = solve(at(match, found.decided), along.future, budget=BUDGET)
    assert fresh.status == "proved"
    nexts = [i for i, (who, _) in enumerate(match.steps) if i > found.decided and who != CHANCE]
    after = solve(at(match, (nexts or [len(match.steps)])[0]), along.future, budget=BUDGET)
    assert (after.status, found.sure) in {("impossible", True), ("unknown", False)}
    assert found.gone is not None
    assert found.gone > found.decided
    assert solve(at(match, found.gone), along.future, budget=BUDGET).status == "impossible"
    assert turning_point(match, budget=BUDGET) == found  # the same question, the same answer
    for step in (0, found.decided // 2, found.decided):
        answer = along.answer(step)  # follows from the one that is known
        assert (answer.status, answer.best, end_of(match, step, answer)) == ("proved", 0, 0)


def test_what_follows_from_another_moment_is_what_the_solver_says() -> None:
    match = played("gentle", 1)
    along = Moments(match, budget=BUDGET)
    late = len(match.steps) - 6
    for step in (late, late + 2, late + 4, len(match.steps)):
        inherited, fresh = along.answer(step), could_be_won(match, step, budget=BUDGET)
        assert (inherited.status, inherited.best) == (fresh.status, fresh.best)
        assert inherited.best == (end_of(match, step, inherited) if inherited.line else -match.result["left"])  # type: ignore[index]


def test_a_match_that_ended_at_its_best_has_no_turning_point() -> None:
    match = at(played("gentle", 1), 0)
    match.source = Draws(Future.of(played("gentle", 1)))
    for who, action in could_be_won(played("gentle", 1), 0, budget=BUDGET).line:
        match.apply(who, action)
    assert match.result["left"] == 0  # type: ignore[index]
    found = turning_point(match, budget=BUDGET)
    assert (found.decided, found.gone, found.sure, found.before.status) == (None, None, True, "proved")


def test_what_has_no_answer_says_so() -> None:
    with pytest.raises(ValueError, match="the seats play against each other"):
        turning_point(Match("silver-and-gold", 2, seed=1))
    with pytest.raises(IndexError, match="there is no moment 999"):
        could_be_won(Match("silencio", 2, seed=1), 999)
    assert doctest.testmod(moments).failed == 0
