"""Zombie City: what a renewed deck proves of hidden hands; imagined worlds agree with it."""

from __future__ import annotations

import math
import os
import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from tacit import Match
from tacit.core.chance import stream
from tacit.core.random_play import CHANCE
from tacit.games.zombie_city.board import has
from tacit.games.zombie_city.model import COPIES
from tacit.games.zombie_city.notation import CARD_NAMES, card_names
from tests.zombie_city.positions import run, table

LONG = "TACIT_LONG" in os.environ


def renewed(*hands: str) -> Match:
    """Seat 0 has discarded its first card and drawn an axe from a deck that was renewed for it."""
    match = table(hands)
    match.state.discard, match.state.pool, match.state.deck = match.state.pool, 0, 0
    return run(match, f"0 discard {hands[0].split()[0]}", "0 done", "* deal 0 axe")


def worlds(match: Match, seat: int, n: int) -> list[Any]:
    rng = stream("worlds")
    found = []
    for _ in range(n):
        world = match.know(seat)
        match.game.rules.imagine(world, seat, rng)
        assert match.game.rules.audit(world) == 0
        found.append(world)
    return found


def held(world: Any, seat: int) -> list[str]:
    return sorted(card_names(world.hand[seat]))


def test_z19_after_a_renewal_hands_hold_what_was_not_discarded() -> None:
    """Against plain enumeration: the old cards of two hands are told together; all ways to deal them are as likely."""
    match = renewed("flare mines mines", "alarm drone bribery", "sniper walkie walkie")
    assert match.state.renewals == 1
    old = ["mines", "mines", "sniper", "walkie", "walkie"]
    ways = Counter(
        tuple(sorted(old[i] for i in chosen)) for chosen in combinations(range(len(old)), 3)
    )  # seat 2's hand; seat 0 has the other two, and a new card
    samples = 40 * sum(ways.values())
    found: Counter[tuple[str, ...]] = Counter()
    new: Counter[str] = Counter()
    for world in worlds(match, 1, samples):
        found[tuple(held(world, 2))] += 1
        mine = Counter(held(world, 0))
        assert mine >= Counter(old) - Counter(held(world, 2))
        new += mine - (Counter(old) - Counter(held(world, 2)))
    assert set(found) == set(ways)
    assert sum(new.values()) == samples
    assert len(new) > 8
    chi_square = sum((found[hand] - 40 * n) ** 2 / (40 * n) for hand, n in ways.items())
    freedom = len(ways) - 1
    assert abs(chi_square - freedom) < 4 * math.sqrt(2 * freedom)


def test_z19_a_spectator_and_the_aids_use_it() -> None:
    match = renewed("flare mines mines", "alarm drone bribery", "sniper walkie walkie")
    places = {place.place: {one.card for one in place.chances} for place in match.outlook(1).places}
    assert places["hand 2"] == {"mines", "sniper", "walkie"}
    world = match.know(None)
    match.game.rules.imagine(world, -1, stream("spectator"))
    everything = Counter(held(world, 1)) + Counter(held(world, 2))
    assert everything <= Counter(["mines", "mines", "sniper", "walkie", "walkie", "alarm", "drone", "bribery"])


@pytest.mark.parametrize(
    ("card", "kept", "told"),
    [
        ("axe", 2, True),  # seat 0 has no old one that could be it: no hand had one
        ("mines", 2, True),  # both mines were in hands: it is an old one
        ("walkie", 0, False),  # it may be an old or a new one: from then on nothing is told
    ],
)
def test_a_card_that_leaves_a_hand_of_old_and_new_ones(card: str, kept: int, told: bool) -> None:
    match = renewed("flare mines walkie", "alarm drone bribery", "sniper mines walkie")
    run(match, "1 discard alarm", "1 done", "* deal 1 axe", "2 discard sniper", "2 done", "* deal 2 axe")
    assert list(match.state.kept)[:3] == [2, 2, 2]
    run(match, f"0 discard {card}")
    assert (match.state.old != 0) == told
    assert match.state.kept[0] == (kept - 1 if card == "mines" else kept)
    assert has(match.state.old, CARD_NAMES.index("walkie")) == told
    assert len(worlds(match, 1, 3)) == 3


@pytest.mark.parametrize(("drawn", "told"), [(False, True), (True, False)])
def test_a_hand_that_is_thrown_away(drawn: bool, told: bool) -> None:
    """A seat that falls shows its hand: where all of it is old the others' old cards stay told, else nothing is."""
    match = renewed("flare mines walkie", "alarm drone bribery", "sniper mines walkie")
    s = match.state
    seat = 0 if drawn else 1
    if drawn:
        run(match, "1 done", "2 done")
    s.lost, s.people[seat] = s.lost + s.people[seat], 0
    run(match, f"{seat} done")
    assert (s.living >> seat) & 1 == 0
    assert (s.old != 0) == told
    assert s.kept[seat] == 0
    assert len(worlds(match, 2, 3)) == 3


def test_hands_that_belie_what_is_told_are_found() -> None:
    match = renewed("flare mines walkie", "alarm drone bribery", "sniper mines walkie")
    match.state.kept[1] -= 1
    assert match.game.rules.audit(match.state) == 8


@pytest.mark.parametrize("seats", [3, 6])
def test_no_imagined_world_contradicts_what_was_heard_and_the_truth_is_one_of_them(seats: int) -> None:
    """A listener that counts cards: a hand untouched since a renewal holds only what was in hands then."""
    checked = 0
    for seed in range(12 if LONG else 2):
        rng = random.Random(seed)
        match = Match("zombie-city", seats, seed=seed, settle=False)
        s, renewals = match.state, 0
        in_hands: Counter[str] = Counter()
        untouched: set[int] = set()
        while not match.over:
            if match.due:
                seat = rng.choice(sorted(match.due))
                match.play(seat, rng.choice(match.legal(seat)))
                untouched.discard(seat)
            else:
                untouched.discard(s.active)  # who draws
                match.apply(CHANCE, match.source.draw(match.game.chance(s), match.game.rules.pool(s)))
            if s.renewals > renewals:
                renewals, untouched = s.renewals, {q for q in range(seats) if s.living >> q & 1}
                in_hands = Counter({name: COPIES[kind] for kind, name in enumerate(CARD_NAMES)})
                in_hands -= sum((Counter(card_names(s.barriers[q])) for q in range(seats)), Counter(card_names(s.pool)))
            if s.old == 0 or rng.random() < 0.5:  # where a card may have been old or new, no more is told
                continue
            watcher = rng.randrange(seats)
            for world in [s, *worlds(match, watcher, 2)]:
                hands = [card_names(world.hand[q]) for q in untouched if q != watcher]
                assert sum(map(Counter, hands), Counter[str]()) <= in_hands
                checked += len(hands)
    assert checked > 0
