"""What a seat of Zombie City can work out of hidden cards."""

from __future__ import annotations

from tacit.core.bits import members
from tacit.games.zombie_city.board import back_of
from tacit.games.zombie_city.model import *
from tacit.games.zombie_city.notation import ZOMBIE_NAMES, card_names


def hidden(s: State, k: State) -> dict[str, list[str]]:
    """The others' hands, the resource deck, and the backs of the City deck, which nobody has seen."""
    places = {f"hand {q}": card_names(s.hand[q]) for q in range(s.seats) if s.hand[q] != k.hand[q]}
    backs = [ZOMBIE_NAMES[back_of(back)] for back in members(s.backs)]
    return {**places, "deck": card_names(s.pool), "city": backs if s.city > 0 else []}
