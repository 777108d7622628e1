"""The commands about aids: what a seat can work out, its notes, hints. What it is told follows from what it knows."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from tacit.core.outlook import Outlook, outlook
from tacit.server import aid_protocol
from tacit.server.errors import refuse
from tacit.server.hints import MAX_HINTS, hint_for
from tacit.server.live_table import LiveTable
from tacit.server.models import TableRow
from tacit.server.names import checked_chat
from tacit.server.room_commands import RoomCommands
from tacit.server.seating import Caller, need_match, need_running
from tacit.server.thinking import Late

T = TypeVar("T")
MAX_NOTES = 80  # of one seat
WITHIN = 20.0  # seconds that a question may wait for a thread


class AidCommands(RoomCommands):
    """Carries out the commands about aids: `_work_out` for WorkOut, `_note`, `_hint`."""

    def __init__(self) -> None:
        # What each seat could work out when it last asked, and what it knew then: so that asking again costs nothing.
        self.outlooks: WeakKeyDictionary[LiveTable, dict[int, tuple[Any, Outlook]]] = WeakKeyDictionary()

    async def _work_out(self, caller: Caller, wish: aid_protocol.WorkOut) -> aid_protocol.WorkedOut:
        table, seat = self._aided(caller)
        match = need_match(table)
        known, kept = match.know(seat), self.outlooks.setdefault(table, {})
        if seat not in kept or kept[seat][0] != known:
            kept[seat] = (known, await self._thought(table, partial(outlook, match.game, known, seat)))
        return aid_protocol.WorkedOut(outlook=kept[seat][1], id=wish.id)

    async def _note(self, caller: Caller, note: aid_protocol.Note) -> None:
        table, _ = self._aided(caller)
        need_match(table)
        text = checked_chat(note.text) if note.text.strip() else ""

        def edit(row: TableRow) -> None:
            seat_row = row.seats[caller.seat_in(row)]
            others = {place: old for place, old in (seat_row.notes or {}).items() if place != note.place}
            if text and len(others) >= MAX_NOTES:
                raise refuse("note.many", most=MAX_NOTES)
            seat_row.notes = others | ({note.place: text} if text else {})

        await self.tables.change(table, edit)

    async def _hint(self, caller: Caller, wish: aid_protocol.Hint) -> aid_protocol.Hinted:
        table, seat = self._aided(caller)
        if table.row.aids != "hints":
            raise refuse("hint.none")
        if wish.ask > table.asks[seat]:  # another process asked this question, and its note has not arrived yet
            await self.tables.reload([table.row.id])
        need_running(table)
        if table.over or wish.ask != table.open_ask(seat):
            raise refuse("act.stale")
        match = need_match(table)
        if len(table.views[seat].legal) == 1:
            raise refuse("hint.only")

        def edit(row: TableRow) -> None:
            seat_row = row.seats[caller.seat_in(row)]
            given = seat_row.hints or []
            if len({*given, wish.ask}) > MAX_HINTS:
                raise refuse("hint.spent", most=MAX_HINTS)
            seat_row.hints = sorted({*given, wish.ask})

        if wish.ask not in (table.row.seats[seat].hints or []):
            await self.tables.change(table, edit)  # first: a hint that was seen is counted, whatever happens then
        text, offer, why = await self._thought(table, partial(hint_for, match, seat))
        left = MAX_HINTS - len(table.row.seats[seat].hints or [])
        return aid_protocol.Hinted(ask=wish.ask, text=text, offer=offer, why=why, left=left, id=wish.id)

    def _aided(self, caller: Caller) -> tuple[LiveTable, int]:
        """The caller's table and seat; refused at a table without aids."""
        table, seat = self._acting(caller)
        if table.row.aids == "none":
            raise refuse("aids.none")
        return table, seat

    async def _thought(self, table: LiveTable, work: Callable[[], T]) -> T:
        """What some work comes to, done in the bots' threads when it is this table's turn."""
        until = time.monotonic() + WITHIN
        try:
            found: T = await self.tables.bot_seats.thinking.submit(table.address, table.row.id, work, until)
        except Late:
            raise refuse("aids.late", 503) from None
        return found
