"""How a Silver & Gold match is written down, and what of it each seat hears."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any

from tacit.core.bits import lowest, members, nth
from tacit.core.clockwise import seat_after
from tacit.core.errors import IllegalDecision
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silver_and_gold.board import (
    card_points,
    crossing,
    palm_points,
    seal_points,
    trophy_points,
)
from tacit.games.silver_and_gold.deck import CARD_NAMES, CARD_NUMBERS, CARDS, COLOUR_LETTERS, SIZES
from tacit.games.silver_and_gold.model import *
from tacit.games.silver_and_gold.rules import winners
from tacit.games.silver_and_gold.shapes import PLACES_OF, SHAPE_NAMES
from tacit.games.silver_and_gold.words import cell_list, named, shape_words

CELL_NAMES = tuple(f"{'abcd'[at % 4]}{at // 4 + 1}" for at in range(CELLS))
CELL_NUMBERS = {name: at for at, name in enumerate(CELL_NAMES)}
VERBS = {"keep": (KEEP,), "mark": (CROSS_OFF,), "cross": (CROSS_OFF,), "bonus": (CROSS_OFF,), "take": (TAKE,)}
TEXT_VERBS = ("keep", "mark", "cross", "bonus", "take")  # in the order of KEEP_TEXT and the others
UNKNOWN = CARDS  # in the key of a dealt card: one that the seat does not know
DRAWN_NAMES = (*CARD_NAMES, "?")
CODES = {"mark": MARK_TEXT, "cross": CROSS_TEXT, "bonus": BONUS_TEXT}
CLOSED = ("expedition", "mark", "cross", "bonus")  # G06: what is no longer heard once the turn is over
# The most lines of one step: each line of an opened seal crosses off a free cell of the cards of its seat, and no two
# lines the same cell; any other step has at most a line for each seat.
HEAR_KEYS = MAX_SEATS * KEPT * max(SIZES)


@lru_cache(4096)
def cell_names(cells: int) -> list[str]:
    """A set of cells, row by row, left to right."""
    return [CELL_NAMES[at] for at in members(cells)]


def pair_names(hand: int, pair: int) -> list[str]:
    """The names of the two cards that a pair keeps of a hand."""
    cards = members(hand)
    return [CARD_NAMES[cards[at]] for at in PAIRS[pair]]


@rule
def decision_key(s: State, who: int, action: int) -> int:
    """What the text of a decision or an outcome says: its verb (4 bits), a card or A_DECK (6); then the other card that
    is kept, or what is crossed off: a cell or a place (6) of the shape. `outcome_key` says what an outcome has there.
    """
    if who == CHANCE:
        return outcome_key(s, action)
    if s.phase == CROSS_OFF:
        choice = action % A_SLOT
        verb = MARK_TEXT if choice >= A_MARK else BONUS_TEXT if s.bonus[who] > 0 else CROSS_TEXT
        return verb | s.card[who, action // A_SLOT] << 4 | choice << 10 | (s.shape << 16 if verb == MARK_TEXT else 0)
    if s.phase == KEEP:
        first, second = nth(s.hand[who], PAIRS[action][0]), nth(s.hand[who], PAIRS[action][1])
        return KEEP_TEXT | first << 4 | second << 10
    return TAKE_TEXT | action << 4


@rule
def outcome_key(s: State, outcome: int) -> int:
    """The key of an outcome: its verb (4 bits), then the shape, the seat or the card (6), then who gets the card."""
    if s.phase == REVEAL:
        return EXPEDITION_TEXT | outcome << 4
    if s.phase == START:
        return START_TEXT | outcome << 4
    if s.phase == SHOW:
        return SHOW_TEXT | outcome << 4
    return (DEAL_TEXT if s.phase == DEAL else BLIND_TEXT) | outcome << 4 | s.active << 10


@lru_cache(1 << 14)
def decision_text(key: int) -> str:
    """A decision or an outcome as the record writes it: of a crossing the cells that it crosses off."""
    verb, card, other, shape = key & 15, key >> 4 & 63, key >> 10 & 63, key >> 16
    if verb == TAKE_TEXT:
        return f"take {'deck' if card == A_DECK else CARD_NAMES[card]}"
    if verb == KEEP_TEXT:
        return f"keep {CARD_NAMES[card]} {CARD_NAMES[other]}"
    if verb == EXPEDITION_TEXT:
        return f"expedition {SHAPE_NAMES[card]}"
    if verb == START_TEXT:
        return f"start {card}"
    if verb == SHOW_TEXT:
        return f"show {CARD_NAMES[card]}"
    if verb in (DEAL_TEXT, BLIND_TEXT):
        return f"{'deal' if verb == DEAL_TEXT else 'blind'} {other} {DRAWN_NAMES[card]}"
    return " ".join([TEXT_VERBS[verb], CARD_NAMES[card], *cell_names(crossing(shape, other))])


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
@rule
def hear_keys(before: State, who: int, action: int, after: State, keys: Cells) -> int:
    """Write the key of each line that a seat hears of a step, from what it knew before and after; returns how many.

    Of a sealed choice only the seat that made it hears; when the seal is opened all hear the others' choices, unless
    the turn is over with that (G06). A dealt card that the seat does not know is UNKNOWN.
    """
    if who == CHANCE:
        if before.phase == REVEAL and after.turn != before.turn:
            return 0  # no seat has a card left: the turn ends with its expedition
        hidden = before.phase == DEAL and (after.pool >> action) & 1 == 1
        return write_line(before, who, UNKNOWN if hidden else action, keys, 0)
    if before.phase == KEEP:
        return hear_keep(before, who, action, after, keys)
    if before.phase == CROSS_OFF:
        return hear_crossings(before, who, action, after, keys)
    return write_line(before, who, action, keys, 0)


@rule
def write_line(before: State, who: int, action: int, keys: Cells, at: int) -> int:
    """Write the key of a line: who (7 bits) and what; the place after it."""
    keys[at] = who | decision_key(before, who, action) << 7
    return at + 1


@rule
def hear_keep(before: State, who: int, action: int, after: State, keys: Cells) -> int:
    """Write what a seat hears of a choice of cards; returns how many keys."""
    if after.phase == KEEP:
        return write_line(before, who, action, keys, 0) if after.kept[who] > 0 else 0
    # All have chosen: who has kept cards in mind already is the one who hears this, and knows its own.
    at = 0
    for q in range(after.seats):
        if before.kept[q] == 0:
            keys[at] = q | (KEEP_TEXT | after.card[q, 0] << 4 | after.card[q, 1] << 10) << 7
            at += 1
    return at


@rule
def hear_crossings(before: State, who: int, action: int, after: State, keys: Cells) -> int:
    """Write what a seat hears of a crossing; returns how many keys."""
    if after.turn != before.turn:
        return 0
    if after.phase == CROSS_OFF:
        return write_line(before, who, action, keys, 0) if after.main[who] > 0 else 0
    at = 0
    for r in range(before.seats):
        q = seat_after(before.starter, r, before.seats)
        if before.main[q] == 0:
            at = write_crossings(before, q, after, keys, at)
        elif q == who:  # the last cell of one's own chain
            at = write_line(before, who, action, keys, at)
    return at


@rule
def write_crossings(before: State, seat: int, after: State, keys: Cells, at: int) -> int:
    """Write a seat's crossings of the turn: the mark or cross, then its bonus cells, whose order only the seat knows;
    the place after them.
    """
    if after.main[seat] == 0:
        return at
    main = after.main[seat] - 1
    at = write_line(before, seat, main, keys, at)
    for slot in range(KEPT):
        card = before.card[seat, slot]
        crossed = before.free[seat, slot] + 0
        if after.card[seat, slot] == card:
            crossed &= ~after.free[seat, slot]
        if slot == main // A_SLOT:
            crossed &= ~crossing(before.shape, main)
        while crossed != 0:
            keys[at] = seat | (BONUS_TEXT | card << 4 | lowest(crossed) << 10) << 7
            at += 1
            crossed &= crossed - 1
    return at


@lru_cache(1 << 14)
def line_text(key: int) -> str:
    """The line of a key that `hear_keys` writes."""
    who = key & 127
    return f"{'*' if who == CHANCE else who} {decision_text(key >> 7)}"


@rule
def curtain_falls(before: State, after: State) -> int:
    """G06: 1 if a turn is over with this step, so that `curtain` withdraws earlier lines; else 0."""
    return 1 if after.turn != before.turn else 0


def curtain(lines: list[str]) -> list[str]:
    """G06: once a turn is over, its expedition and what was crossed off in it are no longer heard.

    Of earlier turns nothing is left to close.
    """
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
