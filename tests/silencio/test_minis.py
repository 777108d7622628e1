"""The mini games keep the rules: over a few cards, of which none is lost."""

from __future__ import annotations

import random

import pytest

from tacit.core.bits import count
from tacit.games.silencio.minis import MINIS
from tacit.research.episode import Episode
from tacit.research.minis import mini


@pytest.mark.parametrize("name", MINIS)
def test_a_mini_game_is_played_to_its_end_with_its_own_cards(name: str) -> None:
    game, rng = mini(name), random.Random(3)
    for seed in range(4):
        episode = Episode(game, 2, MINIS[name]["options"], seed=seed)
        cards = episode.state.pool | episode.state.hand[0] | episode.state.hand[1] | episode.state.oracle
        assert count(cards) == 4
        while (seat := episode.now) >= 0:
            assert game.rules.audit(episode.state) == 0
            episode.play(rng.choice(episode.legal(seat)))
        assert game.rules.audit(episode.state) == 0
        assert -4 <= episode.scores()[0] <= 0
