"""What spectators see of a running match: with a seat's eyes if it lends them, or everything, but later."""

from __future__ import annotations

import time
from typing import Any

import msgspec

from tacit.core.match import Match, SeatView
from tacit.core.seat_view import Sight
from tacit.server.deciders import Ledger
from tacit.server.models import RoomRow, TableRow
from tacit.server.together_protocol import Room


def as_spectator(view: Sight) -> Sight:
    """A seat's view for somebody who looks over its shoulder: they decide nothing."""
    return msgspec.structs.replace(view, legal=[], signals=[], undo=None, asked=None)


class DelayedMatch:
    """A table's match as delayed spectators see it: every hand and the record's lines, up to some time ago.

    It ends before the last decisions or minutes, and never within a sealed moment that is still going on: so it has
    nothing that may still be taken back.
    """

    def __init__(self) -> None:
        self.match: Match | None = None
        self.views: list[Any] | None = None  # of each seat
        self._view: Sight | None = None

    def view(self, played: Match, shown: int) -> Sight | None:
        """What delayed spectators see now, who may see so many lines of the record (`shown_lines`)."""
        lines = played.lines[:shown]
        if self.match is None or self.match.lines != lines:
            self._follow(played, lines)
        return self._view

    def _follow(self, played: Match, lines: list[str]) -> None:
        match = self.match
        if match is None or match.lines != lines[: len(match.lines)]:
            match = Match(played.game, played.seats, played.options, settle=False, rules_version=played.rules_version)
        for line in lines[len(match.lines) :]:
            match.replay(line)
        self.match, self.views = match, [match.see(q).view for q in range(match.seats)]
        self._view = Sight.of(SeatView(match.see(None).view, [], list(lines)))


def shown_lines(match: Match, row: TableRow, ledger: Ledger, sequence: int) -> int:
    """How many lines of the record delayed spectators may see, after the stored step `sequence`."""
    last = sequence - (row.delay_decisions or 0)
    until = time.time() - 60.0 * (row.delay_minutes or 0)
    shown = len(match.lines) if match.moment_began is None else match.moment_began
    while shown and (ledger.lines[shown - 1].sequence > last or ledger.lines[shown - 1].at > until):
        shown -= 1
    return shown


def room_event(room: RoomRow, row: TableRow) -> Room:
    """The `room` message. Hands are open once every person who sat there agrees."""
    people = {q for q, seat_row in enumerate(row.seats) if seat_row.kind == "person"}
    return Room(
        leader=room.leader, step=room.step, drawn=room.drawn, reactions=room.reactions, agreed=room.agreed,
        open=people <= set(room.agreed),
    )  # fmt: skip
