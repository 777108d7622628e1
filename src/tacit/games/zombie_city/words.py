"""Zombie City's messages to people: decisions, events, questions, and why a decision is refused."""

from __future__ import annotations

from functools import cache
from typing import Any

from tacit.core.bits import count
from tacit.core.messages import Message, messages_of, seat_words
from tacit.games.zombie_city.board import (
    final_attack,
    has,
    no_zombie,
    number,
    scheme_plays,
    size,
    survivor_on_top,
    unstopped,
)
from tacit.games.zombie_city.model import *
from tacit.games.zombie_city.notation import CARD_NAMES, TEXTS, ZOMBIE_NAMES, card_words

_say = messages_of("zombie-city")


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
def ask(k: State, seat: int) -> Message:
    """The question to a seat: who decides, and about what."""
    if k.phase == OVER:
        return _say("ask.over")
    if k.phase == ANSWER:
        if 0 <= seat < k.seats:
            return _say("ask.answered" if k.answered >> seat & 1 else "ask.answer.you")
        return _say("ask.answer.other")
    if k.phase == TURN:
        return _say("ask.turn")
    if k.phase == FIRST:
        return _say("ask.first")
    if k.phase not in (MAIN, ATTACK, SEND):
        return _say("ask.deal")
    code, params = _question(k, seat)
    if seat == k.active:
        return _say(f"ask.{code}.you", **params)
    return _say(f"ask.{code}.other", who=seat_words(k.active), **params)


def _question(k: State, seat: int) -> tuple[str, dict[str, Any]]:
    if k.phase == SEND:
        return {STAMPEDE: "stampede", FLIGHT: "flight", FALL: "fall"}[k.cause], {}
    if k.phase == ATTACK:
        return "attack", {"n": unstopped(k)}
    code = {UNDECIDED: "main", DISCARDING: "discarding", PLAYING: "playing"}[k.stage]
    return ("empty" if k.hand_len[k.active] == 0 else code), {}


def pending(k: State) -> list[Message]:
    """What is under way and waits, each with its reason."""
    waits = []
    if k.phase == ANSWER:
        waits.append(_say("pending.answers", n=k.seats - count(k.answered)))
    if final_attack(k) and k.phase != OVER:
        waits.append(_say("pending.final"))
        if k.quiet and k.shows != NOTHING and no_zombie(k):
            waits.append(_say("pending.quiet", n=count(k.living) - k.quiet))
    if k.phase == TURN and k.cause == NOISE:
        waits.append(_say("pending.noise", seat=seat_words(k.place)))
    if k.phase == TURN and k.cause == AMBUSH:
        waits.append(_say("pending.ambush", seat=seat_words(k.place)))
    if k.phase == TURN and k.cause == STAMPEDE:
        waits.append(_say("pending.turning", n=k.turning))
    if k.phase == SEND:
        crowd = k.row if k.cause == STAMPEDE else k.zombies[k.active]
        waits.append(_say("pending.send", n=size(crowd)))
    if k.aside:
        waits.append(_say("pending.aside"))
    if k.phase in (TURN, SEND, ATTACK) and k.resume == IN_ATTACK and k.attackers:
        waits.append(_say("pending.attack", seat=seat_words(k.active), n=unstopped(k)))
    return waits


def noise_words(city: int, shows: int) -> Message:
    """Z13: what one noise would do now, with so many cards in the City deck and this zombie (or NOTHING) on top."""
    if city == 0:
        return _say("noise.nothing")
    return _say("noise.turn") if shows == NOTHING else _say("noise.come", zombie=zombie_words(ZOMBIE_NAMES[shows]))


# ------------------------------------------------------------------ why not
def why_none_playable(k: State, seat: int) -> str | None:
    """Z05: why a seat can play no card of its hand now, as the code of a refusal; None if it may play."""
    if k.phase == OVER:
        return "over"
    if k.phase < MAIN:
        return "not-begun"
    if k.active != seat:
        return "not-your-turn"
    if k.phase != MAIN:
        return "not-now"
    return "discarding" if k.stage == DISCARDING else None


def refusal(code: str) -> Message:
    return _say(f"refuse.{code}")


def why_useless(k: State, seat: int, kind: int) -> Message | None:
    """Z07–Z11: why a card in a seat's hand would do nothing now; None if it would do something."""
    crowd = k.zombies[seat]
    if kind in (AXE, REVOLVER):
        return None if number(crowd, REGULAR) + number(crowd, FAST) else _say("why.no-weak")
    if kind == SHOTGUN:
        return None if crowd else _say("why.no-zombie")
    if kind == SNIPER:
        return None if crowd or k.shows != NOTHING else _say("why.no-zombie-city")
    if kind in (WALKIE, FLARE, MEGAPHONE):
        return _why_no_rescue(k)
    if kind in (BARRICADE, ALARM, MINES):
        return None
    if kind == SACRIFICE and not k.people[seat]:
        return _say("why.no-survivor")
    if kind in (SACRIFICE, DRONE, SURPRISE):
        return None if crowd else _say("why.no-zombie-send")
    if scheme_plays(k, seat) & SCHEMES[BASE[kind]]:
        return None
    return _say(f"why.no-{CARD_NAMES[kind]}")


def _why_no_rescue(k: State) -> Message | None:
    if survivor_on_top(k):
        return None
    if k.city == 0:
        return _say("why.city-empty")
    return _say("why.zombie-on-top", zombie=zombie_words(ZOMBIE_NAMES[k.shows]))


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
    why = why_useless(k, seat, kind)
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
def strikers(k: State, seat: int) -> int:
    """Z16: how many would strike if the attack on a shelter came now; under attack only those that still strike."""
    attacked = k.active == seat and (k.phase == ATTACK or k.attackers != 0)
    return unstopped(k) if attacked else size(k.zombies[seat])


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
