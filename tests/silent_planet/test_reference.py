"""Silent Planet: the rules and a second implementation (`reference.py`) agree on every offer, weight and result."""

from __future__ import annotations

import os
import random
from typing import Literal

import pytest

from tacit import Match
from tacit.games.silent_planet.model import MAX_DECISIONS
from tests.silent_planet.reference import Reference


@pytest.mark.parametrize("seats", range(2, 7))
def test_p01_to_p10_agree_with_a_second_writing_of_the_page(seats: int) -> None:
    ends = set()
    for number in range(25 if "TACIT_LONG" in os.environ else 8):
        rng = random.Random(f"{seats} {number}")
        match, reference = Match("silent-planet", seats, seed=number, settle=False), Reference(seats)
        likes = rng.random()  # how much these seats like to agree, and to show nothing
        while not match.over:
            assert match.game.rules.audit(match.state) == 0
            assert match.chance() == reference.chance()
            assert [match.legal(q) for q in range(seats)] == [reference.legal(q) for q in range(seats)]
            if match.due:
                seat = rng.choice(sorted(match.due))
                texts = match.legal(seat)
                who: int | Literal["*"] = seat
                steady = texts[0].startswith("point") or "ready" in texts
                text = (
                    texts[0 if "ready" not in texts else -1] if steady and rng.random() < likes else rng.choice(texts)
                )
            else:
                outcomes = match.chance()
                who, text = "*", rng.choices(list(outcomes), list(outcomes.values()))[0]
            match.play(who, text, settle=False)
            reference.play(str(who), text)
        assert match.result == reference.result
        ends.add(match.result["reason"] if match.result else None)
        assert len(match.lines) <= 9 * seats + 1 + MAX_DECISIONS
    assert "out-of-cards" in ends
