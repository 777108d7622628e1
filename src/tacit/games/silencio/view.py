"""The table of Silencio as one seat (or a spectator) sees it: everything that a page or a terminal draws."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from tacit.core.bits import members
from tacit.core.messages import Message
from tacit.games.silencio.board import face_up, playable, tavern_open
from tacit.games.silencio.model import *
from tacit.games.silencio.notation import CARD_NAMES, COLOUR_WORDS, result
from tacit.games.silencio.rules import due
from tacit.games.silencio.words import ask, fits_nowhere, landing, pending, said

PHASE_WORDS = (
    "deal", "oracle", "claim", "passing", "turn", "draw", "choose", "light", "send", "exchange", "trade", "return",
    "lay", "end", "over",
)  # fmt: skip


class RowCard(msgspec.Struct, frozen=True):
    card: str
    dark: bool


class Stone(msgspec.Struct, frozen=True):
    """A card that could still come into a row, and where it is as far as the seat knows."""

    card: str
    place: str  # hand, up, known, oracle, gone, unseen


class Row(msgspec.Struct, frozen=True):
    colour: str
    lit: bool  # its small shrine
    cards: list[RowCard]
    ahead: list[Stone]  # the first of them follows directly


class OwnCard(msgspec.Struct, frozen=True):
    """A card that the seat could play or holds."""

    card: str
    playable: bool  # now, by the one whose turn it is, were it theirs to choose
    lands: str | None  # light or dark, as it would lie now
    effect: Message | None  # what playing it would bring
    why_not: Message | None
    known_by: list[int]  # the other seats that know it
    public: bool  # everyone knows it


class Seat(msgspec.Struct, frozen=True):
    seat: int
    hidden: int
    up: list[OwnCard]  # face up; everyone may play them
    known: list[str]  # the hidden cards of this seat that the viewer knows


class Waiting(msgspec.Struct, frozen=True):
    """An effect that waits for the next card."""

    name: str  # no_dark, no_light, duty, only_green
    colour: str
    shade: str  # light or dark
    what: Message
    why: Message


class Tavern(msgspec.Struct, frozen=True):
    open: bool
    darks: int  # dark effects since it was closed; three open it
    said: Message | None


class View(msgspec.Struct, frozen=True):
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
    you = seat if 0 <= seat < k.seats else None
    deciders = due(k)
    can = playable(k)
    return View(
        seats=k.seats,
        you=you,
        top=TOP[k.seats],
        phase=PHASE_WORDS[k.phase],
        due=[q for q in range(k.seats) if deciders >> q & 1] if deciders < 64 else [],
        active=None if k.starter < 0 else k.active,
        starter=None if k.starter < 0 else k.starter,
        decider=k.decider if deciders == 1 << k.decider else None,
        effect=COLOUR_WORDS[k.effect] if PHASE_WORDS[k.phase] == "light" else None,
        rows=_rows(k, you),
        large_lit=bool(k.lit >> LARGE & 1),
        oracle=_names(k.oracle),
        deck=k.deck,
        gone=_names(k.gone),
        drawn=CARD_NAMES[k.drawn - 1] if k.drawn else None,
        table=[_seat(k, you, q, can) for q in range(k.seats)],
        hand=[] if you is None else [_own_card(k, you, you, c, can) for c in members(k.hand[you])],
        pending=[Waiting(name, COLOUR_WORDS[c], shade, what, why) for name, c, shade, what, why in pending(k)],
        passes=k.passes,
        tavern=Tavern(tavern_open(k), k.darks, said(k)) if k.tavern else None,
        ask=ask(k, seat),
        result=result(k) if k.phase == OVER else None,
    )


@lru_cache(4096)
def _names(cards: int) -> list[str]:
    return [CARD_NAMES[c] for c in members(cards)]


def _knows(k: State, you: int | None) -> int:
    return k.known[PUBLIC if you is None else you]


def _seat(k: State, you: int | None, q: int, can: int) -> Seat:
    known = 0 if q == you else k.hand[q] & _knows(k, you)
    return Seat(q, k.hand_len[q], [_own_card(k, q, you, c, can) for c in members(k.up[q])], _names(known))


def _own_card(k: State, owner: int, you: int | None, c: int, can: int) -> OwnCard:
    """A card of the viewer's hand, or a face-up one; `can`: the cards that can be played."""
    lands, effect, why_not = None, None, None
    if can >> c & 1:
        actor = k.active if k.phase in (TURN, CHOOSE) else (you if you is not None else owner)
        if actor == you or k.up[owner] >> c & 1:
            lands, effect = landing(k, actor, c)
    else:
        why_not = fits_nowhere(k, c)
    known = k.known
    knowers = [q for q in range(k.seats) if q != owner and known[q] >> c & 1]
    public = bool((known[PUBLIC] | k.up[owner]) >> c & 1)
    return OwnCard(CARD_NAMES[c], why_not is None, lands, effect, why_not, knowers, public)


def _rows(k: State, you: int | None) -> list[Row]:
    """The rows, and what is ahead of them: as far as the seat knows."""
    rows, dark, up, known, oracle, gone = k.rows, k.dark, face_up(k), _knows(k, you), k.oracle, k.gone
    hand = 0 if you is None else k.hand[you]
    lit, places = k.lit, TOP[k.seats] - 1
    return [
        _row(
            at // RANKS, lit >> at // RANKS & 1, places, rows >> at & COLOUR, dark >> at & COLOUR, hand >> at & COLOUR,
            up >> at & COLOUR, known >> at & COLOUR, oracle >> at & COLOUR, gone >> at & COLOUR,
        )
        for at in range(0, CARDS, RANKS)
    ]  # fmt: skip


@lru_cache(4096)  # most rows are as they were before the decision
def _row(
    colour: int, lit: int, places: int, here: int, dark: int, hand: int, up: int, known: int, oracle: int, gone: int
) -> Row:
    """A row; the sets are of places in it, 0 for rank 2 and so on."""

    first = colour * RANKS
    return Row(
        colour=COLOUR_WORDS[colour],
        lit=bool(lit),
        cards=[ROW_CARDS[dark >> i & 1][first + i] for i in members(here)],
        ahead=[
            STONES[
                "hand" if hand >> i & 1 else "up" if up >> i & 1 else "known" if known >> i & 1
                else "oracle" if oracle >> i & 1 else "gone" if gone >> i & 1 else "unseen"
            ][first + i]
            for i in range(here.bit_length(), places)
        ],
    )  # fmt: skip
