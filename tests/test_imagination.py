"""Games in which nothing that is heard proves anything of hidden cards: imagined worlds are all that could be."""

from __future__ import annotations

import math
import os
import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from tacit import Match, game_named
from tacit.core.bits import members
from tacit.core.chance import stream
from tacit.core.random_play import CHANCE
from tacit.games.silent_planet.board import kind_at
from tacit.games.silent_planet.model import PLACES
from tacit.games.silent_planet.model import POINT as POINTING
from tacit.games.silver_and_gold.model import KEEP

LONG = "TACIT_LONG" in os.environ
EACH = 40  # samples for each possibility


def is_even(found: Counter[Any], possible: Counter[Any]) -> bool:
    """Was everything that is possible found, and nothing else, as often as it should be (a chi-square test)?"""
    total, ways = sum(found.values()), sum(possible.values())
    chi_square = sum((found[one] - total * n / ways) ** 2 / (total * n / ways) for one, n in possible.items())
    freedom = len(possible) - 1
    return set(found) == set(possible) and abs(chi_square - freedom) < 4 * math.sqrt(2 * freedom)


def test_g05_hands_and_choices_are_all_equally_likely() -> None:
    """Silver & Gold against enumeration: six cards unseen, four in the other hand, of which a pair is kept."""
    game = game_named("silver-and-gold")
    k: Any = game.blank(2, {})
    k.phase, k.done, k.left = KEEP, 0b10, game.outcomes - 8
    k.pool = 0b111111 << 20
    possible = Counter(
        (sum(1 << card for card in hand), kept) for hand in combinations(members(k.pool), 4) for kept in range(1, 7)
    )
    found: Counter[tuple[int, int]] = Counter()
    rng = stream("hands")
    for _ in range(EACH * len(possible)):
        world = k.copy()
        game.rules.imagine(world, 0, rng)
        found[world.hand[1], world.kept[1]] += 1
    assert is_even(found, possible)


def test_p05_hidden_cards_of_a_row_are_dealt_evenly() -> None:
    """Silent Planet against enumeration: two places of a row are hidden, and five cards of three kinds are unseen."""
    game = game_named("silent-planet")
    k: Any = game.blank(2, {})
    k.phase, k.dealt, k.ready = POINTING, 2 * PLACES, 0b11
    k.row[0] = int("1" * PLACES, 16)
    k.row[1] = int("1" * (PLACES - 2) + "00", 16)
    k.pool = 2 | 2 << 4 | 1 << 8
    unseen = [0, 0, 1, 1, 2]
    possible = Counter((unseen[i], unseen[j]) for i in range(5) for j in range(5) if i != j)
    found: Counter[tuple[int, int]] = Counter()
    rng = stream("row")
    for _ in range(EACH * sum(possible.values())):
        world = k.copy()
        game.rules.imagine(world, 0, rng)
        found[kind_at(world.row[1], 0), kind_at(world.row[1], 1)] += 1
    assert is_even(found, possible)


@pytest.mark.parametrize("name", ["silver-and-gold", "silent-planet"])
def test_whatever_is_decided_in_the_open_proves_nothing_of_hidden_cards(name: str) -> None:
    """What a seat decides in the open is legal in every world that another imagines before: so it excludes none."""
    game = game_named(name)
    rng = random.Random(name)
    checked = 0
    for seed in range(160 if LONG else 2):
        match: Any = Match(game, 3, seed=seed, settle=False)
        while not match.over:
            if not match.due:
                match.apply(CHANCE, match.source.draw(game.chance(match.state), game.rules.pool(match.state)))
                continue
            seat = rng.choice(sorted(match.due))
            action = rng.choice(game.legal(match.state, seat))
            if not game.rules.sealed(match.state):
                world = match.know((seat + 1) % 3)
                game.rules.imagine(world, (seat + 1) % 3, stream(str(checked)))
                assert action in game.legal(world, seat)
                checked += 1
            match.apply(seat, action)
    print(f"\n  {name}: {checked} moments")
    assert checked > (1000 if LONG else 10)
