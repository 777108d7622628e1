"""Silver & Gold, rule by rule: G01, G04–G10. G11–G13 are in test_scoring.py, the deck (G02, G03) in test_deck.py."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from tacit import IllegalDecision, Match, render
from tacit.core import laws
from tacit.core.chance import FRESH
from tacit.games.silver_and_gold.notation import encode_text
from tests.silver_and_gold.positions import (
    all_of,
    cards,
    dealt,
    idle,
    left,
    marks,
    place,
    run,
    seen,
    table,
    verbs,
    with_cards,
)


def refusal(match: Match, seat: int, text: str) -> str:
    """Why a decision is refused; nothing changes."""
    before = match.state.copy()
    with pytest.raises(IllegalDecision) as refused:
        match.play(seat, text)
    assert match.state == before
    return str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "", "keep", "keep p1", "keep p2 p1", "keep p1 x9", "take p1 p2", "mark p1", "mark p1 b1 a1", "mark p1 a1 z9",
        "cross x1 a1", "cross p1 a1 a2",
    ],
)  # fmt: skip
def test_a_text_that_is_no_crossing_and_no_keeping_has_no_number(text: str) -> None:
    assert encode_text(text) == -1


def test_the_number_of_a_text_is_refused_where_the_text_is() -> None:
    match = run(table("s7 s11", "s5 s1"), "* expedition I3")
    decode_text: Any = match.game.rules.decode_text
    for text in ("keep s7 s11", "mark s5 a1 b1 c1", "bonus s7 a1", "mark s7 a1 b2"):
        assert decode_text(match.state, 0, encode_text(text)) == -1
    begun = dealt("p1 p2 p3 p4", "s1 s2 s3 s4")
    codes = [encode_text(f"keep {pair}") for pair in ("p2 p4", "p2 s1")]
    assert [decode_text(begun.state, 0, code) for code in codes] == [4, -1]


# ------------------------------------------------------------------ G01
def test_g01_eight_expeditions_of_six_shapes() -> None:
    match = table("s7 s11", "s5 s1")
    assert match.chance() == {
        "expedition I2": 1, "expedition I3": 2, "expedition L3": 2, "expedition T4": 1, "expedition L4": 1,
        "expedition O4": 1,
    }  # fmt: skip


def brute_places(picture: str, free: set[str]) -> set[frozenset[str]]:
    """Every turning and mirroring of a picture on free cells, by trying all of them."""
    cells = {(x, y) for y, row in enumerate(picture.split()) for x, sign in enumerate(row) if sign == "o"}
    found = set()
    for flip, swap, dx, dy in itertools.product(
        [(1, 1), (1, -1), (-1, 1), (-1, -1)], [0, 1], range(-4, 5), range(-4, 5)
    ):
        laid = {(y, x) if swap else (x, y) for x, y in ((flip[0] * x, flip[1] * y) for x, y in cells)}
        moved = [(x + dx, y + dy) for x, y in laid]
        if all(0 <= x < 4 and 0 <= y < 4 and f"{'abcd'[x]}{y + 1}" in free for x, y in moved):
            found.add(frozenset(f"{'abcd'[x]}{y + 1}" for x, y in moved))
    return found


SHAPES = {"I2": "oo", "I3": "ooo", "L3": "oo o.", "T4": "ooo .o.", "L4": "ooo o..", "O4": "oo oo"}


@pytest.mark.parametrize("shape", SHAPES)
def test_g01_and_g07_every_turning_and_mirroring_of_the_shape_on_free_cells(shape: str) -> None:
    match = run(table("p7 o10", "s5 s1", display="p1 p2 p3 p4"), "* expedition L3", "0 cross o10 b3", "1 cross s1 a1")
    run(match, f"* expedition {shape}")
    view = place(match, 0)
    for held in view.cards:
        cells = {f"{'abcd'[x]}{y + 1}" for y, row in enumerate(held.island.rows) for x, s in enumerate(row) if s != "."}
        wanted = brute_places(SHAPES[shape], cells - set(held.crossed))
        texts = marks(match, 0, held.island.card)
        assert {frozenset(text.split()) for text in texts} == wanted
        assert len(texts) == len(wanted) == held.places
        for text in texts:  # row by row, left to right
            assert text.split() == sorted(text.split(), key=lambda cell: (cell[1], cell[0]))


# ------------------------------------------------------------------ G04
def test_g04_six_trophies_and_an_empty_sheet() -> None:
    view = seen(table("s7 s11", "s5 s1"), 0)
    assert view.trophies == [6, 5, 4, 3, 2, 1]
    assert (view.table[0].coins, view.table[0].palms, view.table[0].trophies, view.table[0].to_trophy) == (0, [], [], 4)


# ------------------------------------------------------------------ G05
def test_g05_four_cards_each_seat_by_seat_then_display_and_start() -> None:
    match = Match("silver-and-gold", 3, seed=2, settle=False)
    assert match.chance() == {f"deal 0 {c}": 1 for c in [f"{k}{n}" for k in "pogs" for n in range(1, 13)] if c != "s12"}
    match.settle()
    assert [" ".join(line.split()[:-1]) for line in match.lines] == ["* deal 0"] * 4 + ["* deal 1"] * 4 + [
        "* deal 2"
    ] * 4
    assert match.due == {0, 1, 2}
    for seat in (2, 0, 1):
        match.play(seat, match.legal(seat)[0], settle=False)
    assert match.game.rules.pool(match.state) == 1  # a deck with cards returned to it is a new one
    assert len(match.chance()) == 47 - 3 * 2
    match.settle()
    assert [line.split()[1] for line in match.lines[-6:]] == ["show"] * 4 + ["start", "expedition"]
    assert seen(match, None).deck == 47 - 3 * 2 - 4


def test_g05_two_of_four_are_kept_and_the_others_go_back_into_the_deck() -> None:
    match = dealt("p9 p10 g2 s3", "s7 s11")
    assert match.legal(0) == [
        "keep p9 p10", "keep p9 g2", "keep p9 s3", "keep p10 g2", "keep p10 s3", "keep g2 s3",
    ]  # fmt: skip
    run(match, "1 keep s7 s11")
    assert match.due == {0}
    run(match, "0 keep p10 s3")
    assert cards(match, 0) == ["p10", "s3"]
    assert {"show p9", "show g2"} <= set(match.chance())
    assert not {"show p10", "show s3", "show s7", "show s11"} & set(match.chance())


def test_g05_refusals_when_choosing_cards() -> None:
    match = dealt("p9 p10 g2 s3", "s7 s11")
    assert refusal(match, 0, "keep g2 p9") == (
        "Name the two cards in the order purple, orange, green, grey, the lower number first."
    )
    assert refusal(match, 0, "keep p10 p9") == refusal(match, 0, "keep g2 p9")
    assert refusal(match, 0, "keep p9 p9") == "Keep two different cards."
    assert refusal(match, 0, "keep p9 s7") == "Grey 7 was not dealt to you."
    assert refusal(match, 0, "keep p9 x7").startswith("There is no card “x7”")
    assert refusal(match, 0, "keep p9") == "“keep p9” is not a decision in Silver & Gold."
    assert refusal(match, 0, "mark p9 a1 b1") == "No shape is crossed off now."
    assert refusal(match, 0, "cross p9 a1") == "No cell is crossed off now."
    assert refusal(match, 0, "take deck").startswith("No card is taken now")
    run(match, "0 keep p9 p10")
    assert refusal(match, 0, "keep p9 g2") == "It is not for seat 0 to decide now."


def test_g05_any_seat_may_start() -> None:
    match = dealt("s1", "s2", "s3")
    for seat in range(3):
        run(match, f"{seat} {match.legal(seat)[0]}")
    run(match, *(f"* show {card}" for card in ("p1", "p2", "p3", "p4")))
    assert match.chance() == {"start 0": 1, "start 1": 1, "start 2": 1}
    assert match.game.rules.pool(match.state) == FRESH
    assert match.game.module.roll(match.state, [1, 2, 3, 4], [0] * 47) in (0, 1, 2)


# ------------------------------------------------------------------ G06
def test_g06_seven_of_the_eight_expeditions_then_all_eight_again() -> None:
    match = table("p7 p5", "p8 p6", display="s1 s2 s3 s4")
    for shape in ("I2", "I3", "I3", "L3", "L3", "T4", "L4"):
        assert f"expedition {shape}" in match.chance()
        quiet_turn(match, shape)
    assert match.state.turn == 7
    assert sum(match.chance().values()) == 8  # the square was not seen in the round
    assert match.game.rules.pool(match.state) == 3


def quiet_turn(match: Match, shape: str) -> None:
    """Each seat crosses off a single cell without symbol."""
    run(match, f"* expedition {shape}")
    run(match, *(f"{seat} {plain_cross(match, seat)}" for seat in range(match.seats)))


def plain_cross(match: Match, seat: int) -> str:
    """A single cell without symbol."""
    for text in match.legal(seat):
        verb, card, cell = text.split()[:3]
        rows = next(h.island.rows for h in place(match, seat).cards if h.island.card == card)
        if verb == "cross" and rows[int(cell[1]) - 1]["abcd".index(cell[0])] == "o":
            return text
    raise AssertionError(seat)


def test_g06_the_sixth_and_seventh_card_of_a_round_come_from_what_is_left() -> None:
    match = table("p7 p5", "p8 p6", display="s1 s2 s3 s4")
    for n, shape in enumerate(("I2", "I3", "I3", "L3", "L3", "T4")):
        assert sum(match.chance().values()) == 8 - n
        quiet_turn(match, shape)
    assert match.chance() == {"expedition L4": 1, "expedition O4": 1}


# ------------------------------------------------------------------ G07
def test_g07_the_shape_whole_or_one_single_cell_on_either_card() -> None:
    match = run(table("s7 s11", "s5 s1"), "* expedition O4")
    assert verbs(match, 0) == {"mark", "cross"}
    assert set(marks(match, 0, "s7")) == {"a1 b1 a2 b2", "b1 c1 b2 c2"}
    singles = {text for text in match.legal(0) if text.startswith("cross")}
    assert len(singles) == 16
    run(match, "0 mark s7 a1 b1 a2 b2")
    assert left(match, 0) == {"s7": 4, "s11": 8}
    assert match.due == {1}


def test_g07_the_single_cell_is_always_a_choice_also_when_the_shape_fits_nowhere() -> None:
    match = run(table("s7 s11", "s5 s1"), "* expedition O4", "0 mark s7 b1 c1 b2 c2", "1 cross s1 a1")
    run(match, "* expedition L3", "0 mark s11 a2 b2 b3", "1 cross s1 a2")
    run(match, "* expedition T4")
    assert marks(match, 0, "s7") == marks(match, 0, "s11") == []
    assert verbs(match, 0) == {"cross"}
    assert render(seen(match, 0).ask) == "Cross off a single cell: there is no room left for the T."


def test_g07_refusals_when_crossing_off() -> None:
    match = run(table("s7 s11", "s5 s1"), "* expedition L3", "0 mark s7 a1 b1 a2", "1 cross s1 a1", "* expedition L3")
    assert refusal(match, 0, "mark s7 a1 b1 b2") == "Cells a1, b1 on grey 7 are crossed off already."
    assert refusal(match, 0, "mark s7 c2 b3 c3") == "There is no cell b3 on grey 7."
    assert (
        refusal(match, 0, "mark s7 c1 c2")
        == "The cells c1, c2 are not the corner three, however it is turned or mirrored."
    )
    assert refusal(match, 0, "mark s7 b2 c1 c2") == "Name the cells row by row, from left to right, each once."
    assert refusal(match, 0, "mark s7 c1 c1 c2") == "Name the cells row by row, from left to right, each once."
    assert refusal(match, 0, "mark s5 a1 a2 b2") == "Grey 5 does not lie before you."
    assert refusal(match, 0, "cross s7 a1") == "Cell a1 on grey 7 is crossed off already."
    assert refusal(match, 0, "cross s7 d1") == "There is no cell d1 on grey 7."
    assert refusal(match, 0, "cross s7 e1").startswith("There is no cell “e1”")
    assert refusal(match, 0, "cross s12 a1").startswith("There is no card “s12”")
    assert refusal(match, 0, "cross s7").startswith("“cross s7” is not")
    assert refusal(match, 0, "bonus s7 c1").startswith("No cross symbol gives you a cell now")
    assert refusal(match, 0, "keep s7 s11") == "Cards are chosen only before the first turn."
    assert refusal(match, 0, "take s7").startswith("No card is taken now")
    assert refusal(match, 0, "mark") == "“mark” is not a decision in Silver & Gold."
    assert refusal(match, 0, "sing a1") == "“sing a1” is not a decision in Silver & Gold."


# ------------------------------------------------------------------ G08
def test_g08_every_cross_symbol_gives_one_further_cell_on_either_card() -> None:
    match = run(table("p1 s11", "s5 s1"), "* expedition I2", "0 mark p1 a1 b1")  # a1 bears a cross
    assert match.due == {0, 1}
    assert verbs(match, 0) == {"bonus"}
    assert len(match.legal(0)) == 12 + 8
    assert refusal(match, 0, "cross s11 a1").startswith("First cross off the cell that your cross symbol gives")
    assert refusal(match, 0, "mark s11 a1 b1") == refusal(match, 0, "cross s11 a1")
    assert refusal(match, 0, "bonus p1 a1") == "Cell a1 on purple 1 is crossed off already."
    run(match, "0 bonus s11 a1")
    assert match.due == {1}
    assert left(match, 0) == {"p1": 12, "s11": 7}


def test_g08_bonus_cells_count_their_own_symbols_in_chains() -> None:
    match = run(table("p1 s10", "s5 s1"), "* expedition I2", "0 mark p1 a1 b1", "0 bonus p1 a3", "0 bonus p1 d3")
    assert verbs(match, 0) == {"bonus"}
    run(match, "0 bonus s10 b1")  # a cross again
    run(match, "0 bonus s10 c2")  # a coin: the chain ends
    assert match.due == {1}
    assert place(match, 0).coins == 1


def test_g08_two_crosses_in_one_shape_give_two_cells() -> None:
    game = with_cards(s11="xx. ooo ooo")
    match = run(table("s7 s11", "s5 s1", game=game), "* expedition I2", "0 mark s11 a1 b1")
    assert seen(match, 0).bonus == 2
    assert refusal(match, 0, "cross s7 a1").startswith("First cross off the 2 cells")
    run(match, "0 bonus s7 a1")
    assert seen(match, 0).bonus == 1
    run(match, "0 bonus s7 b1")
    assert match.due == {1}


def test_g08_with_no_free_cell_left_the_chain_lapses() -> None:
    match = run(table("s7 s11", "s5 s1", game=all_of("x")), "* expedition O4", "0 mark s7 a1 b1 a2 b2")
    for _ in range(12):
        assert verbs(match, 0) == {"bonus"}
        match.play(0, match.legal(0)[0], settle=False)
    assert match.due == {1}  # all 16 cells are crossed off; four cells are owed no more
    assert left(match, 0) == {"s7": 0, "s11": 0}
    assert seen(match, 0).bonus == 0


# ------------------------------------------------------------------ G09
def test_g09_coins_fill_the_next_field_and_beyond_twelve_are_lost() -> None:
    game = with_cards(s11="$$. $$$ $$$", s7="$$$. $$$$ ..$.")
    match = table("s7 s11", "s5 s1", game=game)
    run(match, "* expedition O4", "0 mark s7 a1 b1 a2 b2", "1 cross s5 a1")
    run(match, "* expedition L4", "0 mark s11 a1 b1 b2 b3", "1 cross s5 a2")
    assert seen(match, 1).table[0].coins == 8
    run(match, "* expedition I3", "0 mark s7 c1 c2 c3", "1 cross s5 b2")
    assert (place(match, 0).coins, place(match, 0).to_trophy) == (11, 1)
    run(match, "* expedition L3", "0 cross s7 d2", "1 cross s5 c2")
    run(match, "0 take p5", "* show p9")
    assert (place(match, 0).coins, place(match, 0).to_trophy) == (12, None)
    run(match, "* expedition L3", "0 cross s11 c2", "1 cross s5 c1")
    assert (place(match, 0).coins, place(match, 0).trophies) == (12, [6, 5, 4])
    assert place(match, 0).points.coins == 12


def test_g09_a_palm_scores_one_and_the_palms_on_the_display_at_once() -> None:
    match = run(table("s6 s11", "s8 s1", display="p10 p11 o6 p7"), "* expedition I2")
    assert seen(match, 0).palm_worth == 4
    run(match, "0 mark s6 b1 b2")
    assert place(match, 0).palms == [4]
    run(match, "1 cross s8 a3")
    assert [seat.palms for seat in seen(match, None).table] == [[4], [4]]
    assert [seat.points.palms for seat in seen(match, None).table] == [4, 4]


def test_g09_own_other_cards_do_not_count_for_palms() -> None:
    match = run(table("s6 s4", "s8 s10", display="p7 o10 s3 s5"), "* expedition I2", "0 cross s6 b1")
    assert place(match, 0).palms == [1]


def test_g09_beyond_four_palms_score_nothing() -> None:
    game = with_cards(s11="^^. ^^^ ooo")
    match = run(table("s7 s11", "s5 s1", game=game), "* expedition L4", "0 mark s11 a1 a2 b2 c2", "1 cross s5 a1")
    assert place(match, 0).palms == [2, 2, 2, 2]
    run(match, "* expedition L3", "0 cross s11 b1", "1 cross s5 a2")
    assert place(match, 0).palms == [2, 2, 2, 2]


# ------------------------------------------------------------------ G10
def completes_s11(match: Match) -> Match:
    """Seat 0 completes s11 in four turns, seat 1 crosses off single cells of s5."""
    for shape, mine, other in (
        ("L4", "mark s11 a1 b1 b2 b3", "a1"), ("I2", "mark s11 a2 a3", "a2"), ("I3", "cross s11 c2", "b2"),
        ("I3", "cross s11 c3", "c2"),
    ):  # fmt: skip
        run(match, f"* expedition {shape}", f"0 {mine}", f"1 cross s5 {other}")
    return match


def test_g10_a_completed_card_is_laid_aside_and_a_new_one_taken_from_the_display() -> None:
    match = completes_s11(table("s7 s11", "s5 o1"))
    assert match.due == {0}
    assert seen(match, 1).table[0].completed[0].card == "s11"
    assert match.legal(0) == ["take p5", "take p6", "take p7", "take p8", "take deck"]
    assert refusal(match, 0, "take s1") == "Grey 1 does not lie on the display."
    assert refusal(match, 0, "take p5 p6") == "“take p5 p6” is not a decision in Silver & Gold."
    assert refusal(match, 1, "take p5") == "It is not for seat 1 to decide now."
    run(match, "0 take p6")
    assert len(match.chance()) == 47 - 4 - 4  # the display is filled to four
    run(match, "* show o2")
    assert cards(match, 0) == ["s7", "p6"]
    assert [island.card for island in seen(match, None).display] == ["p5", "p7", "p8", "o2"]


def test_g10_a_blind_card_must_be_kept() -> None:
    match = run(completes_s11(table("s7 s11", "s5 o1")), "0 take deck")
    assert match.due == frozenset()
    assert "blind 0 g4" in match.chance()
    run(match, "* blind 0 g4")
    assert cards(match, 0) == ["s7", "g4"]
    assert [island.card for island in seen(match, None).display] == ["p5", "p6", "p7", "p8"]
    assert "expedition T4" in match.chance()


def finish_chains(match: Match) -> Match:
    """Every seat takes its first legal choice until all are done."""
    while match.game.module.sealed(match.state):
        seat = min(match.due)
        match.play(seat, match.legal(seat)[0], settle=False)
    return match


def test_g10_two_completed_cards_are_replaced_one_after_the_other_without_refill() -> None:
    match = finish_chains(run(table("s7 s11", "s5 s1", game=all_of("x")), "* expedition O4"))
    assert match.due == {0}
    assert seen(match, 0).takes == 2
    assert render(seen(match, 0).ask).startswith("You completed 2 cards")
    assert [message.code for message in seen(match, 1).pending] == ["silver-and-gold.pending.take"]
    run(match, "0 take p6")
    assert match.legal(0) == ["take p5", "take p7", "take p8", "take deck"]
    run(match, "0 take deck", "* blind 0 o2", "* show o3")
    assert cards(match, 0) == ["p6", "o2"]
    assert match.due == {1}  # who completed both cards too
    assert [island.card for island in seen(match, None).display] == ["p5", "p7", "p8", "o3"]


def test_g10_from_the_starting_player_clockwise_each_gets_the_highest_trophy_left() -> None:
    game = with_cards(s11="$$. $$$ $oo", s7="$$$. $$$$ ..$.")
    match = run(table("s7 s1", "s11 s2", "o10 o1", game=game, starter=1), "* expedition O4")
    run(match, "0 mark s7 a1 b1 a2 b2", "2 cross o10 c1", "1 mark s11 a1 b1 a2 b2")
    assert [seat.trophies for seat in seen(match, None).table] == [[5], [6], []]
    assert seen(match, None).trophies == [4, 3, 2, 1]


def test_g10_a_row_that_is_full_when_no_trophy_is_left_gets_nothing() -> None:
    match = table("p7 p5", "p6 p8", "p9 p10", display="s1 s2 s3 s4", game=all_of("$"))
    for shape in ("O4", "T4", "L4"):
        run(match, f"* expedition {shape}")
        run(match, *(f"{seat} {next(t for t in match.legal(seat) if t.startswith('mark'))}" for seat in range(3)))
    view = seen(match, None)
    assert [seat.trophies for seat in view.table] == [[6, 1, 0], [5, 3, 0], [4, 2, 0]]
    assert [seat.coins for seat in view.table] == [12, 12, 12]
    assert view.trophies == []


def test_g10_a_trophy_comes_when_its_seat_is_settled_not_before() -> None:
    game = with_cards(s11="ox. ooo ooo", s5="o.o. oo$. .$$$")
    match = table("s7 s11", "s5 s1", game=game)
    run(match, "* expedition L4", "0 mark s11 a2 a3 b3 c3", "1 cross s5 a1")
    run(match, "* expedition I3", "0 cross s7 a1", "1 mark s5 b3 c3 d3")
    run(match, "* expedition L3", "0 mark s11 a1 b1 b2", "0 bonus s11 c2", "1 cross s5 c2")
    assert match.due == {0}
    assert (seen(match, 1).table[1].coins, seen(match, 1).table[1].trophies) == (4, [])
    assert [message.code for message in seen(match, 0).pending] == ["silver-and-gold.pending.trophy"]
    run(match, "0 take p5", "* show o2")
    assert seen(match, 1).table[1].trophies == [6]


def drained(seats: int, turns: int) -> Match:
    """All cells are crosses, so both cards of every seat are completed in every turn: the deck runs out."""
    hands = [f"s{2 * q + 1} s{2 * q + 2}" for q in range(seats)]
    match = table(*hands, game=all_of("x"))
    while match.state.turn < turns:
        if match.due:
            match.play(min(match.due), match.legal(min(match.due))[0], settle=False)
        else:
            match.play("*", next(iter(match.chance())), settle=False)
    return match


def test_g10_with_an_empty_deck_only_the_display_is_left_and_then_fewer_cards() -> None:
    match = drained(4, 4)  # 8 cards kept, 4 shown, 35 in the deck: 8 are taken in every turn
    assert seen(match, None).deck == 47 - 12 - 32
    finish_chains(run(match, f"* {next(iter(match.chance()))}"))
    sizes = []
    while match.state.turn == 4:
        if match.due:
            seat = min(match.due)
            sizes.append((len(match.legal(seat)), "take deck" in match.legal(seat)))
            if not match.state.left:
                assert refusal(match, seat, "take deck") == "The deck is empty: take a card from the display."
            match.play(seat, match.legal(seat)[0], settle=False)
        else:
            match.play("*", next(iter(match.chance())), settle=False)
    # Two seats take two cards each, the display is filled up to four once and to three once; then it empties.
    assert sizes == [(5, True), (4, True), (5, True), (4, True), (3, False), (2, False), (1, False)]
    assert [len(cards(match, q)) for q in range(4)] == [2, 2, 2, 1]
    assert seen(match, None).display == []


def test_g10_a_seat_without_cards_does_nothing_and_expeditions_go_on() -> None:
    match = drained(4, 5)
    s = match.state
    s.completed[3] |= 1 << s.card[3, 0]  # the last card of seat 3 is laid aside by hand
    s.card[3, 0], s.free[3, 0] = -1, 0
    assert match.game.rules.audit(s) == 0
    run(match, f"* {next(iter(match.chance()))}")
    assert match.due == {0, 1, 2}
    assert match.legal(3) == []
    laws.law_knowledge(match, random.Random(1))
    assert render(seen(match, 3).ask) == "You have no cards left, so you only watch."
    finish_chains(match)
    laws.law_hearing(match, random.Random(1))
    assert match.state.turn == 6  # all cards are completed and nothing is left to take
    for turn in range(6, 28):
        assert match.due == frozenset()
        match.play("*", next(iter(match.chance())), settle=False)
        assert match.state.turn == min(turn + 1, 27)
    assert match.over
    assert match.result is not None
    assert sum(sum(done.values()) for done in match.result["completed"]) == 47


def test_g10_of_a_seat_without_cards_nothing_is_heard_in_the_last_turn() -> None:
    match = idle(table("p7 p5", "p8 p6", display="s1 s2 s3 s4"), 27)
    for slot in range(2):
        match.state.completed[1] |= 1 << match.state.card[1, slot]
        match.state.card[1, slot], match.state.free[1, slot] = -1, 0
    run(match, f"* {next(iter(match.chance()))}")
    while match.due:
        before, action = match.know(None), match.game.legal(match.state, 0)[0]
        match.play(0, match.legal(0)[0], settle=False)
    assert match.over
    lines = match.game.rules.hear(before, 0, action, match.know(None))
    assert {line.split()[0] for line in lines} == {"0"}
