"""Zombie City's chances to win: shares of a whole, higher with survivors, lower with zombies, right on average."""

from __future__ import annotations

from typing import Any

import pytest

from tacit import Match, game_named
from tacit.bots import bot_named
from tacit.bots.heard_events import HeardEvents, turn_of
from tacit.bots.turn import Budget, dice_for
from tacit.bots.zombie_city.win_chance import SIZE, SURE, win_chance
from tacit.bots.zombie_city.win_chance_weights import WEIGHTS
from tacit.core.chance import Seeded
from tacit.games.zombie_city.model import MAIN, ONE_FAST

GAME = game_named("zombie-city")


def played(seats: int, seed: int) -> tuple[list[Any], Match]:
    """The beginnings of turns in a match between `steady` bots, and the match."""
    match, states = Match(GAME, seats, chance=Seeded(seed)), []
    listener, steady, turns = HeardEvents(match), bot_named(GAME, "steady"), 0
    while not match.over:
        if match.state.turns != turns and match.state.phase == MAIN:
            turns = match.state.turns
            states.append(match.copy().state)
        seat = min(match.due)
        dice = dice_for([seed, 1], len(match.steps), seat)
        match.play(seat, steady.decide(turn_of(match, seat, listener, dice, Budget())))
    return states, match


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_chances_are_shares_of_the_living(seats: int) -> None:
    assert len(WEIGHTS) == 2 * SIZE
    for state in played(seats, 3)[0]:
        chances = [win_chance(state, q) for q in range(seats)]
        assert SURE - seats <= sum(chances) <= SURE
        for q in range(seats):
            assert (chances[q] > 0) == bool(state.living >> q & 1)


def test_a_survivor_more_is_better_and_a_zombie_more_is_worse() -> None:
    better = worse = number = 0
    for state in played(2, 5)[0]:
        before = win_chance(state, 0)
        state.people[0] += 1
        better += win_chance(state, 0) - before
        state.people[0] -= 1
        state.zombies[0] += 3 * ONE_FAST
        worse += before - win_chance(state, 0)
        number += 1
    assert better / number > SURE / 50
    assert worse / number > SURE / 20


def test_it_tells_winners_from_losers() -> None:
    """A guess that knows nothing is off by a quarter on average (the Brier score)."""
    off = number = 0.0
    for seed in range(12):
        states, match = played(2, seed)
        assert match.result is not None
        won = 1.0 if 0 in match.result["winners"] else 0.0
        off += sum((win_chance(state, 0) / SURE - won) ** 2 for state in states) / len(states)
        number += 1
    assert off / number < 0.24
