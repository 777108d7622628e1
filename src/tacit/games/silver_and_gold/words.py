"""Silver & Gold's messages to people: decisions, events, questions, and why a decision is refused."""

from __future__ import annotations

from functools import cache
from typing import Any

from tacit.core.bits import count, members
from tacit.core.messages import Message, messages_of, seat_words
from tacit.games.silver_and_gold.board import (
    crossing,
    free_now,
)
from tacit.games.silver_and_gold.deck import CARD_COLOURS, CARD_NAMES, CARD_NUMBERS, COLOUR_WORDS, SIZES
from tacit.games.silver_and_gold.model import *
from tacit.games.silver_and_gold.shapes import SHAPE_NAMES
from tacit.games.silver_and_gold.shown import *

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
_PLAIN_QUESTIONS = {
    ASK_OVER: _say("ask.over"),
    ASK_CHANCE: _say("ask.chance"),
    ASK_KEEP: _say("ask.keep.you"),
    ASK_KEEP_DONE: _say("ask.keep.done"),
    ASK_KEEP_OTHER: _say("ask.keep.other"),
    ASK_DONE: _say("ask.cross.done"),
    ASK_NOTHING: _say("ask.cross.nothing"),
}


def ask(key: int) -> Message:
    """What `question` found, in words."""
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
def pending(key: int) -> list[Message]:
    """What `waiting` found, in words."""
    said = [_say("pending.last")] if key & 1 else []
    for at in range(1, key.bit_length(), 5):
        q, trophies, cards = key >> at & 3, key >> at + 2 & 1, key >> at + 3 & 3
        if trophies:
            said.append(_say("pending.trophy", who=seat_words(q)))
        if cards:
            said.append(_say("pending.take", who=seat_words(q), n=cards))
    return said


# ------------------------------------------------------------------ what crossings bring
def brings(key: int) -> list[Message]:
    """What `brought` found, in words."""
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


# ------------------------------------------------------------------ why not
def why_not(reason: int, shape: int, card: int, left: int) -> Message | None:
    """What `obstacle` found, in words; None for PLACE."""
    if reason == PLACE:
        return None
    if reason == BONUS_FIRST:
        return _say("why.bonus")
    if reason == SEAT_DONE:
        return _say("why.done")
    if reason == CELLS_CROSSED:
        return _say("why.crossed", shape=shape_words(shape), card=named(card), n=left)
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
