"""Presence: which people of a table are connected, here or to another process, and since when the others are away."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable

import msgspec

from tacit.server.subscriber import Subscriber

POLLED_PRESENT = 30.0  # seconds for which an HTTP request makes its seat present


class Moment(msgspec.Struct, frozen=True, gc=False):
    """A point in time on two clocks: wall time, which clients are told, and monotonic time, to wait by."""

    wall: float  # seconds since 1970
    steady: float  # time.monotonic

    @classmethod
    def now(cls) -> Moment:
        return cls(time.time(), time.monotonic())

    def ago(self) -> float:
        """Seconds since then, even if the wall clock was set meanwhile."""
        return time.monotonic() - self.steady


class Presence:
    """The presence of the seats of one table. All times but `away_since` are of time.monotonic."""

    def __init__(self, seats: int, subscribers: set[Subscriber]) -> None:
        self.subscribers = subscribers  # of the table, in this process
        self.polled_until = [-math.inf] * seats
        self.elsewhere: list[dict[str, float]] = [{} for _ in range(seats)]  # process -> until when it vouches
        self.away_since: list[Moment | None] = [Moment.now()] * seats
        self.process = ""  # this one, as others know it

    def polled(self, seat: int) -> bool:
        """Note an HTTP request of a seat; True if that makes the seat present."""
        now = time.monotonic()
        before, self.polled_until[seat] = self.polled_until[seat], now + POLLED_PRESENT
        return before < now

    def vouched(self, process: str, seats: Iterable[int], seconds: float) -> None:
        """Note that another process has connections of exactly these seats, valid for some seconds."""
        until = time.monotonic() + seconds
        for vouchers in self.elsewhere:
            vouchers.pop(process, None)
        for seat in seats:
            if 0 <= seat < len(self.elsewhere):
                self.elsewhere[seat][process] = until

    def is_present(self, seat: int) -> bool:
        for subscriber in self.subscribers:
            if subscriber.seat == seat:
                return True
        now = time.monotonic()
        return self.polled_until[seat] > now or any(until > now for until in self.elsewhere[seat].values())

    def is_elsewhere(self) -> bool:
        """Do people of this table meet in another process, whose part it is to play the bots? Of several that have
        some, in the one whose name comes first.
        """
        now = time.monotonic()
        others = {one for vouchers in self.elsewhere for one, until in vouchers.items() if until > now}
        return bool(others) and (min(others) < self.process or not self.local())

    def local(self) -> list[int]:
        """The seats that are connected to this process."""
        now = time.monotonic()
        connected = {subscriber.seat for subscriber in self.subscribers}
        return [q for q, until in enumerate(self.polled_until) if q in connected or until > now]

    def is_stale(self) -> bool:
        """Has a seat come or gone since the last `update`?"""
        return any(self.is_present(q) == (away is not None) for q, away in enumerate(self.away_since))

    def update(self) -> None:
        """Note which seats came and which went."""
        for q, away in enumerate(self.away_since):
            if self.is_present(q):
                self.away_since[q] = None
            elif away is None:
                self.away_since[q] = Moment.now()
