"""The table of Zombie City as one seat (or a spectator) sees it: everything that a page or a terminal draws."""

from __future__ import annotations

from typing import Any

import msgspec

from tacit.core.bits import count, members
from tacit.core.messages import Message
from tacit.games.zombie_city.board import final_attack, number
from tacit.games.zombie_city.model import *
from tacit.games.zombie_city.notation import CARD_NAMES, ZOMBIE_NAMES, card_names, result
from tacit.games.zombie_city.rules import due
from tacit.games.zombie_city.words import (
    ask,
    attack_cost,
    attack_words,
    effect,
    loud,
    noise_words,
    pending,
    why_unplayable,
)

PHASE_WORDS = ("deal", "answer", "redeal", "first", "main", "turn", "send", "attack", "draw", "over")
STAGE_WORDS = ("undecided", "discarding", "playing")
CAUSE_WORDS = (None, "noise", "surprise", "horde", "sacrifice", "elimination")


class Crowd(msgspec.Struct, frozen=True):
    """Zombies, by type."""

    regular: int
    fast: int
    strong: int


class City(msgspec.Struct, frozen=True):
    cards: int
    top: str | None  # survivor, regular or strong; None when the deck is empty
    noise: Message  # what one noise would do now
    backs: dict[str, int]  # all backs that were never turned; the deck's are among them


class Attack(msgspec.Struct, frozen=True):
    """What the attack on a shelter costs if it comes now: the next one, or the one under way."""

    strikers: int
    stopped: int
    loss: int  # survivors, if no (further) barrier is used
    least: int  # survivors, if its barriers are used in the best way
    out: bool  # the loss would leave no survivor
    words: list[Message]


class Shelter(msgspec.Struct, frozen=True):
    seat: int
    living: bool
    survivors: int
    zombies: Crowd
    barriers: list[str]
    hand: int  # cards
    answered: bool  # it has said whether it keeps its first hand
    attack: Attack | None  # None for a seat that is out


class OwnCard(msgspec.Struct, frozen=True):
    """A card in the seat's hand."""

    card: str
    loud: bool  # ♪
    effect: Message
    playable: bool
    why_not: Message | None
    noise_alone: bool  # expert: it may be played for its noise alone now
    discardable: bool


class View(msgspec.Struct, frozen=True):
    seats: int
    you: int | None
    expert: bool
    phase: str
    due: list[int]
    active: int | None  # whose turn it is; None before the first
    stage: str  # of the active seat's phase 1: undecided, discarding, playing
    cause: str | None  # why a City card is turned or zombies are sent
    city: City
    final: bool  # the final attack has begun
    deck: int
    discard: dict[str, int]
    shelters: list[Shelter]
    hand: list[OwnCard]  # yours
    row: Crowd  # turned up by a horde and not yet sent
    targets: list[int]  # the seats that zombies may still be sent to
    dead: dict[str, int]  # zombies out of the game
    lost: int  # survivors out of the game
    turns: int  # played
    last_turn: int  # the match ends after this many turns at the latest
    pending: list[Message]
    ask: Message
    result: dict[str, Any] | None


def view(k: State, seat: int) -> View:
    """What a seat sees; from its knowledge (from the state itself it would be the same)."""
    you = seat if 0 <= seat < k.seats else None
    deciders = due(k)
    return View(
        seats=k.seats,
        you=you,
        expert=bool(k.expert),
        phase=PHASE_WORDS[k.phase],
        due=[*members(deciders)] if deciders < 64 else [],
        active=k.active if k.phase >= MAIN else None,
        stage=STAGE_WORDS[k.stage],
        cause=CAUSE_WORDS[k.cause],
        city=_city(k),
        final=final_attack(k),
        deck=k.deck,
        discard=_counted(CARD_NAMES, [count(k.discard & field) for field in FIELD]),
        shelters=[_shelter(k, q) for q in range(k.seats)],
        hand=[] if you is None else [_own_card(k, you, name) for name in card_names(k.hand[you])],
        row=_crowd(k.row),
        targets=[*members(k.targets)],
        dead=_counted(ZOMBIE_NAMES, [number(k.dead, zombie) for zombie in range(4)]),
        lost=k.lost,
        turns=k.turns,
        last_turn=TURNS * k.seats,
        pending=pending(k),
        ask=ask(k, seat),
        result=result(k) if k.phase == OVER else None,
    )


def _counted(names: tuple[str, ...], numbers: list[int]) -> dict[str, int]:
    """Names with how many there are of each, those with none left out."""
    return {name: n for name, n in zip(names, numbers, strict=True) if n}


def _crowd(crowd: int) -> Crowd:
    return Crowd(*(number(crowd, zombie) for zombie in range(3)))


def _city(k: State) -> City:
    top = None if k.city == 0 else "survivor" if k.shows == NOTHING else ZOMBIE_NAMES[k.shows]
    backs = _counted(ZOMBIE_NAMES, [count(k.backs & field) for field in BACK_FIELD])
    return City(k.city, top, noise_words(k), backs)


def _shelter(k: State, q: int) -> Shelter:
    living = bool(k.living >> q & 1)
    return Shelter(
        seat=q,
        living=living,
        survivors=k.people[q],
        zombies=_crowd(k.zombies[q]),
        barriers=card_names(k.barriers[q]),
        hand=k.hand_len[q],
        answered=bool(k.answered >> q & 1),
        attack=_attack(k, q) if living else None,
    )


def _attack(k: State, q: int) -> Attack:
    strikers, loss, least = attack_cost(k, q)
    stopped = k.stopped if k.active == q else 0
    return Attack(strikers, stopped, loss, least, loss >= k.people[q], attack_words(k, q))


def _own_card(k: State, you: int, name: str) -> OwnCard:
    kind = CARD_NAMES.index(name)
    why_not = why_unplayable(k, you, kind)
    mine = k.phase == MAIN and k.active == you
    return OwnCard(
        card=name,
        loud=loud(kind),
        effect=effect(kind),
        playable=why_not is None,
        why_not=why_not,
        noise_alone=bool(mine and k.expert and loud(kind) and k.stage != DISCARDING),
        discardable=mine and k.stage != PLAYING,
    )
