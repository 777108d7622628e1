"""What spectators see of a running match: with a seat's eyes if it lends them, or everything, but later."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec

from tacit.core.match import Match, SeatView

if TYPE_CHECKING:
    from tacit.server.live_table import LiveTable


def as_spectator(view: SeatView) -> SeatView:
    """A seat's view for somebody who looks over its shoulder: they decide nothing."""
    return msgspec.structs.replace(view, legal=[], signals=[], undo=None)


class DelayedMatch:
    """A table's match as delayed spectators see it: every hand and the record's lines, up to some time ago.

    It ends before the last decisions or minutes, and never within a sealed moment that is still going on: so it has
    nothing that may still be taken back.
    """

    def __init__(self) -> None:
        self.match: Match | None = None
        self.views: list[Any] | None = None  # of each seat
        self._view: SeatView | None = None

    def view(self, table: LiveTable) -> SeatView | None:
        """What delayed spectators see now; None before the match has begun."""
        if table.match is None:
            return None
        lines = table.match.lines[: shown_lines(table)]
        if self.match is None or self.match.lines != lines:
            self._follow(table.match, lines)
        return self._view

    def _follow(self, played: Match, lines: list[str]) -> None:
        match = self.match
        if match is None or match.lines != lines[: len(match.lines)]:
            match = Match(played.game, played.seats, played.options, settle=False, rules_version=played.rules_version)
        for line in lines[len(match.lines) :]:
            match.replay(line)
        self.match, self.views = match, [match.see(q).view for q in range(match.seats)]
        self._view = SeatView(match.see(None).view, [], list(lines))


def shown_lines(table: LiveTable) -> int:
    """How many lines of the record delayed spectators may see."""
    assert table.match is not None
    sequence = table.sequence - (table.row.delay_decisions or 0)
    until = time.time() - 60.0 * (table.row.delay_minutes or 0)
    moment = table.match.begun_moment
    shown = len((moment or table.match).lines)
    made = table.ledger.lines
    while shown and (made[shown - 1].sequence > sequence or made[shown - 1].at > until):
        shown -= 1
    return shown
