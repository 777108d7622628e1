"""Silent Planet's messages to people: decisions, signals, events, questions, and why a decision is refused.

What a view says is decided by rules, as a number, and put into words from that number alone (core/fragments.py).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from tacit.core.messages import Message, messages_of, seat_words
from tacit.games.silent_planet.board import (
    places_of,
    size,
)
from tacit.games.silent_planet.model import *
from tacit.games.silent_planet.notation import KIND_NAMES, kind_words
from tacit.games.silent_planet.shown import *

_say = messages_of("silent-planet")


@cache
def card(kind: int) -> Message:
    return kind_words(KIND_NAMES[kind])


# ------------------------------------------------------------------ decisions, signals and events in words
def _arguments(verb: str, words: list[str]) -> tuple[str, dict[str, Any]]:
    """The code's ending and the parameters for a verb and what follows it."""
    if verb in ("place", "fingers"):
        return verb, {"card": kind_words(words[0])}
    if verb in ("reveal", "point"):
        return verb, {"position": int(words[0])}
    if verb == "row":
        shown = sum(c != "?" for c in words[0])
        return (verb if shown else "row-closed"), {"row": " ".join(words[0])}
    return verb, {}


def offer(text: str) -> Message:
    """A decision or a signal as it is offered: `point 4` is “Point at card 4”."""
    verb, *words = text.split(" ")
    code, params = _arguments(verb, words)
    return _say(f"offer.{code}", **params)


def tell(line: str) -> Message:
    """A heard line in words: `up 1 4 3` is “Seat 1's card 4 is a 3.”"""
    who, *words = line.split(" ")
    if who == "up":
        return _say("tell.up", who=seat_words(int(words[0])), position=int(words[1]), card=kind_words(words[2]))
    if who == "team":
        return _say("tell.complete" if words[0] == "complete" else "tell.broken")
    if who == "*" and words[0] == "start":
        return _say("chance.start", seat=seat_words(int(words[1])))
    if who == "*":
        return _say("chance.deal", seat=seat_words(int(words[1])), card=kind_words(words[2]))
    if who == "!":
        who, *words = words
    code, params = _arguments(words[0], words[1:])
    return _say(f"tell.{code}", who=seat_words(int(who)), **params)


# ------------------------------------------------------------------ questions
ASKS = (
    "won", "lost", "deal", "start", "arrange.other", "arrange.ready", "arrange.begin", "arrange.place",
    "arrange.reveal", "point.owner", "point.other", "point.you", "point.wait",
)  # fmt: skip
OUTLOOKS = ("", "begin", "last", "same", "again", "plurality")
THENS = ("", "up", "round", "most")


def ask(what: int) -> Message:
    """Whose decision it is and about what, for the one who reads it."""
    found: dict[str, Any] = {"row": seat_words((what >> 4 & 15) - 1)} if what >> 4 & 15 else {}
    for at, name in ((8, "round"), (12, "n"), (16, "position")):
        if what >> at & 15:
            found[name] = what >> at & 15
    return _say(f"ask.{ASKS[what & 15]}", **found)


def outlook(what: int) -> Message | None:
    """P07: what the pointers of this round come to so far."""
    code, n = OUTLOOKS[what & 7], what >> 3
    if code == "same":
        return _say("outlook.same", position=n)
    if code == "again":
        return _say("outlook.again", round=n)
    if code == "plurality":
        return _say("outlook.plurality", nearest=seat_words(n))
    return _say(f"outlook.{code}") if code else None


def then(what: int) -> Message | None:
    """P07: what pointing there would bring; None where that is not certain."""
    code, n = THENS[what & 3], what >> 2
    return _say(f"then.{code}", **{"round" if code == "round" else "position": n}) if code else None


def happened(name: str, seat: int, position: int, completes: bool, ends: bool) -> Message:
    """P08: the card turned up last, and what became of the team."""
    code = "completes" if completes else "breaks" if ends else "joins"
    return _say(f"happened.{code}", who=seat_words(seat), position=position, card=kind_words(name))


UNFIT = ("", "again", "other")


def unfit(why: int, kind: int) -> Message | None:
    """P08: why a card of this kind would break the team; None if it fits."""
    return _say(f"unfit.{UNFIT[why]}", card=card(kind)) if why else None


# ------------------------------------------------------------------ why not
CLOSED = ("", "hint", "gone")
SILENCES = ("", "not-pointing", "two", "owner")


@cache
def closed(why: int, seat: int, place: int) -> Message:
    """P04, P07: why a place of a seat's row cannot be pointed at."""
    return _say(f"refuse.{CLOSED[why]}", who=seat_words(seat), position=place + 1)


def refuse(k: State, seat: int, action: int) -> Message:
    """Why a decision is not allowed now, in a sentence."""
    if k.phase == POINT:
        place = action - A_POINT
        return closed(why_closed(k, place), k.turn, place) if action >= A_POINT else _say("refuse.rows-made")
    if action >= A_POINT:
        return _say("refuse.rows-open")
    missing = size(k.hand[seat])
    if action < A_REVEAL:
        return _say("refuse.not-in-hand", card=card(action)) if missing else _say("refuse.row-full")
    if missing:
        return _say("refuse.not-ready" if action == A_READY else "refuse.place-first", n=missing)
    place, hints = action - A_REVEAL, places_of(k.hints, seat)
    if hints >> place & 1:
        return _say("refuse.revealed", position=place + 1)
    return _say("refuse.rising", position=place + 1, last=hints.bit_length())


def silence(why: int) -> Message | None:
    """P11: why a seat may give no signal now; None if it may."""
    return _say(f"signal.{SILENCES[why]}") if why else None


def refuse_signal(k: State, seat: int) -> Message:
    """P11: why a seat may give no signal now."""
    return _say(f"signal.{SILENCES[why_silent(k)]}")


def cost_of_hints(hints: int, left: int) -> Message:
    """P04, P10: what a seat's hints leave to spare, as far as it can know while rows are made."""
    if left < 0:
        return _say("arrange.too-many", n=hints)
    return _say("arrange.cost" if hints else "arrange.no-hint", n=hints, spare=left)


@cache
def to_spare(cards: int) -> Message:
    """P10: how many cards can still be lost."""
    return _say("spare", n=max(cards, 0))
