"""Silencio, rule by rule: S01–S11, the frame of a match. Effects, shrines and tavern are in test_effects.py."""

from __future__ import annotations

import pytest

from tacit import IllegalDecision, Match
from tacit.core.messages import render
from tests.silencio.positions import dealt, deck, empty_handed, hand, pending, plays, row, run, seen, table, up, verbs


@pytest.mark.parametrize(("seats", "cards", "top", "each"), [(2, 28, 8, 6), (3, 36, 10, 6), (4, 48, 13, 5)])
def test_s01_the_deck_by_number_of_seats(seats: int, cards: int, top: int, each: int) -> None:
    match = Match("silencio", seats, settle=False)
    first = match.chance()
    assert len(first) == cards
    assert set(first.values()) == {1}
    assert {text.split()[2] for text in first} == set(deck(seats))
    assert max(int(card[1:]) for card in deck(seats)) == top
    match.settle()
    view = seen(match, None)
    assert [seat.hidden for seat in view.table] == [each] * seats
    assert view.deck == cards - (each + 1) * seats


@pytest.mark.parametrize(
    ("unlit", "small", "large"),
    [("none", True, True), ("large", True, False), ("small", False, True), ("all", False, False)],
)
def test_s02_shrines_start_lit_but_for_the_option(unlit: str, small: bool, large: bool) -> None:
    view = Match("silencio", 3, {"unlit": unlit}, seed=1).see(0).view
    assert [r.lit for r in view.rows] == [small] * 4
    assert view.large_lit is large


def test_s02_an_empty_row_counts_as_rank_1_lit_or_not() -> None:
    for unlit in ("none", "all"):
        match = table(["r2 b3 y3 g3", "r5"], options={"unlit": unlit})
        run(match, "0 play r2")
        assert row(match, "red") == "2*"


def test_s03_deals_seat_by_seat_then_one_oracle_card_a_seat() -> None:
    match = Match("silencio", 3, seed=4)
    shapes = [" ".join(line.split()[:-1]) for line in match.lines]
    assert shapes == ["* deal 0"] * 6 + ["* deal 1"] * 6 + ["* deal 2"] * 6 + ["* oracle"] * 3


def test_s04_anyone_may_claim_and_the_first_claim_gets_the_start() -> None:
    match = dealt(["r2", "r3", "r4"], "b2 b3 b4")
    assert match.due == {0, 1, 2}
    assert [match.legal(q) for q in range(3)] == [["claim"]] * 3
    match.play(1, "claim")
    assert seen(match, 0).starter == 1
    with pytest.raises(IllegalDecision, match="not for seat 2"):
        match.play(2, "claim")


def test_s05_each_passes_to_the_left_after_receiving() -> None:
    match = dealt(["r2 r3", "r4 r5", "r6 r7"], "b2 b3 b4")
    run(match, "1 claim")
    assert match.due == {1}
    with pytest.raises(IllegalDecision, match="(?i)red 2 is not among your cards"):
        match.play(1, "give r2")
    run(match, "1 give r4")
    assert "give r4" in match.legal(2)  # the very card just received
    run(match, "2 give r4", "0 give r3")
    assert "r4" in hand(match, 0)
    assert "r3" in hand(match, 1)
    assert match.due == {1}  # the starting player has the first turn
    assert "play" in verbs(match, 1)


def test_s05_turns_go_clockwise_for_ever() -> None:
    match = table(["r2 g5", "r3 g6", "r4 g7"], starter=2)
    run(match, "2 play r4", "2 skip", "2 end")
    assert match.due == {0}


def test_s06_a_card_must_be_higher_than_the_last_of_its_row() -> None:
    match = table(["r4 b2 g5 y4", "r3 r6 b5"])
    run(match, "0 play r4", "0 skip", "0 end")
    with pytest.raises(IllegalDecision, match="(?i)red 3 cannot be played: it must be higher than red 4"):
        match.play(1, "play r3")
    assert "r6" in plays(match, 1)


def test_what_cannot_be_read_is_refused_by_what_it_lacks() -> None:
    match = table(["r4", "r5"])
    for text, sentence in {
        "play z9": "There is no card “z9”",
        "send r4 1": "No Oracle card is given away now",
        "send r4 7": "There is no seat “7” at this table",
    }.items():
        with pytest.raises(IllegalDecision, match=sentence):
            match.play(0, text)


def test_s06_who_can_play_must() -> None:
    match = table(["r4", "r5"])
    assert "pass" not in match.legal(0)
    with pytest.raises(IllegalDecision, match="You cannot pass: you have a card that can be played"):
        match.play(0, "pass")


def test_s06_face_up_cards_can_be_played_by_their_owner_and_by_others() -> None:
    match = table(["y5 r5 b6", "g2 g4", "b4 b7"])
    run(match, "0 play y5", "0 show r5", "0 end")
    assert "r5" in plays(match, 1)
    run(match, "1 play r5", "1 skip", "1 end")
    assert up(match, 0) == set()
    assert row(match, "red") == "5"
    match = table(["y5 r5 b6", "g2 g4", "b4 b7"])
    run(match, "0 play y5", "0 show r5", "0 end", "1 play g4", "1 skip", "1 end", "2 play b4", "2 skip", "2 end")
    assert {"r5", "b6"} <= plays(match, 0)


def test_s06_a_card_that_is_nowhere_in_reach_is_refused() -> None:
    match = table(["r4", "r5"])
    with pytest.raises(IllegalDecision, match="(?i)red 5 is not among your cards"):
        match.play(0, "play r5")


def test_s07_follows_directly_is_dark_and_compulsory() -> None:
    match = table(["r2 b5", "r3 b6"])
    run(match, "0 play r2")
    assert row(match, "red") == "2*"
    assert pending(match) == {"no_light"}
    assert "skip" not in match.legal(0)


def test_s07_otherwise_light_and_can_be_declined() -> None:
    match = table(["r3 b5", "r4 b6"])
    run(match, "0 play r3")
    assert row(match, "red") == "3"
    assert match.legal(0) == ["use", "skip"]
    run(match, "0 skip")
    assert pending(match) == set()


def _emptied(last: str, other: str) -> Match:
    """Seat 0 is left with one card, `last`, and it is its turn; seat 1 still has cards. Red stands at 4."""
    match = table([f"b2 {last} {other} b3 b4 b5", "r3 r4 r8 y8 g7 g8"], oracle="y2 y3", options={"unlit": "all"})
    return match


def test_s07_last_card_has_no_dark_effect() -> None:
    match = _emptied("g2", "r2")
    run(
        match,
        *("0 play r2", "1 play r3", "0 play b2", "0 send y2 1", "* oracle y4", "1 play r4", "0 play b3"),
        *("0 send y3 1", "* oracle y5", "1 play y2", "0 draw"),
    )
    run(
        match,
        "* draw b4",
        "0 send y4 1",
        "* oracle y6",
        "1 play y3",
        "0 draw",
        "* draw b5",
        "0 send y5 1",
        "* oracle y7",
    )
    run(match, "1 play y4", "0 draw", "* draw g2")
    assert row(match, "green") == "2*"
    assert hand(match, 0) == set()
    assert pending(match) == set()  # no green dark effect
    assert match.due == {1}


def test_s07_last_card_keeps_its_light_effect() -> None:
    match = _emptied("g3", "r2")
    run(
        match,
        *("0 play r2", "1 play r3", "0 play b2", "0 send y2 1", "* oracle y4", "1 play r4", "0 play b3"),
        *("0 send y3 1", "* oracle y5", "1 play y2", "0 draw"),
    )
    run(
        match,
        "* draw b4",
        "0 send y4 1",
        "* oracle y6",
        "1 play y3",
        "0 draw",
        "* draw b5",
        "0 send y5 1",
        "* oracle y7",
    )
    run(match, "1 play y4", "0 draw", "* draw g3")
    assert match.legal(0) == ["choose 0", "choose 1", "skip"]


def test_s08_shrine_and_tavern_stand_beside_play_and_the_end_window_comes_after_the_effect() -> None:
    match = table(["r3 b5", "r4 b6"])
    assert {"play", "shrine"} == verbs(match, 0)
    run(match, "0 play r3")
    assert "shrine" not in verbs(match, 0)  # first the effect, completely
    run(match, "0 use")
    assert {"shrine", "end"} == verbs(match, 0)
    run(match, "0 end")
    assert match.due == {1}


def test_s08_the_turn_ends_by_itself_when_the_end_window_offers_nothing() -> None:
    match = table(["r3 b5", "r4 b6"], options={"unlit": "all"})
    run(match, "0 play r3", "0 use")
    assert match.due == {1}


def _stuck(options: dict[str, object] | None = None, oracle: str = "y8 y7") -> Match:
    """Seat 1 cannot play: green is demanded and it has none; seat 0 played green 2."""
    return run(
        table(["g2 g3 r5 r6 b8 b7", "r2 r3 r4 b2 b3 b4"], oracle=oracle, options={"unlit": "all", **(options or {})}),
        "0 play g2",
    )


def test_s09_who_has_nothing_to_play_must_pass() -> None:
    match = _stuck()
    assert match.legal(1) == ["pass"]
    with pytest.raises(IllegalDecision, match="(?i)red 2 cannot be played: the next card must be green"):
        match.play(1, "play r2")


def test_s09_with_only_anothers_face_up_card_one_may_pass_or_play_it() -> None:
    match = table(
        ["y3 g4 r5 r6 b8 b7", "g2 g3 r2 b2 b3 b4", "r3 r4 b5 b6 y2 y6"], oracle="y8 y7 y9", options={"unlit": "all"}
    )
    run(match, "0 play y3", "0 show g4", "1 play g2")
    assert sorted(match.legal(2)) == ["pass", "play g4"]


def test_s09_a_seat_without_cards_may_play_anothers_face_up_card() -> None:
    match = empty_handed()
    assert sorted(match.legal(0)) == ["pass", "play g5"]
    run(match, "0 play g5")
    assert row(match, "green") == "2* 5"


def test_s07_and_s09_that_card_is_not_its_last_and_creates_its_dark_effect() -> None:
    match = empty_handed(shown="g3")
    effect = seen(match, 0).table[1].up[0].effect
    assert effect is not None
    assert render(effect) == "the next card must be green"
    run(match, "0 play g3")
    assert row(match, "green") == "2* 3*"
    assert pending(match) == {"only_green"}


def test_s09_in_version_1_that_card_counts_as_its_last_and_has_no_dark_effect() -> None:
    match = empty_handed(shown="g3", rules=1)
    effect = seen(match, 0).table[1].up[0].effect
    assert effect is not None
    assert render(effect) == "it is the last card of its player: no dark effect"
    run(match, "0 play g3")
    assert row(match, "green") == "2* 3*"
    assert pending(match) == set()


def test_s10_the_match_ends_with_as_many_passes_in_a_row_as_seats() -> None:
    match = table(["g2 r5 r6 b8 b7 y5", "r2 r3 r4 b2 b3 b4"], oracle="y8 y7", options={"unlit": "all"})
    run(match, "0 play g2", "1 pass")
    assert match.legal(0) == ["pass"]
    run(match, "0 pass")
    assert match.over
    assert match.result == {"left": 11, "verdict": "far", "reason": "passed"}


def test_s10_a_card_played_sets_the_passes_back() -> None:
    match = _stuck()
    run(match, "1 pass")
    assert seen(match, 0).passes == 1
    run(match, "0 play g3")
    assert seen(match, 0).passes == 0


def test_s10_a_shrine_in_a_start_window_sets_the_passes_back() -> None:
    match = table(["g2 g8 r5 r6 b8 b7", "r2 r3 r4 b2 b3 b4"], oracle="y8 g7")
    run(match, "0 play g2", "0 end", "1 pass", "0 shrine yellow", "0 show b8", "0 play g8", "0 skip")
    assert seen(match, 0).passes == 0
    match = table(["g2 r5 r6 b8 b7 y5", "r2 r3 r4 b2 b3 b4"], oracle="y8 g7")
    run(match, "0 play g2", "0 end", "1 pass", "0 shrine green")
    assert seen(match, 0).passes == 0


def test_s10_ends_at_once_when_nobody_owns_a_card() -> None:
    """Golden records hold whole matches that end so; here it is the moment: no effect, no end window."""
    from pathlib import Path

    records = sorted((Path(__file__).parent.parent / "golden" / "silencio").glob("empty-*.tacit"))
    assert records
    for path in records:
        match = Match.load(path.read_text())
        assert match.lines[-1].split()[1] in ("play", "draw")
        assert match.result is not None
        assert match.result["reason"] == "empty"
        assert match.result["left"] == 0


@pytest.mark.parametrize(
    ("left", "seats", "verdict"), [(0, 2, "perfect"), (2, 2, "near"), (3, 2, "far"), (4, 4, "near"), (5, 4, "far")]
)
def test_s11_the_verdict_counts_all_cards_owned(left: int, seats: int, verdict: str) -> None:
    match = Match("silencio", seats, seed=1)
    for q in range(seats):
        match.state.hand_len[q] = 0
    match.state.hand_len[0] = left
    result = match.game.rules.result(match.state)
    assert result["left"] == left
    assert result["verdict"] == verdict
    scores = [9] * seats
    match.game.rules.score(match.state, scores)
    assert scores == [-left] * seats
    assert (result["left"] == match.game.best_score(seats)) == (verdict == "perfect")


def test_s11_face_up_cards_count() -> None:
    match = table(["y5 r5 b6", "g2 g4", "b4 b7"])
    before = match.game.rules.result(match.state)["left"]
    run(match, "0 play y5", "0 show r5")
    assert match.game.rules.result(match.state)["left"] == before - 1
