"""Silver & Gold's messages to people: decisions, events, questions, and why a decision is refused."""

from __future__ import annotations

from functools import cache
from typing import Any

from tacit.core.bits import count, members
from tacit.core.messages import Message, messages_of, seat_words
from tacit.games.silver_and_gold.board import (
    coins_now,
    crossing,
    fitting,
    free_now,
    palm_worth,
    palms_now,
    seal_points,
)
from tacit.games.silver_and_gold.deck import CARD_COLOURS, CARD_NAMES, CARD_NUMBERS, COLOUR_WORDS, SIZES
from tacit.games.silver_and_gold.model import *
from tacit.games.silver_and_gold.shapes import SHAPE_NAMES

_say = messages_of("silver-and-gold")


@cache
def named(card: int) -> Message:
    """A card's name for people: `p1` is purple 1. `value` is what is printed on it, for pages that draw the card."""
    colour = CARD_COLOURS[card]
    words = _say(f"colour.{COLOUR_WORDS[colour]}")
    return _say("card", colour=words, number=CARD_NAMES[card][1:], value=SIZES[colour])


def card_words(name: str) -> Message:
    return _say("card.unknown") if name == "?" else named(CARD_NUMBERS[name])


@cache
def shape_words(shape: int) -> Message:
    return _say(f"shape.{SHAPE_NAMES[shape]}")


def cell_list(cells: int) -> str:
    """Cells for people, row by row, left to right."""
    return ", ".join(f"{'abcd'[at % 4]}{at // 4 + 1}" for at in members(cells))


# ------------------------------------------------------------------ decisions and events in words
def _arguments(verb: str, words: list[str]) -> tuple[str, dict[str, Any]]:
    """The code's ending and the parameters for a verb and what follows it."""
    if verb in ("deal", "blind"):
        return verb, {"seat": seat_words(int(words[0])), "card": card_words(words[1])}
    if verb == "start":
        return verb, {"seat": seat_words(int(words[0]))}
    if verb == "expedition":
        return verb, {"shape": _say(f"shape.{words[0]}")}
    if verb == "keep":
        return verb, {"first": card_words(words[0]), "second": card_words(words[1])}
    if verb == "take" and words[0] == "deck":
        return "take-deck", {}
    cells = {"cells": ", ".join(words[1:])} if len(words) > 1 else {}
    return verb, {"card": card_words(words[0]), **cells}


def offer(text: str) -> Message:
    """A decision as it is offered: `take p4` is "Take purple 4 from the display"."""
    verb, *words = text.split(" ")
    code, params = _arguments(verb, words)
    return _say(f"offer.{code}", **params)


def tell(line: str) -> Message:
    """A heard line in words: `* deal 1 ?` is "Seat 1 is dealt a card.\""""
    who, verb, *words = line.split(" ")
    code, params = _arguments(verb, words)
    if who == "*":
        return _say(f"chance.{code}", **params)
    return _say(f"tell.{code}", who=seat_words(int(who)), **params)


# ------------------------------------------------------------------ questions
def ask(k: State, seat: int) -> Message:
    """Whose decision it is and about what, for the one who reads it."""
    sits = 0 <= seat < k.seats
    if k.phase == OVER:
        return _say("ask.over")
    if k.phase == KEEP:
        if not sits:
            return _say("ask.keep.other")
        return _say("ask.keep.done" if k.done >> seat & 1 else "ask.keep.you")
    if k.phase == CROSS_OFF:
        return _ask_crossing(k, seat) if sits else _say("ask.cross.other", shape=shape_words(k.shape))
    if k.phase == TAKE:
        if seat == k.active:
            return _say("ask.take.you", n=k.takes)
        return _say("ask.take.other", who=seat_words(k.active))
    return _say("ask.chance")


def _ask_crossing(k: State, seat: int) -> Message:
    if k.bonus[seat]:
        return _say("ask.bonus", n=k.bonus[seat])
    if k.done >> seat & 1:
        return _say("ask.cross.done" if k.card[seat, 0] >= 0 or k.card[seat, 1] >= 0 else "ask.cross.nothing")
    fits = fitting(k.shape, free_now(k, seat, 0)) | fitting(k.shape, free_now(k, seat, 1))
    return _say("ask.cross.you" if fits else "ask.cross.single", shape=shape_words(k.shape))


def pending(k: State) -> list[Message]:
    """What waits to be settled, and why."""
    waits = []
    if k.phase in (TAKE, BLIND, SHOW) and k.starter >= 0:
        for r in range((k.active - k.starter) % k.seats + 1, k.seats):
            q = (k.starter + r) % k.seats
            cards = sum(k.card[q, slot] >= 0 and k.free[q, slot] == 0 for slot in range(KEPT))
            if k.rows[q]:
                waits.append(_say("pending.trophy", who=seat_words(q)))
            if cards:
                waits.append(_say("pending.take", who=seat_words(q), n=cards))
    if k.phase in (REVEAL, CROSS_OFF) and k.turn == TURNS - 1:
        waits.append(_say("pending.last"))
    return waits


def brings(k: State, seat: int) -> list[Message]:
    """What a seat's own crossings of this turn bring it, as far as it has come."""
    found = []
    now = coins_now(k, seat)
    coins, palms = now - k.coins[seat], palms_now(k, seat) - k.palms[seat]
    if coins:
        found.append(_say("brings.coins", n=coins))
    rows = now // COIN_ROW - k.coins[seat] // COIN_ROW
    if rows and k.given < TROPHIES:
        found.append(_say("brings.trophy", points=TROPHIES - k.given))
    if palms:
        found.append(_say("brings.palms", n=palms, points=palms * palm_worth(k)))
    whole = completing(k, seat)
    if whole:
        for card in members(whole):
            found.append(_say("brings.card", card=named(card), points=SIZES[CARD_COLOURS[card]]))
        seals = seal_points(k.completed[seat] | whole) - seal_points(k.completed[seat])
        if seals:
            found.append(_say("brings.seals", n=seals))
    if k.bonus[seat]:
        found.append(_say("brings.bonus", n=k.bonus[seat]))
    return found


def completing(k: State, seat: int) -> int:
    """The set of a seat's cards that its crossings of this turn complete."""
    whole = 0
    for slot in range(KEPT):
        if k.pending[seat, slot] and free_now(k, seat, slot) == 0:
            whole |= 1 << k.card[seat, slot]
    return whole


# ------------------------------------------------------------------ why not
def why_no_place(shape: int, card: int, free: int, bonus: bool, done: bool) -> Message:
    """Why the shape cannot be crossed off on the free cells of a card now: its seat must cross off a bonus cell first,
    is done, or has no place for it.
    """
    if bonus:
        return _say("why.bonus")
    if done:
        return _say("why.done")
    if fitting(shape, ISLANDS[card]):
        return _say("why.crossed", shape=shape_words(shape), card=named(card), n=count(free))
    return _say("why.island", shape=shape_words(shape), card=named(card))


def refuse(k: State, seat: int, action: int) -> Message:
    """Why a decision is not allowed now, in a sentence."""
    if k.phase == TAKE:
        if action == A_DECK:
            return _say("refuse.deck-empty")
        return _say("refuse.not-shown", card=named(action))
    slot = action // A_SLOT
    card, cells = k.card[seat, slot], crossing(k.shape, action)
    off = cells & ~ISLANDS[card]
    if off:
        return _say("refuse.off-island", cells=cell_list(off), n=count(off), card=named(card))
    gone = cells & ~free_now(k, seat, slot)
    return _say("refuse.crossed", cells=cell_list(gone), n=count(gone), card=named(card))
