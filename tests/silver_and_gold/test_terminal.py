"""Silver & Gold in the terminal: what is drawn, at 80 and at 120 columns."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from tacit import Match, render
from tacit.core import laws
from tacit.games.silver_and_gold.terminal import draw
from tests.silver_and_gold.positions import dealt, run, table, with_cards

NAMES = ["Ada", "Ben", "Cleo", "Dan"]


def drawn(match: Match, watcher: int | None, width: int = 80) -> str:
    console = Console(width=width, file=io.StringIO(), force_terminal=False)
    console.print(draw(match.see(watcher).view, NAMES))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_hand_and_kept_cards_are_drawn() -> None:
    match = run(dealt("p1 p7 g2 s11", "s7 s5"), "0 keep p1 s11")
    text = drawn(match, 0)
    assert "Your four cards" in text
    assert "p1  14 +o2 keep" in text
    assert "Your four cards" not in drawn(match, None)


def test_islands_display_sheet_and_progress_are_drawn() -> None:
    match = run(table("s10 p1", "s7 o1"), "* expedition L3", "1 mark s7 a1 b1 a2")
    text = drawn(match, 0)
    for said in ("Expedition", "L3: the corner three", "Display", "deck      39", "a palm    2 now", "6 5 4 3 2 1"):
        assert said in text
    for said in ("Ada (you)", "Ben", "1   x", "coins  ····", "palms  · · · ·", "next trophy in 4", "0 points"):
        assert said in text
    assert "░" not in text  # what Ben crossed off is sealed
    assert "▓" in drawn(match, 1)
    assert "done" in text


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_line_is_wider_than_the_terminal_and_the_result_is_drawn(width: int, seats: int) -> None:
    match = Match.load(str(laws.random_match(Match("silver-and-gold", 2).game, seats, None, seats)))
    half = Match.load("\n".join(str(match).splitlines()[: len(match.lines) // 2]))
    for text in (drawn(half, 0, width), drawn(half, None, width), drawn(match, 1, width)):
        assert max(len(line) for line in text.splitlines()) <= width
    assert "Result" in text
    assert match.result is not None
    assert f"* {NAMES[match.result['winners'][0]]}" in text


def test_what_waits_and_what_a_choice_brings_is_drawn() -> None:
    match = run(table("s10 s11", "s7 o1"), "* expedition L3", "1 cross s7 a1", "0 mark s10 b1 b2 c2")
    text = drawn(match, 0)
    assert "This turn so far: one coin; one more cell to cross off." in text
    late = Match("silver-and-gold", 2, seed=1)
    while late.state.turn < 27:
        late.play(min(late.due), late.legal(min(late.due))[-1])
    assert "» This is the last turn: no new cards are taken." in drawn(late, 0)


def test_every_kind_of_line_and_decision_has_words() -> None:
    """Deals, display, start, expeditions, blind cards; keep, mark, cross, bonus, take."""
    match = laws.random_match(Match("silver-and-gold", 2).game, 3, None, 5)
    told, offered = {}, {}
    for line in [*match.lines, "* deal 1 ?"]:
        told[line.split()[1]] = render(match.game.rules.tell(line))
        if line[0] != "*":
            offered[line.split()[1]] = render(match.game.rules.offer(line[2:]))
    assert set(told) == {
        "deal", "show", "start", "expedition", "blind", "keep", "mark", "cross", "bonus", "take",
    }  # fmt: skip
    assert all(text.endswith(".") for text in told.values())
    assert told["deal"] == "Seat 1 is dealt a card."
    assert set(offered) == {"keep", "mark", "cross", "bonus", "take"}


def test_why_the_shape_has_no_room_is_said() -> None:
    game = with_cards(s11="oooo ...o ...o ..oo")
    match = run(table("s7 s11", "s5 s1", game=game), "* expedition O4")
    why = [held.why_not for held in match.see(0).view.table[0].cards]
    assert why[0] is None
    assert why[1] is not None
    assert render(why[1]) == "the square does not fit on grey 11 at all"
