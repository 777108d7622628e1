"""Notes between processes over Valkey or Redis, past the rate at which PostgreSQL's NOTIFY binds (docs/scale.md).

A table has a channel, followed while the table is in memory: a process hears of its own tables alone, however many
others there are. In a cluster channels are sharded. The name of a channel is a hash: whoever reads the bus cannot enter
a table. While the bus is away, everything in memory is read from the store every second.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any
from urllib.parse import urlsplit

import redis.asyncio as redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from tacit.server import faults, logs
from tacit.server.bus import Bus, Note, OnNote
from tacit.server.errors import refuse

PREFIX = "tacit:"
SCHEMES = ("redis", "rediss", "unix")
WITHIN = 1.0  # seconds in which it connects and answers
PING_AFTER = 1.0  # seconds without a message
RETRY_AFTER = 1.0  # seconds between two attempts to reach it, in which everything is read once
FOLLOW_WITHIN = 0.5  # seconds for which a table's loading waits for its channel
AT_ONCE = 500  # notes or channels in one round trip
MAX_UNSENT = 10_000  # notes that wait; beyond, one "all" stands for them
AWAY = (RedisError, OSError, TimeoutError)


def channel_of(table: str) -> str:
    """The channel of a table; of "", the channel that all processes follow."""
    return PREFIX + hashlib.blake2b(table.encode(), digest_size=16).hexdigest()


def checked_bus(url: str) -> str:
    """The address of a bus. Refuses what is none."""
    parts = urlsplit(url.strip())
    if parts.scheme not in SCHEMES or not (parts.hostname or parts.path):
        raise refuse("bus.url")
    return url.strip()


class ValkeyBus(Bus):
    """Publish and subscribe, with the store to fall back on."""

    name = "valkey"

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url
        self._link: Link | None = None  # none: it is away
        self._tables = {channel_of(""): ""}  # those that are followed, by channel
        self._confirmed: dict[str, asyncio.Event] = {}  # of channels whose table waits to be read
        self._late: set[str] = set()  # channels whose table was read before they were followed
        self._dropped: set[str] = set()  # channels to be left
        self._unsent: dict[tuple[str, bytes], None] = {}  # channel and note, in order
        self._work = asyncio.Event()  # something is to be sent or left
        self._task: asyncio.Task[None] | None = None
        self._closing = False

    @property
    def up(self) -> bool:
        return self._link is not None and self._link.ready

    async def open(self, on_note: OnNote) -> None:
        """Start. An absent bus does not stop a server: it reads the store until the bus is there."""
        self._on_note = on_note
        self._task = asyncio.create_task(self._run(), name="bus")

    async def close(self) -> None:
        """Send what waits, and stop."""
        if self._task is None:
            return
        self._closing = True
        with contextlib.suppress(*AWAY):
            async with asyncio.timeout(WITHIN):
                while self.up and self._unsent:
                    await self._publish_waiting(self._link)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    # -------------------------------------------------------------- what a process wants and tells
    async def follow(self, table: str) -> None:
        channel = channel_of(table)
        self._dropped.discard(channel)
        if channel in self._tables:
            return
        self._tables[channel] = table
        if self._link is None:
            return  # once it is there, everything is read again
        confirmed = self._confirmed[channel] = asyncio.Event()
        try:
            async with asyncio.timeout(FOLLOW_WITHIN):
                await self._link.subscribe([channel])
                await confirmed.wait()
        except AWAY:
            self._late.add(channel)
        finally:
            self._confirmed.pop(channel, None)

    def unfollow(self, table: str) -> None:
        channel = channel_of(table)
        if self._tables.pop(channel, None) is not None:
            self._late.discard(channel)
            self._dropped.add(channel)
            self._work.set()

    def committed(self, notes: Sequence[Note]) -> None:
        for note in notes:
            self._enqueue(note)

    async def publish(self, note: Note) -> None:
        self._enqueue(note)

    def _enqueue(self, note: Note) -> None:
        if len(self._unsent) >= MAX_UNSENT:
            self._unsent, note = {}, Note("all")
        nameless = Note(note.about, "", self.sender, note.seats, note.ask)
        self._unsent[channel_of(note.table), self.encoded(nameless)] = None
        self._work.set()

    # -------------------------------------------------------------- the connection
    async def _run(self) -> None:
        """Connect, and again whenever it is lost; read the store meanwhile."""
        told_up = True  # so that the first failure is logged
        while True:
            try:
                # In a task of its own: before Python 3.11.3 a task group that failed leaves its task as if somebody had
                # cancelled it, and the next time-out would end it.
                await asyncio.create_task(self._connect(), name="bus connection")
            except* Exception as lost:  # whatever it is: the store is there, and it is tried again
                why = _first(lost)
                if not isinstance(why, AWAY):
                    faults.note("the bus", why)
                elif told_up or self.up:
                    logs.note("bus.away", logging.WARNING, kind=type(why).__name__)
                told_up = False
            finally:
                self._link = None
            if self._closing:  # a connection that fails while it is left hides the cancellation
                return
            self._on_note(Note("all"))
            await asyncio.sleep(RETRY_AFTER)

    async def _connect(self) -> None:
        """Connect, and use the connection until something fails."""
        async with Link.opened(self.url) as link:
            self._link = link
            await self._use(link)

    async def _use(self, link: Link) -> None:
        """Follow all channels, send and receive until something fails."""
        async with asyncio.TaskGroup() as tasks:
            await link.subscribe(list(self._tables))
            for pubsub in link.pubsubs.values():
                await pubsub.ping()  # its answer comes after all channels are followed
                tasks.create_task(self._receive(link, pubsub))
            tasks.create_task(self._send(link))

    async def _receive(self, link: Link, pubsub: Any) -> None:
        asked = True
        while True:
            message = await pubsub.get_message(timeout=PING_AFTER)
            if message is None:
                if asked:
                    raise TimeoutError
                await pubsub.ping()
                asked = True
                continue
            asked = False
            kind, channel = message["type"], message["channel"]
            if kind in ("message", "smessage"):
                table = self._tables.get(channel.decode())
                if table is not None:
                    self.deliver(message["data"], table)
            elif kind in ("subscribe", "ssubscribe"):
                self._followed(channel.decode())
            elif kind == "sunsubscribe" and channel.decode() in self._tables:
                raise ConnectionError("the channel has moved to another shard")
            elif kind == "pong" and link.answered(pubsub):
                logs.note("bus.up")
                self._on_note(Note("all"))  # what was told meanwhile is lost

    def _followed(self, channel: str) -> None:
        if channel in self._confirmed:
            self._confirmed[channel].set()
        elif channel in self._late:
            self._late.discard(channel)
            self._on_note(Note("table", self._tables.get(channel, "")))

    async def _send(self, link: Link) -> None:
        while True:
            await self._work.wait()
            self._work.clear()
            dropped, self._dropped = self._dropped, set()
            if dropped:
                await link.unsubscribe(dropped)
            while self._unsent:
                await self._publish_waiting(link)

    async def _publish_waiting(self, link: Any) -> None:
        """Publish what waits. What fails is kept: the next connection sends it."""
        batch, self._unsent = self._unsent, {}
        try:
            await link.publish(list(batch))
            self.sent += len(batch)
        except BaseException:
            self._unsent = batch | self._unsent
            self._work.set()
            raise


class Link:
    """The connections to a server, or to every primary of a cluster."""

    def __init__(self, client: Any, clustered: bool) -> None:
        self.client, self.clustered = client, clustered
        self.pubsubs: dict[str, Any] = {}  # by node
        self._silent: set[int] = set()  # pubsubs that have not answered yet
        self.ready = False

    @classmethod
    @contextlib.asynccontextmanager
    async def opened(cls, url: str) -> AsyncIterator[Link]:
        """Connect, and find out whether it is a cluster."""
        once: dict[str, Any] = {"retry": Retry(NoBackoff(), 0)}  # it must fail at once: we count on being told
        how = once | {"socket_timeout": WITHIN, "socket_connect_timeout": WITHIN}
        async with contextlib.AsyncExitStack() as stack:
            client: Any = await stack.enter_async_context(redis.Redis.from_url(url, **how))
            clustered = bool((await client.info("cluster")).get("cluster_enabled"))
            if clustered:
                client = await stack.enter_async_context(redis.RedisCluster.from_url(url, **how))
            link = cls(client, clustered)
            for node in client.get_primaries() if clustered else [None]:
                own = client
                if node is not None:
                    address = urlsplit(url)
                    login = address.netloc.rpartition("@")[0]
                    netloc = f"{login}@{node.host}:{node.port}" if login else f"{node.host}:{node.port}"
                    own = redis.Redis.from_url(address._replace(netloc=netloc).geturl(), **how)
                    await stack.enter_async_context(own)
                pubsub = await stack.enter_async_context(own.pubsub())
                await pubsub.connect()
                link.pubsubs[node.name if node else ""] = pubsub
                link._silent.add(id(pubsub))
            yield link

    def answered(self, pubsub: Any) -> bool:
        """A node answers a ping; True if by that all have, for the first time."""
        self._silent.discard(id(pubsub))
        before, self.ready = self.ready, not self._silent
        return self.ready and not before

    async def subscribe(self, channels: Sequence[str]) -> None:
        if self.clustered:
            for channel in channels:
                await self._pubsub_of(channel).ssubscribe(channel)
        else:
            for at in range(0, len(channels), AT_ONCE):
                await self.pubsubs[""].subscribe(*channels[at : at + AT_ONCE])

    async def unsubscribe(self, channels: Iterable[str]) -> None:
        for channel in channels:
            if self.clustered:
                await self._pubsub_of(channel).sunsubscribe(channel)
            else:
                await self.pubsubs[""].unsubscribe(channel)

    async def publish(self, notes: Sequence[tuple[str, bytes]]) -> None:
        if self.clustered:
            for at in range(0, len(notes), AT_ONCE):
                await asyncio.gather(*(self.client.spublish(*note) for note in notes[at : at + AT_ONCE]))
        else:
            for at in range(0, len(notes), AT_ONCE):
                pipeline = self.client.pipeline(transaction=False)
                for channel, text in notes[at : at + AT_ONCE]:
                    pipeline.publish(channel, text)
                await pipeline.execute()

    def _pubsub_of(self, channel: str) -> Any:
        return self.pubsubs[self.client.get_node_from_key(channel).name]


def _first(group: BaseExceptionGroup[Any]) -> BaseException:
    one: BaseException = group
    while isinstance(one, BaseExceptionGroup):
        one = one.exceptions[0]
    return one
