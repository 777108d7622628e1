"""The table of Silencio as one seat (or a spectator) sees it: everything that a page or a terminal draws."""

from __future__ import annotations

from typing import Any

import msgspec

from tacit.core.bits import length, lowest, members
from tacit.core.fragments import Fragment, Fragments
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silencio.board import cards_left, face_up, fitting, playable, tavern_open
from tacit.games.silencio.model import *
from tacit.games.silencio.notation import CARD_NAMES, COLOUR_WORDS, ended
from tacit.games.silencio.rules import due
from tacit.games.silencio.shown import dark_end, fits_nowhere, landing, question
from tacit.games.silencio.words import WAITING, ask, because, effect_words, said, waiting, why_unplayable

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


# ------------------------------------------------------------------ the numbers of which a view is made
PART = 4  # ranks of a row whose cards are made at once
PARTS, FEW = RANKS // PART, (1 << PART) - 1
# Single numbers; the rows; the seats, with their cards face up and known ones; the hand; what waits. No card is both in
# a hand and face up.
VIEW_KEYS = 6 + (1 + (2 + PARTS) * COLOURS) + (1 + (3 + COLOURS) * 4 + CARDS) + (1 + CARDS) + (1 + 4)
NO_ACTOR = -1


@rule
def view_keys(k: State, seat: int, keys: Cells) -> int:
    """Write the key of each fragment of what a seat sees; returns how many numbers they are."""
    phase, begun = k.phase, k.starter >= 0
    head = k.seats | (seat + 1) << 3 | phase << 6 | due(k) << 10 | k.decider << 17
    keys[0] = head | k.effect << 19 | (k.starter + 1) << 22 | (k.active + 1 if begun else 0) << 25
    keys[1] = k.oracle | (k.lit >> LARGE & 1) << CARDS
    keys[2] = k.gone | k.drawn << CARDS | k.deck << CARDS + 6
    tavern = 1 | (1 if tavern_open(k) else 0) << 1 | k.darks << 2 | k.said << 6 | k.said_by << 10 | k.stuck << 12
    keys[3] = k.passes | (tavern if k.tavern == 1 else 0) << 4
    keys[4] = question(k, seat)
    keys[5] = 0 if phase != OVER else k.seats | (cards_left(k) + 1) << 3
    at = _row_keys(k, seat, keys, 6)
    at = _table_keys(k, seat, keys, at)
    at = _hand_keys(k, seat, keys, at)
    return _waiting_keys(k, keys, at)


@rule
def _knows(k: State, seat: int) -> int:
    """The hidden cards of others that the viewer knows."""
    return k.known[seat] if seat >= 0 else k.known[PUBLIC]


@rule
def _row_keys(k: State, seat: int, keys: Cells, at: int) -> int:
    """The rows, and where the cards are that could still come into them, as far as the seat knows."""
    ahead, up = _knows(k, seat), face_up(k)
    own = k.hand[seat] if seat >= 0 else 0
    beyond = fitting(k)  # what lies before the end of a row is not shown: without it keys recur more often
    gone, oracle, ahead, up, own = k.gone & beyond, k.oracle & beyond, ahead & beyond, up & beyond, own & beyond
    keys[at] = COLOURS
    at += 1
    for colour in range(COLOURS):
        first = colour * RANKS
        row, places = k.rows >> first & COLOUR, TOP[k.seats] - 1
        lit, dark = k.lit >> colour & 1, k.dark >> first & COLOUR
        keys[at] = row | dark << RANKS | colour << 2 * RANKS | lit << 2 * RANKS + 2
        begin = length(row)
        part, count_at = begin // PART if begin < places else PARTS, at + 1
        at += 2
        while part * PART < places:
            rank = part * PART
            card = first + rank
            keys[at] = (
                (gone >> card & FEW) | (oracle >> card & FEW) << PART | (ahead >> card & FEW) << 2 * PART
                | (up >> card & FEW) << 3 * PART | (own >> card & FEW) << 4 * PART | max(0, begin - rank) << 5 * PART
                | min(PART, places - rank) << 5 * PART + 3 | card << 5 * PART + 6
            )  # fmt: skip
            at, part = at + 1, part + 1
        keys[count_at] = at - count_at - 1
    return at


@rule
def _table_keys(k: State, seat: int, keys: Cells, at: int) -> int:
    """The seats: the hidden cards of others that the viewer knows, and the face-up ones, which everyone may play."""
    begin, at = at, at + 1
    keys[begin] = k.seats
    playing = k.phase == TURN or k.phase == CHOOSE
    for q in range(k.seats):
        keys[at] = q | k.hand_len[q] << 3
        up_at, at = at + 1, at + 2
        if k.up[q] != 0:
            actor = k.active if playing else seat if seat >= 0 else q
            at = _card_keys(k, q, actor, k.up[q], k.up[q], keys, at)
        keys[up_at] = at - up_at - 1
        known = k.hand[q] & _knows(k, seat) if q != seat else 0
        known_at, at = at, at + 1
        for colour in range(COLOURS):
            cards = known >> colour * RANKS & COLOUR
            if cards != 0:
                keys[at] = cards | colour << RANKS
                at += 1
        keys[known_at] = at - known_at - 1
    return at


@rule
def _hand_keys(k: State, seat: int, keys: Cells, at: int) -> int:
    """The viewer's hidden cards; where another plays now, nothing is told of how they would lie."""
    if seat < 0:
        keys[at] = 0
        return at + 1
    others = k.active != seat and (k.phase == TURN or k.phase == CHOOSE)
    end = _card_keys(k, seat, NO_ACTOR if others else seat, k.hand[seat], k.known[PUBLIC], keys, at + 1)
    keys[at] = end - at - 1
    return end


@rule
def _card_keys(k: State, owner: int, actor: int, cards: int, public: int, keys: Cells, at: int) -> int:
    """Cards of the viewer's hand, or face-up ones, as the `actor` would play them; of which all know `public`."""
    can, marked = playable(k), k.known[0] | k.known[1] | k.known[2] | k.known[3]
    while cards != 0:
        c = lowest(cards)
        bit = 1 << c
        cards ^= bit
        key = c if public & bit == 0 else c | 1 << 6
        if can & bit == 0:
            key |= (fits_nowhere(k, c) + 2) << 7
        elif actor >= 0:
            key |= landing(k, actor, c) << 13
        if marked & bit != 0:
            for q in range(k.seats):
                if q != owner and k.known[q] & bit != 0:
                    key |= 1 << (19 + q)
        keys[at] = key
        at += 1
    return at


@rule
def _waiting_keys(k: State, keys: Cells, at: int) -> int:
    """The effects that wait for the next card, by their number in WAITING, and the dark cards that brought them."""
    begin, at = at, at + 1
    if k.no_dark == 1:
        keys[at], at = 0, at + 1
    if k.no_light == 1:
        keys[at], at = 1 | dark_end(k, RED) << 2, at + 1
    if k.duty == 1:
        keys[at], at = 2 | dark_end(k, YELLOW) << 2, at + 1
    if k.only_green == 1:
        keys[at], at = 3 | dark_end(k, GREEN) << 2, at + 1
    keys[begin] = at - begin - 1
    return at


# ------------------------------------------------------------------ what is made of them
def fragments() -> Fragments:
    """How a view is made of them."""
    row = Fragments(
        Row, [Fragment("colour lit cards", _row), Fragment("ahead", _stones, is_list=True, several=list)]
    )  # fmt: skip
    seat = Fragments(
        Seat,
        [
            Fragment("seat hidden", _seat),
            Fragment("up", _card, is_list=True),
            Fragment("known", _known, is_list=True, several=list),
        ],
    )
    return Fragments(
        View,
        [
            Fragment("seats you top phase due active starter decider effect", _head),
            Fragment("rows", row, is_list=True),
            Fragment("large_lit oracle", _oracle),
            Fragment("deck gone drawn", _gone),
            Fragment("table", seat, is_list=True),
            Fragment("hand", _card, is_list=True),
            Fragment("pending", _waiting, is_list=True),
            Fragment("passes tavern", _passes),
            Fragment("ask", ask),
            Fragment("result", _result),
        ],
    )


ROW_CARDS = [[RowCard(card, dark) for card in CARD_NAMES] for dark in (False, True)]
STONES = {
    place: [Stone(card, place) for card in CARD_NAMES] for place in ("hand", "up", "known", "oracle", "gone", "unseen")
}
AHEAD = ("gone", "oracle", "known", "up", "hand")  # as `_row_keys` has them


def _head(key: int) -> tuple[Any, ...]:
    seats, you, phase, deciders = key & 7, key >> 3 & 7, key >> 6 & 15, key >> 10 & 127
    decider, starter, active = key >> 17 & 3, key >> 22 & 7, key >> 25
    return (
        seats,
        you - 1 if you else None,
        TOP[seats],
        PHASE_WORDS[phase],
        [*members(deciders)] if deciders < CHANCE else [],
        active - 1 if active else None,
        starter - 1 if starter else None,
        decider if deciders == 1 << decider else None,
        COLOUR_WORDS[key >> 19 & 7] if phase == LIGHT else None,
    )


def _oracle(key: int) -> tuple[bool, list[str]]:
    return key >> CARDS == 1, _names(key & EVERY_CARD)


def _gone(key: int) -> tuple[int, list[str], str | None]:
    drawn = key >> CARDS & 63
    return key >> CARDS + 6, _names(key & EVERY_CARD), CARD_NAMES[drawn - 1] if drawn else None


def _names(cards: int) -> list[str]:
    return [CARD_NAMES[c] for c in members(cards)]


def _row(shown: int) -> tuple[str, bool, list[RowCard]]:
    """Of a row its colour, its small shrine and its cards."""
    dark, colour = shown >> RANKS & COLOUR, shown >> 2 * RANKS & 3
    cards = [ROW_CARDS[dark >> c & 1][colour * RANKS + c] for c in members(shown & COLOUR)]
    return COLOUR_WORDS[colour], shown >> 2 * RANKS + 2 == 1, cards


def _stones(key: int) -> list[Stone]:
    """Some of the cards that could still come into a row."""
    begin, end, first = key >> 5 * PART & 7, key >> 5 * PART + 3 & 7, key >> 5 * PART + 6
    stones = STONES["unseen"][first : first + end]
    for place in AHEAD:
        for c in members(key & FEW):
            stones[c] = STONES[place][first + c]
        key >>= PART
    return stones[begin:]


def _seat(seat: int) -> tuple[int, int]:
    return seat & 7, seat >> 3


def _known(key: int) -> list[str]:
    """The known cards of one colour."""
    return _names((key & COLOUR) << (key >> RANKS) * RANKS)


def _card(key: int) -> OwnCard:
    """A card, with what playing it would bring, or what keeps it out of its row."""
    c, below, landing = key & 63, key >> 7 & 63, key >> 13 & 63
    return OwnCard(
        CARD_NAMES[c],
        below == 0,
        (None, "light", "dark")[landing & 3],
        effect_words(landing >> 2) if landing else None,
        why_unplayable(c, below - 2) if below else None,
        [*members(key >> 19)],
        key >> 6 & 1 == 1,
    )


def _waiting(key: int) -> Waiting:
    name, colour, shade = WAITING[key & 3]
    return Waiting(name, COLOUR_WORDS[colour], shade, waiting(name), because(colour, shade, key >> 2))


def _passes(key: int) -> tuple[int, Tavern | None]:
    passes, tavern = key & 15, key >> 4
    if not tavern:
        return passes, None
    what, by, stuck = tavern >> 6 & 15, tavern >> 10 & 3, tavern >> 12
    return passes, Tavern(tavern >> 1 & 1 == 1, tavern >> 2 & 15, said(what, by, stuck))


def _result(key: int) -> dict[str, Any] | None:
    return ended(key & 7, (key >> 3) - 1) if key else None
