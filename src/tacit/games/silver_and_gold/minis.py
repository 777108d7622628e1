"""A mini game of Silver & Gold for two seats, small enough to be solved exactly; research knows it.

It begins with the first expedition: each seat has one small island, two more are on display, and two turns are played.
`MINIS` is read by `tacit.research.minis`, which also proves its values.
"""

from __future__ import annotations

from typing import Any

from tacit.core.rulekit import rule
from tacit.games.silver_and_gold import deck, shapes
from tacit.games.silver_and_gold.board import lay_before
from tacit.games.silver_and_gold.model import MAX_SEATS, REVEAL, State, deck_constants
from tacit.games.silver_and_gold.rules import shuffle_expeditions

SHOWN = 0  # the cards on display; each mini game has its own


@rule
def start(s: State) -> None:
    """G05 is over: seat q has card q, and seat 0 starts."""
    s.display = SHOWN
    s.shape = -1
    for q in range(MAX_SEATS):
        s.card[q, 0] = -1
        s.card[q, 1] = -1
    for q in range(s.seats):
        lay_before(s, q, q)
    shuffle_expeditions(s)
    s.phase = REVEAL


def _mini(islands: tuple[str, ...], value: str, random: str) -> dict[str, Any]:
    """Islands of one row: those of the seats, then those on display; a completed one scores 2, and each coin brings a
    trophy. Of three expedition cards (I2 twice, I3) two come."""
    cards = tuple(deck.Card(n, islands[n : n + 1] or ("....",)) for n in range(deck.CARDS))
    own = deck_constants(deck.Deck(cards))
    constants = {
        **{name: array for name, array in own.items() if name not in ("DECK", "OPTIONS")},
        "start": start, "SHOWN": sum(1 << n for n in range(2, len(islands))), "WHOLE_DECK": (1 << len(islands)) - 1,
        "EXPEDITIONS": (2, 1, 0, 0, 0, 0), "TURNS": 2, "ROUND": 2, "SIZES": (2, 2, 2, 2),
        "COIN_ROW": 1, "COIN_FIELDS": 3,
    }  # fmt: skip
    return {"seats": 2, "options": {}, "constants": constants, "value": value, "random": random}


# What is no member of the game.
REPLACED = {"SHOWN": SHOWN, "EXPEDITIONS": shapes.EXPEDITIONS, "SIZES": deck.SIZES}
MINIS = {"mini-silver-and-gold-race": _mini(("o$^", "^o$", "$$", "^$"), "4/3", "2503/7200")}
