"""Silent Planet's messages to people: decisions, signals, events, questions, and why a decision is refused."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from tacit.core.bits import members
from tacit.core.messages import Message, messages_of, seat_words
from tacit.games.silent_planet.board import (
    agreed,
    chosen,
    laid,
    number_of,
    places_of,
    pointer,
    size,
    stands,
    with_pointer,
)
from tacit.games.silent_planet.model import *
from tacit.games.silent_planet.notation import KIND_NAMES, kind_words
from tacit.games.silent_planet.rules import due

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
def ask(k: State, seat: int) -> Message:
    """Whose decision it is and about what, for the one who reads it."""
    if k.phase == OVER:
        return _say("ask.won" if k.teams == k.seats else "ask.lost")
    if k.phase == DEAL or k.phase == START:
        return _say("ask.deal" if k.phase == DEAL else "ask.start")
    if k.phase == ARRANGE:
        return _ask_arrange(k, seat)
    if seat == k.turn:
        return _say("ask.point.owner", round=k.round)
    row = seat_words(k.turn)
    if seat < 0:
        return _say("ask.point.other", row=row, round=k.round)
    if due(k) >> seat & 1:
        return _say("ask.point.you", row=row, round=k.round)
    return _say("ask.point.wait", row=row, round=k.round, position=pointer(k.pointers, seat) + 1)


def _ask_arrange(k: State, seat: int) -> Message:
    if seat < 0:
        return _say("ask.arrange.other")
    if k.ready >> seat & 1:
        return _say("ask.arrange.ready")
    if k.row[seat] == 0:
        return _say("ask.arrange.begin")
    if k.hand[seat]:
        return _say("ask.arrange.place", n=size(k.hand[seat]), position=laid(k.row[seat]) + 1)
    return _say("ask.arrange.reveal")


@lru_cache(1024)
def outlook(pointers: int, pointed: int, round: int, turn: int, seats: int) -> Message:
    """P07: what the pointers of this round come to so far."""
    places = {pointer(pointers, q) for q in members(pointed)}
    if not places:
        return _say("outlook.begin" if round < ROUNDS else "outlook.last")
    if len(places) == 1:
        return _say("outlook.same", position=places.pop() + 1)
    if round < ROUNDS:
        return _say("outlook.again", round=round + 1)
    return _say("outlook.plurality", nearest=seat_words((turn + 1) % seats))


def if_pointed(k: State, seat: int, place: int) -> Message:
    """P07: what pointing there would bring, for the one whose pointer ends the round."""
    pointers = with_pointer(k.pointers, seat, place)
    if agreed(k, pointers):
        return _then("up", place + 1)
    return _then("round", k.round + 1) if k.round < ROUNDS else _then("most", chosen(k, pointers) + 1)


@cache
def _then(code: str, n: int) -> Message:
    return _say(f"then.{code}", **{"round" if code == "round" else "position": n})


def happened(name: str, seat: int, position: int, completes: bool, ends: bool) -> Message:
    """P08: the card turned up last, and what became of the team."""
    code = "completes" if completes else "breaks" if ends else "joins"
    return _say(f"happened.{code}", who=seat_words(seat), position=position, card=kind_words(name))


def why_unfit(team: int, kind: int) -> str | None:
    """P08: why a card of this kind would break the team, as a code; None if it fits."""
    if stands(team + (1 << 4 * kind)):
        return None
    return "again" if number_of(team, kind) else "other"


def unfit_words(code: str, kind: int) -> Message:
    return _say(f"unfit.{code}", card=card(kind))


# ------------------------------------------------------------------ why not
def why_not_pointed(k: State, place: int) -> Message | None:
    """P04, P07: why a place of the row in question cannot be pointed at; None if it can."""
    if places_of(k.down, k.turn) >> place & 1:
        return None
    return _closed("hint" if places_of(k.hints, k.turn) >> place & 1 else "gone", k.turn, place + 1)


@cache
def _closed(code: str, seat: int, position: int) -> Message:
    return _say(f"refuse.{code}", who=seat_words(seat), position=position)


def refuse(k: State, seat: int, action: int) -> Message:
    """Why a decision is not allowed now, in a sentence."""
    if k.phase == POINT:
        why = why_not_pointed(k, action - A_POINT) if action >= A_POINT else None
        return why if why is not None else _say("refuse.rows-made")
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


def refuse_signal(k: State, seat: int) -> Message:
    """P11: why a seat may give no signal now."""
    if k.phase != POINT:
        return _say("signal.not-pointing")
    return _say("signal.two" if k.seats == 2 else "signal.owner")


def cost_of_hints(hints: int, left: int) -> Message:
    """P04, P10: what a seat's hints leave to spare, as far as it can know while rows are made."""
    if left < 0:
        return _say("arrange.too-many", n=hints)
    return _say("arrange.cost" if hints else "arrange.no-hint", n=hints, spare=left)


@cache
def to_spare(cards: int) -> Message:
    """P10: how many cards can still be lost."""
    return _say("spare", n=max(cards, 0))
