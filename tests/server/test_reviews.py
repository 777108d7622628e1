"""Reviews of finished matches: who may ask, the line of those who wait, what is kept, and what becomes of it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tacit import Match
from tacit.server import admin, reviews
from tacit.server.bus import LocalBus
from tacit.server.models import reviews as rows
from tacit.server.store import Store
from tests.server.harness import config, eventually, serving
from tests.server.players import GAME, SEATS, Player, refused, todays
from tests.server.test_replay import a_match


class Engine:
    """What the tests tell the process that makes reviews, and what it was asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def go(self, how: str = "on") -> None:
        (self.folder / "new").write_text(how)
        (self.folder / "new").rename(self.folder / "go")  # whole, or not there

    def wait(self) -> None:
        (self.folder / "go").unlink()

    @property
    def asked(self) -> list[str]:
        file = self.folder / "asked"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    monkeypatch.setattr(reviews, "COMMAND", (sys.executable, "-m", "tests.server.stub_review", str(tmp_path)))
    monkeypatch.setattr(reviews, "LOOK_EVERY", 0.05)
    return Engine(tmp_path)


def until(ask: Callable[[], dict[str, Any]], fits: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """The first answer that fits."""
    found: dict[str, Any] = {}

    def so() -> bool:
        found.clear()
        found.update(ask())
        return bool(fits(found))

    eventually(so)
    return found


def test_a_review_is_made_in_line_told_as_it_grows_kept_and_dropped_with_its_match(
    database: str, engine: Engine
) -> None:  # fmt: skip
    with serving(config(database)) as server:
        ada = Player(server.url, "Ada")
        (first, key), (second, other) = ada.plain(), ada.plain()

        def look(table: str = first, after: str = "", wait: float = 0.0) -> dict[str, Any]:
            path = f"/api/tables/{table}/review?after={after}&wait={wait}"
            return dict(ada.ask(path, key if table == first else other).json())

        began = look()
        assert (began["state"], began["place"], began["review"]) == ("queued", 0, None)
        part = until(look, lambda found: found["review"])
        assert (part["state"], part["review"]["stage"]) == ("working", "curve")
        behind = until(lambda: look(second), lambda found: found["place"] == 1)
        assert behind["state"] == "queued"
        engine.go()
        more = look(after=part["mark"], wait=25)  # answered as soon as there is more
        assert more["mark"] != part["mark"]
        whole = until(look, lambda found: found["state"] == "ready")
        assert whole["review"]["stage"] == "done"
        until(lambda: look(second), lambda found: found["state"] == "ready")
        assert [f'tag bot{q} "' in engine.asked[0] for q in range(SEATS)] == [False, True, True]
        assert "Ada" not in engine.asked[0]  # a review is of seats: no name goes into it
        assert "Guest" not in engine.asked[0]
    with serving(config(database)) as server:  # kept: a new process does not make it again
        ada.url = server.url
        assert look() == whole
        assert len(engine.asked) == 2
    asyncio.run(_deleted(server.app.store.url, first))
    assert asyncio.run(_kept(server.app.store.url)) == [second]


async def _deleted(url: sa.URL, table: str) -> None:
    store = Store(url, LocalBus())
    await admin.close(store, table)
    await store.engine.dispose()


async def _kept(url: sa.URL) -> list[str]:
    store = Store(url, LocalBus())
    async with store.reading() as connection:
        found = (await connection.execute(sa.select(rows.c.id))).scalars().all()
    await store.engine.dispose()
    return list(found)


def test_two_processes_make_a_review_once_and_both_tell_it(postgres_database: str, engine: Engine) -> None:
    chosen = config(postgres_database)
    with serving(chosen) as one, serving(chosen) as other:
        ada = Player(one.url, "Ada")
        table, key = ada.plain()

        def look(url: str) -> dict[str, Any]:
            ada.url = url
            return dict(ada.ask(f"/api/tables/{table}/review", key).json())

        for server in (one, other):
            look(server.url)
        for server in (one, other):
            until(lambda url=server.url: look(url), lambda found: found["review"])  # type: ignore[misc]
        engine.go()
        for server in (one, other):
            until(lambda url=server.url: look(url), lambda found: found["state"] == "ready")  # type: ignore[misc]
    assert len(engine.asked) == 1


def test_a_review_that_stops_is_begun_again(sqlite_database: str, engine: Engine) -> None:
    """By a fault: once somebody asks anew. By the end of the server: with the next question, where it stood in line."""
    with serving(config(sqlite_database)) as server:
        ada = Player(server.url, "Ada")
        table, key = ada.plain()

        def look(after: str = "") -> dict[str, Any]:
            return dict(ada.ask(f"/api/tables/{table}/review?after={after}", key).json())

        engine.go("fail")
        look()
        until(lambda: look("a mark"), lambda found: found["state"] == "failed")
        engine.wait()
        assert look()["state"] == "queued"
        until(look, lambda found: found["review"])
    with serving(config(sqlite_database)) as server:
        ada.url = server.url
        engine.go()
        until(look, lambda found: found["state"] == "ready")
    assert len(engine.asked) == 3


def test_a_record_that_somebody_brings_is_reviewed_and_not_stored(sqlite_database: str, engine: Engine) -> None:
    match = a_match(GAME)
    engine.go()
    with serving(config(sqlite_database, review_limit=(1.0, 0.0))) as server:
        ada = Player(server.url, "Ada")
        look = lambda: dict(ada.send("/api/review", record=str(match)).json())  # noqa: E731
        assert until(look, lambda found: found["state"] == "ready")["review"]["stage"] == "done"
        assert len(engine.asked) == 1  # however often one looks
        assert refused(ada.send("/api/review", record=str(a_match(GAME, 2)))) == "limit"
        half = str(match).partition("\n= ")[0].rpartition("\n")[0] + "\n"  # its last decision is missing
        assert refused(ada.send("/api/review", record=half)) == "review.unfinished"
        assert ada.send("/api/review", record="nothing").status_code == 400
    assert "\n".join(match.lines[-3:]).encode() not in b"".join(
        file.read_bytes() for file in engine.folder.glob("tacit.db*")
    )


def test_who_may_ask_for_a_review(sqlite_database: str, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    engine.go()
    with serving(config(sqlite_database)) as server:
        ada, ben = Player(server.url, "Ada"), Player(server.url, "Ben")
        table, keys = ada.make(GAME, SEATS, spectators="none")
        ada.start(table, keys[0])
        path = f"/api/tables/{table}/review"
        assert refused(ada.ask(path, keys[0])) == "record.not-over"
        ada.play(table, keys[0])
        assert refused(ben.ask(path)) == "spectators.none"  # he has neither sat there nor the record
        assert ada.ask(path, keys[0]).status_code == 200
        assert refused(ada.ask("/api/tables/no-such-table-1/review")) == "table.unknown"
        assert refused(ada.ask(f"{path}?wait=long", keys[0])) == "unreadable"
        record = ada.ask(f"/api/tables/{table}/record", keys[0]).text
        assert ben.send("/api/review", record=record).status_code == 200  # whoever holds the record

        # Begun anew from it: while that runs, nobody who plays there gets the review of what it came from.
        lines = Match.load(record).lines
        step = next(i for i, line in enumerate(lines) if not line.startswith("*")) + 1
        anew = ada.send("/api/branch", keys[0], table=table, step=step, name="Ada").json()
        ben.send(f"/api/tables/{anew['table']}/join", name="Ben")
        assert ada.ask(path, keys[0]).status_code == 200
        ada.send(f"/api/tables/{anew['table']}/start", anew["key"], fill="random")
        for player in (ada, ben):
            assert refused(player.send("/api/review", record=record)) == "review.playing"
        assert refused(ada.ask(path, keys[0])) == "review.playing"
        assert refused(ada.ask(f"/api/tables/{anew['table']}/review", anew["key"])) == "record.not-over"

        # A deal: whoever is in the middle of it gets no review of it, not even of an attempt of their own.
        cleo = Player(server.url, "Cleo")
        deal = todays(cleo)
        done, _ = cleo.attempt(deal)
        record = cleo.ask(f"/api/tables/{done}/record").text
        assert refused(ben.ask(f"/api/tables/{done}/review")) == "deal.hidden"
        running, key = ben.sit(deal)
        ben.start(running, key)
        assert refused(ben.send("/api/review", record=record)) == "deal.playing"
        assert refused(ben.ask(f"/api/tables/{done}/review")) == "deal.hidden"
        assert cleo.ask(f"/api/tables/{done}/review").status_code == 200
        monkeypatch.setattr(reviews, "MAX_WAITING", 0)
        assert refused(cleo.send("/api/review", record=str(a_match(GAME, 2)))) == "review.busy"


def test_a_match_that_was_ended_before_its_time_has_no_review(sqlite_database: str) -> None:
    with serving(config(sqlite_database)) as server:
        ada = Player(server.url, "Ada")
        table, keys = ada.make(GAME, SEATS, people=1, spectators="none")
        ada.start(table, keys[0])
        assert ada.send(f"/api/tables/{table}/wish", keys[0], want="end", answer="yes").status_code == 200
        eventually(lambda: ada.ask(f"/api/tables/{table}", keys[0]).json()["phase"] == "over")
        assert refused(ada.ask(f"/api/tables/{table}/review", keys[0])) == "review.unfinished"
