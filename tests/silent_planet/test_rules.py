"""Silent Planet, rule by rule: P01–P07. Teams and the end are in test_teams.py, knowledge and signals beside it."""

from __future__ import annotations

import pytest

from tacit import BadOptions, IllegalDecision, Match
from tacit.core.chance import below, pick, stream
from tests.silent_planet.positions import agree, arrangement, cards, dealt, ready, run, seen, states, table, team, turn

TWO = ["111112222", "1111x2222"]
THREE = ["111112222", "1111x2222", "333344445"]


# ------------------------------------------------------------------ material (P01, P02)
def test_p01_fifty_five_cards_are_weighed_by_their_copies() -> None:
    match = Match("silent-planet", 2, settle=False)
    assert match.chance() == {
        "deal 0 1": 15, "deal 0 2": 12, "deal 0 3": 9, "deal 0 4": 6, "deal 0 5": 4, "deal 0 x": 9,
    }  # fmt: skip
    run(match, *["* deal 0 5"] * 4)
    assert match.chance() == {"deal 0 1": 15, "deal 0 2": 12, "deal 0 3": 9, "deal 0 4": 6, "deal 0 x": 9}
    with pytest.raises(IllegalDecision, match="“deal 0 5” cannot happen now"):
        match.play("*", "deal 0 5")


def test_p02_two_to_six_seats() -> None:
    for seats in (1, 7):
        with pytest.raises(BadOptions, match="2 to 6 seats"):
            Match("silent-planet", seats)


@pytest.mark.parametrize("seats", range(2, 7))
def test_p02_nine_cards_each_all_of_one_seats_first(seats: int) -> None:
    match = Match("silent-planet", seats, seed=3)
    deals = [line.split()[2] for line in match.lines]
    assert deals == [str(q) for q in range(seats) for _ in range(9)]
    assert match.due == set(range(seats))
    assert seen(match, 0).out == 55 - 9 * seats
    assert match.state.pool.bit_count()  # what nobody got is out of the game


def test_p02_nobody_decides_while_cards_are_dealt() -> None:
    match = Match("silent-planet", 2, settle=False)
    assert match.due == set()
    with pytest.raises(IllegalDecision, match="Chance acts now"):
        match.play(0, "place 1")


def test_p02_and_p06_a_quick_draw_is_the_weighed_draw() -> None:
    for match in (run(Match("silent-planet", 2, settle=False), *["* deal 0 1"] * 9, "* deal 1 x"), ready(THREE)):
        rules, weights = match.game.module, match.game.chance(match.state)
        for key in range(40):
            drawn = rules.roll(match.state, stream(str(key)), [0] * 6)
            assert drawn == pick(weights, below(stream(str(key)), sum(weights)))


# ------------------------------------------------------------------ rows (P03, P04)
def test_p03_nine_cards_from_left_to_right() -> None:
    match = dealt(["112345xx5", "111112222"])
    assert match.legal(0) == ["place 1", "place 2", "place 3", "place 4", "place 5", "place x"]
    run(match, "0 place 2")
    assert match.legal(0) == ["place 1", "place 3", "place 4", "place 5", "place x"]
    for card in "x135415x":
        match.play(0, f"place {card}")
    assert cards(match, 0, watcher=0) == "2x135415x"


def test_p03_hints_in_rising_order_none_to_all_nine() -> None:
    match = dealt(TWO)
    for card in TWO[0]:
        match.play(0, f"place {card}")
    assert match.legal(0) == [f"reveal {p}" for p in range(1, 10)] + ["ready"]
    run(match, "0 reveal 4")
    assert match.legal(0) == [f"reveal {p}" for p in range(5, 10)] + ["ready"]
    run(match, "0 reveal 9")
    assert match.legal(0) == ["ready"]
    assert seen(match, 0).arranging.hints == [4, 9]  # type: ignore[union-attr]


def test_p03_all_nine_may_be_revealed() -> None:
    match = ready(["111112222", "1111x2222", "333344445"], ["123456789", "", ""])
    assert states(match, 0) == ["hint"] * 9
    assert match.chance() == {"start 0": 1, "start 1": 1, "start 2": 1}


def test_p03_ready_is_final() -> None:
    match = dealt(TWO)
    match.play_all(0, arrangement(TWO[0]))
    assert match.due == {1}
    assert match.legal(0) == []
    with pytest.raises(IllegalDecision, match="not for seat 0 to decide"):
        match.play(0, "reveal 3")


def test_p03_all_seats_at_once_in_any_order() -> None:
    match = dealt(TWO)
    run(match, "1 place 1", "0 place 2", "1 place x", "0 place 1")
    assert match.due == {0, 1}
    assert match.game.module.sealed(match.state) == 1
    assert match.game.module.sealed(ready(TWO).state) == 0
    assert cards(match, 0, watcher=0) == "21???????"
    assert cards(match, 1, watcher=1) == "1x???????"


def test_p03_hints_are_shown_when_the_last_seat_is_ready() -> None:
    match = dealt(TWO)
    match.play_all(1, arrangement(TWO[1], "5"), settle=False)
    assert states(match, 1) == ["empty"] * 9
    assert [row.ready for row in seen(match, None).rows] == [False, True]
    match.play_all(0, arrangement(TWO[0], "19"), settle=False)
    assert cards(match, 0) == "1???????2"
    assert cards(match, 1) == "????x????"


@pytest.mark.parametrize(
    ("before", "decision", "why"),
    [
        ("", "place 3", "You do not have a 3 to place."),
        ("", "place x", "You do not have a machine to place."),
        ("", "place 7", "There is no card “7”"),
        ("", "place 12", "There is no card “12”"),
        ("", "reveal 1", "9 cards are still to be placed"),
        ("", "ready", "You cannot be ready: 9 cards are still to be placed."),
        ("11111222", "ready", "one card is still to be placed"),
        ("11111222", "reveal 1", "one card is still to be placed"),
        ("", "point 1", "Nobody points yet"),
        ("111112222", "place 1", "All your nine cards are placed."),
        ("111112222", "reveal 0", "There is no position “0”"),
        ("111112222", "point 10", "There is no position “10”"),
        ("111112222", "reveal 3 4", "“reveal 3 4” is not a decision in Silent Planet."),
        ("111112222", "Ready", "“Ready” is not a decision"),
        ("111112222,4", "reveal 4", "Card 4 is revealed already."),
        ("111112222,4", "reveal 2", "card 2 lies left of card 4, your last one"),
    ],
)
def test_p03_refusals_while_rows_are_made(before: str, decision: str, why: str) -> None:
    match = dealt(TWO)
    row, _, hints = before.partition(",")
    match.play_all(0, arrangement(row, hints)[:-1])
    record = str(match)
    with pytest.raises(IllegalDecision, match=why):
        match.play(0, decision)
    assert str(match) == record


def test_p03_an_arrangement_is_one_batch_all_or_nothing() -> None:
    match = dealt(TWO)
    before, record = match.state.copy(), str(match)
    with pytest.raises(IllegalDecision, match=r"Decision 5 of 10, “place 3”: You do not have a 3 to place\."):
        match.play_all(0, arrangement("111132222"))
    with pytest.raises(IllegalDecision, match=r"Decision 12 of 12, “reveal 2”: .* left of card 6"):
        match.play_all(0, [*arrangement(TWO[0], "46")[:-1], "reveal 2"])
    with pytest.raises(IllegalDecision, match=r"Decision 1 of 1, “7”: A decision is one line of text\."):
        match.play_all(0, [7])  # type: ignore[list-item]
    for wrong in ("ready", 7, None):
        with pytest.raises(IllegalDecision, match="a list of texts"):
            match.play_all(0, wrong)  # type: ignore[arg-type]
    with pytest.raises(IllegalDecision, match="There is no seat 2"):
        match.play_all(2, ["ready"])
    assert (match.state, str(match)) == (before, record)
    match.play_all(0, [])
    assert str(match) == record
    match.play_all(0, arrangement(TWO[0], "46"))
    assert match.lines[-12:] == [f"0 {text}" for text in arrangement(TWO[0], "46")]


def test_p03_no_chance_acts_within_a_batch() -> None:
    """Whoever could go on after a draw could take the batch back until the draw is a good one."""
    match = dealt(TWO)
    match.play_all(0, arrangement(TWO[0]))
    with pytest.raises(IllegalDecision, match=r"Decision 11 of 11, “point 1”: Chance acts now"):
        match.play_all(1, [*arrangement(TWO[1]), "point 1"], settle=True)
    assert match.due == {1}
    match.play_all(1, arrangement(TWO[1]), settle=True)  # now `start` is drawn
    assert match.lines[-1].startswith("* start")


def test_p04_a_hint_stays_open_in_its_place_and_is_out_of_play() -> None:
    match = table(THREE, ["5", "", ""])
    assert states(match, 0) == ["down"] * 4 + ["hint"] + ["down"] * 4
    assert match.legal(1) == [f"point {p}" for p in (1, 2, 3, 4, 6, 7, 8, 9)]
    with pytest.raises(IllegalDecision, match="Card 5 of seat 0 is a hint: it is open and out of play"):
        match.play(1, "point 5")
    agree(match, 1)
    assert states(match, 0) == ["team"] + ["down"] * 3 + ["hint"] + ["down"] * 4


# ------------------------------------------------------------------ turns (P06)
def test_p06_the_first_seat_is_drawn_all_alike() -> None:
    match = ready(THREE)
    assert match.due == set()
    assert match.chance() == {"start 0": 1, "start 1": 1, "start 2": 1}
    run(match, "* start 1")
    assert (turn(match), seen(match, None).first) == (1, 1)


def test_p06_turns_go_clockwise() -> None:
    match = table(THREE, first=1)
    order = []
    for position in (1, 1, 1, 2, 2):
        order.append(turn(match))
        agree(match, position)
    assert order == [1, 2, 0, 1, 2]


def test_p06_the_drawn_first_seat_is_skipped_without_a_face_down_card() -> None:
    match = ready(THREE, ["", "123456789", ""])
    run(match, "* start 1")
    assert turn(match) == 2
    assert seen(match, None).first == 1


def test_p06_a_seat_without_a_face_down_card_is_skipped() -> None:
    match = table(THREE, ["23456789", "", ""], first=0)
    agree(match, 1)  # seat 0's only card
    agree(match, 1, 9)  # seats 1 and 2
    assert turn(match) == 1


def test_p06_positions_keep_their_numbers() -> None:
    match = agree(table(THREE, first=0), 3, 1, 1)
    assert match.legal(1) == [f"point {p}" for p in (1, 2, 4, 5, 6, 7, 8, 9)]
    with pytest.raises(IllegalDecision, match="Card 3 of seat 0 has been turned up already"):
        match.play(1, "point 3")
    assert cards(match, 0) == "??1??????"


# ------------------------------------------------------------------ pointing (P07)
def test_p07_all_others_decide_also_those_without_cards() -> None:
    match = table(THREE, ["", "123456789", ""], first=0)
    assert match.due == {1, 2}
    assert match.legal(1) == [f"point {p}" for p in range(1, 10)]
    with pytest.raises(IllegalDecision, match="not for seat 0 to decide"):
        match.play(0, "point 1")


def test_p07_with_two_seats_one_pointer_is_enough() -> None:
    match = run(table(TWO, first=0), "1 point 6")
    assert team(match) == "2"
    assert match.due == {0}


def test_p07_in_a_round_each_decider_points_once_in_any_order() -> None:
    match = run(table(THREE, first=0), "2 point 4")
    assert match.due == {1}
    with pytest.raises(IllegalDecision, match="not for seat 2 to decide"):
        match.play(2, "point 5")
    run(match, "1 point 5")
    assert match.due == {1, 2}
    assert seen(match, None).round == 2
    assert team(match) == ""


def test_p07_agreement_turns_the_card_up_in_any_round() -> None:
    match = run(table(THREE, first=0), "1 point 4", "2 point 4")
    assert (team(match), turn(match), seen(match, None).round) == ("1", 1, 1)
    match = run(table(THREE, first=0), "1 point 4", "2 point 5", "1 point 6", "2 point 6")
    assert (team(match), turn(match)) == ("2", 1)


def test_p07_all_must_have_pointed_in_the_round() -> None:
    """Seat 1 comes round to seat 2's card of the first round; seat 2 is asked again, and may think better of it."""
    match = run(table(THREE, first=0), "1 point 4", "2 point 6", "1 point 6")
    assert match.due == {2}
    assert team(match) == ""
    assert "point 6" in match.legal(2)  # the same card again is allowed
    assert run(match.copy(), "2 point 6").state.turned == 1
    assert run(match, "2 point 9").state.turned == 0


SIX = ["111112222", "1111x2222", "333344445", "111xxxx23", "222xx3333", "111xx4455"]


def pointed(first: int, rounds: list[dict[int, int]], rows: list[str] = SIX) -> Match:
    match = table(rows, first=first)
    for now in rounds:
        for seat, position in now.items():
            match.play(seat, f"point {position}", settle=False)
    return match


def turned(match: Match) -> int:
    (found,) = seen(match, None).team
    return found.position


def test_p07_after_the_third_round_the_card_with_the_most_pointers_is_taken() -> None:
    votes = {1: 9, 2: 3, 3: 3, 4: 5, 5: 5}
    match = pointed(0, [votes, votes])
    assert seen(match, None).round == 3
    run(match, "1 point 9", "2 point 3", "3 point 5", "4 point 5")
    assert match.state.turned == 0
    run(match, "5 point 5")
    assert turned(match) == 5


def test_p07_among_equals_the_decider_nearest_to_the_left_decides() -> None:
    votes = {1: 4, 2: 8, 3: 4, 4: 8, 5: 1}
    assert turned(pointed(0, [votes] * 3)) == 4
    # The same with another seat's row: left of seat 4 sits seat 5.
    assert turned(pointed(4, [{5: 4, 0: 8, 1: 8, 2: 4, 3: 1}] * 3)) == 4


def test_p07_the_tie_break_goes_on_while_a_deciders_card_is_not_among_the_equals() -> None:
    votes = {1: 1, 2: 8, 3: 4, 4: 4, 5: 8}
    assert turned(pointed(0, [votes] * 3)) == 8
    assert turned(pointed(3, [{4: 1, 5: 4, 0: 8, 1: 4, 2: 8}] * 3)) == 4


def test_p07_when_all_differ_the_nearest_one_decides() -> None:
    assert turned(pointed(2, [{3: 9, 4: 8, 5: 7, 0: 6, 1: 5}] * 3)) == 9
    assert turned(pointed(0, [{1: 2, 2: 3}] * 3, THREE)) == 2


def test_p07_only_the_third_rounds_pointers_count() -> None:
    early = {1: 4, 2: 4, 3: 4, 4: 4, 5: 1}
    assert turned(pointed(0, [early, early, {1: 2, 2: 7, 3: 7, 4: 9, 5: 8}])) == 7


def test_p07_pointers_and_rounds_are_shown_to_all() -> None:
    match = run(table(THREE, first=0), "1 point 4", "2 point 5", "2 point 4")
    for watcher in (None, 0, 1, 2):
        view = seen(match, watcher)
        assert (view.turn, view.round, view.rounds, view.due) == (0, 2, 3, [1])
        assert [(p.seat, p.position, p.now) for p in view.pointing] == [(1, 4, False), (2, 4, True)]
        place = view.rows[0].places[3]
        assert (place.pointers, place.faded) == ([2], [1])
        assert view.rows[0].places[4].pointers == view.rows[0].places[4].faded == []
    assert [place.can_point for place in seen(match, 1).rows[0].places] == [True] * 9
    assert not any(place.can_point for place in seen(match, 2).rows[0].places)


def test_p07_pointers_begin_anew_with_the_next_row() -> None:
    match = agree(table(THREE, first=0), 4)
    view = seen(match, None)
    assert [(p.seat, p.position, p.now) for p in view.pointing] == [(2, None, False), (0, None, False)]
    assert [(p.seat, p.position) for p in view.settled] == [(1, 4), (2, 4)]


def test_p07_refusals_while_pointing() -> None:
    match = table(THREE, first=0)
    for decision in ("place 1", "reveal 1", "ready"):
        with pytest.raises(IllegalDecision, match="The rows are laid and cannot be changed"):
            match.play(1, decision)
