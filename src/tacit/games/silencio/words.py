"""Silencio's messages to people: decisions, events, questions, and why a decision is refused."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from tacit.core.messages import Message, messages_of, seat_words
from tacit.games.silencio.board import (
    cards_of,
    face_up,
    must_draw,
    owned,
    playable,
    possible,
    row,
    row_ends,
    tavern_open,
)
from tacit.games.silencio.model import *
from tacit.games.silencio.notation import CARD_NAMES, COLOUR_WORDS, card_words

_say = messages_of("silencio")
NOT_GREEN = -1  # instead of the card that keeps another out of its row: only green ones can be played


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
QUESTIONS = {
    PASSING: "passing", TURN: "turn", CHOOSE: "choose", SEND: "send", EXCHANGE: "exchange", TRADE: "give",
    RETURN: "return", LAY: "lay", END: "end",
}  # fmt: skip


def ask(k: State, seat: int) -> Message:
    """The question to a seat: who decides, and about what."""
    if k.phase == OVER:
        return _say("ask.over")
    if k.phase == CLAIM:
        return _say("ask.claim.you" if 0 <= seat < k.seats else "ask.claim.other")
    code = QUESTIONS.get(k.phase, "chance")
    if k.phase == LIGHT:
        code = f"light.{COLOUR_WORDS[k.effect]}"
    elif k.phase == TURN and k.drawn:
        code = "choose"
    elif k.phase == TURN and seat == k.decider:
        code = _turn_code(k, seat)
    elif k.phase == END:
        code = "tavern" if k.stage == PASSED else "end" if k.tavern else "shrine"
    if code == "chance":
        return _say("ask.chance")
    drawn = k.drawn if code == "choose" else 0
    to = -1
    if k.phase == PASSING:
        to = (k.decider + 1) % k.seats
    elif k.phase == TRADE:
        to = k.partner
    elif k.phase == RETURN:
        to = k.chosen
    return _question(code, -1 if seat == k.decider else k.decider, drawn, to)


@lru_cache(1024)
def _question(code: str, who: int, drawn: int, to: int) -> Message:
    """The question `code` to the one who reads it, or (who) to another seat; about a card drawn, or one given `to`."""
    params: dict[str, Any] = {} if who < 0 else {"who": seat_words(who)}
    if drawn:
        params["card"] = card(drawn - 1)
    if to >= 0:
        params["to"] = seat_words(to)
    return _say(f"ask.{code}.{'you' if who < 0 else 'other'}", **params)


def _turn_code(k: State, seat: int) -> str:
    can = playable(k)
    own = can & owned(k, seat)
    others = can & face_up(k) & ~own
    if must_draw(k, seat):
        return "draw-others" if others and k.rules >= 2 else "draw"
    if own:
        return "turn"
    if not others:
        return "stuck"
    return "turn" if k.shrined else "others"


def pending(k: State) -> list[tuple[str, int, str, Message, Message]]:
    """The effects that wait for the next card: name, colour, light or dark, what they demand, and why."""
    if not (k.no_dark or k.no_light or k.duty or k.only_green):
        return []
    flags = (
        ("no_dark", RED, "light", k.no_dark),
        ("no_light", RED, "dark", k.no_light),
        ("duty", YELLOW, "dark", k.duty),
        ("only_green", GREEN, "dark", k.only_green),
    )
    return [
        (name, colour, shade, _say(f"pending.{name}"), _because(k, colour, shade))
        for name, colour, shade, on in flags
        if on
    ]


def _because(k: State, colour: int, shade: str) -> Message:
    """What brought a waiting effect: the dark card that still lies at the end of its row, or else only its colour."""
    if shade == "light":
        return _say("because.light", colour=colour_words(colour))
    here = row(k, colour)
    last = colour * RANKS + here.bit_length() - 1
    taken = 1 << last + 1 & (k.known[PUBLIC] | face_up(k))  # the card itself may have been taken back from the row
    if here and k.dark >> last & 1 and not taken:
        return _say("because.card", card=card(last))
    return _say("because.dark", colour=colour_words(colour))


def said(k: State) -> Message | None:
    """The last statement at the tavern."""
    if k.said == 0:
        return None
    if k.said == 1:
        return _say("tell.stuck", who=seat_words(k.said_by), n=k.stuck)
    kind = "high" if k.said < 6 else "avoid"
    return _say(f"tell.{kind}", who=seat_words(k.said_by), colour=colour_words((k.said - 2) % COLOURS))


# ------------------------------------------------------------------ why not
def fits_nowhere(k: State, number: int) -> int:
    """S06, S17: what keeps a card that cannot be played out of its row: the row's last card, or NOT_GREEN."""
    if k.only_green and not GREENS >> number & 1:
        return NOT_GREEN
    return number // RANKS * RANKS + row(k, number // RANKS).bit_length() - 1


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
LIGHT_EFFECTS, DARK_EFFECTS = ([f"{shade}.{colour}" for colour in COLOUR_WORDS] for shade in ("light", "dark"))


def landing(k: State, seat: int, number: int) -> tuple[str, str]:
    """How a playable card would lie now, `light` or `dark`, and the code of what it would bring."""
    colour = number // RANKS
    if number % RANKS != row(k, colour).bit_length():
        if k.no_light:
            return "light", "skipped"
        if colour == YELLOW and k.hand_len[seat] - (k.hand[seat] >> number & 1) == 0:
            return "light", "nothing"
        if colour == BLUE and not row_ends(k):
            return "light", "nothing"
        return "light", LIGHT_EFFECTS[colour]
    own = owned(k, seat) >> number & 1
    if cards_of(k, seat) == own and (own or k.rules == 1):
        return "dark", "last"
    if k.no_dark:
        return "dark", "skipped"
    if colour == GREEN and number % RANKS + 2 == TOP[k.seats]:
        return "dark", "top-green"
    if colour == BLUE and not k.oracle:
        return "dark", "nothing"
    return "dark", DARK_EFFECTS[colour]


def effect_words(code: str) -> Message:
    """What a card would bring, by its code."""
    return _say(f"effect.{code}")
