"""Silencio, rule by rule: shrines S20–S22, tavern S23."""

from __future__ import annotations

import pytest

from tacit import IllegalDecision, Match
from tests.silencio.positions import TAVERN, UNLIT, dealt, hand, pending, row, run, seen, table, tavern, verbs


# ------------------------------------------------------------------ shrines
def test_s20_a_small_shrine_gives_its_colours_light_effect_and_goes_out() -> None:
    match = run(table(["r3 b5", "r4 b6"]), "0 shrine red")
    assert pending(match) == {"no_dark"}  # red needs no further decision
    assert not seen(match, 0).rows[0].lit
    with pytest.raises(IllegalDecision, match="You can take only one shrine a turn"):
        match.play(0, "shrine green")
    run(match, "0 play r3", "0 skip")
    assert match.due == {1}  # no shrine is left to it in the end window


def test_s20_the_large_shrine_gives_the_effect_of_ones_choice() -> None:
    match = table(["r3 b5", "r4 b6"])
    assert {"shrine large red", "shrine large yellow", "shrine large green"} <= set(match.legal(0))
    assert "shrine large blue" not in match.legal(0)  # it could do nothing now
    with pytest.raises(IllegalDecision, match="(?i)blue light effect could do nothing"):
        match.play(0, "shrine large blue")
    run(match, "0 shrine large yellow")
    assert not seen(match, 0).large_lit
    assert verbs(match, 0) == {"show"}
    with pytest.raises(IllegalDecision, match="You must use a shrine’s effect"):
        match.play(0, "skip")


def test_s20_an_unlit_shrine_gives_nothing() -> None:
    match = table(["r3 b5", "r4 b6"], options={"unlit": "small"})
    with pytest.raises(IllegalDecision, match="not lit"):
        match.play(0, "shrine red")
    assert "shrine large red" in match.legal(0)


def test_s20_in_the_end_window_too() -> None:
    match = run(table(["r3 b5", "r4 b6"]), "0 play r3", "0 skip", "0 shrine large blue", "0 take r3")
    assert "r3" in hand(match, 0)
    assert match.due == {1}


def _green_demanded(hands: list[str], oracle: str, unlit: str = "none") -> Match:
    """Seat 0 has played green 2 (dark) and ended its turn."""
    match = table(hands, oracle=oracle, options={"unlit": unlit})
    run(match, "0 play g2")
    if match.due == {0}:
        run(match, "0 end")
    return match


def test_s21_no_shrine_in_a_turn_in_which_one_passes() -> None:
    match = _green_demanded(["g2 r5 r6 b8 b7 y5", "r2 r3 r4 b2 b3 b4"], "y8 y7")
    assert [text for text in match.legal(1) if text.startswith("shrine")] == ["shrine blue", "shrine large blue"]
    run(match, "1 pass")
    assert match.due == {0}  # no end window


def test_s21_who_can_play_may_take_any_shrine_and_must_then_play() -> None:
    match = run(table(["r3 b5", "r4 b6"]), "0 shrine green", "0 choose 1", "1 renew")
    match.settle()
    assert "pass" not in match.legal(0)


def test_s21_with_only_anothers_face_up_card_the_shrine_binds_to_play_it() -> None:
    match = table(
        ["y3 g4 r5 r6 b8 b7", "g2 g3 r2 b2 b3 b4", "r3 r4 b5 b6 y2 y6"], oracle="y8 y7 y9", options={"unlit": "none"}
    )
    run(match, "0 play y3", "0 show g4", "0 end", "1 play g2", "1 end")
    assert {"pass", "play g4"} <= set(match.legal(2))
    run(match, "2 shrine red")
    assert match.legal(2) == ["play g4"]
    with pytest.raises(IllegalDecision, match="taken a shrine and a card can be played"):
        match.play(2, "pass")


def test_s21_who_cannot_play_may_take_blue_for_a_row_with_which_it_can() -> None:
    match = table(["g2 y4 r5 r6 b8 b7", "r2 r3 r4 b2 b3 b4"], oracle="y8 y7")
    run(match, "0 play y4", "0 skip", "0 end", "1 play r2", "1 end", "0 play g2", "0 end")
    assert "shrine blue" in match.legal(1)
    run(match, "1 shrine blue")
    assert match.legal(1) == ["take g2"]  # green is demanded: only a green card can be played
    with pytest.raises(IllegalDecision, match="must leave you one that you can play"):
        match.play(1, "take y4")
    run(match, "1 take g2")
    assert match.legal(1) == ["play g2"]
    run(match, "1 play g2")
    assert row(match, "green") == "2*"


def test_s21_or_green_for_itself_and_an_exchange_that_leaves_a_playable_card() -> None:
    match = _green_demanded(["g2 r5 r6 b8 b7 y5", "r2 r3 r4 b2 b3 b4"], "y8 g7")
    assert "shrine green" in match.legal(1)
    assert "shrine large green" in match.legal(1)
    for text in ("shrine red", "shrine yellow", "shrine large red"):
        with pytest.raises(IllegalDecision, match="could not make sure of one"):
            match.play(1, text)
    run(match, "1 shrine green")
    assert match.legal(1) == ["choose 1"]
    with pytest.raises(IllegalDecision, match="must leave you one that you can play"):
        match.play(1, "choose 0")
    run(match, "1 choose 1")
    assert match.legal(1) == ["exchange g7"]
    for text in ("exchange y8", "renew", "trade 0"):
        with pytest.raises(IllegalDecision, match="must leave you one that you can play"):
            match.play(1, text)
    run(match, "1 exchange g7")
    assert "give g7" not in match.legal(1)
    with pytest.raises(IllegalDecision, match="must leave you one that you can play"):
        match.play(1, "give g7")
    run(match, "1 give r2")
    assert match.legal(1) == ["play g7"]  # it may not pass


def test_s21_no_green_rescue_without_a_fitting_oracle_card_or_without_a_card_to_lay() -> None:
    match = _green_demanded(["g2 r5 r6 b8 b7 y5", "r2 r3 r4 b2 b3 b4"], "y8 y7", unlit="large")
    assert "shrine green" not in match.legal(1)
    match = _green_demanded(["g2 r5 r6 b8 b7 y5", "r2 r3 r4 b2 b3 b4"], "y8 g7")
    match.state.gone |= match.state.hand[1]
    match.state.hand[1] = match.state.hand_len[1] = match.state.known[0] = match.state.known[4] = 0
    assert "shrine green" not in match.legal(1)
    assert "shrine blue" in match.legal(1)


def test_s21_that_a_seat_could_not_play_stays_its_secret() -> None:
    match = _green_demanded(["g2 r5 r6 b8 b7 y5", "r2 r3 r4 b2 b3 b4"], "y8 g7")
    run(match, "1 shrine green")
    assert match.know(1).rescue == 1
    assert match.know(0).rescue == 0
    assert match.know(None).rescue == 0


def test_s22_who_can_play_nothing_after_the_shrine_passes_and_the_shrine_stays_unlit() -> None:
    match = table(["r3 b5", "r4 b6"], oracle="y8 y7")
    run(match, "0 shrine green")
    match.state.hand[0] &= 1 << 1  # seat 0 owns red 3 alone
    match.state.hand_len[0] = 1
    match.state.gone = sum(1 << c for c in range(48) if _nowhere(match, c))
    run(match, "0 choose 1", "1 trade 0", "1 give b6", "0 give b6")
    assert "pass" not in match.legal(0)
    match.state.rows |= 1 << 6  # red 8 lies there: red 3 fits no more
    match.state.gone &= ~(1 << 6)
    match.state.pool &= ~(1 << 6)
    assert [t for t in match.legal(0) if not t.startswith("say")] == ["pass"]
    run(match, "0 pass")
    assert not seen(match, 0).rows[3].lit
    assert match.due == {1}


def _nowhere(match: Match, card: int) -> bool:
    """Is a card of the two-seat deck in no place of this tampered state?"""
    s = match.state
    placed = s.pool | s.rows | s.oracle | s.hand[0] | s.hand[1] | s.up[0] | s.up[1]
    return card % 12 <= 6 and not placed >> card & 1


# ------------------------------------------------------------------ tavern
def _open_tavern() -> Match:
    """Three dark effects have been created; it is seat 2's end window."""
    match = table(["r2 b5 y5 y6", "r3 g5 y7 b8 b3", "r4 g8 g9"], oracle="g2 g3 g4", options=TAVERN)
    return run(match, "0 play r2", "1 play r3", "2 play r4")


def test_s23_opens_with_the_third_dark_effect_also_in_the_same_turns_end_window() -> None:
    match = table(["r2 b5 y5 y6", "r3 g5 y7 b8 b3", "r4 g8 g9"], oracle="g2 g3 g4", options=TAVERN)
    run(match, "0 play r2", "1 play r3")
    assert not tavern(match).open
    with pytest.raises(IllegalDecision, match="The tavern is closed"):
        match.play(2, "say stuck")
    run(match, "2 play r4")
    assert tavern(match).open
    assert verbs(match, 2) == {"say", "end"}


def test_s23_say_stuck_adds_the_number_of_cards_that_fit_no_row() -> None:
    match = run(_open_tavern(), "2 end")
    match.see(1)
    run(match, "0 say stuck")
    owned = hand(match, 0)
    stuck = {card for card in owned if card[0] == "r" and int(card[1:]) <= 4}
    assert match.see(1).heard[-1] == f"0 say stuck {len(stuck)}"
    assert match.lines[-1] == "0 say stuck"
    assert not tavern(match).open
    assert tavern(match).darks == 0


def test_s23_say_stuck_counts_colour_and_rank_only_and_face_up_cards_too() -> None:
    match = run(_open_tavern(), "2 end")
    match.state.only_green = 1
    match.state.up[0] |= 1  # red 2, out of the row and face up: it fits nowhere any more
    match.state.rows &= ~1
    run(match, "0 say stuck")
    assert match.know(1).stuck == 1


@pytest.mark.parametrize(("seats", "least"), [(2, 5), (3, 6), (4, 8)])
def test_s23_say_high_needs_cards_of_the_colour_all_above_half(seats: int, least: int) -> None:
    hands = [f"b{least} b{least + 1} r2 y2", "g2 r3", "g3 r4", "g4 r5"][:seats]
    match = table(hands, options=TAVERN)
    match.state.darks = 3
    assert "say high blue" in match.legal(0)
    assert "say high red" not in match.legal(0)
    with pytest.raises(IllegalDecision, match=f"all of them are {least} or higher"):
        match.play(0, "say high red")
    hands[0] = f"b{least - 1} b{least + 1} r2 y2"
    match = table(hands, options=TAVERN)
    match.state.darks = 3
    assert "say high blue" not in match.legal(0)


def test_s23_what_was_said_is_remembered() -> None:
    match = table(["b7 b8 r2 y2", "g2 r3"], options=TAVERN)
    match.state.darks = 3
    run(match, "0 say high blue")
    assert match.know(1).said == 3
    assert match.know(1).said_by == 0


def test_s23_say_avoid_is_a_wish_about_any_colour() -> None:
    match = run(_open_tavern(), "2 say avoid green")
    assert match.due == {0}  # nothing more is offered
    assert match.see(1).heard[-1] == "2 say avoid green"
    assert match.know(1).said == 9


def test_s23_in_the_start_window_and_beside_a_shrine() -> None:
    match = table(
        ["r2 b5 y5 y6", "r3 g5 y7 b8 b3", "r4 g8 g9"], oracle="g2 g3 g4", options={"tavern": True, "unlit": "small"}
    )
    run(match, "0 play r2", "0 end", "1 play r3", "1 end", "2 play r4", "2 end")
    run(match, "0 say avoid red", "0 shrine large red", "0 play b5")
    assert match.due == {1}


def test_s23_also_in_a_turn_in_which_one_passes_but_not_after_the_last_pass() -> None:
    match = table(["g2 r5 r6 b8 b7 y5", "r2 r3 r4 b2 b3 b4"], oracle="y8 y7", options=TAVERN)
    run(match, "0 play g2")
    match.state.darks = 3
    run(match, "1 pass")
    assert verbs(match, 1) == {"say", "end"}
    with pytest.raises(IllegalDecision, match="You cannot take a shrine in a turn in which you pass"):
        match.play(1, "shrine red")
    run(match, "1 end", "0 pass")
    assert match.over


def test_s23_without_the_option_there_is_no_tavern() -> None:
    match = run(table(["r2 b5", "r3 g5", "r4 g8"], options=UNLIT), "0 play r2", "1 play r3", "2 play r4")
    assert match.due == {0}
    with pytest.raises(IllegalDecision, match="without the tavern"):
        match.play(0, "say stuck")


def test_s23_in_version_1_not_in_the_moment_after_a_draw_in_vain() -> None:
    hands = ["r6 y2 b5", "r3 r7 b4 b6 g5 g6", "r8 g2 g4"]
    match = table(hands, oracle="y8 y9 y10", starter=2, options=TAVERN, rules=1)
    run(match, "2 play r8", "2 skip", "0 play y2", "1 draw")
    match.state.darks = 3
    run(match, "* draw r3")
    with pytest.raises(IllegalDecision, match="start of your turn is past"):
        match.play(1, "say stuck")


def test_s04_and_s26_signals_are_not_legal() -> None:
    match = dealt(["r2", "r3"], "b2 b3")
    with pytest.raises(ValueError, match="Silencio has no signals"):
        Match.load(str(match) + "! 0 nod\n")
