"""`steady` in Silent Planet: legal, blind to what its seat cannot know, the same on every backend, and strong."""

from __future__ import annotations

import math
import os

import numpy as np
import pytest

from tacit import Match
from tacit.bots import Budget, Dice, Runner, bot_named, paired_play
from tacit.bots.heard_events import HeardEvents, turn_of
from tacit.bots.silent_planet import row_convention, steady
from tacit.bots.silent_planet.signals import weighed
from tacit.core.events import FIRST_SIGNAL, encode_event
from tacit.core.rulekit import build
from tacit.games.silent_planet.board import bag_of, open_row, places_of
from tacit.games.silent_planet.model import A_POINT, PLACES, POINT, State
from tacit.games.silent_planet.notation import KIND_NAMES
from tests.bots.silent_planet_play import GAME, decide, decide_compiled, imagined, positions, teams
from tests.silent_planet.positions import agree, dealt, run, table

SEATS = range(2, 7)


def kinds(text: str) -> tuple[int, ...]:
    return tuple(KIND_NAMES.index(card) for card in text)


def hints(text: str) -> list[int]:
    """The positions, from 1, that the convention reveals of a row."""
    found = row_convention.hints_for(row_convention.packed(kinds(text)))
    return [place + 1 for place in range(PLACES) if found >> place & 1]


def believed(k: State, q: int, place: int) -> int:
    row, down = open_row(k, q), places_of(k.down, q)
    found = row_convention.candidates(row, places_of(k.hints, q), down, k.pool, bag_of(row))
    return row_convention.likely(found, row, down, k.pool, bag_of(row), place)


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
    assert match.state.row[0] == row_convention.packed(kinds("1112345xx"))


def test_at_most_two_cards_are_revealed_and_the_deck_gives_1855_rows() -> None:
    assert len(row_convention.RISING) == len(row_convention.HINTS) == len(set(row_convention.ROWS.tolist())) == 1855
    assert max(bin(h).count("1") for h in row_convention.HINTS) == 2
    # A reader who knows only that the row rises is told what is most in doubt; one kind needs no word.
    assert len(hints("111111111")) <= 1


def test_a_reader_keeps_only_rows_that_would_show_the_same() -> None:
    """Brute force over all rows: the posterior is the share of the ways of the rows with the same hints."""
    match = table(["112223345", "111222333"], [",".join(map(str, hints("112223345"))).replace(",", ""), "6"])
    k = match.know(1)
    shown = row_convention.shown(row_convention.packed(kinds("112223345")), places_of(k.hints, 0))
    weights = [[0] * 6 for _ in range(PLACES)]
    unseen = [row_convention.DECK[kind] - kinds("111222333").count(kind) for kind in range(6)]
    for row in row_convention.RISING:
        held = row_convention.hints_for(row_convention.packed(row))
        if held == places_of(k.hints, 0) and row_convention.shown(row_convention.packed(row), held) == shown:
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
                assert row_convention.share(word, kind) == 1000 * weights[place][kind] // sum(weights[place])


def test_a_row_that_breaks_the_convention_is_read_as_one_that_rises() -> None:
    match = table(["112233445", "111222333"], ["15", "6"])  # nobody who keeps the convention reveals these
    k = match.know(1)
    between = [believed(k, 0, place) for place in (1, 2, 3)]
    assert all(row_convention.share(word, kind) == 0 for word in between for kind in (3, 4, 5))
    assert row_convention.share(between[0], 0) > row_convention.share(between[2], 0) > 0


def test_a_row_that_does_not_rise_is_read_by_what_is_unseen() -> None:
    match = table(["512233441", "111222333"], ["19", "6"])
    word = believed(match.know(1), 0, 4)
    unseen = [15 - 3 - 1, 12 - 3, 9 - 3, 6, 4 - 1, 9]
    assert [row_convention.share(word, kind) for kind in range(6)] == [1000 * n // sum(unseen) for n in unseen]


# ------------------------------------------------------------------ pointing
def test_the_last_card_of_a_team_is_a_sure_one() -> None:
    """Two seats, four 1s lie in the team: a 1 of the row completes it."""
    match = table(["111122223", "111122223"], ["5", "5"])
    run(match, "1 point 1", "0 point 1", "1 point 2", "0 point 2")
    k = match.know(1)
    place = decide(steady, k, 1) - 16
    word = believed(k, 0, place)
    assert row_convention.share(word, 0) + row_convention.share(word, 5) == 1000


def test_from_the_second_round_on_it_follows_the_others() -> None:
    match = table(["112233445", "111222333", "111222333", "12345xxxx"])
    k = match.know(1)
    wanted = decide(steady, k, 1) - 16 + 1
    other = 9 if wanted != 9 else 8
    run(match, f"1 point {wanted}", f"2 point {other}", f"3 point {other}")
    assert decide(steady, match.know(1), 1) == 16 + other - 1


# ------------------------------------------------------------------ signals
NAMES = GAME.signals


def heard(*given: tuple[int, str]) -> list[int]:
    """Signals as a bot gets them."""
    return [encode_event(seat, FIRST_SIGNAL + NAMES.index(text)) for seat, text in given]


def signal(match: Match, seat: int, *given: tuple[int, str]) -> str | None:
    events = heard(*given)
    which = steady.signal(match.know(seat), seat, events, len(events))
    return NAMES[which] if which >= 0 else None


def pointed(match: Match, seat: int, *given: tuple[int, str]) -> int:
    """The position that it points at when it has heard these signals."""
    events = heard(*given)
    mask = [0] * GAME.words
    k = match.know(seat)
    GAME.rules.legal(k, seat, mask)
    return steady.choose(k, seat, events, len(events), mask, [1, 2, 3, 4]) - A_POINT + 1


def test_asked_again_it_shows_with_its_fingers_what_it_believes_where_it_points() -> None:
    match = table(["111122223", "111122223", "123334455"], ["5", "5", ""])
    assert signal(match, 1) is None  # it has not pointed yet
    run(match, "1 point 1", "2 point 8")
    assert signal(match, 1) == "fingers 1"
    assert signal(match, 1, (2, "nod")) == "fingers 1"
    assert signal(match, 1, (1, "fingers 1")) is None  # once a decision
    assert signal(match, 0) is None  # the row's owner


def test_it_shrugs_where_no_kind_is_more_likely_than_not() -> None:
    match = table(["512233441", "111222333", "123334455"], ["19", "", ""])  # a row that does not rise tells nothing
    run(match, "1 point 5", "2 point 6")
    assert signal(match, 1) == "shrug"


def test_it_shakes_at_a_card_that_very_likely_breaks_the_team() -> None:
    match = table(["111122223", "111122223", "111122223"], ["59", "59", "59"])
    agree(match, 1, 1)
    run(match, "0 point 8")  # two 1s lie in the team, it is seat 2's row, and its last cards are surely no 1s
    assert signal(match, 1) == "shake"
    assert signal(match, 1, (1, "shake")) is None


def test_two_seats_have_no_signals() -> None:
    match = table(["111122223", "111122223"], ["5", "5"])
    assert signal(match, 1) is None


def test_what_others_show_counts_as_they_know_more_than_all_do() -> None:
    """Seat 2 points at a card and shows a kind: seat 1 believes it more; what all know anyway it does not."""
    match = table(["112233445", "111222333", "12345xxxx"], ["15", "6", ""])
    run(match, "2 point 3")
    k = match.know(1)
    word = believed(k, 0, 2)
    events = heard((2, "fingers 3"))
    told = weighed(k, 1, 2, word, events, len(events))
    assert 0 < row_convention.share(word, 2) < 500
    assert row_convention.share(told, 2) > 1.5 * row_convention.share(word, 2)
    assert 990 < sum(row_convention.share(told, kind) for kind in range(6)) <= 1000
    assert weighed(k, 1, 3, word, events, len(events)) == word  # about another place it says nothing
    impossible = heard((2, "fingers 5"))  # a 5 cannot lie before a 3
    assert weighed(k, 1, 2, word, impossible, len(impossible)) == word
    own = heard((1, "fingers 3"))
    assert weighed(k, 1, 2, word, own, len(own)) == word


def test_who_only_guesses_is_followed_less() -> None:
    """From the second round on it follows the others; signals say how much their pointing weighs."""
    match = table(["112233445", "111222333", "111222333", "12345xxxx"])
    wanted = pointed(match, 1)
    other = 9 if wanted != 9 else 8
    run(match, f"1 point {wanted}", f"2 point {other}", f"3 point {other}")
    assert pointed(match, 1) == other  # most point there
    assert pointed(match, 1, (2, "shrug"), (3, "shrug")) == wanted  # but they only guess, and seat 1 is nearer
    assert pointed(match, 1, (2, "shake"), (3, "nod")) == other


def test_signals_do_not_change_what_was_decided_without_them() -> None:
    """Old signals, or none: the events of other rows are gone, so only those of this row can count."""
    for k, seat, action in positions(steady, 4, seed=3, obey=1.0):
        mask = [0] * GAME.words
        GAME.rules.legal(k, seat, mask)
        assert steady.choose(k, seat, [], 0, mask, [1, 2, 3, 4]) == action


@pytest.mark.parametrize("seats", [3, 6])
def test_a_signal_tells_nothing_but_what_its_seat_knows(seats: int) -> None:
    """The same knowledge over different truths: the same signal, and the same decision after signals heard."""
    given = 0
    asked = 0
    for k, seat, _ in positions(steady, seats, seed=seats, obey=0.5):
        if k.phase != POINT:
            continue
        asked += 1
        if asked % (seats - 1) != 0:
            continue
        events = heard(*[(q, NAMES[(q + k.turned) % len(NAMES)]) for q in range(seats) if q not in (seat, k.turn)][:2])
        told = {
            (
                steady.signal(again, seat, events, len(events)),
                steady.choose(again, seat, events, len(events), [0], [1, 2, 3, 4]),
            )
            for again in (k, *(GAME.know(imagined(k, seat, truth), seat) for truth in range(2)))
        }
        assert len(told) == 1
        which, action = told.pop()
        given += which >= 0
        assert action in GAME.legal(k, seat)
    assert given > 0


def test_its_signals_are_the_same_compiled() -> None:
    """`Runner.ask` asks the compiled rule once the bot is warm."""
    built = build(GAME.module, "cpu", drivers=[steady, paired_play])
    states = np.zeros(1, GAME.dtype)
    seen = set()
    for k, seat, _ in positions(steady, 4, seed=8, obey=0.7):
        events = heard(*[(q, NAMES[(q + k.turned) % 3]) for q in range(4) if q != k.turn][:1])
        k.store(states[0])
        there = built.signal_at(states, seat, np.array(events, np.int64), len(events))
        assert there == steady.signal(k, seat, events, len(events))
        seen.add(int(there))
    assert len(seen) > 2


def test_it_signals_through_the_runner_and_whatever_it_hears_it_decides_legally() -> None:
    """A whole table, as a host runs it: signals are heard by all, and no bot fails."""
    match = Match(GAME, 4, seed=5)
    listener = HeardEvents(match)
    runners = [Runner(GAME, bot_named(GAME, "steady")) for _ in range(4)]
    while not match.over:
        seat = max(match.due)
        turn = turn_of(match, seat, listener, Dice([1, 2, 3, 4]), Budget())
        text = runners[seat].ask(turn, match.signals(seat))
        if text.startswith("! "):
            match.signal(seat, text[2:])
        else:
            match.play(seat, text)
    said = [line for line in match.lines if line.startswith("! ")]
    assert said
    assert not any(runner.faults for runner in runners)
    assert Match.load(str(match)).result == match.result


# ------------------------------------------------------------------ strength
@pytest.mark.parametrize(("seats", "least"), [(2, 0.80), (3, 0.88), (4, 0.92), (5, 0.95), (6, 0.965)])
def test_it_wins_as_often_as_a_table_that_reads_rows_should(seats: int, least: float) -> None:
    won = teams(steady, seats, 2000 if "TACIT_LONG" in os.environ else 500) == seats
    assert won.mean() > least


def test_beside_random_seats_it_still_ends_every_match() -> None:
    for seats in SEATS:
        assert teams(steady, seats, 200, team=1).max() <= seats
