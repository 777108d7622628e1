"""The commands of a review room."""

from __future__ import annotations

import asyncio

from tacit.server import together_protocol
from tacit.server.errors import refuse
from tacit.server.limits import RateLimit
from tacit.server.live_table import LiveTable
from tacit.server.models import RoomRow
from tacit.server.rooms import Edit
from tacit.server.seating import Caller, need_match, seat_row_at
from tacit.server.table_service import TableService
from tacit.server.together_protocol import Drawn, Reaction

MAX_DRAWN = 60  # marks and arrows of a seat in one room
MAX_REACTIONS = 200  # signs of a seat in one room


class RoomCommands:
    """Carries out the commands of review rooms: `_go` for Go, and so on."""

    tables: TableService
    act_limit: RateLimit

    def _acting(self, caller: Caller) -> tuple[LiveTable, int]:
        """The caller's table and seat; refused if the seat acts too often."""
        table, seat = caller.table, caller.need_seat()
        self.act_limit.take((table.row.id, seat))
        return table, seat

    def _in_room(self, caller: Caller) -> tuple[LiveTable, int]:
        """The caller's table and seat; refused before the match is over."""
        table, seat = self._acting(caller)
        need_match(table)
        if not table.over:
            raise refuse("phase.not-over")
        return table, seat

    async def _change(self, table: LiveTable, edit: Edit) -> None:
        await asyncio.shield(self.tables.run_to_completion(self.tables.rooms.change(table, edit)))

    async def _open_room(self, caller: Caller, wish: together_protocol.OpenRoom) -> None:
        table, seat = self._in_room(caller)
        await asyncio.shield(self.tables.run_to_completion(self.tables.rooms.open(table, seat)))

    async def _lead(self, caller: Caller, lead: together_protocol.Lead) -> None:
        table, seat = self._in_room(caller)
        if seat_row_at(table.row, lead.seat).kind != "person":
            raise refuse("seat.not-person")

        def edit(room: RoomRow) -> None:
            if seat != room.leader and (lead.seat != seat or table.absence_left(room.leader) > 0):
                raise refuse("room.leader")
            room.leader = lead.seat

        await self._change(table, edit)

    async def _go(self, caller: Caller, go: together_protocol.Go) -> None:
        table, seat = self._in_room(caller)
        steps = len(need_match(table).lines)

        def edit(room: RoomRow) -> None:
            if seat != room.leader:
                raise refuse("room.leader")
            room.step = min(go.step, steps)

        await self._change(table, edit)

    async def _mark(self, caller: Caller, mark: together_protocol.Mark) -> None:
        table, seat = self._in_room(caller)

        def edit(room: RoomRow) -> None:
            if mark.piece is None:
                room.drawn = [one for one in room.drawn if (one.seat, one.step) != (seat, mark.step)]
                return
            drawn = Drawn(seat=seat, step=mark.step, piece=mark.piece, to=mark.to)
            if drawn in room.drawn:
                room.drawn.remove(drawn)
                return
            if sum(one.seat == seat for one in room.drawn) >= MAX_DRAWN:
                raise refuse("room.marks", n=MAX_DRAWN)
            room.drawn.append(drawn)

        await self._change(table, edit)

    async def _react(self, caller: Caller, react: together_protocol.React) -> None:
        table, seat = self._in_room(caller)

        def edit(room: RoomRow) -> None:
            reaction = Reaction(seat=seat, step=react.step, sign=react.sign)
            if reaction in room.reactions:
                room.reactions.remove(reaction)
                return
            if sum(one.seat == seat for one in room.reactions) >= MAX_REACTIONS:
                raise refuse("room.marks", n=MAX_REACTIONS)
            room.reactions.append(reaction)

        await self._change(table, edit)

    async def _agree(self, caller: Caller, agree: together_protocol.Agree) -> None:
        table, seat = self._in_room(caller)

        def edit(room: RoomRow) -> None:
            room.agreed = sorted(set(room.agreed) | {seat} if agree.hands == "open" else set(room.agreed) - {seat})

        await self._change(table, edit)
