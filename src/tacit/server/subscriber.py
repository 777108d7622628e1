"""A subscriber of a table: one WebSocket, or one HTTP request that waits. It keeps what it was sent last."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

import tacit
from tacit.core.messages import Message
from tacit.core.seat_view import Sight
from tacit.server.errors import RequestRefused
from tacit.server.models import TableRow
from tacit.server.protocol import PROTOCOL, Removed, Welcome

encode = msgspec.json.Encoder().encode


class Subscriber:
    """Sends a message only if it differs from the last of its kind, so that traffic tells nothing either."""

    def __init__(self, key_hash: str | None, seat: int | None, send: Callable[[bytes], None]) -> None:
        self.key_hash, self.seat, self.send = key_hash, seat, send
        self.row: TableRow | None = None  # by which `seat` was looked up
        self.welcomed: tuple[int | None, bool] | None = None  # the seat and the maker's flag of the last `welcome`
        self.notice: Message | None = None  # goes with each `welcome`
        self.view: Sight | None = None
        self.asked: tuple[object, ...] = ()  # the last `ask`, `race_until`, and what only this seat is told
        self.table = b""
        self.room = b""
        self.chat_number = 0  # of the last line of chat
        self.removed = False

    @property
    def is_maker(self) -> bool:
        return self.welcomed is not None and self.welcomed[1]

    def forget_view(self) -> None:
        """Send the whole view next time."""
        self.view, self.asked = None, ()

    def send_welcome(self, seat: int | None, maker: bool) -> None:
        """Send `welcome`, at first and when the seat or the maker has changed. The whole view follows it."""
        if (seat, maker) != self.welcomed:
            self.welcomed = (seat, maker)
            self.forget_view()
            welcome = Welcome(
                protocol=PROTOCOL, software=tacit.__version__, seat=seat, maker=maker, notice=self.notice
            )  # fmt: skip
            self.send(encode(welcome))

    def send_table(self, table: bytes) -> None:
        if table != self.table:
            self.table = table
            self.send(table)

    def send_room(self, room: bytes) -> None:
        if room != self.room:
            self.room = room
            self.send(room)

    def send_removed(self, reason: RequestRefused) -> None:
        """Tell that this subscriber may listen no longer."""
        self.removed = True
        self.send(encode(Removed(reason=reason.message, sentence=str(reason))))

    def lines_kept(self, heard: list[str]) -> int:
        """How many lines at the beginning of `heard` it has already."""
        before = self.view.heard if self.view is not None else []
        if heard[: len(before)] == before:
            return len(before)
        # Lines were withdrawn (rare): compare one by one.
        differing = (i for i, (old, new) in enumerate(zip(before, heard, strict=False)) if old != new)
        return next(differing, min(len(before), len(heard)))
