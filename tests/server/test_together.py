"""Taking back, spectators, review rooms: over the wire, on two processes, through restarts."""

from __future__ import annotations

import asyncio
import json
import time
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from tacit import Match
from tacit.core.chance import Seeded
from tacit.server.live_table import LiveTable
from tests.server.harness import Api, Person, Server, config, run, serving


async def people_at(api: Api, url: str, game: str, people: int, **more: Any) -> tuple[str, list[str], list[Person]]:
    """A table of people that has begun, and their sockets."""
    table, keys = await asyncio.to_thread(lambda: api.make(game, people, people=people, **more))
    here = [await Person(url, table, key, choose=None).connect() for key in keys]
    assert (await here[0].ask("start"))["type"] == "done"
    for person in here:
        await person.until(partial(getattr, person, "seen"))
    return table, keys, here


async def decide(person: Person, which: int = 0) -> dict[str, Any]:
    """One decision, stored; what was seen before it."""
    seen = await person.asked()
    assert (await person.ask("act", ask=seen["ask"], texts=[seen["legal"][which]]))["type"] == "done"
    return seen


# ------------------------------------------------------------------ taking back
def test_a_sealed_choice_is_taken_back_and_made_again(database: str) -> None:
    with serving(config(database)) as server:
        api = Api(server.url)

        async def play() -> tuple[str, str]:
            table, keys, (ada, ben) = await people_at(api, server.url, "toy", 2, clock=3600)
            assert ada.seen["undo"] is None
            assert (await ada.ask("undo", ask=ada.seen["ask"]))["reason"]["code"] == "core.undo.none"
            first = await decide(ada)
            await ada.until(lambda: ada.seen["undo"] is not None)
            assert ada.seen["undo_offer"]["code"].startswith("toy.")
            undo = ada.seen["undo"]
            assert (await ada.ask("undo", ask=undo))["again"] is False
            again = await ada.asked()
            assert (again["legal"], again["undo"], again["heard"]) == (first["legal"], None, [])
            assert again["deadline"] == first["deadline"]  # its clock is not renewed
            assert (await ada.ask("undo", ask=undo))["again"] is True  # the same once more changes nothing
            await decide(ada, -1)
            await decide(ben)  # the last seat has sealed
            await ada.asked(after=again["ask"])
            late = await ada.ask("undo", ask=ada.seen["ask"])
            assert late["reason"]["code"] == "core.undo.none"
            for person in (ada, ben):
                person.choose = lambda seen: seen["legal"][:1]
                if person.seen["ask"] is not None:
                    await person.send("act", ask=person.seen["ask"], texts=person.seen["legal"][:1])
            await ada.over()
            return table, keys[0]

        table, key = run(play())
        record = api.get(f"/api/tables/{table}/record", key).text
        match = Match.load(record)
        assert match.over
        assert [line.split(" ")[0] for _, line in match.annulled] == ["0"]
        spans = api.get(f"/api/tables/{table}", key).json()["seats"][0]["played"]
        own = [number for number, line in enumerate(match.lines, 1) if line.startswith("0 ")]
        assert (spans[0]["first"], spans[-1]["last"]) == (own[0], own[-1])


def test_the_limit_of_a_silent_game_survives_a_restart(sqlite_database: str) -> None:
    def match_at(server: Server, table: str) -> Any:
        match = server.app.tables.loaded[table].match
        assert match is not None
        return match

    with serving(config(sqlite_database)) as server:

        async def play() -> tuple[str, str]:
            table, keys, (ada, _) = await people_at(Api(server.url), server.url, "silent-planet", 2)
            trial, texts = match_at(server, table).copy(), []
            while 0 in trial.due:
                texts.append("ready" if "ready" in trial.legal(0) else trial.legal(0)[0])
                trial.play(0, texts[-1], settle=False)
            for answer in (texts, ["ready"]):
                asked = await ada.asked()
                assert (await ada.ask("act", ask=asked["ask"], texts=answer))["type"] == "done"
                if answer is texts:
                    await ada.until(lambda: ada.seen["undo"] is not None)
                    assert (await ada.ask("undo", ask=ada.seen["undo"]))["type"] == "done"
            assert ada.seen["undo"] is None
            return table, keys[0]

        table, key = run(play())
    with serving(config(sqlite_database)) as server:
        seen = Api(server.url).get(f"/api/tables/{table}/seen", key).json()
        assert (seen["ask"], seen["undo"]) == (None, None)
        assert [line for _, line in match_at(server, table).annulled] == ["0 ready"]


def test_undo_races_another_seats_decision_on_two_processes(postgres_database: str) -> None:
    """Either the choice is taken back, or the last seat has sealed: both processes and the store agree which."""
    with serving(config(postgres_database)) as first, serving(config(postgres_database)) as second:
        api = Api(first.url)

        async def race() -> str:
            table, keys, (ada, _) = await people_at(api, first.url, "toy", 2)
            ben = await Person(second.url, table, keys[1], choose=None).connect()
            asked = await decide(ada)
            await ada.until(lambda: ada.seen["undo"] is not None)
            last = await ben.asked()
            undone, sealed = await asyncio.gather(
                ada.ask("undo", ask=ada.seen["undo"]), ben.ask("act", ask=last["ask"], texts=last["legal"][:1])
            )
            assert sealed["type"] == "done"
            if undone["type"] == "done":
                await decide(ada)
            else:
                assert undone["reason"]["code"] == "core.undo.none"
            await ada.asked(after=asked["ask"])
            await ben.asked(after=last["ask"])
            return table

        for _ in range(3):
            table = run(race())
            stored = Match("toy", 2, settle=False)
            for step in first.stored(table):
                for line in step.lines:
                    stored.replay(line)
            assert stored.lines == first.lines(table) == second.lines(table)


# ------------------------------------------------------------------ spectators
def test_spectators_see_with_the_eyes_of_a_seat_that_lends_them(server: Server) -> None:
    api = Api(server.url)

    async def play() -> None:
        table, _, (ada, ben) = await people_at(api, server.url, "toy", 2, spectators="seat")
        guest = await Person(server.url, table, choose=None).connect()
        await guest.until(lambda: guest.seen)
        assert (guest.seen["seat"], guest.seen["eyes"]) == (None, None)
        public = guest.seen["view"]
        assert (await guest.ask("lend"))["reason"]["code"] == "server.key.none"
        assert (await ben.ask("lend"))["type"] == "done"
        await guest.until(lambda: guest.seen["eyes"] == 1)
        assert guest.seen["view"] == ben.seen["view"] != public
        assert (guest.seen["legal"], guest.seen["ask"], guest.seen["undo"]) == ([], None, None)
        await ada.until(lambda: ada.last("table")["seats"][1]["lent"])  # the others know
        assert (await ada.ask("lend"))["reason"]["code"] == "server.eyes.taken"
        await decide(ada)  # sealed: the guest sees no more of it than the seat does
        await decide(ben)
        await ben.asked(after=1)
        await guest.until(lambda: guest.seen["view"] == ben.seen["view"] and guest.heard == ben.heard)
        assert (await ben.ask("lend", eyes="own"))["type"] == "done"
        await guest.until(lambda: guest.seen["eyes"] is None)
        assert api.get(f"/api/tables/{table}/seen").json()["view"] == guest.seen["view"]

    run(play())
    table, keys = api.make("toy", 2, people=2, spectators="public")
    assert api.post(f"/api/tables/{table}/lend", keys[0]).json()["reason"]["code"] == "server.eyes.none"


def test_delayed_spectators_cannot_tell_what_happens_within_the_delay(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two matches that differ in the last decisions, in who is here and who left are the same to them."""
    monkeypatch.setattr(LiveTable, "chance", lambda table, match, row=None: Seeded(7))
    api = Api(server.url)
    own = ("table", "commitment", "person")  # what is a table's own, and no secret

    def told(guest: Person) -> list[Any]:
        frames: list[Any] = json.loads(json.dumps([frame for frame in guest.frames if frame["type"] != "refused"]))
        for frame in frames:
            for one in (frame, *(frame["seats"] if frame["type"] == "table" else ())):
                for name in own:
                    one.pop(name, None)
        return frames

    async def one_run(differs: bool) -> list[Any]:
        given: dict[str, Any] = {"spectators": "delayed", "delay_decisions": 4}
        table, _, people = await people_at(api, server.url, "silencio", 3, **given)
        guest = await Person(server.url, table, choose=None).connect()
        await guest.until(lambda: guest.seen)
        assert len(guest.seen["views"]) == 3
        assert guest.heard == []  # not even the deal
        for number in range(9):
            match = server.app.tables.loaded[table].match
            assert match is not None
            await decide(people[min(match.due)], -1 if differs and number >= 5 else 0)
        if differs:
            await people[1].close()
            await people[2].until(lambda: people[2].last("table")["seats"][1]["presence"] == "away")
            assert (await people[0].ask("leave"))["type"] == "done"
        await guest.ask("lend")  # everything sent before comes before its answer
        assert guest.heard == server.lines(table)[: len(guest.heard)]
        assert len(guest.heard) > 3  # something is shown by now
        public = api.get(f"/api/tables/{table}").json()
        assert all(seat["presence"] == "here" and seat["away_since"] is None for seat in public["seats"])
        return told(guest)

    async def both() -> None:
        assert await one_run(False) == await one_run(True)

    run(both())


def test_a_delay_in_minutes_waits_for_the_clock_and_ends_with_the_match(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = Api(server.url)
    table, keys = api.make("toy", 2, people=1, spectators="delayed", delay_minutes=5)
    api.start(table, keys[0])
    seen = api.get(f"/api/tables/{table}/seen").json()
    assert (seen["heard"], len(seen["views"])) == ([], 2)
    now = time.time()
    monkeypatch.setattr("tacit.server.watching.time", SimpleNamespace(time=lambda: now + 301))
    assert api.get(f"/api/tables/{table}/seen").json()["heard"] != []
    monkeypatch.undo()

    async def play() -> None:
        ada = await Person(server.url, table, keys[0], choose=lambda seen: seen["legal"][:1]).connect()
        await ada.over()

    run(play())
    assert api.get(f"/api/tables/{table}/seen").json()["views"] is None  # over: nothing is left to wait for
    for wrong in ({}, {"delay_minutes": 1, "delay_decisions": 1}, {"delay_minutes": 1, "spectators": "public"}):
        wish: dict[str, Any] = {"game": "toy", "seats": 2, "spectators": "delayed", **wrong}
        assert api.post("/api/tables", **wish).json()["reason"]["code"] == "server.table.delay"


# ------------------------------------------------------------------ the review room
def test_a_room_of_two_processes_survives_a_restart(postgres_database: str) -> None:
    with serving(config(postgres_database)) as first, serving(config(postgres_database)) as second:
        api = Api(first.url)
        table, keys = api.make("toy", 3, people=2, spectators="public")

        async def meet() -> None:
            ben = await Person(second.url, table, keys[1]).connect()
            await ben.until(lambda: ben.last("table"))
            ada = await Person(first.url, table, keys[0]).connect()
            await ben.until(lambda: ben.last("table")["seats"][0]["presence"] == "here")
            assert (await ada.ask("open-room"))["type"] == "refused"  # before the match is over
            assert (await ada.ask("start"))["type"] == "done"
            await ada.over()
            await ben.over()
            guest = await Person(second.url, table).connect()
            assert (await ben.ask("go", step=3))["reason"]["code"] == "server.room.closed"
            assert (await ada.ask("open-room"))["type"] == "done"
            await ben.until(lambda: ben.last("room"))
            assert (await ben.ask("open-room"))["type"] == "done"  # it is open: Ada still leads
            assert (await ben.ask("go", step=3))["reason"]["code"] == "server.room.leader"
            assert (await ben.ask("lead", seat=1))["reason"]["code"] == "server.room.leader"  # she is here
            assert (await ada.ask("go", step=3))["type"] == "done"
            await ben.until(lambda: ben.last("room").get("step") == 3)
            await guest.until(lambda: guest.last("room").get("step") == 3)
            assert (await ada.ask("lead", seat=2))["reason"]["code"] == "server.seat.not-person"
            assert (await ada.ask("lead", seat=1))["type"] == "done"
            await ben.until(lambda: ben.last("room")["leader"] == 1)
            drawn = [ada.ask("mark", step=3, piece="card:1"), ben.ask("mark", step=3, piece="card:1", to="card:2")]
            for answer in await asyncio.gather(*drawn, ben.ask("react", step=3, sign="wow")):
                assert answer["type"] == "done"  # at once, through both processes
            await guest.until(lambda: len(guest.last("room")["drawn"]) == 2)
            assert (await guest.ask("react", step=3, sign="wow"))["reason"]["code"] == "server.key.none"
            assert (await ada.ask("agree"))["type"] == "done"
            await guest.until(lambda: guest.last("room")["agreed"] == [0])
            assert guest.last("room")["open"] is False
            assert (await ben.ask("agree"))["type"] == "done"
            await guest.until(lambda: guest.last("room")["open"])
            assert (await ada.ask("chat", text="Look at this"))["type"] == "done"
            await ben.until(lambda: ben.last("said").get("text") == "Look at this")
            assert (await ben.ask("mark", step=3, piece="card:1", to="card:2"))["type"] == "done"  # again: gone
            await guest.until(lambda: [one["seat"] for one in guest.last("room")["drawn"]] == [0])

        run(meet())
    with serving(config(postgres_database)) as again:

        async def later() -> None:
            ada = await Person(again.url, table, keys[0]).connect()
            await ada.until(lambda: ada.last("room"))
            room = ada.last("room")
            assert (room["leader"], room["step"], room["open"], len(room["reactions"])) == (1, 3, True, 1)
            while (await ada.ask("lead", seat=0))["type"] == "refused":  # who led has been away for the grace period
                await asyncio.sleep(0.05)
            await ada.until(lambda: ada.last("room")["leader"] == 0)
            assert (await ada.ask("mark", step=3))["type"] == "done"  # all of one's own
            await ada.until(lambda: ada.last("room")["drawn"] == [])

        run(later())
