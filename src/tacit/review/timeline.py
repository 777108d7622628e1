"""A match cut into moments: a decision where there was a choice, or what chance did between two of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tacit.bots.heard_events import HeardEvents
from tacit.core.match import Match
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE


@dataclass(frozen=True, slots=True)
class Position:
    """Where a match stands after so many steps and lines of its record; `heard` are the events of each seat."""

    steps: int
    line: int
    state: Any
    heard: list[Any]


@dataclass(frozen=True, slots=True)
class Change:
    """What led from one position to the next: one decision of `seat`, or (None) chance, once or several times.

    `at` is where the decision was made: after decisions that left no choice, which belong to the change.
    """

    before: Position
    at: Position
    after: Position
    seat: int | None
    action: int
    legal: list[int]
    text: str
    words: Message


def match_at(match: Match, line: int) -> Match:
    """The match after so many lines of its record. Chance does not act by itself: every step is given."""
    again = Match(match.game, match.seats, match.options, seed=0, settle=False, rules_version=match.rules_version)
    for text in match.lines[:line]:
        again.replay(text)
    return again


def changes(match: Match) -> list[Change]:
    """The changes of a match, from before the deal to its end."""
    game, again = match.game, match_at(match, 0)
    listener = HeardEvents(again)

    def position() -> Position:
        heard = [listener.events(q) for q in range(again.seats)]
        return Position(len(again.steps), len(again.lines), again.state.copy(), heard)

    found: list[Change] = []
    before = position()
    drew: tuple[int, str] | None = None  # chance's last outcome since `before`, and how often it acted
    times = 0
    steps = iter(match.steps)
    for line in match.lines:
        if line.startswith("!"):
            again.replay(line)
            continue
        who, action = next(steps)
        legal = [] if who == CHANCE else game.legal(again.state, who)
        if len(legal) > 1:
            at = position()
            if drew is not None:
                found.append(Change(before, before, at, None, drew[0], [], drew[1], _outcome(match, drew[1], times)))
                before, drew, times = at, None, 0
            again.apply(who, action)
            text = line.partition(" ")[2]
            after = position()
            found.append(Change(before, at, after, who, action, legal, text, game.rules.tell(line)))
            before = after
            continue
        if who == CHANCE:
            drew, times = (action, line.partition(" ")[2]), times + 1
        again.apply(who, action)
    end = position()
    if drew is not None:
        found.append(Change(before, before, end, None, drew[0], [], drew[1], _outcome(match, drew[1], times)))
    elif found:
        found[-1] = replace(found[-1], after=end)  # decisions that left no choice may have followed
    return found


def _outcome(match: Match, text: str, times: int) -> Message:
    """What chance did, in words: its one outcome, or that cards were dealt."""
    return match.game.rules.tell(f"* {text}") if times == 1 else Message("review.dealt", {"n": times})
