"""Live tables over stored records: making them, coming and going, deciding. Decision, checked, stored, and only then
told. Every method that changes something either does it whole or refuses with a sentence.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from tacit.core.errors import TacitError
from tacit.core.match import Match
from tacit.core.registry import game_named, game_names
from tacit.server import faults, logs, protocol
from tacit.server.bot_player import bot_infos
from tacit.server.bot_seats import BotSeats
from tacit.server.bus import Bus, LocalBus, Note
from tacit.server.commands import Commands
from tacit.server.config import Config
from tacit.server.database import AWAY
from tacit.server.deciders import Decider
from tacit.server.errors import RequestRefused, refuse
from tacit.server.keys import hash_of, is_table_name, new_key, new_table_name, person_of
from tacit.server.live_table import POLLED_HERE, LiveTable, Subscriber
from tacit.server.lobby import Lobby
from tacit.server.metrics import Metrics
from tacit.server.models import ChatRow, SeatRow, TableRow
from tacit.server.names import checked_name, confusable, skeleton
from tacit.server.seating import Place, free_seat, gathering, need_chat, new_chair, own_seat, running_match
from tacit.server.store import Conflict, Store, Unattended

T = TypeVar("T")
HEARTBEAT = 10.0  # seconds between two notes about who is here
PICK_UP = 15.0  # seconds between two looks for matches that nobody looks after
PICKED_UP = 100  # matches that are read in one look, newest first
PAUSE = 0.01  # seconds between two of them
MOST_KNOWN = 10_000
IDLE = 300.0  # seconds after which a table that nobody looks at leaves memory
CLOSING = 5.0  # seconds that decisions under way have when the server stops
TOGETHER = 4  # tables that are read again at once
ATTEMPTS = 50  # how often a loser of a race plays again


class TableService:
    """The tables that are live in this process."""

    def __init__(self, store: Store, bus: Bus, config: Config, metrics: Metrics) -> None:
        self.store, self.bus, self.config, self.metrics = store, bus, config, metrics
        self.live: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._heard: set[str] = set()  # tables of which we heard something new while they were being read
        self.bot_seats = BotSeats(self.decide, self.signal, config, metrics)
        self.commands = Commands(self, config)
        self.lobby = Lobby(self, config)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._underway: set[asyncio.Future[Any]] = set()  # what is being stored and must be told
        self._changed = b""  # the mark that `tacit admin` leaves

    async def open(self) -> None:
        for name in game_names():
            bot_infos(game_named(name))  # importing one later would hold up everybody
        skeleton("")  # and so would reading which letters look alike
        await self.bus.open(self._hear)
        await self.store.open()
        self._changed = await self.store.changed()
        self._spawn(self._beat())
        self._spawn(self._pick_up())
        self._spawn(self.lobby.look_after())

    async def close(self) -> None:
        """Finish what is under way, and stop."""
        await self.bot_seats.close()
        if self._underway:
            await asyncio.wait(self._underway, timeout=CLOSING)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.store.close()
        await self.bus.close()

    # -------------------------------------------------------------- finding a table
    async def find(self, name: str) -> LiveTable:
        """A table, from memory or from the store; a refusal if there is none."""
        if name not in self.live:
            if name not in self._loading:
                self._loading[name] = self._spawn(self._load(name))
                self._loading[name].add_done_callback(lambda _: self._loaded(name))
            return await asyncio.shield(self._loading[name])
        live = self.live[name]
        live.touched = time.monotonic()  # whoever found it may go on using it for a while
        return live

    def _loaded(self, name: str) -> None:
        self._loading.pop(name, None)
        self._heard.discard(name)

    async def _load(self, name: str) -> LiveTable:
        if not is_table_name(name):
            raise refuse("table.unknown", 404)  # the database need not hear of it
        row, steps = await self.store.load(name, 0)
        if row is None:
            raise refuse("table.unknown", 404)
        live = LiveTable(row, self.config)
        await asyncio.to_thread(live.take, row, steps)  # a long match takes its time; nobody else has this table yet
        live.said = await self.store.said(name, 0)
        self.live[name] = live
        if name in self._heard:
            await self._refresh(live)
            await self._refresh_chat(live)
        self.bot_seats.tend(live)
        return live

    async def enter(self, name: str, key: str | None) -> Place:
        """What a key opens at a table; without a key, a spectator's place. A wrong key is refused."""
        live = await self.find(name)
        if key is None:
            return Place(live, None, None, False)
        key_hash = hash_of(key)
        seat, maker = live.seat_of(key_hash), live.is_maker(key_hash)
        if seat is None and not maker:
            # Perhaps another process gave this key a seat, and we have not heard of it yet.
            await self._refresh(live)
            seat, maker = live.seat_of(key_hash), live.is_maker(key_hash)
            if seat is None and not maker:
                raise refuse("key.wrong", 403)
        return Place(live, key_hash, seat, maker)

    async def visit(self, name: str, cookie: str | None) -> tuple[Place, RequestRefused | None]:
        """What a browser's cookie opens. One that opens nothing any more counts as none: why, comes with the place."""
        try:
            return await self.enter(name, cookie), None
        except RequestRefused as refusal:
            if refusal.message.code != "server.key.wrong":
                raise
            return Place(await self.find(name), None, None, False), refusal

    # -------------------------------------------------------------- making and coming
    async def create(self, wish: protocol.Create, address: str) -> tuple[TableRow, str, int | None]:
        """A new table of somebody at an address; its row, the maker's key and seat."""
        if wish.visibility == "open":
            self.lobby.need_share(address)
        game = game_named(wish.game)
        options = game.check(wish.seats, wish.options)
        if wish.chairs and len(wish.chairs) != wish.seats:
            raise refuse("table.chairs", 400, seats=wish.seats, given=len(wish.chairs))
        chairs = [new_chair(game, chair) for chair in wish.chairs] or [SeatRow() for _ in range(wish.seats)]
        key = new_key()
        seat = None
        if wish.name is not None:
            seat = free_seat(chairs, None)
            chairs[seat] = SeatRow("person", checked_name(wish.name), key_hash=hash_of(key), client=wish.kind)
        row = TableRow(
            id=new_table_name(), game=game.name, rules_version=game.rules_version, options=options,
            visibility=wish.visibility, spectators=wish.spectators, clock=wish.clock, phase="gathering",
            maker_hash=hash_of(key), made=time.time(), chairs=chairs,
        )  # fmt: skip
        await self.store.create(row)
        live = self.live[row.id] = LiveTable(row, self.config)
        live.address = address
        self.lobby.add(row, address)
        logs.note("table.made", table=logs.mark(row.id), game=row.game, seats=wish.seats)
        return row, key, seat

    async def join(self, name: str, wish: protocol.Join) -> tuple[str, int]:
        """Claim a seat by the table's link; the key and the seat."""
        live = await self.find(name)
        key = new_key()

        def edit(row: TableRow) -> int:
            gathering(row)
            called = checked_name(wish.name)
            if any(chair.name and confusable(chair.name, called) for chair in row.chairs):
                raise refuse("name.taken", name=called)
            seat = free_seat(row.chairs, wish.seat)
            row.chairs[seat] = SeatRow("person", called, key_hash=hash_of(key), client=wish.kind)
            return seat

        return key, await self.change(live, edit)

    # -------------------------------------------------------------- deciding
    async def decide(self, live: LiveTable, seat: int, ask: int, texts: list[str], decider: Decider) -> bool:
        """A seat's answer to its open question; True if it had been given before."""

        def play(match: Match) -> None:
            if decider.kind == "bot" and live.driver(seat) != decider.bot:
                raise refuse("act.stale")  # the person is back
            if len(texts) == 1:
                match.play(seat, texts[0])
            else:
                match.play_all(seat, texts)

        return await self.play(live, seat, ask, play, texts, decider)

    async def signal(self, live: LiveTable, seat: int, text: str, decider: Decider) -> None:
        """A seat's signal."""

        def play(match: Match) -> None:
            if decider.kind == "bot" and live.driver(seat) != decider.bot:
                raise refuse("act.stale")
            match.signal(seat, text)

        await self.play(live, seat, None, play, None, decider)

    async def decline(self, live: LiveTable, seat: int, ask: int) -> None:
        """A seat leaves a race to the others: kept in memory, told to the seat itself and to the bots alone."""
        if ask > live.asks[seat]:
            await self._refresh(live)  # another process asked this question, and we have not heard of it yet
        running_match(live)
        if ask != live.open_ask(seat):
            raise refuse("act.stale")
        if not live.bots_race:
            raise refuse("decline.none")
        self._declined(live, seat, ask)
        await self.bus.publish(Note("declined", live.row.id, seats=[seat], ask=ask))

    def _declined(self, live: LiveTable, seat: int, ask: int) -> None:
        live.declined[seat] = ask
        for listener in live.listeners:
            if listener.seat == seat:  # the others get nothing, not even what else is new: its moment would tell
                listener.tell_sight(live)
        self.bot_seats.tend(live)

    async def play(
        self, live: LiveTable, seat: int, ask: int | None, play: Callable[[Match], None], texts: list[str] | None,
        decider: Decider,
    ) -> bool:  # fmt: skip
        """Play on a copy, store it, and only then tell; while the question is open, try again when another was first.

        True if this answer had been given before.
        """
        return await self._unbroken(self._play_whole(live, seat, ask, play, texts, decider))

    async def _play_whole(
        self, live: LiveTable, seat: int, ask: int | None, play: Callable[[Match], None], texts: list[str] | None,
        decider: Decider,
    ) -> bool:  # fmt: skip
        began = time.perf_counter()
        async with live.lock:
            for _ in range(ATTEMPTS):
                running_match(live)
                if ask is not None and ask != live.open_ask(seat):
                    if texts is not None and live.answered.get((seat, ask)) == texts:
                        return True
                    # Perhaps another process asked this question, and we have not heard of it yet.
                    if ask > live.asks[seat] and await self._catch_up(live):
                        continue
                    raise refuse("act.stale")
                attempt = live.attempt(seat, ask, play, decider)
                try:
                    await self.store.append(attempt.step)
                except Conflict:
                    await self._catch_up(live)
                    continue
                self.metrics.stored.observe(time.perf_counter() - began)
                live.advance(attempt)
                break
            else:
                raise refuse("store.down", 503)
            self._tell(live)
        self.metrics.told.observe(time.perf_counter() - began)
        (self.metrics.bot if decider.kind == "bot" else self.metrics.person).inc()
        if live.over:
            logs.note("match.over", table=logs.mark(live.row.id), game=live.row.game)
        return False

    # -------------------------------------------------------------- changing a table
    async def change(self, live: LiveTable, edit: Callable[[TableRow], T], begins: bool = False) -> T:
        """Change who sits where: on a copy, stored if nobody else was first, and only then told."""
        return await self._unbroken(self._change_whole(live, edit, begins))

    async def _change_whole(self, live: LiveTable, edit: Callable[[TableRow], T], begins: bool) -> T:
        async with live.lock:
            for _ in range(ATTEMPTS):
                row = live.row.copy()
                made = edit(row)
                attempt = live.first() if begins else None
                rematch = made if isinstance(made, TableRow) else None
                try:
                    await self.store.save(row, attempt.step if attempt else None, rematch)
                except Conflict:
                    await self._catch_up(live)
                    continue
                live.row = row
                if rematch is not None:
                    self.lobby.add(rematch, live.address)
                if attempt is not None:
                    live.advance(attempt)
                    logs.note("match.started", table=logs.mark(row.id), game=row.game, seats=len(row.chairs))
                break
            else:
                raise refuse("store.down", 503)
            self._tell(live)
        return made

    async def say(self, place: Place, text: str) -> None:
        """One more line of chat, where people may talk."""
        await self._unbroken(self._say_whole(place, text))

    async def _say_whole(self, place: Place, text: str) -> None:
        live = place.live
        async with live.lock:
            for _ in range(ATTEMPTS):
                need_chat(live)
                seat = own_seat(place, live.row)
                number = live.said[-1].number + 1 if live.said else 1
                author = live.row.chairs[seat]
                said = ChatRow(number, seat, text, author.name, person_of(author.key_hash or ""))
                try:
                    await self.store.say(live.row.id, said, live.silent)
                    break
                except Conflict:  # another line was first, or the match has begun
                    await self._catch_up(live)
                    await self._hear_chat(live)
            else:
                raise refuse("store.down", 503)
            await self._hear_chat(live)
        live.tell()

    def _tell(self, live: LiveTable) -> None:
        live.tell()
        self.bot_seats.tend(live)

    # -------------------------------------------------------------- listening
    def listen(self, place: Place, listener: Subscriber) -> None:
        """Someone listens from now on: they are told all they may know, then what changes."""
        place.live.listeners.add(listener)
        self._presence_changed(place.live)

    def unlisten(self, place: Place, listener: Subscriber) -> None:
        place.live.listeners.discard(listener)
        self._presence_changed(place.live)

    def polled(self, place: Place) -> None:
        """Someone asks over HTTP: they are here for a while."""
        live = place.live
        live.touched = time.monotonic()
        if place.seat is not None:
            before, now = live.polled[place.seat], time.monotonic()
            live.polled[place.seat] = now + POLLED_HERE
            if before < now:
                self._presence_changed(live)

    def _presence_changed(self, live: LiveTable) -> None:
        live.tell()
        self._spawn(self.bus.publish(Note("here", live.row.id, seats=live.connected())))

    # -------------------------------------------------------------- what other processes did
    def _hear(self, note: Note) -> None:
        if note.about == "all":
            self._heard.update(self._loading)
            self._spawn(self._refresh_all())
            return
        if note.table in self._loading:
            self._heard.add(note.table)
        known = self.live.get(note.table)
        if known is None:
            return
        if note.about == "here":
            until = time.monotonic() + 2.5 * HEARTBEAT
            for q, vouched in enumerate(known.elsewhere):
                vouched.pop(note.sender, None)
                if q in note.seats:
                    vouched[note.sender] = until
            known.tell()
        elif note.about == "declined":
            for seat in note.seats:
                self._declined(known, seat, note.ask)
        elif note.about == "chat":
            self._spawn(self._refresh_chat(known))
        else:
            self._spawn(self._refresh(known))

    async def _refresh(self, live: LiveTable) -> None:
        async with live.lock:
            await self._catch_up(live)

    async def _refresh_all(self) -> None:
        """A few at a time: whoever plays now also wants to reach the database."""
        tables = list(self.live.values())
        for at in range(0, len(tables), TOGETHER):
            await asyncio.gather(*map(self._refresh, tables[at : at + TOGETHER]), return_exceptions=True)

    async def _catch_up(self, live: LiveTable) -> bool:
        """Read what others stored and tell of it, whoever noticed first; is there anything new?"""
        row, steps = await self.store.load(live.row.id, live.sequence)
        if row is None:
            self._closed(live)
            raise refuse("table.unknown", 404)
        new = bool(steps) or row.revision != live.row.revision
        live.take(row, steps)
        if new:
            self._tell(live)
        return new

    def _closed(self, live: LiveTable) -> None:
        """The table is in the store no more: whoever runs the server closed it."""
        self.live.pop(live.row.id, None)
        self.bot_seats.forget(live.row.id)
        live.send_away(refuse("table.closed"))
        logs.note("table.closed", table=logs.mark(live.row.id), game=live.row.game)

    def deleted(self, name: str) -> None:
        """A table was deleted: whoever is there is told so."""
        if name in self.live:
            self._closed(self.live[name])

    async def _refresh_chat(self, live: LiveTable) -> None:
        async with live.lock:
            await self._hear_chat(live)
        live.tell()

    async def _hear_chat(self, live: LiveTable) -> None:
        last = live.said[-1].number if live.said else 0
        live.said = [*live.said, *await self.store.said(live.row.id, last)][-100:]

    async def _beat(self) -> None:
        """Now and then: say who is here, see who went, and forget tables that nobody looks at."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            await self._look_for_admin()
            for number, (name, live) in enumerate(list(self.live.items())):
                if number % TOGETHER == 0:
                    await asyncio.sleep(0)  # with thousands of tables everybody else would wait for the last
                live_here = live.connected()
                if live_here:
                    await self.bus.publish(Note("here", name, seats=live_here))
                idle = time.monotonic() - live.touched > IDLE
                if not (idle and self._forget_idle(live)) and live.listeners and live.somebody_came_or_went():
                    live.tell()

    async def _look_for_admin(self) -> None:
        """LocalBus on a database nobody notifies us: `tacit admin` leaves a mark when it changed a table."""
        if isinstance(self.bus, LocalBus):
            with contextlib.suppress(TacitError):  # the database is away: next time
                before, self._changed = self._changed, await self.store.changed()
                if before != self._changed:
                    self._hear(Note("all"))

    async def _pick_up(self) -> None:
        """Go on with matches that wait for a bot or a clock and that nobody looks after: those of before the start,
        and of processes that died. Others may do so too: the store lets one of them decide.
        """
        known: dict[str, int] = {}  # table -> its last step when it was looked at
        waits = 0.0 if isinstance(self.bus, LocalBus) else PICK_UP + max(self.config.bot_delay)  # another may be at it
        while True:
            with contextlib.suppress(*AWAY):  # next time
                for match in await self._nobody_looks_after(time.time() - waits, known):
                    known[match.table] = match.sequence
                    with contextlib.suppress(TacitError):  # of other rules, or gone: it stays as it is
                        self._forget_idle(await self.find(match.table))
                    await asyncio.sleep(PAUSE)  # whoever plays comes first
            waits = PICK_UP + max(self.config.bot_delay)
            await asyncio.sleep(PICK_UP)
            if len(known) > MOST_KNOWN:
                known.clear()

    async def _nobody_looks_after(self, last_before: float, known: dict[str, int]) -> list[Unattended]:
        """The newest of those matches that were not looked at since their last step, at most PICKED_UP."""
        older_than: float | None = None
        while True:
            found = await self.store.unattended(last_before, older_than, PICKED_UP)
            new = [m for m in found if m.table not in self.live and known.get(m.table) != m.sequence]
            if new or len(found) < PICKED_UP:
                return new
            older_than = found[-1].at

    def _forget_idle(self, live: LiveTable) -> bool:
        """Let a table leave memory at which nobody listens and nobody decides; True if it did."""
        name = live.row.id
        if live.listeners or live.lock.locked() or self.bot_seats.busy(name):
            return False
        self.live.pop(name, None)
        self.bot_seats.forget(name)
        return True

    async def _unbroken(self, work: Coroutine[Any, Any, T]) -> T:
        """Carry work through, even if whoever asked hangs up: what is stored must also be told."""
        if asyncio.current_task() in self._underway:
            return await work
        return await asyncio.shield(self.carry_through(work))

    def carry_through(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """A task that nobody stops half-way, and that is waited for when the server stops."""
        task = asyncio.create_task(work)
        self._underway.add(task)
        task.add_done_callback(self._carried)
        return task

    def _carried(self, task: asyncio.Task[Any]) -> None:
        """A refusal that nobody waits for any more need not be heard: a bot was stopped, and others went on."""
        self._underway.discard(task)
        if not task.cancelled():
            task.exception()

    def _spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None and not isinstance(task.exception(), TacitError):
            faults.note("a task of the tables", task.exception() or RuntimeError())
