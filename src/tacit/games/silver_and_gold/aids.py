"""What a seat of Silver & Gold can work out of hidden cards."""

from __future__ import annotations

from tacit.core.bits import members
from tacit.games.silver_and_gold.deck import CARD_NAMES
from tacit.games.silver_and_gold.model import *


def hidden(s: State, k: State) -> dict[str, list[str]]:
    """The deck; until all have chosen, the four cards dealt to each of the others."""
    places = {f"hand {q}": _names(s.hand[q]) for q in range(s.seats) if s.hand[q] != k.hand[q]}
    return {**places, "deck": _names(s.pool)}


def _names(cards: int) -> list[str]:
    return [CARD_NAMES[card] for card in members(cards)]
