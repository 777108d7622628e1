"""The rules and a second implementation (`reference.py`) agree on every offer, every weight and every result."""

from __future__ import annotations

import random

import pytest

from tacit import Match
from tests.zombie_city.reference import story

DULL = ("done", "discard", "brace", "keep", "redraw")


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("expert", [False, True])
@pytest.mark.parametrize("survivors", [1, 2, 3])
@pytest.mark.parametrize("rules", [1, 2])
def test_both_tellings_agree(seats: int, survivors: int, expert: bool, rules: int) -> None:
    for number in range(6):
        rng = random.Random(f"{seats} {survivors} {expert} {number}")
        compare(
            Match("zombie-city", seats, {"survivors": survivors, "expert": expert}, settle=False, rules_version=rules),
            rng,
            number % 3,
        )


def compare(match: Match, rng: random.Random, eager: int) -> None:
    """One random match, played by both; an eager one prefers to do something and to meet hordes."""
    seats = match.seats
    survivors, expert = match.options["survivors"], match.options["expert"]
    told = story(seats, int(survivors), bool(expert), match.rules_version)
    offer = next(told)
    while True:
        if "*" in offer:
            assert match.chance() == offer["*"], match
            texts = list(offer["*"])
            if eager and "turn horde" in texts and rng.random() < 0.3:
                texts = ["turn horde"]
        else:
            assert match.due == set(offer), match
            for q in range(seats):
                assert sorted(match.legal(q)) == sorted(offer.get(q, {})), match
            texts = []
        who = rng.choice(list(offer))
        texts = texts or list(offer[who])
        if eager == 2:
            texts = [t for t in texts if not t.startswith(DULL)] or texts
        text = rng.choice(texts)
        match.play("*" if who == "*" else int(who), text)
        try:
            offer = told.send((who, text))
        except StopIteration as end:
            result = end.value
            break
    assert match.result == result, match
