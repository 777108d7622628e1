"""A decision before it is stored, and who decided for a seat. Who it was is stored with every step, and sent once the
match is over.

It is not sent while a match runs: the numbers would count sealed choices.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from functools import lru_cache
from typing import get_args

import msgspec

from tacit.core.match import Match
from tacit.core.seat_view import Sight
from tacit.server.models import Step
from tacit.server.protocol import DeciderKind, Span

MAX_SPANS = 500  # read from one tag: a record that somebody brings may hold anything
_SPAN = re.compile(r"([1-9][0-9]{0,5})-([1-9][0-9]{0,5}) ([a-z]+)(?: (\S{1,40}))?")


class Decider(msgspec.Struct, frozen=True, gc=False):
    """A person, a program, or a client that did not say which; a bot of this server; or a bot for the clock.

    >>> str(Decider("bot", "steady")), Decider.read("person")
    ('bot steady', Decider(kind='person', bot=None))
    """

    kind: DeciderKind
    bot: str | None = None

    def __str__(self) -> str:
        return f"{self.kind} {self.bot}" if self.bot else self.kind

    @classmethod
    @lru_cache(256)
    def read(cls, text: str) -> Decider | None:
        """The decider that `str` wrote; None for anything else."""
        kind, _, bot = text.partition(" ")
        if kind not in get_args(DeciderKind) or bool(bot) != (kind in ("bot", "clock")):
            return None
        return cls(kind, bot or None)  # type: ignore[arg-type] # checked above


CLIENTS: dict[str | None, Decider] = {"person": Decider("person"), "program": Decider("program")}
UNKNOWN_CLIENT = Decider("client")


class Decision(msgspec.Struct, frozen=True, gc=False):
    """What a seat does: its answer to the question `ask`, a signal (`ask` is None), or taking back its last answer."""

    seat: int
    ask: int | None
    texts: list[str]
    decider: Decider
    undoes: bool = False

    def play(self, match: Match) -> None:
        """Play it. Raises IllegalDecision."""
        if self.undoes:
            match.undo(self.seat)
        elif self.ask is None:
            match.signal(self.seat, self.texts[0])
        elif len(self.texts) == 1:
            match.play(self.seat, self.texts[0])
        else:
            match.play_all(self.seat, self.texts)


class Attempt(msgspec.Struct, gc=False):
    """A decision played on a copy of the match, not yet stored, and not to be sent to anyone."""

    match: Match
    step: Step
    views: dict[int | None, Sight]


class Line(msgspec.Struct, frozen=True, gc=False):
    """Who made a line of the record (`seat` None: chance), with which stored step, and when."""

    seat: int | None
    decider: Decider | None
    sequence: int
    at: float
    signal: bool


class Ledger:
    """Every line of a table's record, in order. A decision that was taken back is not in it."""

    def __init__(self, lines: Iterable[Line] = ()) -> None:
        self.lines = list(lines)

    def add(self, step: Step, bot: str | None) -> None:
        """Note a stored step. `bot` is the seat's own: who decided for it before deciders were stored."""
        if step.undoes:
            own = (i for i, line in enumerate(self.lines) if line.seat == step.seat and not line.signal)
            del self.lines[max(own)]
            return
        decider = Decider.read(step.decider or "") or (Decider("bot", bot) if bot else None)
        at = step.at or time.time()
        decided_by = decider if step.seat is not None else None
        for line in step.lines:
            who = line[0]
            seat = None if who == "*" else int(line[2] if who == "!" else who)  # at most six seats: one digit
            self.lines.append(Line(seat, decided_by, step.sequence, at, who == "!"))

    def played(self, seats: int) -> list[list[Span]]:
        """Who decided for each seat, from line to line."""
        found: list[list[tuple[Decider, int, int]]] = [[] for _ in range(seats)]
        for number, line in enumerate(self.lines, 1):
            if line.seat is not None and line.decider is not None:
                spans, first = found[line.seat], number
                if spans and spans[-1][0] == line.decider:
                    first = spans.pop()[1]
                spans.append((line.decider, first, number))
        return [
            [Span(first=first, last=last, kind=by.kind, bot=by.bot) for by, first, last in spans] for spans in found
        ]


def write_tag(spans: Iterable[Span]) -> str:
    """Spans as a record's tag: `1-30 person, 31-64 bot steady`."""
    return ", ".join(f"{span.first}-{span.last} {Decider(span.kind, span.bot)}" for span in spans)


def read_tag(text: str) -> list[Span]:
    """The spans in a record's tag; none if it cannot be read."""
    spans: list[Span] = []
    for part in text.split(", ")[:MAX_SPANS]:
        found = _SPAN.fullmatch(part)
        decider = Decider.read(part.partition(" ")[2])
        if found is None or decider is None or int(found[2]) < int(found[1]):
            return []
        spans.append(Span(first=int(found[1]), last=int(found[2]), kind=decider.kind, bot=decider.bot))
    return spans
