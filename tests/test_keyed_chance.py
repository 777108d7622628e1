"""Chance that follows from a key: the same cards at every table, uniform, independent, and checkable."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tacit import GAMES, Match
from tacit.core.chance import FRESH
from tacit.core.keyed_chance import (
    Beginning,
    DealChance,
    MatchChance,
    commitment,
    derive,
    draws,
    first_foreign_draw,
    stirred_key,
)

KEY, OTHER = b"k" * 32, b"o" * 32


def played(game: str, key: bytes, seed: int, beginning: Beginning | None = None) -> Match:
    """A match on a deal, as the server plays it: each decision with a new source that knows only the record."""
    rng = random.Random(seed)
    match = Match(game, 3, settle=False)
    match.source = DealChance(key, match, beginning)
    match.settle()
    while not match.over:
        seat = rng.choice(sorted(match.due))
        match = match.copy()
        match.source = DealChance(key, match, beginning)
        match.play(seat, rng.choice(match.legal(seat)))
        match.settle()
    return match


@pytest.mark.parametrize("game", [*GAMES, "toy"])
def test_tables_that_decide_differently_meet_the_same_cards(game: str) -> None:
    one, two = played(game, KEY, 1), played(game, KEY, 2)
    assert first_foreign_draw(one, lambda match: DealChance(KEY, match)) is None
    assert first_foreign_draw(one, lambda match: DealChance(OTHER, match)) is not None
    before = {pool: [draw for draw in draws(one) if draw.pool == pool] for pool in {draw.pool for draw in draws(one)}}
    for pool in before:
        other = [draw for draw in draws(two) if draw.pool == pool]
        for mine, theirs in zip(before[pool], other, strict=False):
            if mine.weights != theirs.weights:
                break  # renewed with other cards, or drawn from another hand
            assert mine.outcome == theirs.outcome


@pytest.mark.parametrize("game", [*GAMES, "toy"])
def test_a_deal_made_of_a_match_begins_as_that_match(game: str) -> None:
    plain = Match(game, 3, seed=5)
    rng = random.Random(3)
    while not plain.over:
        seat = min(plain.due)
        plain.play(seat, rng.choice(plain.legal(seat)))
    beginning = Beginning.of(plain)
    assert first_foreign_draw(plain, lambda match: DealChance(KEY, match, beginning)) is None
    other = played(game, KEY, 9, beginning)
    assert first_foreign_draw(other, lambda match: DealChance(KEY, match, beginning)) is None
    assert other.lines[0] == plain.lines[0]


def test_a_missing_card_moves_no_other() -> None:
    whole, without = [1] * 12, [1] * 11 + [0]

    def order(weights: list[int]) -> list[int]:
        chance, left = DealChance(KEY), list(weights)
        found = []
        while any(left):
            found.append(chance.draw(left, 3))
            left[found[-1]] -= 1
        return found

    assert order(without) == [card for card in order(whole) if card != 11]


def test_every_order_and_every_fresh_draw_is_as_likely() -> None:
    orders: Counter[tuple[int, int, int]] = Counter()
    fresh: Counter[tuple[int, int]] = Counter()
    for number in range(6000):
        chance = DealChance(derive(KEY, str(number)))
        left = [2, 1]  # aab, aba, baa
        drawn = []
        while any(left):
            drawn.append(chance.draw(left, 0))
            left[drawn[-1]] -= 1
        orders[drawn[0], drawn[1], drawn[2]] += 1
        fresh[chance.draw([1, 1], FRESH), chance.draw([1, 1], FRESH)] += 1  # twice from the same hand: independent
    assert all(1850 < n < 2150 for n in orders.values()), orders  # 2000, standard deviation 37
    assert len(orders) == 3
    assert all(1380 < n < 1620 for n in fresh.values()), fresh  # 1500, standard deviation 34


def test_a_hand_gives_the_same_card_whatever_was_drawn_elsewhere() -> None:
    hand, other = [0, 1, 1, 1, 0], [1, 0, 0, 0, 1]
    disturbed = DealChance(KEY)
    for _ in range(5):
        disturbed.draw(other, FRESH)
        disturbed.draw([3, 3], 7)
    assert disturbed.draw(hand, FRESH) == DealChance(KEY).draw(hand, FRESH)


def test_cards_that_come_into_a_pool_are_noticed() -> None:
    chance = DealChance(KEY)
    chance.draw([1, 1, 0], 0)
    with pytest.raises(ValueError, match="not renamed"):
        chance.draw([1, 1, 1], 0)


def test_the_chance_of_a_match_follows_from_its_record() -> None:
    match = Match("silencio", 3, settle=False)
    match.source = MatchChance(KEY, match)
    match.settle()
    other = Match("silencio", 3, settle=False)
    other.source = MatchChance(stirred_key(KEY, {0: "Ada"}), other)
    other.settle()
    assert match.lines != other.lines
    assert first_foreign_draw(match, lambda played: MatchChance(KEY, played)) is None
    swapped = Match("silencio", 3, settle=False)
    for line in match.lines[:3]:
        swapped.replay(line)
    outcome = next(text for text in swapped.chance() if f"* {text}" != match.lines[3])
    swapped.replay(f"* {outcome}")
    assert first_foreign_draw(swapped, lambda played: MatchChance(KEY, played)) == 4


def test_a_commitment_fixes_key_and_salt() -> None:
    assert commitment(KEY, b"salt") == commitment(KEY, b"salt")
    assert len({commitment(KEY, b"salt"), commitment(OTHER, b"salt"), commitment(KEY, b"sal"), KEY.hex()}) == 4
    assert derive(KEY, "ab", "c") != derive(KEY, "a", "bc")  # parts do not run together


def test_a_kept_digest_draws_as_a_new_one_does() -> None:
    """Whether the match goes on, is another copy of it, or has lost lines that were taken back."""
    match = Match("silencio", 2, settle=False)
    kept = MatchChance(KEY, match)
    weights = [1] * 60
    for lines in (["* a"], ["* a", "0 b", "* c"], ["* a", "1 d"], [], ["* a", "1 d", "0 e"]):
        other = match.copy()
        other.lines = lines
        kept.follow(other)
        expected = int.from_bytes(derive(KEY, "draw", *lines), "big") % 60
        assert kept.draw(weights, 0) == expected
        assert kept.draw(weights, 0) == expected
