"""The table of Silver & Gold as one seat (or a spectator) sees it: everything that a page or a terminal draws.

G06: it holds the current expedition only, crossed cells without their turns, and no weights of chance.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import msgspec

from tacit.core.bits import count, lowest, members
from tacit.core.fragments import Fragment, Fragments
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE, NOBODY
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silver_and_gold.board import (
    card_points,
    coins_now,
    fitting,
    palm_points,
    palm_worth,
    palms_now,
    seal_points,
    trophy_points,
)
from tacit.games.silver_and_gold.deck import CARD_COLOURS, CARD_NAMES, CARDS, COLOUR_WORDS, SIZES
from tacit.games.silver_and_gold.model import *
from tacit.games.silver_and_gold.notation import cell_names, pair_names, result_of
from tacit.games.silver_and_gold.rules import due, winners
from tacit.games.silver_and_gold.shapes import SHAPE_NAMES, SHAPE_PICTURES
from tacit.games.silver_and_gold.shown import CELLS_CROSSED, brought, completing, obstacle, question, waiting
from tacit.games.silver_and_gold.words import ask, brings, pending, shape_words, why_not

PHASE_WORDS = ("deal", "keep", "show", "start", "reveal", "cross", "take", "blind", "over")


class Seal(msgspec.Struct, frozen=True, gc=False):
    colour: str
    points: int  # for each completed card of that colour


class Island(msgspec.Struct, frozen=True, gc=False):
    """A treasure card."""

    card: str
    colour: str
    value: int
    seal: Seal | None
    rows: tuple[str, ...]  # four of four signs: . no cell, o plain, x cross, $ coin, ^ palm


class Held(msgspec.Struct, frozen=True, gc=False):
    """A card before a seat, as far as it is crossed off."""

    island: Island
    slot: int  # which of its two places it lies in
    crossed: list[str]  # cells, row by row
    fresh: list[str]  # those of them that you crossed off in this turn, while it is sealed
    left: int  # free cells
    places: int  # yours: where the shape can be crossed off now
    why_not: Message | None  # yours: why it cannot


class Points(msgspec.Struct, frozen=True, gc=False):
    coins: int
    trophies: int
    palms: int
    cards: int
    seals: int
    total: int


class Seat(msgspec.Struct, frozen=True, gc=False):
    """A seat's place: your own with what you crossed off in this turn, another's as it lies open."""

    seat: int
    starts: bool
    done: bool  # with its sealed choice
    cards: list[Held]
    coins: int  # fields filled, of twelve
    to_trophy: int | None  # coins still wanting for the next trophy; None when all three rows are full
    trophies: list[int]  # points of each full row's trophy; 0 where none was left
    palms: list[int]  # points of each palm field filled, of four
    completed: list[Island]
    points: Points


class Shape(msgspec.Struct, frozen=True, gc=False):
    name: str
    words: Message
    rows: tuple[str, ...]  # a picture of o and .


class View(msgspec.Struct, frozen=True, gc=False):
    seats: int
    you: int | None
    phase: str
    due: list[int]
    round: int  # from 1
    turn: int  # in the round, from 1
    rounds: int
    turns: int
    starter: int | None
    active: int | None  # who takes cards now
    shape: Shape | None  # the expedition
    display: list[Island]
    deck: int
    palm_worth: int  # what a palm scores now
    trophies: list[int]  # those left, the highest first
    table: list[Seat]
    hand: list[Island]  # before the first turn: the cards dealt to you
    kept: list[str]  # those of them that you chose to keep
    bonus: int  # cells you must cross off for cross symbols
    takes: int  # cards that the active seat still takes
    brings: list[Message]  # what your crossings of this turn bring, so far
    pending: list[Message]
    ask: Message
    result: dict[str, Any] | None


# ------------------------------------------------------------------ what each part depends on
FEW = 8  # cells of an island that are shown at once
# Single numbers, the result, the display, the table.
VIEW_KEYS = 7 + (1 + MAX_SEATS) + (1 + DISPLAY) + (1 + (6 + (3 + CELLS // FEW) * KEPT) * MAX_SEATS)


@rule
def view_keys(k: State, seat: int, keys: Cells) -> int:
    """Write the key of each fragment, from what a seat knows (from the state itself it would be the same); returns how
    many numbers.
    """
    you = seat if 0 <= seat < k.seats else NOBODY
    own = you if k.phase == CROSS_OFF else NOBODY
    settling = k.phase == TAKE or k.phase == BLIND
    deciders = due(k)
    keys[0] = k.seats | ((you + 1) << 3) | (k.phase << 6) | ((deciders if deciders < CHANCE else 0) << 10)
    keys[1] = k.turn | ((k.starter + 1) << 5) | ((k.active + 1 if settling else 0) << 8) | ((k.shape + 1) << 11)
    keys[2] = k.left | (k.given << 6) | (palm_worth(k) << 12)
    keys[3] = 0 if you == NOBODY else k.hand[you] | (k.kept[you] << CARDS)
    keys[4] = (k.takes if settling else 0) | ((0 if own == NOBODY or k.main[own] == 0 else brought(k, own)) << 2)
    keys[5] = waiting(k)
    keys[6] = question(k, seat)
    at = write_result(k, keys, 7)
    keys[at] = count(k.display)
    at += 1
    display = k.display
    while display != 0:
        keys[at] = lowest(display)
        display &= display - 1
        at += 1
    keys[at] = k.seats
    at += 1
    for q in range(k.seats):
        at = write_seat(k, q, 1 if q == own else 0, keys, at)
    return at


@rule
def write_result(k: State, keys: Cells, at: int) -> int:
    """Write how it ended: how many seats (3 bits), who wins (4), the points of each seat's palms (9 each); then of each
    seat its completed cards, its coins (4) and the points of its trophies. All 0 while nothing has ended.
    """
    for i in range(1 + MAX_SEATS):
        keys[at + i] = 0
    if k.phase == OVER:
        keys[at] = k.seats | (winners(k) << 3)
        for q in range(k.seats):
            keys[at] |= palm_points(k, q) << (7 + 9 * q)
            keys[at + 1 + q] = k.completed[q] | (k.coins[q] << CARDS) | (trophy_points(k, q) << (CARDS + 4))
    return at + 1 + MAX_SEATS


@rule
def write_seat(k: State, q: int, own: int, keys: Cells, at: int) -> int:
    """Write a seat's place as it lies open; or (`own` 1) as you see yours while this turn's crossings are sealed, with
    those that you have made. First who (2 bits), whether it starts and is done (1 each); then its coins (4), each
    trophy and 1 more (3 each), each palm's points (7 each); its completed cards; the second again, with the cards that
    score: those completed, and those that its crossings complete. Then its cards.
    """
    coins = k.coins[q]
    palms = k.palms[q]
    sheet = 0
    scoring = k.completed[q]
    for row in range(coins // COIN_ROW - k.rows[q]):
        sheet |= (k.trophies[q, row] + 1) << (4 + 3 * row)
    for i in range(palms):
        sheet |= k.palm[q, i] << (13 + 7 * i)
    if own == 1 and k.main[q] != 0:
        coins = coins_now(k, q)
        for i in range(palms, palms_now(k, q)):
            sheet |= palm_worth(k) << (13 + 7 * i)
        scoring |= completing(k, q)
    keys[at] = q | ((1 if q == k.starter else 0) << 2) | (((k.done >> q) & 1) << 3)
    keys[at + 1] = sheet | coins
    keys[at + 2] = k.completed[q]
    keys[at + 3] = sheet | coins
    keys[at + 4] = scoring
    end = at + 6
    keys[at + 5] = 0
    for slot in range(KEPT):
        if k.card[q, slot] >= 0:
            end = write_held(k, q, slot, own, keys, end)
            keys[at + 5] += 1
    return end


@rule
def write_held(k: State, q: int, slot: int, own: int, keys: Cells, at: int) -> int:
    """Write a card as `write_seat` shows it: its slot (1 bit) and number; how many cells are free (5 bits), and of your
    own the cells crossed off in this turn (16), the places of the shape (6), why it has none (3), and where that is
    told, the shape (3) and the card; its crossed cells, a few at once.
    """
    card, before = k.card[q, slot], k.free[q, slot]
    fresh = k.pending[q, slot] if own == 1 else 0
    free = before & ~fresh
    keys[at] = slot | card << 1
    key = count(free)
    if own == 1:
        key |= fresh << 5
        if k.main[q] == 0:
            key |= count(fitting(k.shape, free)) << 21
        why = obstacle(k.shape, card, free, k.bonus[q], (k.done >> q) & 1)
        if why >= CELLS_CROSSED:
            key |= k.shape << 30 | card << 33
        key |= why << 27
    keys[at + 1] = key
    end, crossed = at + 3, ISLANDS[card] & ~free
    for first in range(0, CELLS, FEW):
        if crossed >> first & ((1 << FEW) - 1) != 0:
            keys[end] = crossed & ((1 << FEW) - 1) << first
            end += 1
    keys[at + 2] = end - at - 3
    return end


# ------------------------------------------------------------------ the parts
def fragments() -> Fragments:
    """What is made of the numbers that `view_keys` writes."""
    held = Fragments(
        Held,
        [
            Fragment("island slot", _island),
            Fragment("crossed", cell_names, is_list=True, several=list),
            Fragment("fresh left places why_not", _own_card),
        ],
    )
    seat = Fragments(
        Seat,
        [
            Fragment("seat starts done", _seat),
            Fragment("cards", held, is_list=True),
            Fragment("coins to_trophy trophies palms", _sheet),
            Fragment("completed", _islands),
            Fragment("points", _points, 2),
        ],
    )
    return Fragments(
        View,
        [
            Fragment("seats you phase due", _moment),
            Fragment("round turn rounds turns starter active shape", _turn),
            Fragment("display", island, is_list=True),
            Fragment("deck palm_worth trophies", _middle),
            Fragment("table", seat, is_list=True),
            Fragment("hand kept", _hand),
            Fragment("bonus takes brings", _own_turn),
            Fragment("pending", pending),
            Fragment("ask", ask),
            Fragment("result", _result, 1 + MAX_SEATS),
        ],
    )


SHAPES_SHOWN = [
    Shape(name, shape_words(shape), SHAPE_PICTURES[shape]) for shape, name in enumerate(SHAPE_NAMES)
]  # fmt: skip


@cache
def island(card: int) -> Island:
    """A treasure card as it is printed."""
    seal = None if SEALS[card] < 0 else Seal(COLOUR_WORDS[SEALS[card]], SEAL_WORTH[card])
    colour = CARD_COLOURS[card]
    return Island(CARD_NAMES[card], COLOUR_WORDS[colour], SIZES[colour], seal, PICTURES[card])


@lru_cache(4096)
def _islands(cards: int) -> list[Island]:
    return [island(card) for card in members(cards)]


# Each is made of the key that `view_keys` writes for it.
def _moment(key: int) -> tuple[int, int | None, str, list[int]]:
    you = (key >> 3 & 7) - 1
    return key & 7, None if you < 0 else you, PHASE_WORDS[key >> 6 & 15], [*members(key >> 10)]


def _turn(key: int) -> tuple[int, int, int, int, int | None, int | None, Shape | None]:
    turn, starter, active, shape = key & 31, (key >> 5 & 7) - 1, (key >> 8 & 7) - 1, (key >> 11) - 1
    return (
        turn // ROUND + 1,
        turn % ROUND + 1,
        ROUNDS,
        ROUND,
        None if starter < 0 else starter,
        None if active < 0 else active,
        None if shape < 0 else SHAPES_SHOWN[shape],
    )


def _middle(key: int) -> tuple[int, int, list[int]]:
    return key & 63, key >> 12, [*range(TROPHIES - (key >> 6 & 63), 0, -1)]


def _hand(key: int) -> tuple[list[Island], list[str]]:
    hand, kept = key & WHOLE_DECK, key >> CARDS
    return _islands(hand), pair_names(hand, kept - 1) if kept else []


def _own_turn(key: int) -> tuple[int, int, list[Message]]:
    return key >> 2 & 63, key & 3, brings(key >> 2)


def _result(ended: int, *places: int) -> dict[str, Any] | None:
    if not ended:
        return None
    sheets = [
        (place >> CARDS & 15, place >> CARDS + 4, ended >> 7 + 9 * q & 511, place & WHOLE_DECK)
        for q, place in enumerate(places[: ended & 7])
    ]
    return result_of(sheets, lambda: ended >> 3 & 15)


def _seat(key: int) -> tuple[int, bool, bool]:
    return key & 3, key & 4 == 4, key & 8 == 8


def _sheet(key: int) -> tuple[int, int | None, list[int], list[int]]:
    """The coins, trophies and palms of a sheet."""
    coins = key & 15
    return (
        coins,
        None if coins == COIN_FIELDS else COIN_ROW - coins % COIN_ROW,
        [points - 1 for at in (4, 7, 10) if (points := key >> at & 7)],
        [points for at in (13, 20, 27, 34) if (points := key >> at & 127)],
    )


def _points(sheet: int, scoring: int) -> Points:
    """What the coins, trophies and palms of a sheet score, and cards."""
    coins, _, trophies, palms = _sheet(sheet)
    points = (coins, sum(trophies), sum(palms), card_points(scoring), seal_points(scoring))
    return Points(*points, sum(points))


def _island(key: int) -> tuple[Island, int]:
    return island(key >> 1), key & 1


def _own_card(key: int) -> tuple[list[str], int, int, Message | None]:
    fresh, left, places = key >> 5 & 0xFFFF, key & 31, key >> 21 & 63
    return cell_names(fresh), left, places, why_not(key >> 27 & 7, key >> 30 & 7, key >> 33, left)
