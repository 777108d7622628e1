"""The tables of this process: loading, creating and joining them, storing decisions and changes, publishing them.

A decision is checked, stored, and only then published. A method that changes something does it whole, or refuses.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from tacit.bots import usual_bot
from tacit.core.registry import game_named
from tacit.server import logs, protocol
from tacit.server.bot_seats import BotSeats
from tacit.server.bus import Bus, Note
from tacit.server.config import Config
from tacit.server.consent import carry_out_wishes
from tacit.server.deal_writes import begin_attempt
from tacit.server.deals import Deals, subject_of
from tacit.server.deciders import Decision
from tacit.server.deciding import Deciding
from tacit.server.errors import RequestRefused, refuse
from tacit.server.handover import Handover
from tacit.server.keys import hash_of, is_table_name, new_key, new_salt, who_is
from tacit.server.live_table import LiveTable
from tacit.server.lobby import Lobby
from tacit.server.metrics import Metrics
from tacit.server.models import News, SeatRow, TableRow
from tacit.server.names import checked_name, confusable
from tacit.server.news import of_change
from tacit.server.notice_writes import post
from tacit.server.notices import Notices
from tacit.server.people import People
from tacit.server.rooms import Rooms
from tacit.server.seating import (
    Caller,
    caller_by_key,
    caller_by_person,
    checked_clock,
    free_seat,
    need_delay,
    need_gathering,
    need_match,
    need_same,
    new_person,
    new_row,
    new_seat_row,
    start,
    starts_now,
)
from tacit.server.store import Conflict, Store
from tacit.server.subscriber import Subscriber
from tacit.server.table_chat import MAX_CONFLICTS, TableChat
from tacit.server.tasks import Tasks, uninterrupted

T = TypeVar("T")
Seated = Callable[[LiveTable, str, int | None], None]  # gets the table, the key and the seat of somebody who sat down
HEARTBEAT = 10.0  # seconds between two notes to other processes about who is present
OVER_AFTER = 1.0  # seconds after which a finished table that everybody left, and nobody asked for, leaves memory
REFRESHED_AT_ONCE = 4  # tables that are read again at the same time


class TableService(Tasks):
    """The tables that this process has loaded."""

    def __init__(self, store: Store, bus: Bus, config: Config, metrics: Metrics) -> None:
        self.store, self.bus, self.config, self.metrics = store, bus, config, metrics
        self.loaded: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._outdated: set[str] = set()  # tables that changed while they were being loaded
        self._all_outdated = False
        self._refreshing: asyncio.Task[None] | None = None  # reads everything again
        self.bot_seats = BotSeats(self.decide, self.time_over, config, metrics)
        self.handover = Handover(store, bus, self.bot_seats, self.find)
        self.people = People(store)
        self.notices = Notices(store, self.people, config, metrics)
        self.lobby = Lobby(store, self.loaded, config)
        self.deals = Deals(store, config)
        self.rooms = Rooms(store)
        self.talk = TableChat(store, self._catch_up)
        self.deciding = Deciding(store, self.deals, metrics, self.bot_seats.update, self._catch_up)
        super().__init__()

    async def open(self) -> None:
        await self.bus.open(self.on_note)
        await self.store.open()
        await self.notices.open()
        await self.people.load()

    async def close(self) -> None:
        """Finish what was begun, and stop."""
        await self.bot_seats.close()
        await self.deals.stop()
        await self.end_tasks()
        await self.deciding.end_tasks()
        await self.store.close()
        await self.bus.close()

    # -------------------------------------------------------------- loading
    async def find(self, name: str) -> LiveTable:
        """A table, from memory or from the store. Refused if there is none."""
        if name not in self.loaded:
            if name not in self._loading:
                self._loading[name] = self.spawn(self._load(name))
                self._loading[name].add_done_callback(lambda _: self._loading_ended(name))
            return await asyncio.shield(self._loading[name])
        table = self.loaded[name]
        table.touched = time.monotonic()  # the caller may go on using it for a while
        return table

    def _loading_ended(self, name: str) -> None:
        self._loading.pop(name, None)
        self._outdated.discard(name)

    async def _load(self, name: str) -> LiveTable:
        if not is_table_name(name):
            raise refuse("table.unknown", 404)  # without a query
        await self.bus.follow(name)
        row, steps = await self.store.load(name, 0)
        if row is None:
            self.bus.unfollow(name)
            raise refuse("table.unknown", 404)
        table = self._new_live(row)
        await asyncio.to_thread(table.replay, row, steps)  # can take long; no other task has this table
        await self.deals.prepare(table)
        table.chat = await self.store.chat(name, 0)
        if table.over:
            await self.rooms.load(table)
        self.loaded[name] = table
        if name in self._outdated:
            await self._refresh(table)
            await self.talk.refresh(table)
        await self.bus.publish(Note("who", name))
        self.bot_seats.update(table)
        return table

    def _new_live(self, row: TableRow) -> LiveTable:
        table = LiveTable(row, self.config, self.store.secrets)
        table.avoided, table.may_have_channel = self.people.avoids, self.people.may_have_channel
        table.presence.process = self.bus.sender
        if self.config.compile:
            self.bot_seats.precompiler.want_play(table.game)
        return table

    async def enter(self, name: str, key: str | None, person: str | None = None) -> Caller:
        """What a key opens at a table; without a key, the seat of a person with a passkey, or a spectator. A wrong key
        is refused.
        """
        table = await self.find(name)
        caller = caller_by_key(table, key) if key is not None else None
        if caller is None and key is not None:
            # Another process may have given this key a seat, and its note has not arrived yet.
            await self._refresh(table)
            caller = caller_by_key(table, key)
        caller = caller or caller_by_person(table, person)
        if caller is None and key is not None:
            raise refuse("key.wrong", 403)
        return caller or Caller(table, None, None, False)

    async def visit(
        self, name: str, cookie: str | None, person: str | None = None
    ) -> tuple[Caller, RequestRefused | None]:  # fmt: skip
        """What a browser's cookie opens. A cookie that opens nothing counts as none; the refusal comes with it."""
        try:
            return await self.enter(name, cookie, person), None
        except RequestRefused as refusal:
            if refusal.message.code != "server.key.wrong":
                raise
            return Caller(await self.find(name), None, None, False), refusal

    # -------------------------------------------------------------- creating and joining
    async def create(
        self, wish: protocol.Create, address: str, player: str | None = None
    ) -> tuple[TableRow, str, int | None]:  # fmt: skip
        """A new table: its row, the maker's key, and the maker's seat."""
        game = game_named(wish.game)
        need_delay(wish)
        deal = await self.deals.need(wish.deal) if wish.deal is not None else None
        options = need_same(deal, game, wish) if deal is not None else game.check(wish.seats, wish.options)
        if wish.chairs and len(wish.chairs) != wish.seats:
            raise refuse("table.chairs", 400, seats=wish.seats, given=len(wish.chairs))
        seats = [new_seat_row(game, chair, deal) for chair in wish.chairs] or [SeatRow() for _ in range(wish.seats)]
        key = new_key()
        seat = None
        self.people.need_welcome(player)
        if wish.name is not None:
            seat = free_seat(seats, None)
            seats[seat] = self.new_person(wish.name, key, player, wish.kind)
        row = new_row(
            game, options, seats, visibility=wish.visibility, clock=wish.clock, maker_hash=hash_of(key),
            spectators=wish.spectators if deal is None else "none",
            delay_decisions=wish.delay_decisions, delay_minutes=wish.delay_minutes,
            aids=wish.aids if deal is None else "none", starts=wish.starts,
        )  # fmt: skip
        if deal is not None:
            row.deal, row.subject, row.rules_version = deal.id, deal.subject, deal.rules_version
        row.reserve, row.at_end = checked_clock(game, wish)
        table = await self.open_table(row, address)
        if starts_now(row):  # bots have all other seats
            await self.change(table, lambda _: None, by=row.maker_hash)
        return row, key, seat

    def new_person(self, name: str, key: str, player: str | None, client: str | None) -> SeatRow:
        """A person's seat; refuses who is shut out, and a name that is none or that another keeps."""
        self.people.need_welcome(player)
        self.people.need_name(name, player)
        return new_person(name, key, player, client)

    async def open_table(self, row: TableRow, address: str) -> LiveTable:
        """Store a new table, with a secret of its own for its chance if it has no deal, and load it."""
        if row.visibility == "open":
            self.lobby.need_share(address)
        if row.deal is None:
            row.epoch, row.salt = self.store.secrets.newest, new_salt()
        table = self._new_live(row)
        await self.deals.prepare(table)
        await self.bus.follow(row.id)
        await self.store.create(row)
        self.loaded[row.id] = table
        table.address = address
        self.lobby.add(row, address)
        logs.note("table.made", table=logs.mark(row.id), game=row.game, seats=len(row.seats))
        return table

    async def join(
        self, name: str, wish: protocol.Join, player: str | None = None, seated: Seated | None = None
    ) -> tuple[str, int, bool]:
        """Claim a seat by the table's link: the key, the seat, and whether the table is now this person's. `seated` is
        called once it is stored, before the others are told.
        """
        table = await self.find(name)
        key = new_key()

        def edit(row: TableRow) -> int:
            need_gathering(row)
            called = checked_name(wish.name)
            if any(seat_row.name and confusable(seat_row.name, called) for seat_row in row.seats):
                raise refuse("name.taken", name=called)
            self.people.need_apart(row.seats, player)
            seat = free_seat(row.seats, wish.seat)
            if row.team is not None and all(seat_row.kind != "person" for seat_row in row.seats):
                row.maker_hash = hash_of(key)  # a table of a duplicate match is made for whoever comes first
            row.seats[seat] = self.new_person(wish.name, key, player, wish.kind)
            return seat

        told = None if seated is None else lambda seat: seated(table, key, seat)
        seat = await self.change(table, edit, by=hash_of(key), stored=told)
        if table.row.branched is not None:
            await self.deals.rows.look(subject_of(table), who_is(player, hash_of(key)), table.row.id, "branched")
        return key, seat, table.is_maker(hash_of(key))

    # -------------------------------------------------------------- deciding
    @uninterrupted
    async def decide(self, table: LiveTable, decision: Decision) -> bool:
        """Store a decision or a signal, and publish it; True if the same answer had been stored before."""
        return await self.deciding.decide(table, decision)

    async def decline(self, table: LiveTable, seat: int, ask: int) -> None:
        """A seat leaves a race to the others. Kept in memory; only the seat itself and the bots learn of it."""
        if ask > table.asks[seat]:
            await self._refresh(table)  # another process asked this question, and its note has not arrived yet
        need_match(table)
        if ask != table.open_ask(seat):
            raise refuse("act.stale")
        if not table.bots_race:
            raise refuse("decline.none")
        self._declined(table, seat, ask)
        await self.bus.publish(Note("declined", table.row.id, seats=[seat], ask=ask))

    def _declined(self, table: LiveTable, seat: int, ask: int) -> None:
        table.declined = {**table.declined, seat: ask}
        for subscriber in table.subscribers:
            if subscriber.seat == seat:  # others get nothing, not even other news: its time would tell
                table.publish_view(subscriber)
        self.bot_seats.update(table)

    # -------------------------------------------------------------- changing a table
    @uninterrupted
    async def change(
        self, table: LiveTable, edit: Callable[[TableRow], T], by: str | None = None,
        stored: Callable[[T], None] | None = None,
    ) -> T:  # fmt: skip
        """Edit a copy of the table's row, store it, and only then publish it. If another change was stored first, edit
        again. The match begins if the edit starts it, or takes the last seat of a table that starts then. An edit that
        returns a TableRow creates it as the rematch. `by` is the hash of the key of whoever is not told of it by a
        notice. `stored` gets what the edit returned, before anybody is told.
        """
        async with table.lock:
            for _ in range(MAX_CONFLICTS):
                row = table.row.copy()
                made = edit(row)
                carry_out_wishes(row)
                if starts_now(row):
                    start(row)
                attempt = table.first(row) if row.phase == "playing" and table.row.phase == "gathering" else None
                rematch = made if isinstance(made, TableRow) else None
                also = [partial(begin_attempt, row=row, deal=table.deal)] if attempt and table.deal else []
                news = of_change(table, row, attempt, by)
                also += [partial(post, news=news)] if news else []
                try:
                    await self.store.save(table.row, row, attempt.step if attempt else None, rematch, also)
                except Conflict:
                    await self._catch_up(table)
                    continue
                table.set_row(row)
                if rematch is not None:
                    self.lobby.add(rematch, table.address)
                if attempt is not None:
                    table.commit(attempt)
                    await self.deals.prepare(table)
                    logs.note("match.started", table=logs.mark(row.id), game=row.game, seats=len(row.seats))
                break
            else:
                raise refuse("store.down", 503)
            try:
                if stored is not None:
                    stored(made)
            finally:
                self._publish(table)
        return made

    async def time_over(self, table: LiveTable, seat: int, ask: int) -> None:
        """A seat's time for a question is over: as was agreed at the start, the match ends or a bot sits in."""

        def edit(row: TableRow) -> None:
            if table.open_ask(seat) != ask:
                raise refuse("act.stale")
            if row.at_end == "end":
                row.phase, row.ended = "over", "time"
            else:
                row.seats[seat].sitting_in = usual_bot(table.game)

        await self.change(table, edit)

    @uninterrupted
    async def chat(self, caller: Caller, text: str) -> None:
        """Store and publish a line of chat."""
        await self.talk.say(caller, text)

    def _publish(self, table: LiveTable) -> None:
        table.publish()
        self.bot_seats.update(table)

    # -------------------------------------------------------------- subscribers and presence
    def subscribe(self, table: LiveTable, subscriber: Subscriber) -> None:
        """Send a subscriber all it may know, and from now on what changes."""
        table.subscribers.add(subscriber)
        self._presence_changed(table)
        if self.bus.is_shared:
            self.spawn(self._refresh(table))  # who comes from a process that is gone may know more than its notes told
        player = table.row.seats[subscriber.seat].player if subscriber.seat is not None else None
        if player is not None and self.people.may_have_channel(player):
            self.spawn(self.notices.looked(News(table.row.id, player, "looked", subscriber.seat)))

    def unsubscribe(self, table: LiveTable, subscriber: Subscriber) -> None:
        table.subscribers.discard(subscriber)
        asyncio.get_running_loop().call_soon(self._presence_changed, table)  # others may leave in the same moment
        if table.over and not table.subscribers:
            asyncio.get_running_loop().call_later(OVER_AFTER, self._forget_over, table)

    def polled(self, caller: Caller) -> None:
        """An HTTP request makes its seat present for a while."""
        table = caller.table
        table.touched = time.monotonic()
        if caller.seat is not None and table.presence.polled(caller.seat):
            self._presence_changed(table)

    def _presence_changed(self, table: LiveTable) -> None:
        table.publish()
        if self.loaded.get(table.row.id) is table:
            self.bot_seats.update(table)
        if self.bus.is_shared:
            self.spawn(self.bus.publish(Note("here", table.row.id, seats=table.presence.local())))

    # -------------------------------------------------------------- changes of other processes
    def on_note(self, note: Note) -> None:
        """Another process, or `tacit admin`, changed something."""
        if note.about in ("all", "people"):
            self.spawn(self.people.load())
        if note.about == "all":
            self._outdated.update(self._loading)
            self._all_outdated = True
            if self._refreshing is None or self._refreshing.done():
                self._refreshing = self.spawn(self._refresh_all())
            return
        if note.about == "left":
            self.spawn(self.handover.take_over())
        if note.table in self._loading:
            self._outdated.add(note.table)
        table = self.loaded.get(note.table)
        if table is None:
            return
        if note.about == "here":
            table.presence.vouched(note.sender, note.seats, 2.5 * HEARTBEAT)
            self._publish(table)
        elif note.about == "who":
            if table.presence.local():
                self.spawn(self.bus.publish(Note("here", note.table, seats=table.presence.local())))
        elif note.about == "declined":
            for seat in note.seats:
                self._declined(table, seat, note.ask)
        elif note.about == "room":
            self.spawn(self.rooms.refresh(table))
        elif note.about == "chat":
            self.spawn(self.talk.refresh(table))
        else:
            self.spawn(self._refresh(table))

    async def reload(self, names: Sequence[str]) -> None:
        """Read tables of this process again that were changed in the store, with their chat."""
        for table in [self.loaded[name] for name in names if name in self.loaded]:
            async with table.lock:
                table.chat = await self.store.chat(table.row.id, 0)
                await self._catch_up(table)

    async def _refresh(self, table: LiveTable) -> None:
        async with table.lock:
            await self._catch_up(table)

    async def _refresh_all(self) -> None:
        """A few at a time, to leave database connections to players; all of them again if that was asked meanwhile."""
        while self._all_outdated:
            self._all_outdated = False
            tables = list(self.loaded.values())
            for at in range(0, len(tables), REFRESHED_AT_ONCE):
                some = tables[at : at + REFRESHED_AT_ONCE]
                await asyncio.gather(*map(self._refresh_whole, some), return_exceptions=True)

    async def _refresh_whole(self, table: LiveTable) -> None:
        await self._refresh(table)
        await self.talk.refresh(table)
        if table.over:
            await self.rooms.refresh(table)

    async def _catch_up(self, table: LiveTable) -> bool:
        """Load and publish what others stored; True if there was anything new. The caller holds the table's lock."""
        row, steps = await self.store.load(table.row.id, table.sequence)
        if row is None:
            self.closed(table.row.id)
            raise refuse("table.unknown", 404)
        new = bool(steps) or row.revision != table.row.revision
        moved = row.phase != table.row.phase
        table.replay(row, steps)
        if moved:
            await self.deals.prepare(table)
        if new:
            self._publish(table)
        return new

    # -------------------------------------------------------------- forgetting
    def closed(self, name: str) -> None:
        """A table was deleted from the store: remove its subscribers."""
        table = self.loaded.get(name)
        if table is not None:
            self._forget(name)
            table.remove_all(refuse("table.closed"))
            logs.note("table.closed", table=logs.mark(name), game=table.row.game)

    def forget_idle(self, table: LiveTable) -> bool:
        """Drop a table from memory if it has no subscribers and no decision is under way; True if it was dropped."""
        if table.subscribers or table.lock.locked() or self.bot_seats.busy(table.row.id):
            return False
        self._forget(table.row.id)
        return True

    def _forget_over(self, table: LiveTable) -> None:
        """Drop a finished table that nobody has used for OVER_AFTER. Kept, tables would be most of what the garbage
        collector looks through: a busy server finishes a hundred a second, and 100,000 objects take 50 ms.
        """
        unused = time.monotonic() - table.touched >= OVER_AFTER / 2  # timers may be early
        if unused and self.loaded.get(table.row.id) is table:
            self.forget_idle(table)

    def _forget(self, name: str) -> None:
        self.loaded.pop(name, None)
        self.bot_seats.forget(name)
        self.bus.unfollow(name)
