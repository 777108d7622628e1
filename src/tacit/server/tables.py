"""Live tables over stored records: making them, coming and going, deciding. Decision, checked, stored, and only then
told. Every method that changes something either does it whole or refuses with a sentence.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import msgspec

from tacit.core.errors import TacitError
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.core.messages import Message
from tacit.core.registry import game_named, game_names
from tacit.server import protocol
from tacit.server.bots import QUICK, bot_names
from tacit.server.bus import Bus, Note
from tacit.server.config import Config
from tacit.server.keys import hash_of, new_key, new_table_name
from tacit.server.limits import Limit
from tacit.server.live import POLLED_HERE, Listener, Live
from tacit.server.refusal import Refusal, refuse
from tacit.server.sitters import Sitters
from tacit.server.store import ChairRow, Conflict, Store, TableRow

T = TypeVar("T")
HEARTBEAT = 10.0  # seconds between two notes about who is here
IDLE = 300.0  # seconds after which a table that nobody looks at leaves memory
ATTEMPTS = 50  # how often a loser of a race plays again


class Place(msgspec.Struct, frozen=True):
    """Who asks: a live table, and what their key opens there."""

    live: Live
    key_hash: str | None
    seat: int | None
    maker: bool

    def need_seat(self) -> int:
        if self.seat is None:
            raise refuse("key.none", 403)
        return self.seat

    def need_maker(self) -> None:
        if not self.maker:
            raise refuse("key.maker", 403)


class Tables:
    """The tables that are live in this process."""

    def __init__(self, store: Store, bus: Bus, config: Config) -> None:
        self.store, self.bus, self.config = store, bus, config
        self.live: dict[str, Live] = {}
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self.sitters = Sitters(self._decide, config.bot_delay)
        self.acting = Limit(*config.act_limit)
        self.chatting = Limit(*config.chat_limit)
        self._tasks: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        for name in game_names():
            game_named(name)  # importing one later would hold up everybody
        await self.bus.open(self._hear)
        await self.store.open()
        self._spawn(self._beat())

    async def close(self) -> None:
        await self.sitters.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.store.close()
        await self.bus.close()

    # -------------------------------------------------------------- finding a table
    async def find(self, name: str) -> Live:
        """A table, from memory or from the store; a refusal if there is none."""
        if name not in self.live:
            if name not in self._loading:
                self._loading[name] = self._spawn(self._load(name))
                self._loading[name].add_done_callback(lambda _: self._loading.pop(name, None))
            return await asyncio.shield(self._loading[name])
        live = self.live[name]
        live.touched = time.monotonic()  # whoever found it may go on using it for a while
        return live

    async def _load(self, name: str) -> Live:
        row, steps = await self.store.load(name, 0)
        if row is None:
            raise refuse("table.unknown", 404)
        live = Live(row, self.config.grace)
        live.take(row, steps)
        if not live.silent:
            live.said = await self.store.said(name, 0)
        self.live[name] = live
        self.sitters.tend(live)
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

    async def lobby(self) -> protocol.Lobby:
        rows = await self.store.lobby()
        found = []
        for row in rows:
            live = self.live.get(row.id) or Live(row, self.config.grace)
            found.append(
                protocol.LobbyTable(
                    table=row.id, game=row.game, options=row.options, phase=row.phase, seats=live.seat_infos(),
                    spectators=row.spectators, clock=row.clock,
                )
            )  # fmt: skip
        return protocol.Lobby(tables=found)

    # -------------------------------------------------------------- making and coming
    async def create(self, wish: protocol.Create) -> tuple[TableRow, str, int | None]:
        """A new table; its row, the maker's key and seat."""
        game = game_named(wish.game)
        options = game.check(wish.seats, wish.options)
        if wish.chairs and len(wish.chairs) != wish.seats:
            raise refuse("table.chairs", 400, seats=wish.seats, given=len(wish.chairs))
        chairs = [_chair(game, chair) for chair in wish.chairs] or [ChairRow() for _ in range(wish.seats)]
        key = new_key()
        seat = None
        if wish.name is not None:
            seat = _free(chairs, None)
            chairs[seat] = ChairRow("person", _name(wish.name), key_hash=hash_of(key))
        row = TableRow(
            id=new_table_name(), game=game.name, rules_version=game.rules_version, options=options,
            visibility=wish.visibility, spectators=wish.spectators, clock=wish.clock, phase="gathering",
            maker_hash=hash_of(key), made=time.time(), chairs=chairs,
        )  # fmt: skip
        await self.store.create(row)
        return row, key, seat

    async def join(self, name: str, wish: protocol.Join) -> tuple[str, int]:
        """Claim a seat by the table's link; the key and the seat."""
        live = await self.find(name)
        key = new_key()

        def edit(row: TableRow) -> int:
            _gathering(row)
            called = _name(wish.name)
            if any(chair.name and chair.name.casefold() == called.casefold() for chair in row.chairs):
                raise refuse("name.taken", name=called)
            seat = _free(row.chairs, wish.seat)
            row.chairs[seat] = ChairRow("person", called, key_hash=hash_of(key))
            return seat

        return key, await self._change(live, edit)

    # -------------------------------------------------------------- commands
    async def do(self, place: Place, command: protocol.Command) -> protocol.Done | protocol.Previewed:
        """Carry out a command, or refuse it."""
        handler = getattr(self, "_do_" + str(command.__struct_config__.tag).replace("-", "_"))
        answer: protocol.Done | protocol.Previewed | None = await handler(place, command)
        return answer or protocol.Done(id=command.id)

    async def _do_act(self, place: Place, act: protocol.Act) -> protocol.Done:
        seat, live = place.need_seat(), place.live
        self.acting.take((live.row.id, seat))
        if live.row.chairs[seat].sitting_in is not None or live.row.chairs[seat].left:
            await self._come_back(live, seat)
        again = await self._decide(live, seat, act.ask, act.texts, None)
        return protocol.Done(id=act.id, again=again)

    async def _do_signal(self, place: Place, signal: protocol.Signal) -> None:
        seat, live = place.need_seat(), place.live
        self.acting.take((live.row.id, seat))
        await _unbroken(self._play(live, seat, None, lambda match: match.signal(seat, signal.text)))

    async def _do_preview(self, place: Place, preview: protocol.Preview) -> protocol.Previewed:
        seat, live = place.need_seat(), place.live
        self.acting.take((live.row.id, seat))
        match = _playing(live)
        sight = await asyncio.to_thread(match.preview, seat, preview.texts)
        return live.previewed(sight, len(live.sights[seat].heard), preview.id)

    async def _do_claim(self, place: Place, claim: protocol.Claim) -> None:
        def edit(row: TableRow) -> None:
            _gathering(row)
            old = _own(place, row)
            seat = _free(row.chairs, claim.seat)
            row.chairs[seat], row.chairs[old] = row.chairs[old], ChairRow()

        await self._change(place.live, edit)

    async def _do_arrange(self, place: Place, arrange: protocol.Arrange) -> None:
        place.need_maker()

        def edit(row: TableRow) -> None:
            _gathering(row)
            if _at(row, arrange.seat).kind == "person":
                raise refuse("seat.taken")
            row.chairs[arrange.seat] = _chair(place.live.game, arrange.chair)

        await self._change(place.live, edit)

    async def _do_remove(self, place: Place, remove: protocol.Remove) -> None:
        place.need_maker()

        def edit(row: TableRow) -> None:
            _gathering(row)
            if _at(row, remove.seat).kind != "person":
                raise refuse("seat.not-person")
            if remove.seat == place.live.seat_of(place.key_hash):
                raise refuse("seat.self")
            row.chairs[remove.seat] = ChairRow()

        await self._change(place.live, edit)

    async def _do_start(self, place: Place, start: protocol.Start) -> None:
        place.need_maker()

        def edit(row: TableRow) -> None:
            _gathering(row)
            free = [q for q, chair in enumerate(row.chairs) if chair.kind == "open"]
            if free and start.fill is None:
                raise Refusal(Message("server.start.open", {"n": len(free)}))
            for q in free:
                row.chairs[q] = _chair(place.live.game, protocol.Chair(kind="bot", bot=start.fill))
            row.phase = "playing"

        trouble = place.live.trouble()
        if trouble is not None:
            raise trouble
        await self._change(place.live, edit, begins=True)

    async def _do_leave(self, place: Place, leave: protocol.Leave) -> None:
        def edit(row: TableRow) -> None:
            seat = _own(place, row)
            if row.phase == "gathering":
                row.chairs[seat] = ChairRow()
                place.live.gave_up.add(place.key_hash or "")
                heirs = [chair.key_hash for chair in row.chairs if chair.key_hash]
                if place.maker and heirs:
                    row.maker_hash = heirs[0]
            else:
                row.chairs[seat].left = True

        place.need_seat()
        await self._change(place.live, edit)

    async def _do_return(self, place: Place, back: protocol.Return) -> None:
        seat = place.need_seat()
        chair = place.live.row.chairs[seat]
        if chair.sitting_in is None and not chair.left:
            raise refuse("return.not-away")
        await self._come_back(place.live, seat)

    async def _come_back(self, live: Live, seat: int) -> None:
        def edit(row: TableRow) -> None:
            chair = row.chairs[seat]
            chair.sitting_in, chair.left, chair.agreed = None, False, []

        await self._change(live, edit)

    async def _do_sit_in(self, place: Place, wish: protocol.SitIn) -> None:
        live = place.live
        bot = _bot(live.game, wish.bot or QUICK)

        def edit(row: TableRow) -> None:
            if live.phase != "playing":
                raise refuse("phase.not-started" if live.phase == "gathering" else "phase.over")
            voter, chair = _own(place, row), _at(row, wish.seat)
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
        await self._change(live, edit)

    def _need_grace(self, live: Live, seat: int) -> None:
        live.look_round()
        since = live.away_since[seat]
        if since is None:
            raise refuse("sit-in.here")
        left = since + live.grace - time.time()
        if left > 0:
            raise Refusal(Message("server.sit-in.grace", {"n": int(left) + 1}))

    async def _do_chat(self, place: Place, chat: protocol.Chat) -> None:
        seat, live = place.need_seat(), place.live
        if live.silent:
            raise refuse("chat.silent", 403, game=live.game.title)
        text = "".join(c if c.isprintable() else " " for c in chat.text).strip()
        if not text:
            raise refuse("chat.empty", 400)
        self.chatting.take((live.row.id, seat))

        async def say() -> None:
            async with live.lock:
                for _ in range(ATTEMPTS):
                    number = live.said[-1].number + 1 if live.said else 1
                    with contextlib.suppress(Conflict):
                        await self.store.say(live.row.id, number, seat, text)
                        break
                    await self._hear_chat(live)
                await self._hear_chat(live)
            live.tell()

        await _unbroken(say())

    async def _do_mute(self, place: Place, mute: protocol.Mute) -> None:
        def edit(row: TableRow) -> None:
            _at(row, mute.seat)
            chair = row.chairs[_own(place, row)]
            muted = set(chair.muted) - {mute.seat} | ({mute.seat} if mute.chat == "muted" else set())
            chair.muted = sorted(muted)

        place.need_seat()
        await self._change(place.live, edit)

    async def _do_rematch(self, place: Place, rematch: protocol.Rematch) -> None:
        place.need_seat()
        live = place.live

        def edit(row: TableRow) -> TableRow | None:
            if not live.over:
                raise refuse("phase.not-over")
            if row.next is not None:
                return None  # someone was quicker: it is the same rematch
            chairs = [
                ChairRow(c.kind, c.name, c.bot, c.key_hash, muted=c.muted) if not c.left else ChairRow()
                for c in row.chairs
            ]
            new = copy.deepcopy(row)
            new.id, new.phase, new.made, new.revision = new_table_name(), "gathering", time.time(), 0
            new.rules_version, new.chairs = live.game.rules_version, chairs
            new.maker_hash = place.key_hash or row.maker_hash
            row.next = new.id
            return new

        await self._change(live, edit)

    async def _do_follow(self, place: Place, follow: protocol.Follow) -> None:
        raise refuse("follow.http", 400)

    # -------------------------------------------------------------- deciding
    async def _decide(self, live: Live, seat: int, ask: int, texts: list[str], bot: str | None) -> bool:
        """A seat's answer to its open question, by its person or by a bot; True if it had been given before."""

        def play(match: Match) -> None:
            if bot is not None and live.driver(seat) != bot:
                raise refuse("act.stale")  # the person is back
            if len(texts) == 1:
                match.play(seat, texts[0])
            else:
                match.play_all(seat, texts)

        return await _unbroken(self._play(live, seat, ask, play, texts))

    async def _play(
        self, live: Live, seat: int, ask: int | None, play: Callable[[Match], None], texts: list[str] | None = None
    ) -> bool:
        async with live.lock:
            for _ in range(ATTEMPTS):
                _playing(live)
                if ask is not None and ask != live.open_ask(seat):
                    if texts is not None and live.answered.get((seat, ask)) == texts:
                        return True
                    # Perhaps another process asked this question, and we have not heard of it yet.
                    if ask > live.asks[seat] and await self._catch_up(live):
                        continue
                    raise refuse("act.stale")
                attempt = live.attempt(seat, ask, play)
                try:
                    await self.store.append(attempt.step)
                except Conflict:
                    await self._catch_up(live)
                    continue
                live.advance(attempt)
                break
            else:
                raise refuse("store.down", 503)
            self._tell(live)
        return False

    # -------------------------------------------------------------- changing a table
    async def _change(self, live: Live, edit: Callable[[TableRow], T], begins: bool = False) -> T:
        """Change who sits where: on a copy, stored if nobody else was first, and only then told."""
        return await _unbroken(self._changed(live, edit, begins))

    async def _changed(self, live: Live, edit: Callable[[TableRow], T], begins: bool) -> T:
        async with live.lock:
            for _ in range(ATTEMPTS):
                row = copy.deepcopy(live.row)
                made = edit(row)
                attempt = live.first() if begins else None
                rematch = made if isinstance(made, TableRow) else None
                try:
                    await self.store.save(row, attempt.step if attempt else None, rematch)
                except Conflict:
                    await self._catch_up(live)
                    continue
                live.row = row
                if attempt is not None:
                    live.advance(attempt)
                break
            else:
                raise refuse("store.down", 503)
            self._tell(live)
        return made

    def _tell(self, live: Live) -> None:
        live.tell()
        self.sitters.tend(live)

    # -------------------------------------------------------------- listening
    def listen(self, place: Place, send: Callable[[bytes], None]) -> Listener:
        """Someone listens from now on: they are told all they may know, then what changes."""
        listener = Listener(place.key_hash, place.seat, send)
        place.live.listeners.add(listener)
        self._presence_changed(place.live)
        return listener

    def unlisten(self, place: Place, listener: Listener) -> None:
        place.live.listeners.discard(listener)
        self._presence_changed(place.live)

    def polled(self, place: Place) -> None:
        """Someone asks over HTTP: they are here for a while."""
        live = place.live
        live.touched = time.monotonic()
        if place.seat is not None:
            before = live.polled[place.seat]
            live.polled[place.seat] = time.time() + POLLED_HERE
            if before < time.time():
                self._presence_changed(live)

    def _presence_changed(self, live: Live) -> None:
        live.tell()
        self._spawn(self.bus.publish(Note("here", live.row.id, seats=live.connected())))

    # -------------------------------------------------------------- what other processes did
    def _hear(self, note: Note) -> None:
        if note.about == "all":
            for live in list(self.live.values()):
                self._spawn(self._refresh(live))
            return
        known = self.live.get(note.table)
        if known is None:
            return
        if note.about == "here":
            until = time.time() + 2.5 * HEARTBEAT
            for q, vouched in enumerate(known.elsewhere):
                vouched.pop(note.sender, None)
                if q in note.seats:
                    vouched[note.sender] = until
            known.tell()
        elif note.about == "chat":
            self._spawn(self._refresh_chat(known))
        else:
            self._spawn(self._refresh(known))

    async def _refresh(self, live: Live) -> None:
        async with live.lock:
            await self._catch_up(live)

    async def _catch_up(self, live: Live) -> bool:
        """Read what others stored and tell of it, whoever noticed first; is there anything new?"""
        row, steps = await self.store.load(live.row.id, live.sequence)
        if row is None:
            raise refuse("table.unknown", 404)
        new = bool(steps) or row.revision != live.row.revision
        live.take(row, steps)
        if new:
            self._tell(live)
        return new

    async def _refresh_chat(self, live: Live) -> None:
        async with live.lock:
            await self._hear_chat(live)
        live.tell()

    async def _hear_chat(self, live: Live) -> None:
        last = live.said[-1].number if live.said else 0
        live.said = [*live.said, *await self.store.said(live.row.id, last)][-100:]

    async def _beat(self) -> None:
        """Now and then: say who is here, see who went, and forget tables that nobody looks at."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            for name, live in list(self.live.items()):
                live_here = live.connected()
                if live_here:
                    await self.bus.publish(Note("here", name, seats=live_here))
                idle = time.monotonic() - live.touched > IDLE
                if idle and not live.listeners and not live.lock.locked() and not self.sitters.busy(name):
                    del self.live[name]
                elif live.listeners:
                    live.tell()

    def _spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None and not isinstance(task.exception(), TacitError):
            asyncio.get_running_loop().call_exception_handler(
                {"message": "a task of the tables failed", "exception": task.exception()}
            )


async def _unbroken(work: Coroutine[Any, Any, T]) -> T:
    """Carry work through, even if whoever asked hangs up: what is stored must also be told."""
    return await asyncio.shield(asyncio.ensure_future(work))


def _playing(live: Live) -> Match:
    trouble = live.trouble()
    if trouble is not None:
        raise trouble
    if live.match is None:
        raise refuse("phase.not-started")
    return live.match


def _gathering(row: TableRow) -> None:
    if row.phase != "gathering":
        raise refuse("phase.started")


def _at(row: TableRow, seat: int) -> ChairRow:
    if not 0 <= seat < len(row.chairs):
        raise refuse("seat.unknown", 400, seat=seat)
    return row.chairs[seat]


def _own(place: Place, row: TableRow) -> int:
    """The seat that the caller's key opens in this row, which may be newer than the one they came by."""
    for q, chair in enumerate(row.chairs):
        if place.key_hash is not None and chair.key_hash == place.key_hash:
            return q
    raise refuse("key.none", 403)


def _free(chairs: list[ChairRow], seat: int | None) -> int:
    """The wished seat, or the first free one."""
    if seat is None:
        for q, chair in enumerate(chairs):
            if chair.kind == "open":
                return q
        raise refuse("seat.full")
    if not 0 <= seat < len(chairs):
        raise refuse("seat.unknown", 400, seat=seat)
    if chairs[seat].kind != "open":
        raise refuse("seat.taken")
    return seat


def _chair(game: Game, chair: protocol.Chair) -> ChairRow:
    if chair.kind == "open":
        return ChairRow()
    if chair.bot is None:
        raise refuse("table.bot-name", 400)
    return ChairRow("bot", None, _bot(game, chair.bot))


def _bot(game: Game, name: str) -> str:
    names = bot_names(game)
    if name not in names:
        raise refuse("bot.unknown", 400, name=name, game=game.title, names=", ".join(names))
    return name


def _name(given: str) -> str:
    name = " ".join(given.split())
    if not name or not name.isprintable():
        raise refuse("name.form", 400)
    return name
