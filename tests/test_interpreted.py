"""A few interpreted matches of every game under all laws: with the rule tests, what coverage is taken from.

Every number of seats is `tests/test_laws.py`'s; tracing a match takes three times as long as playing it.
"""

from __future__ import annotations

import os

import pytest

from tacit import GAMES, game_named
from tacit.core import laws
from tacit.research.minis import mini, minis


@pytest.mark.parametrize("name", GAMES)
def test_a_few_matches(name: str) -> None:
    game = game_named(name)
    most = game.max_seats if "TACIT_LONG" in os.environ else game.min_seats + 1
    for version in game.rules_versions:
        for seats in range(game.min_seats, most + 1):
            assert laws.check(game, seats, None, matches=1, thorough=0.05, rules_version=version) > 0


@pytest.mark.parametrize("name", minis())
def test_mini_games_keep_the_laws(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their records are read as theirs here: else a record's game is found among those that people play."""
    monkeypatch.setattr("tacit.core.match_record.game_named", mini)
    chosen = minis()[name]
    assert laws.check(mini(name), chosen.seats, chosen.options, matches=5, thorough=0.3) > 5
