"""How a Zombie City match is written down, and what of it each seat hears."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from tacit.core.bits import members
from tacit.core.errors import IllegalDecision
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.zombie_city.board import final_attack, kind_of, without_all
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
UNKNOWN = KINDS  # in place of a kind: a card that is dealt to another
# Outcomes come after all decisions: a starting seat, a back, and the cards that each seat may be dealt.
O_START = 2 * ACTIONS
O_TURN = O_START + MAX_SEATS
O_DEAL = O_TURN + len(ZOMBIE_NAMES)


def _texts() -> dict[int, str]:
    """The texts of all decisions and outcomes by `decision_key`."""
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
        **{O_START + q: f"start {q}" for q in seats},
        **{O_TURN + i: f"turn {zombie}" for i, zombie in enumerate(ZOMBIE_NAMES)},
        **{O_DEAL + (KINDS + 1) * q + i: f"deal {q} {c}" for q in seats for i, c in enumerate((*CARD_NAMES, "?"))},
    }


TEXTS = _texts()
NUMBERS = {text: action for action, text in TEXTS.items() if action < SENDS}
VERBS = ("keep", "redraw", "discard", "play", "noise", "done", "use", "brace", "send")


@rule
def decision_key(s: State, who: int, action: int) -> int:
    """What the text of a decision or an outcome says. A decision: its number, and SENDS more where zombies are sent."""
    if who != CHANCE:
        return action + SENDS if s.phase == SEND and A_SEND <= action < A_SURPRISE else action
    if s.phase == FIRST:
        return O_START + action
    return O_TURN + action if s.phase == TURN else O_DEAL + (KINDS + 1) * dealt_to(s) + action


@rule
def dealt_to(s: State) -> int:
    """The seat that the next resource card is for."""
    return s.active if s.phase == DRAW else s.taker


def decision_text(key: int) -> str:
    """A decision or an outcome as the record writes it."""
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
# What a line says, the lowest four bits of its key. Lines that begin with # come after L_DECISION.
(L_OUTCOME, L_DECISION, L_THROWN, L_NOISE, L_STAY, L_COME, L_STRIKE, L_FINAL, L_OUT, L_RENEW) = range(10)
HEAR_KEYS = 2 * MAX_SEATS  # every answer and every hand thrown away; any other step has at most seven lines


@rule
def hear_keys(before: State, who: int, action: int, after: State, keys: Cells) -> int:
    """Write the key of each line that a seat hears of a step, from what it knew before and after; returns how many.

    Lines that begin with # say what came of it. A card dealt to another is `?`. Sealed answers (Z04) are heard when all
    are in, one's own at once.
    """
    if before.phase == ANSWER:
        return hear_answers(before, who, action, after, keys)
    if who == CHANCE:
        outcome, taker = action, dealt_to(before)
        if before.phase in (DEAL, REDEAL, DRAW) and after.hand[taker] == before.hand[taker]:
            outcome = UNKNOWN  # only one's own hand is known, and so seen to grow
        keys[0] = line_key(L_OUTCOME, 0, decision_key(before, who, outcome))
        at = hear_turn(before, action, keys, 1)
    else:
        keys[0] = line_key(L_DECISION, who, decision_key(before, who, action))
        at = hear_noise(before, action, keys, 1)
    return hear_losses(before, action, after, keys, at)


@rule
def line_key(what: int, seat: int, more: int) -> int:
    """The key of a line: what it says, of which seat, and in up to 55 bits what else it names."""
    return what | seat << 4 | more << 7


@lru_cache(4096)
def line_text(key: int) -> str:
    """The line that a key of `hear_keys` stands for."""
    what, q, more = key & 15, key >> 4 & 7, key >> 7
    if what == L_OUTCOME:
        return f"* {decision_text(more)}"
    if what == L_DECISION:
        return f"{q} {decision_text(more)}"
    if what == L_THROWN:
        return " ".join([f"# thrown {q}", *(CARD_NAMES[more >> shift & 15] for shift in (8, 4, 0))])
    if what == L_OUT:
        return " ".join([f"# out {q}", *card_names(more)])
    if what == L_STRIKE:
        return f"# strike {q} {more}"
    if what == L_COME:
        return f"# come {ZOMBIE_NAMES[more]} {q}"
    if what == L_STAY:
        return f"# stay {ZOMBIE_NAMES[more]}"
    if what == L_NOISE:
        return f"# noise {q}"
    return "# final" if what == L_FINAL else "# renew"


@rule
def hear_answers(before: State, who: int, action: int, after: State, keys: Cells) -> int:
    """Z04: one's own answer; when all are in, those of the others and the hands that are thrown away."""
    at = 0
    if before.hand[who] != 0:  # a hand that one sees is one's own
        keys[at] = line_key(L_DECISION, who, action)
        at += 1
    if after.phase == ANSWER:
        return at
    for q in range(after.seats):
        if before.hand[q] == 0:
            keys[at] = line_key(L_DECISION, q, A_REDRAW if (after.redraws >> q) & 1 else A_KEEP)
            at += 1
    for q in range(after.seats):
        if (after.redraws >> q) & 1:
            keys[at] = line_key(L_THROWN, q, after.thrown[q])
            at += 1
    return at


@rule
def hear_losses(before: State, action: int, after: State, keys: Cells, at: int) -> int:
    """Z17–Z20: who is struck or out, whether the final attack began and the discards became the deck."""
    seat = before.active  # nobody else loses survivors in an attack, or falls
    lost = after.lost - before.lost - (1 if before.phase == MAIN and action == A_SACRIFICE else 0)
    if lost != 0:
        keys[at] = line_key(L_STRIKE, seat, lost)
        at += 1
    if final_attack(after) and not final_attack(before):
        keys[at] = line_key(L_FINAL, 0, 0)
        at += 1
    if after.living != before.living:  # the discards have grown by its barriers, which all saw, and by its hand
        hand = without_all(without_all(after.discard, before.discard), before.barriers[seat])
        keys[at] = line_key(L_OUT, seat, hand)
        at += 1
    if after.renewals != before.renewals:
        keys[at] = line_key(L_RENEW, 0, 0)
        at += 1
    return at


@rule
def hear_turn(before: State, action: int, keys: Cells, at: int) -> int:
    """Z11, Z13: where a turned City card goes."""
    if before.phase != TURN or before.cause == STAMPEDE or action == HORDE:
        return at
    stays = before.cause == NOISE and action != FAST
    keys[at] = line_key(L_STAY, 0, action) if stays else line_key(L_COME, before.place, action)
    return at + 1


@rule
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


@rule
def hear_noise(before: State, action: int, keys: Cells, at: int) -> int:
    """Z13: noise, and the zombie that showed already and comes for it; Z11: one that is sent with a surprise."""
    place = noisy_place(before, before.active, action)
    if place != NOTHING:
        keys[at] = line_key(L_NOISE, place, 0)
        at += 1
    elif before.phase == MAIN and action >= A_SURPRISE:
        place = (action - A_SURPRISE) % 6
    shot = before.phase == MAIN and action == A_SNIPE_CITY
    if place != NOTHING and before.shows != NOTHING and not shot:
        keys[at] = line_key(L_COME, place, before.shows)
        at += 1
    return at


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
