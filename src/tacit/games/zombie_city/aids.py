"""What a seat of Zombie City can work out of hidden cards."""

from __future__ import annotations

from tacit.core.bits import members
from tacit.games.zombie_city.board import back_of, size
from tacit.games.zombie_city.model import *
from tacit.games.zombie_city.notation import ZOMBIE_NAMES, card_names


def hidden(s: State, k: State) -> dict[str, list[str]]:
    """The others' hands, the resource deck, and the backs of the City deck, which nobody has seen."""
    places = {f"hand {q}": card_names(s.hand[q]) for q in range(s.seats) if s.hand[q] != k.hand[q]}
    backs = [ZOMBIE_NAMES[back_of(back)] for back in members(s.backs)]
    return {**places, "deck": card_names(s.pool), "city": backs if s.city > 0 else []}


def suffered(before: State, who: int, action: int, after: State) -> dict[int, dict[str, int]]:
    """The zombies that a decision brought into others' shelters, and the noise that it made there (Z11, Z13)."""
    found: dict[int, dict[str, int]] = {}
    for q in range(before.seats):
        came = size(after.zombies[q]) - size(before.zombies[q])
        if q != who and came > 0:
            found[q] = {"zombies": came}
    if before.phase == MAIN and A_DRONE <= action < A_SURPRISE:
        found.setdefault((action - A_DRONE) % 6, {})["noise"] = 1
    return found
