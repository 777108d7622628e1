"""What a seat could not know when it decided, and what that changed: for the open truth beside a key moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.core.messages import Message, seat_words
from tacit.review.judging import Judged

if TYPE_CHECKING:
    from tacit.review.engine import Reviewer

CLEAR = 3.0  # standard errors by which a hidden card must change what the better decision gains
FEWEST = 8  # worlds with the card, and without it


def close_key(of: Reviewer) -> str:
    """The key of the playouts in which a key moment is looked at closely."""
    return f"review {of.seed} close"


def unknown(of: Reviewer, one: Judged, style: str, scores: Any) -> list[Message]:
    """Sentences about what was hidden from the seat: the card that mattered most, and what chance did next.

    Args:
        of: The review.
        one: The decision.
        style: The style whose playouts `scores` are of.
        scores: World, decision (made, better), seat: of the close look, so that the worlds can be looked at again.
    """
    seat = one.change.seat
    assert seat is not None
    who, found = seat_words(seat), []
    values = of.measure.values(scores)[:, :, of.measure.side(seat)]
    fact = _what_mattered(of, one, style, values[:, 1] - values[:, 0])
    if fact is not None:
        what, gain = fact
        found.append(Message(f"review.unknown.{'more' if gain > 0 else 'less'}", {"seat": who, "what": what}))
    line = _next_draw(of, one)
    if line is not None:
        found.append(Message("review.unknown.next", {"seat": who, "words": of.game.rules.tell(line)}))
    return found or [Message("review.unknown.nothing", {"seat": who})]


def _what_mattered(of: Reviewer, one: Judged, style: str, gains: Any) -> tuple[Message, float] | None:
    """The true hidden card with which the gain differs most from that without it, in imagined worlds; None if none
    differs clearly.
    """
    rules, at, seat = of.game.rules, one.change.at, one.change.seat
    assert seat is not None
    if rules.hidden is None or rules.card_words is None:
        return None
    k: Any = of.game.know(at.state, seat)
    worlds = of.valuer(style).worlds(at, seat, len(gains), close_key(of))
    lies = [rules.hidden(world, k) for world in worlds]
    best, found = CLEAR, None
    for place, cards in rules.hidden(at.state, k).items():
        if not place.startswith(("hand ", "row ")):  # decks are drawn from: what comes is told by itself
            continue
        for card in dict.fromkeys(cards):
            there = np.array([card in world.get(place, ()) for world in lies])
            if min(there.sum(), (~there).sum()) < FEWEST:
                continue
            gain = float(gains[there].mean() - gains[~there].mean())
            error = (gains[there].var() / there.sum() + gains[~there].var() / (~there).sum()) ** 0.5
            if abs(gain) > best * error:
                best, found = abs(gain) / max(error, 1e-9), (_lies(place, rules.card_words(card)), gain)
    return found


def _lies(place: str, card: Message) -> Message:
    """That a card lies in a place, as a part of a sentence."""
    kind, owner, *position = place.split(" ")
    params: dict[str, Any] = {"owner": seat_words(int(owner)), "card": card}
    return Message(f"review.lies.{kind}", params | {"position": position[0]} if position else params)


def _next_draw(of: Reviewer, one: Judged) -> str | None:
    """What chance did next, before the seat decided again; None if it did nothing until then."""
    lines = of.match.lines[one.change.at.line + 1 :]
    for line in lines:
        if line.startswith("* "):
            return line
        if line.startswith(f"{one.change.seat} "):
            break
    return None
