"""Silencio tables for tests: positions reached by real records, with the hands one asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tacit import Match
from tacit.core.random_play import NOBODY
from tacit.games.silencio.model import HAND, TOP
from tacit.games.silencio.view import Tavern, View

DECK = [f"{colour}{rank}" for colour in "rbyg" for rank in range(2, 14)]
UNLIT = {"unlit": "all"}
TAVERN = {"tavern": True, "unlit": "all"}


def deck(seats: int) -> list[str]:
    return [card for card in DECK if int(card[1:]) <= TOP[seats]]


def dealt(
    hands: Sequence[str], oracle: str, options: dict[str, Any] | None = None, rules: int | None = None
) -> Match:  # fmt: skip
    """A match before the claim: each seat's first cards and the Oracle as given, filled up with cards nobody named."""
    seats = len(hands)
    wanted = [hand.split() for hand in hands]
    named = {card for hand in wanted for card in hand} | set(oracle.split())
    spare = [card for card in reversed(deck(seats)) if card not in named]
    match = Match("silencio", seats, options, seed=0, settle=False, rules_version=rules)
    for seat, hand in enumerate(wanted):
        while len(hand) < HAND[seats]:
            hand.append(spare.pop(0))
        for card in hand:
            match.play("*", f"deal {seat} {card}")
    for card in (oracle.split() + spare)[:seats]:
        match.play("*", f"oracle {card}", settle=False)
    return match


def table(
    hands: Sequence[str], oracle: str = "", starter: int = 0, options: dict[str, Any] | None = None,
    rules: int | None = None,
) -> Match:  # fmt: skip
    """The first turn of a match: the hands are what the seats have after passing.

    Each seat passes the first card that is named for its left neighbour.
    """
    seats = len(hands)
    after = [hand.split() for hand in hands]
    before = [[*after[q][1:], after[(q + 1) % seats][0]] for q in range(seats)]
    match = dealt([" ".join(hand) for hand in before], oracle, options, rules)
    match.play(starter, "claim")
    for i in range(seats):
        seat = (starter + i) % seats
        match.play(seat, f"give {after[(seat + 1) % seats][0]}", settle=False)
    return match


def run(match: Match, *lines: str) -> Match:
    """Apply lines of a record: `0 play r3`, `* oracle b5`. Chance that is not written waits."""
    for line in lines:
        match.replay(line)
    return match


def empty_handed(shown: str = "g5", rules: int | None = None) -> Match:
    """Seat 0 has no card left; seat 1 has laid a green card face up; it is seat 0's turn."""
    hands = ["b2 g2 r2 b3 b4 b5", f"r3 r4 r8 y8 {shown} g8"]
    match = table(hands, oracle="y2 y3", options={"unlit": "all"}, rules=rules)
    run(
        match,
        *("0 play r2", "1 play r3", "0 play b2", "0 send y2 1", "* oracle y4", "1 play r4", "0 play b3"),
        *("0 send y3 1", "* oracle y5", "1 play y2", "0 draw", "* draw b4", "0 send y4 1", "* oracle y6"),
        *("1 play y4", f"1 show {shown}", "0 play b5", "0 send y5 1", "* oracle y7", "1 play y8", "1 skip"),
        *("0 play g2",),
    )
    assert hand(match, 0) == set()
    run(match, "1 play r8", "1 skip")
    return match


def seen(match: Match, watcher: int | None) -> View:
    """What a watcher sees of the state as it is, also where a test has changed it by hand."""
    return match.game.view(match.know(watcher), NOBODY if watcher is None else watcher)  # type: ignore[no-any-return]


def hand(match: Match, seat: int) -> set[str]:
    """A seat's hidden cards."""
    return {card.card for card in seen(match, seat).hand}


def up(match: Match, seat: int) -> set[str]:
    return {card.card for card in seen(match, None).table[seat].up}


def known(match: Match, watcher: int | None, seat: int) -> set[str]:
    """The hidden cards of a seat that a watcher knows."""
    return set(seen(match, watcher).table[seat].known)


def row(match: Match, colour: str) -> str:
    """A row as text, dark cards with a star."""
    rows = {r.colour: r for r in seen(match, None).rows}
    return " ".join(c.card[1:] + ("*" if c.dark else "") for c in rows[colour].cards)


def pending(match: Match) -> set[str]:
    return {one.name for one in seen(match, None).pending}


def tavern(match: Match) -> Tavern:
    found = seen(match, None).tavern
    assert found is not None
    return found


def verbs(match: Match, seat: int) -> set[str]:
    return {text.split()[0] for text in match.legal(seat)}


def plays(match: Match, seat: int) -> set[str]:
    return {text.split()[1] for text in match.legal(seat) if text.startswith("play ")}
