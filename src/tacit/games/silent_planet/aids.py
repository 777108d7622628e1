"""What a seat of Silent Planet can work out of hidden cards, and why a good player decides so."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tacit.core.messages import Message, messages_of
from tacit.games.silent_planet.board import bag_of, kind_at, number_of
from tacit.games.silent_planet.model import *
from tacit.games.silent_planet.notation import KIND_NAMES

if TYPE_CHECKING:
    from tacit.games.silent_planet.view import View

_say = messages_of("silent-planet")


def hidden(s: State, k: State) -> dict[str, list[str]]:
    """The face-down cards of the others' rows; before all rows are shown, the others' hands, laid or not."""
    if s.phase < START:
        bags = [
            (q, s.hand[q] + bag_of(s.row[q])) for q in range(s.seats) if s.hand[q] != k.hand[q] or s.row[q] != k.row[q]
        ]
        return {f"hand {q}": _names(bag) for q, bag in bags}
    return {
        f"row {q} {place + 1}": [KIND_NAMES[kind_at(s.row[q], place)]]
        for q in range(s.seats)
        for place in range(PLACES)
        if kind_at(k.row[q], place) < 0
    }


def _names(bag: int) -> list[str]:
    return [KIND_NAMES[kind] for kind in range(KINDS) for _ in range(number_of(bag, kind))]


# ------------------------------------------------------------------ reasons
def why(view: View, then: Callable[[str], View], better: str, worse: str | None) -> Message | None:
    """Why a good player decides so; None where the same could be said of the worse one."""
    said = _reason(view, better)
    return None if worse is not None and said == _reason(view, worse) else said


def _reason(view: View, text: str) -> Message:
    verb, *words = text.split(" ")
    if verb != "point":
        return _say(f"hint.{verb}")
    there = [pointer.seat for pointer in view.pointing if pointer.position == int(words[0])]
    return _say("hint.join" if there and there != [view.you] else "hint.point")
