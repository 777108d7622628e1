"""The commands of the protocol, one method each. A command is carried out whole, or refused with a sentence."""

from __future__ import annotations

import asyncio
import math
import time
from functools import partial

from tacit.bots import usual_bot
from tacit.core.messages import Message
from tacit.server import aid_protocol, protocol, together_protocol, wire
from tacit.server.aid_commands import AidCommands
from tacit.server.config import Config
from tacit.server.consent import is_paused, resume, set_wish
from tacit.server.deciders import Decision
from tacit.server.deciding import Answer
from tacit.server.errors import RequestRefused, refuse
from tacit.server.keys import new_salt, new_table_name, person_of
from tacit.server.limits import RateLimit
from tacit.server.live_table import LiveTable
from tacit.server.models import SeatRow, TableRow
from tacit.server.names import checked_chat
from tacit.server.seating import (
    Caller,
    checked_bot,
    free_seat,
    need_chat,
    need_gathering,
    need_match,
    need_running,
    new_seat_row,
    seat_row_at,
    start,
)
from tacit.server.table_info import previewed
from tacit.server.table_service import TableService
from tacit.server.tasks import try_acquire

Reply = protocol.Done | protocol.Previewed | aid_protocol.WorkedOut | aid_protocol.Hinted
METHODS = {kind: "_" + tag.replace("-", "_") for tag, kind in wire.COMMANDS.items()}


class Commands(AidCommands):
    """Carries out commands: `_act` for Act, `_sit_in` for SitIn, and so on."""

    def __init__(self, tables: TableService, config: Config) -> None:
        super().__init__()
        self.tables = tables
        self.act_limit = RateLimit(*config.act_limit)
        self.chat_limit = RateLimit(*config.chat_limit)

    async def run(self, caller: Caller, command: protocol.Command) -> Reply:
        """Carry out a command. Raises TacitError if it is refused. Who is shut out can only leave."""
        if caller.seat is not None and not isinstance(command, protocol.Leave):
            self.tables.people.need_welcome(caller.table.row.seats[caller.seat].player)
        method = getattr(self, METHODS[type(command)])
        answer: Reply | None = await method(caller, command)
        return answer or protocol.Done(id=command.id)

    # -------------------------------------------------------------- the match
    async def _act(self, caller: Caller, act: protocol.Act) -> protocol.Done:
        table, seat = self._acting(caller)
        return await self._decide(table, Decision(seat, act.ask, act.texts, table.decider(seat)), act.id)

    def act_soon(self, caller: Caller, act: protocol.Act, answer: Answer) -> bool:
        """Act without a task, as `Deciding.decide_soon` does, at once or after the decision that is being stored; False
        if `run` must carry it out.
        """
        table, seat = caller.table, caller.seat
        if seat is None:
            return False
        if act.ask != table.open_ask(seat):
            if act.ask < table.asks[seat] and not table.lock.locked() and (seat, act.ask) not in table.answered:
                self.act_limit.take((table.row.id, seat))
                need_running(table)
                raise refuse("act.stale")  # another seat was first, as in many a race
            return False
        row = table.row.seats[seat]
        if row.bot_now is not None or row.left:
            return False
        if table.lock.locked():  # mostly by a decision: where choices are sealed, all seats decide at once
            return self.tables.deciding.after_this(table, partial(self._act_next, caller, act, answer))
        if not try_acquire(table.lock):
            return False
        try:
            self.tables.people.need_welcome(row.player)
            self.act_limit.take((table.row.id, seat))
            self.tables.deciding.decide_soon(table, Decision(seat, act.ask, act.texts, table.decider(seat)), answer)
        except BaseException:
            table.lock.release()
            raise
        return True

    def _act_next(self, caller: Caller, act: protocol.Act, answer: Answer) -> None:
        """Act, now that the decision before it is published."""
        try:
            if not self.act_soon(caller, act, answer):
                self.tables.run_to_completion(self._act_later(caller, act, answer))
        except Exception as error:
            answer(error)

    async def _act_later(self, caller: Caller, act: protocol.Act, answer: Answer) -> None:
        """The same where that takes longer."""
        try:
            outcome: bool | Exception = (await self._act(caller, act)).again
        except Exception as error:
            outcome = error
        answer(outcome)

    async def _undo(self, caller: Caller, undo: together_protocol.Undo) -> protocol.Done:
        table, seat = self._acting(caller)
        return await self._decide(table, Decision(seat, undo.ask, [], table.decider(seat), undoes=True), undo.id)

    async def _decide(self, table: LiveTable, decision: Decision, id: int | None) -> protocol.Done:
        seat, again = decision.seat, await self.tables.decide(table, decision)
        if table.row.seats[seat].sitting_in is not None or table.row.seats[seat].left:
            await self._take_back(table, seat)  # only now: a refused decision changes nothing
        return protocol.Done(id=id, again=again)

    async def _decline(self, caller: Caller, decline: protocol.Decline) -> None:
        table, seat = self._acting(caller)
        await self.tables.decline(table, seat, decline.ask)

    async def _signal(self, caller: Caller, signal: protocol.Signal) -> None:
        table, seat = self._acting(caller)
        await self.tables.decide(table, Decision(seat, None, [signal.text], table.decider(seat)))

    async def _preview(self, caller: Caller, preview: protocol.Preview) -> protocol.Previewed:
        table, seat = self._acting(caller)
        view = await asyncio.to_thread(need_match(table).preview, seat, preview.texts)
        return previewed(table.game, view, len(table.views[seat].heard), preview.id)

    # -------------------------------------------------------------- before the match
    async def _claim(self, caller: Caller, claim: protocol.Claim) -> None:
        def edit(row: TableRow) -> None:
            need_gathering(row)
            old = caller.seat_in(row)
            seat = free_seat(row.seats, claim.seat)
            row.seats[seat], row.seats[old] = row.seats[old], SeatRow()

        await self.tables.change(caller.table, edit)

    async def _arrange(self, caller: Caller, arrange: protocol.Arrange) -> None:
        caller.need_maker()

        def edit(row: TableRow) -> None:
            need_gathering(row)
            if seat_row_at(row, arrange.seat).kind == "person":
                raise refuse("seat.taken")
            row.seats[arrange.seat] = new_seat_row(caller.table.game, arrange.chair, caller.table.deal)

        await self.tables.change(caller.table, edit)

    async def _remove(self, caller: Caller, remove: protocol.Remove) -> None:
        caller.need_maker()

        def edit(row: TableRow) -> None:
            need_gathering(row)
            if seat_row_at(row, remove.seat).kind != "person":
                raise refuse("seat.not-person")
            if remove.seat == caller.table.seat_of(caller.key_hash):
                raise refuse("seat.self")
            row.seats[remove.seat] = SeatRow()

        await self.tables.change(caller.table, edit)

    async def _start(self, caller: Caller, wish: protocol.Start) -> None:
        caller.need_maker()
        game = caller.table.game

        def edit(row: TableRow) -> None:
            need_gathering(row)
            free = [q for q, seat_row in enumerate(row.seats) if seat_row.kind == "open"]
            if free and wish.fill is None:
                raise RequestRefused(Message("server.start.open", {"n": len(free)}))
            for q in free:
                row.seats[q] = new_seat_row(game, protocol.Chair(kind="bot", bot=wish.fill), caller.table.deal)
            start(row)

        await self.tables.change(caller.table, edit, by=caller.key_hash)

    async def _stir(self, caller: Caller, stir: protocol.Stir) -> None:
        def edit(row: TableRow) -> None:
            need_gathering(row)
            if row.deal is not None:
                raise refuse("stir.deal")
            row.seats[caller.seat_in(row)].stirred = checked_chat(stir.text)

        caller.need_seat()
        await self.tables.change(caller.table, edit)

    # -------------------------------------------------------------- coming and going
    async def _leave(self, caller: Caller, leave: protocol.Leave) -> None:
        def edit(row: TableRow) -> None:
            seat = caller.seat_in(row)
            if row.phase == "gathering":
                row.seats[seat] = SeatRow()
                caller.table.left_keys |= {caller.key_hash or ""}
                heirs = [seat_row.key_hash for seat_row in row.seats if seat_row.key_hash]
                if caller.maker and heirs:
                    row.maker_hash = heirs[0]
            else:
                row.seats[seat].left = True

        caller.need_seat()
        await self.tables.change(caller.table, edit)

    async def _return(self, caller: Caller, back: protocol.Return) -> None:
        seat = caller.need_seat()
        seat_row = caller.table.row.seats[seat]
        if seat_row.sitting_in is None and not seat_row.left:
            raise refuse("return.not-away")
        await self._take_back(caller.table, seat)

    async def _take_back(self, table: LiveTable, seat: int) -> None:
        """The person decides for the seat again, and no bot."""

        def edit(row: TableRow) -> None:
            seat_row = row.seats[seat]
            seat_row.sitting_in, seat_row.left, seat_row.agreed = None, False, []

        await self.tables.change(table, edit)

    async def _sit_in(self, caller: Caller, wish: protocol.SitIn) -> None:
        table = caller.table
        bot = checked_bot(table.game, wish.bot or usual_bot(table.game))

        def edit(row: TableRow) -> None:
            if table.phase != "playing":
                raise refuse("phase.not-started" if table.phase == "gathering" else "phase.over")
            voter, absent = caller.seat_in(row), seat_row_at(row, wish.seat)
            if wish.seat == voter:
                raise refuse("sit-in.own")
            if absent.kind != "person":
                raise refuse("seat.not-person")
            if absent.sitting_in is not None:
                raise refuse("sit-in.already")
            if not absent.left:
                _need_absence(table, wish.seat)
            absent.agreed = sorted({*absent.agreed, voter})
            others = {
                q for q, other in enumerate(row.seats)
                if q != wish.seat and other.kind == "person" and not other.left and table.presence.is_present(q)
            }  # fmt: skip
            if others <= set(absent.agreed):
                absent.sitting_in, absent.agreed = bot, []

        caller.need_seat()
        await self.tables.change(table, edit)

    async def _lend(self, caller: Caller, lend: together_protocol.Lend) -> None:
        def edit(row: TableRow) -> None:
            if row.spectators != "seat":
                raise refuse("eyes.none")
            seat = caller.seat_in(row)
            if lend.eyes == "lent" and any(other.lent for q, other in enumerate(row.seats) if q != seat):
                raise refuse("eyes.taken")
            row.seats[seat].lent = lend.eyes == "lent"

        caller.need_seat()
        await self.tables.change(caller.table, edit)

    # -------------------------------------------------------------- by common consent; prepared answers
    async def _wish(self, caller: Caller, wish: protocol.Wish) -> None:
        self._acting(caller)
        need_running(caller.table)
        if wish.want == "end" and caller.table.row.deal is not None:
            raise refuse("wish.deal")

        def edit(row: TableRow) -> None:
            set_wish(row.seats[caller.seat_in(row)], wish.want, wish.answer == "yes")

        await self.tables.change(caller.table, edit)

    async def _resume(self, caller: Caller, back: protocol.Resume) -> None:
        self._acting(caller)

        def edit(row: TableRow) -> None:
            caller.seat_in(row)
            if not is_paused(row):
                raise refuse("resume.none")
            resume(row)

        await self.tables.change(caller.table, edit)

    async def _prepare(self, caller: Caller, prepare: protocol.Prepare) -> None:
        table, seat = self._acting(caller)
        need_running(table)
        answers = table.answers[seat] if prepare.answer == "yes" else None

        def edit(row: TableRow) -> None:
            row.seats[caller.seat_in(row)].prepared = answers

        await self.tables.change(table, edit)

    async def _contribute(self, caller: Caller, contribute: together_protocol.Contribute) -> None:
        caller.need_seat()
        need_match(caller.table)

        def edit(row: TableRow) -> None:
            row.seats[caller.seat_in(row)].contributes = contribute.answer == "yes"

        await self.tables.change(caller.table, edit)

    # -------------------------------------------------------------- chat
    async def _chat(self, caller: Caller, chat: protocol.Chat) -> None:
        caller.need_seat()
        need_chat(caller.table)
        text = checked_chat(chat.text)
        self.chat_limit.take((caller.table.row.id, caller.key_hash))
        await self.tables.chat(caller, text)

    async def _mute(self, caller: Caller, mute: protocol.Mute) -> None:
        def edit(row: TableRow) -> None:
            other = seat_row_at(row, mute.seat)
            if other.key_hash is None:
                raise refuse("seat.not-person")
            own, person = row.seats[caller.seat_in(row)], {person_of(other.key_hash)}
            own.muted = sorted(set(own.muted) | person if mute.chat == "muted" else set(own.muted) - person)

        caller.need_seat()
        await self.tables.change(caller.table, edit)

    # -------------------------------------------------------------- after the match
    async def _rematch(self, caller: Caller, rematch: protocol.Rematch) -> None:
        caller.need_seat()
        table = caller.table
        following = await self.tables.deals.next_in_duplicate(table) if table.over else None

        def edit(row: TableRow) -> TableRow | None:
            if not table.over:
                raise refuse("phase.not-over")
            if row.next is not None:
                return None  # another player was first: it is the same rematch
            new = row.copy()
            new.options = table.game.check(len(row.seats), {**row.options, **rematch.options})
            new.deal = new.subject = new.branched = new.epoch = new.salt = new.pauses = new.ended = None
            new.id, new.phase, new.made, new.revision = new_table_name(), "gathering", time.time(), 0
            new.rules_version, new.seats = table.game.rules_version, [_kept(seat_row) for seat_row in row.seats]
            new.starts = "maker"  # all of them have a seat, but are not there yet
            if following is None:
                new.team, new.epoch, new.salt = None, self.tables.store.secrets.newest, new_salt()
            else:
                new.options, new.rules_version = dict(following.options), following.rules_version
                new.deal, new.subject = following.id, following.subject
            if not table.is_present(row.maker_hash):
                new.maker_hash = caller.key_hash or row.maker_hash
            own = row.seats[caller.seat_in(row)].player
            self.tables.people.keep_apart(new.seats, own)
            row.next = new.id
            return new

        if table.row.visibility == "open" and table.row.next is None:
            self.tables.lobby.need_share(table.address)
        await self.tables.change(table, edit, by=caller.key_hash)

    async def _follow(self, caller: Caller, follow: protocol.Follow) -> None:
        raise refuse("follow.http", 400)


def _need_absence(table: LiveTable, seat: int) -> None:
    """Refuse unless the person on a seat is away for longer than the grace period."""
    left = table.absence_left(seat)
    if left == math.inf:
        raise refuse("sit-in.here")
    if left > 0:
        raise RequestRefused(Message("server.sit-in.grace", {"n": int(left) + 1}))


def _kept(row: SeatRow) -> SeatRow:
    """A seat in the rematch; a player who left gets none."""
    if row.left:
        return SeatRow()
    return SeatRow(row.kind, row.name, row.bot, row.key_hash, muted=row.muted, client=row.client, player=row.player)
