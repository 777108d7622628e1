"""What a seat of Silencio can work out of hidden cards, and why a good player decides so."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING

from tacit.core.bits import count, members
from tacit.core.messages import Message, messages_of, seat_words
from tacit.games.silencio.board import proved
from tacit.games.silencio.knowledge import possible_cards
from tacit.games.silencio.model import *
from tacit.games.silencio.notation import CARD_NAMES, card_words

if TYPE_CHECKING:
    from tacit.games.silencio.view import View

_say = messages_of("silencio")


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


# ------------------------------------------------------------------ reasons
def why(view: View, then: Callable[[str], View], better: str, worse: str | None) -> Message | None:
    """Why a good player decides so: of two plays, which leaves fewer cards behind, the seat's own or any (S06)."""
    if worse is None:
        return _reason(view, better)
    if worse.startswith("play "):
        own = {card.card for card in (*view.hand, *(view.table[view.you].up if view.you is not None else ()))}
        lost, kept = (_passed_over(view, text) for text in (worse, better))
        card = card_words(worse.removeprefix("play "))
        if len(lost & own) > len(kept & own):
            return _say("better.own", card=card, n=len(lost & own))
        if len(lost) > len(kept):
            return _say("better.ranks", card=card, n=len(lost))
    said = _reason(view, better)
    return None if said == _reason(view, worse) else said


def _reason(view: View, text: str) -> Message:
    verb, *words = text.split(" ")
    if verb == "play":
        return _reason_of_play(view, text)
    if verb == "give":
        return _say("hint.give", card=card_words(words[0]))
    if verb == "send":
        return _say("hint.send", card=card_words(words[0]), seat=seat_words(int(words[1])))
    return _say("hint.wait" if verb in ("pass", "skip", "end") else f"hint.{verb}")


def _reason_of_play(view: View, text: str) -> Message:
    """How many cards it passes over that could still come, compared with the seat's own other cards."""
    n = len(_passed_over(view, text))
    if n == 0:
        return _say("hint.follows")
    fewest = min((len(_passed_over(view, f"play {own.card}")) for own in view.hand if own.playable), default=n)
    return _say("hint.fewest" if n <= fewest else "hint.passes-over", n=n)


def _passed_over(view: View, text: str) -> set[str]:
    """The cards that could still come and cannot once a card is played; none if no card is played."""
    for row in view.rows:
        for at, stone in enumerate(row.ahead):
            if text == f"play {stone.card}":
                return {other.card for other in row.ahead[:at] if other.place != "gone"}
    return set()
