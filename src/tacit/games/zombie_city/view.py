"""The table of Zombie City as one seat (or a spectator) sees it: everything that a page or a terminal draws."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import msgspec

from tacit.core.bits import count, lowest, members
from tacit.core.fragments import Fragment, Fragments
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import constant_array, rule
from tacit.core.state_layout import Cells
from tacit.games.zombie_city.board import final_attack, kind_of, number, size
from tacit.games.zombie_city.model import *
from tacit.games.zombie_city.notation import CARD_NAMES, ZOMBIE_NAMES, card_names, result_of
from tacit.games.zombie_city.rules import due
from tacit.games.zombie_city.shown import USEFUL, asked, attack_now, ending, waiting, why_none_playable, why_useless
from tacit.games.zombie_city.words import (
    ask,
    attack_cost,
    attack_words,
    effect,
    loud,
    noise_words,
    parts,
    pending,
    why_not,
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


# The cards of four kinds are counted at once: those of all are hardly ever the same again.
COUNTED = constant_array(sum(FIELD[kind : kind + 4]) for kind in range(0, KINDS, 4))
# A number of each fragment that is no list; how many parts of the discard pile, and a number of each; so of shelters.
VIEW_KEYS = 9 + (1 + KINDS // 4) + (1 + MAX_SEATS)


@rule
def view_keys(k: State, seat: int, keys: Cells) -> int:
    """Write the key of each fragment; returns how many numbers (from the state itself they would be the same)."""
    keys[0] = turn_key(k, seat)
    keys[1] = city_key(k)
    keys[2] = (1 if final_attack(k) else 0) | k.deck << 1
    keys[3] = hand_key(k, seat) if 0 <= seat < k.seats else 0
    keys[4] = k.row | k.targets << 24 | k.dead << 30 | k.lost << 56
    keys[5] = k.turns | k.seats << 9
    keys[6] = waiting(k)
    keys[7] = asked(k, seat)
    keys[8] = result_key(k) if k.phase == OVER else 0
    at = 10
    for part in range(len(COUNTED)):
        if k.discard & COUNTED[part] != 0:
            keys[at] = k.discard & COUNTED[part]
            at += 1
    keys[9] = at - 10
    keys[at] = k.seats
    for q in range(k.seats):
        keys[at + 1 + q] = shelter_key(k, q)
    return at + 1 + k.seats


def fragments() -> Fragments:
    """How a view is made of what `view_keys` writes; each key has the fields of bits that its maker takes apart."""
    return Fragments(
        View,
        [
            Fragment("seats you expert phase due active stage cause", _turn),
            Fragment("city", _city),
            Fragment("final deck", _final_deck),
            Fragment("discard", _counted, is_list=True, several=dict),
            Fragment("shelters", _shelter, is_list=True),
            Fragment("hand", _hand),
            Fragment("row targets dead lost", _sent_and_gone),
            Fragment("turns last_turn", _turns),
            Fragment("pending", pending),
            Fragment("ask", ask),
            Fragment("result", _result),
        ],
    )


# ------------------------------------------------------------------ whose turn it is, and what is going on
@rule
def turn_key(k: State, seat: int) -> int:
    deciders = due(k)
    key = k.seats | (seat + 1 if 0 <= seat < k.seats else 0) << 3 | k.expert << 6 | k.phase << 7
    key |= (deciders if deciders < CHANCE else 0) << 11 | (k.active + 1 if k.phase >= MAIN else 0) << 17
    return key | k.stage << 20 | k.cause << 22


def _turn(key: int) -> tuple[int, int | None, bool, str, list[int], int | None, str, str | None]:
    seats, you, expert, phase, deciders, active, stage, cause = parts(key, 3, 3, 1, 4, 6, 3, 2, 3)
    return (
        seats, you - 1 if you else None, expert == 1, PHASE_WORDS[phase], [*members(deciders)],
        active - 1 if active else None, STAGE_WORDS[stage], CAUSE_WORDS[cause],
    )  # fmt: skip


def _turns(key: int) -> tuple[int, int]:
    turns, seats = parts(key, 9, 3)
    return turns, TURNS * seats


@rule
def result_key(k: State) -> int:
    """The result, of a match that is over; not 0."""
    key = k.seats | ending(k) << 3
    for q in range(k.seats):
        key |= k.people[q] << (5 + 6 * q)
    return key


def _result(key: int) -> dict[str, Any] | None:
    if key == 0:
        return None
    seats, why, *people = parts(key, 3, 2, *[6] * MAX_SEATS)
    return result_of(people[:seats], why)


# ------------------------------------------------------------------ the City, decks and piles
def _named(names: tuple[str, ...], numbers: list[int]) -> dict[str, int]:
    """Names with how many there are of each, those with none left out."""
    return {name: n for name, n in zip(names, numbers, strict=True) if n}


@rule
def city_key(k: State) -> int:
    key = k.city | (k.shows + 1) << 6
    for zombie in range(4):
        key |= count(k.backs & BACK_FIELD[zombie]) << (9 + 5 * zombie)
    return key


def _city(key: int) -> City:
    cards, shows, *backs = parts(key, 6, 3, 5, 5, 5, 5)
    top = None if cards == 0 else ZOMBIE_NAMES[shows - 1] if shows else "survivor"
    return City(cards, top, noise_words(cards, shows - 1), _named(ZOMBIE_NAMES, backs))


def _final_deck(key: int) -> tuple[bool, int]:
    final, deck = parts(key, 1, 6)
    return final == 1, deck


def _counted(cards: int) -> dict[str, int]:
    return {name: n for name, field in zip(CARD_NAMES, FIELD, strict=True) if (n := (cards & field).bit_count())}


def _sent_and_gone(key: int) -> tuple[Crowd, list[int], dict[str, int], int]:
    row, targets, dead, lost = parts(key, 24, 6, 26, 6)
    return _crowd(row), [*members(targets)], _named(ZOMBIE_NAMES, parts(dead, 8, 8, 8, 2)), lost


def _crowd(crowd: int) -> Crowd:
    return Crowd(*(number(crowd, zombie) for zombie in range(3)))


# ------------------------------------------------------------------ the shelters
@rule
def shelter_key(k: State, q: int) -> int:
    key = q | (k.living >> q & 1) << 3 | (k.answered >> q & 1) << 4 | k.hand_len[q] << 5 | k.people[q] << 7
    key |= k.zombies[q] << 13 | (k.barriers[q] >> BASE[BARRICADE]) << 50
    if k.active == q:
        key |= k.stopped << 37 | attack_now(k) << 43
    return key


def _shelter(key: int) -> Shelter:
    q, living, answered, hand, people, zombies, stopped, now, laid = parts(key, 3, 1, 1, 2, 6, 24, 6, 7, BARRIERS)
    barriers = laid << BASE[BARRICADE]
    attack = _attack(now - 1 if now else size(zombies), stopped, people, barriers) if living else None
    return Shelter(q, living == 1, people, _crowd(zombies), card_names(barriers), hand, answered == 1, attack)


@lru_cache(4096)  # the same in many shelters
def _attack(striking: int, stopped: int, people: int, barriers: int) -> Attack:
    loss, least = attack_cost(striking, people, barriers)
    return Attack(striking, stopped, loss, least, loss >= people, attack_words(striking, people, barriers))


# ------------------------------------------------------------------ the seat's own cards
@rule
def hand_key(k: State, you: int) -> int:
    """May cards be discarded, may they be played for their noise alone; then each card with why it can do nothing."""
    none = why_none_playable(k, you)
    key = 1 if k.phase == MAIN and k.active == you and k.stage != PLAYING else 0
    if none == USEFUL:
        key |= k.expert << 1
    left, at = k.hand[you], 2
    while left != 0:
        kind = kind_of(lowest(left))
        left &= left - 1
        key |= (kind + 1) << at | (why_useless(k, you, kind) if none == USEFUL else none) << (at + 5)
        at += 10
    return key


def _hand(key: int) -> list[OwnCard]:
    discardable, alone, *cards = parts(key, 1, 1, *[10] * HAND)
    return [_own_card(card, alone == 1, discardable == 1) for card in cards if card]


@cache
def _own_card(key: int, alone: bool, discardable: bool) -> OwnCard:
    """A card in hand; `alone`: loud cards may be played for their noise alone."""
    card, code = parts(key, 5, 5)
    kind, why = card - 1, why_not(code)
    noise = loud(kind)
    return OwnCard(CARD_NAMES[kind], noise, effect(kind), why is None, why, alone and noise, discardable)
