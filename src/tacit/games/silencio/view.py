"""The table of Silencio as one seat (or a spectator) sees it: everything that a page or a terminal draws."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from tacit.core.bits import ALL, members
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE
from tacit.games.silencio.board import face_up, playable, tavern_open
from tacit.games.silencio.model import *
from tacit.games.silencio.notation import CARD_NAMES, COLOUR_WORDS, result
from tacit.games.silencio.rules import due
from tacit.games.silencio.words import ask, effect_words, fits_nowhere, landing, pending, said, why_unplayable

PHASE_WORDS = (
    "deal", "oracle", "claim", "passing", "turn", "draw", "choose", "light", "send", "exchange", "trade", "return",
    "lay", "end", "over",
)  # fmt: skip


class RowCard(msgspec.Struct, frozen=True, gc=False):
    card: str
    dark: bool


class Stone(msgspec.Struct, frozen=True, gc=False):
    """A card that could still come into a row, and where it is as far as the seat knows."""

    card: str
    place: str  # hand, up, known, oracle, gone, unseen


class Row(msgspec.Struct, frozen=True, gc=False):
    colour: str
    lit: bool  # its small shrine
    cards: list[RowCard]
    ahead: list[Stone]  # the first of them follows directly


class OwnCard(msgspec.Struct, frozen=True, gc=False):
    """A card that the seat could play or holds."""

    card: str
    playable: bool  # now, by the one whose turn it is, were it theirs to choose
    lands: str | None  # light or dark, as it would lie now
    effect: Message | None  # what playing it would bring
    why_not: Message | None
    known_by: list[int]  # the other seats that know it
    public: bool  # everyone knows it


class Seat(msgspec.Struct, frozen=True, gc=False):
    seat: int
    hidden: int
    up: list[OwnCard]  # face up; everyone may play them
    known: list[str]  # the hidden cards of this seat that the viewer knows


class Waiting(msgspec.Struct, frozen=True, gc=False):
    """An effect that waits for the next card."""

    name: str  # no_dark, no_light, duty, only_green
    colour: str
    shade: str  # light or dark
    what: Message
    why: Message


class Tavern(msgspec.Struct, frozen=True, gc=False):
    open: bool
    darks: int  # dark effects since it was closed; three open it
    said: Message | None


class View(msgspec.Struct, frozen=True, gc=False):
    seats: int
    you: int | None
    top: int  # the highest rank in play
    phase: str
    due: list[int]
    active: int | None  # whose turn it is; None before the first
    starter: int | None
    decider: int | None
    effect: str | None  # the colour whose light effect is being used
    rows: list[Row]
    large_lit: bool
    oracle: list[str]
    deck: int
    gone: list[str]
    drawn: str | None  # the unplayable card drawn in this turn
    table: list[Seat]
    hand: list[OwnCard]  # your hidden cards
    pending: list[Waiting]
    passes: int
    tavern: Tavern | None
    ask: Message
    result: dict[str, Any] | None


ROW_CARDS = [[RowCard(card, dark) for card in CARD_NAMES] for dark in (False, True)]
STONES = {
    place: [Stone(card, place) for card in CARD_NAMES] for place in ("hand", "up", "known", "oracle", "gone", "unseen")
}


def view(k: State, seat: int) -> View:
    """What a seat sees; from its knowledge (from the state itself it would be the same)."""
    seats, phase = k.seats, k.phase
    you = seat if 0 <= seat < seats else None
    deciders, can = due(k), playable(k)
    begun = k.starter >= 0
    return View(  # by place, in the order of the fields: by name it would take six times as long
        seats,
        you,
        TOP[seats],
        PHASE_WORDS[phase],
        [*members(deciders)] if deciders < CHANCE else [],
        k.active if begun else None,
        k.starter if begun else None,
        k.decider if deciders == 1 << k.decider else None,
        COLOUR_WORDS[k.effect] if phase == LIGHT else None,
        _rows(k, you),
        k.lit >> LARGE & 1 == 1,
        _names(k.oracle),
        k.deck,
        _names(k.gone),
        CARD_NAMES[k.drawn - 1] if k.drawn else None,
        [_seat(k, you, q, can) for q in range(seats)],
        [] if you is None else _hand(k, you, can),
        [Waiting(name, COLOUR_WORDS[c], shade, what, why) for name, c, shade, what, why in pending(k)],
        k.passes,
        Tavern(tavern_open(k), k.darks, said(k)) if k.tavern else None,
        ask(k, seat),
        result(k) if phase == OVER else None,
    )


@lru_cache(4096)
def _names(cards: int) -> list[str]:
    return [CARD_NAMES[c] for c in members(cards)]


def _knows(k: State, you: int | None) -> int:
    return k.known[PUBLIC if you is None else you]


def _seat(k: State, you: int | None, q: int, can: int) -> Seat:
    known = _names(k.hand[q] & _knows(k, you)) if q != you else []
    return Seat(q, k.hand_len[q], _face_up(k, you, q, can) if k.up[q] else [], known)


def _face_up(k: State, you: int | None, owner: int, can: int) -> list[OwnCard]:
    """The face-up cards of a seat, which everyone may play and knows."""
    actor = k.active if k.phase in (TURN, CHOOSE) else owner if you is None else you
    return _own_cards(k, owner, actor, k.up[owner], can, k.up[owner])


def _hand(k: State, you: int, can: int) -> list[OwnCard]:
    """The viewer's hidden cards; where another plays now, nothing is told of how they would lie."""
    actor = you if k.active == you or k.phase not in (TURN, CHOOSE) else None
    return _own_cards(k, you, actor, k.hand[you], can, k.known[PUBLIC])


def _own_cards(k: State, owner: int, actor: int | None, cards: int, can: int, public: int) -> list[OwnCard]:
    """Cards of the viewer's hand, or face-up ones, as the `actor` would play them; `can`: the playable cards, `public`:
    those that everyone knows.
    """
    known, made = k.known, []
    marked = (known[0] | known[1] | known[2] | known[3]) & cards
    for c in members(cards):
        bit = 1 << c
        lands, effect, below, knowers = None, None, None, 0
        if not can & bit:
            below = fits_nowhere(k, c)
        elif actor is not None:
            lands, effect = landing(k, actor, c)
        if marked & bit:
            for q in range(k.seats):
                if known[q] & bit and q != owner:
                    knowers |= 1 << q
        made.append(_card(c, lands, effect, below, knowers, public & bit != 0))
    return made


@lru_cache(4096)
def _card(c: int, lands: str | None, effect: str | None, below: int | None, knowers: int, public: bool) -> OwnCard:
    """A card, with the code of its effect, or what keeps it out of its row."""
    why_not = None if below is None else why_unplayable(c, below)
    words = None if effect is None else effect_words(effect)
    return OwnCard(CARD_NAMES[c], below is None, lands, words, why_not, [*members(knowers)], public)


def _rows(k: State, you: int | None) -> list[Row]:
    """The rows, and what is ahead of them: as far as the seat knows."""
    where = k.rows | k.dark << DARK | k.gone << SET | k.oracle << 2 * SET | _knows(k, you) << 3 * SET
    where |= face_up(k) << 4 * SET | (0 if you is None else k.hand[you]) << 5 * SET
    lit, places = k.lit, TOP[k.seats] - 1
    return [_row(colour, lit >> colour & 1, places, where & mask) for colour, mask in WHOLE_COLOURS]


# Sets of cards in one number, which is quicker to look up than seven: rows, then places ahead of them, then dark cards.
SET = 64
AHEAD = ("gone", "oracle", "known", "up", "hand")
DARK = (len(AHEAD) + 1) * SET
WHOLE_COLOURS = [
    (colour, sum(COLOUR << colour * RANKS + at * SET for at in range(len(AHEAD) + 2))) for colour in range(COLOURS)
]


@lru_cache(4096)  # most rows are as they were before the decision
def _row(colour: int, lit: int, places: int, where: int) -> Row:
    """A row; `where` are sets of cards of its colour."""
    first, here, dark = colour * RANKS, where & ALL, where >> DARK
    begin = max(here.bit_length(), first)
    ahead = STONES["unseen"][begin : first + places]
    for at, place in enumerate(AHEAD, 1):
        for c in members((where >> at * SET & ALL) >> begin << begin):
            ahead[c - begin] = STONES[place][c]
    return Row(COLOUR_WORDS[colour], bool(lit), [ROW_CARDS[dark >> c & 1][c] for c in members(here)], ahead)
