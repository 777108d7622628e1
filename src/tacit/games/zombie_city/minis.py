"""A mini game of Zombie City for two seats, small enough to be solved exactly; research knows it.

A hand is one card of four, each seat has one turn, and seat 0 begins with a survivor more. `MINIS` is read by
`tacit.research.minis`, which also proves its values.
"""

from __future__ import annotations

from typing import Any

from tacit.core.bits import count
from tacit.core.rulekit import rule
from tacit.games.zombie_city.model import (
    BACK_BASE,
    BASE,
    BRIBERY,
    DEAL,
    EVERY_BACK,
    EVERY_CARD,
    FAST,
    KINDS,
    MEGAPHONE,
    NOTHING,
    REGULAR,
    State,
)

PEOPLE = (0, 0)  # the survivors that each seat begins with; each mini game has its own


@rule
def start(s: State) -> None:
    """Z01–Z04 with a few cards; every seat has survivors of its own number."""
    s.living = (1 << s.seats) - 1
    s.pool = EVERY_CARD
    s.deck = count(EVERY_CARD)
    s.backs = EVERY_BACK
    s.shows = NOTHING
    s.city = count(EVERY_BACK)
    for seat in range(s.seats):
        s.people[seat] = PEOPLE[seat]
        s.city -= PEOPLE[seat]
    s.phase = DEAL


def _mini(
    cards: dict[int, int], backs: dict[int, int], people: tuple[int, int], value: str, random: str
) -> dict[str, Any]:
    """So many cards of some kinds, so many City cards with some backs; one card in a hand, one turn each."""
    copies = tuple(cards.get(kind, 0) for kind in range(KINDS))
    on_backs = tuple(backs.get(zombie, 0) for zombie in range(len(BACK_BASE)))
    field = tuple(((1 << n) - 1) << base for n, base in zip(copies, BASE, strict=True))
    back_field = tuple(((1 << n) - 1) << base for n, base in zip(on_backs, BACK_BASE, strict=True))
    constants = {
        "start": start, "PEOPLE": people, "HAND": 1, "TURNS": 1,
        "COPIES": copies, "FIELD": field, "EVERY_CARD": sum(field),
        "BACKS": on_backs, "BACK_FIELD": back_field, "EVERY_BACK": sum(back_field),
    }  # fmt: skip
    return {"seats": 2, "options": {}, "constants": constants, "value": value, "random": random}


REPLACED = {"PEOPLE": PEOPLE}  # what is no member of the game
MINIS = {
    "mini-zombie-city-bribes": _mini({MEGAPHONE: 2, BRIBERY: 2}, {FAST: 2, REGULAR: 3}, (2, 1), "1/20", "191/270"),
}
