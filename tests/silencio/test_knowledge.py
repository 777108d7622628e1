"""Silencio: who knows what, S24–S26, and what is heard of it."""

from __future__ import annotations

from tacit import Match
from tacit.core.chance import stream
from tacit.core.messages import render
from tests.silencio.positions import UNLIT, dealt, hand, known, run, seen, table


def test_s24_rows_oracle_shrines_flags_sizes_and_face_up_cards_are_open() -> None:
    match = run(table(["y3 r4 b5", "g2 g4", "b3 b6"], oracle="r8 r9 r10"), "0 play y3", "0 show r4", "0 shrine red")
    one, two, spectator = (seen(match, watcher) for watcher in (1, 2, None))
    for field in ("rows", "oracle", "deck", "gone", "pending", "passes", "large_lit", "due", "active", "starter"):
        if field != "rows":
            assert getattr(one, field) == getattr(two, field) == getattr(spectator, field)
    assert [(r.colour, r.cards, r.lit) for r in one.rows] == [(r.colour, r.cards, r.lit) for r in spectator.rows]
    assert [(s.hidden, [c.card for c in s.up]) for s in spectator.table] == [(4, ["r4"]), (6, []), (6, [])]


def test_s24_the_own_hand_is_private_and_the_deck_is_hidden() -> None:
    match = dealt(["r2 r3", "r4 r5", "r6 r7"], "b2 b3 b4")
    assert "r2" in hand(match, 0)
    k = match.know(1)
    assert k.hand[0] == 0 == k.hand[2]
    assert k.pool & match.state.hand[0] == match.state.hand[0]  # among all the others that it cannot place
    assert match.know(None).hand[1] == 0
    assert seen(match, None).hand == []


def test_s24_views_show_where_a_card_ahead_is_known_to_be() -> None:
    match = run(table(["y3 r4 b5", "g2 g4", "b3 b6"], oracle="r8 r9 r10", options=UNLIT), "0 play y3", "0 show r4")
    red = {stone.card: stone.place for stone in seen(match, 1).rows[0].ahead}
    assert red["r4"] == "up"
    assert red["r8"] == "oracle"
    assert red["r2"] == "unseen"
    assert {stone.card: stone.place for stone in seen(match, 1).rows[3].ahead}["g2"] == "hand"


def test_s25_passing_is_seen_by_giver_and_receiver_only() -> None:
    match = dealt(["r2 r3", "r4 r5", "r6 r7"], "b2 b3 b4")
    run(match, "0 claim", "0 give r2")
    assert known(match, 0, 1) == {"r2"}
    assert known(match, 2, 1) == set()
    assert known(match, None, 1) == set()
    assert match.see(0).heard[-1] == "0 give r2" == match.see(1).heard[-1]
    assert match.see(2).heard[-1] == "0 give ?" == match.see(None).heard[-1]


def test_s25_all_marks_on_the_givers_hand_are_dropped_for_third_seats() -> None:
    match = dealt(["r2 r3", "r4 r5", "r6 r7"], "b2 b3 b4")
    run(match, "0 claim", "0 give r2", "1 give r4")
    assert known(match, 0, 1) == set()  # it cannot know whether red 2 went on
    assert known(match, 1, 2) == {"r4"}


def test_s25_the_receivers_own_marks_on_the_giver_stay() -> None:
    match = dealt(["r2 r3", "r4 r5"], "b2 b3")
    run(match, "0 claim", "0 give r2", "1 give r4")
    assert known(match, 0, 1) == {"r2"}
    assert known(match, 1, 0) == {"r4"}


def test_s25_a_card_passed_back_is_known_to_its_new_giver() -> None:
    match = dealt(["r2 r3", "r4 r5"], "b2 b3")
    run(match, "0 claim", "0 give r2", "1 give r2")
    assert known(match, 1, 0) == {"r2"}
    assert known(match, 0, 1) == set()


def test_s25_open_cards_are_known_to_all_until_a_hidden_card_of_that_hand_is_traded() -> None:
    match = run(
        table(["b2 g5", "g3 y4 g6", "y5 g7"], oracle="r3 r4 r5", options=UNLIT),
        "0 play b2",
        "0 send r4 2",
        "* oracle r6",
    )
    assert known(match, 1, 2) >= {"r4"}
    assert known(match, None, 2) == {"r4"}
    run(match, "1 play g3", "1 choose 2", "2 trade 0", "2 give y5")
    assert known(match, 1, 2) == set()
    assert known(match, None, 2) == set()
    assert known(match, 0, 2) >= {"r4"}  # it saw which card went
    assert match.see(1).heard[-1] == "2 give ?"
    assert match.see(0).heard[-1] == "2 give y5"


def test_s25_cards_that_move_openly_leave_other_marks() -> None:
    match = run(
        table(["b2 g5", "g3 y4 g6", "y5 y9 g7"], oracle="r3 r4 r5", options=UNLIT),
        "0 play b2",
        "0 send r4 2",
        "* oracle r6",
    )
    run(match, "1 play g3", "1 choose 2", "2 exchange r5", "2 give y9")
    assert known(match, None, 2) == {"r4", "r5"}


def test_s25_a_seat_knows_who_else_knows_what_it_knows() -> None:
    match = dealt(["r2 r3", "r4 r5", "r6 r7"], "b2 b3 b4")
    run(match, "0 claim", "0 give r2")
    mine = {card.card: card for card in seen(match, 1).hand}
    assert mine["r2"].known_by == [0]
    assert mine["r4"].known_by == []
    assert match.know(2).known[0] == 0  # a third seat does not even see the mark


def test_s24_imagine_respects_what_is_known() -> None:
    match = dealt(["r2 r3", "r4 r5", "r6 r7"], "b2 b3 b4")
    run(match, "0 claim", "0 give r2")
    for number in range(20):
        world = match.know(0)
        match.game.rules.imagine(world, 0, stream(str(number)))
        assert world.hand[1] & 1  # red 2
        assert [world.hand_len[q] for q in range(3)] == [5, 7, 6]
        assert match.game.rules.audit(world) == 0


def test_s16_who_draws_in_vain_is_imagined_with_a_playable_card() -> None:
    match = table(["r6 y2 b5", "r3 r7 b4 b6 g5 g6", "r8 g2 g4"], oracle="y8 y9 y10", starter=2, options=UNLIT)
    run(match, "2 play r8", "2 skip", "0 play y2", "1 draw", "* draw r3")
    for number in range(50):
        world = match.know(0)
        match.game.rules.imagine(world, 0, stream(str(number)))
        assert match.game.legal(world, 1)


def test_s26_nothing_but_decisions_is_heard() -> None:
    match = Match("silencio", 3, seed=2)
    assert all(line.startswith("* ") for line in match.see(0).heard)
    assert [line for line in match.see(0).heard if not line.endswith("?")] == [
        line for line in match.lines if line.startswith(("* deal 0", "* oracle"))
    ]


def test_s16_worlds_in_which_the_drawing_seat_could_not_play_are_not_imagined() -> None:
    match = run(table(["g2 r5 r6 b8 b7 y5", "r4 g8 r3 b2 b3 b4"], oracle="y8 y7", options=UNLIT), "0 play g2")
    match.state.duty = 1  # as if yellow's duty had waited
    run(match, "1 draw", "* draw r3")
    greens = 0b111111111111 << 36
    for number in range(60):
        world = match.know(0)
        match.game.rules.imagine(world, 0, stream(str(number)))
        assert world.hand[1] & greens


def test_a_waiting_effect_names_its_card_while_that_card_lies_there() -> None:
    """S17, S20: after the card was taken back by a shrine only the colour is named, though the row ends dark again."""
    match = table(["g2 g3 r5 r6", "b5 b6 b7 b8 y5 y6"], "r7 r8")
    run(match, "0 play g2", "0 end")
    assert [(w.name, w.colour, w.shade, w.why.code) for w in seen(match, 1).pending] == [
        ("only_green", "green", "dark", "silencio.because.card")
    ]
    assert render(seen(match, 1).pending[0].why) == "Green 2 was played dark."
    run(match, "1 pass", "0 play g3", "0 shrine blue", "0 take g3")
    assert [w.why.code for w in seen(match, 1).pending] == ["silencio.because.dark"]
