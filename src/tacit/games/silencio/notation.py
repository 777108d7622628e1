"""How a Silencio match is written down, and what of it each seat hears."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from tacit.core.bits import members, nth
from tacit.core.errors import IllegalDecision
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silencio.board import cards_left
from tacit.games.silencio.model import *

LETTERS = "rbyg"
COLOUR_WORDS = ("red", "blue", "yellow", "green")
CARD_NAMES = tuple(f"{LETTERS[c // RANKS]}{c % RANKS + 2}" for c in range(CARDS))
CARD_NUMBERS = {name: c for c, name in enumerate(CARD_NAMES)}
SIMPLE = {
    A_CLAIM: "claim",
    A_DRAW: "draw",
    A_PASS: "pass",
    A_USE: "use",
    A_SKIP: "skip",
    A_RENEW: "renew",
    A_END: "end",
    A_STUCK: "say stuck",
    **{A_SHRINE + i: f"shrine {colour}" for i, colour in enumerate(COLOUR_WORDS)},
    **{A_SHRINE_LARGE + i: f"shrine large {colour}" for i, colour in enumerate(COLOUR_WORDS)},
    **{A_HIGH + i: f"say high {colour}" for i, colour in enumerate(COLOUR_WORDS)},
    **{A_AVOID + i: f"say avoid {colour}" for i, colour in enumerate(COLOUR_WORDS)},
}
SIMPLE_NUMBERS = {text: a for a, text in SIMPLE.items()}


# The verbs of decisions that name a card, then of those that name a seat, then of the one that names both; then of
# outcomes; at last of what is heard of a seat that is stuck, which names a number of cards.
VERBS = (
    "",
    "play",
    "give",
    "exchange",
    "take",
    "show",
    "choose",
    "trade",
    "send",
    "deal",
    "oracle",
    "draw",
    "say stuck",
)
(V_PLAY, V_GIVE, V_EXCHANGE, V_TAKE, V_SHOW, V_CHOOSE, V_TRADE, V_SEND, V_DEAL, V_ORACLE, V_DRAW, V_STUCK) = range(
    1, len(VERBS)
)
UNSEEN = 63  # in the place of a card's number: `?`
HEAR_KEYS = 1  # every step is one line


@rule
def card_verb(s: State) -> int:
    """What a decision that names a card does with it now; 0 if there is none."""
    if s.phase == TURN or s.phase == CHOOSE:
        return V_PLAY
    if s.phase == LIGHT:
        return V_TAKE if s.effect == BLUE else V_SHOW if s.effect == YELLOW else 0
    if s.phase == EXCHANGE:
        return V_EXCHANGE
    return V_GIVE if s.phase == PASSING or s.phase == TRADE or s.phase == RETURN or s.phase == LAY else 0


@rule
def seat_verb(s: State) -> int:
    """What a decision that names a seat does with it now; 0 if there is none."""
    if s.phase == LIGHT and s.effect == GREEN:
        return V_CHOOSE
    return V_TRADE if s.phase == EXCHANGE else 0


@rule
def decision_key(s: State, who: int, action: int) -> int:
    """What the text of a decision or an outcome says: the card or the seat that it names, 64 times the seat where it
    names both, and 256 times its verb; or the decision itself.
    """
    if who == CHANCE:
        if s.phase == DEAL:
            return action | s.decider << 6 | V_DEAL << 8
        return action | (V_ORACLE if s.phase == ORACLE else V_DRAW) << 8
    if action < CARDS:
        return action | card_verb(s) << 8
    if action < A_SEAT:
        return nth(s.oracle, (action - A_SEND) // 4) | (action - A_SEND) % 4 << 6 | V_SEND << 8
    if action < A_CLAIM:
        return action - A_SEAT | seat_verb(s) << 8
    return action


@lru_cache(1 << 10)
def decision_text(key: int) -> str:
    """A decision or an outcome as the record writes it."""
    verb, named = key >> 8, key & 255
    if verb == 0 and named in SIMPLE:
        return SIMPLE[named]
    if verb in (V_CHOOSE, V_TRADE, V_STUCK):
        return f"{VERBS[verb]} {named}"
    card = "?" if named & 63 == UNSEEN else CARD_NAMES[named & 63]
    if verb == V_SEND:
        return f"send {card} {named >> 6}"
    return f"deal {named >> 6} {card}" if verb == V_DEAL else f"{VERBS[verb]} {card}"


def parse(s: State, who: int, text: str) -> int:
    """The number of a decision; IllegalDecision if the text is no decision, or answers another question."""
    if text in SIMPLE_NUMBERS:
        return SIMPLE_NUMBERS[text]
    verb, *rest = text.split(" ")
    if verb in VERBS[V_PLAY:V_CHOOSE] and len(rest) == 1:
        card = _card(rest[0])
        if verb != VERBS[card_verb(s)]:
            raise _not_asked(verb)
        return card
    if verb in VERBS[V_CHOOSE:V_SEND] and len(rest) == 1:
        seat = _seat(s, rest[0])
        if verb != VERBS[seat_verb(s)]:
            raise _not_asked(verb)
        return A_SEAT + seat
    if verb == "send" and len(rest) == 2:
        card, seat = _card(rest[0]), _seat(s, rest[1])
        if s.phase != SEND:
            raise _not_asked(verb)
        if not s.oracle >> card & 1:
            raise IllegalDecision(Message("silencio.refuse.not-in-oracle", {"card": card_words(rest[0])}))
        return A_SEND + 4 * members(s.oracle).index(card) + seat
    raise IllegalDecision(Message("silencio.refuse.unreadable", {"text": text[:40]}))


def encode_text(text: str) -> int:
    """`send card seat` as a number, for its decision depends on all of the Oracle's cards; -1 for others."""
    verb, *rest = text.split(" ")
    if verb != "send" or len(rest) != 2 or rest[0] not in CARD_NUMBERS or not re.fullmatch("[0-9]", rest[1]):
        return -1
    return CARD_NUMBERS[rest[0]] | int(rest[1]) << 6


def _card(name: str) -> int:
    if name not in CARD_NUMBERS:
        raise IllegalDecision(Message("silencio.refuse.no-card", {"text": name[:20]}))
    return CARD_NUMBERS[name]


def _seat(s: State, name: str) -> int:
    if not re.fullmatch("[0-9]", name) or int(name) >= s.seats:
        raise IllegalDecision(Message("silencio.refuse.no-seat", {"text": name[:20]}))
    return int(name)


def _not_asked(verb: str) -> IllegalDecision:
    return IllegalDecision(Message(f"silencio.refuse.not-asked.{verb}"))


def card_words(name: str) -> Message:
    """A card's name for people: `r5` is red 5, `?` a card."""
    if name == "?":
        return Message("silencio.card.unknown")
    colour = COLOUR_WORDS[LETTERS.index(name[0])]
    return Message("silencio.card", {"colour": Message(f"silencio.colour.{colour}"), "rank": name[1:]})


@rule
def hear_keys(before: State, who: int, action: int, after: State, keys: Cells) -> int:
    """What a seat hears of a step, from what it knew before and after: who, and 128 times the key of a text, in which a
    card whose place it does not know is UNSEEN.
    """
    text = decision_key(before, who, action)
    if who == CHANCE or before.phase == PASSING or before.phase == TRADE or before.phase == RETURN:
        if (after.pool >> action) & 1:
            text |= UNSEEN
    elif action == A_STUCK:
        text = after.stuck | V_STUCK << 8
    keys[0] = who | text << 7
    return 1


def line_text(key: int) -> str:
    """A heard line."""
    who, text = key & 127, decision_text(key >> 7)
    return f"* {text}" if who == CHANCE else f"{who} {text}"


def result(s: State) -> dict[str, Any]:
    """S10, S11: how it ended."""
    return ended(s.seats, cards_left(s))


def ended(seats: int, left: int) -> dict[str, Any]:
    """The result with so many cards left."""
    verdict = "perfect" if left == 0 else "near" if left <= seats else "far"
    return {"left": left, "verdict": verdict, "reason": "passed" if left else "empty"}


def best_score(seats: int) -> int:
    """No cards left: the best possible score."""
    return 0
