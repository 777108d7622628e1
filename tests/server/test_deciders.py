"""Who decided for a seat, from when to when: in the record, the result and the replay, and never before the end."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from tacit import GAMES, Match
from tacit.core.registry import game_named
from tacit.server import admin
from tacit.server.deciders import Decider, Ledger, Line, read_tag, write_tag
from tacit.server.models import metadata
from tacit.server.protocol import Span
from tests.server.harness import Api, Person, Server, config, run, serving


@pytest.fixture
def api(server: Server) -> Api:
    return Api(server.url)


def kinds(spans: list[dict[str, Any]]) -> list[tuple[str, str | None]]:
    return [(span["kind"], span["bot"]) for span in spans]


def by_seat(record: str, seat: int) -> list[int]:
    """The steps in which a seat acted, counted from 1."""
    lines = Match.load(record).lines
    return [n for n, line in enumerate(lines, 1) if line.startswith((f"{seat} ", f"! {seat} "))]


def check(api: Api, table: str, key: str, wanted: list[list[tuple[str, str | None]]]) -> None:
    """The result, the record and the replay say the same: these, one after the other, for every step of the seat."""
    seats = api.get(f"/api/tables/{table}", key).json()["seats"]
    record = api.get(f"/api/tables/{table}/record", key).text
    outline = api.get(f"/api/tables/{table}/outline?eyes=public", key).json()
    for q, one in enumerate(wanted):
        played = seats[q]["played"]
        assert kinds(played) == one
        assert outline["seats"][q]["played"] == played
        assert f'tag played{q} "{write_tag([Span(**span) for span in played])}"' in record
        own = by_seat(record, q)
        assert [n for n in own if any(span["first"] <= n <= span["last"] for span in played)] == own
        for span in played:
            assert span["first"] in own
            assert span["last"] in own
    assert str(Match.load(record)) == record


# ------------------------------------------------------------------ a whole match
def test_a_match_that_a_bot_finished_for_ben_says_so(database: str) -> None:
    """Ben decides, leaves, a bot sits in; the server restarts; Ben comes back and leaves again."""
    with serving(config(database, bot_delay=(0.0, 0.0))) as server:
        api = Api(server.url)
        made = api.post("/api/tables", game="silver-and-gold", seats=2, name="Ada", kind="person").json()
        table, keys = made["table"], [made["key"]]
        keys.append(api.post(f"/api/tables/{table}/join", name="Ben", kind="person").json()["key"])
        api.start(table, keys[0])

        async def first() -> None:
            ada, ben = [await Person(server.url, table, key, choose=None).connect() for key in keys]
            await decisions(ada, ben, 3)
            await ben.ask("leave")
            assert (await ada.ask("sit-in", seat=1, bot="steady"))["type"] == "done"
            await decisions(ada, None, 2)

        run(first())
    with serving(config(database, bot_delay=(0.0, 0.0))) as server:

        async def second() -> None:
            ada, ben = [await Person(server.url, table, key, choose=None).connect() for key in keys]
            await ada.until(lambda: ada.seen)
            assert (await ben.ask("return"))["type"] == "done"
            await decisions(ada, ben, 2)
            await ben.ask("leave")
            assert (await ada.ask("sit-in", seat=1, bot="steady"))["type"] == "done"
            await decisions(ada, None, 500)

        run(second())
        api = Api(server.url)
        ben = [("person", None), ("bot", "steady"), ("person", None), ("bot", "steady")]
        check(api, table, keys[0], [[("person", None)], ben])
        assert 'tag seat1 "Ben"' in api.get(f"/api/tables/{table}/record", keys[0]).text
    with serving(config(database)) as server:  # and after another restart
        check(Api(server.url), table, keys[0], [[("person", None)], ben])


async def decisions(ada: Person, ben: Person | None, count: int) -> None:
    """A number of decisions of each person present, or until the end; a bot sits in for the others."""
    made = {id(person): 0 for person in (ada, ben) if person is not None}
    async with asyncio.timeout(60):
        while ada.phase != "over" and any(n < count for n in made.values()):
            for person in (ada, ben):
                if person is not None and person.seen and person.seen["ask"] is not None:
                    ask = person.seen["ask"]
                    await person.ask("act", ask=ask, texts=person.seen["legal"][:1])
                    made[id(person)] += 1
            await asyncio.sleep(0.005)


def test_what_a_client_says_it_is_stands_in_the_record(server: Server, api: Api) -> None:
    """A person, a program, and one that did not say; a bot of the server's own."""
    chairs = [{"kind": "open"}] * 3 + [{"kind": "bot", "bot": "random"}]
    made = api.post("/api/tables", game="silencio", seats=4, name="Ada", kind="person", chairs=chairs).json()
    table, keys = made["table"], [made["key"]]
    for name, kind in (("Robo", "program"), ("Someone", None)):
        keys.append(api.post(f"/api/tables/{table}/join", name=name, kind=kind).json()["key"])
    assert [seat["client"] for seat in api.get(f"/api/tables/{table}").json()["seats"]] == [
        "person", "program", None, None,
    ]  # fmt: skip
    refused = api.post(f"/api/tables/{table}/join", name="Other", kind="robot")
    assert refused.json()["reason"]["code"] == "server.unreadable"
    api.start(table, keys[0])

    async def play() -> None:
        people = [await Person(server.url, table, key).connect() for key in keys]
        await people[0].over()

    run(play())
    wanted: list[tuple[str, str | None]] = [("person", None), ("program", None), ("client", None), ("bot", "random")]
    check(api, table, keys[0], [[one] for one in wanted])


def test_a_clock_that_ran_out_is_told_from_the_person(sqlite_database: str) -> None:
    with serving(config(sqlite_database)) as server:
        api = Api(server.url)
        table, keys = api.make("toy", 2, people=2, clock=5, kind="person")

        async def play() -> None:
            ada = await Person(server.url, table, keys[0]).connect()
            await ada.until(lambda: ada.last("table"))
            server.app.tables.loaded[table].row.clock = 1  # five seconds are long for a test
            await ada.ask("start")
            await ada.over()

        run(play())
        usual = api.get("/api/games").json()
        bot = next(game["bots"][0]["name"] for game in usual["games"] if game["game"] == "toy")
        check(api, table, keys[0], [[("person", None)], [("clock", bot)]])


# ------------------------------------------------------------------ nothing of it before the end
@pytest.mark.parametrize("game", [*GAMES, "toy"])
def test_nobody_is_told_who_decided_which_step_while_it_runs(game: str, server: Server, api: Api) -> None:
    """The numbers would tell how many sealed choices there are."""
    seats = max(3, game_named(game).min_seats) if game != "toy" else 2
    table, keys = api.make(game, seats, people=2, spectators="public", kind="person")
    api.start(table, keys[0])
    path = f"/api/tables/{table}"

    async def play() -> None:
        ada, ben = [await Person(server.url, table, key).connect() for key in keys]
        watcher = await Person(server.url, table, choose=None).connect()
        while ada.phase != "over":
            for door in (path, f"{path}/seen", f"{path}/record", f"{path}/outline", f"{path}/replay", "/api/lobby"):
                answer = await asyncio.to_thread(api.get, door, keys[0])
                told = '"kind":"person","bot"' in answer.text or "played0" in answer.text
                assert not told or server.app.tables.loaded[table].over, door
            await asyncio.sleep(0.05)
        for person in (ada, ben, watcher):
            await person.over()
            tables = [frame for frame in person.frames if frame["type"] == "table"]
            for frame in tables:
                spans = [span for seat in frame["seats"] for span in seat["played"]]
                assert bool(spans) == (frame["phase"] == "over")

    run(play())


# ------------------------------------------------------------------ spans and tags
def test_spans_are_written_and_read_back() -> None:
    person, bot, clock = Decider("person"), Decider("bot", "steady"), Decider("clock", "steady")
    by = {3: person, 7: person, 9: person, 12: bot, 13: bot, 20: clock, 25: person}
    others = Line(1, person, 1, 0.0, False)
    ledger = Ledger(Line(0, by[number], 1, 0.0, False) if number in by else others for number in range(1, 26))
    spans = ledger.played(2)[0]
    assert write_tag(spans) == "3-9 person, 12-13 bot steady, 20-20 clock steady, 25-25 person"
    assert read_tag(write_tag(spans)) == spans


@pytest.mark.parametrize(
    "tag", ["", "x", "1-2", "1-2 king", "2-1 person", "0-1 person", "1-2 bot", "1-2 person steady",
            "1-2 person,3-4 bot a", "1-9999999 person", "-1-2 person", "1-2 bot " + "x" * 41, "１-2 person",
            ", " * 9999]
)  # fmt: skip
def test_a_tag_that_cannot_be_read_says_nothing(tag: str) -> None:
    assert read_tag(tag) == []


def test_a_brought_record_shows_who_played(api: Api) -> None:
    match = Match(
        "toy", seats=2, seed=1, tags={"seat0": "Ada", "played0": "1-2 person, 3-9 bot steady", "played1": "!"}
    )
    outline = api.post("/api/outline", record=str(match)).json()
    assert kinds(outline["seats"][0]["played"]) == [("person", None), ("bot", "steady")]
    assert outline["seats"][1]["played"] == []


# ------------------------------------------------------------------ databases of before
def test_a_database_of_before_keeps_its_matches(database: str, tmp_path: Path) -> None:
    """Taken back to the form of before: the match goes on, and what is not known is not said."""
    with serving(config(database)) as server:
        api = Api(server.url)
        table, keys = api.make("zombie-city", 3, people=2, bot="random")
        assert api.post(f"/api/tables/{table}/chat", keys[0], text="before").status_code == 200
        api.start(table, keys[0])
        assert api.post(f"/api/tables/{table}/chat", keys[0], text="during").status_code == 200
        url = server.app.store.url
    asyncio.run(downgraded(url))
    with serving(config(database)) as server:
        api = Api(server.url)

        async def play() -> None:
            ada, ben = [await Person(server.url, table, key).connect() for key in keys]
            await ben.over()
            await ada.until(lambda: ada.phase == "over")
            said = [frame for frame in ben.frames if frame["type"] == "said"]
            assert [(one["name"], one["text"]) for one in said] == [(None, "before"), ("Guest 0", "during")]
            assert said[1]["person"] == ben.last("table")["seats"][0]["person"]

        run(play())
        seats = api.get(f"/api/tables/{table}").json()["seats"]
        assert kinds(seats[2]["played"]) == [("bot", "random")]
        assert {kind for q in (0, 1) for kind, _ in kinds(seats[q]["played"])} <= {"client"}


def test_a_backup_of_before_can_be_restored(sqlite_database: str, tmp_path: Path) -> None:
    """It has no column for what is kept since, and mutes that were of seats."""
    old, older = tmp_path / "new.backup", tmp_path / "old.backup"
    with serving(config(sqlite_database)) as server:
        api = Api(server.url)
        table, keys = api.make("zombie-city", 3, people=2)
        api.start(table, keys[0])
        asyncio.run(admin.backup(sqlite_database, old, own=True))
    new_columns = {"decider", "client", "name", "person"}
    with gzip.open(old, "rb") as source, gzip.open(older, "wb") as target:
        for line in source:
            row = msgspec.json.decode(line)
            if isinstance(row, list) and row[0] in ("steps", "seats"):
                row[1] = {k: v for k, v in row[1].items() if k not in new_columns or (row[0], k) == ("seats", "name")}
                row[1] |= {"muted": [1]} if row[0] == "seats" else {}
            target.write(msgspec.json.encode(row) + b"\n")
    restored = f"sqlite:///{tmp_path / 'restored.db'}"
    assert asyncio.run(admin.restore(restored, older, replace=False)) == 1
    with serving(config(restored)) as server:
        api = Api(server.url)
        assert api.post(f"/api/tables/{table}/mute", keys[0], seat=1).status_code == 200

        async def play() -> None:
            ada, _ = [await Person(server.url, table, key).connect() for key in keys]
            await ada.over()

        run(play())


async def downgraded(url: sa.URL) -> None:
    """Back to the first form of the database."""
    from alembic import command
    from alembic.config import Config
    from sqlalchemy.ext.asyncio import create_async_engine

    from tacit.server import migrations

    def down(connection: sa.Connection) -> None:
        chosen = Config()
        chosen.set_main_option("script_location", str(Path(migrations.__file__).parent).replace("%", "%%"))
        chosen.set_main_option("path_separator", "os")
        chosen.attributes["connection"] = connection
        command.downgrade(chosen, "0001")
        assert "decider" not in {c["name"] for c in sa.inspect(connection).get_columns("steps")}

    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.run_sync(down)
    await engine.dispose()
    assert "decider" in metadata.tables["steps"].c
