"""Zombie City tables for tests: real first turns, with the hands one asks for and pieces laid out by hand.

What is laid out by hand comes from where it would come from in play (backs, City deck, resource deck), and the audit of
all cards is asked whether the position is one that could be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tacit import IllegalDecision, Match
from tacit.core.random_play import NOBODY
from tacit.games.zombie_city.board import with_card, without_back, without_card
from tacit.games.zombie_city.model import COPIES, MAIN
from tacit.games.zombie_city.notation import CARD_NAMES, ZOMBIE_NAMES, card_names, crowd_names
from tacit.games.zombie_city.view import View

SPARE = ["walkie", "surprise", "drone", "shotgun", "revolver", "axe", "barricade", "megaphone", "flare"]


def dealt(hands: Sequence[str], options: Mapping[str, Any] | None = None, rules: int | None = None) -> Match:
    """A match in which all are asked whether they keep their hands; hands are filled up with cards nobody named."""
    wanted = [hand.split() for hand in hands]
    named = [card for hand in wanted for card in hand]
    spare = [card for card in SPARE for _ in range(COPIES[CARD_NAMES.index(card)] - named.count(card))]
    match = Match("zombie-city", len(hands), options, seed=0, settle=False, rules_version=rules)
    for seat, hand in enumerate(wanted):
        for card in (hand + [spare.pop(0) for _ in range(3 - len(hand))])[:3]:
            match.play("*", f"deal {seat} {card}")
    return match


def table(
    hands: Sequence[str],
    *,
    starter: int = 0,
    zombies: Mapping[int, str] | None = None,
    barriers: Mapping[int, str] | None = None,
    people: Mapping[int, int] | None = None,
    city: int | None = None,
    shows: str | None = None,
    options: Mapping[str, Any] | None = None,
    rules: int | None = None,
) -> Match:
    """The first turn of a match, with what lies in the shelters and the size of the City deck as given."""
    match = dealt(hands, options, rules)
    for seat in range(match.seats):
        match.play(seat, "keep", settle=False)
    match.play("*", f"start {starter}")
    s = match.state
    for seat, names in (zombies or {}).items():
        for name in names.split():
            s.zombies[seat] += 1 << 8 * ZOMBIE_NAMES.index(name)
            s.backs = without_back(s.backs, ZOMBIE_NAMES.index(name))
            s.city -= 1
    for seat, names in (barriers or {}).items():
        for name in names.split():
            s.pool, s.deck = without_card(s.pool, CARD_NAMES.index(name)), s.deck - 1
            s.barriers[seat] = with_card(s.barriers[seat], CARD_NAMES.index(name))
    for seat, n in (people or {}).items():
        s.city -= n - s.people[seat]
        s.people[seat] = n
    if city is not None:
        s.lost, s.city = s.city - city, city
    if shows is not None:
        s.shows = ZOMBIE_NAMES.index(shows)
        s.backs = without_back(s.backs, s.shows)
    assert s.phase == MAIN
    assert match.game.rules.audit(s) == 0
    return match


def run(match: Match, *lines: str) -> Match:
    """Apply lines of a record: `0 play walkie`, `* turn fast`. Chance that is not written waits."""
    for line in lines:
        match.replay(line)
        assert match.game.rules.audit(match.state) == 0
    return match


def seen(match: Match, watcher: int | None) -> View:
    """What a watcher sees of the state as it is, also where a test has laid it out by hand."""
    seen: View = match.game.view(match.know(watcher), NOBODY if watcher is None else watcher)
    return seen


def crowd(match: Match, seat: int) -> str:
    """The zombies in a shelter."""
    return " ".join(crowd_names(match.state.zombies[seat]))


def people(match: Match) -> list[int]:
    return [match.state.people[q] for q in range(match.seats)]


def laid(match: Match, seat: int) -> str:
    return " ".join(card_names(match.state.barriers[seat]))


def hand(match: Match, seat: int) -> str:
    return " ".join(card_names(match.state.hand[seat]))


def discards(match: Match) -> str:
    return " ".join(card_names(match.state.discard))


def plays(match: Match, card: str) -> set[str]:
    """The ways in which the active seat may play a card."""
    return {t for t in match.legal(match.state.active) if t.split()[:2] == ["play", card]}


def refused(match: Match, seat: int, text: str) -> str:
    """The sentence with which a decision is refused."""
    before = match.state.copy()
    with pytest.raises(IllegalDecision) as error:
        match.play(seat, text)
    assert match.state == before
    return str(error.value)
