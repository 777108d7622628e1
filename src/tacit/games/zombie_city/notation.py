"""How a Zombie City match is written down, and what of it each seat hears."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from tacit.core.bits import count, members
from tacit.core.errors import IllegalDecision
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import rule
from tacit.games.zombie_city.board import final_attack, kind_of
from tacit.games.zombie_city.model import *
from tacit.games.zombie_city.shown import ending

CARD_NAMES = (
    "axe", "shotgun", "revolver", "sniper", "walkie", "flare", "megaphone", "barricade", "alarm", "mines", "sabotage",
    "bribery", "eviction", "sacrifice", "drone", "surprise",
)  # fmt: skip
ZOMBIE_NAMES = ("regular", "fast", "strong", "horde")
LOUD_NAMES = tuple(CARD_NAMES[kind] for kind in members(LOUD))


def crowd_names(crowd: int) -> list[str]:
    """A crowd zombie by zombie: regular, fast, strong."""
    return [name for i, name in enumerate(ZOMBIE_NAMES) for _ in range(crowd >> 8 * i & 255)]


@lru_cache(4096)
def card_kinds(cards: int) -> tuple[int, ...]:
    """The kinds of a set of cards, one by one."""
    return tuple(kind_of(card) for card in members(cards))


def card_names(cards: int) -> list[str]:
    """A set of cards one by one."""
    return [CARD_NAMES[kind] for kind in card_kinds(cards)]


SENDS = ACTIONS  # a decision that sends a zombie has the number of a drone


def _texts() -> dict[int, str]:
    """The texts of all decisions by `decision_key`."""
    weak, seats = ZOMBIE_NAMES[:2], range(MAX_SEATS)
    return {
        **{A_DISCARD + i: f"discard {card}" for i, card in enumerate(CARD_NAMES)},
        **{A_NOISE + i: f"noise {card}" for i, card in enumerate(LOUD_NAMES)},
        **{A_AXE + i: f"play axe {zombie}" for i, zombie in enumerate(weak)},
        **{A_REVOLVER + i: f"play revolver {zombie}" for i, zombie in enumerate(weak)},
        **{A_SHOTGUN + i: f"play shotgun {' '.join(crowd_names(part))}" for i, part in enumerate(SHOTS)},
        **{A_SNIPER + i: f"play sniper {what}" for i, what in enumerate((*ZOMBIE_NAMES[:3], "city"))},
        **{A_WALKIE + i: f"play {card}" for i, card in enumerate(CARD_NAMES[WALKIE : MINES + 1])},
        A_SACRIFICE: "play sacrifice",
        A_DONE: "done",
        A_USE_BARRICADE: "use barricade",
        A_USE_ALARM: "use alarm",
        A_BRACE: "brace",
        **{A_USE_MINES + i: f"use mines {' '.join(crowd_names(part))}" for i, part in enumerate(BLASTS)},
        A_KEEP: "keep",
        A_REDRAW: "redraw",
        **{A_SABOTAGE + q: f"play sabotage {q}" for q in seats},
        **{A_BRIBERY + q: f"play bribery {q}" for q in seats},
        **{A_EVICTION + q: f"play eviction {q}" for q in seats},
        **{A_DRONE + 6 * i + q: f"play drone {z} {q}" for i, z in enumerate(ZOMBIE_NAMES[:3]) for q in seats},
        **{A_SURPRISE + 6 * i + q: f"play surprise {z} {q}" for i, z in enumerate(ZOMBIE_NAMES[:3]) for q in seats},
        **{SENDS + A_SEND + 6 * i + q: f"send {z} {q}" for i, z in enumerate(ZOMBIE_NAMES[:3]) for q in seats},
    }


TEXTS = _texts()
NUMBERS = {text: action for action, text in TEXTS.items() if action < SENDS}
VERBS = ("keep", "redraw", "discard", "play", "noise", "done", "use", "brace", "send")


def show(s: State, who: int, action: int) -> str:
    """A decision or an outcome as the record writes it."""
    if who == CHANCE:
        if s.phase == FIRST:
            return f"start {action}"
        if s.phase == TURN:
            return f"turn {ZOMBIE_NAMES[action]}"
        return f"deal {s.active if s.phase == DRAW else s.taker} {CARD_NAMES[action]}"
    return decision_text(decision_key(s, who, action))


@rule
def decision_key(s: State, seat: int, action: int) -> int:
    """What the text of a seat's decision says: the decision, and SENDS more where zombies are sent."""
    return action + SENDS if s.phase == SEND and A_SEND <= action < A_SURPRISE else action


def decision_text(key: int) -> str:
    """A decision as the record writes it."""
    return TEXTS[key]


def parse(s: State, who: int, text: str) -> int:
    """The number of a decision; IllegalDecision if the text is no decision, or answers another question."""
    verb, *words = text.split(" ")
    if words and re.fullmatch("[0-9]", words[-1]) and int(words[-1]) >= s.seats:
        raise _refused("no-seat", text=words[-1])
    if verb == "send":
        return _parse_send(s, text, words)
    if text not in NUMBERS:
        raise _unreadable(s, text, verb, words)
    if s.phase == SEND and verb == "play":
        raise _refused("not-asked.play")
    return NUMBERS[text]


def _parse_send(s: State, text: str, words: list[str]) -> int:
    if len(words) != 2:
        raise _refused("unreadable", text=text[:40])
    if words[0] not in ZOMBIE_NAMES[:3]:
        raise _refused("no-zombie", text=words[0][:20])
    if not re.fullmatch("[0-9]", words[1]):
        raise _refused("no-seat", text=words[1][:20])
    if s.phase != SEND:
        raise _refused("not-asked.send")
    return A_SEND + 6 * ZOMBIE_NAMES.index(words[0]) + int(words[1])


def _unreadable(s: State, text: str, verb: str, words: list[str]) -> IllegalDecision:
    """Why a text is no decision: an unknown word, or what the card lacks (a zombie, a seat)."""
    if verb not in VERBS or (words and "" in words):
        return _refused("unreadable", text=text[:40])
    if verb in ("play", "discard", "noise") and words:
        if words[0] not in CARD_NAMES:
            return _refused("no-card", text=words[0][:20])
        if verb == "noise" and len(words) == 1:
            return _refused("not-loud", card=card_words(words[0]))
        if verb == "play":
            return _refused(f"how.{words[0]}")
    if verb == "use" and words and words[0] == "mines":
        return _refused("how.mines-used")
    return _refused("unreadable", text=text[:40])


def _refused(code: str, **params: Any) -> IllegalDecision:
    return IllegalDecision(Message(f"zombie-city.refuse.{code}", params))


def card_words(name: str) -> Message:
    """A card's name for people; `?` is a card."""
    return Message("zombie-city.card.unknown" if name == "?" else f"zombie-city.card.{name}")


# ------------------------------------------------------------------ what is heard
def hear(before: State, who: int, action: int, after: State) -> list[str]:
    """What a seat hears of a step, from what it knew before and after; lines that begin with # say what came of it.

    A card dealt to another is `?`. Sealed answers (Z04) are heard when all are in, one's own at once.
    """
    if who == CHANCE:
        text = show(before, who, action)
        if before.phase in (DEAL, REDEAL, DRAW):
            taker = before.active if before.phase == DRAW else before.taker
            if after.hand[taker] == before.hand[taker]:  # only one's own hand is known, and so seen to grow
                text = f"deal {taker} ?"
        return [f"* {text}", *_narrate(before, who, action, after)]
    if before.phase == ANSWER:
        return _hear_answers(before, who, action, after)
    return [f"{who} {show(before, who, action)}", *_narrate(before, who, action, after)]


def _hear_answers(before: State, who: int, action: int, after: State) -> list[str]:
    lines = [f"{who} {TEXTS[action]}"] if before.hand[who] else []  # a hand that one sees is one's own
    if after.phase == ANSWER:
        return lines
    for q in range(after.seats):
        if not before.hand[q]:
            lines.append(f"{q} {'redraw' if after.redraws >> q & 1 else 'keep'}")
    for q in members(after.redraws):
        cards = [CARD_NAMES[after.thrown[q] >> shift & 15] for shift in (8, 4, 0)]
        lines.append(f"# thrown {q} {' '.join(cards)}")
    return lines


def _narrate(before: State, who: int, action: int, after: State) -> list[str]:
    """The consequences of a step that its own line does not name."""
    lines = _narrate_turn(before, action) if who == CHANCE else _narrate_noise(before, action)
    lost = after.lost - before.lost - (before.phase == MAIN and action == A_SACRIFICE and who != CHANCE)
    if lost:
        lines.append(f"# strike {before.active} {lost}")
    if not final_attack(before) and final_attack(after):
        lines.append("# final")
    for q in members(before.living & ~after.living):
        thrown = [count(after.discard & f) - count(before.discard & f) - count(before.barriers[q] & f) for f in FIELD]
        cards = [name for name, n in zip(CARD_NAMES, thrown, strict=True) for _ in range(n)]
        lines.append(" ".join([f"# out {q}", *cards]))
    if after.renewals != before.renewals:
        lines.append("# renew")
    return lines


def _narrate_turn(before: State, action: int) -> list[str]:
    """Z11, Z13: where a turned City card goes."""
    if before.phase != TURN or before.cause == STAMPEDE or action == HORDE:
        return []
    if before.cause == NOISE and action != FAST:
        return [f"# stay {ZOMBIE_NAMES[action]}"]
    return [f"# come {ZOMBIE_NAMES[action]} {before.place}"]


def noisy_place(s: State, seat: int, action: int) -> int:
    """Z07, Z13, Z16: in which shelter an active seat's decision makes noise, or NOTHING."""
    if s.phase == ATTACK:
        return seat if action == A_USE_ALARM or action >= A_USE_MINES else NOTHING
    if s.phase != MAIN:
        return NOTHING
    if A_DRONE <= action < A_SURPRISE:
        return (action - A_DRONE) % 6
    if A_NOISE <= action < A_AXE or A_REVOLVER <= action < A_WALKIE or action in (A_FLARE, A_MEGAPHONE):
        return seat
    return seat if A_SABOTAGE <= action < A_BRIBERY or A_EVICTION <= action < A_DRONE else NOTHING


def _narrate_noise(before: State, action: int) -> list[str]:
    """Z13: noise, and the zombie that showed already and comes for it; Z11: one that is sent with a surprise."""
    shows = NOTHING if before.phase == MAIN and action == A_SNIPE_CITY else before.shows
    if before.phase == MAIN and action >= A_SURPRISE:
        return [] if shows == NOTHING else [f"# come {ZOMBIE_NAMES[shows]} {(action - A_SURPRISE) % 6}"]
    place = noisy_place(before, before.active, action)
    if place == NOTHING:
        return []
    return [f"# noise {place}"] + ([f"# come {ZOMBIE_NAMES[shows]} {place}"] if shows != NOTHING else [])


# ------------------------------------------------------------------ the result
REASONS = ("last-standing", "cleared", "cap")


def result(s: State) -> dict[str, Any]:
    """Z21: how it ended; most survivors win, ties share."""
    return result_of([s.people[q] for q in range(s.seats)], ending(s))


def result_of(people: list[int], why: int) -> dict[str, Any]:
    """The result from each seat's survivors, and why the match is over."""
    return {
        "survivors": people,
        "winners": [q for q, n in enumerate(people) if n == max(people)],
        "reason": REASONS[why],
    }
