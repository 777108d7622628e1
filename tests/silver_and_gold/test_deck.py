"""Silver & Gold's deck: the figures of the built-in one, decks that are refused, and matches with other decks."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections import Counter

import pytest

from tacit import BadDeck, BadOptions, BadRecord, DeckWarning, Match, game_named, render
from tacit.core import laws
from tacit.games.silver_and_gold import generate_deck
from tacit.games.silver_and_gold.deck import CARD_NAMES, Card, check_deck, joined, read_deck, standard
from tests.silver_and_gold.positions import (
    BUILT_IN,
    DECK_TEXT,
    all_of,
    observed,
    run,
    seen,
    table,
    with_cards,
    with_deck,
)

LINES = DECK_TEXT.split("\n")


# ------------------------------------------------------------------ the built-in deck
def test_g02_forty_seven_cards_whose_colour_fixes_size_and_value() -> None:
    assert [card.name for card in BUILT_IN.cards] == list(CARD_NAMES)
    assert Counter(card.name[0] for card in BUILT_IN.cards) == {"p": 12, "o": 12, "g": 12, "s": 11}
    for card in BUILT_IN.cards:
        assert card.cells().bit_count() == {"p": 14, "o": 12, "g": 10, "s": 8}[card.name[0]]
        assert joined(card.cells())
        assert len(card.rows) <= 4
        assert len({len(row) for row in card.rows}) == 1
    view = seen(table("p7 g11", "s5 s1", display="o10 p1 p2 p3"), 0)
    assert [held.island.value for held in view.table[0].cards] == [14, 10]
    assert view.display[-1].value == 12


def test_g03_the_figures_of_the_built_in_deck() -> None:
    assert check_deck(DECK_TEXT) == []
    for letter, figures in (("p", (23, 15, 4)), ("o", (17, 15, 4)), ("g", (11, 9, 4)), ("s", (4, 3, 4))):
        cards = [card for card in BUILT_IN.cards if card.name[0] == letter]
        text = "".join("".join(card.rows) for card in cards)
        assert (text.count("x"), text.count("$"), text.count("^")) == figures
        seals = {card.name: card for card in cards if card.seal is not None}
        assert sorted(str(card).split()[1] for card in seals.values()) == sorted(
            {"p": "+p2", "o": "+o2", "g": "+g1", "s": "+s1"}[other] for other in "pogs" if other != letter
        )
        for card in seals.values():
            assert card.symbols() == ({"p": 3, "o": 2, "g": 0, "s": 0}[letter], 0, 0)
    assert all(
        crosses <= 3 and coins <= 3 and palms <= 1
        for crosses, coins, palms in (card.symbols() for card in BUILT_IN.cards)
    )


def test_g03_no_two_islands_are_the_same_turned_or_mirrored() -> None:
    pictures: set[frozenset[tuple[int, int]]] = set()
    for card in BUILT_IN.cards:
        cells = {(x, y) for y, row in enumerate(card.rows) for x, sign in enumerate(row) if sign != "."}
        eight = set()
        for a, b, swap in (
            (1, 1, 0),
            (1, -1, 0),
            (-1, 1, 0),
            (-1, -1, 0),
            (1, 1, 1),
            (1, -1, 1),
            (-1, 1, 1),
            (-1, -1, 1),
        ):
            laid = [(b * y, a * x) if swap else (a * x, b * y) for x, y in cells]
            left, top = min(x for x, _ in laid), min(y for _, y in laid)
            eight.add(frozenset((x - left, y - top) for x, y in laid))
        assert not eight & pictures
        pictures |= eight


def test_g03_the_generate_deck_draws_the_built_in_deck_again() -> None:
    drawn = subprocess.run(
        [sys.executable, "-m", generate_deck.__name__], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert drawn == DECK_TEXT
    another = generate_deck.draw_deck(1)
    assert another.digest != BUILT_IN.digest
    assert check_deck(another.text) == []


def test_g03_every_island_has_room_for_every_shape_and_no_traps() -> None:
    assert all(generate_deck.is_good(card.cells()) for card in BUILT_IN.cards)
    assert not generate_deck.is_good(0b0001_0001_0001_0111)  # a thin hook: no room for the square
    assert not generate_deck.is_good(0b1000_0111_0111_0011)  # its last cell touches the others by a corner only


def test_g03_a_record_names_its_deck_by_the_digest_of_the_normal_form() -> None:
    normal = "\n".join(re.sub(r"(?m)^#.*\n", "", DECK_TEXT).strip("\n").split("\n")) + "\n"
    assert BUILT_IN.text == normal
    digest = hashlib.sha256(normal.encode()).hexdigest()[:12]
    match = Match("silver-and-gold", 2, seed=1)
    assert f'options {{"deck": "{digest}"}}' in str(match).splitlines()
    assert Match.load(str(match)).state == match.state
    assert Match.load(re.sub("(?m)^options.*\n", "", str(match))).state == match.state


def test_g03_order_comments_and_line_ends_do_not_change_the_digest() -> None:
    blocks = BUILT_IN.text.strip("\n").split("\n\n")
    shuffled = "\r\n\r\n\r\n".join(["# mine", *reversed(blocks)]).replace("\n", "\r\n").replace("\r\r", "\r")
    assert read_deck(shuffled).digest == BUILT_IN.digest
    assert game_named("silver-and-gold").with_deck(shuffled) is game_named("silver-and-gold")
    assert read_deck(BUILT_IN) == BUILT_IN


# ------------------------------------------------------------------ decks that are refused, each with its sentence
def line_of(name: str) -> int:
    """The line in which a card's block begins."""
    return next(n for n, line in enumerate(LINES, 1) if line.split(" ")[0] == name)


def edited(name: str, *block: str) -> str:
    """The built-in deck with one card's block replaced."""
    begin = line_of(name) - 1
    end = LINES.index("", begin)
    return "\n".join([*LINES[:begin], *block, *LINES[end:]])


P7 = line_of("p7")
BROKEN: dict[str, tuple[str, int, str]] = {
    "empty": ("", 1, "p1 is missing."),
    "only comments": ("# nothing\n# here\n", 1, "p1 is missing."),
    "missing card": (edited("p7"), len(LINES) - 1 - 5, "p7 is missing."),
    "card twice": (edited("p7", "p6", "oooo", "oooo", "oooo", "x..o"), P7, "p6 is here twice; the first is in line"),
    "number too high": (edited("p7", "p13", "oooo", "oooo", "oooo", "x..o"), P7, "“p13” is no card"),
    "grey twelve": (edited("s11", "s12", "oo.", "ooo", "ooo"), line_of("s11"), "“s12” is no card"),
    "unknown colour": (edited("p7", "b7", "oooo", "oooo", "oooo", "x..o"), P7, "“b7” is no card"),
    "capital letter": (edited("p7", "P7", "oooo", "oooo", "oooo", "x..o"), P7, "“P7” is no card"),
    "leading zero": (edited("p7", "p07", "oooo", "oooo", "oooo", "x..o"), P7, "“p07” is no card"),
    "no name": (edited("p7", "oooo", "oooo", "oooo", "x..o"), P7, "The island “oooo” has no name"),
    "no island": (edited("p7", "p7"), P7, "p7 has no island."),
    "blank line inside": (
        edited("p7", "p7", "oooo", "", "oooo", "oooo", "x..o"),
        P7 + 3,
        "The island “oooo” has no name",
    ),
    "blank line wanting": (
        edited("p7", "p7", "oooo", "oooo", "oooo", "x..o", "p8"),
        P7 + 5,
        "A blank line is missing before p8.",
    ),
    "five rows": (edited("p7", "p7", "oooo", "oooo", "oooo", "o...", "x..."), P7 + 5, "The island of p7 has 5 rows"),
    "row too long": (edited("p7", "p7", "ooooo", "oooo", "oooo", "x"), P7 + 1, "A row of p7 is 5 cells wide"),
    "rows unequal": (edited("p7", "p7", "oooo", "oooo", "oooo", "x.o"), P7 + 4, "this one has 3 signs, the first 4."),
    "unknown sign": (edited("p7", "p7", "oooo", "ozoo", "oooo", "x..o"), P7 + 2, "“z” at place 2 in a row of p7"),
    "capital sign": (edited("p7", "p7", "oooo", "oooo", "oooo", "X..o"), P7 + 4, "“X” at place 1 in a row of p7"),
    "zero for o": (edited("p7", "p7", "ooo0", "oooo", "oooo", "x..o"), P7 + 1, "“0” at place 4 in a row of p7"),
    "space in a row": (edited("p7", "p7", "oooo", "oooo", "oooo", "x  o"), P7 + 4, "“ ” at place 2 in a row of p7"),
    "too few cells": (edited("p7", "p7", "oooo", "oooo", "oooo", "x..."), P7, "p7 has 13 cells; purple cards have 14."),
    "too many cells": (
        edited("p7", "p7", "oooo", "oooo", "oooo", "x.oo"),
        P7,
        "p7 has 15 cells; purple cards have 14.",
    ),
    "no cell at all": (edited("p7", "p7", "....", "...."), P7, "p7 has 0 cells; purple cards have 14."),
    "wrong colour": (
        edited("s11", "s11", "oooo", "oooo", "oooo", "x..o"),
        line_of("s11"),
        "s11 has 14 cells; grey cards have 8.",
    ),
    "not joined": (
        edited("s11", "s11", "oo.o", "oo..", "oo..", "o..."),
        line_of("s11"),
        "The cells of s11 are not all joined",
    ),
    "joined by a corner only": (
        edited("s11", "s11", "oooo", "ooo.", "...o"),
        line_of("s11"),
        "not all joined by their edges.",
    ),
    "seal without plus": (edited("p7", "p7 o2", "oooo", "oooo", "oooo", "x..o"), P7, "“o2” on p7 is no seal"),
    "seal without points": (edited("p7", "p7 +o", "oooo", "oooo", "oooo", "x..o"), P7, "“+o” on p7 is no seal"),
    "seal of no colour": (edited("p7", "p7 +b2", "oooo", "oooo", "oooo", "x..o"), P7, "for “b”, which is no colour"),
    "seal of three": (
        edited("p7", "p7 +o3", "oooo", "oooo", "oooo", "x..o"),
        P7,
        "gives 3 points; a seal gives 1 or 2.",
    ),
    "two seals": (
        edited("p7", "p7 +o2 +g1", "oooo", "oooo", "oooo", "x..o"),
        P7,
        "only one seal can stand, not “+o2 +g1”",
    ),
}


@pytest.mark.parametrize(("text", "line", "sentence"), BROKEN.values(), ids=BROKEN)
def test_g02_and_g03_a_broken_deck_is_refused_with_line_and_sentence(text: str, line: int, sentence: str) -> None:
    errors = [f for f in check_deck(text) if f.severity == "error"]
    assert any(f.line == line and sentence in render(f.message) for f in errors), [str(f) for f in errors]
    assert [f.line for f in errors] == sorted(f.line for f in errors)
    with pytest.raises(BadDeck) as refused:
        Match("silver-and-gold", 2, deck=text)
    assert f"Line {line}: " in str(refused.value)
    assert sentence in str(refused.value)
    assert len(refused.value.findings) >= len(errors)


def test_g03_all_errors_are_listed_at_once() -> None:
    text = edited("p7", "p7 +b2", "ooooo", "ozoo", "oooo", "x..").replace("\ns11\noo.", "\ns11\noo")
    sentences = [str(f) for f in check_deck(text)]
    assert len([s for s in sentences if " p7" in s]) == 3
    assert any("s11" in s for s in sentences)
    with pytest.raises(BadDeck) as refused:
        read_deck(text)
    assert render(refused.value.message).startswith(
        f"The deck cannot be used: it has {len(sentences)} errors. Line {P7}:"
    )
    assert str(refused.value).splitlines() == sentences


def test_g03_a_deck_is_text() -> None:
    with pytest.raises(BadDeck, match="Line 1: A deck is text"):
        Match("silver-and-gold", 2, deck=47)
    assert [f.line for f in check_deck(b"p1")] == [1]


def test_g03_only_a_game_with_a_deck_takes_one() -> None:
    with pytest.raises(BadOptions, match="Silencio has no deck that could be exchanged"):
        Match("silencio", 2, deck=DECK_TEXT)


# ------------------------------------------------------------------ decks with other figures
ODD: dict[str, tuple[str, str, str]] = {
    "four crosses": ("p7", "p7\nxxxo\noooo\noooo\nx..o", "Card p7 has 4 crosses; the usual deck has at most 3."),
    "four coins": ("p7", "p7\n$$$$\noooo\noooo\nx..o", "Card p7 has 4 coins; the usual deck has at most 3."),
    "two palms": ("p7", "p7\n^^oo\noooo\noooo\nx..o", "Card p7 has 2 palms; the usual deck has at most 1."),
    "sum of crosses": (
        "p7",
        "p7\noooo\noooo\noooo\no..o",
        "All purple cards together have 22 crosses; the usual number is 23.",
    ),
    "sum of coins": (
        "p7",
        "p7\n$ooo\noooo\noooo\nx..o",
        "All purple cards together have 16 coins; the usual number is 15.",
    ),
    "sum of palms": (
        "p7",
        "p7\n^ooo\noooo\noooo\nx..o",
        "All purple cards together have 5 palms; the usual number is 4.",
    ),
    "seal for the own colour": ("p1", "p1 +p2\nxooo\n.oo.\nxoox\noooo", "Card p1 bears a seal for its own colour."),
    "seal wanting": (
        "p1",
        "p1\nxooo\n.oo.\nxoox\noooo",
        "0 of the purple cards have a seal for orange; the usual number is one.",
    ),
    "seal worth": ("p1", "p1 +o1\nxooo\n.oo.\nxoox\noooo", "The seal for orange on p1 should give 2."),
    "coin beside a seal": (
        "p1",
        "p1 +o2\nxo$o\n.oo.\nxoox\noooo",
        "Card p1 bears a seal and should carry no coins and no palms.",
    ),
    "crosses beside a seal": (
        "p1",
        "p1 +o2\nxooo\n.oo.\nxooo\noooo",
        "Card p1 has 2 crosses; purple cards with a seal should have 3.",
    ),
    "same island": ("p7", "p7\n.ooo\noooo\noooo\n.oox", "Card p7 is the same island as p3, turned or mirrored."),
}


@pytest.mark.parametrize(("name", "block", "sentence"), ODD.values(), ids=ODD)
def test_g03_other_figures_are_played_with_a_warning(name: str, block: str, sentence: str) -> None:
    text = edited(name, *block.split("\n"))
    findings = check_deck(text)
    assert {f.severity for f in findings} == {"warning"}
    assert sentence in [render(f.message) for f in findings]
    game_named("silver-and-gold")._decks.clear()
    with pytest.warns(DeckWarning) as warned:
        match = Match("silver-and-gold", 2, deck=text, seed=1)
    assert len(warned) == len(findings)
    assert match.options == {"deck": read_deck(text).digest}
    assert match.options["deck"] != BUILT_IN.digest


def test_g03_another_decks_islands_are_what_is_played_shown_and_observed() -> None:
    game = with_cards(s11="ooo. oooo ..o.", s7="oo.. ooo. ooo.")
    match = run(table("s7 s11", "s5 s1", game=game), "* expedition O4")
    assert "mark s11 a1 b1 a2 b2" in match.legal(0)
    assert seen(match, 0).table[0].cards[1].island.rows == ("ooo.", "oooo", "..o.", "....")
    own = run(table("s7 s11", "s5 s1"), "* expedition O4")
    assert seen(own, 0).table[0].cards[1].island.rows == ("oo..", "ooo.", "ooo.", "....")
    assert observed(match, 0) != observed(own, 0)


def test_g03_a_record_of_another_deck_needs_that_deck() -> None:
    game = all_of("x")
    match = laws.random_match(game, 2, None, 4)
    text = str(match)
    again = Match.load(text, deck=game.deck_text)
    assert (again.state, str(again), again.game) == (match.state, text, game)
    with pytest.raises(BadRecord, match=f"Line 4: .*deck {game.deck}; .* must be given"):
        Match.load(text)
    other = all_of("$")
    with pytest.raises(BadRecord, match=f"deck {game.deck}, but the deck given is {other.deck}"):
        Match.load(text, deck=other.deck_text)
    own = str(Match("silver-and-gold", 2, seed=1))
    with pytest.raises(BadRecord, match=f"deck {BUILT_IN.digest}, but the deck given is {game.deck}"):
        Match.load(own, deck=game.deck_text)
    with pytest.raises(BadRecord, match=f"deck {BUILT_IN.digest}, but"):
        Match.load(re.sub("(?m)^options.*\n", "", own), deck=game.deck_text)
    with pytest.raises(BadDeck):
        Match.load(text, deck="p1\n")
    assert Match.load(own, deck=DECK_TEXT).state == Match.load(own).state


def test_g03_the_option_names_a_deck_and_nothing_else() -> None:
    with pytest.raises(BadOptions, match="must be given"):
        Match("silver-and-gold", 2, {"deck": "0123456789ab"})
    with pytest.raises(BadOptions, match="The option “deck” can be"):
        Match("silver-and-gold", 2, {"deck": True})
    assert Match("silver-and-gold", 2, {"deck": BUILT_IN.digest}, seed=1).options == {"deck": BUILT_IN.digest}


@pytest.mark.parametrize("sign", "x$^o")
def test_g03_the_laws_hold_with_any_deck(sign: str) -> None:
    game = all_of(sign)
    for seats in (2, 4):
        assert laws.check(game, seats, matches=1, seed=3, thorough=0.03) > 0


def test_g03_a_deck_on_a_smaller_grid_is_shown_on_four_by_four() -> None:
    card = Card(CARD_NAMES.index("s2"), ("oooo", "oooo"), (1, 2))
    text = "\n".join(str(card if c.name == "s2" else c) for c in BUILT_IN.cards)
    match = table("s2 s11", "s5 s1", game=with_deck(text))
    assert seen(match, 0).table[0].cards[0].island.rows == ("oooo", "oooo", "....", "....")
    assert standard(0b11) == standard(0b1_0001)
