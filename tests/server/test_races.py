"""Races are for people: where the first to act takes it all, bots wait until every person has acted, declined, or had
their time. Nobody learns who declined.
"""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any

import pytest

from tacit import GAMES, Match
from tacit.server.races import is_race
from tests.server.harness import Api, Person, Server, config, eventually, run, serving
from tests.server.pairs import pair_for

LONG = 600.0  # seconds: no test waits so long
A_WHILE = 0.4  # seconds in which bots without delay would have acted


def started(server: Server, people: int, seats: int = 3, **more: Any) -> tuple[str, list[str]]:
    """A table of Silencio with bots on the other seats, at its start: whose turn is first?"""
    api = Api(server.url)
    table, keys = api.make("silencio", seats, people, **more)
    api.start(table, keys[0])
    return table, keys


def claims(server: Server, table: str) -> list[str]:
    return [line for line in server.lines(table) if line.endswith(" claim")]


def test_bots_leave_a_race_to_people_until_one_acts(sqlite_database: str) -> None:
    with serving(config(sqlite_database, race=LONG)) as server:
        table, keys = started(server, people=1)

        async def play() -> None:
            ada = await Person(server.url, table, keys[0], choose=None).connect()
            seen = await ada.asked()
            assert time.time() < seen["race_until"] <= time.time() + LONG
            await asyncio.sleep(A_WHILE)
            assert not claims(server, table)
            await ada.ask("act", ask=seen["ask"], texts=seen["legal"])
            assert claims(server, table) == ["0 claim"]
            assert (await ada.asked(seen["ask"]))["race_until"] is None

        run(play())


def test_bots_act_when_all_people_declined_and_nobody_is_told_who_did(sqlite_database: str) -> None:
    with serving(config(sqlite_database, race=LONG)) as server:
        table, keys = started(server, people=2, seats=4, spectators="public")

        async def play() -> None:
            people = [await Person(server.url, table, key, choose=None).connect() for key in keys]
            ada, ben = people
            guest = await Person(server.url, table, choose=None).connect()
            questions = [await person.asked() for person in people]
            await guest.until(lambda: guest.seen and guest.last("table")["seats"][1]["presence"] == "here")
            others = [await ask_nothing(ben), await ask_nothing(guest)]
            assert (await ada.ask("decline", ask=questions[0]["ask"]))["type"] == "done"
            assert ada.seen["race_until"] is None
            assert ada.seen["ask"] == questions[0]["ask"]  # still open: a seat that declined may still act
            assert (await ada.ask("decline", ask=questions[0]["ask"]))["type"] == "done"
            await asyncio.sleep(A_WHILE)
            assert [await ask_nothing(ben), await ask_nothing(guest)] == others
            assert not claims(server, table)
            before = server.lines(table)
            await ben.ask("decline", ask=questions[1]["ask"])
            await guest.until(lambda: claims(server, table))
            assert claims(server, table)[0][0] in "23"
            assert server.lines(table)[: len(before) + 1] == [*before, claims(server, table)[0]]

        run(play())
        assert not any("decline" in str(step) for step in server.stored(table))


async def ask_nothing(person: Person) -> list[str]:
    """All frames so far except answers."""
    await person.ask("preview", texts=["nothing"])
    return [frame for frame, read in zip(person.raw, person.frames, strict=True) if "id" not in read]


def test_after_their_time_bots_do_not_wait_for_people(sqlite_database: str) -> None:
    with serving(config(sqlite_database, race=0.5)) as server:
        before = time.monotonic()
        table, _ = started(server, people=2)  # neither of whom is connected
        eventually(lambda: claims(server, table))
        assert time.monotonic() - before >= 0.5


def test_bots_do_not_wait_for_programs_nor_for_who_left(sqlite_database: str) -> None:
    with serving(config(sqlite_database, race=LONG)) as server:
        api = Api(server.url)
        chairs = [{}, {}, {"kind": "bot", "bot": "random"}]
        wish: dict[str, Any] = {"game": "silencio", "seats": 3, "name": "Robot", "kind": "program", "chairs": chairs}
        made = api.post("/api/tables", **wish).json()
        table, other = made["table"], api.post(f"/api/tables/{made['table']}/join", name="Ben").json()
        api.start(table, made["key"])
        assert api.get(f"/api/tables/{table}/seen", made["key"]).json()["race_until"] is None
        assert api.get(f"/api/tables/{table}/seen", other["key"]).json()["race_until"] is not None
        time.sleep(A_WHILE)
        assert not claims(server, table)
        api.post(f"/api/tables/{table}/leave", other["key"])
        eventually(lambda: claims(server, table))


def test_what_is_no_race_cannot_be_declined(sqlite_database: str) -> None:
    with serving(config(sqlite_database, race=LONG)) as server:
        api = Api(server.url)

        def refusal(table: str, key: str | None, ask: int) -> str:
            answer = api.post(f"/api/tables/{table}/decline", key, ask=ask)
            return "" if answer.status_code == 200 else str(answer.json()["reason"]["code"])

        table, keys = started(server, people=3)  # no bot races
        seen = api.get(f"/api/tables/{table}/seen", keys[0]).json()
        assert seen["race_until"] is None
        assert refusal(table, keys[0], seen["ask"]) == "server.decline.none"
        assert refusal(table, keys[0], seen["ask"] + 1) == "server.act.stale"
        assert refusal(table, None, seen["ask"]) == "server.key.none"
        table, keys = started(server, people=1)
        assert refusal(table, keys[0], seen["ask"] - 1) == "server.act.stale"
        assert refusal(table, keys[0], seen["ask"]) == ""
        table, keys = api.make("silencio", 3)
        assert refusal(table, keys[0], 1) == "server.phase.not-started"


def test_people_of_two_processes_decline(postgres_database: str) -> None:
    with serving(config(postgres_database, race=LONG)) as one, serving(config(postgres_database, race=LONG)) as two:
        table, keys = started(one, people=2)
        for server, key in zip((one, two), keys, strict=True):
            api = Api(server.url)
            ask = api.get(f"/api/tables/{table}/seen", key).json()["ask"]
            assert not claims(server, table)
            assert api.post(f"/api/tables/{table}/decline", key, ask=ask).status_code == 200
        eventually(lambda: claims(one, table) and claims(two, table))


# ------------------------------------------------------------------ which moments are races
def test_only_the_start_of_silencio_is_a_race() -> None:
    for game in (*GAMES, "toy"):
        for seed in range(6):
            match, rng = Match(game, 3, seed=seed), random.Random(seed)
            while not match.over:
                assert is_race(match) == (match.legal(min(match.due)) == ["claim"]), game
                seat = rng.choice(sorted(match.due))
                match.play(seat, rng.choice(match.legal(seat)))


@pytest.mark.parametrize("game", [*GAMES, "toy"])
def test_whether_it_is_a_race_tells_nothing(game: str) -> None:
    """Two matches that differ in secrets alone: at every moment both are a race, or neither is."""
    for eyes in (0, None):
        for seed in range(3):
            pair = pair_for(game, 3, {}, eyes, seed)
            one, two = (Match(game, 3, settle=False) for _ in range(2))
            for lines in zip(*(match.lines for match in pair.records), strict=True):
                for match, line in zip((one, two), lines, strict=True):
                    match.replay(line)
                assert is_race(one) == is_race(two)
