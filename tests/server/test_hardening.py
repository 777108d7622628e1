"""What strangers found and may not find again: errors that tell too much, clocks that jump, messages that break us."""

from __future__ import annotations

import asyncio
import resource
import signal
import sqlite3
import time
from pathlib import Path

import httpx
import msgspec
import pytest

from tacit import Match
from tests.server.harness import TRUST, Api, Person, Process, Server, config, eventually, run, serving


@pytest.fixture
def api(server: Server) -> Api:
    return Api(server.url)


# ------------------------------------------------------------------ a stored record that cannot be read
def test_a_broken_record_names_no_card(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The reason why a line cannot be replayed names cards of hands: it is neither sent nor logged."""
    path = tmp_path / "x.db"
    with serving(config(f"sqlite:///{path}")) as server:
        api = Api(server.url)
        table, keys = api.make("silencio", 2, people=2)
        api.start(table, keys[0])
        dealt = [line.split()[-1] for line in server.lines(table) if line.startswith("* deal 0")]
    with sqlite3.connect(path) as file:
        (lines,) = file.execute("SELECT lines FROM steps WHERE table_id = ?", [table]).fetchone()
        twice = f"{lines}\n* deal 1 {dealt[0]}\n0 play {dealt[1]} 0"
        file.execute("UPDATE steps SET lines = ? WHERE table_id = ?", [twice, table])
    file.close()
    with serving(config(f"sqlite:///{path}")) as server:
        api = Api(server.url)
        for key in (None, keys[1]):
            answer = api.get(f"/api/tables/{table}/seen", key)
            assert (answer.status_code, answer.json()["reason"]) == (409, {"code": "server.table.record", "params": {}})
            assert not any(f'"{card}' in answer.text or f" {card}" in answer.text for card in dealt)
        assert "reading a stored record failed" in caplog.text
        assert not any(f" {card} " in caplog.text for card in dealt)


# ------------------------------------------------------------------ refused, and nothing has changed
def test_a_refused_decision_changes_nobodys_presence(server: Server, api: Api) -> None:
    table, keys = api.make("toy", 2, people=2)
    api.start(table, keys[0])
    path = f"/api/tables/{table}"
    seen = api.get(f"{path}/seen", keys[1]).json()

    def seat() -> tuple[str, str | None]:
        found = api.get(path).json()["seats"][1]
        return found["presence"], found["sitting_in"]

    assert seat() == ("away", None)
    assert api.post(f"{path}/act", keys[1], ask=seen["ask"], texts=["nonsense"]).status_code == 409
    assert seat() == ("away", None)
    assert api.post(f"{path}/leave", keys[1]).status_code == 200
    for ask, texts in ((seen["ask"], ["nonsense"]), (999, seen["legal"][:1])):
        assert api.post(f"{path}/act", keys[1], ask=ask, texts=texts).status_code == 409
        assert seat()[0] == "left"
    assert api.post(f"{path}/act", keys[1], ask=seen["ask"], texts=seen["legal"][:1]).status_code == 200
    assert seat()[0] == "here"


# ------------------------------------------------------------------ messages
@pytest.mark.parametrize("body", [b'{"texts":' * 3000, b'{"x":' + b"[" * 60_000, b'{"name":"\xed\xa0\x80"}',
                                  b'{"name":"\\ud800"}'])  # fmt: skip
def test_nested_json_and_halves_of_characters_get_a_sentence(body: bytes, server: Server, api: Api) -> None:
    table, keys = api.make("toy", 2, people=2)
    for path in ("/api/tables", f"/api/tables/{table}/join", f"/api/tables/{table}/act", "/api/outline"):
        answer = httpx.post(
            server.url + path, content=body, headers={"Authorization": f"Bearer {keys[0]}"}, verify=TRUST
        )
        assert (answer.status_code, answer.json()["reason"]["code"]) == (400, "server.unreadable"), path

    async def talk() -> None:
        ada = await Person(server.url, table, keys[0], choose=None).connect()
        await ada.until(lambda: ada.last("welcome"))
        assert ada.socket is not None
        await ada.socket.send(body.decode("utf-8", "replace"))
        await ada.until(lambda: ada.last("refused"))
        assert (await ada.ask("return"))["reason"]["code"] == "server.return.not-away"  # the socket is still open

    run(talk())


@pytest.mark.parametrize(
    "line", ['tag seat0 "\\ud800"', 'options {"\\udfff": 1}', 'options {"x": "\\ud800"}', "options " + "[" * 900]
)
def test_a_brought_record_with_half_a_character_is_refused(line: str, api: Api) -> None:
    head, rest = str(Match("toy", seats=2, seed=1)).split("options", 1)
    kept = "" if line.startswith("options") else "options" + rest.split("\n", 1)[0] + "\n"
    record = f"{head}{kept}{line}\n" + rest.split("\n", 1)[1]
    for path in ("/api/outline", "/api/replay"):
        answer = api.post(path, record=record)
        assert answer.status_code == 400, answer.text
        assert answer.json()["reason"]["code"] == "core.record.line"


# ------------------------------------------------------------------ interfaces of the host
def test_a_page_that_calls_this_machine_by_another_name_gets_no_figures(server: Server) -> None:
    """A name of a stranger's may lead to 127.0.0.1: then the visitor's own browser asks, from this machine."""
    for host, status in (
        (f"127.0.0.1:{server.port}", 200), (f"localhost:{server.port}", 200), ("[::1]:80", 200), ("LOCALHOST", 200),
        ("evil.example", 403), (f"evil.example:{server.port}", 403), ("127.0.0.1.evil.example", 403), ("[::1", 403),
        ("", 403),
    ):  # fmt: skip
        assert httpx.get(f"{server.url}/metrics", headers={"Host": host}, verify=TRUST).status_code == status, host


@pytest.mark.parametrize("name", ["Host", "Origin"])
@pytest.mark.parametrize("given", ["[::1", "http://[::1", "http://[", "", "a:b:c", "\xff", "http://a:99999"])
def test_odd_names_of_hosts_break_nothing(name: str, given: str, server: Server) -> None:
    for method, path in (("POST", "/api/tables"), ("GET", "/"), ("GET", "/metrics")):
        headers = [(name.encode(), given.encode("latin-1"))]
        answer = httpx.request(
            method, server.url + path, headers=headers, json={"game": "toy", "seats": 2}, verify=TRUST
        )
        assert answer.status_code in (200, 201, 400, 403, 503), (path, answer.text)  # 503: no client is built


def test_health_means_that_decisions_can_be_written(tmp_path: Path) -> None:
    """A server that may write to no file beyond its first byte is not healthy; then it may again."""
    process = Process(config(f"sqlite:///{tmp_path / 'x.db'}"))
    try:
        process.wait()
        healthz = f"{process.url}/healthz"
        resource.prlimit(process.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        eventually(lambda: httpx.get(healthz, verify=TRUST).status_code == 503)
        assert httpx.get(healthz, verify=TRUST).json()["ok"] is False
        resource.prlimit(process.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        eventually(lambda: httpx.get(healthz, verify=TRUST).status_code == 200)
    finally:
        process.kill()


def test_asking_for_health_writes_little(database: str) -> None:
    with serving(config(database)) as server:
        before = server.app.store.writer.written
        for _ in range(20):
            assert httpx.get(f"{server.url}/healthz", verify=TRUST).status_code == 200
        assert server.app.store.writer.written - before < 10


def test_a_socket_of_somebody_without_a_channel_writes_nothing(sqlite_database: str) -> None:
    with serving(config(sqlite_database)) as server:
        api = Api(server.url)
        table, keys = api.make("toy", 2, people=2)
        api.start(table, keys[0])
        before = server.app.store.writer.written

        async def look() -> None:
            ada = await Person(server.url, table, keys[0], choose=None).connect()
            await ada.asked()

        run(look())
        assert server.app.store.writer.written == before


def test_a_closed_terminal_stops_the_server_in_good_order(sqlite_database: str) -> None:
    process = Process(config(sqlite_database)).wait()
    try:
        table, keys = Api(process.url).make("toy", 2, people=2)

        async def play() -> int:
            ada = await Person(process.url, table, keys[0], choose=None).connect()
            await ada.until(lambda: ada.last("welcome"))
            process.process.send_signal(signal.SIGHUP)
            assert ada.task is not None
            assert ada.socket is not None
            await asyncio.wait_for(ada.task, 30)
            return int(ada.socket.close_code or 0)

        assert run(play()) == 1012
        assert process.process.wait(60) == 0
    finally:
        process.kill()


# ------------------------------------------------------------------ clocks that jump
def jump(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Somebody sets the clock on the wall."""
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + seconds)


def test_a_clock_that_is_set_forward_skips_no_grace(sqlite_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(config(sqlite_database, grace=3600.0)) as server:
        api = Api(server.url)
        table, keys = api.make("toy", 2, people=2)
        api.start(table, keys[0])
        jump(monkeypatch, 7200.0)
        refused = api.post(f"/api/tables/{table}/sit-in", keys[0], seat=1).json()
        assert refused["reason"]["code"] == "server.sit-in.grace"
        assert 3500 < refused["reason"]["params"]["n"] <= 3600


def test_a_clock_that_is_set_back_stops_no_decision(sqlite_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that never decides sits in, then the person returns: their clock started when the question opened."""
    with serving(config(sqlite_database, bot_delay=(600.0, 600.0))) as server:
        api = Api(server.url)
        table, keys = api.make("toy", 2, people=2, clock=5)
        live = server.app.tables.loaded[table]
        live.row.clock = 1  # five seconds are long for a test
        api.start(table, keys[0])
        assert api.post(f"/api/tables/{table}/leave", keys[1]).status_code == 200
        assert api.post(f"/api/tables/{table}/sit-in", keys[0], seat=1).status_code == 200
        jump(monkeypatch, -86_400.0)
        assert api.post(f"/api/tables/{table}/return", keys[1]).status_code == 200
        eventually(lambda: live.over)


def test_bots_go_on_after_the_clock_was_set_back(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps that come from the future strand no match of bots."""
    with serving(config(database, bot_delay=(600.0, 600.0))) as server:
        api = Api(server.url)
        table, keys = api.make("toy", 2, people=1)
        with monkeypatch.context() as future:
            jump(future, 86_400.0)
            api.start(table, keys[0])
    with serving(config(database)) as server:
        eventually(lambda: table in server.app.tables.loaded)


def test_messages_of_the_wire_are_unchanged_by_it(server: Server, api: Api) -> None:
    """`away_since` is a time of day still, and stays the same while nothing changes: it may not tell anything else."""
    table, _ = api.make("toy", 2, people=2)
    first = api.get(f"/api/tables/{table}").content
    assert abs(msgspec.json.decode(first)["seats"][1]["away_since"] - time.time()) < 60
    assert api.get(f"/api/tables/{table}").content == first
