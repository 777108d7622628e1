"""Silent Planet: who knows what, what is heard, and what is shown (P03, P05, P12)."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from tacit import Match, SeatView, game_named, render
from tacit.core.chance import stream
from tacit.core.random_play import NOBODY
from tacit.games.silent_planet.board import bag_of, number_of, places_of
from tacit.games.silent_planet.model import BAG
from tacit.games.silent_planet.view import View
from tests.silent_planet.positions import agree, arrangement, cards, dealt, ready, run, table

GAME = game_named("silent-planet")
TWO = ["111112222", "1111x2222"]
THREE = ["111112222", "1111x2222", "333344445"]


def observed(match: Match, seat: int) -> dict[str, list[int]]:
    out = [99] * GAME.observation
    GAME.rules.observe(match.know(seat), seat, out)
    fields, at = {}, 0
    for field in GAME.fields:
        fields[field.name] = out[at : at + field.size]
        at += field.size
    return fields


def cost(seen: SeatView[View]) -> str:
    """What the hints of a row cost, as the seat that makes it is told."""
    assert seen.view.arranging is not None
    assert seen.view.arranging.cost is not None
    return render(seen.view.arranging.cost)


def others(match: Match, seat: int) -> list[object]:
    """All that anybody but a seat gets of a match."""
    watchers = [None, *(q for q in range(match.seats) if q != seat)]
    tensors = [observed(match, q) for q in range(match.seats) if q != seat]
    return [[match.see(q) for q in watchers], [match.know(q) for q in watchers], tensors]


# ------------------------------------------------------------------ sealed rows (P03)
def test_p03_nobody_can_see_or_count_what_a_seat_does_before_all_are_ready() -> None:
    match = dealt(THREE)
    before = others(match, 1)
    for text in arrangement(THREE[1], "258")[:-1]:
        match.play(1, text)
        assert others(match, 1) == before
    match.play(1, "ready")
    assert others(match, 1) != before
    other = dealt(THREE)
    other.play_all(1, arrangement("2222x1111"))
    assert others(other, 1) == others(match, 1)  # ready


def test_p03_others_see_only_whether_a_seat_is_ready() -> None:
    match = dealt(THREE)
    match.play_all(2, arrangement(THREE[2], "1"))
    view = match.see(0).view
    assert [row.ready for row in view.rows] == [False, False, True]
    assert {place.state for row in view.rows for place in row.places} == {"empty"}
    assert {place.card for row in view.rows for place in row.places} == {None}
    assert match.see(0).heard == match.see(0).heard[:27]


def test_p03_imagined_rows_are_whole_where_a_seat_is_ready_and_not_begun_elsewhere() -> None:
    match = dealt(THREE)
    run(match, "1 place x", "1 place 1")
    match.play_all(2, arrangement(THREE[2], "1"))
    k = match.know(0)
    hints = set()
    for number in range(200):
        world = k.copy()
        GAME.rules.imagine(world, 0, stream(str(number)))
        assert world.row[1] == 0
        assert sum(number_of(world.hand[1], kind) for kind in range(6)) == 9
        assert world.hand[2] == 0
        assert sum(number_of(bag_of(world.row[2]), kind) for kind in range(6)) == 9
        assert (world.hand[0], world.row[0]) == (k.hand[0], k.row[0])
        assert GAME.rules.audit(world) == 0
        hints.add(places_of(world.hints, 2))
    assert len(hints) > 100  # any of the 512 choices


def test_p03_imagined_cards_are_as_likely_as_their_copies() -> None:
    k = dealt(TWO).know(0)
    found: Counter[int] = Counter()
    for number in range(2000):
        world = k.copy()
        GAME.rules.imagine(world, 0, stream(str(number)))
        for kind in range(6):
            found[kind] += number_of(world.hand[1], kind)
    unseen = [10, 8, 9, 6, 4, 9]
    for kind in range(6):
        assert found[kind] == pytest.approx(18000 * unseen[kind] / 46, rel=0.07)


def test_p03_a_seat_hears_its_own_arranging_and_nothing_of_others() -> None:
    match = dealt(TWO)
    match.play_all(1, arrangement(TWO[1], "5"))
    assert match.see(1).heard[-11:] == [f"1 {text}" for text in arrangement(TWO[1], "5")]
    assert match.see(0).heard[-1] == match.see(None).heard[-1] == "* deal 1 ?"
    match.play_all(0, arrangement(TWO[0], "19"), settle=False)
    rows = ["0 row 1???????2", "1 row ????x????"]
    assert match.see(1).heard[-3:] == ["1 ready", *rows]
    assert match.see(None).heard[-3:] == ["* deal 1 ?", *rows]
    assert match.see(0).heard[-3:] == ["0 ready", *rows]


# ------------------------------------------------------------------ own rows (P05) and the open table (P12)
def test_p05_the_owner_knows_its_row_and_nobody_else_does() -> None:
    match = table(THREE, ["", "3", ""])
    assert cards(match, 1, watcher=1) == THREE[1]
    for watcher in (None, 0, 2):
        assert cards(match, 1, watcher) == "??1??????"
    assert match.see(1).heard[9:18] == [f"* deal 1 {card}" for card in THREE[1]]
    assert match.see(0).heard[9:18] == ["* deal 1 ?"] * 9


def test_p12_what_is_turned_up_is_open_with_where_it_came_from() -> None:
    match = run(table(THREE, first=0), "1 point 6", "2 point 6")
    for watcher in (None, 0, 1, 2):
        view = match.see(watcher).view
        assert [(card.card, card.seat, card.position) for card in view.team] == [("2", 0, 6)]
        assert match.see(watcher).heard[-4:] == ["* start 0", "1 point 6", "2 point 6", "up 0 6 2"]
    assert cards(match, 0) == "?????2???"


def test_p12_broken_and_completed_cards_are_open() -> None:
    match = agree(table(["112345x12", "112345x12"]), 1, 1, 3)  # broken
    agree(match, 2, 7, 4, 5, 6)  # complete
    view = match.see(None).view
    assert [(past.complete, [(c.card, c.seat, c.position) for c in past.cards]) for past in view.past] == [
        (False, [("1", 0, 1), ("1", 1, 1), ("2", 0, 3)]),
        (True, [("1", 1, 2), ("x", 0, 7), ("3", 1, 4), ("4", 0, 5), ("5", 1, 6)]),
    ]
    assert cards(match, 0) == "1?2?4?x??"
    assert [place.state for place in view.rows[1].places][:6] == [
        "broken", "complete", "down", "complete", "down", "complete",
    ]  # fmt: skip


def test_p12_face_down_cards_and_those_out_of_the_game_are_hidden() -> None:
    match = table(THREE)
    for watcher in (NOBODY, 0, 1, 2):
        k = GAME.know(match.state, watcher)
        known = sum(bag_of(k.row[q]) for q in range(3))
        assert k.pool == BAG - known
        assert [k.row[q] != 0 for q in range(3)] == [q == watcher for q in range(3)]


def test_p12_what_has_not_been_seen_is_counted_for_the_viewer() -> None:
    match = table(TWO, ["", "5"])
    assert [fit.unseen for fit in match.see(0).view.fits] == [10, 8, 9, 6, 4, 8]
    assert [fit.unseen for fit in match.see(None).view.fits] == [15, 12, 9, 6, 4, 8]
    assert observed(match, 0)["unseen"] == [10, 8, 9, 6, 4, 8]


def test_p12_the_tensor_counts_seats_clockwise_from_the_observer() -> None:
    match = run(table(THREE, ["1", "", ""], first=0), "1 point 4", "2 point 5", "2 point 4")
    tensor = observed(match, 1)
    assert tensor["turn"] == [0, 0, 1, 0, 0, 0]
    assert tensor["pointed"] == [0, 1, 0, 0, 0, 0]
    assert tensor["round"] == [0, 1, 0]
    assert tensor["pointers"][:18] == [0, 0, 0, 1, 0, 0, 0, 0, 0] * 2
    assert tensor["left"] == [9, 9, 8, 0, 0, 0]
    own = ["12345x"[tensor["row"][6 * i : 6 * i + 6].index(1)] for i in range(9)]
    assert "".join(own) == THREE[1]
    seat0 = tensor["row"][108:162]
    assert seat0 == [1, *[0] * 53]  # its hint, and no more
    assert tensor["hints"][18:27] == [1, *[0] * 8]
    assert tensor["spare"] == [11]


def test_p12_after_the_end_what_was_hidden_stays_out_of_knowledge() -> None:
    match = ready(TWO, ["12345678", "1"])
    assert match.over
    assert cards(match, 0) == "11111222?"
    assert cards(match, 0, watcher=0) == TWO[0]


# ------------------------------------------------------------------ what is said to people
def test_p07_the_view_says_what_pointing_would_bring() -> None:
    match = run(table(THREE, first=0), "1 point 4")
    view = match.see(2).view
    assert render(view.outlook) == "So far all point at card 4."
    then = [render(place.then) for place in view.rows[0].places]
    assert then[3] == "All agree: card 4 is turned up."
    assert then[0] == "No agreement: round 2 follows."
    run(match, "2 point 5", "1 point 4", "2 point 5", "2 point 8")
    view = match.see(1).view
    assert render(view.rows[0].places[0].then) == "No agreement: card 1 is turned up."
    assert view.rows[0].places[0].can_point
    assert match.see(2).view.rows[0].places[0].then is None
    assert render(match.see(None).view.ask) == "A card of seat 0 is being chosen, round 3 of 3."


def test_p07_nothing_is_foretold_while_others_have_still_to_point() -> None:
    view = table(THREE, first=0).see(2).view
    assert {place.then for place in view.rows[0].places} == {None}
    assert render(view.outlook) == "If all point at the same card, it is turned up."


@pytest.mark.parametrize(
    ("lines", "outlook"),
    [
        ([], "If all point at the same card, it is turned up."),
        (["1 point 1", "2 point 2"], "no agreement: round 2 follows"),
        (["1 point 1", "2 point 2", "3 point 2"] * 2, "The last round"),
        ((["1 point 1", "2 point 2", "3 point 2"] * 3)[:8], "if equal, seat 1 or the next clockwise decides"),
    ],
)
def test_p07_the_outlook_of_a_round(lines: list[str], outlook: str) -> None:
    match = run(table([*THREE, "111xxxx23"], first=0), *lines)
    assert outlook.lower() in render(match.see(None).view.outlook).lower()


def test_p08_the_view_says_what_happened() -> None:
    match = run(table(["112345x12", "112345x12"]), "1 point 1")
    assert render(match.see(None).view.happened) == "Seat 0's card 1 is a 1 and joins the team."
    run(match, "0 point 1", "1 point 3")
    assert render(match.see(None).view.happened) == "Seat 0's card 3 is a 2: the team breaks and leaves the game."
    match = agree(table(["xxxxx2222", "xxxx12222"]), 1, 1, 2, 2, 3)
    assert render(match.see(None).view.happened) == "Seat 0's card 3 is a machine: the team is complete."


def test_p03_the_view_says_what_is_asked() -> None:
    match = Match("silent-planet", 2, seed=1, settle=False)
    assert render(match.see(0).view.ask) == "The cards are dealt."
    match = dealt(TWO)
    assert render(match.see(0).view.ask).startswith("Make your row: any order")
    assert "position 2? 8 are still" in render(match.preview(0, ["place 1"]).view.ask)
    assert render(match.see(None).view.ask) == "Everyone is making a row, in secret and all at once."
    match.play_all(0, arrangement(TWO[0])[:-1])
    assert render(match.see(0).view.ask).startswith("Show cards as hints")
    run(match, "0 reveal 3")
    assert cost(match.see(0)) == "One hint is out of play. Cards you can still lose together: 7 at most."
    rest = [f"reveal {position}" for position in range(4, 10)]
    assert "together: 1 at most." in cost(match.preview(0, rest))
    run(match, "0 ready")
    assert render(match.see(0).view.ask).startswith("You are ready.")
    too_many = [*arrangement(TWO[1])[:-1], *(f"reveal {position}" for position in range(1, 10))]
    assert "would be lost" in cost(match.preview(1, too_many))
    match.play_all(1, arrangement(TWO[1]), settle=False)
    assert render(match.see(0).view.ask) == "Chance decides whose row comes first."
    run(match, "* start 0")
    assert render(match.see(0).view.ask) == "The others choose one of your cards, round 1 of 3. Give nothing away."
    assert render(match.see(1).view.ask) == "Point at one of seat 0's cards. Round 1 of 3."


def test_p10_the_view_says_how_it_ended() -> None:
    match = ready(TWO, ["12345678", "1"])
    assert render(match.see(0).view.ask).startswith("Lost:")
    match = agree(table(["1111x2222", "1111x2222"]), 1, 1, 2, 2, 3, 9, 9, 8, 8, 7)
    assert render(match.see(0).view.ask).startswith("Won:")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("* deal 1 ?", "Seat 1 is dealt a card."),
        ("* deal 1 x", "Seat 1 is dealt a machine."),
        ("* start 2", "Seat 2 is drawn to be first."),
        ("0 place 3", "Seat 0 places a 3."),
        ("0 reveal 4", "Seat 0 reveals card 4."),
        ("0 ready", "Seat 0 is ready."),
        ("1 row ??3????x?", "Seat 1's row is shown: ? ? 3 ? ? ? ? x ?."),
        ("1 row ?????????", "Seat 1's row is shown, with no hint."),
        ("2 point 4", "Seat 2 points at card 4."),
        ("up 1 4 3", "Seat 1's card 4 is turned up: a 3."),
        ("! 2 nod", "Seat 2 nods."),
        ("! 2 fingers x", "Seat 2 shows with their fingers: a machine."),
    ],
)
def test_p12_heard_lines_in_words(line: str, words: str) -> None:
    assert render(GAME.rules.tell(line)) == words


def test_p03_a_preview_of_arranging_shows_the_row_as_it_would_be() -> None:
    match = dealt(TWO)
    texts = arrangement(TWO[0], "5")[:-1]
    staged = match.preview(0, texts)
    assert match.lines[-1] == "* deal 1 2"
    assert match.see(0).legal == ["place 1", "place 2"]
    match.play_all(0, texts)
    seen = match.see(0)
    assert seen.undo == "reveal 5"  # it can be taken back; what is only shown need not be
    assert msgspec.structs.replace(seen, undo=None) == staged


def test_p05_a_preview_of_pointing_tells_nothing_of_the_card() -> None:
    for place in range(1, 10):
        match = table(TWO, first=0)
        assert match.preview(1, [f"point {place}"]) == match.see(1)


def test_p12_the_audit_finds_cards_in_two_places() -> None:
    match = dealt(TWO)
    match.state.hand[0] += 1
    assert GAME.rules.audit(match.state) == 4
    match = table(TWO)
    match.state.hints |= 1
    assert GAME.rules.audit(match.state) == 1
    match = table(TWO)
    match.state.row[0] &= ~(15 << 32)
    assert GAME.rules.audit(match.state) == 2
    match = table(TWO)
    match.state.down &= ~1
    assert GAME.rules.audit(match.state) == 3
    match = table(TWO)
    match.state.team = 1
    assert GAME.rules.audit(match.state) == 5
