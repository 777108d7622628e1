"""How a Silent Planet match is written down, and what of it each seat hears."""

from __future__ import annotations

import re
from typing import Any

from tacit.core.errors import IllegalDecision
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import rule
from tacit.games.silent_planet.board import kind_at, open_row
from tacit.games.silent_planet.model import *

KIND_NAMES = "12345x"
TEXTS = (
    *(f"place {kind}" for kind in KIND_NAMES),
    *(f"reveal {place + 1}" for place in range(PLACES)),
    "ready",
    *(f"point {place + 1}" for place in range(PLACES)),
)


def show(s: State, who: int, action: int) -> str:
    """A decision or an outcome as the record writes it."""
    if who == CHANCE:
        return f"start {action}" if s.phase == START else f"deal {s.dealt // HAND} {KIND_NAMES[action]}"
    return TEXTS[action]


@rule
def decision_key(s: State, seat: int, action: int) -> int:
    """The decision: it alone says its text."""
    return action


def decision_text(key: int) -> str:
    """A decision as the record writes it."""
    return TEXTS[key]


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


def hear(before: State, who: int, action: int, after: State) -> list[str]:
    """What a seat hears of a step, from what it knew before and after.

    Of rows that others make it hears nothing, not even that they are ready; once all are, one line a row.
    """
    if who == CHANCE:
        text = show(before, who, action)
        if before.phase == DEAL and before.hand[before.dealt // HAND] == after.hand[before.dealt // HAND]:
            return [f"* {text[:-1]}?"]
        return [f"* {text}"]
    lines = [f"{who} {show(before, who, action)}"]
    if before.phase == ARRANGE:
        if before.hand[who] == 0 and before.row[who] == 0:  # another's: who knows its own nine cards knows them here
            lines = []
        if after.phase != ARRANGE:
            lines += [f"{q} row {row_text(open_row(after, q))}" for q in range(after.seats)]
    elif after.turned != before.turned:
        place = (before.down & ~after.down).bit_length() - 1 - PLACES * before.turn
        lines.append(f"up {before.turn} {place + 1} {KIND_NAMES[kind_at(after.row[before.turn], place)]}")
        if after.ended != before.ended:
            lines.append("team complete" if after.completed != before.completed else "team broken")
    return lines


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
