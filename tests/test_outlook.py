"""What a seat can work out of hidden cards: from its knowledge alone, true, and exact where that is said."""

from __future__ import annotations

import random

import pytest

from tacit import Match, game_names
from tacit.core.bits import members
from tacit.core.outlook import SAMPLES, outlook
from tests.silencio.positions import DECK, UNLIT, run, table


def moment(name: str, seats: int, decisions: int) -> Match:
    """A random match after some decisions, or as many as it had."""
    rng = random.Random(f"moment {name}")
    match = Match(name, seats, seed=5)
    for _ in range(decisions):
        if match.over:
            break
        seat = rng.choice(sorted(match.due))
        match.play(seat, rng.choice(match.legal(seat)))
    return match


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("decisions", [0, 30])
def test_states_that_are_alike_for_a_seat_give_the_same_outlook(name: str, decisions: int) -> None:
    match = moment(name, 3, decisions)
    told = match.outlook(1)
    other = match.game.know(match.state, 1)
    match.game.rules.imagine(other, 1, [1, 2, 3, 4])
    assert outlook(match.game, match.game.know(other, 1), 1) == told
    for place in told.places:
        assert not place.place.startswith(("hand 1", "row 1"))
        assert all(0 <= one.chance <= 1 for one in place.chances)
        total = sum(one.chance for one in place.chances)
        assert total <= place.cards + 0.05
        if place.place.startswith(("row", "deck", "city")):
            assert total == pytest.approx(1, abs=0.05)


def test_everything_is_known_of_hands_that_were_shown_and_much_is_sampled_before() -> None:
    early = table(["r2 r3", "b5 b6", "y2 y3"], options=UNLIT).outlook(0)
    assert not early.exact
    assert early.states == SAMPLES
    assert [place.place for place in early.places] == ["hand 1", "hand 2", "deck"]


def test_a_pass_is_used_and_a_small_set_is_exact() -> None:
    match = table(["r2 r3", "b5 b6"], options=UNLIT)
    state = match.state
    k = match.know(0)
    unseen = [DECK[card] for card in members(k.pool)]
    for card in unseen[6:]:  # out of the game: six cards are left for a hand of two
        k.pool &= ~(1 << DECK.index(card))
    k.hand[1], k.hand_len[1] = 0, 2
    k.lacks[1] = 1 << DECK.index(unseen[0])
    told = outlook(match.game, k, 0)
    hand = {one.card: one.chance for one in told.places[0].chances}
    assert told.exact
    assert told.states == 10
    assert set(hand) == set(unseen[1:6])
    assert all(chance == 0.4 for chance in hand.values())
    assert state.seats == 2


def test_the_truth_is_among_what_can_be() -> None:
    match = run(table(["r2 r3", "b5 b6", "y2 y3"], options=UNLIT), "0 play r2")
    told = {place.place: {one.card for one in place.chances} for place in match.outlook(2).places}
    for q in (0, 1):
        unknown = match.state.hand[q] & ~match.know(2).hand[q]
        assert {DECK[card] for card in members(unknown)} <= told[f"hand {q}"]
