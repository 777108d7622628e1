"""What the server refuses: headers, origins, sizes, rates, slow and hostile clients; and logs without cards."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import socket
import stat
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tacit.server import connections, requests, sockets
from tacit.server.database import data_home, database_url, make_private
from tacit.server.limits import network
from tests.server.harness import TRUST, Api, Person, Server, config, eventually, run, serving


@pytest.fixture
def api(server: Server) -> Api:
    return Api(server.url)


def test_every_answer_has_the_headers(server: Server, api: Api) -> None:
    table, keys = api.make("toy", 2, people=2)
    answers = [
        api.get("/api/games"), api.get("/healthz"), api.get("/metrics"), api.get("/api/nothing"), api.get("/nothing"),
        api.get(f"/api/tables/{table}/seen", keys[0]), api.post("/api/tables", game="chess"),
        httpx.put(f"{server.url}/api/games", verify=TRUST), httpx.request("TRACE", server.url, verify=TRUST),
    ]  # fmt: skip
    for answer in answers:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "server" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers
    assert api.get("/api/games").headers["cache-control"] == "no-store"


def test_behind_https_cookies_and_pages_stay_there(sqlite_database: str) -> None:
    with serving(config(sqlite_database, public_url="https://cards.example")) as server:
        made = Api(server.url).post("/api/tables", game="toy", seats=2, name="Ada")
        assert made.headers["strict-transport-security"].startswith("max-age=")
        cookie = made.headers["set-cookie"]
        for part in ("HttpOnly", "Secure", "SameSite=strict", f"Path=/api/tables/{made.json()['table']}"):
            assert part in cookie
        for origin, status in (
            ("https://cards.example", 201), ("http://cards.example", 403), ("https://cards.example:8443", 403),
            ("https://evil.example", 403), ("https://cards.example.evil.example", 403), ("null", 403), ("", 403),
            (server.url, 403),
        ):  # fmt: skip
            answer = httpx.post(
                f"{server.url}/api/tables", json={"game": "toy", "seats": 2}, headers={"Origin": origin}, verify=TRUST
            )
            assert answer.status_code == status, origin


def test_without_a_public_address_only_the_same_host_may_ask(server: Server, api: Api) -> None:
    table, keys = api.make("toy", 2, people=2)
    for origin, fine in ((server.url, True), ("http://127.0.0.1", False), ("null", False), ("file://", False)):

        async def knock(origin: str = origin) -> None:
            person = await Person(server.url, table, keys[0]).connect(headers={"Origin": origin})
            await person.until(lambda: person.last("welcome"))

        if fine:
            run(knock())
        else:
            with pytest.raises(InvalidStatus):
                run(knock())


def test_a_fault_of_ours_is_a_sentence_and_its_words_reach_no_log(
    server: Server, api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table, keys = api.make("toy", 2, people=2)
    api.start(table, keys[0])

    def fails(*_: Any) -> None:
        raise ZeroDivisionError("seat 1 holds bid 7")

    monkeypatch.setattr(server.app.tables, "polled", fails)
    monkeypatch.setattr(server.app.commands, "act_soon", fails)
    answer = api.get(f"/api/tables/{table}/seen?wait=1", keys[0])
    assert (answer.status_code, answer.json()["reason"]["code"]) == (500, "server.broken")

    async def act() -> int:
        person = await Person(server.url, table, keys[0], choose=None).connect()
        await person.send("act", ask=1, texts=["bid 1"])
        assert person.task is not None
        await person.task
        assert person.socket is not None
        return int(person.socket.close_code or 0)

    assert run(act()) == sockets.CLOSE_BROKEN
    assert "ZeroDivisionError at api.py" in caplog.text
    assert "bid 7" not in caplog.text


# ------------------------------------------------------------------ sizes and time
def test_an_oversize_frame_ends_the_socket_and_nothing_else(server: Server, api: Api) -> None:
    table, keys = api.make("toy", 2, people=2)
    api.start(table, keys[0])

    async def play() -> None:
        ada = await Person(server.url, table, keys[0], choose=None).connect()
        ben = await Person(server.url, table, keys[1], choose=None).connect()
        await ben.asked()
        before = server.lines(table)
        assert ada.socket is not None
        await ada.socket.send("x" * 200_000)
        assert ada.task is not None
        await asyncio.wait_for(ada.task, 30)
        assert ada.socket.close_code == 1009
        assert server.lines(table) == before
        assert (await ben.ask("act", ask=ben.seen["ask"], texts=ben.seen["legal"][:1]))["type"] == "done"

    run(play())


def test_slow_and_half_open_guests_are_not_waited_for(
    server: Server, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "BODY_WITHIN", 0.2)
    monkeypatch.setattr(sockets, "HELLO_WITHIN", 0.2)
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as slow:
        slow.sendall(b'POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"game"')
        assert slow.recv(4000).startswith(b"HTTP/1.1 408")
    table, _ = api.make("toy", 2, people=2)

    async def silent() -> int:
        async with connect(f"{server.url.replace('http', 'ws')}/api/tables/{table}/live") as one:
            with pytest.raises(ConnectionClosed):
                await asyncio.wait_for(one.recv(), 30)
            return int(one.close_code or 0)

    assert run(silent()) == sockets.CLOSE_REFUSED


def test_who_does_not_read_is_let_go(server: Server, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MAX_UNSENT", 1)
    table, keys = api.make("toy", 2, people=2)
    api.start(table, keys[0])

    async def play() -> None:
        ada = await Person(server.url, table, keys[0], choose=None).connect()
        assert ada.task is not None
        await asyncio.wait_for(ada.task, 30)
        assert ada.socket is not None
        assert ada.socket.close_code == sockets.CLOSE_SLOW

    run(play())


def frame(data: bytes, first: int = 0x81) -> bytes:
    """A frame as a client sends it, with a mask that changes nothing; by default a whole text."""
    return bytes((first, 0x80 | len(data))) + bytes(4) + data


def raw_socket(server: Server, table: str, key: str) -> socket.socket:
    """A WebSocket by hand, after its hello; little fits on the way to it."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.settimeout(30)
    made.connect(("127.0.0.1", server.port))
    made.sendall(
        f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    assert made.recv(1000).startswith(b"HTTP/1.1 101")
    made.sendall(frame(f'{{"type": "hello", "protocol": 1, "key": "{key}"}}'.encode()))
    return made


def heard_until(one: socket.socket, wanted: bytes) -> bytes:
    """All that comes, until something is in it."""
    data = b""
    while wanted not in data:
        more = one.recv(4096)
        assert more, data
        data += more
    return data


def test_messages_may_come_in_pieces_and_many_at_once(server: Server, api: Api) -> None:
    table, keys = api.make("toy", 2, people=2)
    with raw_socket(server, table, keys[0]) as one:
        first = b"".join(frame(b'{"type": "return", "id": %d}' % number) for number in range(100, 150))
        pieces = frame(b'{"type": "re', 0x01) + frame(b"still here?", 0x89) + frame(b'turn", "id": 555}', 0x80)
        one.sendall(first + pieces[:9])
        one.sendall(pieces[9:])
        data = heard_until(one, b'"id":555')
        places = [data.index(b'"id":%d' % number) for number in (*range(100, 150), 555)]
        assert places == sorted(places)  # answered one after the other
        assert b"still here?" in data  # the ping between the pieces
        one.sendall(frame(b'{"type": "return", "id": 556}', 0x82))  # as bytes, not as a text
        heard_until(one, b'"id":556')


@pytest.mark.parametrize(
    ("sent", "close_code"), [(frame(b"\xff\xfe"), 1007), (frame(b"{}", 0x83), 1002), (b"\x81\x02{}", 1002)]
)
def test_what_is_no_websocket_ends_it_with_its_own_code(sent: bytes, close_code: int, server: Server, api: Api) -> None:
    """Bytes that are no text, an unknown kind of frame, one without a mask."""
    table, keys = api.make("toy", 2, people=2)
    with raw_socket(server, table, keys[0]) as one:
        heard_until(one, b'"type":"table"')
        one.sendall(sent)
        heard_until(one, close_code.to_bytes(2, "big"))
    eventually(lambda: not server.app.sockets.connections)


def test_who_asks_and_asks_and_never_reads_is_cut_off_and_nobody_else(
    server: Server, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even our goodbye is read: the connection ends all the same, and what waited for it is gone."""
    monkeypatch.setattr(sockets, "MAX_UNSENT", 20)
    monkeypatch.setattr(sockets, "CLOSE_WITHIN", 0.2)
    table, keys = api.make("toy", 2, people=2)

    async def play() -> None:
        ben = await Person(server.url, table, keys[1], choose=None).connect()
        await ben.until(lambda: ben.last("welcome"))
        others = set(server.app.sockets.connections)
        deaf = await asyncio.to_thread(raw_socket, server, table, keys[0])
        await asyncio.to_thread(eventually, lambda: len(server.app.sockets.connections) == 2)
        (connection,) = set(server.app.sockets.connections) - others
        connection.transport.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        with contextlib.suppress(OSError):  # it is cut off while it still speaks
            for _ in range(3000):
                await asyncio.to_thread(deaf.sendall, frame(b'{"type": "return", "id": 7}'.ljust(120)))
        await asyncio.to_thread(eventually, lambda: set(server.app.sockets.connections) == others)
        assert connection.ended.result() == sockets.CLOSE_SLOW
        await asyncio.to_thread(eventually, lambda: connection.transport.disconnected)
        assert (await ben.ask("return"))["reason"]["code"] == "server.return.not-away"
        deaf.close()

    run(play())


def kept(table: str) -> list[sockets.Greeting]:
    """The handshakes of a table's sockets that are in memory."""
    # By their types: `isinstance` asks a weak proxy for the class of what it stands for, which may be gone.
    return [
        one for one in gc.get_objects() if issubclass(type(one), sockets.Greeting) and table in one.request.url.path
    ]


def test_an_idle_socket_keeps_nothing_of_its_handshake_and_stays_open(
    sqlite_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No task waits for its end, which is most of what an idle table took; and it is no idle connection."""
    sweep, swept = connections.Connections.sweep, list[bool]()

    def sweep_and_tell(open_ones: connections.Connections) -> None:
        sweep(open_ones)
        swept.append(True)

    monkeypatch.setattr(connections.Connections, "sweep", sweep_and_tell)
    monkeypatch.setattr(connections, "SWEEP_EVERY", 0.02)
    with serving(config(sqlite_database)) as server:
        table, keys = Api(server.url).make("toy", 2, people=2)

        async def play() -> None:
            ada = await Person(server.url, table, keys[0], choose=None).connect()
            await ada.until(lambda: ada.last("welcome"))
            await asyncio.to_thread(eventually, lambda: not kept(table))
            monkeypatch.setattr(connections, "REQUEST_WITHIN", 0.0)
            swept.clear()
            await asyncio.to_thread(eventually, lambda: len(swept) > 2)
            assert (await ada.ask("return"))["reason"]["code"] == "server.return.not-away"

        run(play())


# ------------------------------------------------------------------ rates
def test_too_many_sockets_of_one_address_are_refused(sqlite_database: str) -> None:
    with serving(config(sqlite_database, subscribers=(2, 100))) as server:
        api = Api(server.url)
        table, keys = api.make("toy", 2, people=2)

        async def play() -> None:
            people = [await Person(server.url, table, key, choose=None).connect() for key in keys]
            for person in people:
                await person.until(lambda one=person: one.last("welcome"))  # type: ignore[misc]
            async with connect(f"{server.url.replace('http', 'ws')}/api/tables/{table}/live") as third:
                assert msgspec.json.decode(await third.recv())["reason"]["code"] == "server.crowd"
                with pytest.raises(ConnectionClosed):
                    await third.recv()
                assert third.close_code == sockets.CLOSE_FULL
            waiting = await asyncio.to_thread(api.get, f"/api/tables/{table}/seen?wait=5", keys[0])
            assert waiting.json()["reason"]["code"] == "server.crowd"
            await people[1].close()
            await asyncio.to_thread(eventually, lambda: sum(server.app.access.subscriber_limit.counts.values()) == 1)
            again = await Person(server.url, table, keys[1], choose=None).connect()
            await again.until(lambda: again.last("welcome"))

        run(play())
        eventually(lambda: not server.app.access.subscriber_limit.counts)  # counts expire


def test_a_flood_is_refused_and_the_others_play_on(sqlite_database: str) -> None:
    with serving(config(sqlite_database, talk_limit=(60, 1.0))) as server:
        api = Api(server.url)
        table, keys = api.make("toy", 2, people=2)
        api.start(table, keys[0])

        async def play() -> None:
            ada = await Person(server.url, table, keys[0], choose=None).connect()
            await ada.until(lambda: ada.seen)
            before = server.lines(table)
            for _ in range(100):
                await ada.send("return")
            await ada.until(lambda: sum(f["type"] == "refused" for f in ada.frames) == 100)
            codes = {f["reason"]["code"] for f in ada.frames if f["type"] == "refused"}
            assert codes == {"server.return.not-away", "server.limit"}
            assert server.lines(table) == before

        run(play())
        assert api.get("/healthz").status_code == 429
        server.app.access.request_limit._left.clear()  # as from another address
        assert api.get("/healthz").status_code == 200


def test_bringing_many_records_is_limited_and_looking_again_is_not(sqlite_database: str) -> None:
    from tests.server.test_replay import a_match

    record = str(a_match("toy"))
    with serving(config(sqlite_database, make_limit=(2, 0.01))) as server:
        api = Api(server.url)
        for step in range(5):
            assert api.post("/api/replay", record=record, step=step).status_code == 200
        assert api.post("/api/outline", record=record + "# 2\n").status_code == 200
        assert api.post("/api/outline", record=record + "# 3\n").status_code == 429


def test_an_address_is_a_household() -> None:
    assert network("192.0.2.7") == "192.0.2.7"
    assert network("2001:db8:1:2:3:4:5:6") == network("2001:db8:1:2::9") == "2001:db8:1:2::"
    assert network("2001:db8:1:3::9") != network("2001:db8:1:2::9")
    assert network("::ffff:192.0.2.7") == "192.0.2.7"
    assert network("fe80::1%eth0") == "fe80::"
    assert network("testclient") == "testclient"


def test_odd_tables_are_not_found(database: str) -> None:
    with serving(config(database)) as server:
        api = Api(server.url)
        for name in ("%00", "a" * 5000, "..%2f..%2fetc", "%F0%9F%82%A1", "a;b", "%27%20OR%201=1--"):
            for path in ("", "/seen", "/record", "/replay", "/outline"):
                assert api.get(f"/api/tables/{name}{path}").status_code == 404
            assert api.post(f"/api/tables/{name}/join", name="Ada").status_code in (404, 405)
            assert api.get(f"/t/{name}").status_code in (404, 503)  # 503: no client is built


# ------------------------------------------------------------------ what is kept
def test_the_database_file_is_its_owners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_DATA", str(tmp_path / "data"))
    make_private(Path(database_url(None).database or ""))
    assert stat.S_IMODE((data_home() / "tacit.db").stat().st_mode) == 0o600


def test_logs_of_a_whole_match_name_no_card_key_or_person(
    server: Server, api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    """Also when much goes wrong: refused, unreadable, oversize, a wrong key."""
    for name in ("tacit", "uvicorn", "uvicorn.error", "uvicorn.access", "asyncio", "sqlalchemy"):
        caplog.set_level(logging.INFO, logger=name)
    table, keys = api.make("silencio", 2, people=1)
    api.start(table, keys[0])
    api.get(f"/api/tables/{table}/seen", "wrong-key-of-somebody")
    api.post(f"/api/tables/{table}/act", keys[0], ask=1, texts=["play r99"])
    httpx.post(f"{server.url}/api/tables/{table}/act", content=b"\xff\xfe", verify=TRUST)

    async def play() -> None:
        ada = await Person(server.url, table, keys[0]).connect()
        await ada.over()

    run(play())
    ours = [r for r in caplog.records if r.name.split(".")[0] in ("tacit", "uvicorn", "asyncio", "sqlalchemy")]
    text = "\n".join(record.getMessage() for record in ours)
    for secret in (keys[0], "wrong-key", "Guest 0", "* deal", "play r", msgspec.json.encode(keys[0]).decode()):
        assert secret not in text
