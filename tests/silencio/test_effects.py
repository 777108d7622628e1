"""Silencio, rule by rule: effects S12–S19."""

from __future__ import annotations

from typing import Any

import pytest

from tacit import IllegalDecision, Match
from tacit.core.messages import render
from tests.silencio.positions import (
    TAVERN,
    UNLIT,
    hand,
    known,
    pending,
    plays,
    row,
    run,
    seen,
    table,
    tavern,
    up,
    verbs,
)


# ------------------------------------------------------------------ red
def test_s12_red_light_spares_the_next_card_its_dark_effect() -> None:
    match = run(table(["r3 b5", "g2 b6"], options=UNLIT), "0 play r3", "0 use")
    assert pending(match) == {"no_dark"}
    run(match, "1 play g2")
    assert row(match, "green") == "2*"
    assert pending(match) == set()
    assert match.due == {0}


def test_s12_red_dark_spares_the_next_card_its_light_effect() -> None:
    match = run(table(["r2 b5", "g3 b6"], options=UNLIT), "0 play r2", "1 play g3")
    assert match.due == {0}  # no choice for green
    assert pending(match) == set()


def test_s12_the_flags_bind_the_next_card_whatever_it_would_have_done() -> None:
    match = run(table(["r3 b5", "g3 g4 b6"], options=UNLIT), "0 play r3", "0 use", "1 play g3", "1 skip")
    assert pending(match) == set()  # a light card used up the dark flag


def test_s12_both_flags_go_with_the_same_card() -> None:
    match = table(["r2 b5", "r5 b6"])
    run(match, "0 play r2", "0 shrine red")
    assert pending(match) == {"no_dark", "no_light"}
    run(match, "1 play r5")
    assert pending(match) == set()


def test_s12_passes_and_shrines_do_not_use_the_flags_up() -> None:
    match = run(table(["g2 g3 r5 b8 b7 y5", "r2 r3 b3 b2 b4 y6"], oracle="y8 y7"), "0 play g2", "0 shrine red")
    run(match, "1 pass")
    assert pending(match) == {"no_dark", "only_green"}
    run(match, "0 play g3")
    assert pending(match) == set()


def test_s12_the_flags_never_touch_a_shrine() -> None:
    match = run(table(["r2 b5", "r5 b6 y4"]), "0 play r2", "0 end", "1 shrine yellow")
    assert verbs(match, 1) == {"show"}


# ------------------------------------------------------------------ blue
def test_s13_blue_light_takes_the_last_card_of_another_row() -> None:
    match = run(table(["r4 g5", "b4 g6", "y3 g7"], options=UNLIT), "0 play r4", "0 skip", "1 play b4")
    assert match.legal(1) == ["take r4", "skip"]
    run(match, "1 take r4")
    assert "r4" in hand(match, 1)
    assert row(match, "red") == ""
    assert known(match, 2, 1) == {"r4"}
    assert known(match, None, 1) == {"r4"}


def test_s13_never_a_blue_card_or_a_shrine() -> None:
    match = run(table(["b3 g5 r4", "b5 g6"]), "0 play b3")
    assert match.due == {0}
    assert "take" not in verbs(match, 0)  # without a target it is not offered
    assert "shrine blue" not in match.legal(0)
    run(match, "0 end", "1 play b5")
    assert "take" not in verbs(match, 1)
    match = run(table(["b3 r4", "y3 g6"]), "0 play b3", "0 end", "1 play y3", "1 skip", "1 shrine blue")
    assert match.legal(1) == ["take y3"]
    with pytest.raises(IllegalDecision, match="(?i)blue 3 cannot be taken: blue cards stay"):
        match.play(1, "take b3")
    with pytest.raises(IllegalDecision, match="(?i)red 4 is not the last card of a row"):
        match.play(1, "take r4")


def test_s13_the_row_goes_on_below_the_taken_card() -> None:
    match = run(table(["r3 g5", "r4 r5 g6", "b3 g7"], options=UNLIT), "0 play r3", "0 skip", "1 play r4")
    run(match, "2 play b3")
    assert match.due == {0}  # red dark: no light effect for it
    match = run(table(["r3 r7 g5", "y3 g6", "b3 g7"], options=UNLIT), "0 play r3", "0 skip", "1 play y3", "1 skip")
    run(match, "2 play b3", "2 take r3")
    assert row(match, "red") == ""
    assert plays(match, 0) >= {"r7"}


def test_s14_blue_dark_gives_an_oracle_card_away_and_turns_up_a_new_one() -> None:
    match = run(table(["b2 g5", "y4 g6", "y5 g7"], oracle="r3 r4 r5", options=UNLIT), "0 play b2")
    assert match.legal(0) == [f"send r{n} {q}" for n in (3, 4, 5) for q in (1, 2)]
    with pytest.raises(IllegalDecision, match="goes to another seat"):
        match.play(0, "send r3 0")
    with pytest.raises(IllegalDecision, match="(?i)yellow 4 is not in the Oracle"):
        match.play(0, "send y4 1")
    rules: Any = match.game.rules
    codes = [rules.encode_text(text) for text in ("send r4 2", "send y4 1", "send r4 3", "send r4", "play r4")]
    read = [rules.decode_text(match.state, 0, code) if code >= 0 else None for code in codes]
    assert read == [rules.parse(match.state, 0, "send r4 2"), -1, -1, None, None]
    run(match, "0 send r4 2")
    assert "r4" in hand(match, 2)
    assert known(match, 1, 2) >= {"r4"}
    assert match.due == set()
    assert all(text.startswith("oracle ") for text in match.chance())
    before = set(seen(match, None).oracle)
    match.settle()
    assert len(seen(match, None).oracle) == 3
    assert before == {"r3", "r5"}


def test_s14_a_seat_with_an_empty_hand_may_get_it_and_an_empty_deck_shrinks_the_oracle() -> None:
    match = table(["b2 g5", "y4 g6"], oracle="r3 r4", options=UNLIT)
    match.state.gone |= match.state.pool  # as if the deck had been used up by renewals
    match.state.pool = match.state.deck = 0
    match.state.hand_len[1] = match.state.hand[1] = 0
    match.state.known[0] = match.state.known[1] = match.state.known[4] = 0
    run(match, "0 play b2", "0 send r3 1")
    assert seen(match, None).oracle == ["r4"]
    assert hand(match, 1) == {"r3"}
    assert match.due == {1}


def test_s14_with_an_empty_oracle_nothing_happens_but_it_counts() -> None:
    match = table(["b2 g5", "y4 g6"], oracle="r3 r4", options=TAVERN)
    match.state.gone |= match.state.oracle
    match.state.oracle = 0
    blue = next(card for card in seen(match, 0).hand if card.card == "b2")
    assert blue.effect is not None
    assert render(blue.effect) == "its effect could do nothing"
    run(match, "0 play b2")
    assert match.due == {1}
    assert tavern(match).darks == 1


# ------------------------------------------------------------------ yellow
def test_s15_yellow_light_lays_a_hidden_card_face_up() -> None:
    match = run(table(["y3 r4 b5", "g2 g4"], options=UNLIT), "0 play y3")
    assert "show y3" not in match.legal(0)
    run(match, "0 show r4")
    assert up(match, 0) == {"r4"}
    assert "r4" not in hand(match, 0)
    assert seen(match, 1).table[0].hidden == 4
    assert "play r4" in match.legal(1)


def test_s15_needs_a_hidden_card() -> None:
    match = table(["y3 r4 b5", "g2 g4"], options=UNLIT)
    for card in range(48):  # lay all but yellow 3 face up
        if match.state.hand[0] >> card & 1 and card != 25:
            match.state.hand[0] &= ~(1 << card)
            match.state.up[0] |= 1 << card
            match.state.hand_len[0] -= 1
    run(match, "0 play y3")
    assert match.due == {1}


def test_s15_a_face_up_card_counts_as_its_owners_but_is_never_drawn_by_chance() -> None:
    match = table(["y3 r4 b5", "y4 g4"], options=UNLIT)
    run(match, "0 play y3", "0 show r4", "1 play y4")
    assert pending(match) == {"duty"}
    run(match, "0 draw")
    assert "draw r4" not in match.chance()
    assert set(match.chance().values()) == {1}


def _duty() -> Match:
    """Yellow dark was played by seat 0; seat 1 is next."""
    match = table(["r6 y2 b5", "r3 r7 b4 b6 g5 g6", "r8 g2 g4"], oracle="y8 y9 y10", starter=2, options=UNLIT)
    return run(match, "2 play g4", "2 skip", "0 play y2")


def test_s16_the_next_seat_that_can_play_must_draw() -> None:
    match = _duty()
    assert match.legal(1) == ["draw"]
    with pytest.raises(IllegalDecision, match="one of your hidden ones is drawn at random"):
        match.play(1, "play r3")
    run(match, "1 draw")
    assert match.due == set()
    assert set(match.chance()) == {f"draw {card}" for card in hand(match, 1)}
    assert set(match.chance().values()) == {1}


def test_s16_a_drawn_card_that_fits_is_played_with_its_effect() -> None:
    match = run(_duty(), "1 draw", "* draw b4")
    assert row(match, "blue") == "4"
    assert pending(match) == set()
    assert match.legal(1) == ["take y2", "take g4", "skip"]


def _in_vain(rules: int | None = None, tavern: bool = False) -> Match:
    """Seat 1 has drawn red 3, which cannot be played: the red row ends with 8."""
    hands = ["r6 y2 b5", "r3 r7 b4 b6 g5 g6", "r8 g2 g4"]
    match = table(hands, oracle="y8 y9 y10", starter=2, options={"tavern": tavern}, rules=rules)
    return run(match, "2 play r8", "2 skip", "2 end", "0 play y2", "0 end", "1 draw", "* draw r3")


def test_s16_one_that_does_not_is_seen_by_all_and_the_seat_takes_a_normal_turn() -> None:
    match = _in_vain()
    assert known(match, 0, 1) >= {"r3"}
    assert known(match, None, 1) == {"r3"}
    assert pending(match) == set()
    assert verbs(match, 1) == {"play", "shrine"}  # the start window is open again; passing is not allowed
    assert plays(match, 1) == {"b4", "b6", "g5", "g6"}
    assert seen(match, 0).drawn == "r3"
    assert render(seen(match, 1).ask) == "You drew red 3, which cannot be played: play a card of your choice."
    assert "drew red 3, which cannot be played, and plays another card" in render(seen(match, 0).ask)
    for text, why in (("pass", "cannot pass"), ("draw", "need not draw")):
        with pytest.raises(IllegalDecision, match=why):
            match.play(1, text)
    run(match, "1 play b4", "1 skip", "1 end")
    assert seen(match, 0).drawn is None


def test_s16_after_a_draw_in_vain_the_start_window_is_open_again() -> None:
    match = _in_vain(tavern=True)
    match.state.darks = 3
    assert verbs(match, 1) == {"play", "shrine", "say"}
    run(match, "1 say stuck", "1 shrine red")
    assert pending(match) == {"no_dark"}
    assert verbs(match, 1) == {"play"}  # one statement, and one shrine a turn


def test_s16_no_second_shrine_after_a_draw_in_vain() -> None:
    match = table(["r6 y2 b5", "r3 r7 b4 b6 g5 g6", "r8 g2 g4"], oracle="y8 y9 y10", starter=2)
    run(match, "2 play r8", "2 skip", "2 end", "0 play y2", "0 end", "1 shrine red", "1 draw", "* draw r3")
    assert verbs(match, 1) == {"play"}


def test_s16_and_s22_who_can_play_nothing_after_a_draw_in_vain_and_a_shrine_passes() -> None:
    hands = ["r6 y2 b5 y3 y4 y5", "r3 r7 r2 r4 b2 b4", "r8 b9 y6"]
    match = table(hands, oracle="y8 y9 y10", starter=2)
    run(match, "2 play r8", "2 skip", "2 end", "0 play y2", "0 end", "1 draw", "* draw r3")
    assert plays(match, 1) == {"b2", "b4"}
    match.state.rows |= 1 << 13  # blue stands at 3
    match.state.pool &= ~(1 << 13)
    match.state.deck -= 1
    assert plays(match, 1) == {"b4"}
    run(match, "1 shrine green", "1 choose 1", "1 trade 0", "1 give b4", "0 give r6")
    assert seen(match, 0).drawn is None  # who knows what became of red 3
    assert match.legal(1) == ["pass"]


def test_s16_in_version_1_the_seat_only_chooses_a_card_after_a_draw_in_vain() -> None:
    match = _in_vain(rules=1)
    assert verbs(match, 1) == {"play"}
    assert plays(match, 1) == {"b4", "b6", "g5", "g6"}
    for text, why in (
        ("pass", "cannot pass"),
        ("shrine red", "start of your turn is past"),
        ("draw", "No card is drawn"),
    ):
        with pytest.raises(IllegalDecision, match=why):
            match.play(1, text)
    run(match, "1 play b4", "1 skip", "1 end")
    assert seen(match, 0).drawn is None


def test_s16_a_seat_without_a_playable_card_passes_and_the_duty_waits() -> None:
    match = table(["g2 y2 r2 r4 b2 b3", "r3 y5 y6 b4 b6 r7", "r8 y7 g4 g3"], oracle="y8 y9 y10", options=UNLIT)
    run(match, "0 play g2", "1 pass", "2 play g3")
    assert pending(match) == {"only_green"}
    match.state.duty = 1
    run(match, "0 pass")
    assert pending(match) == {"only_green", "duty"}
    assert match.legal(1) == ["pass"]


def _others(rules: int | None = None) -> Match:
    """Seat 2 can play none of its cards, and the duty to draw is on; seat 0 has laid green 4 face up."""
    hands = ["y3 g4 r5 r6 b8 b7", "g2 g3 r2 b2 b3 b4", "r3 r4 b5 b6 y2 y6"]
    match = table(hands, oracle="y8 y7 y9", options=UNLIT, rules=rules)
    run(match, "0 play y3", "0 show g4", "1 play g2")
    match.state.duty = 1
    assert sorted(match.legal(2)) == ["pass", "play g4"]
    return match


def test_s16_playing_anothers_face_up_card_leaves_the_duty_waiting() -> None:
    match = run(_others(), "2 play g4", "2 skip")
    assert pending(match) == {"duty"}
    assert match.legal(0) == ["draw"]


def test_s16_in_version_1_playing_anothers_face_up_card_ends_the_duty() -> None:
    match = run(_others(rules=1), "2 play g4", "2 skip")
    assert pending(match) == set()


def test_s16_anothers_face_up_card_may_be_played_in_place_of_drawing() -> None:
    match = table(["y3 g2 r7 b9", "y4 r3 r6 b4 b6 g6", "r8 b5 g4"], oracle="y8 y9 y10", options=UNLIT)
    run(match, "0 play y3", "0 show g2", "1 play y4")
    assert sorted(match.legal(2)) == ["draw", "play g2"]
    assert render(seen(match, 2).ask) == (
        "Your turn: draw one of your hidden cards at random, or play another seat's face-up card."
    )
    with pytest.raises(IllegalDecision, match="You cannot choose among your own cards now"):
        match.play(2, "play r8")
    run(match, "2 play g2")
    assert pending(match) == {"duty", "only_green"}


def test_s16_in_version_1_nothing_may_be_played_in_place_of_drawing() -> None:
    match = table(["y3 g2 r7 b9", "y4 r3 r6 b4 b6 g6", "r8 b5 g4"], oracle="y8 y9 y10", options=UNLIT, rules=1)
    run(match, "0 play y3", "0 show g2", "1 play y4")
    assert match.legal(2) == ["draw"]
    for card in ("r8", "g2"):
        with pytest.raises(IllegalDecision, match="You cannot choose now: one of your hidden cards is drawn"):
            match.play(2, f"play {card}")


def test_s16_and_s17_the_duty_lies_beside_greens() -> None:
    hands = ["y3 g2 r7 b9 r4 r5", "y4 r3 r6 b4 b6 g6", "r8 b5 g4"]
    match = table(hands, oracle="y8 y9 y10", options=UNLIT)
    run(match, "0 play y3", "0 show g2", "1 play y4", "2 play g2")
    assert match.legal(0) == ["pass"]  # no green card: both duties wait
    run(match, "0 pass")
    assert match.legal(1) == ["draw"]
    vain = run(match.copy(), "1 draw", "* draw r3")  # it fits the red row, but is not green
    assert pending(vain) == {"only_green"}
    assert vain.legal(1) == ["play g6"]
    played = run(match, "1 draw", "* draw g6")
    assert pending(played) == set()
    assert row(played, "green") == "2* 6"


def test_s16_the_owner_of_a_face_up_card_may_not_choose_it() -> None:
    match = table(["y3 g2 r7 b9", "y4 r3 r6 b4 b6 g6", "y5 b5 g4"], oracle="y8 y9 y10", options=UNLIT)
    run(match, "0 play y3", "0 show g2", "1 play r3", "1 skip", "2 play b5", "2 skip")
    match.state.duty = 1
    assert match.legal(0) == ["draw"]


def test_s16_a_seat_whose_only_cards_are_face_up_plays_normally() -> None:
    match = _duty()
    match.state.up[1], match.state.hand[1], match.state.hand_len[1] = match.state.hand[1], 0, 0
    match.state.known[0] = match.state.known[2] = match.state.known[4] = 0
    assert {"r3", "b4"} <= plays(match, 1)
    assert "draw" not in verbs(match, 1)
    run(match, "1 play r3", "1 use")
    assert pending(match) == {"no_dark"}


def test_s16_is_judged_after_what_is_done_in_the_start_window() -> None:
    match = table(["r6 y2 b5", "r3 r7 b4 b6 g5 g6", "r8 g2 g4"], oracle="y8 y9 y10", starter=2)
    run(match, "2 play g4", "2 skip", "2 end", "0 play y2", "0 end")
    assert "shrine yellow" in match.legal(1)
    run(match, "1 shrine yellow", "1 show b4")
    assert match.legal(1) == ["draw"]


# ------------------------------------------------------------------ green
def test_s17_after_green_dark_only_green_can_be_played() -> None:
    match = run(table(["g2 r5", "r4 g4 b4", "r6 b6"], options=UNLIT), "0 play g2")
    assert pending(match) == {"only_green"}
    assert plays(match, 1) == {card for card in hand(match, 1) if card[0] == "g"}
    run(match, "1 play g4", "1 skip")
    assert pending(match) == set()
    assert "r6" in plays(match, 2)


def test_s17_the_highest_green_never_creates_it_and_is_not_counted() -> None:
    match = table(["g7 r5", "g8 b4"], oracle="r2 r3", options=TAVERN)
    run(match, "0 play g7", "0 skip", "1 play g8")
    assert row(match, "green") == "7 8*"
    assert pending(match) == set()
    assert tavern(match).darks == 0


def test_s18_any_seat_can_be_chosen_and_decides_alone() -> None:
    match = run(table(["g3 r5", "r4 b4", "b5 b6"], oracle="y2 y3 y4", options=UNLIT), "0 play g3")
    assert match.legal(0) == ["choose 0", "choose 1", "choose 2", "skip"]
    run(match, "0 choose 2")
    assert match.due == {2}
    assert match.legal(2) == ["exchange y2", "exchange y3", "exchange y4", "trade 0", "trade 1", "renew"]
    with pytest.raises(IllegalDecision, match="cannot trade with yourself"):
        match.play(2, "trade 2")
    with pytest.raises(IllegalDecision, match="(?i)yellow 9 is not in the Oracle"):
        match.play(2, "exchange y9")


def test_s18_trade_gives_a_card_and_gets_one_perhaps_the_same() -> None:
    match = run(
        table(["g3 r5", "r4 b4", "b5 b6"], oracle="y2 y3 y4", options=UNLIT), "0 play g3", "0 choose 2", "2 trade 1"
    )
    run(match, "2 give b5")
    assert match.due == {1}
    assert "give b5" in match.legal(1)
    run(match, "1 give r4")
    assert "r4" in hand(match, 2)
    assert "b5" in hand(match, 1)
    assert match.due == {1}  # seat 1's own turn


def test_s18_trade_needs_a_card() -> None:
    match = run(table(["g3 r5", "r4 b4"], oracle="y2 y3", options=UNLIT), "0 play g3", "0 choose 1")
    match.state.hand_len[1] = match.state.hand[1] = match.state.known[0] = 0
    assert match.legal(1) == ["exchange y2", "exchange y3", "renew"]
    with pytest.raises(IllegalDecision, match="You have no card to trade"):
        match.play(1, "trade 0")
    run(match, "1 exchange y2")
    assert match.legal(1) == ["give y2"]  # it may be the same card


def test_s18_exchange_takes_an_oracle_card_openly_and_lays_one() -> None:
    match = run(
        table(["g3 r5", "r4 b4", "b5 b6"], oracle="y2 y3 y4", options=UNLIT), "0 play g3", "0 choose 1", "1 exchange y3"
    )
    assert known(match, 2, 1) >= {"y3"}
    assert {"give y3", "give r4"} <= set(match.legal(1))
    run(match, "1 give r4")
    assert seen(match, None).oracle == ["r4", "y2", "y4"]


def test_s18_renew_throws_the_oracle_away_and_turns_up_one_a_seat() -> None:
    match = run(
        table(["g3 r5", "r4 b4", "b5 b6"], oracle="y2 y3 y4", options=UNLIT), "0 play g3", "0 choose 1", "1 renew"
    )
    match.settle()
    view = seen(match, None)
    assert view.gone == ["y2", "y3", "y4"]
    assert len(view.oracle) == 3


def test_s18_renew_as_far_as_the_deck_lasts() -> None:
    match = run(table(["g3 r5", "r4 b4"], oracle="y2 y3", options=UNLIT), "0 play g3", "0 choose 1")
    spare = match.state.pool & (match.state.pool - 1)
    match.state.gone |= spare
    match.state.pool &= ~spare
    match.state.deck = 1
    run(match, "1 renew")
    match.settle()
    assert len(seen(match, None).oracle) == 1
    assert match.due == {1}
    assert match.state.turning == 0


def test_s18_renew_needs_an_oracle_or_a_deck_and_without_both_and_cards_nobody_can_be_chosen() -> None:
    match = table(["g3 r5", "r4 b4"], oracle="y2 y3", options=UNLIT)
    match.state.gone |= match.state.pool | match.state.oracle | match.state.hand[1]
    match.state.pool = match.state.deck = match.state.oracle = 0
    match.state.hand[1] = match.state.hand_len[1] = match.state.known[0] = match.state.known[4] = 0
    run(match, "0 play g3")
    assert match.legal(0) == ["choose 0", "skip"]
    with pytest.raises(IllegalDecision, match="(?i)seat 1 has nothing to exchange"):
        match.play(0, "choose 1")
    run(match, "0 choose 0")
    assert match.legal(0) == ["trade 1"]
    with pytest.raises(IllegalDecision, match="nothing to renew"):
        match.play(0, "renew")


def test_s18_a_face_up_card_that_is_given_goes_into_the_hidden_hand_in_everyones_sight() -> None:
    match = run(table(["y3 r5 b7", "g3 b4", "b5 b6"], oracle="y4 y5 y6", options=UNLIT), "0 play y3", "0 show r5")
    run(match, "1 play g3", "1 choose 0", "0 trade 2", "0 give r5")
    assert up(match, 0) == set()
    assert "r5" in hand(match, 2)
    assert known(match, 1, 2) >= {"r5"}
    assert known(match, None, 2) >= {"r5"}


def test_s19_created_means_compulsory_not_skipped_and_not_the_top_green() -> None:
    match = run(table(["r3 b5", "g2 g3 b6"], options=TAVERN), "0 play r3", "0 use", "1 play g2")
    assert tavern(match).darks == 0  # skipped
    match = run(table(["r2 b5", "r3 g3 b6"], options=TAVERN), "0 play r2", "1 play r3")
    assert tavern(match).darks == 2
