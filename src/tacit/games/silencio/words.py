"""Silencio's messages to people: decisions, events, questions, and why a decision is refused."""

from __future__ import annotations

from functools import cache
from typing import Any

from tacit.core.messages import Message, messages_of, seat_words
from tacit.games.silencio.board import face_up, owned, playable, possible, tavern_open
from tacit.games.silencio.model import *
from tacit.games.silencio.notation import CARD_NAMES, COLOUR_WORDS, card_words
from tacit.games.silencio.shown import NOT_GREEN, Q_CLAIM_OTHER, fits_nowhere

_say = messages_of("silencio")


@cache
def colour_words(colour: int) -> Message:
    return _say(f"colour.{COLOUR_WORDS[colour]}")


@cache
def card(number: int) -> Message:
    return card_words(CARD_NAMES[number])


# ------------------------------------------------------------------ decisions and events in words
def _arguments(verb: str, words: list[str]) -> tuple[str, dict[str, Any]]:
    """The code's ending and the parameters for a verb and what follows it."""
    if verb == "shrine":
        return ("shrine-large" if words[0] == "large" else "shrine"), {"colour": _say(f"colour.{words[-1]}")}
    if verb == "say":
        if words[0] == "stuck":
            return "stuck", {"n": int(words[1])} if len(words) > 1 else {}
        return words[0], {"colour": _say(f"colour.{words[1]}")}
    if verb == "send":
        return verb, {"card": card_words(words[0]), "seat": seat_words(int(words[1]))}
    if verb == "deal":
        return verb, {"card": card_words(words[1]), "seat": seat_words(int(words[0]))}
    if verb in ("choose", "trade"):
        return verb, {"seat": seat_words(int(words[0]))}
    return verb, {"card": card_words(words[0])} if words else {}


def offer(text: str) -> Message:
    """A decision as it is offered: `play r5` is "Play red 5"."""
    verb, *words = text.split(" ")
    code, params = _arguments(verb, words)
    return _say(f"offer.{code}", **params)


def tell(line: str) -> Message:
    """A heard line in words: `1 give ?` is "Seat 1 gives a card.\""""
    who, verb, *words = line.split(" ")
    code, params = _arguments(verb, words)
    if who == "*":
        return _say(f"chance.{code}", **params)
    if verb == "choose" and words[0] == who:
        return _say("tell.choose-self", who=seat_words(int(who)))
    return _say(f"tell.{code}", who=seat_words(int(who)), **params)


# ------------------------------------------------------------------ questions
# In the order of the numbers in shown.py; the first four have no form for the one who decides.
QUESTIONS = (
    "over", "chance", "claim.you", "claim.other", "choose", "turn", "draw", "draw-others", "stuck", "others", "passing",
    "send", "exchange", "give", "return", "lay", "tavern", "end", "shrine", "light.red", "light.blue", "light.yellow",
    "light.green",
)  # fmt: skip


def ask(asked: int) -> Message:
    """The question that `question` found: who decides, and about what."""
    code, who, drawn, to = QUESTIONS[asked & 31], asked >> 5 & 7, asked >> 8 & 63, asked >> 14
    if asked & 31 <= Q_CLAIM_OTHER:
        return _say(f"ask.{code}")
    params: dict[str, Any] = {"who": seat_words(who - 1)} if who else {}
    if drawn:
        params["card"] = card(drawn - 1)
    if to:
        params["to"] = seat_words(to - 1)
    return _say(f"ask.{code}.{'other' if who else 'you'}", **params)


WAITING = (
    ("no_dark", RED, "light"), ("no_light", RED, "dark"), ("duty", YELLOW, "dark"), ("only_green", GREEN, "dark"),
)  # fmt: skip


def because(colour: int, shade: str, dark: int) -> Message:
    """What brought a waiting effect: the dark card that `dark_end` found, or else only its colour."""
    if shade == "light":
        return _say("because.light", colour=colour_words(colour))
    return _say("because.card", card=card(dark - 1)) if dark else _say("because.dark", colour=colour_words(colour))


def waiting(name: str) -> Message:
    """What an effect demands that waits for the next card."""
    return _say(f"pending.{name}")


def said(what: int, by: int, stuck: int) -> Message | None:
    """The last statement at the tavern."""
    if what == 0:
        return None
    if what == 1:
        return _say("tell.stuck", who=seat_words(by), n=stuck)
    kind = "high" if what < 6 else "avoid"
    return _say(f"tell.{kind}", who=seat_words(by), colour=colour_words((what - 2) % COLOURS))


# ------------------------------------------------------------------ why not
def why_unplayable(number: int, last: int) -> Message:
    """Why a card fits nowhere, by what `fits_nowhere` found."""
    return _not_green(number) if last == NOT_GREEN else _not_higher(number, last)


@cache
def _not_green(number: int) -> Message:
    return _say("refuse.only-green", card=card(number))


@cache
def _not_higher(number: int, last: int) -> Message:
    return _say("refuse.rank", card=card(number), last=card(last))


def refuse(k: State, seat: int, action: int) -> Message:
    """Why a decision is not allowed now, in a sentence."""
    if action < CARDS:
        return _refuse_card(k, seat, action)
    if action < A_SEAT:
        return _say("refuse.send-self") if k.phase == SEND else _say("refuse.not-asked.send")
    if action < A_CLAIM:
        return _refuse_seat(k, seat, action - A_SEAT)
    if action == A_PASS and k.phase in (TURN, CHOOSE):
        return _say("refuse.pass" if playable(k) & owned(k, seat) else "refuse.pass-shrine")
    if action == A_DRAW and k.phase == TURN:
        return _say("refuse.draw-nothing" if k.duty else "refuse.draw")
    if action == A_SKIP and k.phase == LIGHT:
        return _say("refuse.skip-shrine")
    if action == A_RENEW and k.phase == EXCHANGE:
        return _say("refuse.rescue" if k.rescue else "refuse.renew")
    if A_SHRINE <= action < A_STUCK and k.phase in (TURN, END, CHOOSE):
        return _refuse_shrine(k, seat, action)
    if action >= A_STUCK and k.phase in (TURN, END, CHOOSE):
        return _refuse_tavern(k, seat, action)
    words = {
        A_CLAIM: "claim", A_DRAW: "draw", A_PASS: "pass", A_USE: "use", A_SKIP: "skip", A_RENEW: "renew", A_END: "end",
    }  # fmt: skip
    return _say(f"refuse.not-asked.{words.get(action, 'shrine' if action < A_STUCK else 'say')}")


def _refuse_card(k: State, seat: int, number: int) -> Message:
    bit = 1 << number
    mine = owned(k, seat) & bit
    if k.phase in (TURN, CHOOSE):
        if not mine and not face_up(k) & bit:
            return _say("refuse.not-yours", card=card(number))
        if not playable(k) & bit:
            return why_unplayable(number, fits_nowhere(k, number))
        return _say("refuse.duty" if k.rules == 1 else "refuse.duty-own")
    if k.phase == EXCHANGE or (k.phase == LAY and mine):
        return _say("refuse.rescue") if k.rescue else _say("refuse.not-in-oracle", card=card(number))
    if k.phase == LIGHT and k.effect == BLUE:
        if k.rescue and not k.hand[seat] & bit and k.rows & bit:
            return _say("refuse.rescue")
        return _say("refuse.not-last" if number // RANKS != BLUE else "refuse.take-blue", card=card(number))
    if k.phase == LIGHT and k.effect == YELLOW and mine:
        return _say("refuse.shown", card=card(number))
    return _say("refuse.not-yours", card=card(number))


def _refuse_seat(k: State, seat: int, other: int) -> Message:
    if k.phase == EXCHANGE:
        if other == seat:
            return _say("refuse.trade-self")
        return _say("refuse.rescue") if k.rescue else _say("refuse.trade-nothing")
    return _say("refuse.rescue" if k.rescue else "refuse.cannot-exchange", seat=seat_words(other))


def _refuse_shrine(k: State, seat: int, action: int) -> Message:
    colour = (action - A_SHRINE) % COLOURS
    which = colour if action < A_SHRINE_LARGE else LARGE
    if k.phase == CHOOSE:
        return _say("refuse.window-past")
    if k.stage == PASSED:
        return _say("refuse.shrine-passed")
    if k.shrined:
        return _say("refuse.shrine-again")
    if not k.lit >> which & 1:
        return _say("refuse.shrine-unlit")
    if not possible(k, seat, colour):
        return _say("refuse.shrine-nothing", colour=colour_words(colour))
    return _say("refuse.shrine-no-help", colour=colour_words(colour))


def _refuse_tavern(k: State, seat: int, action: int) -> Message:
    if not k.tavern:
        return _say("refuse.tavern-none")
    if k.phase == CHOOSE:
        return _say("refuse.window-past")
    if not tavern_open(k):
        return _say("refuse.tavern-closed")
    return _say("refuse.high", colour=colour_words(action - A_HIGH), rank=(TOP[k.seats] + 1) // 2 + 1)


# ------------------------------------------------------------------ what a card would do
# In the order of the numbers in shown.py.
EFFECTS = (
    *(f"{shade}.{colour}" for shade in ("light", "dark") for colour in COLOUR_WORDS),
    "skipped", "nothing", "last", "top-green",
)  # fmt: skip


def effect_words(effect: int) -> Message:
    """What a card would bring, by its number."""
    return _say(f"effect.{EFFECTS[effect]}")
