"""What is stored: its form, group commit, races, and what happens when the database goes away."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import sqlalchemy as sa

from tacit.server.bus import LocalBus
from tacit.server.database import database_url
from tacit.server.errors import RequestRefused
from tacit.server.models import SeatRow, Step, TableRow, metadata
from tacit.server.store import Conflict, Store
from tacit.server.writer import MIN_THREADED, QUICK, QUICK_EACH


def row(name: str, seats: int = 2) -> TableRow:
    return TableRow(
        id=name, game="toy", rules_version=1, options={}, visibility="private", spectators="none", clock=None,
        phase="gathering", maker_hash="m", made=time.time(), seats=[SeatRow() for _ in range(seats)],
    )  # fmt: skip


def step(name: str, sequence: int, **more: Any) -> Step:
    return Step(name, sequence, [f"* line {sequence}"], [1, 1], **more)


def with_store(database: str, work: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = Store(database_url(database), LocalBus())
        await store.open()
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


def test_the_migrations_give_the_form_that_the_code_expects(database: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    async def work(store: Store) -> None:
        def compare(connection: sa.Connection) -> list[Any]:
            return list(compare_metadata(MigrationContext.configure(connection), metadata))

        async with store.engine.connect() as connection:
            assert await connection.run_sync(compare) == []

    with_store(database, work)
    with_store(database, work)  # a second start changes nothing


def test_what_waits_together_is_committed_together(database: str) -> None:
    async def work(store: Store) -> None:
        for i in range(20):
            await store.create(row(f"t{i}"))
        before = store.writer.commits
        await asyncio.gather(*(store.append(step(f"t{i}", 1)) for i in range(20)))
        assert store.writer.commits - before <= 3
        for i in range(20):
            assert [s.lines for s in (await store.load(f"t{i}", 0))[1]] == [["* line 1"]]

    with_store(database, work)


def test_a_closed_store_has_no_thread_left(sqlite_database: str) -> None:
    async def work(store: Store) -> None:
        store.writer._threaded = 1
        await store.create(row("t"))
        assert any(thread.name == "writer" for thread in threading.enumerate())

    with_store(sqlite_database, work)
    for thread in threading.enumerate():
        if thread.name == "writer":
            thread.join(10)
    assert not any(thread.name == "writer" for thread in threading.enumerate())


def test_a_step_that_another_stored_first_spoils_no_other_of_its_commit(sqlite_database: str) -> None:
    """Steps alone go past SQLAlchemy, over a connection that is kept: it is as good as new after a conflict."""

    async def work(store: Store) -> None:
        await store.create(row("t"))
        await store.append(step("t", 1))
        answers = await asyncio.gather(
            *(store.append(step("t", number)) for number in (1, 2, 3)), return_exceptions=True
        )
        assert isinstance(answers[0], Conflict)
        assert answers[1:] == [None, None]
        await store.append(step("t", 4))
        _, found = await store.load("t", 0)
        assert [one.sequence for one in found] == [1, 2, 3, 4]

    with_store(sqlite_database, work)


def test_of_two_who_write_the_same_step_one_wins(database: str) -> None:
    async def work(store: Store) -> None:
        other = Store(store.url, LocalBus())
        await other.open()
        await store.create(row("t"))
        wins = []
        for sequence in range(1, 8):
            answers = await asyncio.gather(
                *(s.append(step("t", sequence)) for s in (store, other)), return_exceptions=True
            )
            wins.append(sum(answer is None for answer in answers))
            assert sum(isinstance(answer, Conflict) for answer in answers) == 1
        assert wins == [1] * 7
        await other.close()

    with_store(database, work)


def test_a_changed_table_is_stored_whole_or_not_at_all(database: str) -> None:
    async def work(store: Store) -> None:
        await store.create(row("t"))
        first, second = await store.table("t"), await store.table("t")
        assert first is not None
        assert second is not None
        old = first.copy()
        first.seats[0].name = "Ada"
        await store.save(old, first)
        second.seats[0].name = "Ben"
        with pytest.raises(Conflict):
            await store.save(old, second, step("t", 1))
        found, steps = await store.load("t", 0)
        assert found is not None
        assert (found.seats[0].name, steps) == ("Ada", [])

    with_store(database, work)


def test_a_last_step_ends_the_table_in_the_same_commit(database: str) -> None:
    async def work(store: Store) -> None:
        await store.create(row("t"))
        await store.append(step("t", 1, over=True))
        found = await store.table("t")
        assert found is not None
        assert found.phase == "over"

    with_store(database, work)


def test_a_commit_whose_fate_is_unknown_is_asked_for_and_not_done_twice(sqlite_database: str) -> None:
    """The connection breaks after the commit, before its answer: the writer tries again and finds its own mark."""

    async def work(store: Store) -> None:
        await store.create(row("t"))
        commit, broken = store.writer._commit_file, list[bool]()

        class Breaks:
            """A connection to SQLite that breaks after its first statement."""

            def __init__(self, driver: sqlite3.Connection) -> None:
                self.driver = driver

            def execute(self, statement: str) -> None:
                self.driver.execute(statement)
                broken.append(True)
                raise OSError("the line is dead")

        def breaks(driver: sqlite3.Connection) -> Exception | None:
            return commit(Breaks(driver))

        store.writer._commit_file = breaks  # type: ignore[method-assign]
        for number, threaded in enumerate((0, 1), 1):  # by the event loop, and by the thread
            broken.clear()
            store.writer._threaded = threaded
            await store.append(step("t", number))
            assert broken
            assert len((await store.load("t", 0))[1]) == number

    with_store(sqlite_database, work)


def test_after_a_slow_commit_a_thread_waits_for_the_disk(sqlite_database: str) -> None:
    async def work(store: Store) -> None:
        await store.create(row("t"))
        writer, commit, threads = store.writer, store.writer._commit_file, list[bool]()

        def commits(driver: sqlite3.Connection) -> Exception | None:
            threads.append(threading.current_thread() is not threading.main_thread())
            return commit(driver)

        writer._commit_file = commits  # type: ignore[method-assign]
        writer._threaded, writer._penalty = 0, MIN_THREADED
        writer._judge(QUICK / 2, 1)
        writer._judge(QUICK * 2, round(QUICK / QUICK_EACH) + 1)  # many writes may take longer
        assert writer._threaded == 0
        writer._judge(QUICK * 2, 1)
        writer._judge = lambda seconds, writes: None  # type: ignore[method-assign] # the disk of a test may be slow
        for number in range(1, MIN_THREADED + 2):
            await store.append(step("t", number))
        assert threads == [True] * MIN_THREADED + [False]
        assert writer._penalty == 2 * MIN_THREADED

    with_store(sqlite_database, work)


def cut_off(store: Store, commit: Callable[[Any, Any], Awaitable[list[Any]]]) -> None:
    """Neither way of writing reaches the database: the careful one does this instead."""
    store.writer._write_file = lambda batch: False  # type: ignore[method-assign]
    store.writer._commit = commit  # type: ignore[method-assign, assignment]


def test_a_database_that_is_away_is_a_refusal(sqlite_database: str) -> None:
    async def work(store: Store) -> None:
        async def breaks(batch: Any, apply: Any) -> list[Any]:
            raise OSError("away")

        await store.create(row("t"))
        cut_off(store, breaks)
        with pytest.raises(RequestRefused, match="could not be saved"):
            await store.append(step("t", 1))

    with_store(sqlite_database, work)


BAD: dict[str, Callable[[TableRow], None]] = {
    "a number that is too large": lambda r: setattr(r, "clock", 10**30),
    "half a character": lambda r: setattr(r.seats[0], "name", "\ud800"),
    "a value of another type": lambda r: setattr(r, "made", {"not": "a number"}),
    "nothing where something must be": lambda r: setattr(r, "game", None),
}


@pytest.mark.parametrize("bad", [*BAD, "a name that is too long", "a zero character"])
def test_a_write_that_cannot_be_stored_fails_alone_and_nobody_waits(bad: str, database: str) -> None:
    """A write that fails: the others of the same commit are stored, and the writer goes on."""

    async def work(store: Store) -> None:
        def spoil(one: TableRow) -> None:
            if bad in BAD:
                BAD[bad](one)
            else:  # SQLite stores these
                one.seats[0].name = "\ufb2c" * 72 if bad == "a name that is too long" else "\0"

        stored_by_sqlite = bad not in BAD and not store.postgres
        rows = [row(f"t{i}") for i in range(12)]
        spoil(rows[3])
        spoil(rows[8])
        sleeps: list[float] = []
        sleep = asyncio.sleep

        async def noted(seconds: float) -> None:
            sleeps.append(seconds)
            await sleep(seconds)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("tacit.server.store.asyncio.sleep", noted)
            answers = await asyncio.gather(
                *map(store.create, rows), store.append(step("nowhere", 1)), return_exceptions=True
            )
            await store.append(step("t0", 1))  # the writer goes on
        assert sleeps == []
        assert isinstance(answers[12], Conflict)  # its table is not there
        for i, answer in enumerate(answers[:12]):
            refused = i in (3, 8) and not stored_by_sqlite
            assert isinstance(answer, RequestRefused) if refused else answer is None, (i, answer)
            assert (await store.table(f"t{i}") is None) == refused

    with_store(database, work)


def test_while_the_database_is_away_all_wait_together_and_not_one_after_the_other(sqlite_database: str) -> None:
    async def work(store: Store) -> None:
        tried: list[int] = []

        async def breaks(batch: Any, apply: Any) -> list[Any]:
            tried.append(len(batch))
            raise OSError("away")

        await store.create(row("t"))
        cut_off(store, breaks)
        answers = await asyncio.gather(*(store.append(step("t", i)) for i in range(1, 30)), return_exceptions=True)
        assert all(isinstance(answer, RequestRefused) and answer.status == 503 for answer in answers)
        assert tried == [29] * 3

    with_store(sqlite_database, work)


def test_a_file_that_another_process_has_locked_holds_up_the_write_and_not_the_loop(sqlite_database: str) -> None:
    async def work(store: Store) -> None:
        await store.create(row("t"))
        await store.append(step("t", 1))  # the writer has its connection
        other = sqlite3.connect(store.url.database or "", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        writing = asyncio.create_task(store.append(step("t", 2)))
        late = 0.0
        for _ in range(30):
            began = time.perf_counter()
            await asyncio.sleep(0.01)
            late = max(late, time.perf_counter() - began)
        assert not writing.done()
        assert late < 5  # SQLite would have waited ten seconds in the loop's thread
        other.execute("COMMIT")
        other.close()
        await writing
        await store.append(step("t", 3))
        assert [found.sequence for found in (await store.load("t", 0))[1]] == [1, 2, 3]

    with_store(sqlite_database, work)


def test_a_write_that_fails_in_every_way_leaves_the_writer_at_work(sqlite_database: str) -> None:
    async def work(store: Store) -> None:
        async def breaks(batch: Any, apply: Any) -> list[Any]:
            raise ValueError("neither away nor a single write's fault")

        await store.create(row("t"))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(store.writer, "_write_file", lambda batch: False)
            patch.setattr(store.writer, "_commit", breaks)
            with pytest.raises(RequestRefused, match="could not be saved"):
                await asyncio.wait_for(store.append(step("t", 1)), 10)
        await asyncio.wait_for(store.append(step("t", 1)), 10)

    with_store(sqlite_database, work)


def counting(store: Store) -> list[str]:
    """The statements that are sent to read, as they are sent."""
    sent: list[str] = []
    sa.event.listen(store.engine.sync_engine, "before_cursor_execute", lambda *given: sent.append(given[2]))
    return sent


def test_the_lobby_takes_two_queries_and_shows_who_waits_first(database: str) -> None:
    async def work(store: Store) -> None:
        now = time.time()
        for i in range(30):
            open_table = row(f"t{i:02d}", seats=3)
            open_table.visibility, open_table.made = "open", now - i
            if i % 3 == 1:
                open_table.phase, open_table.spectators = "playing", "public"
            await store.create(open_table)
        await store.create(row("private"))
        sent = counting(store)
        found = await store.lobby(now - 24.5, 20)
        assert len([text for text in sent if text.startswith("SELECT")]) == 2
        assert all(len(one.seats) == 3 for one in found)
        waits = [f"t{i:02d}" for i in range(25) if i % 3 != 1]
        assert [one.id for one in found] == [*waits, *(f"t{i:02d}" for i in range(1, 30, 3))][:20]
        await store.attend(["t29"])
        assert "t29" in [one.id for one in await store.lobby(now - 24.5, 20)]

    with_store(database, work)


def test_tables_that_nobody_attends_any_more_are_given_up(database: str) -> None:
    async def work(store: Store) -> None:
        for name in ("old", "attended", "begun", "new"):
            table = row(name)
            table.made = time.time() - (0 if name == "new" else 1000)
            table.phase = "playing" if name == "begun" else "gathering"
            await store.create(table)
        await store.attend(["attended"])
        assert await store.delete_unattended(time.time() - 500) == ["old"]
        assert await store.delete_unattended(time.time() - 500) == []
        assert await store.table("old") is None
        assert all([await store.table(name) for name in ("attended", "begun", "new")])

    with_store(database, work)


def test_matches_are_found_in_which_a_bot_or_a_clock_is_due_newest_first(database: str) -> None:
    """A bot's seat is 1, a person's 0; `due` has a bit for each seat, or is not known."""
    cases: dict[str, tuple[int | None, int | None]] = {  # due, clock
        "a bot": (2, None), "both": (3, None), "a person": (1, None), "a person, with a clock": (1, 60),
        "a person, with a long clock": (1, 10_000), "somebody": (None, None),
    }  # fmt: skip

    async def work(store: Store) -> None:
        now = time.time()
        for age, (name, (due, clock)) in enumerate(cases.items()):
            table = row(name)
            table.phase, table.clock = "playing", clock
            table.seats[1] = SeatRow("bot", bot="random")
            await store.create(table)
            await store.append(step(name, 1, due=3, at=now - 5000))
            await store.append(step(name, 2, due=due, at=now - 1000 - age))
        found = await store.unattended(now, None, 100)
        assert [(one.table, one.sequence) for one in found] == [
            (name, 2) for name in ("a bot", "both", "a person, with a clock", "somebody")
        ]
        assert [one.table for one in await store.unattended(now, None, 2)] == ["a bot", "both"]
        assert [one.table for one in await store.unattended(now, found[1].at, 1)] == ["a person, with a clock"]
        assert await store.unattended(now - 2000, None, 100) == []
        await store.append(step("a person, with a long clock", 3, due=1, at=now + 3600))  # the clock was set back
        assert [one.table for one in await store.unattended(now - 2000, None, 100)] == ["a person, with a long clock"]

    with_store(database, work)


@pytest.mark.parametrize("address", ["mysql://x/y", "nonsense", "sqlite://", "sqlite:///:memory:", ""])
def test_other_databases_are_refused(address: str) -> None:
    with pytest.raises(RequestRefused, match="A database is"):
        database_url(address)
