"""Notes over a real Valkey, alone and as a cluster. It is killed and paused: nothing is lost, all are told, later."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis as sync_redis

from tacit.server.bus import Note
from tacit.server.valkey_bus import Link, ValkeyBus
from tests.server.harness import LONG, TRUST, Api, Person, Process, config, free_port, run, serving
from tests.server.test_faults import survives
from tests.server.valkey import Valkey
from tests.server.witness import Party

HALF = 8192  # of the slots of a cluster


@pytest.fixture
def own_valkey(tmp_path: Path) -> Iterator[Valkey]:
    """One that may be killed."""
    running = Valkey(free_port(), tmp_path)
    try:
        yield running
    finally:
        running.kill()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[list[Valkey]]:
    """Two primaries, each with half of the slots."""
    nodes: list[Valkey] = []
    try:
        for number in range(2):
            folder = tmp_path / str(number)
            folder.mkdir()
            port = next(port for port in iter(free_port, None) if port < 55_000)  # its own bus is 10,000 above
            nodes.append(Valkey(port, folder, "--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1"))
        clients: list[Any] = [sync_redis.Redis(port=node.port) for node in nodes]
        for number, client in enumerate(clients):
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", number * HALF, number * HALF + HALF - 1)
        clients[0].execute_command("CLUSTER", "MEET", "127.0.0.1", nodes[1].port)

        async def joined() -> None:
            async with asyncio.timeout(60):
                while any(client.cluster("info")["cluster_state"] != "ok" for client in clients):
                    await asyncio.sleep(0.05)

        asyncio.run(joined())
        yield nodes
    finally:
        for node in nodes:
            node.kill()


class Listener:
    """A bus, and what came over it."""

    def __init__(self, url: str) -> None:
        self.bus, self.notes = ValkeyBus(url), list[Note]()

    async def until(self, found: Callable[[], object]) -> None:
        async with asyncio.timeout(60):
            while not found():
                await asyncio.sleep(0.01)

    async def hears(self, about: str, table: str = "") -> None:
        await self.until(lambda: any((note.about, note.table) == (about, table) for note in self.notes))


@contextlib.asynccontextmanager
async def listening(url: str) -> AsyncIterator[list[Listener]]:
    both = [Listener(url), Listener(url)]
    for one in both:
        await one.bus.open(one.notes.append)
    try:
        for one in both:
            await one.until(lambda one=one: one.bus.up)  # type: ignore[misc]
        yield both
    finally:
        for one in both:
            await one.bus.close()


async def told_of_its_own_tables_alone(ada: Listener, ben: Listener) -> None:
    tables = [f"table-{number}" for number in range(8)]  # in a cluster, on both primaries
    for table in tables:
        await ben.bus.follow(table)
    ben.notes.clear()
    ada.bus.committed([Note("steps", table) for table in [*tables, "another"]])
    await ada.bus.publish(Note("here", "table-3", seats=[1]))
    await ada.bus.publish(Note("people"))
    await ben.hears("people")
    for table in tables:
        await ben.hears("steps", table)
    await ben.hears("here", "table-3")
    assert {note.table for note in ben.notes} == {*tables, ""}
    assert [note.seats for note in ben.notes if note.about == "here"] == [[1]]
    assert {note.sender for note in ben.notes} == {ada.bus.sender}
    ben.bus.unfollow("table-3")
    ben.notes.clear()
    await ben.bus.follow("table-4")  # is so already
    await ada.until(lambda: not ben.bus._dropped)
    await ada.bus.publish(Note("chat", "table-3"))
    await ada.bus.publish(Note("chat", "table-4"))
    await ben.hears("chat", "table-4")
    assert not any(note.table == "table-3" for note in ben.notes)


def test_a_bus_is_closed_also_if_its_connection_fails_while_it_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The failure takes the place of the cancellation: a stopping server would wait for the bus forever."""
    used = asyncio.Event()

    @contextlib.asynccontextmanager
    async def opened(_: str) -> AsyncIterator[Link]:
        try:
            yield Link(None, False)
        finally:
            raise OSError("broken")

    async def use(bus: ValkeyBus, link: Link) -> None:
        used.set()
        await asyncio.Event().wait()

    async def play() -> None:
        bus = ValkeyBus("redis://nowhere")
        await bus.open(lambda _: None)
        await used.wait()
        await asyncio.wait_for(bus.close(), 30)

    monkeypatch.setattr(Link, "opened", opened)
    monkeypatch.setattr(ValkeyBus, "_use", use)
    run(play())


def test_a_process_hears_of_the_tables_it_follows_and_the_bus_learns_no_names(valkey: Valkey) -> None:
    async def play() -> None:
        async with listening(valkey.url) as (ada, ben):
            await told_of_its_own_tables_alone(ada, ben)
            channels = sync_redis.Redis(port=valkey.port).pubsub_channels()
            assert len(channels) >= 8
            assert not any(b"table" in channel for channel in channels)

    run(play())


def test_a_cluster_has_sharded_channels_and_is_found_again_when_a_primary_was_away(cluster: list[Valkey]) -> None:
    async def play() -> None:
        async with listening(cluster[0].url) as (ada, ben):
            await told_of_its_own_tables_alone(ada, ben)
            channels = [sync_redis.Redis(port=node.port).pubsub_shardchannels() for node in cluster]
            assert all(channels)
            cluster[1].kill()
            await ben.until(lambda: not ben.bus.up)
            ben.notes.clear()
            await asyncio.to_thread(cluster[1].restart)
            await ben.until(lambda: ben.bus.up)
            await ben.hears("all")
            ada.bus.committed([Note("steps", f"table-{number}") for number in range(8) if number != 3])
            for number in (0, 1, 2, 4, 5, 6, 7):
                await ben.hears("steps", f"table-{number}")

    run(play())


@pytest.mark.parametrize("way", ["killed", "paused"])
def test_while_the_bus_is_away_the_store_is_read_and_then_notes_come_again(way: str, own_valkey: Valkey) -> None:
    async def play() -> None:
        async with listening(own_valkey.url) as (ada, ben):
            await ben.bus.follow("before")
            own_valkey.kill() if way == "killed" else own_valkey.pause()
            await ben.until(lambda: not (ada.bus.up or ben.bus.up))
            ben.notes.clear()
            await ben.bus.follow("meanwhile")  # does not wait
            ada.bus.committed([Note("steps", "before")])
            await ben.hears("all")  # from now on every second
            ben.notes.clear()
            await ben.hears("all")
            await asyncio.to_thread(own_valkey.restart if way == "killed" else own_valkey.go_on)
            await ben.until(lambda: ada.bus.up and ben.bus.up)
            for table in ("before", "meanwhile"):
                ada.bus.committed([Note("table", table)])
                await ben.hears("table", table)

    run(play())


def test_more_notes_than_are_kept_become_one_that_says_all(own_valkey: Valkey, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacit.server.valkey_bus.MAX_UNSENT", 3)
    bus = ValkeyBus(own_valkey.url)
    bus.committed([Note("steps", f"table-{number}") for number in range(4)])
    assert len(bus._unsent) == 1
    assert b'"all"' in next(iter(bus._unsent))[1]


# ------------------------------------------------------------------ under a server
@pytest.mark.parametrize("way", ["killed", "paused"] if LONG else ["killed"])
def test_the_bus_goes_and_comes_under_busy_tables(way: str, own_valkey: Valkey, request: Any) -> None:
    """People of every table on two processes: they play on without it, and what was acknowledged is in the store."""
    from tests.server.conftest import new_database

    database = new_database(request.getfixturevalue("postgres"))
    servers = [Process(config(database, bus=own_valkey.url)) for _ in range(2)]

    async def goes(_: Party) -> None:
        await asyncio.to_thread(own_valkey.kill if way == "killed" else own_valkey.pause)

    async def comes(_: Party) -> None:
        await asyncio.to_thread(own_valkey.restart if way == "killed" else own_valkey.go_on)

    try:
        survives(servers, database, [goes, comes] * (2 if LONG else 1))
    finally:
        own_valkey.go_on()


def test_without_the_bus_everyone_is_told_late_and_the_host_sees_it(own_valkey: Valkey, request: Any) -> None:
    from tests.server.conftest import new_database

    settings = config(new_database(request.getfixturevalue("postgres")), bus=own_valkey.url)
    with serving(settings) as first, serving(settings) as second:
        api = Api(first.url)
        table, keys = api.make("toy", 3, people=3)

        async def play() -> None:
            ada = await Person(first.url, table, keys[0], choose=None).connect()
            ben = await Person(second.url, table, keys[1], choose=None).connect()
            await ada.until(lambda: ada.last("table") and ada.last("table")["seats"][1]["presence"] == "here")
            health = (await asyncio.to_thread(api.get, "/healthz")).json()
            assert (health["ok"], health["bus"], health["bus_up"]) == (True, "valkey", True)
            own_valkey.kill()
            assert (await ada.ask("chat", text="Hello"))["type"] == "done"
            await ben.until(lambda: ben.last("said").get("text") == "Hello")
            assert (await ada.ask("start"))["type"] == "done"
            asked = await ben.asked()
            assert (await ben.ask("act", ask=asked["ask"], texts=asked["legal"][:1]))["type"] == "done"
            health = (await asyncio.to_thread(api.get, "/healthz")).json()
            assert (health["ok"], health["bus_up"]) == (True, False)  # decisions can be stored
            told = httpx.get(first.url + "/metrics", verify=TRUST).text
            assert "tacit_bus_up 0.0" in told

        run(play())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--bus", "redis://localhost"], "--bus is for several processes on PostgreSQL"),
        (["--database", "postgresql://x@y/z", "--bus", "https://cards.example"], "--bus must be an address"),
        (["--database", "postgresql://x@y/z", "--bus", "redis://"], "--bus must be an address"),
    ],
)
def test_a_bus_that_is_none_is_refused_in_a_sentence(given: list[str], said: str, tmp_path: Path) -> None:
    from click.testing import CliRunner

    from tacit.cli import main

    refused = CliRunner().invoke(main, ["serve", *given], env={"TACIT_DATA": str(tmp_path)})
    assert refused.exit_code == 1
    assert said in refused.output
