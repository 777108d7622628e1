"""What a seat can work out of hidden cards: where each can still be, and how likely. Computed from knowledge alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import msgspec

from tacit.core.chance import stream
from tacit.core.game import Game

MOST = 4000  # states that are enumerated; where more are possible, they are sampled
SAMPLES = 1000
NEXT = ("deck", "city")  # of these places the next card is told, of others every card that lies there


class CardChance(msgspec.Struct, frozen=True, kw_only=True):
    """A card, as records name it, and the probability that it lies in a place (of a deck: that it comes next)."""

    card: str
    chance: float


class HiddenPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A place with hidden cards: `hand 1`, `row 1 4` (seat and position), `deck`, `city`."""

    place: str
    cards: int  # that lie there and are not known
    chances: list[CardChance]  # the likeliest first; what is not named cannot be there, or is too rare for a sample


class Outlook(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat can work out: exact, or from a sample of `states` that agree with what it knows and has heard."""

    exact: bool
    states: int
    places: list[HiddenPlace]


def outlook(game: Game, k: Any, seat: int) -> Outlook:
    """What a seat that knows `k` can work out of each hidden place; the same for the same knowledge.

    A game without `hidden` (its aids.py) has no places.
    """
    hidden = game.rules.hidden
    if hidden is None:
        return Outlook(exact=True, states=0, places=[])
    listed = game.rules.possibilities(k, seat, MOST) if game.rules.possibilities is not None else None
    states = listed or _sample(game, k, seat)
    sizes: dict[str, int] = {}
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for state in states:
        for place, cards in hidden(state, k).items():
            sizes[place] = len(cards)
            for card, n in Counter(cards).items():
                found[place][card] += n if place in NEXT else 1
    return Outlook(
        exact=listed is not None,
        states=len(states),
        places=[
            HiddenPlace(
                place=place,
                cards=size,
                chances=[
                    CardChance(card=card, chance=round(n / (len(states) * (size if place in NEXT else 1)), 3))
                    for card, n in sorted(found[place].items(), key=lambda one: (-one[1], one[0]))
                ],
            )
            for place, size in sizes.items()
            if size
        ],
    )


def _sample(game: Game, k: Any, seat: int) -> list[Any]:
    """Imagined states. The stream follows from the knowledge: asking again shows nothing new."""
    rng = stream(f"outlook {seat} {k!r}")
    states = [k.copy() for _ in range(SAMPLES)]
    for state in states:
        game.rules.imagine(state, seat, rng)
    return states
