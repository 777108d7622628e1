"""How a Silver & Gold match is written down, and what of it each seat hears."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any

from tacit.core.bits import members, nth
from tacit.core.errors import IllegalDecision
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import rule
from tacit.games.silver_and_gold.board import (
    card_points,
    crossing,
    palm_points,
    seal_points,
    trophy_points,
)
from tacit.games.silver_and_gold.deck import CARD_NAMES, CARD_NUMBERS, COLOUR_LETTERS
from tacit.games.silver_and_gold.model import *
from tacit.games.silver_and_gold.rules import winners
from tacit.games.silver_and_gold.shapes import PLACES_OF, SHAPE_NAMES
from tacit.games.silver_and_gold.words import cell_list, named, shape_words

CELL_NAMES = tuple(f"{'abcd'[at % 4]}{at // 4 + 1}" for at in range(CELLS))
CELL_NUMBERS = {name: at for at, name in enumerate(CELL_NAMES)}
VERBS = {"keep": (KEEP,), "mark": (CROSS_OFF,), "cross": (CROSS_OFF,), "bonus": (CROSS_OFF,), "take": (TAKE,)}
TEXT_VERBS = ("keep", "mark", "cross", "bonus", "take")  # in the order of KEEP_TEXT and the others
CODES = {"mark": MARK_TEXT, "cross": CROSS_TEXT, "bonus": BONUS_TEXT}
CLOSED = ("expedition", "mark", "cross", "bonus")  # G06: what is no longer heard once the turn is over


@lru_cache(4096)
def cell_names(cells: int) -> list[str]:
    """A set of cells, row by row, left to right."""
    return [CELL_NAMES[at] for at in members(cells)]


def pair_names(hand: int, pair: int) -> list[str]:
    """The names of the two cards that a pair keeps of a hand."""
    cards = members(hand)
    return [CARD_NAMES[cards[at]] for at in PAIRS[pair]]


def show(s: State, who: int, action: int) -> str:
    """A decision or an outcome as the record writes it."""
    if who == CHANCE:
        return _show_chance(s, action)
    return decision_text(decision_key(s, who, action))


@rule
def decision_key(s: State, seat: int, action: int) -> int:
    """What the text of a seat's decision says: its verb (3 bits), a card or A_DECK (7); then the other card that is
    kept, or what is crossed off: a cell or a place (6) of the shape.
    """
    if s.phase == CROSS_OFF:
        choice = action % A_SLOT
        verb = MARK_TEXT if choice >= A_MARK else BONUS_TEXT if s.bonus[seat] > 0 else CROSS_TEXT
        return verb | s.card[seat, action // A_SLOT] << 3 | choice << 10 | (s.shape << 16 if verb == MARK_TEXT else 0)
    if s.phase == KEEP:
        first, second = nth(s.hand[seat], PAIRS[action][0]), nth(s.hand[seat], PAIRS[action][1])
        return KEEP_TEXT | first << 3 | second << 10
    return TAKE_TEXT | action << 3


@lru_cache(1 << 14)
def decision_text(key: int) -> str:
    """A decision as the record writes it: of a crossing the cells that it crosses off."""
    verb, card, other, shape = key & 7, key >> 3 & 127, key >> 10 & 63, key >> 16
    if verb == TAKE_TEXT:
        return f"take {'deck' if card == A_DECK else CARD_NAMES[card]}"
    if verb == KEEP_TEXT:
        return f"keep {CARD_NAMES[card]} {CARD_NAMES[other]}"
    return " ".join([TEXT_VERBS[verb], CARD_NAMES[card], *cell_names(crossing(shape, other))])


def _show_chance(s: State, outcome: int) -> str:
    if s.phase == REVEAL:
        return f"expedition {SHAPE_NAMES[outcome]}"
    if s.phase == START:
        return f"start {outcome}"
    verb = {DEAL: f"deal {s.active}", BLIND: f"blind {s.active}"}.get(s.phase, "show")
    return f"{verb} {CARD_NAMES[outcome]}"


# ------------------------------------------------------------------ reading
def parse(s: State, who: int, text: str) -> int:
    """The number of a decision; IllegalDecision if the text is no decision, or answers another question."""
    verb, *words = text.split(" ")
    if verb not in VERBS or not words or (verb in ("cross", "bonus", "keep") and len(words) != 2):
        raise _refused("unreadable", text=text[:40])
    if verb in ("mark", "cross", "bonus") and any(word not in CELL_NUMBERS for word in words[1:]):
        wrong = next(word for word in words[1:] if word not in CELL_NUMBERS)
        raise _refused("no-cell", text=wrong[:20])
    cards = [_card(word) for word in (words if verb == "keep" else words[:1]) if text != "take deck"]
    if s.phase not in VERBS[verb]:
        raise _refused(f"not-asked.{verb}")
    if verb == "keep":
        return _parse_keep(s, who, cards)
    if verb == "take":
        if len(words) != 1:
            raise _refused("unreadable", text=text[:40])
        return cards[0] if cards else A_DECK
    return _parse_crossing(s, who, verb, cards[0], [CELL_NUMBERS[word] for word in words[1:]])


def encode_text(text: str) -> int:
    """A decision of KEEP or CROSS_OFF as a number: its verb, its card, the other card or the cells; -1 for others."""
    verb, *words = text.split(" ")
    card, more = CARD_NUMBERS.get("".join(words[:1]), -1), words[1:]
    if card < 0 or not more or (len(more) > 1 and verb != "mark"):
        return -1
    if verb == "keep":
        other = CARD_NUMBERS.get(more[0], -1)
        return KEEP_TEXT | card << 2 | other << 8 if other > card else -1
    cells = [CELL_NUMBERS.get(word, -1) for word in more]
    if verb not in CODES or cells[0] < 0 or any(a >= b for a, b in pairwise(cells)):
        return -1
    return CODES[verb] | card << 2 | (sum(1 << cell for cell in cells) if verb == "mark" else cells[0]) << 8


def _card(name: str) -> int:
    if name not in CARD_NUMBERS:
        raise _refused("no-card", text=name[:20])
    return CARD_NUMBERS[name]


def _parse_keep(s: State, who: int, cards: list[int]) -> int:
    hand = members(s.hand[who])
    for card in cards:
        if card not in hand:
            raise _refused("not-dealt", card=named(card))
    if cards[0] >= cards[1]:
        raise _refused("keep-twice" if cards[0] == cards[1] else "keep-order")
    return PAIRS.index((hand.index(cards[0]), hand.index(cards[1])))


def _parse_crossing(s: State, who: int, verb: str, card: int, cells: list[int]) -> int:
    slots = [slot for slot in range(KEPT) if s.card[who, slot] == card]
    if not slots:
        raise _refused("not-yours", card=named(card))
    if verb == "bonus" and not s.bonus[who]:
        raise _refused("no-bonus")
    if verb != "bonus" and s.bonus[who]:
        raise _refused("bonus-first", n=s.bonus[who])
    if verb != "mark":
        return A_SLOT * slots[0] + cells[0]
    if cells != sorted(set(cells)):
        raise _refused("cell-order")
    place = sum(1 << cell for cell in cells)
    if place not in PLACES_OF[s.shape]:
        raise _refused("not-shape", cells=cell_list(place), shape=shape_words(s.shape))
    return A_SLOT * slots[0] + A_MARK + PLACES_OF[s.shape].index(place)


def _refused(code: str, **params: Any) -> IllegalDecision:
    return IllegalDecision(Message(f"silver-and-gold.refuse.{code}", params))


# ------------------------------------------------------------------ hearing
def hear(before: State, who: int, action: int, after: State) -> list[str]:
    """What a seat hears of a step, from what it knew before and after.

    Of a sealed choice only the seat that made it hears; when the seal is opened all hear the others' choices, unless
    the turn is over with that (G06). A dealt card that the seat does not know is `?`.
    """
    if who == CHANCE:
        if before.phase == REVEAL and after.turn != before.turn:
            return []  # no seat has a card left: the turn ends with its expedition
        hidden = before.phase == DEAL and after.pool >> action & 1
        return [f"* deal {before.active} ?" if hidden else f"* {_show_chance(before, action)}"]
    if before.phase == KEEP:
        return _hear_keep(before, who, action, after)
    if before.phase == CROSS_OFF:
        return _hear_crossings(before, who, action, after)
    return [f"{who} {show(before, who, action)}"]


def _hear_keep(before: State, who: int, action: int, after: State) -> list[str]:
    if after.phase == KEEP:
        return [f"{who} {show(before, who, action)}"] if after.kept[who] else []
    # All have chosen: who has kept cards in mind already is the one who hears this, and knows its own.
    return [
        f"{q} keep {CARD_NAMES[after.card[q, 0]]} {CARD_NAMES[after.card[q, 1]]}"
        for q in range(after.seats)
        if not before.kept[q]
    ]


def _hear_crossings(before: State, who: int, action: int, after: State) -> list[str]:
    if after.turn != before.turn:
        return []
    if after.phase == CROSS_OFF:
        return [f"{who} {show(before, who, action)}"] if after.main[who] else []
    lines = []
    for r in range(before.seats):
        q = (before.starter + r) % before.seats
        if not before.main[q]:
            lines += _crossings(before, q, after)
        elif q == who:  # the last cell of one's own chain
            lines.append(f"{who} {show(before, who, action)}")
    return lines


def _crossings(before: State, seat: int, after: State) -> list[str]:
    """A seat's crossings of the turn: the mark or cross, then its bonus cells, whose order only the seat knows."""
    if not after.main[seat]:
        return []
    main = after.main[seat] - 1
    lines = [f"{seat} {show(before, seat, main)}"]
    for slot in range(KEPT):
        card = before.card[seat, slot]
        crossed = before.free[seat, slot]
        if after.card[seat, slot] == card:
            crossed &= ~after.free[seat, slot]
        if slot == main // A_SLOT:
            crossed &= ~crossing(before.shape, main)
        lines += [f"{seat} bonus {CARD_NAMES[card]} {name}" for name in cell_names(crossed)]
    return lines


def curtain(before: State, after: State, lines: list[str]) -> list[str]:
    """G06: once a turn is over, its expedition and what was crossed off in it are no longer heard.

    Of earlier turns nothing is left to close.
    """
    if after.turn == before.turn:
        return lines
    begun = next((i for i in range(len(lines) - 1, -1, -1) if lines[i].startswith("* expedition ")), len(lines))
    return lines[:begun] + [line for line in lines[begun:] if line.split(" ")[1] not in CLOSED]


# ------------------------------------------------------------------ the result
Sheet = tuple[int, int, int, int]  # a seat's coins, the points of its trophies and palms, and its completed cards


def breakdown(sheet: Sheet) -> dict[str, int]:
    """G12: a seat's points by source."""
    coins, trophies, palms, done = sheet
    return {
        "coins": int(coins),
        "trophies": trophies,
        "palms": palms,
        "cards": card_points(done),
        "seals": seal_points(done),
    }


def completed(done: int) -> dict[str, int]:
    """How many cards of each colour a seat has completed."""
    return {letter: (done & cards).bit_count() for letter, cards in zip(COLOUR_LETTERS, COLOUR_CARDS, strict=True)}


def result(s: State) -> dict[str, Any]:
    """G12, G13: how it ended."""
    sheets = [(s.coins[q], trophy_points(s, q), palm_points(s, q), s.completed[q]) for q in range(s.seats)]
    return result_of(sheets, lambda: winners(s))


def result_of(sheets: list[Sheet], winners_of: Callable[[], int]) -> dict[str, Any]:
    """The same, from what the seats have. Who wins is asked only if the points are tied, and what a seat has is worked
    out once: many records are read at a time.
    """
    parts = [breakdown(sheet) for sheet in sheets]
    scores = [sum(part.values()) for part in parts]
    best = [q for q, score in enumerate(scores) if score == max(scores)]
    return {
        "scores": scores,
        "winners": best if len(best) == 1 else list(members(winners_of())),
        "breakdown": parts,
        "completed": [completed(done) for *_, done in sheets],
        "reason": "rounds",
    }
