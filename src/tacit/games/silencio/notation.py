"""How a Silencio match is written down, and what of it each seat hears."""

from __future__ import annotations

import re
from typing import Any

from tacit.core.bits import members
from tacit.core.errors import IllegalDecision
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE
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


CARD_VERB = {
    TURN: "play", CHOOSE: "play", PASSING: "give", TRADE: "give", RETURN: "give", LAY: "give", EXCHANGE: "exchange",
}  # fmt: skip
LIGHT_VERB = {BLUE: "take", YELLOW: "show"}
CARD_TEXTS = {verb: [f"{verb} {name}" for name in CARD_NAMES] for verb in {*CARD_VERB.values(), "take", "show", None}}


def card_verb(s: State) -> str | None:
    """What a decision that names a card does with it now."""
    return LIGHT_VERB.get(s.effect) if s.phase == LIGHT else CARD_VERB.get(s.phase)


def seat_verb(s: State) -> str | None:
    """What a decision that names a seat does with it now."""
    if s.phase == LIGHT and s.effect == GREEN:
        return "choose"
    return "trade" if s.phase == EXCHANGE else None


def show(s: State, who: int, action: int) -> str:
    """A decision or an outcome as the record writes it."""
    if who == CHANCE:
        if s.phase == DEAL:
            return f"deal {s.decider} {CARD_NAMES[action]}"
        return f"{'oracle' if s.phase == ORACLE else 'draw'} {CARD_NAMES[action]}"
    if action < CARDS:
        return CARD_TEXTS[card_verb(s)][action]
    if action < A_SEAT:
        card = members(s.oracle)[(action - A_SEND) // 4]
        return f"send {CARD_NAMES[card]} {(action - A_SEND) % 4}"
    if action < A_CLAIM:
        return f"{seat_verb(s)} {action - A_SEAT}"
    return SIMPLE[action]


CARD_VERBS = ("play", "give", "take", "show", "exchange")
SEAT_VERBS = ("choose", "trade")


def parse(s: State, who: int, text: str) -> int:
    """The number of a decision; IllegalDecision if the text is no decision, or answers another question."""
    if text in SIMPLE_NUMBERS:
        return SIMPLE_NUMBERS[text]
    verb, *rest = text.split(" ")
    if verb in CARD_VERBS and len(rest) == 1:
        card = _card(rest[0])
        if verb != card_verb(s):
            raise _not_asked(verb)
        return card
    if verb in SEAT_VERBS and len(rest) == 1:
        seat = _seat(s, rest[0])
        if verb != seat_verb(s):
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


def hear(before: State, who: int, action: int, after: State) -> list[str]:
    """What a seat hears of a step, from what it knew before and after; a card whose place it does not know is `?`."""
    if who == CHANCE:
        verb = f"deal {before.decider}" if before.phase == DEAL else "oracle" if before.phase == ORACLE else "draw"
        return [f"* {verb} {_heard(after, action)}"]
    if before.phase in (PASSING, TRADE, RETURN):
        return [f"{who} give {_heard(after, action)}"]
    if action == A_STUCK:
        return [f"{who} say stuck {after.stuck}"]
    return [f"{who} {show(before, who, action)}"]


def _heard(after: State, card: int) -> str:
    return "?" if after.pool >> card & 1 else CARD_NAMES[card]


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
