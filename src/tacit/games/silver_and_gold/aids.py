"""What a seat of Silver & Gold can work out of hidden cards, and why a good player decides as a hint says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.core.bits import members
from tacit.core.messages import Message, messages_of
from tacit.games.silver_and_gold.deck import CARD_NAMES
from tacit.games.silver_and_gold.model import *
from tacit.games.silver_and_gold.words import card_words

if TYPE_CHECKING:
    from tacit.games.silver_and_gold.view import View

_say = messages_of("silver-and-gold")


def hidden(s: State, k: State) -> dict[str, list[str]]:
    """The deck; until all have chosen, the four cards dealt to each of the others."""
    places = {f"hand {q}": _names(s.hand[q]) for q in range(s.seats) if s.hand[q] != k.hand[q]}
    return {**places, "deck": _names(s.pool)}


def _names(cards: int) -> list[str]:
    return [CARD_NAMES[card] for card in members(cards)]


# ------------------------------------------------------------------ hints
def because(before: View, after: View, text: str) -> Message:
    """Why a good player decides so."""
    verb, *words = text.split(" ")
    if verb == "keep":
        return _say("hint.keep")
    if verb == "take":
        return _say("hint.take-deck" if words[0] == "deck" else "hint.take")
    spent = {"silver-and-gold.brings.bonus"} if verb == "bonus" and after.bonus < before.bonus else set()
    brought = [message for message in after.brings if message not in before.brings and message.code not in spent]
    if brought:
        whole = brought[0]
        for message in brought[1:]:
            whole = Message("core.and", {"first": whole, "second": message})
        return _say("hint.brings", what=whole)
    own = [held for seat in after.table if seat.seat == after.you for held in seat.cards]
    left = next(held.left for held in own if held.island.card == words[0])
    return _say("hint.leaves", n=left, card=card_words(words[0]))
