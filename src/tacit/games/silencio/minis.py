"""Mini games of Silencio for two seats, small enough to be solved exactly: a few cards, one each; research knows them.

`MINIS` has for each its constants in place of the game's (`whole_deck` is a rule), the options that its values are for,
what the best joint plan expects and what random play does (`tacit.research.exact` proves both).
"""

from __future__ import annotations

from typing import Any

from tacit.core.rulekit import rule
from tacit.games.silencio import board
from tacit.games.silencio.model import BLUE, GREEN, RANKS, RED

MINI_DECK = 0  # each mini game has its own


@rule
def whole_deck(s: Any) -> int:
    """The cards of a mini game."""
    return MINI_DECK


def _mini(colours: tuple[int, ...], top: int, value: str, random: str) -> dict[str, Any]:
    """Some colours, ranks 2 to `top`, no shrine is lit."""
    deck = sum(((1 << (top - 1)) - 1) << RANKS * colour for colour in colours)
    constants = {"TOP": (0, 0, top, 0, 0), "HAND": (0, 0, 1, 0, 0), "MINI_DECK": deck, "whole_deck": whole_deck}
    return {"seats": 2, "options": {"unlit": "all"}, "constants": constants, "value": value, "random": random}


REPLACED = {
    "MINI_DECK": MINI_DECK,
    "whole_deck": board.whole_deck,
}  # what has another value, and is no member of the contract
MINIS = {
    "mini-silencio-duo": _mini((RED, BLUE), 3, "0", "-1/6"),
    "mini-silencio-green": _mini((GREEN,), 5, "0", "-1/2"),
}
