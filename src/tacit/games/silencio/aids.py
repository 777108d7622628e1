"""What a seat of Silencio can work out of hidden cards."""

from __future__ import annotations

import math
from itertools import combinations

from tacit.core.bits import count, members
from tacit.games.silencio.board import proved
from tacit.games.silencio.knowledge import possible_cards
from tacit.games.silencio.model import *
from tacit.games.silencio.notation import CARD_NAMES


def hidden(s: State, k: State) -> dict[str, list[str]]:
    """The cards of each hand and of the deck that lie in `s` and are not known in `k`."""
    places = {f"hand {q}": _names(s.hand[q] & ~k.hand[q]) for q in range(s.seats)}
    return {**places, "deck": _names(s.pool)}


def possibilities(k: State, seat: int, most: int) -> list[State] | None:
    """All states that agree with what is known and proved; None if there are more than `most` deals to look through."""
    missing = [k.hand_len[q] - count(k.hand[q]) for q in range(k.seats)]
    may = [possible_cards(k, q, missing[q]) & k.pool for q in range(k.seats)]
    if math.prod(math.comb(count(cards), n) for cards, n in zip(may, missing, strict=True)) > most:
        return None
    states = [k]
    for q in range(k.seats):
        states = [new for state in states for new in _dealt(state, q, may[q], missing[q])]
    return states


def _dealt(state: State, q: int, may: int, missing: int) -> list[State]:
    """The states in which a seat has its missing cards, too."""
    found = []
    for cards in combinations(members(may & state.pool), missing):
        new: State = state.copy()  # type: ignore[attr-defined]
        for card in cards:
            new.hand[q] |= 1 << card
            new.pool &= ~(1 << card)
        if proved(new, q):
            found.append(new)
    return found


def _names(cards: int) -> list[str]:
    return [CARD_NAMES[card] for card in members(cards)]
