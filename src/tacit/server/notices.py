"""Notices: where people want to be reached, and the task of each process that sends what is in the outbox.

A notice is stored with what it tells of (notice_writes.py) and sent once: processes claim rows. What did not arrive is
tried again later; a subscription that is gone is removed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any, get_args
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import msgspec
import sqlalchemy as sa

from tacit.core.errors import TacitError
from tacit.server import faults, notice_writes
from tacit.server.config import Config
from tacit.server.database import is_away
from tacit.server.deal_writes import insert
from tacit.server.errors import RequestRefused, refuse
from tacit.server.keys import new_key
from tacit.server.limits import RateLimit
from tacit.server.live_table import LiveTable
from tacit.server.metrics import Metrics
from tacit.server.models import News, channels, notices, reach, reach_tables, server, tables
from tacit.server.news import PRESENT_DELAY
from tacit.server.notice_protocol import ChannelInfo, ChannelKind, NewChannel, NoticeSettings, QuietHours, Reach
from tacit.server.notice_shapes import Notice, Way, letter, quiet_until
from tacit.server.outbound import Outbound, Unsent
from tacit.server.people import People
from tacit.server.push import PushKey, load_push_key
from tacit.server.store import Store

LOOK_EVERY = 2.0  # seconds between two looks into the outbox
AT_ONCE = 20  # notices that a process sends at the same time
RETRY_AFTER = 30.0  # seconds before the first retry; each further one waits twice as long
MAX_ATTEMPTS = 6
MAX_FAILURES = 5  # in a row: then a webhook is removed
MAX_CHANNELS = 10  # of a person
GONE = (404, 410)  # of web push: the subscription has ended
LATER = (408, 425, 429)  # answers below 500 after which a retry helps
PUSH_KEY = "push key"  # the name of its fingerprint's row in the table `server`
Key = Sequence[str]


class Notices:
    """The notices of one process. People are known by the hash of their cookie (`player`)."""

    def __init__(self, store: Store, people: People, config: Config, metrics: Metrics) -> None:
        self.store, self.people, self.config, self.metrics = store, people, config, metrics
        self.outbound = Outbound(config.reach_allow)
        self.limit = RateLimit(*config.reach_limit)
        self.key: PushKey | None = None
        self._looks: list[News] = []  # that are not written yet

    async def open(self) -> None:
        """Load the key for web push, or make it."""
        async with self.store.engine.begin() as connection:
            named = sa.select(server.c.value).where(server.c.name == PUSH_KEY)
            known = (await connection.execute(named)).scalar()
            self.key = load_push_key(self.store.url, known, self.config.public_url)
            if self.key is None or self.key.fingerprint == known:
                return
            if known is not None:  # the old key is lost, and with it what was subscribed with it
                await connection.execute(sa.delete(channels).where(channels.c.kind == "push"))
                await connection.execute(sa.delete(server).where(server.c.name == PUSH_KEY))
            row = {"name": PUSH_KEY, "value": self.key.fingerprint}
            await connection.execute(self.store.insert(server).on_conflict_do_nothing(), row)

    # -------------------------------------------------------------- what a person chose
    async def settings(self, player: str, added: str | None = None) -> NoticeSettings:
        """All that somebody chose."""
        async with self.store.reading() as connection:
            chosen = (await connection.execute(sa.select(reach).where(reach.c.player == player))).one_or_none()
            ways = (await connection.execute(_of(player))).all()
            some = await connection.execute(sa.select(reach_tables).where(reach_tables.c.player == player))
            return NoticeSettings(
                push_key=self.key.public if self.key else None, reach=_reach(chosen), added=added,
                channels=[_info(way) for way in ways], tables={row.table_id: row.wanted for row in some},
            )  # fmt: skip

    async def choose(self, player: str, wish: Reach) -> None:
        """For all tables. Refuses an unknown time zone."""
        quiet = wish.quiet
        if quiet is not None:
            try:
                ZoneInfo(quiet.zone)
            except (KeyError, ValueError, OSError):
                raise refuse("notices.zone", 400) from None
        values = {
            "player": player, "everywhere": wish.everywhere, "language": wish.language,
            "quiet_from": quiet.start if quiet else None, "quiet_to": quiet.to if quiet else None,
            "zone": quiet.zone if quiet else "UTC",
        }  # fmt: skip
        await self.store.submit(lambda connection: _upsert(connection, reach, values))

    async def choose_table(self, player: str, table: str, wanted: bool | None) -> None:
        """For one table; None: as for all."""
        mine = sa.and_(reach_tables.c.player == player, reach_tables.c.table_id == table)

        def job(connection: sa.Connection) -> bool:
            if wanted is None:
                connection.execute(sa.delete(reach_tables).where(mine))
                return True
            return _upsert(connection, reach_tables, {"player": player, "table_id": table, "wanted": wanted})

        await self.store.submit(job)

    async def add(self, player: str, wish: NewChannel, base: str) -> str:
        """Keep a channel, if a test message arrives there; its name. Refused if it does not."""
        if wish.kind == "push" and self.key is None:
            raise refuse("notices.no-push")
        async with self.store.reading() as connection:
            mine = (await connection.execute(_of(player))).all()
        same = next((way.id for way in mine if way.address == wish.address), None)
        if same is None and len(mine) >= MAX_CHANNELS:
            raise refuse("notices.many", n=MAX_CHANNELS)
        values = {
            "id": same or new_key(), "player": player, "kind": wish.kind, "address": wish.address,
            "secret": dict(wish.keys), "base": base[:200], "made": time.time(), "failures": 0,
        }  # fmt: skip
        chosen = (await self.settings(player)).reach
        if wish.language is not None:
            chosen = msgspec.structs.replace(chosen, language=wish.language)
        await self._test(
            player,
            Way(wish.kind, wish.address, {str(name): text for name, text in wish.keys.items()}),
            base,
            chosen.language,
        )
        self.people.has_channel(player)
        await self.store.submit(lambda connection: _upsert(connection, channels, values))
        await self.choose(player, chosen)
        return str(values["id"])

    async def test(self, player: str, channel: str) -> None:
        """Send a test message. Refused if it does not arrive."""
        way = await self._mine(player, channel)
        language = (await self.settings(player)).reach.language
        await self._test(player, Way(way.kind, way.address, way.secret or {}), way.base, language)

    async def remove(self, player: str, channel: str) -> None:
        await self._mine(player, channel)
        await self.store.submit(lambda connection: _remove(connection, channel))

    async def _mine(self, player: str, channel: str) -> Any:
        async with self.store.reading() as connection:
            found = (await connection.execute(_of(player).where(channels.c.id == channel))).one_or_none()
        if found is None:
            raise refuse("notices.unknown", 404)
        return found

    async def _test(self, player: str, way: Way, base: str, language: str) -> None:
        self.limit.take(player)
        notice = Notice("test", None, None, None, language, base.rstrip("/"))
        try:
            await self.outbound.send(letter(notice, way, self.key))
        except Unsent as unsent:
            raise refuse("notices.unsent", answer=unsent.status or "–") from None

    # -------------------------------------------------------------- what is told
    async def looked(self, look: News) -> None:
        """Somebody looks at their seat: from now on they are told again."""
        self._looks.append(look)
        if len(self._looks) == 1:  # the first writes those of all who look in this turn of the event loop
            await asyncio.sleep(0)
            looks, self._looks = self._looks, []
            await self.store.submit(lambda connection: notice_writes.post(connection, looks))

    # -------------------------------------------------------------- sending
    async def run(self, loaded: dict[str, LiveTable]) -> None:
        """Send what is due, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            try:
                await self.send_due(loaded)
            except TacitError:
                pass  # the database is away: next time
            except Exception as error:
                if not is_away(error):
                    faults.note("the outbox", error)

    async def send_due(self, loaded: dict[str, LiveTable]) -> None:
        """One look into the outbox."""
        now = time.time()
        soon = sa.select(notices.c.channel_id, notices.c.table_id, notices.c.slot, notices.c.seat)
        soon = soon.where(notices.c.sent.is_(None), notices.c.due <= now + 2 * LOOK_EVERY, notices.c.claimed < now)
        async with self.store.reading() as connection:
            found = (await connection.execute(soon.limit(10 * AT_ONCE))).all()
        if not found:
            return
        here = [row for row in found if row.slot == "news" and _is_present(loaded.get(row.table_id), row.seat)]
        kinds = [kind for kind in get_args(ChannelKind) if kind != "push" or self.key is not None]

        def job(connection: sa.Connection) -> list[Key]:
            for row in here:
                notice_writes.postpone(connection, row[:3], now + PRESENT_DELAY, 0)
            return notice_writes.claim(connection, now, AT_ONCE, kinds)

        await asyncio.gather(*map(self._send, await self.store.submit(job)))

    async def _send(self, key: Key) -> None:
        query = (
            sa.select(
                notices,
                channels.c.kind.label("way"),
                channels.c.address,
                channels.c.secret,
                channels.c.base,
                channels.c.failures,
                tables.c.game,
                reach.c.language,
                reach.c.quiet_from,
                reach.c.quiet_to,
                reach.c.zone,
            )
            .select_from(notices)
            .join(channels, channels.c.id == notices.c.channel_id)
            .join(tables, tables.c.id == notices.c.table_id)
            .join(reach, reach.c.player == channels.c.player, isouter=True)
            .where(notices.c.channel_id == key[0], notices.c.table_id == key[1], notices.c.slot == key[2])
        )
        async with self.store.reading() as connection:
            row = (await connection.execute(query)).first()
        if row is None:
            return  # they have looked meanwhile
        if row.zone is not None:
            until = quiet_until(time.time(), row.quiet_from, row.quiet_to, row.zone)
            if until is not None:
                await self._later(key, until, row.attempts)
                return
        base = (self.config.public_url or row.base).rstrip("/")
        notice = Notice(row.kind, row.game, row.table_id, row.who, row.language or "en", base)
        way = Way(row.way, row.address, row.secret or {}, str(row.made))
        try:
            await self.outbound.send(letter(notice, way, self.key))
        except Unsent as unsent:
            await self._unsent(key, row, unsent.status)
        except RequestRefused as refusal:  # too much for one host; or an address that is not public any more
            if refusal.status == 429:
                await self._later(key, time.time() + RETRY_AFTER, row.attempts)
            else:
                await self._failed(key, row)
        else:
            self.metrics.notices.labels(row.kind, "sent").inc()
            await self.store.submit(lambda connection: notice_writes.settle(connection, key, True))

    async def _unsent(self, key: Key, row: Any, status: int | None) -> None:
        if row.way == "push" and status in GONE:
            self.metrics.notices.labels(row.kind, "gone").inc()
            await self.store.submit(lambda connection: _remove(connection, key[0]))
        elif (status is None or status >= 500 or status in LATER) and row.attempts + 1 < MAX_ATTEMPTS:
            await self._later(key, time.time() + RETRY_AFTER * 2**row.attempts, row.attempts + 1)
        else:
            await self._failed(key, row)

    async def _failed(self, key: Key, row: Any) -> None:
        self.metrics.notices.labels(row.kind, "failed").inc()
        if row.failures + 1 >= MAX_FAILURES:
            await self.store.submit(lambda connection: _remove(connection, key[0]))
        else:
            await self.store.submit(lambda connection: notice_writes.settle(connection, key, False))

    async def _later(self, key: Key, due: float, attempts: int) -> None:
        await self.store.submit(lambda connection: notice_writes.postpone(connection, key, due, attempts))


def _of(player: str) -> Any:
    return sa.select(channels).where(channels.c.player == player).order_by(channels.c.made)


def _reach(row: Any) -> Reach:
    """What somebody chose; the defaults if they chose nothing."""
    if row is None:
        return Reach()
    quiet = None if row.quiet_from is None else QuietHours(start=row.quiet_from, to=row.quiet_to, zone=row.zone)
    return Reach(everywhere=row.everywhere, language=row.language, quiet=quiet)


def _info(way: Any) -> ChannelInfo:
    host = urlsplit(way.address).hostname or ""
    return ChannelInfo(channel=way.id, kind=way.kind, host=host, made=way.made, failures=way.failures)


def _upsert(connection: sa.Connection, table: sa.Table, values: dict[str, Any]) -> bool:
    statement = insert(connection, table).values(values)
    connection.execute(statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=values))
    return True


def _remove(connection: sa.Connection, channel: str) -> None:
    connection.execute(sa.delete(channels).where(channels.c.id == channel))


def _is_present(table: LiveTable | None, seat: int | None) -> bool:
    return table is not None and seat is not None and table.presence.is_present(seat)
