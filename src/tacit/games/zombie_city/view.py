"""The table of Zombie City as one seat (or a spectator) sees it: everything that a page or a terminal draws."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import msgspec

from tacit.core.bits import count, members
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE
from tacit.games.zombie_city.board import final_attack, number
from tacit.games.zombie_city.model import *
from tacit.games.zombie_city.notation import CARD_NAMES, ZOMBIE_NAMES, card_kinds, card_names, result
from tacit.games.zombie_city.rules import due
from tacit.games.zombie_city.words import (
    ask,
    attack_cost,
    attack_words,
    effect,
    loud,
    noise_words,
    pending,
    refusal,
    strikers,
    why_none_playable,
    why_useless,
)

PHASE_WORDS = ("deal", "answer", "redeal", "first", "main", "turn", "send", "attack", "draw", "over")
STAGE_WORDS = ("undecided", "discarding", "playing")
CAUSE_WORDS = (None, "noise", "surprise", "horde", "sacrifice", "elimination")


class Crowd(msgspec.Struct, frozen=True, gc=False):
    """Zombies, by type."""

    regular: int
    fast: int
    strong: int


class City(msgspec.Struct, frozen=True, gc=False):
    cards: int
    top: str | None  # survivor, regular or strong; None when the deck is empty
    noise: Message  # what one noise would do now
    backs: dict[str, int]  # all backs that were never turned; the deck's are among them


class Attack(msgspec.Struct, frozen=True, gc=False):
    """What the attack on a shelter costs if it comes now: the next one, or the one under way."""

    strikers: int
    stopped: int
    loss: int  # survivors, if no (further) barrier is used
    least: int  # survivors, if its barriers are used in the best way
    out: bool  # the loss would leave no survivor
    words: list[Message]


class Shelter(msgspec.Struct, frozen=True, gc=False):
    seat: int
    living: bool
    survivors: int
    zombies: Crowd
    barriers: list[str]
    hand: int  # cards
    answered: bool  # it has said whether it keeps its first hand
    attack: Attack | None  # None for a seat that is out


class OwnCard(msgspec.Struct, frozen=True, gc=False):
    """A card in the seat's hand."""

    card: str
    loud: bool  # ♪
    effect: Message
    playable: bool
    why_not: Message | None
    noise_alone: bool  # expert: it may be played for its noise alone now
    discardable: bool


class View(msgspec.Struct, frozen=True, gc=False):
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
    deciders, phase = due(k), k.phase
    return View(  # by place, in the order of the fields: by name it would take six times as long
        k.seats,
        you,
        k.expert == 1,
        PHASE_WORDS[phase],
        [*members(deciders)] if deciders < CHANCE else [],
        k.active if phase >= MAIN else None,
        STAGE_WORDS[k.stage],
        CAUSE_WORDS[k.cause],
        _city(k.city, k.shows, k.backs),
        final_attack(k),
        k.deck,
        _counted(k.discard),
        [_shelter(k, q) for q in range(k.seats)],
        [] if you is None else _hand(k, you),
        _crowd(k.row),
        [*members(k.targets)],
        _dead(k.dead),
        k.lost,
        k.turns,
        TURNS * k.seats,
        pending(k),
        ask(k, seat),
        result(k) if phase == OVER else None,
    )


def _named(names: tuple[str, ...], numbers: list[int]) -> dict[str, int]:
    """Names with how many there are of each, those with none left out."""
    return {name: n for name, n in zip(names, numbers, strict=True) if n}


@lru_cache(4096)
def _counted(cards: int) -> dict[str, int]:
    return _named(CARD_NAMES, [count(cards & field) for field in FIELD])


@lru_cache(4096)
def _dead(crowd: int) -> dict[str, int]:
    return _named(ZOMBIE_NAMES, [number(crowd, zombie) for zombie in range(4)])


@lru_cache(4096)
def _crowd(crowd: int) -> Crowd:
    return Crowd(*(number(crowd, zombie) for zombie in range(3)))


@lru_cache(4096)
def _city(cards: int, shows: int, backs: int) -> City:
    top = None if cards == 0 else "survivor" if shows == NOTHING else ZOMBIE_NAMES[shows]
    unturned = _named(ZOMBIE_NAMES, [count(backs & field) for field in BACK_FIELD])
    return City(cards, top, noise_words(cards, shows), unturned)


def _shelter(k: State, q: int) -> Shelter:
    attacked = k.active == q
    return _shelter_of(
        q, k.living >> q & 1, k.people[q], k.zombies[q], k.barriers[q], k.hand_len[q], k.answered >> q & 1,
        strikers(k, q), k.stopped if attacked else 0,
    )  # fmt: skip


@lru_cache(4096)  # most shelters are as they were before the decision
def _shelter_of(
    q: int, living: int, people: int, zombies: int, barriers: int, hand: int, answered: int, striking: int, stopped: int
) -> Shelter:  # fmt: skip
    attack = None
    if living:
        loss, least = attack_cost(striking, people, barriers)
        words = attack_words(striking, people, barriers)
        attack = Attack(striking, stopped, loss, least, loss >= people, words)
    return Shelter(q, bool(living), people, _crowd(zombies), card_names(barriers), hand, bool(answered), attack)


def _hand(k: State, you: int) -> list[OwnCard]:
    kinds = card_kinds(k.hand[you])
    code = why_none_playable(k, you)
    if code is not None:
        discardable = k.phase == MAIN and k.active == you
        return [_idle_card(kind, code, discardable) for kind in kinds]
    alone, discardable = k.expert == 1, k.stage != PLAYING
    return [_playable_card(k, you, kind, alone, discardable) for kind in kinds]


@cache
def _idle_card(kind: int, code: str, discardable: bool) -> OwnCard:
    """A card in hand while none can be played: nor for its noise alone."""
    return OwnCard(CARD_NAMES[kind], loud(kind), effect(kind), False, refusal(code), False, discardable)


def _playable_card(k: State, you: int, kind: int, alone: bool, discardable: bool) -> OwnCard:
    """A card in hand while cards can be played; `alone`: also for their noise alone."""
    why_not, noise = why_useless(k, you, kind), loud(kind)
    return OwnCard(CARD_NAMES[kind], noise, effect(kind), why_not is None, why_not, alone and noise, discardable)
