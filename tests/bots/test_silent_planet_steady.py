"""`steady` in Silent Planet: legal, blind to what its seat cannot know, the same on every backend, and strong."""

from __future__ import annotations

import math

import pytest

from tacit import game_named
from tacit.bots.silent_planet import rows, steady
from tacit.games.silent_planet.model import PLACES, POINT, State
from tacit.games.silent_planet.notation import KIND_NAMES
from tacit.games.silent_planet.table import places_of
from tests.bots.silent_planet_play import GAME, decide, decide_compiled, imagined, positions, teams
from tests.silent_planet.tables import dealt, run, table

SEATS = range(2, 7)


def kinds(text: str) -> tuple[int, ...]:
    return tuple(KIND_NAMES.index(card) for card in text)


def hints(text: str) -> list[int]:
    """The positions, from 1, that the convention reveals of a row."""
    found = rows.hints_for(rows.packed(kinds(text)))
    return [place + 1 for place in range(PLACES) if found >> place & 1]


def believed(k: State, q: int, place: int) -> int:
    return steady.belief(k, q, steady.reading(k, q), place)


# ------------------------------------------------------------------ as every bot
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("obey", [0.0, 0.5, 1.0])
def test_it_decides_legally_and_alike_on_both_backends_and_cannot_cheat(seats: int, obey: float) -> None:
    asked = 0
    for k, seat, action in positions(steady, seats, seed=seats, obey=obey):
        assert action in GAME.legal(k, seat)
        asked += 1
        if asked % 5 == 0 or (k.phase == POINT and asked % 2 == 0):
            assert decide_compiled(steady, k, seat) == action
            for truth in range(2):
                s = imagined(k, seat, truth)
                again = GAME.know(s, seat)
                assert again == k
                assert decide(steady, again, seat) == action
    assert asked > 10 * seats


def test_truths_behind_the_same_knowledge_differ() -> None:
    """The test above would mean nothing if they did not."""
    match = table(["112233445", "111222333", "12345xxxx"], ["", "", ""])
    k = match.know(1)
    assert imagined(k, 1, 0) != imagined(k, 1, 1)


def test_it_leaves_what_it_is_given_as_it_is() -> None:
    match = table(["112233445", "111222333"], ["3", "6"])
    k = match.know(1)
    before = k.copy()
    mask = [0] * GAME.words
    GAME.rules.legal(k, 1, mask)
    steady.choose(k, 1, [0], 0, mask, [1, 2, 3, 4])
    assert k == before


# ------------------------------------------------------------------ the convention
def test_the_row_rises_and_machines_lie_at_the_right() -> None:
    match = dealt(["x3152x411", "222233344"])
    while 0 in match.due:
        match.play(0, GAME.rules.show(match.state, 0, decide(steady, match.know(0), 0)), settle=False)
    assert match.state.row[0] == rows.packed(kinds("1112345xx"))


def test_at_most_two_cards_are_revealed_and_the_deck_gives_1855_rows() -> None:
    assert len(rows.RISING) == len(rows.HINTS) == len(set(rows.ROWS.tolist())) == 1855
    assert max(bin(h).count("1") for h in rows.HINTS) == 2
    # A reader who knows only that the row rises is told what is most in doubt; one kind needs no word.
    assert len(hints("111111111")) <= 1


def test_a_reader_keeps_only_rows_that_would_show_the_same() -> None:
    """Brute force over all rows: the posterior is the share of the ways of the rows with the same hints."""
    match = table(["112223345", "111222333"], [",".join(map(str, hints("112223345"))).replace(",", ""), "6"])
    k = match.know(1)
    shown = rows.shown(rows.packed(kinds("112223345")), places_of(k.hints, 0))
    weights = [[0] * 6 for _ in range(PLACES)]
    unseen = [rows.DECK[kind] - kinds("111222333").count(kind) for kind in range(6)]
    for row in rows.RISING:
        held = rows.hints_for(rows.packed(row))
        if held == places_of(k.hints, 0) and rows.shown(rows.packed(row), held) == shown:
            ways = math.prod(
                math.comb(unseen[kind] - open_, row.count(kind) - open_)
                for kind in range(6)
                for open_ in [sum(row[p] == kind for p in range(PLACES) if held >> p & 1)]
            )
            for place, kind in enumerate(row):
                weights[place][kind] += ways
    for place in range(PLACES):
        if not places_of(k.hints, 0) >> place & 1:
            word = believed(k, 0, place)
            for kind in range(6):
                assert rows.share(word, kind) == 1000 * weights[place][kind] // sum(weights[place])


def test_a_row_that_breaks_the_convention_is_read_as_one_that_rises() -> None:
    match = table(["112233445", "111222333"], ["15", "6"])  # nobody who keeps the convention reveals these
    k = match.know(1)
    between = [believed(k, 0, place) for place in (1, 2, 3)]
    assert all(rows.share(word, kind) == 0 for word in between for kind in (3, 4, 5))
    assert rows.share(between[0], 0) > rows.share(between[2], 0) > 0


def test_a_row_that_does_not_rise_is_read_by_what_is_unseen() -> None:
    match = table(["512233441", "111222333"], ["19", "6"])
    word = believed(match.know(1), 0, 4)
    unseen = [15 - 3 - 1, 12 - 3, 9 - 3, 6, 4 - 1, 9]
    assert [rows.share(word, kind) for kind in range(6)] == [1000 * n // sum(unseen) for n in unseen]


# ------------------------------------------------------------------ pointing
def test_the_last_card_of_a_team_is_a_sure_one() -> None:
    """Two seats, four 1s lie in the team: a 1 of the row completes it."""
    match = table(["111122223", "111122223"], ["5", "5"])
    run(match, "1 point 1", "0 point 1", "1 point 2", "0 point 2")
    k = match.know(1)
    place = decide(steady, k, 1) - 16
    word = believed(k, 0, place)
    assert rows.share(word, 0) + rows.share(word, 5) == 1000


def test_from_the_second_round_on_it_follows_the_others() -> None:
    match = table(["112233445", "111222333", "111222333", "12345xxxx"])
    k = match.know(1)
    wanted = decide(steady, k, 1) - 16 + 1
    other = 9 if wanted != 9 else 8
    run(match, f"1 point {wanted}", f"2 point {other}", f"3 point {other}")
    assert decide(steady, match.know(1), 1) == 16 + other - 1


# ------------------------------------------------------------------ signals
def test_it_shows_with_its_fingers_what_it_believes_where_it_points() -> None:
    match = table(["111122223", "111122223", "123334455"], ["5", "5", ""])
    assert steady.signal(match.know(1), 1, []) is None  # it has not pointed yet
    run(match, "1 point 1")
    assert steady.signal(match.know(1), 1, []) == "fingers 1"
    assert steady.signal(match.know(1), 1, [(2, "nod")]) == "fingers 1"
    assert steady.signal(match.know(1), 1, [(1, "fingers 1")]) is None
    assert steady.signal(match.know(0), 0, []) is None  # the row's owner
    assert steady.signal(match.know(1), 1, []) in game_named("silent-planet").signals


def test_two_seats_have_no_signals() -> None:
    match = table(["111122223", "111122223"], ["5", "5"])
    assert steady.signal(match.know(1), 1, []) is None


# ------------------------------------------------------------------ strength
@pytest.mark.parametrize(("seats", "least"), [(2, 0.80), (3, 0.88), (4, 0.92), (5, 0.95), (6, 0.965)])
def test_it_wins_as_often_as_a_table_that_reads_rows_should(seats: int, least: float) -> None:
    won = teams(steady, seats, 2000) == seats
    assert won.mean() > least


def test_beside_random_seats_it_still_ends_every_match() -> None:
    for seats in SEATS:
        assert teams(steady, seats, 200, team=1).max() <= seats
