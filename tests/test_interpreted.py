"""A few interpreted matches of every game under all laws: with the rule tests, what coverage is taken from."""

from __future__ import annotations

import pytest

from tacit import GAMES, game_named
from tacit.core import laws


@pytest.mark.parametrize("name", GAMES)
def test_a_few_matches(name: str) -> None:
    game = game_named(name)
    for version in game.rules_versions:
        for seats in range(game.min_seats, game.max_seats + 1):
            assert laws.check(game, seats, None, matches=1, thorough=0.05, rules_version=version) > 0
