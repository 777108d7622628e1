"""A deck of treasure cards: its file format (G03), a reader, and checks of G02 and G03."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from tacit.core.errors import BadDeck, Finding
from tacit.core.messages import Message

PURPLE, ORANGE, GREEN, GREY = range(4)
COLOUR_LETTERS = "pogs"
COLOUR_WORDS = ("purple", "orange", "green", "grey")
COPIES = (12, 12, 12, 11)  # cards of each colour
SIZES = (14, 12, 10, 8)  # cells of a card, which is also its value
CARDS, SIDE = 47, 4
CARD_NAMES = tuple(f"{COLOUR_LETTERS[c]}{n}" for c in range(4) for n in range(1, COPIES[c] + 1))
CARD_NUMBERS = {name: c for c, name in enumerate(CARD_NAMES)}
CARD_COLOURS = tuple(c for c in range(4) for _ in range(COPIES[c]))
NO_CELL, PLAIN, CROSS, COIN, PALM = ".ox$^"

# The figures of G03, by colour.
SYMBOLS = ((23, 15, 4), (17, 15, 4), (11, 9, 4), (4, 3, 4))  # crosses, coins, palms
MOST = (3, 3, 1)  # on one card
SEAL_POINTS = (2, 2, 1, 1)  # of a seal for this colour
SEAL_CROSSES = (3, 2, 0, 0)  # on a card of this colour that bears a seal
SYMBOL_WORDS = ("crosses", "coins", "palms")


class Card(msgspec.Struct, frozen=True):
    """One treasure card. Sets of cells are 16-bit integers: the cell in column x and row y is bit 4 * y + x."""

    number: int
    rows: tuple[str, ...]  # as written in the file
    seal: tuple[int, int] | None = None  # colour, points

    @property
    def name(self) -> str:
        return CARD_NAMES[self.number]

    @property
    def colour(self) -> int:
        return CARD_COLOURS[self.number]

    def cells(self, signs: str = PLAIN + CROSS + COIN + PALM) -> int:
        """The cells that bear one of these signs."""
        return sum(1 << 4 * y + x for y, row in enumerate(self.rows) for x, sign in enumerate(row) if sign in signs)

    def symbols(self) -> tuple[int, int, int]:
        """How many crosses, coins and palms it bears."""
        return self.cells(CROSS).bit_count(), self.cells(COIN).bit_count(), self.cells(PALM).bit_count()

    def __str__(self) -> str:
        seal = "" if self.seal is None else f" +{COLOUR_LETTERS[self.seal[0]]}{self.seal[1]}"
        return "\n".join([self.name + seal, *self.rows]) + "\n"


class Deck(msgspec.Struct, frozen=True):
    """47 cards in the order p, o, g, s, and where they depart from the figures of G03."""

    cards: tuple[Card, ...]
    warnings: tuple[Finding, ...] = ()

    @property
    def text(self) -> str:
        """The deck in normal form (G03)."""
        return "\n".join(str(card) for card in self.cards)

    @property
    def digest(self) -> str:
        """The deck's name in records: the first 12 hex digits of the SHA-256 of its normal form."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]


def read_deck(deck: object) -> Deck:
    """The deck of a text or of a Deck; BadDeck with every error if it cannot be played with."""
    if isinstance(deck, Deck):
        deck = deck.text
    reader = _Reader(deck)
    if any(f.severity == "error" for f in reader.findings):
        raise BadDeck(reader.findings)
    cards = tuple(reader.cards[c] for c in range(CARDS))
    return Deck(cards, tuple(reader.findings))


def check_deck(text: object) -> list[Finding]:
    """All errors (G02 or the format is broken) and warnings (other figures than G03's) of a deck, by line."""
    return _Reader(text).findings


class _Reader:
    """Reads as much of a deck's text as possible: `cards` are the valid ones, `findings` the errors and warnings."""

    def __init__(self, text: object) -> None:
        self.findings: list[Finding] = []
        self.cards: dict[int, Card] = {}
        self.lines: dict[int, int] = {}  # where each card's block begins
        if not isinstance(text, str):
            self.find(1, "text")
            return
        self.last = 1
        for block in self.blocks(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")):
            self.block(block)
        self.whole()
        self.findings.sort(key=lambda f: f.line)

    def find(self, line: int, code: str, severity: Literal["error", "warning"] = "error", **params: Any) -> None:
        self.findings.append(Finding(line, severity, Message(f"silver-and-gold.deck.{code}", params)))

    def blocks(self, lines: list[str]) -> list[list[tuple[int, str]]]:
        """The blocks, each a list of numbered lines, without comments."""
        blocks: list[list[tuple[int, str]]] = [[]]
        for number, line in enumerate(lines, 1):
            said = line.strip(" \t")
            if said.startswith("#"):
                continue
            if not said:
                blocks.append([])
                continue
            self.last = number
            if blocks[-1] and said.split()[0] in CARD_NUMBERS:
                self.find(number, "blank", card=said.split()[0])
                blocks.append([])
            blocks[-1].append((number, said))
        return [block for block in blocks if block]

    def block(self, block: list[tuple[int, str]]) -> None:
        (line, head), rows = block[0], block[1:]
        name, *rest = head.split()
        if not set(head) - set(NO_CELL + PLAIN + CROSS + COIN + PALM):
            self.find(line, "nameless", text=head[:20])
            return
        if name not in CARD_NUMBERS:
            self.find(line, "name", text=name[:20])
            return
        number = CARD_NUMBERS[name]
        errors = len(self.findings)
        if number in self.lines:
            self.find(line, "twice", card=name, first=self.lines[number])
        else:
            self.lines[number] = line
        seal = self.seal(line, name, rest)
        self.form(line, name, rows)
        if len(self.findings) == errors:
            card = Card(number, tuple(row for _, row in rows), seal)
            self.island(line, card)
            if len(self.findings) == errors:
                self.cards[number] = card

    def seal(self, line: int, name: str, words: list[str]) -> tuple[int, int] | None:
        if not words:
            return None
        if len(words) > 1:
            self.find(line, "head", card=name, text=" ".join(words)[:20])
            return None
        found = re.fullmatch(r"\+([^0-9])([0-9]+)", words[0])
        if not found:
            self.find(line, "seal", card=name, text=words[0][:20])
        elif found[1] not in COLOUR_LETTERS:
            self.find(line, "seal-colour", card=name, text=found[1])
        elif found[2] not in ("1", "2"):
            self.find(line, "seal-points", card=name, text=found[2][:20])
        else:
            return COLOUR_LETTERS.index(found[1]), int(found[2])
        return None

    def form(self, line: int, name: str, rows: list[tuple[int, str]]) -> None:
        """Rows of equal length on a grid of at most 4 by 4."""
        if not rows:
            self.find(line, "rows-none", card=name)
            return
        if len(rows) > SIDE:
            self.find(rows[SIDE][0], "rows-many", card=name, n=len(rows))
        for number, row in rows:
            for at, sign in enumerate(row):
                if sign not in NO_CELL + PLAIN + CROSS + COIN + PALM:
                    self.find(number, "sign", card=name, sign=sign, at=at + 1)
            if len(row) > SIDE:
                self.find(number, "row-long", card=name, n=len(row))
            elif len(row) != len(rows[0][1]) <= SIDE:
                self.find(number, "row-unequal", card=name, n=len(row), first=len(rows[0][1]))

    def island(self, line: int, card: Card) -> None:
        """G02: the colour's number of cells, joined by edges."""
        cells = card.cells()
        if cells.bit_count() != SIZES[card.colour]:
            colour, want = colour_words(card.colour), SIZES[card.colour]
            self.find(line, "cells", card=card.name, colour=colour, want=want, have=cells.bit_count())
        elif not joined(cells):
            self.find(line, "joined", card=card.name)

    # -------------------------------------------------------------- the whole deck
    def whole(self) -> None:
        """G02: all 47 cards are there. G03: its figures."""
        for number in range(CARDS):
            if number not in self.lines:
                self.find(self.last, "missing", card=CARD_NAMES[number])
        for number in sorted(self.cards):
            self.figures_of_card(self.lines[number], self.cards[number])
        self.alike()
        for colour in range(4):
            cards = [card for card in self.cards.values() if card.colour == colour]
            if len(cards) == COPIES[colour]:
                self.figures_of_colour(colour, cards)

    def figures_of_card(self, line: int, card: Card) -> None:
        have = card.symbols()
        for kind, word in enumerate(SYMBOL_WORDS):
            if have[kind] > MOST[kind]:
                self.warn(line, f"most-{word}", card=card.name, n=have[kind], most=MOST[kind])
        if card.seal is not None:
            to, points = card.seal
            if to == card.colour:
                self.warn(line, "seal-own", card=card.name)
            if points != SEAL_POINTS[to]:
                self.warn(line, "seal-worth", card=card.name, colour=colour_words(to), want=SEAL_POINTS[to])
            if have[1] or have[2]:
                self.warn(line, "seal-symbols", card=card.name)
            if have[0] != SEAL_CROSSES[card.colour]:
                params = {"colour": colour_words(card.colour), "want": SEAL_CROSSES[card.colour]}
                self.warn(line, "seal-crosses", card=card.name, have=have[0], **params)

    def figures_of_colour(self, colour: int, cards: list[Card]) -> None:
        line = min(self.lines[card.number] for card in cards)
        for kind, word in enumerate(SYMBOL_WORDS):
            have, want = sum(card.symbols()[kind] for card in cards), SYMBOLS[colour][kind]
            if have != want:
                self.warn(line, f"sum-{word}", colour=colour_words(colour), have=have, want=want)
        for to in range(4):
            seals = sum(card.seal is not None and card.seal[0] == to for card in cards)
            if to != colour and seals != 1:
                self.warn(line, "seals", colour=colour_words(colour), to=colour_words(to), have=seals)

    def alike(self) -> None:
        first: dict[int, Card] = {}
        for number in sorted(self.cards):
            card = self.cards[number]
            twin = first.setdefault(standard(card.cells()), card)
            if twin is not card:
                self.warn(self.lines[number], "alike", card=card.name, other=twin.name)

    def warn(self, line: int, code: str, **params: Any) -> None:
        self.find(line, code, "warning", **params)


def colour_words(colour: int) -> Message:
    return Message(f"silver-and-gold.colour.{COLOUR_WORDS[colour]}")


# ------------------------------------------------------------------ sets of cells
def joined(cells: int) -> bool:
    """Are the cells connected by their edges?"""
    reached = cells & -cells
    while True:
        beside = reached << 4 | reached >> 4 | (reached & 0x7777) << 1 | (reached & 0xEEEE) >> 1
        grown = (reached | beside) & cells
        if grown == reached:
            return reached == cells
        reached = grown


def standard(cells: int) -> int:
    """The canonical one of an island's eight rotations and reflections."""
    places = [(at % 4, at // 4) for at in range(16) if cells >> at & 1]
    return min(_cornered(turned) for turned in turnings(places))


def turnings(places: Iterable[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """The eight rotations and reflections of some cells."""
    found, now = [], list(places)
    for _ in range(4):
        now = [(-y, x) for x, y in now]
        found += [now, [(-x, y) for x, y in now]]
    return found


def _cornered(places: list[tuple[int, int]]) -> int:
    left, top = min(x for x, _ in places), min(y for _, y in places)
    return sum(1 << 4 * (y - top) + x - left for x, y in places)
