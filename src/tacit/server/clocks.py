"""The time of the seats of a table: for each decision, with a reserve for the whole match, and without its pauses.

All of it follows from what is stored, so that it goes on through restarts and is the same in every process.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from tacit.server.models import Step, TableRow
from tacit.server.presence import Moment

LOADED_GRACE = 60.0  # seconds that a seat has at least after a server was down
SHORT_FROM = 3600  # seconds: only a clock of at least this tells that time is short
SHORT_PART = 0.2  # of the clock's time: when that is left, time is short


class Clock:
    """When each seat's question came up, and what is left of its reserve. Without a clock it only notes the former."""

    def __init__(self, row: TableRow) -> None:
        self.row = row
        self.opened = [Moment.now()] * len(row.seats)
        self.reserves = [float(row.reserve or 0)] * len(row.seats)
        self.loaded = Moment.now()
        # Of each seat's decisions: when their question came up, and the reserve then. Taking one back renews no clock.
        self.answered: list[list[tuple[Moment, float]]] = [[] for _ in row.seats]

    @property
    def paused(self) -> float | None:
        """Since when the match is paused; None if it is not."""
        last = self.row.pauses[-1] if self.row.pauses else []
        return last[0] if len(last) == 1 else None

    def count(self, step: Step, before: Sequence[int], decisions: int) -> None:
        """A step of so many decisions was stored: questions that changed begin now; an answer that took long uses up
        the reserve.
        """
        taken_back: tuple[Moment, float] | None = None
        if step.seat is not None and step.undoes:
            taken_back = self.answered[step.seat].pop() if self.answered[step.seat] else None
        elif step.seat is not None and step.ask is not None:
            self.answered[step.seat] += [(self.opened[step.seat], self.reserves[step.seat])] * decisions
            if self.row.clock is not None:
                used = self._used(step.seat, step.at) - self.row.clock
                self.reserves[step.seat] = max(0.0, self.reserves[step.seat] - max(0.0, used))
        if step.asks != before:
            now = _moment(step.at)
            for seat, ask in enumerate(step.asks):
                if ask != before[seat]:
                    self.opened[seat] = now
        if taken_back is not None and step.seat is not None:
            self.opened[step.seat], self.reserves[step.seat] = taken_back

    def is_late(self, seat: int) -> bool:
        """Is the time of the question over that a seat answered last?"""
        if self.row.clock is None or not self.answered[seat]:
            return False
        opened, reserve = self.answered[seat][-1]
        return opened.ago() - self._paused_between(opened.wall, time.time()) >= self.row.clock + reserve

    def _used(self, seat: int, until: float) -> float:
        """Seconds that a question has been open until a moment, without pauses."""
        opened = self.opened[seat].wall
        return until - opened - self._paused_between(opened, until)

    def _paused_between(self, start: float, end: float) -> float:
        spans = ((pause[0], pause[1] if len(pause) > 1 else end) for pause in self.row.pauses or [])
        return sum(max(0.0, min(to, end) - max(begin, start)) for begin, to in spans)

    def deadline(self, seat: int) -> float | None:
        """When a seat's time is over (wall time); None without a clock, and while the match is paused."""
        if self.row.clock is None or self.paused is not None:
            return None
        opened = self.opened[seat].wall
        end = opened + self._paused_between(opened, time.time()) + self.row.clock + self.reserves[seat]
        return max(end, self.loaded.wall + min(self.row.clock, LOADED_GRACE))

    def left(self, seat: int) -> float:
        """Seconds until then, even if the wall clock was set meanwhile; 0 without a clock."""
        if self.row.clock is None:
            return 0.0
        opened = self.opened[seat]
        pauses = self._paused_between(opened.wall, time.time())
        left = self.row.clock + self.reserves[seat] + pauses - opened.ago()
        return max(0.0, left, min(self.row.clock, LOADED_GRACE) - self.loaded.ago())

    def short_at(self, seat: int, opened: float) -> float | None:
        """When a seat is told that time is short, for a question that opens at a moment; None if it is not told."""
        if self.row.clock is None or self.row.clock < SHORT_FROM:
            return None
        return opened + (1 - SHORT_PART) * self.row.clock + self.reserves[seat]


def _moment(wall: float) -> Moment:
    """A moment of the past. One of the future is now: the clock was set back."""
    now, steady = time.time(), time.monotonic()
    return Moment(wall, steady - (now - wall)) if wall < now else Moment(now, steady)
