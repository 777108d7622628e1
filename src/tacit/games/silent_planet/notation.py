"""How a Silent Planet match is written down, and what of it each seat hears."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from tacit.core.bits import lowest
from tacit.core.errors import IllegalDecision
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silent_planet.board import kind_at, open_row
from tacit.games.silent_planet.model import *

KIND_NAMES = "12345x"
TEXTS = (
    *(f"place {kind}" for kind in KIND_NAMES),
    *(f"reveal {place + 1}" for place in range(PLACES)),
    "ready",
    *(f"point {place + 1}" for place in range(PLACES)),
)


# What is added to the key of an outcome, and to that of a line: its kind. A line without one is a step's own.
START_KEY, DEAL_KEY, UNSEEN = 1 << 5, 1 << 6, 7  # UNSEEN in the place of a kind: `?`
ROW, UP, COMPLETE, BROKEN = range(1, 5)
HEAR_KEYS = MAX_SEATS + 1  # once all rows are made: the decision, and each row


@rule
def decision_key(s: State, who: int, action: int) -> int:
    """What the text of a decision or an outcome says: the decision itself; the first seat; or the kind of the card, and
    8 times who gets it.
    """
    if who != CHANCE:
        return action
    return START_KEY | action if s.phase == START else DEAL_KEY | action | s.dealt // HAND << 3


def decision_text(key: int) -> str:
    """A decision or an outcome as the record writes it."""
    if key & DEAL_KEY:
        return f"deal {key >> 3 & 7} {'?' if key & 7 == UNSEEN else KIND_NAMES[key & 7]}"
    return f"start {key & 7}" if key & START_KEY else TEXTS[key]


def parse(s: State, who: int, text: str) -> int:
    """The number of a decision; IllegalDecision if the text is none."""
    verb, *rest = text.split(" ")
    if text == "ready":
        return A_READY
    if verb == "place" and len(rest) == 1:
        if len(rest[0]) != 1 or rest[0] not in KIND_NAMES:
            raise IllegalDecision(Message("silent-planet.refuse.no-card", {"text": rest[0][:20]}))
        return A_PLACE + KIND_NAMES.index(rest[0])
    if verb in ("reveal", "point") and len(rest) == 1:
        if not re.fullmatch("[1-9]", rest[0]):
            raise IllegalDecision(Message("silent-planet.refuse.no-position", {"text": rest[0][:20]}))
        return (A_REVEAL if verb == "reveal" else A_POINT) + int(rest[0]) - 1
    raise IllegalDecision(Message("silent-planet.refuse.unreadable", {"text": text[:40]}))


def kind_words(name: str) -> Message:
    """A card's name for people: `3` is “a 3”, `x` “a machine”, `?` “a card”."""
    word = {"x": "machine", "?": "unknown"}.get(name, "alien")
    return Message(f"silent-planet.card.{word}", {"kind": name})


def row_text(row: int) -> str:
    """A row in a heard line: nine cards from left to right, `?` for the unknown."""
    return "".join("?" if kind_at(row, i) < 0 else KIND_NAMES[kind_at(row, i)] for i in range(PLACES))


@rule
def hear_keys(before: State, who: int, action: int, after: State, keys: Cells) -> int:
    """What a seat hears of a step, from what it knew before and after: the kind of each line, and 8 times what it says.

    Of rows that others make it hears nothing, not even that they are ready; once all are, one line a row.
    """
    keys[0] = (who | decision_key(before, who, action) << 7) << 3
    if who == CHANCE:
        if before.phase == DEAL:
            taker = before.dealt // HAND
            if before.hand[taker] == after.hand[taker]:
                keys[0] |= UNSEEN << 10
        return 1
    if before.phase == ARRANGE:
        n = 1
        if before.hand[who] == 0 and before.row[who] == 0:  # another's: who knows its own nine cards knows them here
            n = 0
        if after.phase != ARRANGE:
            for q in range(after.seats):
                keys[n] = (q | open_row(after, q) << 3) << 3 | ROW
                n += 1
        return n
    if after.turned == before.turned:
        return 1
    place = lowest(before.down & ~after.down) - PLACES * before.turn
    keys[1] = (before.turn | place << 3 | kind_at(after.row[before.turn], place) << 7) << 3 | UP
    if after.ended == before.ended:
        return 2
    keys[2] = COMPLETE if after.completed != before.completed else BROKEN
    return 3


@lru_cache(1 << 12)
def line_text(key: int) -> str:
    """A heard line."""
    kind, said = key & 7, key >> 3
    if kind == ROW:
        return f"{said & 7} row {row_text(said >> 3)}"
    if kind == UP:
        return f"up {said & 7} {(said >> 3 & 15) + 1} {KIND_NAMES[said >> 7]}"
    if kind:
        return "team complete" if kind == COMPLETE else "team broken"
    who, text = said & 127, decision_text(said >> 7)
    return f"* {text}" if who == CHANCE else f"{who} {text}"


def result(s: State) -> dict[str, Any]:
    """P10: how it ended."""
    return ending(s.teams, s.seats)


def ending(teams: int, needed: int) -> dict[str, Any]:
    """P10: how a match ends with so many teams."""
    won = teams == needed
    return {"won": won, "teams": teams, "needed": needed, "reason": "teams" if won else "out-of-cards"}


def best_score(seats: int) -> int:
    """As many teams as there are seats: then the match is won, and over."""
    return seats
