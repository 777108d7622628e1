"""Silver & Gold's messages to people: decisions, events, questions, and why a decision is refused."""

from __future__ import annotations

from functools import cache
from typing import Any

from tacit.core.bits import count, lowest, members
from tacit.core.clockwise import places_to, seat_after
from tacit.core.messages import Message, messages_of, seat_words
from tacit.core.rulekit import rule
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
# What a seat is asked; those of the second line tell something with it: how many, which shape, or who.
(ASK_OVER, ASK_CHANCE, ASK_KEEP, ASK_KEEP_DONE, ASK_KEEP_OTHER, ASK_DONE, ASK_NOTHING) = range(7)
(ASK_BONUS, ASK_CROSS, ASK_SINGLE, ASK_CROSS_OTHER, ASK_TAKE, ASK_TAKE_OTHER) = range(7, 13)
_PLAIN_QUESTIONS = {
    ASK_OVER: _say("ask.over"),
    ASK_CHANCE: _say("ask.chance"),
    ASK_KEEP: _say("ask.keep.you"),
    ASK_KEEP_DONE: _say("ask.keep.done"),
    ASK_KEEP_OTHER: _say("ask.keep.other"),
    ASK_DONE: _say("ask.cross.done"),
    ASK_NOTHING: _say("ask.cross.nothing"),
}


@rule
def question(k: State, seat: int) -> int:
    """Whose decision it is and about what, for the one who reads it: one of the numbers above, and 16 times what it
    tells.
    """
    sits = 0 <= seat < k.seats
    if k.phase == OVER:
        return ASK_OVER
    if k.phase == KEEP:
        if not sits:
            return ASK_KEEP_OTHER
        return ASK_KEEP_DONE if (k.done >> seat) & 1 == 1 else ASK_KEEP
    if k.phase == CROSS_OFF:
        return question_of_crossing(k, seat) if sits else ASK_CROSS_OTHER | (k.shape << 4)
    if k.phase == TAKE:
        return ASK_TAKE | (k.takes << 4) if seat == k.active else ASK_TAKE_OTHER | (k.active << 4)
    return ASK_CHANCE


@rule
def question_of_crossing(k: State, seat: int) -> int:
    if k.bonus[seat] > 0:
        return ASK_BONUS | (k.bonus[seat] << 4)
    if (k.done >> seat) & 1 == 1:
        return ASK_DONE if k.card[seat, 0] >= 0 or k.card[seat, 1] >= 0 else ASK_NOTHING
    fits = fitting(k.shape, free_now(k, seat, 0)) | fitting(k.shape, free_now(k, seat, 1))
    return (ASK_CROSS if fits != 0 else ASK_SINGLE) | (k.shape << 4)


def ask(key: int) -> Message:
    """The same in words."""
    code, about = key & 15, key >> 4
    if code in _PLAIN_QUESTIONS:
        return _PLAIN_QUESTIONS[code]
    if code == ASK_BONUS:
        return _say("ask.bonus", n=about)
    if code == ASK_TAKE:
        return _say("ask.take.you", n=about)
    if code == ASK_TAKE_OTHER:
        return _say("ask.take.other", who=seat_words(about))
    shape = shape_words(about)
    if code == ASK_CROSS:
        return _say("ask.cross.you", shape=shape)
    return _say("ask.cross.single" if code == ASK_SINGLE else "ask.cross.other", shape=shape)


# ------------------------------------------------------------------ what waits
@rule
def waiting(k: State) -> int:
    """What waits to be settled: 1 for the last turn; of each seat that is still to settle five bits, from bit 1 on, in
    their order: who (2), whether it gets trophies (1), how many cards it has completed (2).
    """
    if k.phase == REVEAL or k.phase == CROSS_OFF:
        return 1 if k.turn == TURNS - 1 else 0
    if k.starter < 0 or (k.phase != TAKE and k.phase != BLIND and k.phase != SHOW):
        return 0
    waits = 0
    at = 1
    for r in range(places_to(k.starter, k.active, k.seats) + 1, k.seats):
        q = seat_after(k.starter, r, k.seats)
        cards = 0
        for slot in range(KEPT):
            if k.card[q, slot] >= 0 and k.free[q, slot] == 0:
                cards += 1
        waits |= (q | (4 if k.rows[q] > 0 else 0) | (cards << 3)) << at
        at += 5
    return waits


def pending(key: int) -> list[Message]:
    """The same in words."""
    said = [_say("pending.last")] if key & 1 else []
    for at in range(1, key.bit_length(), 5):
        q, trophies, cards = key >> at & 3, key >> at + 2 & 1, key >> at + 3 & 3
        if trophies:
            said.append(_say("pending.trophy", who=seat_words(q)))
        if cards:
            said.append(_say("pending.take", who=seat_words(q), n=cards))
    return said


# ------------------------------------------------------------------ what crossings bring
@rule
def brought(k: State, seat: int) -> int:
    """What a seat's own crossings of this turn bring it, as far as it has come; from bit 0 on: cells still to cross off
    (6 bits), coins (4), the next trophy's points (3), palms (3), what each scores (7), points of seals (11), and the
    cards completed, each as its number and 1 more (6 each).
    """
    now = coins_now(k, seat)
    palms = palms_now(k, seat) - k.palms[seat]
    trophy = TROPHIES - k.given if now // COIN_ROW > k.coins[seat] // COIN_ROW else 0
    whole = completing(k, seat)
    seals = 0
    cards = 0
    if whole != 0:
        seals = seal_points(k.completed[seat] | whole) - seal_points(k.completed[seat])
        while whole != 0:
            cards = (cards << 6) | (lowest(whole) + 1)
            whole &= whole - 1
    worth = palm_worth(k) if palms > 0 else 0
    found = k.bonus[seat] | ((now - k.coins[seat]) << 6) | (trophy << 10) | (palms << 13) | (worth << 16)
    return found | (seals << 23) | (cards << 34)


def brings(key: int) -> list[Message]:
    """The same in words."""
    bonus, coins, trophy, palms = key & 63, key >> 6 & 15, key >> 10 & 7, key >> 13 & 7
    worth, seals, cards = key >> 16 & 127, key >> 23 & 2047, key >> 34
    said = []
    if coins:
        said.append(_say("brings.coins", n=coins))
    if trophy:
        said.append(_say("brings.trophy", points=trophy))
    if palms:
        said.append(_say("brings.palms", n=palms, points=palms * worth))
    for card in [one - 1 for one in (cards >> 6, cards & 63) if one]:
        said.append(_say("brings.card", card=named(card), points=SIZES[CARD_COLOURS[card]]))
    if seals:
        said.append(_say("brings.seals", n=seals))
    if bonus:
        said.append(_say("brings.bonus", n=bonus))
    return said


@rule
def completing(k: State, seat: int) -> int:
    """The set of a seat's cards that its crossings of this turn complete."""
    whole = 0
    for slot in range(KEPT):
        if completes(k, seat, slot) == 1:
            whole |= 1 << k.card[seat, slot]
    return whole


@rule
def completes(k: State, seat: int, slot: int) -> int:
    """1 if a seat's crossings of this turn complete its card in this slot, else 0."""
    return 1 if k.pending[seat, slot] != 0 and free_now(k, seat, slot) == 0 else 0


# ------------------------------------------------------------------ why not
(PLACE, BONUS_FIRST, SEAT_DONE, CELLS_CROSSED, NO_ROOM) = range(5)  # the last two tell the shape


@rule
def obstacle(shape: int, card: int, free: int, bonus: int, done: int) -> int:
    """Why the shape cannot be crossed off on the free cells of a card now: its seat must cross off a bonus cell first
    (`bonus` of them), is done (1), or has no place for it; PLACE if it can.
    """
    if bonus > 0:
        return BONUS_FIRST
    if done == 1:
        return SEAT_DONE
    if fitting(shape, free) != 0:
        return PLACE
    return CELLS_CROSSED if fitting(shape, ISLANDS[card]) != 0 else NO_ROOM


def why_not(reason: int, shape: int, card: int, free: int) -> Message | None:
    """The same in words."""
    if reason == PLACE:
        return None
    if reason == BONUS_FIRST:
        return _say("why.bonus")
    if reason == SEAT_DONE:
        return _say("why.done")
    if reason == CELLS_CROSSED:
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
