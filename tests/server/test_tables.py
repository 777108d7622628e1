"""Making tables, coming and going, the maker's rights, spectators, rematch, chat: each as the protocol says."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

import httpx
import pytest

from tacit import Match
from tests.server.harness import TRUST, Api, Person, Server, config, eventually, run, serving


@pytest.fixture
def api(server: Server) -> Api:
    return Api(server.url)


def code(answer: httpx.Response | dict[str, Any]) -> str:
    """Why something was refused; every refusal has a sentence."""
    found = answer.json() if isinstance(answer, httpx.Response) else answer
    assert found["type"] == "refused", found
    assert found["sentence"].endswith((".", "…"))
    return str(found["reason"]["code"])


def whole_match(server: Server, table: str, keys: list[str]) -> None:
    async def play() -> None:
        people = [await Person(server.url, table, key).connect() for key in keys]
        for person in people:
            await person.over()
            await person.close()

    run(play())


# ------------------------------------------------------------------ making and joining
@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({"game": "chess", "seats": 2}, "core.game.unknown"),
        ({"game": "toy", "seats": 9}, "core.seats.range"),
        ({"game": "toy", "seats": "2"}, "server.unreadable"),
        ({"game": "toy", "seats": 2, "options": {"high": True}}, "core.options.unknown"),
        ({"game": "toy", "seats": 2, "chairs": [{}]}, "server.table.chairs"),
        ({"game": "toy", "seats": 2, "chairs": [{}, {"kind": "bot"}]}, "server.table.bot-name"),
        ({"game": "toy", "seats": 2, "chairs": [{}, {"kind": "bot", "bot": "x"}]}, "server.bot.unknown"),
        ({"game": "toy", "seats": 2, "name": "x" * 25}, "server.unreadable"),
        ({"game": "toy", "seats": 2, "name": "  "}, "server.name.form"),
        ({"game": "toy", "seats": 2, "name": "a\u202eb"}, "server.name.form"),
        ({"game": "toy", "seats": 2, "clock": 1}, "server.unreadable"),
        ({"game": "toy", "seats": 2, "colour": "red"}, "server.unreadable"),
        ({}, "server.unreadable"),
    ],
)
def test_a_wrong_table_is_refused(api: Api, wish: dict[str, Any], why: str) -> None:
    assert code(api.post("/api/tables", **wish)) == why


def test_joining_by_link_claims_a_seat_with_a_name(api: Api) -> None:
    made = api.post("/api/tables", game="toy", seats=3, name="Ada").json()
    path = f"/api/tables/{made['table']}"
    assert made["link"] == f"{made['invitation']}#{made['key']}"
    assert (made["seat"], made["maker"]) == (0, True)
    assert api.post(f"{path}/join", name="Ben", seat=2).json()["seat"] == 2
    assert code(api.post(f"{path}/join", name=" ben ")) == "server.name.taken"
    assert code(api.post(f"{path}/join", name="Cleo", seat=2)) == "server.seat.taken"
    assert code(api.post(f"{path}/join", name="Cleo", seat=7)) == "server.seat.unknown"
    assert api.post(f"{path}/join", name="Cleo").json()["seat"] == 1
    assert code(api.post(f"{path}/join", name="Dan")) == "server.seat.full"
    assert code(api.post("/api/tables/nowhere/join", name="Dan")) == "server.table.unknown"
    assert [seat["name"] for seat in api.get(path).json()["seats"]] == ["Ada", "Cleo", "Ben"]


def test_two_who_claim_the_same_seat_at_once_do_not_both_get_it(server: Server, api: Api) -> None:
    made = api.post("/api/tables", game="toy", seats=3, name="Ada").json()

    async def rush() -> list[int]:
        async with httpx.AsyncClient(verify=TRUST) as client:
            url = f"{server.url}/api/tables/{made['table']}/join"
            answers = await asyncio.gather(*(client.post(url, json={"name": f"Guest {i}"}) for i in range(6)))
        return sorted(answer.status_code for answer in answers)

    assert run(rush()) == [201, 201, 409, 409, 409, 409]


def test_a_seat_is_a_key_in_a_cookie_or_a_link(server: Server, api: Api) -> None:
    made = api.post(
        "/api/tables", game="toy", seats=2, name="Ada", chairs=[{}, {"kind": "bot", "bot": "random"}]
    ).json()
    path = f"/api/tables/{made['table']}"
    with httpx.Client(base_url=server.url, verify=TRUST) as phone:
        assert phone.get(f"{path}/seen").status_code == 403
        assert code(phone.post(f"{path}/start")) == "server.key.maker"
        assert code(phone.post(f"{path}/enter", json={"key": "wrong-key"})) == "server.key.wrong"
        entered = phone.post(f"{path}/enter", json={"key": made["key"]})
        cookie = entered.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert f"Path={path}" in cookie
        assert phone.post(f"{path}/start").status_code == 200
        assert phone.get(f"{path}/seen").json()["seat"] == 0
        value = phone.cookies["tacit-seat"]
    forged = value[:-1] + ("0" if value[-1] != "0" else "1")
    assert code(api.get(f"{path}/seen", headers={"Cookie": f"tacit-seat={forged}"})) == "server.spectators.none"
    assert code(api.get(f"{path}/seen", "no-such-key")) == "server.key.wrong"
    other = api.post("/api/tables", game="toy", seats=2, name="Ada").json()
    borrowed = api.get(f"/api/tables/{other['table']}/seen", headers={"Cookie": f"tacit-seat={value}"})
    assert code(borrowed) == "server.spectators.none"


def test_the_store_keeps_no_key(server: Server, api: Api, tmp_path: Any) -> None:
    table, keys = api.make("toy", 2, people=2)
    api.start(table, keys[0])
    whole = b"".join(path.read_bytes() for path in tmp_path.glob("tacit.db*"))
    assert table.encode() in whole
    assert not any(key.encode() in whole for key in keys)


def test_a_foreign_page_is_refused(server: Server, api: Api) -> None:
    table, keys = api.make("toy", 2, people=2)

    async def play() -> None:
        from websockets.exceptions import InvalidStatus

        with pytest.raises(InvalidStatus):
            await Person(server.url, table, keys[0]).connect(headers={"Origin": "https://evil.example"})
        own = await Person(server.url, table, keys[0]).connect(headers={"Origin": server.url})
        await own.until(lambda: own.last("welcome"))
        await own.close()

    run(play())
    foreign = httpx.post(
        f"{server.url}/api/tables/{table}/start",
        headers={"Origin": "https://evil.example", "Authorization": f"Bearer {keys[0]}"},
        verify=TRUST,
    )
    assert code(foreign) == "server.key.origin"


# ------------------------------------------------------------------ before the start
def test_the_maker_arranges_removes_and_starts_and_nobody_else(server: Server, api: Api) -> None:
    table, keys = api.make("toy", 3, people=2)
    path = f"/api/tables/{table}"
    api.post(f"{path}/arrange", keys[0], seat=2, chair={"kind": "open"})
    assert code(api.post(f"{path}/start", keys[0])) == "server.start.open"
    for command, fields in (
        ("start", {}),
        ("remove", {"seat": 0}),
        ("arrange", {"seat": 2, "chair": {"kind": "bot", "bot": "random"}}),
    ):
        assert code(api.post(f"{path}/{command}", keys[1], **fields)) == "server.key.maker"
    assert code(api.post(f"{path}/arrange", keys[0], seat=1, chair={"kind": "open"})) == "server.seat.taken"
    assert code(api.post(f"{path}/remove", keys[0], seat=2)) == "server.seat.not-person"
    assert code(api.post(f"{path}/remove", keys[0], seat=0)) == "server.seat.self"
    assert code(api.post(f"{path}/remove", keys[0], seat=9)) == "server.seat.unknown"

    async def play() -> None:
        ben = await Person(server.url, table, keys[1], choose=None).connect()
        await ben.until(lambda: ben.last("table"))
        removed = await asyncio.to_thread(api.post, f"{path}/remove", keys[0], seat=1)
        assert removed.status_code == 200
        assert ben.task is not None
        await ben.task
        assert ben.frames[-1]["type"] == "removed"
        again = await Person(server.url, table, keys[1], choose=None).connect()
        assert code(await again.until(lambda: again.last("refused"))) == "server.key.wrong"
        await again.close()

    run(play())
    assert api.post(f"{path}/start", keys[0], fill="random").status_code == 200
    assert [seat["kind"] for seat in api.get(path).json()["seats"]] == ["person", "bot", "bot"]
    for command, fields in (
        ("start", {}),
        ("claim", {"seat": 1}),
        ("arrange", {"seat": 2, "chair": {"kind": "open"}}),
        ("remove", {"seat": 1}),
    ):
        assert code(api.post(f"{path}/{command}", keys[0], **fields)) == "server.phase.started"
    assert code(api.post(f"{path}/join", name="Late")) == "server.phase.started"


def test_people_move_and_leave_before_the_start(server: Server, api: Api) -> None:
    made = api.post("/api/tables", game="toy", seats=3, name="Ada").json()
    path = f"/api/tables/{made['table']}"
    ben = api.post(f"{path}/join", name="Ben").json()["key"]

    async def play() -> None:
        ada = await Person(server.url, made["table"], made["key"], choose=None).connect()
        assert (await ada.ask("claim", seat=2))["type"] == "done"
        assert code(await ada.ask("claim", seat=1)) == "server.seat.taken"
        assert code(await ada.ask("act", ask=1, texts=["bid 1"])) == "server.phase.not-started"
        assert [seat["name"] for seat in ada.last("table")["seats"]] == [None, "Ben", "Ada"]
        assert (await ada.ask("leave"))["type"] == "done"
        await ada.close()

    run(play())
    assert [seat["name"] for seat in api.get(path).json()["seats"]] == [None, "Ben", None]
    assert api.post(f"{path}/start", ben, fill="random").status_code == 200  # the table is Ben's now


def test_whose_seat_or_table_became_another_is_welcomed_again(server: Server, api: Api) -> None:
    made = api.post("/api/tables", game="toy", seats=3, name="Ada").json()
    joined = api.post(f"/api/tables/{made['table']}/join", name="Ben").json()

    def welcomes(person: Person) -> list[tuple[int | None, bool]]:
        return [(frame["seat"], frame["maker"]) for frame in person.frames if frame["type"] == "welcome"]

    async def play() -> None:
        ada, ben = [
            await Person(server.url, made["table"], one["key"], choose=None).connect() for one in (made, joined)
        ]
        await ben.until(lambda: ben.last("table"))
        assert (await ada.ask("claim", seat=2))["type"] == "done"
        assert welcomes(ada) == [(0, True), (2, True)]
        assert (await ada.ask("leave"))["type"] == "done"
        await ben.until(lambda: ben.last("welcome")["maker"])
        assert welcomes(ben) == [(1, False), (1, True)]
        assert welcomes(ada) == [(0, True), (2, True), (None, False)]
        assert (await ben.ask("start", fill="random"))["type"] == "done"
        await ben.asked()
        assert len(welcomes(ben)) == 2  # and a match that runs changes nothing of it

    run(play())


@pytest.mark.parametrize("spectators", ["none", "public"])
def test_a_cookie_whose_seat_is_gone_makes_a_guest_where_guests_may_be(
    spectators: str, server: Server, api: Api
) -> None:
    made = api.post("/api/tables", game="toy", seats=2, name="Ada", spectators=spectators).json()
    path = f"/api/tables/{made['table']}"
    joined = api.post(f"{path}/join", name="Ben")
    cookie = {"Cookie": joined.headers["set-cookie"].partition(";")[0]}

    async def come(key: str | None = None) -> Person:
        return await Person(server.url, made["table"], key, choose=None).connect(headers=cookie)

    async def play() -> None:
        ben = await come()
        await ben.until(lambda: ben.last("welcome"))
        assert (ben.last("welcome")["seat"], ben.last("welcome")["notice"]) == (1, None)
        assert api.post(f"{path}/remove", made["key"], seat=1).status_code == 200
        removed = await ben.until(lambda: ben.last("removed"))
        assert removed["reason"]["code"] == "server.removed"
        again = await come()  # while people gather everyone may come, and sit down again
        welcome = await again.until(lambda: again.last("welcome"))
        assert (welcome["seat"], welcome["notice"]["code"]) == (None, "server.key.stale")
        wrong = await come(joined.json()["key"])  # who shows a key wants that seat
        assert code(await wrong.until(lambda: wrong.last("refused"))) == "server.key.wrong"
        assert code(api.post(f"{path}/leave", headers=cookie)) == "server.key.wrong"
        assert api.post(f"{path}/start", made["key"], fill="random").status_code == 200
        late = await come()
        if spectators == "public":
            await late.until(lambda: late.seen)
            assert (late.seen["seat"], late.seen["legal"]) == (None, [])
            assert late.last("welcome")["notice"]["code"] == "server.key.stale"
            assert api.get(f"{path}/seen", headers=cookie).json()["seat"] is None
        else:
            assert code(await late.until(lambda: late.last("refused"))) == "server.key.wrong"
            assert code(api.get(f"{path}/seen", headers=cookie)) == "server.key.wrong"

    run(play())


def test_a_look_makes_nobody_present_but_waiting_and_deciding_do(server: Server, api: Api) -> None:
    table, keys = api.make("toy", 2, people=2)
    api.start(table, keys[0])
    path = f"/api/tables/{table}"

    def presence() -> str:
        return str(api.get(path).json()["seats"][1]["presence"])

    seen = api.get(f"{path}/seen", keys[1])
    assert presence() == "away"
    known = {"If-None-Match": seen.headers["etag"]}
    assert api.get(f"{path}/seen?wait=0.05", keys[1], headers=known).status_code == 304
    assert presence() == "here"
    server.app.tables.loaded[table].presence.polled_until[1] = 0.0  # half a minute later
    assert presence() == "away"
    assert api.post(f"{path}/act", keys[1], ask=seen.json()["ask"], texts=seen.json()["legal"][:1]).status_code == 200
    assert presence() == "here"


def test_open_tables_stand_in_the_lobby(api: Api) -> None:
    _private, _ = api.make("toy", 2, people=2)
    opened, keys = api.make("toy", 2, people=2, visibility="open")
    watched, more = api.make("toy", 2, people=2, visibility="open", spectators="public")

    def listed() -> dict[str, str]:
        return {table["table"]: table["phase"] for table in api.get("/api/lobby").json()["tables"]}

    assert listed() == {opened: "gathering", watched: "gathering"}
    api.start(opened, keys[0])
    api.start(watched, more[0])
    assert listed() == {watched: "playing"}


# ------------------------------------------------------------------ spectators and records
def test_spectators_see_what_the_table_lets_them(server: Server, api: Api) -> None:
    async def watch(table: str) -> Person:
        watcher = await Person(server.url, table).connect()
        await watcher.until(lambda: watcher.seen or watcher.last("refused"))
        await watcher.close()
        return watcher

    for kind in ("none", "public", "after"):
        table, keys = api.make("toy", 2, people=2, spectators=kind)
        path = f"/api/tables/{table}"
        assert code(api.get(f"{path}/record")) in ("server.spectators.none", "server.record.not-over")
        api.start(table, keys[0])
        watcher = run(watch(table))
        if kind == "public":
            assert watcher.seen["seat"] is None
            assert watcher.seen["view"]["hand"] == []
            assert watcher.seen["ask"] is None
        else:
            assert code(watcher.last("refused")) == f"server.spectators.{kind}"
            assert code(api.get(f"{path}/seen")) == f"server.spectators.{kind}"
        assert code(api.post(f"{path}/act", ask=1, texts=["bid 1"])) == "server.key.none"
        assert code(api.get(f"{path}/record", keys[0])) == "server.record.not-over"
        for eyes in ("0", "public", "open"):
            for look in ("replay", "outline"):
                assert code(api.get(f"{path}/{look}?eyes={eyes}", keys[0])) == "server.record.not-over"
        whole_match(server, table, keys)
        record = api.get(f"{path}/record", keys[1]).text
        assert Match.load(record).over
        if kind == "none":
            for look in ("record", "replay", "outline"):
                assert code(api.get(f"{path}/{look}")) == "server.spectators.none"
        else:
            assert run(watch(table)).seen["seat"] is None
            assert Match.load(api.get(f"{path}/record").text).over


# ------------------------------------------------------------------ after the match
def test_a_rematch_has_the_same_people_and_the_same_keys(server: Server, api: Api) -> None:
    table, keys = api.make("toy", 3, people=2)
    path = f"/api/tables/{table}"
    assert code(api.post(f"{path}/rematch", keys[1])) == "server.phase.not-over"
    api.start(table, keys[0])
    assert code(api.post(f"{path}/follow", keys[0])) == "server.rematch.none"
    whole_match(server, table, keys)
    assert api.post(f"{path}/rematch", keys[1]).status_code == 200
    assert api.post(f"{path}/rematch", keys[0]).status_code == 200  # the same one
    new = api.get(path).json()["next"]
    followed = [api.post(f"{path}/follow", key).json() for key in keys]
    assert [(f["table"], f["seat"], f["maker"]) for f in followed] == [(new, 0, True), (new, 1, False)]
    assert [seat["name"] for seat in api.get(f"/api/tables/{new}").json()["seats"]] == ["Guest 0", "Guest 1", None]
    api.start(new, keys[0])
    whole_match(server, new, keys)
    assert code(api.post(f"{path}/act", keys[0], ask=1, texts=["bid 1", "bid 1"])).startswith("server.act")


def test_a_finished_table_that_everybody_left_leaves_memory_at_once(server: Server, api: Api) -> None:
    """With its match and its sockets, and without the garbage collector, which would stop all tables for it."""
    table, keys = api.make("toy", 2, people=2)
    api.start(table, keys[0])
    kept: list[weakref.ref[Any]] = []
    gc.disable()
    try:

        async def play() -> None:
            people = [await Person(server.url, table, key).connect() for key in keys]
            live = server.app.tables.loaded[table]
            await people[0].until(lambda: len(live.subscribers) == 2)
            ends = [one.send.__self__ for one in live.subscribers]  # type: ignore[attr-defined]
            kept.extend(weakref.ref(one) for one in (live, live.match, *ends, *(end.transport for end in ends)))
            for person in people:
                await person.over()
                await person.close()

        run(play())
        eventually(lambda: table not in server.app.tables.loaded)
        eventually(lambda: all(one() is None for one in kept))
    finally:
        gc.enable()
    assert len(kept) == 6
    assert api.get(f"/api/tables/{table}").json()["phase"] == "over"  # it is read again


def test_a_rematch_may_change_options(server: Server, api: Api) -> None:
    table, keys = api.make("silencio", 2, people=1, options={"unlit": "large"})
    path = f"/api/tables/{table}"
    api.start(table, keys[0])
    whole_match(server, table, keys)
    assert code(api.post(f"{path}/rematch", keys[0], options={"tavern": "maybe"})) == "core.options.value"
    assert code(api.post(f"{path}/rematch", keys[0], options={"weather": True})) == "core.options.unknown"
    assert api.get(path).json()["next"] is None
    assert api.post(f"{path}/rematch", keys[0], options={"tavern": True}).status_code == 200
    assert api.get(f"/api/tables/{api.get(path).json()['next']}").json()["options"] == {
        "tavern": True,
        "unlit": "large",
    }
    assert api.get(path).json()["options"] == {"tavern": False, "unlit": "large"}


def test_whoever_asks_for_a_rematch_makes_it_only_where_the_old_maker_is_gone(server: Server, api: Api) -> None:
    table, keys = api.make("toy", 3, people=2)
    path = f"/api/tables/{table}"
    api.start(table, keys[0])
    whole_match(server, table, keys)
    live = server.app.tables.loaded[table]
    eventually(lambda: not live.subscribers)
    live.presence.polled_until[0] = 0.0  # the maker closed the page half a minute ago
    assert api.post(f"{path}/rematch", keys[1]).status_code == 200
    followed = [api.post(f"{path}/follow", key).json() for key in keys]
    assert [f["maker"] for f in followed] == [False, True]


# ------------------------------------------------------------------ signals
def test_signals_are_given_as_the_game_allows(server: Server, api: Api) -> None:
    table, keys = api.make("silent-planet", 3, people=3)
    api.start(table, keys[0])

    async def play() -> None:
        people = [await Person(server.url, table, key, choose=None).connect() for key in keys]
        for _ in range(400):
            giver = next((p for p in people if p.seen and p.seen["signals"]), None)
            if giver is not None:
                break
            for person in people:
                if person.seen and person.seen["ask"] is not None:
                    await person.ask("act", ask=person.seen["ask"], texts=person.seen["legal"][-1:])
            await asyncio.sleep(0.01)
        assert giver is not None
        other = next(person for person in people if person is not giver)
        ask = other.seen["ask"]
        assert (await giver.ask("signal", text="nod"))["type"] == "done"
        await other.until(lambda: other.seen["heard"] == [f"! {people.index(giver)} nod"])
        assert other.seen["ask"] == ask
        assert (await giver.ask("signal", text="wave"))["reason"]["code"] == "core.signal.unknown"
        for person in people:
            await person.close()

    run(play())
    silent, more = api.make("silencio", 2, people=2)
    api.start(silent, more[0])
    assert code(api.post(f"/api/tables/{silent}/signal", more[0], text="nod")) == "core.signal.none"


# ------------------------------------------------------------------ limits
def test_too_much_is_refused(sqlite_database: str) -> None:
    with serving(config(sqlite_database, act_limit=(2, 0.01), chat_limit=(1, 0.01), make_limit=(3, 0.01))) as server:
        api = Api(server.url)
        table, keys = api.make("zombie-city", 2, people=2)
        path = f"/api/tables/{table}"
        assert api.post("/api/tables", game="toy", seats=2).status_code == 201
        assert code(api.post("/api/tables", game="toy", seats=2)) == "server.limit"
        assert api.post(f"{path}/chat", keys[0], text="a").status_code == 200
        assert api.post(f"{path}/chat", keys[0], text="b").status_code == 429
        for _ in range(2):
            assert api.post(f"{path}/preview", keys[0], texts=["x"]).status_code == 409
        assert code(api.post(f"{path}/preview", keys[0], texts=["x"])) == "server.limit"
        large = httpx.post(f"{server.url}{path}/chat", content=b'{"text": "' + b"x" * 70_000, verify=TRUST)
        assert code(large) == "server.too-large"
        assert code(api.get("/api/nothing/here")) == "server.not-found"


def test_the_server_tells_of_itself(api: Api) -> None:
    assert api.get("/healthz").json()["ok"] is True
    assert 'tacit_tables{phase="playing"} 0' in api.get("/metrics").text
    games = {game["game"]: game for game in api.get("/api/games").json()["games"]}
    assert games["silencio"]["options"]["tavern"] == [False, True]
    assert (games["silencio"]["silent"], games["zombie-city"]["silent"]) == (True, False)
    assert "nod" in games["silent-planet"]["signals"]
    names = {name: [bot["name"] for bot in game["bots"]] for name, game in games.items()}
    assert names["silencio"][0] == "steady"  # the usual one first
    assert {"steady", "random"} <= set(names["silencio"])
    assert "random" in names["toy"]
    assert all(bot["style"].endswith(".") and bot["assumes"] for game in games.values() for bot in game["bots"])
    words = api.get("/api/words/en").json()
    assert words["server"]["seat.taken"] == "This seat is taken."
    assert "silencio" in words
    assert api.get("/api/openapi.json").json()["openapi"] == "3.1.0"
    assert api.get("/api/schema.json").json()["protocol"] == 1
