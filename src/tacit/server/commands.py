"""What people ask of a table, command by command: each is carried out whole, or refused with a sentence."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from tacit.bots import usual_bot
from tacit.core.messages import Message
from tacit.server import protocol
from tacit.server.config import Config
from tacit.server.errors import RequestRefused, refuse
from tacit.server.keys import new_table_name, person_of
from tacit.server.limits import RateLimit
from tacit.server.live_table import LiveTable
from tacit.server.models import SeatRow, TableRow
from tacit.server.names import checked_chat
from tacit.server.seating import (
    Place,
    chair_at,
    checked_bot,
    free_seat,
    gathering,
    need_chat,
    new_chair,
    own_seat,
    running_match,
)

if TYPE_CHECKING:
    from tacit.server.table_service import TableService


NAMES = {kind: "_do_" + tag.replace("-", "_") for tag, kind in protocol.COMMANDS.items()}


class Commands:
    """The commands of the protocol, `_do_x` for each."""

    def __init__(self, tables: TableService, config: Config) -> None:
        self.tables = tables
        self.acting = RateLimit(*config.act_limit)
        self.chatting = RateLimit(*config.chat_limit)

    async def do(self, place: Place, command: protocol.Command) -> protocol.Done | protocol.Previewed:
        """Carry out a command, or refuse it."""
        handler = getattr(self, NAMES[type(command)])
        answer: protocol.Done | protocol.Previewed | None = await handler(place, command)
        return answer or protocol.Done(id=command.id)

    async def _do_act(self, place: Place, act: protocol.Act) -> protocol.Done:
        seat, live = place.need_seat(), place.live
        self.acting.take((live.row.id, seat))
        again = await self.tables.decide(live, seat, act.ask, act.texts, live.decider(seat))
        if live.row.chairs[seat].sitting_in is not None or live.row.chairs[seat].left:
            await self._come_back(live, seat)  # only now: a refused decision changes nothing
        return protocol.Done(id=act.id, again=again)

    async def _do_decline(self, place: Place, decline: protocol.Decline) -> None:
        seat, live = place.need_seat(), place.live
        self.acting.take((live.row.id, seat))
        await self.tables.decline(live, seat, decline.ask)

    async def _do_signal(self, place: Place, signal: protocol.Signal) -> None:
        seat, live = place.need_seat(), place.live
        self.acting.take((live.row.id, seat))
        await self.tables.signal(live, seat, signal.text, live.decider(seat))

    async def _do_preview(self, place: Place, preview: protocol.Preview) -> protocol.Previewed:
        seat, live = place.need_seat(), place.live
        self.acting.take((live.row.id, seat))
        match = running_match(live)
        sight = await asyncio.to_thread(match.preview, seat, preview.texts)
        return live.previewed(sight, len(live.sights[seat].heard), preview.id)

    async def _do_claim(self, place: Place, claim: protocol.Claim) -> None:
        def edit(row: TableRow) -> None:
            gathering(row)
            old = own_seat(place, row)
            seat = free_seat(row.chairs, claim.seat)
            row.chairs[seat], row.chairs[old] = row.chairs[old], SeatRow()

        await self.tables.change(place.live, edit)

    async def _do_arrange(self, place: Place, arrange: protocol.Arrange) -> None:
        place.need_maker()

        def edit(row: TableRow) -> None:
            gathering(row)
            if chair_at(row, arrange.seat).kind == "person":
                raise refuse("seat.taken")
            row.chairs[arrange.seat] = new_chair(place.live.game, arrange.chair)

        await self.tables.change(place.live, edit)

    async def _do_remove(self, place: Place, remove: protocol.Remove) -> None:
        place.need_maker()

        def edit(row: TableRow) -> None:
            gathering(row)
            if chair_at(row, remove.seat).kind != "person":
                raise refuse("seat.not-person")
            if remove.seat == place.live.seat_of(place.key_hash):
                raise refuse("seat.self")
            row.chairs[remove.seat] = SeatRow()

        await self.tables.change(place.live, edit)

    async def _do_start(self, place: Place, start: protocol.Start) -> None:
        place.need_maker()

        def edit(row: TableRow) -> None:
            gathering(row)
            free = [q for q, chair in enumerate(row.chairs) if chair.kind == "open"]
            if free and start.fill is None:
                raise RequestRefused(Message("server.start.open", {"n": len(free)}))
            for q in free:
                row.chairs[q] = new_chair(place.live.game, protocol.Chair(kind="bot", bot=start.fill))
            row.phase, row.rules_version = "playing", place.live.game.rules_version

        await self.tables.change(place.live, edit, begins=True)

    async def _do_leave(self, place: Place, leave: protocol.Leave) -> None:
        def edit(row: TableRow) -> None:
            seat = own_seat(place, row)
            if row.phase == "gathering":
                row.chairs[seat] = SeatRow()
                place.live.gave_up.add(place.key_hash or "")
                heirs = [chair.key_hash for chair in row.chairs if chair.key_hash]
                if place.maker and heirs:
                    row.maker_hash = heirs[0]
            else:
                row.chairs[seat].left = True

        place.need_seat()
        await self.tables.change(place.live, edit)

    async def _do_return(self, place: Place, back: protocol.Return) -> None:
        seat = place.need_seat()
        chair = place.live.row.chairs[seat]
        if chair.sitting_in is None and not chair.left:
            raise refuse("return.not-away")
        await self._come_back(place.live, seat)

    async def _come_back(self, live: LiveTable, seat: int) -> None:
        def edit(row: TableRow) -> None:
            chair = row.chairs[seat]
            chair.sitting_in, chair.left, chair.agreed = None, False, []

        await self.tables.change(live, edit)

    async def _do_sit_in(self, place: Place, wish: protocol.SitIn) -> None:
        live = place.live
        bot = checked_bot(live.game, wish.bot or usual_bot(live.game))

        def edit(row: TableRow) -> None:
            if live.phase != "playing":
                raise refuse("phase.not-started" if live.phase == "gathering" else "phase.over")
            voter, chair = own_seat(place, row), chair_at(row, wish.seat)
            if wish.seat == voter:
                raise refuse("sit-in.own")
            if chair.kind != "person":
                raise refuse("seat.not-person")
            if chair.sitting_in is not None:
                raise refuse("sit-in.already")
            if not chair.left:
                self._need_grace(live, wish.seat)
            chair.agreed = sorted({*chair.agreed, voter})
            others = [
                q for q, other in enumerate(row.chairs)
                if q != wish.seat and other.kind == "person" and not other.left and live.here(q)
            ]  # fmt: skip
            if set(others) <= set(chair.agreed):
                chair.sitting_in, chair.agreed = bot, []

        place.need_seat()
        await self.tables.change(live, edit)

    def _need_grace(self, live: LiveTable, seat: int) -> None:
        live.look_round()
        since = live.away_since[seat]
        if since is None:
            raise refuse("sit-in.here")
        left = live.grace - since.ago()
        if left > 0:
            raise RequestRefused(Message("server.sit-in.grace", {"n": int(left) + 1}))

    async def _do_chat(self, place: Place, chat: protocol.Chat) -> None:
        place.need_seat()
        need_chat(place.live)
        text = checked_chat(chat.text)
        self.chatting.take((place.live.row.id, place.key_hash))
        await self.tables.say(place, text)

    async def _do_mute(self, place: Place, mute: protocol.Mute) -> None:
        def edit(row: TableRow) -> None:
            other = chair_at(row, mute.seat)
            if other.key_hash is None:
                raise refuse("seat.not-person")
            chair, person = row.chairs[own_seat(place, row)], {person_of(other.key_hash)}
            chair.muted = sorted(set(chair.muted) | person if mute.chat == "muted" else set(chair.muted) - person)

        place.need_seat()
        await self.tables.change(place.live, edit)

    async def _do_rematch(self, place: Place, rematch: protocol.Rematch) -> None:
        place.need_seat()
        live = place.live

        def edit(row: TableRow) -> TableRow | None:
            if not live.over:
                raise refuse("phase.not-over")
            if row.next is not None:
                return None  # someone was quicker: it is the same rematch
            options = live.game.check(len(row.chairs), {**row.options, **rematch.options})
            chairs = [
                SeatRow(c.kind, c.name, c.bot, c.key_hash, muted=c.muted, client=c.client) if not c.left else SeatRow()
                for c in row.chairs
            ]
            new = row.copy()
            new.id, new.phase, new.made, new.revision = new_table_name(), "gathering", time.time(), 0
            new.rules_version, new.options, new.chairs = live.game.rules_version, options, chairs
            if not live.is_here(row.maker_hash):
                new.maker_hash = place.key_hash or row.maker_hash
            row.next = new.id
            return new

        if live.row.visibility == "open" and live.row.next is None:
            self.tables.lobby.need_share(live.address)
        await self.tables.change(live, edit)

    async def _do_follow(self, place: Place, follow: protocol.Follow) -> None:
        raise refuse("follow.http", 400)
