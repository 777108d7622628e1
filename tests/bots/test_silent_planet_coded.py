"""`coded` in Silent Planet: its code tells every card; legal, blind to what it cannot know, and hardly ever lost."""

from __future__ import annotations

import os

import pytest

from tacit.bots.silent_planet import coded, row_code, row_convention
from tacit.bots.silent_planet.lookahead import best_line, wins
from tacit.games.silent_planet.board import bag_of
from tacit.games.silent_planet.model import BAG, PLACES, POINT, ROW
from tests.bots.silent_planet_play import GAME, decide, decide_compiled, imagined, positions, teams
from tests.silent_planet.positions import dealt, table

SEATS = range(2, 7)
LONG = "TACIT_LONG" in os.environ


# ------------------------------------------------------------------ as every bot
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("obey", [0.0, 0.5, 1.0])
def test_it_decides_legally_and_alike_on_both_backends_and_cannot_cheat(seats: int, obey: float) -> None:
    asked = 0
    for k, seat, action in positions(coded, seats, seed=seats, obey=obey):
        assert action in GAME.legal(k, seat)
        asked += 1
        if asked % 10 == 0 or (k.phase == POINT and asked % 4 == 0):
            assert decide_compiled(coded, k, seat) == action
            again = GAME.know(imagined(k, seat, asked), seat)
            assert again == k
            assert decide(coded, again, seat) == action
    assert asked > 10 * seats


# ------------------------------------------------------------------ the code
def test_every_hand_has_a_row_of_its_own_cards_and_shows_what_no_other_shows() -> None:
    assert sorted(bag_of(int(row)) for row in row_code.ROWS) == sorted(
        row_convention.bag(hand) for hand in row_convention.RISING
    )
    assert len(set(row_code.SHOWN.tolist())) == len(row_code.SHOWN) == 1855
    assert row_code.SHOWN.tolist() == [
        row_convention.shown(int(r), int(h)) for r, h in zip(row_code.ROWS, row_code.HINTS, strict=True)
    ]


def test_every_row_is_read_from_its_hints_alone() -> None:
    for hand in row_convention.RISING[::7]:
        row, hints = row_code.coded_row(row_convention.bag(hand)), row_code.coded_hints(row_convention.bag(hand))
        assert bag_of(row) == row_convention.bag(hand)
        unseen = BAG - bag_of(row_convention.shown(row, hints))
        assert row_code.decoded(row_convention.shown(row, hints), hints, ROW & ~hints, unseen) == row


def test_what_the_code_cannot_be_is_not_believed() -> None:
    hand = row_convention.bag((0, 0, 0, 1, 1, 2, 2, 3, 5))
    row, hints = row_code.coded_row(hand), row_code.coded_hints(hand)
    shown = row_convention.shown(row, hints)
    place = next(p for p in range(PLACES) if not hints >> p & 1)
    other = shown | (6 if row >> 4 * place & 15 != 6 else 1) << 4 * place
    assert (
        row_code.decoded(other, hints, ROW & ~hints & ~(1 << place), BAG) == row_code.UNKNOWN
    )  # a card contradicts it
    assert row_code.decoded(shown, hints, ROW & ~hints, 0) == row_code.UNKNOWN  # its cards have been seen elsewhere
    assert row_code.decoded(shown, hints ^ 1 << place, ROW & ~hints, BAG) == row_code.UNKNOWN


def test_it_lays_what_the_code_says() -> None:
    match = dealt(["x3152x411", "222233344"])
    while 0 in match.due:
        match.play(0, GAME.rules.show(match.state, 0, decide(coded, match.know(0), 0)), settle=False)
    hand = row_convention.bag((0, 0, 0, 1, 2, 3, 4, 5, 5))
    assert match.state.row[0] == row_code.coded_row(hand)
    assert match.know(0).hints == row_code.coded_hints(hand)


# ------------------------------------------------------------------ pointing
def test_a_row_that_breaks_the_code_is_read_as_steady_reads_it() -> None:
    match = table(["112233445", "111222333"], ["1234", "1234"])
    k = match.know(1)
    assert coded.whole(k, 1, 0) == row_code.UNKNOWN
    assert coded.foreseen(k, 1) == -1
    assert decide(coded, k, 1) in GAME.legal(k, 1)


def test_with_open_cards_a_line_that_wins_is_found_and_kept() -> None:
    """Two rows of five 1s and four 2s: ten matching cards in a row, for every first seat."""
    row = row_convention.bag((0, 0, 0, 0, 0, 1, 1, 1, 1))
    bags = row | row << 24
    assert wins(2, 0, 0, 2, 8, bags, 0, 0)
    assert best_line(2, 0, 0, 2, 8, bags, 0, 0) in (0, 1)
    # After four 1s of a team only a 1 completes it, and with nothing to spare nothing else will do.
    assert best_line(2, 0, 4, 1, 0, row_convention.bag((0, 1)), 0, 0) == 0


# ------------------------------------------------------------------ strength
@pytest.mark.parametrize(("seats", "least"), [(2, 0.92), (3, 0.98), (4, 0.99), (5, 0.995), (6, 0.995)])
def test_it_wins_as_often_as_a_table_that_knows_its_rows_should(seats: int, least: float) -> None:
    won = teams(coded, seats, 2000 if LONG else 500) == seats
    assert won.mean() > least


def test_beside_random_seats_it_still_ends_every_match() -> None:
    for seats in SEATS:
        assert teams(coded, seats, 200, team=1).max() <= seats
