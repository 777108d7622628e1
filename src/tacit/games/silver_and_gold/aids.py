"""What a seat of Silver & Gold can work out of hidden cards, and why a good player decides so."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tacit.core.bits import members
from tacit.core.messages import Message, messages_of
from tacit.games.silver_and_gold.deck import CARD_NAMES
from tacit.games.silver_and_gold.model import *
from tacit.games.silver_and_gold.words import card_words

if TYPE_CHECKING:
    from tacit.games.silver_and_gold.view import Held, View

_say = messages_of("silver-and-gold")


def hidden(s: State, k: State) -> dict[str, list[str]]:
    """The deck; until all have chosen, the four cards dealt to each of the others."""
    places = {f"hand {q}": _names(s.hand[q]) for q in range(s.seats) if s.hand[q] != k.hand[q]}
    return {**places, "deck": _names(s.pool)}


def _names(cards: int) -> list[str]:
    return [CARD_NAMES[card] for card in members(cards)]


# ------------------------------------------------------------------ reasons
def why(view: View, then: Callable[[str], View], better: str, worse: str | None) -> Message | None:
    """Why a good player decides so: of two crossings, which finishes its card or brings more (G08, G09)."""
    if worse is None:
        return _reason(view, then(better), better)
    more = [a - b for a, b in zip(_crosses(view, better), _crosses(view, worse), strict=True)]
    for name, n in zip(("finishes", "coins", "palms", "cells"), more, strict=True):
        if n > 0:
            return _say(f"better.{name}", n=n)
    said = _reason(view, then(better), better)
    return None if said == _reason(view, then(worse), worse) else said


def _crosses(view: View, text: str) -> tuple[int, int, int, int]:
    """Whether a crossing finishes its card, and how many coins, palms and cells it crosses off; else nothing."""
    verb, card, *cells = text.split(" ")
    if verb not in ("mark", "cross", "bonus"):
        return 0, 0, 0, 0
    held = _held(view, card)
    signs = [held.island.rows[int(cell[1]) - 1]["abcd".index(cell[0])] for cell in cells]
    return int(held.left == len(cells)), signs.count("$"), signs.count("^"), len(cells)


def _held(view: View, card: str) -> Held:
    """A card before the seat."""
    return next(held for seat in view.table if seat.seat == view.you for held in seat.cards if held.island.card == card)


def _reason(before: View, after: View, text: str) -> Message:
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
    return _say("hint.leaves", n=_held(after, words[0]).left, card=card_words(words[0]))
