"""Matches that start once the last seat is taken; tables that are made, and seats claimed, by a socket's hello."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from tests.server.harness import Api, Person, Server, anything, config, eventually, run, serving
from tests.server.test_tables import code

BOT = {"kind": "bot", "bot": "random"}


@pytest.fixture
def api(server: Server) -> Api:
    return Api(server.url)


def make(api: Api, seats: int = 2, **more: Any) -> tuple[str, str]:
    """A table that starts once it is full: its name and the maker's key."""
    made = api.post("/api/tables", game="toy", seats=seats, name="Ada", starts="full", **more)
    assert made.status_code == 201, made.text
    return made.json()["table"], made.json()["key"]


class Guest(Person):
    """Somebody who claims a seat as they open their socket, or makes the table."""

    wish = "join"

    def __init__(self, url: str, table: str, name: str, **more: Any) -> None:
        super().__init__(url, table, choose=more.pop("choose", None))
        self.wished = {"name": name} | more

    async def send(self, kind: str, **fields: Any) -> int:
        return await super().send(kind, **fields, **({self.wish: self.wished} if kind == "hello" else {}))

    async def refused(self) -> tuple[str, int | None]:
        """Why they did not get a seat, and the code with which the socket was closed."""
        await self.connect()
        assert self.socket is not None
        await self.socket.wait_closed()
        await self.until(lambda: self.last("refused"))
        assert not self.last("joined")
        return code(self.last("refused")), self.socket.close_code


class Maker(Guest):
    """Somebody who makes a table for two as they open their socket."""

    wish, path = "create", "/api/live"

    def __init__(self, url: str, name: str, **more: Any) -> None:
        super().__init__(url, "", name, **({"game": "toy", "seats": 2, "starts": "full"} | more))


# ------------------------------------------------------------------ once the last seat is taken
def test_the_match_starts_with_the_last_seat(server: Server, api: Api) -> None:
    table, key = make(api, seats=3)
    path = f"/api/tables/{table}"
    assert api.get(path).json()["starts"] == "full"
    assert api.post(f"{path}/join", name="Ben").status_code == 201
    assert api.get(path).json()["phase"] == "gathering"
    assert api.post(f"{path}/join", name="Cleo").status_code == 201
    assert api.get(path).json()["phase"] == "playing"
    assert len(server.stored(table)) == 1
    assert code(api.post(f"{path}/join", name="Dan")) == "server.phase.started"
    assert code(api.post(f"{path}/start", key)) == "server.phase.started"


def test_other_tables_wait_for_their_maker(api: Api) -> None:
    table, keys = api.make("toy", 2, people=2)
    assert api.get(f"/api/tables/{table}").json()["starts"] == "maker"
    assert api.get(f"/api/tables/{table}").json()["phase"] == "gathering"
    api.start(table, keys[0])


def test_bots_may_have_the_other_seats_from_the_beginning_or_get_the_last_one(api: Api) -> None:
    table, _ = make(api, chairs=[{}, BOT])
    assert api.get(f"/api/tables/{table}").json()["phase"] == "playing"
    table, key = make(api)
    assert api.post(f"/api/tables/{table}/arrange", key, seat=1, chair=BOT).status_code == 200
    assert api.get(f"/api/tables/{table}").json()["phase"] == "playing"
    table, key = make(api, seats=3)
    assert api.post(f"/api/tables/{table}/start", key, fill="random").status_code == 200  # the maker need not wait


def test_who_leaves_in_time_leaves_a_free_seat(api: Api) -> None:
    table, _ = make(api, seats=3)
    path = f"/api/tables/{table}"
    ben = api.post(f"{path}/join", name="Ben").json()["key"]
    assert api.post(f"{path}/leave", ben).status_code == 200
    assert api.post(f"{path}/join", name="Cleo").status_code == 201
    assert api.get(path).json()["phase"] == "gathering"


def test_a_rematch_waits_for_its_maker(server: Server, api: Api) -> None:
    table, key = make(api)

    async def play() -> str:
        ada = await Person(server.url, table, key).connect()
        ben = await Guest(server.url, table, "Ben", choose=ada.choose).connect()
        await ada.over()
        await ben.over()
        await ada.ask("rematch")
        return str(await ada.until(lambda: ada.last("table").get("next")))

    rematch = run(play())
    assert api.get(f"/api/tables/{rematch}").json()["phase"] == "gathering"
    assert api.get(f"/api/tables/{rematch}").json()["starts"] == "maker"
    api.start(rematch, key)


# ------------------------------------------------------------------ a seat by the hello
def test_a_hello_claims_a_seat_and_the_match_is_played(database: str) -> None:
    with serving(config(database)) as server:
        api = Api(server.url)
        table, key = make(api)

        async def play() -> Person:
            ada = await Person(server.url, table, key).connect()
            await ada.until(lambda: ada.phase == "gathering")
            ben = await Guest(server.url, table, "Ben", kind="program", choose=ada.choose).connect()
            await ben.over()
            await ada.over()
            assert [frame["type"] for frame in ben.frames[:4]] == ["joined", "welcome", "table", "seen"]
            assert (ben.last("joined")["seat"], ben.last("welcome")["seat"]) == (1, 1)
            assert not ada.last("joined")
            assert not any(
                ben.last("joined")["key"] in text or ben.last("joined")["player"] in text for text in ada.raw
            )
            return ben

        joined = run(play()).last("joined")
        assert api.get(f"/api/tables/{table}/seen", joined["key"]).json()["seat"] == 1
        seats = api.get(f"/api/tables/{table}").json()["seats"]
        assert [(seat["name"], seat["client"]) for seat in seats] == [("Ada", None), ("Ben", "program")]
        mine = api.get("/api/you/matches", headers={"Tacit-Player": joined["player"]}).json()
        assert [match["table"] for match in mine["matches"]] == [table]


def test_who_has_a_name_on_this_server_keeps_it(server: Server, api: Api) -> None:
    table, _ = make(api, seats=3)
    player = api.post("/api/player").json()["player"]

    async def play() -> str:
        ben = await Guest(server.url, table, "Ben").connect(headers={"Tacit-Player": player})
        return str((await ben.until(lambda: ben.last("joined")))["player"])

    assert run(play()) == player


def test_a_hello_that_gets_no_seat_is_told_why_and_changes_nothing(server: Server, api: Api) -> None:
    table, _ = make(api, seats=3)
    api.post(f"/api/tables/{table}/join", name="Ben")

    async def knock(name: str, at: str = table, **more: Any) -> tuple[str, int | None]:
        return await Guest(server.url, at, name, **more).refused()

    async def play() -> None:
        assert await knock(" ada") == ("server.name.taken", 4403)
        assert await knock("\u202e") == ("server.name.form", 4403)
        assert await knock("Cleo", seat=1) == ("server.seat.taken", 4403)
        assert await knock("Cleo", seat=9) == ("server.seat.unknown", 4403)
        assert await knock("Cleo", at="nowhere") == ("server.table.unknown", 4403)
        assert await knock("Cleo", colour="red") == ("server.unreadable", 4403)
        with pytest.raises(InvalidStatus):
            await Guest(server.url, table, "Cleo").connect(headers={"Origin": "https://evil.example"})

    run(play())
    assert [seat["name"] for seat in api.get(f"/api/tables/{table}").json()["seats"]] == ["Ada", "Ben", None]
    eventually(lambda: server.app.access.subscriber_limit.total == 0)
    api.post(f"/api/tables/{table}/join", name="Cleo")
    assert run(knock("Dan")) == ("server.phase.started", 4403)


def test_of_many_who_claim_the_last_seat_one_gets_it_and_the_match_starts_once(server: Server, api: Api) -> None:
    table, _ = make(api)

    async def rush() -> list[str]:
        guests = [Guest(server.url, table, f"Guest {i}") for i in range(6)]
        await asyncio.gather(*(guest.connect() for guest in guests))
        for guest in guests:
            await guest.until(lambda guest=guest: guest.last("joined") or guest.last("refused"))  # type: ignore[misc]
        return sorted(guest.last("refused").get("reason", {"code": "joined"})["code"] for guest in guests)

    assert run(rush()) == ["joined"] + 5 * ["server.phase.started"]
    assert len(server.stored(table)) == 1


def test_two_sockets_make_a_table_and_play(database: str) -> None:
    with serving(config(database)) as server:

        async def play() -> str:
            ada = await Maker(server.url, "Ada", kind="program", choose=anything).connect()
            table = str((await ada.until(lambda: ada.last("joined")))["table"])
            ben = await Guest(server.url, table, "Ben", choose=anything).connect()
            await ada.over()
            await ben.over()
            assert [frame["type"] for frame in ada.frames[:3]] == ["joined", "welcome", "table"]
            # Ben has his seat and his socket in one message: he is never told to be away.
            phases = [[frame["phase"] for frame in who.frames if frame["type"] == "table"] for who in (ada, ben)]
            assert [[phase for phase in told if phase != "over"] for told in phases] == [
                ["gathering", "playing"],
                ["playing"],
            ]
            assert (ada.last("welcome")["seat"], ada.last("welcome")["maker"]) == (0, True)
            assert not any(ada.last("joined")["key"] in text for text in ben.raw)
            assert (await ada.ask("rematch"))["type"] == "done"  # its key is the maker's
            return table

        table = run(play())
        assert [seat["name"] for seat in Api(server.url).get(f"/api/tables/{table}").json()["seats"]] == ["Ada", "Ben"]


def test_a_table_is_made_at_its_own_address_only_and_a_wrong_one_is_refused(server: Server, api: Api) -> None:
    table, _ = api.make("toy", 2, people=2)
    loaded = set(server.app.tables.loaded)

    class Lost(Maker):
        path = f"/api/tables/{table}/live"

    class Nowhere(Guest):
        path = "/api/live"

    async def play() -> None:
        assert await Lost(server.url, "Ada").refused() == ("server.hello.place", 4403)
        assert await Nowhere(server.url, "", "Ben").refused() == ("server.hello.place", 4403)
        assert await Maker(server.url, "Ada", seats=9).refused() == ("core.seats.range", 4403)
        assert await Maker(server.url, "Ada", game="chess").refused() == ("core.game.unknown", 4403)
        assert await Maker(server.url, " ").refused() == ("server.name.form", 4403)
        with pytest.raises(InvalidStatus):
            await Maker(server.url, "Ada").connect(headers={"Origin": "https://evil.example"})

    run(play())
    assert set(server.app.tables.loaded) == loaded
    eventually(lambda: server.app.access.subscriber_limit.total == 0)


def test_a_table_that_cannot_be_stored_is_not_made(server: Server, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.app.store.writer, "closed", True)
    assert run(Maker(server.url, "Ada").refused()) == ("server.store.down", 4403)
    assert not server.app.tables.loaded


def test_making_tables_by_hello_is_limited(sqlite_database: str) -> None:
    with serving(config(sqlite_database, make_limit=(1, 0.001))) as server:

        async def play() -> None:
            ada = await Maker(server.url, "Ada").connect()
            await ada.until(lambda: ada.last("joined"))
            assert await Maker(server.url, "Ben").refused() == ("server.limit", 4403)

        run(play())
        assert len(server.app.tables.loaded) == 1


def test_claiming_seats_by_hello_is_limited_as_joining_is(sqlite_database: str) -> None:
    with serving(config(sqlite_database, make_limit=(2, 0.001))) as server:
        table, _ = make(Api(server.url), seats=3)

        async def play() -> None:
            ben = await Guest(server.url, table, "Ben").connect()
            await ben.until(lambda: ben.last("joined"))
            assert await Guest(server.url, table, "Cleo").refused() == ("server.limit", 4403)

        run(play())
        assert server.app.tables.loaded[table].row.seats[2].kind == "open"


def test_what_cannot_be_stored_is_told_to_nobody(server: Server, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    table, key = make(api)
    live = server.app.tables.loaded[table]

    async def play() -> None:
        ada = await Person(server.url, table, key, choose=None).connect()
        await ada.until(lambda: ada.last("table"))
        monkeypatch.setattr(server.app.store.writer, "closed", True)
        assert await Guest(server.url, table, "Ben").refused() == ("server.store.down", 4403)
        assert (live.phase, live.match, live.row.seats[1].kind) == ("gathering", None, "open")
        assert not ada.seen
        monkeypatch.undo()
        ben = await Guest(server.url, table, "Ben").connect()
        await ada.until(lambda: ada.seen and ben.last("joined"))

    run(play())


def test_who_goes_while_the_seat_is_stored_is_not_counted_any_longer(server: Server, api: Api) -> None:
    table, _ = make(api, seats=3)

    async def play() -> None:
        ben = await Guest(server.url, table, "Ben").connect()
        assert ben.socket is not None
        ben.socket.transport.abort()

    run(play())
    eventually(lambda: server.app.access.subscriber_limit.total == 0 and not server.app.sockets.connections)
    eventually(lambda: not server.app.tables.loaded[table].subscribers)
