"""The audit of Silencio's cards finds what is lost, doubled or marked wrongly."""

from __future__ import annotations

import pytest

from tacit import Match
from tacit.core.chance import below, stream
from tests.silencio.positions import run, table


@pytest.mark.parametrize(
    ("field", "change", "found"),
    [("pool", 1, 2), ("oracle", 1, 2), ("gone", 1, 2), ("dark", 1 << 5, 2), ("deck", 3, 2)],
)
def test_a_lost_or_doubled_card_is_found(field: str, change: int, found: int) -> None:
    match = table(["r2 r3", "r4 r5"])
    assert match.game.rules.audit(match.state) == 0
    setattr(match.state, field, getattr(match.state, field) ^ change)
    assert match.game.rules.audit(match.state) == found


def test_wrong_counts_and_wrong_marks_are_found() -> None:
    match = table(["r2 r3", "r4 r5"])
    match.state.hand_len[0] += 1
    assert match.game.rules.audit(match.state) == 1
    match = table(["r2 r3", "r4 r5"])
    match.state.known[0] |= match.state.pool
    assert match.game.rules.audit(match.state) == 3


def test_roll_draws_from_the_deck_and_from_a_hand() -> None:
    match = Match("silencio", 2, seed=1, settle=False)
    rules = match.game.rules
    weights = match.game.chance(match.state)
    rng = stream("x")
    at = below(stream("x"), 28)
    assert match.game.module.roll(match.state, rng, weights) == [c for c, w in enumerate(weights) if w][at]
    match = run(table(["y2 r3", "r4 r5"], options={"unlit": "all"}), "0 play y2", "1 draw")
    card = match.game.module.roll(match.state, rng, weights)
    assert match.state.hand[1] >> card & 1
    assert rules.pool(match.state) == -1
