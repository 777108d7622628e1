"""A new rules version loses no match: what was begun under an older one is played, shown and kept under it."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tacit import Match
from tacit.server.admin import export
from tacit.server.bus import LocalBus
from tacit.server.database import database_url
from tacit.server.keys import hash_of
from tacit.server.models import SeatRow, Step, TableRow
from tacit.server.protocol import Phase
from tacit.server.store import Store
from tests.server.harness import Api, Person, config, run, serving

GOLDEN = Path(__file__).parent.parent / "golden" / "silencio" / "drawn-in-vain.tacit"
# Of version 1; after an unplayable draw version 2 offers more than cards to play.
WHOLE = Match.load(GOLDEN.read_text())
VAIN = WHOLE.lines.index("* draw r4") + 1
KEYS = ADA, BEN, CEM = [name * 8 for name in ("ada", "ben", "cem")]


def put(database: str, name: str, phase: Phase, lines: list[str], version: int = 1) -> None:
    """Store a table as a server of before the new rules left it."""
    chairs = [SeatRow("person", key[:3], key_hash=hash_of(key)) for key in KEYS]
    row = TableRow(
        id=name, game="silencio", rules_version=version, options=WHOLE.options, visibility="private",
        spectators="public", clock=None, phase=phase, maker_hash=hash_of(ADA), made=time.time(), seats=chairs,
    )  # fmt: skip

    async def work() -> None:
        store = Store(database_url(database), LocalBus())
        await store.open()
        await store.create(row)
        if lines:
            await store.append(Step(name, 1, lines, [1, 1, 1], over=phase == "over"))
        await store.close()

    asyncio.run(work())


def test_a_running_match_of_version_1_ends_under_version_1(database: str, tmp_path: Path) -> None:
    put(database, "running", "playing", WHOLE.lines[:VAIN])
    with serving(config(database)) as server:
        api = Api(server.url)
        legal = api.get("/api/tables/running/seen", BEN).json()["legal"]
        assert legal
        assert {text.split()[0] for text in legal} == {"play"}  # no shrine, no tavern: that is version 1

        async def play() -> None:
            people = [await Person(server.url, "running", key).connect() for key in KEYS]
            for person in people:
                await person.over()
                await person.close()

        run(play())
        text = api.get("/api/tables/running/record", ADA).text
        assert "\ngame silencio 1\n" in text
        match = Match.load(text)
        assert match.over
        assert match.lines[:VAIN] == WHOLE.lines[:VAIN]
        assert api.get("/api/tables/running/outline?eyes=0", ADA).json()["rules_version"] == 1


def test_a_finished_match_of_version_1_stays_replayable(database: str, tmp_path: Path) -> None:
    put(database, "finished", "over", WHOLE.lines)
    with serving(config(database)) as server:
        api = Api(server.url)
        assert Match.load(api.get("/api/tables/finished/record", ADA).text).lines == WHOLE.lines
        assert api.get("/api/tables/finished").json()["result"] == WHOLE.result
        for eyes in ("0", "public", "open"):
            outline = api.get(f"/api/tables/finished/outline?eyes={eyes}", ADA).json()
            assert (outline["rules_version"], outline["result"]) == (1, WHOLE.result)
            shown = api.get(f"/api/tables/finished/replay?eyes={eyes}&step={VAIN}", ADA).json()
            assert (shown["view"]["phase"], shown["view"]["drawn"]) == ("choose", "r4")

    async def exported() -> Any:
        store = Store(database_url(database), LocalBus())
        await store.open()
        found = await export(store, tmp_path / "records", running=False, names=True)
        await store.close()
        return found

    assert asyncio.run(exported())
    assert "\ngame silencio 1\n" in next((tmp_path / "records").glob("*.tacit")).read_text()


def test_a_table_that_has_not_begun_begins_under_the_newest_rules(sqlite_database: str) -> None:
    put(sqlite_database, "gathering", "gathering", [])
    with serving(config(sqlite_database)) as server:
        api = Api(server.url)
        api.start("gathering", ADA)
        engine = sa.create_engine(sqlite_database)
        with engine.connect() as connection:
            assert connection.execute(sa.text("SELECT rules_version FROM tables")).scalars().all() == [2]
        engine.dispose()
        assert api.get("/api/tables/gathering/seen", ADA).json()["view"]["phase"] == "claim"


def test_a_rematch_of_a_match_of_version_1_is_of_the_newest(sqlite_database: str) -> None:
    put(sqlite_database, "finished", "over", WHOLE.lines)
    with serving(config(sqlite_database)) as server:
        assert Api(server.url).post("/api/tables/finished/rematch", ADA).status_code == 200
    engine = sa.create_engine(sqlite_database)
    with engine.connect() as connection:
        found = connection.execute(sa.text("SELECT phase, rules_version FROM tables"))
        versions = {row.phase: row.rules_version for row in found}
    engine.dispose()
    assert versions == {"over": 1, "gathering": 2}


@pytest.mark.parametrize("phase", ["playing", "over"])
def test_a_match_of_unknown_rules_is_refused_with_a_sentence_and_kept(phase: Phase, sqlite_database: str) -> None:
    put(sqlite_database, "later", phase, WHOLE.lines if phase == "over" else WHOLE.lines[:VAIN], version=99)
    paths = ["seen"] + (["record", "replay", "outline"] if phase == "over" else [])
    with serving(config(sqlite_database)) as server:
        api = Api(server.url)
        for path in paths:
            answer = api.get(f"/api/tables/later/{path}", ADA)
            assert answer.status_code == 409
            assert answer.json()["sentence"] == (
                "This match follows version 99 of the rules of Silencio, which this server does not know "
                "(it knows: 1, 2). The match is kept."
            )

        async def knock() -> None:
            ada = await Person(server.url, "later", ADA).connect()
            refused = await ada.until(lambda: ada.last("refused") or ada.last("removed"))
            assert refused["reason"]["code"] == "server.table.rules"
            await ada.close()

        run(knock())
        assert api.get("/api/tables/later").json()["phase"] == phase
