"""Zombie City's messages to people: decisions, events, questions, and why a decision is refused."""

from __future__ import annotations

from functools import cache
from typing import Any

from tacit.core.bits import count
from tacit.core.messages import Message, messages_of, seat_words
from tacit.games.zombie_city.board import has, number
from tacit.games.zombie_city.model import *
from tacit.games.zombie_city.notation import CARD_NAMES, TEXTS, ZOMBIE_NAMES, card_words
from tacit.games.zombie_city.shown import ASK_ATTACK, ASKED_OF_ONE, USEFUL, ZOMBIE_ON_TOP, why_useless

_say = messages_of("zombie-city")


def parts(number: int, *widths: int) -> list[int]:
    """The numbers in a number's fields of so many bits, the lowest first."""
    found = []
    for width in widths:
        found.append(number & ((1 << width) - 1))
        number >>= width
    return found


def zombie_words(name: str) -> Message:
    return _say(f"zombie.{name}")


def several(items: list[Message]) -> Message:
    """One or more things in a row: `axe, axe and drone`."""
    whole = items[0]
    for item in items[1:-1]:
        whole = _say("list", first=whole, second=item)
    return whole if len(items) == 1 else Message("core.and", {"first": whole, "second": items[-1]})


# ------------------------------------------------------------------ decisions and events in words
def _arguments(verb: str, words: list[str]) -> tuple[str, dict[str, Any]]:
    """The code's ending and the parameters for a verb and what follows it."""
    if verb == "send":
        return verb, {"zombie": zombie_words(words[0]), "seat": seat_words(int(words[1]))}
    if verb in ("discard", "noise"):
        return verb, {"card": card_words(words[0])}
    if verb == "play" and words[0] in CARD_NAMES[BARRICADE : MINES + 1]:
        return "lay", {"card": card_words(words[0])}
    if verb in ("play", "use"):
        return _card_arguments(words[0], words[1:])
    return verb, {}


def _card_arguments(card: str, words: list[str]) -> tuple[str, dict[str, Any]]:
    """The code's ending and the parameters for a card that is played or used on something."""
    if card in CARD_NAMES[:WALKIE] or card == "mines":
        params: dict[str, Any] = {"card": card_words(card)}
        if words[0] == "city":
            return "kill-city", params
        params["zombies"] = several([_say(f"one.{name}") for name in words])
        return "mines" if card == "mines" else "kill", params
    if card in ("drone", "surprise"):
        return card, {"zombie": zombie_words(words[0]), "seat": seat_words(int(words[1]))}
    return card, {"seat": seat_words(int(words[0]))} if words else {}


def offer(text: str) -> Message:
    """A decision as it is offered: `play axe fast` is "Axe: kill a fast zombie"."""
    verb, *words = text.split(" ")
    code, params = _arguments(verb, words)
    return _say(f"offer.{code}", **params)


def tell(line: str) -> Message:
    """A heard line in words: `1 play bribery 0` is "Seat 1 bribes a survivor away from seat 0.\""""
    who, verb, *words = line.split(" ")
    if who == "*":
        return _tell_chance(verb, words)
    if who == "#":
        return _tell_event(verb, words)
    code, params = _arguments(verb, words)
    return _say(f"tell.{code}", who=seat_words(int(who)), **params)


def _tell_chance(verb: str, words: list[str]) -> Message:
    if verb == "deal":
        return _say("chance.deal", seat=seat_words(int(words[0])), card=card_words(words[1]))
    if verb == "start":
        return _say("chance.start", seat=seat_words(int(words[0])))
    return _say("chance.horde") if words[0] == "horde" else _say("chance.turn", zombie=zombie_words(words[0]))


def _tell_event(verb: str, words: list[str]) -> Message:
    """What a step brought about (the lines that begin with #)."""
    if verb == "come":
        return _say("event.come", zombie=zombie_words(words[0]), seat=seat_words(int(words[1])))
    if verb == "stay":
        return _say("event.stay", zombie=zombie_words(words[0]))
    if verb in ("final", "renew"):
        return _say(f"event.{verb}")
    seat = seat_words(int(words[0]))
    if verb == "strike":
        return _say("event.strike", seat=seat, n=int(words[1]))
    if verb == "noise" or len(words) == 1:
        return _say(f"event.{verb}", seat=seat)
    return _say(f"event.{verb}-cards", seat=seat, cards=several([card_words(name) for name in words[1:]]))


# ------------------------------------------------------------------ questions
ASKED_WORDS = (
    "over", "answered", "answer.you", "answer.other", "turn", "first", "deal", "stampede", "flight", "fall", "attack",
    "main", "discarding", "playing", "empty",
)  # fmt: skip


def ask(number: int) -> Message:
    """The question to a seat, from the number that `asked` gives: who decides, and about what."""
    asked, who, attacking = parts(number, 4, 3, 7)
    code = ASKED_WORDS[asked]
    if asked < ASKED_OF_ONE:
        return _say(f"ask.{code}")
    params = {"n": attacking} if asked == ASK_ATTACK else {}
    if who == 0:
        return _say(f"ask.{code}.you", **params)
    return _say(f"ask.{code}.other", who=seat_words(who - 1), **params)


def pending(number: int) -> list[Message]:
    """What is under way and waits, each with its reason, from the number that `waiting` gives."""
    answers, final, quiet, cause, at, sent, aside, attacked, attacking = parts(number, 3, 1, 3, 3, 3, 7, 1, 3, 7)
    waits = []
    if answers:
        waits.append(_say("pending.answers", n=answers))
    if final:
        waits.append(_say("pending.final"))
    if quiet:
        waits.append(_say("pending.quiet", n=quiet))
    if cause == NOISE:
        waits.append(_say("pending.noise", seat=seat_words(at)))
    if cause == AMBUSH:
        waits.append(_say("pending.ambush", seat=seat_words(at)))
    if cause == STAMPEDE:
        waits.append(_say("pending.turning", n=at))
    if sent:
        waits.append(_say("pending.send", n=sent))
    if aside:
        waits.append(_say("pending.aside"))
    if attacked:
        waits.append(_say("pending.attack", seat=seat_words(attacked - 1), n=attacking))
    return waits


def noise_words(city: int, shows: int) -> Message:
    """Z13: what one noise would do now, with so many cards in the City deck and this zombie (or NOTHING) on top."""
    if city == 0:
        return _say("noise.nothing")
    return _say("noise.turn") if shows == NOTHING else _say("noise.come", zombie=zombie_words(ZOMBIE_NAMES[shows]))


# ------------------------------------------------------------------ why not
WHY_NOT_WORDS = (
    "refuse.over", "refuse.not-begun", "refuse.not-your-turn", "refuse.not-now", "refuse.discarding", "why.no-weak",
    "why.no-zombie", "why.no-zombie-city", "why.city-empty", "why.no-survivor", "why.no-zombie-send",
    "why.no-sabotage", "why.no-bribery", "why.no-eviction",
)  # fmt: skip


@cache
def why_not(code: int) -> Message | None:
    """Why a card can do nothing now, from the code that `why_none_playable` or `why_useless` gives; None if it can."""
    if code == USEFUL:
        return None
    if code >= ZOMBIE_ON_TOP:
        return _say("why.zombie-on-top", zombie=zombie_words(ZOMBIE_NAMES[code - ZOMBIE_ON_TOP]))
    return _say(WHY_NOT_WORDS[code - 1])


@cache
def effect(kind: int) -> Message:
    """What a card does when it is played."""
    return _say(f"effect.{CARD_NAMES[kind]}")


def refuse(k: State, seat: int, action: int) -> Message:
    """Why a decision is not allowed now, in a sentence."""
    if k.phase == SEND and A_SEND <= action < A_SURPRISE:
        return _refuse_send(k, seat, (action - A_SEND) // 6, (action - A_SEND) % 6)
    verb, *words = TEXTS[action].split(" ")
    asked = {ANSWER: ("keep", "redraw"), MAIN: ("discard", "play", "noise", "done"), ATTACK: ("use", "brace")}
    if verb not in asked.get(k.phase, ()):
        return _say(f"refuse.not-asked.{verb}")
    if verb == "use":
        return _refuse_use(k, seat, words)
    kind = CARD_NAMES.index(words[0])
    if not has(k.hand[seat], kind):
        return _say("refuse.not-in-hand", card=card_words(words[0]))
    if verb == "discard":
        return _say("refuse.playing")
    if k.stage == DISCARDING:
        return _say("refuse.discarding")
    if verb == "noise":
        return _say("refuse.not-expert")
    return _refuse_play(k, seat, kind, action, words[1:])


def _refuse_send(k: State, seat: int, zombie: int, q: int) -> Message:
    crowd = k.row if k.cause == STAMPEDE else k.zombies[seat]
    if not number(crowd, zombie):
        return _say("refuse.send-none", zombie=zombie_words(ZOMBIE_NAMES[zombie]))
    if not k.living >> q & 1:
        return _say("refuse.target-out", seat=seat_words(q))
    if k.cause == FALL:
        return _say("refuse.send-neighbour")
    return _say("refuse.target-self") if k.cause == FLIGHT else _say("refuse.send-served", seat=seat_words(q))


def _refuse_use(k: State, seat: int, words: list[str]) -> Message:
    if not has(k.barriers[seat], CARD_NAMES.index(words[0])):
        return _say("refuse.no-barrier", card=card_words(words[0]))
    return _refuse_crowd(k, seat, words[1:])


def _refuse_crowd(k: State, seat: int, names: list[str]) -> Message:
    """The zombies named are not all there."""
    for name in names:
        n = names.count(name)
        if number(k.zombies[seat], ZOMBIE_NAMES.index(name)) < n:
            return _say("refuse.no-such" if n == 1 else "refuse.no-two-such", zombie=zombie_words(name))
    return _say("refuse.exactly-two")


def _refuse_play(k: State, seat: int, kind: int, action: int, words: list[str]) -> Message:
    why = why_not(why_useless(k, seat, kind))
    if why is not None:
        return why
    if kind in (AXE, SHOTGUN, REVOLVER, SNIPER):
        return _say("refuse.city-shows-none") if words == ["city"] else _refuse_crowd(k, seat, words)
    q = int(words[-1])
    if q == seat:
        return _say("refuse.target-self")
    if not k.living >> q & 1:
        return _say("refuse.target-out", seat=seat_words(q))
    if kind in (DRONE, SURPRISE):
        return _say("refuse.no-such", zombie=zombie_words(words[0]))
    return _say(f"refuse.target-{CARD_NAMES[kind]}", seat=seat_words(q))


# ------------------------------------------------------------------ what an attack would cost
def attack_cost(striking: int, people: int, barriers: int) -> tuple[int, int]:
    """Z16, Z17: the loss if so many strike a shelter with these survivors and barriers, and the least loss that the
    barriers allow: the alarm spares everything, mines two, a barricade one each.
    """
    spared = count(barriers & FIELD[BARRICADE]) + 2 * count(barriers & FIELD[MINES])
    if has(barriers, ALARM):
        spared = striking
    return min(striking, people), min(max(striking - spared, 0), people)


def loud(kind: int) -> bool:
    """Z02: does the card carry ♪?"""
    return LOUD >> kind & 1 == 1


def attack_words(striking: int, people: int, barriers: int) -> list[Message]:
    """What an attack on a shelter would cost, as messages."""
    loss, least = attack_cost(striking, people, barriers)
    if people == 0:
        return [_say("attack.doomed")]
    if striking == 0:
        return [_say("attack.none")]
    words = [_say("attack.out", n=loss) if loss == people else _say("attack.loss", n=loss, all=people)]
    return words if least == loss else [*words, _say("attack.least", n=least)]
