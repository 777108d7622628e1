"""Silent Planet in a terminal: the drawing, and the editor for a row (P03, P07, P11)."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from rich.console import Console

from tacit import Match
from tacit.core.laws import random_match
from tacit.games.silent_planet.row_editor import Arrangement, arrange, picture
from tacit.games.silent_planet.terminal import draw
from tests.silent_planet.positions import agree, arrangement, dealt, run, table

THREE = ["111112222", "1111x2222", "333344445"]
NAMES = ["Ada", "Bo", "Kestrel", "Mira", "Ottokar of the very long name", "Zoe"]


def drawn(match: Match, seat: int | None, width: int = 80) -> str:
    console = Console(width=width, file=io.StringIO(), color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(draw(match.see(seat).view, NAMES))
    return capture.get()


def test_p07_the_drawing_shows_rows_pointers_and_rounds() -> None:
    match = run(table(THREE, ["5", "", ""], first=0), "1 point 4", "2 point 6", "2 point 4")
    text = drawn(match, 1)
    assert "Ada's row   round ●●○ 2 of 3" in text
    pointers = next(line for line in text.splitlines() if "▲" in line and "Kestrel" not in line)
    assert "▲" in pointers
    assert "□" in pointers  # Bo's of the first round
    assert "Kestrel points at 4" in text
    assert "Bo still has to point (last at 4)" in text
    assert text.count("‹1›") == 1
    assert text.count("▒▒▒") == 17  # of Ada's and Kestrel's rows; one's own faces are seen
    assert text.count("▒1▒") == 4


def test_p11_the_drawing_shows_signals() -> None:
    match = run(table(THREE, first=0), "! 1 fingers x", "! 2 nod")
    text = drawn(match, 1)
    assert "! Bo shows with their fingers: a machine." in text
    assert "! Kestrel nods." in text
    assert "You may give 2 more signals." in text
    assert "This is about your own row" in drawn(match, 0)


def test_p08_the_drawing_shows_the_team_and_what_fits() -> None:
    match = agree(table(THREE, first=0), 1, 9)
    text = drawn(match, None)
    assert "all different so far" in text
    fits, breaks = (next(line for line in text.splitlines() if word in line) for word in ("fits:", "breaks it:"))
    assert [card for card in "12345x" if f" {card} (" in fits] == ["3", "4", "5", "x"]
    assert [card for card in "12345x" if f" {card} (" in breaks] == ["1", "2"]


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("seats", [2, 6])
def test_p12_the_drawing_fits_its_width_all_through_a_match(seats: int, width: int) -> None:
    whole = random_match(table(THREE).game, seats, {}, seed=4)
    match = Match("silent-planet", seats, settle=False)
    for i, line in enumerate(whole.lines):
        match.replay(line)
        if i % 17 == 0 or match.over:
            for seat in (None, 0):
                assert max(len(text) for text in drawn(match, seat, width).splitlines()) <= width
    assert "teams." in drawn(match, None)


# ------------------------------------------------------------------ the editor
def test_p03_the_editor_sorts_moves_and_flips() -> None:
    row = Arrangement(list("x1x212345"))
    row.sort()
    assert [card for card, _ in row.cards] == list("1122345xx")
    row.go(7)
    row.flip()
    row.move(0)
    assert ([card for card, _ in row.cards], row.at, row.hints) == (list("x1122345x"), 0, [1])
    row.reverse()
    assert row.hints == [9]
    row.go(8)
    row.flip()
    assert row.hints == []
    row.go(40)
    assert row.at == 8


def test_p03_the_editor_reads_keys() -> None:
    row = Arrangement(list("112345xx5"))
    for key in ("s", "\x1b[C", "f", " ", "\x1b[C", "l", " ", "9", ".", ",", "f", "1", "\x1b[D", "?"):
        assert row.key(key) is None
    assert [card for card, _ in row.cards] == list("1231455xx")
    assert row.hints == [4, 8]
    assert row.texts() == arrangement("1231455xx", "48")
    assert row.key("q") == "leave"


def test_p03_ready_is_asked_twice_in_the_editor() -> None:
    row = Arrangement(list("112345xx5"))
    assert [row.key(key) for key in "\rs\r"] == [None, None, None]  # another key takes the first Enter back
    assert row.key("\r") == "ready"


def keys(text: str) -> Iterator[str]:
    yield from text


def test_p03_the_editor_gives_the_whole_arrangement() -> None:
    match = dealt(["x1x212345", "111112222"])
    console = Console(file=io.StringIO(), width=80)
    read = keys("sf9f\r\r")
    texts = arrange(console, match.see(0).view, lambda: next(read))
    assert texts == arrangement("1122345xx", "19")
    match.play_all(0, texts or [])
    assert arrange(console, match.see(0).view, lambda: "q") is None  # nothing is left to arrange
    assert arrange(console, match.see(1).view, lambda: "q") is None
    assert arrange(console, match.see(None).view, lambda: "q") is None
    assert arrange(console, match.see(1).view) is None  # no keyboard here


def test_p04_the_editor_says_what_hints_cost() -> None:
    row = Arrangement(list("112345xx5"))
    console = Console(file=io.StringIO(), width=80, color_system=None)
    for _ in range(2):
        with console.capture() as capture:
            console.print(picture(row, 1))
        row.flip()
        row.go(row.at + 1)
    assert "1 hint. At most 0 cards can then be lost." in capture.get()
    row.key("\n")
    with console.capture() as capture:
        console.print(picture(row, 1))
    assert "it is lost" in capture.get()
    assert "ready is final" in capture.get()
