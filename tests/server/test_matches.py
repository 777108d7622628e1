"""Whole matches over real sockets: of every game on SQLite, of some on PostgreSQL (of every game in the long run)."""

from __future__ import annotations

import os

import pytest

from tacit import GAMES, Match
from tests.server.harness import Api, Person, config, run, serving

LONG = "TACIT_LONG" in os.environ
EVERY = [*GAMES, "toy"]
CASES = [("sqlite", game) for game in EVERY]
CASES += [("postgres", game) for game in (EVERY if LONG else ["silver-and-gold", "toy"])]


@pytest.mark.parametrize(("database", "game"), CASES, indirect=["database"])
def test_people_and_bots_play_a_whole_match(database: str, game: str) -> None:
    with serving(config(database)) as server:
        api = Api(server.url)
        table, keys = api.make(game, 3, people=2)

        async def play() -> None:
            people = [await Person(server.url, table, key).connect() for key in keys]
            assert (await people[0].ask("start"))["type"] == "done"
            for person in people:
                await person.over()
                refused = {frame["reason"]["code"] for frame in person.frames if frame["type"] == "refused"}
                assert refused <= {"server.act.stale"}  # where all may decide, one is first
            for person in people:
                await person.close()

        run(play())
        record = api.get(f"/api/tables/{table}/record", keys[0])
        assert record.status_code == 200
        match = Match.load(record.text)
        assert match.over
        assert match.tags["seat0"] == "Guest 0"
        assert api.get(f"/api/tables/{table}").json()["result"] == match.result
