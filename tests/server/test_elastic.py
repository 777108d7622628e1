"""Processes come and go. A table's people and bots meet in one process when they can, and everything works when they
do not; a process that stops leaves its bots to the others.
"""

from __future__ import annotations

import asyncio
import itertools
import signal
import time
from collections.abc import Iterator

import pytest

from tacit.server import bot_seats, handover, maintenance, table_service
from tacit.server.bus import LocalBus
from tacit.server.database import database_url
from tacit.server.store import Store
from tests.server.harness import (
    LONG,
    Api,
    Person,
    Process,
    Server,
    anything,
    both_buses,
    config,
    eventually,
    run,
    serving,
)
from tests.server.witness import Party, judge

NEVER = 3600.0  # seconds
SILENT = 3.0  # seconds that a table may be silent, where a process starts in START
START = 2.0  # seconds, beside the other processes of the test on an otherwise quiet machine
GO_ON_WITHIN = 300.0  # seconds


@pytest.fixture
def pair(postgres_database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Server]]:
    """Two processes of which none stands in for the other, nor finds tables that the other left."""
    monkeypatch.setattr(bot_seats, "STAND_BY", NEVER)
    monkeypatch.setattr(table_service, "HEARTBEAT", NEVER)
    monkeypatch.setattr(maintenance, "RESUME_EVERY", NEVER)
    with serving(config(postgres_database)) as first, serving(config(postgres_database)) as second:
        yield [first, second]


def bots_decided(server: Server) -> float:
    return float(server.app.metrics.registry.get_sample_value("tacit_decisions_total", {"by": "bot"}) or 0)


async def meet(where: list[Server], table: str, keys: list[str]) -> list[Person]:
    """People at a table, each at a server; all servers know of them."""
    people = [await Person(one.url, table, key, choose=None).connect() for one, key in zip(where, keys, strict=True)]
    for person in people:
        await person.until(
            lambda one=person: (  # type: ignore[misc]
                one.last("table")
                and all(seat["presence"] == "here" for seat in one.last("table")["seats"][: len(keys)])
            )
        )
    return people


async def play_out(people: list[Person]) -> None:
    """They begin the match, and play it to the end."""
    for person in people:
        person.choose = anything
    assert (await people[0].ask("start"))["type"] == "done"
    for person in people:
        await person.over()


@both_buses
def test_bots_are_played_where_a_tables_people_meet(pair: list[Server]) -> None:
    first, second = pair
    api = Api(second.url)
    table, keys = api.make("silencio", 3, people=2)  # made in the second, which has it in memory

    async def play() -> None:
        people = await meet([first, first], table, keys)
        eventually(second.app.tables.loaded[table].presence.is_elsewhere)
        await play_out(people)

    run(play())
    assert bots_decided(first) > 0
    assert bots_decided(second) == 0


def test_of_two_processes_that_have_people_of_a_table_one_plays_its_bots(pair: list[Server]) -> None:
    table, keys = Api(pair[0].url).make("silencio", 3, people=2)

    async def play() -> None:
        people = await meet(pair, table, keys)
        await play_out(people)

    run(play())
    assert sorted(bots_decided(server) > 0 for server in pair) == [False, True]


def test_bots_are_played_by_another_process_when_the_one_with_the_people_does_not(
    pair: list[Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_seats, "STAND_BY", 0.01)
    first, second = pair
    table, keys = Api(second.url).make("silencio", 3, people=2)
    first.app.tables.bot_seats.stopped = True  # it hangs

    async def play() -> None:
        people = await meet([first, first], table, keys)
        eventually(second.app.tables.loaded[table].presence.is_elsewhere)
        await play_out(people)

    run(play())
    assert bots_decided(second) > 0


@both_buses
def test_a_process_that_stops_leaves_its_bots_to_another_at_once(pair: list[Server]) -> None:
    """Nobody looks at the table, before or after."""
    first, second = pair
    first.app.tables.bot_seats.delay = (NEVER, NEVER)  # it does not finish the match itself
    api = Api(first.url)
    chairs = [{"kind": "bot", "bot": "steady"}] * 3
    made = api.post("/api/tables", game="zombie-city", seats=3, chairs=chairs).json()
    api.start(made["table"], made["key"])
    eventually(lambda: first.app.tables.bot_seats.busy(made["table"]))
    first.stop()
    eventually(lambda: made["table"] in second.app.tables.loaded and second.app.tables.loaded[made["table"]].over)


def test_who_comes_from_another_process_brings_what_its_notes_did_not(pair: list[Server]) -> None:
    """Pub/sub loses notes: those of a process that died, or that stopped while the bus was away."""
    first, second = pair
    table, keys = Api(first.url).make("silencio", 2, people=2)

    async def play() -> None:
        people = await meet(pair, table, keys)
        second.app.bus._on_note = lambda _: None  # from now on it hears nothing
        assert (await people[0].ask("start"))["type"] == "done"
        assert people[1].phase == "gathering"
        again = await Person(second.url, table, keys[0], choose=None).connect()
        for person in (again, people[1]):
            await person.until(lambda one=person: one.phase == "playing" and one.seen)  # type: ignore[misc]

    run(play())


def test_what_is_left_is_taken_once(postgres_database: str) -> None:
    names = [f"table-{number}" for number in range(2 * handover.TAKEN_AT_ONCE + 1)]

    async def play() -> None:
        stores = [Store(database_url(postgres_database), LocalBus()) for _ in range(2)]
        await stores[0].open()
        await stores[1].open()
        await handover.leave(stores[0], names)
        taken: list[str] = []
        for _ in range(3):
            for found in await asyncio.gather(*(handover.take(store) for store in stores)):
                taken += found
        assert sorted(taken) == sorted(names)
        for store in stores:
            await store.close()

    run(play())


# ------------------------------------------------------------------ under load
async def longest_silence(database: str, party: Party) -> float:
    """Seconds between two steps of a table, at the most."""
    store = Store(database_url(database), LocalBus())
    longest = 0.0
    for table in {person.table for person in party.people}:
        times = [step.at for step in (await store.load(table, 0))[1]]
        longest = max([longest, *(after - before for before, after in itertools.pairwise(times))])
    await store.engine.dispose()
    return longest


@pytest.mark.long  # in `make test` workers are replaced, and processes die, under fewer tables (test_faults.py)
@both_buses
def test_processes_come_and_go_under_load_and_are_rolled_and_nothing_is_lost(postgres_database: str) -> None:
    """From 2 to 6 and back (in `make test` to 3), then every one is replaced. Prints how long a table was silent."""
    settings = config(postgres_database)
    most, tables, each = (6, 12, 4) if LONG else (3, 3, 2)
    servers, starts = [Process(settings) for _ in range(2)], list[float]()

    async def stop(server: Process) -> None:
        urls.remove(server.url)  # as a balancer does that is told
        server.process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(server.process.wait, 120) in (0, -signal.SIGTERM)
        servers.remove(server)

    async def start() -> None:
        began = time.monotonic()
        servers.append(server := Process(settings))
        await asyncio.to_thread(server.wait)
        starts.append(time.monotonic() - began)
        urls.append(server.url)

    async def play() -> None:
        party = Party(urls, tables, pace=0.2 if LONG else 0.03, stays=True, bots=1)
        await party.start()
        await party.go_on(each, GO_ON_WITHIN)
        for _ in range(most - 2):
            await start()
            await party.go_on(each, GO_ON_WITHIN)
        for server in servers[: most - 2]:
            await stop(server)
            await party.go_on(each, GO_ON_WITHIN)
        for server in list(servers):
            await start()
            await stop(server)
            await party.go_on(each, GO_ON_WITHIN)
        await party.stop()
        assert await judge(postgres_database, party.people) == party.promised > 0
        assert not any(person.refused or person.codes[1006] for person in party.people)
        silent, busy = await longest_silence(postgres_database, party), max(starts) / START
        print(
            f"\n  {party.promised} decisions; a table was silent for {silent:.2f} s, a start took {max(starts):.2f} s"
        )
        if LONG:
            assert silent < SILENT * max(1.0, busy)

    try:
        for server in servers:
            server.wait()
        urls = [server.url for server in servers]
        asyncio.run(play())
    finally:
        for server in servers:
            server.kill()
