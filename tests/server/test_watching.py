"""What a host gets to see of running tables, logs, metrics, admin output and error pages: all of it, and no card, key,
table or person in it.
"""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from prometheus_client.parser import text_string_to_metric_families

from tacit import GAMES
from tacit.cli import main
from tacit.server import logs
from tests.server.canary import NAMES, Leak, words
from tests.server.harness import TRUST, Api, Person, Server, answers, config, free_port, run, serving

CLIENTS = ("http", "websockets.client")  # libraries of the tests themselves


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """All that is logged while it is here, from the first level on, also by libraries; as JSON lines."""
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(logs.JsonFormatter())
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    logging.getLogger("tacit").setLevel(logging.DEBUG)
    yield out
    root.removeHandler(handler)
    root.setLevel(before)


def scan(text: str, game: str, secrets: list[str]) -> None:
    """Nothing of this names a card of a game, or a secret."""
    named = NAMES[game] & set(words(text))
    if named:
        raise Leak(f"names {sorted(named)}")
    for secret in secrets:
        if secret in text:
            raise Leak(f"holds {secret}")


def metrics(url: str) -> dict[str, float]:
    """The metrics by name, with their labels where they have one."""
    found = {}
    for family in text_string_to_metric_families(httpx.get(f"{url}/metrics", verify=TRUST).text):
        for sample in family.samples:
            label = next((v for k, v in sample.labels.items() if k != "le"), "")
            found[f"{sample.name}:{label}" if label else sample.name] = sample.value
    return found


@pytest.mark.parametrize("game", GAMES)
def test_nothing_that_a_host_sees_of_a_running_match_names_a_card(
    game: str, server: Server, sqlite_database: str, written: io.StringIO
) -> None:
    api = Api(server.url)
    table, keys = api.make(game, 3, people=2)
    secrets = [*keys, "Guest 0", "Guest 1", "wrong-key-of-somebody"]
    shown: list[str] = []

    def look() -> None:
        """All outlets, while the match runs."""
        shown.append(httpx.get(f"{server.url}/metrics", verify=TRUST).text)
        for command in (["list"], ["list", "--json"], ["inspect", table], ["inspect", table, "--json"]):
            shown.append(CliRunner().invoke(main, ["admin", *command, "--database", sqlite_database]).output)
        strange = [
            api.get(f"/api/tables/{table}/seen"), api.get(f"/api/tables/{table}/record", keys[0]),
            api.get(f"/api/tables/{table}/replay?eyes=open", keys[0]), api.get(f"/api/tables/{table}/outline"),
            api.get(f"/api/tables/{table}/seen", "wrong-key-of-somebody"), api.get("/api/nothing"),
            api.get("/t/nothing"),
            api.post(f"/api/tables/{table}/act", keys[0], ask=999, texts=["x"]), api.get("/healthz"),
            api.post(f"/api/tables/{table}/act", ask=1, texts=["x"]), api.post("/api/tables", game="chess", seats=2),
            httpx.post(f"{server.url}/api/tables/{table}/act", content=b"\xff\xfe", verify=TRUST),
            httpx.put(f"{server.url}/api/tables/{table}", verify=TRUST), api.get(f"/t/{table}"),
        ]  # fmt: skip
        shown.extend(answer.text for answer in strange)

    async def play() -> None:
        people = [await Person(server.url, table, key, choose=None).connect() for key in keys]
        assert (await people[0].ask("start"))["type"] == "done"
        await people[0].until(lambda: people[0].seen)
        await asyncio.to_thread(look)
        for _ in range(4):
            for person in people:
                if person.seen.get("ask") is not None:
                    await person.ask("act", ask=person.seen["ask"], texts=person.seen["legal"][:1])
        await asyncio.to_thread(look)
        if game != "silencio":
            return  # one game to its end is enough: libraries say much, and all of it is written down here
        for person in people:
            person.choose = lambda seen: seen["legal"][:1]
            if person.seen.get("ask") is not None:
                await person.send("act", ask=person.seen["ask"], texts=person.seen["legal"][:1])
        await people[0].over()

    run(play())
    assert len(shown) > 30
    for text in shown:
        scan(text, game, secrets)
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    lines = [line for line in lines if not line["from"].startswith(CLIENTS)]
    log = "\n".join(map(str, lines))
    assert {"table.made", "match.started"} <= {line["event"] for line in lines}
    assert ("match.over" in {line["event"] for line in lines}) == (game == "silencio")
    assert any(line["from"] != "tacit.server" for line in lines)  # libraries were heard too
    scan(log, game, [*secrets, table, "127.0.0.1"])
    assert logs.mark(table) in log
    assert metrics(server.url)["tacit_decisions_total:person"] > 0


def test_the_scan_finds_what_is_planted(written: io.StringIO) -> None:
    logs.note("a.leak", card="r5")
    with pytest.raises(Leak):
        scan(written.getvalue(), "silencio", [])
    with pytest.raises(Leak):
        scan('tacit_decisions{seat="Ada"} 3', "silencio", ["Ada"])


@pytest.mark.filterwarnings("ignore")
def test_what_libraries_and_errors_say_reaches_no_log(written: io.StringIO) -> None:
    try:
        raise ValueError("seat 1 holds r5")
    except ValueError:
        logging.getLogger("asyncio").exception("Task failed\nfuture: <Task exception=ValueError('r5')>")
        logging.getLogger("uvicorn.error").error("from %s", "203.0.113.7", exc_info=True)
        logging.getLogger("tacit.server").error("something failed", exc_info=True)
    text = written.getvalue()
    assert "r5" not in text
    assert "203.0.113.7" not in text
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["error"] for line in lines] == ["ValueError"] * 3
    plain = logs.TextFormatter().format(logging.makeLogRecord({"name": "x", "msg": "from %s", "args": ("r5",)}))
    assert plain.endswith("from %s")


def test_the_place_of_an_error_is_in_our_own_files_whatever_folders_are_called() -> None:
    """A clone, a library or a test can lie in a folder called `tacit`: only the package's own files are ours."""

    def place_of(file: Path) -> str:
        code = compile("\n\nraise ValueError", str(file), "exec")
        try:
            exec(code)
        except ValueError as error:
            return logs.location(error)
        raise AssertionError

    assert place_of(logs.PACKAGE / "core" / "match.py") == "match.py:3"
    assert place_of(logs.PACKAGE.parent / "elsewhere.py") == "unknown"
    for strange in ("/home/ada/tacit/tests/test_x.py", "/srv/tacit/.venv/lib/uvicorn/main.py", "<string>"):
        assert place_of(Path(strange)) == "unknown"


def test_figures_count_what_happened(server: Server) -> None:
    api = Api(server.url)
    table, keys = api.make("toy", 2, people=1)

    async def play() -> None:
        ada = await Person(server.url, table, keys[0]).connect()
        assert (await ada.ask("act", ask=1, texts=["bid 1"]))["type"] == "refused"
        assert (await ada.ask("start"))["type"] == "done"
        await ada.over()
        now = metrics(server.url)
        steps = await asyncio.to_thread(server.stored, table)
        by = [line.split()[0] for step in steps[1:] for line in step.lines]
        assert now["tacit_decisions_total:person"] == by.count("0")
        assert now["tacit_decisions_total:bot"] == by.count("1")
        assert now["tacit_stored_seconds_count"] == now["tacit_told_seconds_count"] == len(steps) - 1
        assert 0 < now["tacit_stored_seconds_sum"] <= now["tacit_told_seconds_sum"]
        assert now["tacit_bot_seconds_count:toy"] >= by.count("1")
        assert now["tacit_refusals_total:server.phase.not-started"] == 1
        assert (now["tacit_tables:over"], now["tacit_sockets"], now["tacit_listeners"]) == (1, 1, 1)
        assert now["tacit_commits_total"] == now["tacit_commit_seconds_count"] > 0
        assert now["tacit_written_total"] == now["tacit_commit_jobs_sum"]

    run(play())


def test_figures_are_for_the_host_alone(server: Server, sqlite_database: str) -> None:
    """From two of them, on a quiet server, one could read how long a bot thought."""
    assert httpx.get(f"{server.url}/metrics", verify=TRUST).status_code == 200
    for name in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"):
        answer = httpx.get(f"{server.url}/metrics", headers={name: "127.0.0.1"}, verify=TRUST)
        assert answer.status_code == 403, name
        assert answer.json()["sentence"] == "These metrics are for whoever runs this server."
    with serving(config(sqlite_database, metrics_key="a-long-key-of-the-host")) as other:
        wanted = {"Authorization": "Bearer a-long-key-of-the-host"}
        for given, status in (({}, 403), ({"Authorization": "Bearer x"}, 403), (wanted, 200)):
            assert httpx.get(f"{other.url}/metrics", headers=given, verify=TRUST).status_code == status
        away = wanted | {"X-Forwarded-For": "203.0.113.7"}
        assert httpx.get(f"{other.url}/metrics", headers=away, verify=TRUST).status_code == 200


@pytest.mark.parametrize("form", ["json", "text", "quiet"])
def test_the_command_logs_as_it_is_asked(form: str, tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "tacit", "serve", "--port", str(port), "--log-format", form]
    environment = os.environ | {"TACIT_DATA": str(tmp_path)}
    running = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    url = f"http://127.0.0.1:{port}"
    answers(url, lambda: running.poll() is None)
    made: Any = Api(url).post("/api/tables", game="silencio", seats=2, name="Ada").json()
    running.send_signal(signal.SIGTERM)
    _, errors = running.communicate(timeout=60)
    assert ("server.root" in errors) == (os.geteuid() == 0)  # said in every format, where it is so
    errors = "".join(line for line in errors.splitlines(keepends=True) if "server.root" not in line)
    events = ["server.started", "table.made", "server.stopping", "server.stopped"]
    if form == "json":
        assert [json.loads(line)["event"] for line in errors.splitlines()] == events
    elif form == "text":
        assert [line.split()[2] for line in errors.splitlines()] == events
    else:
        assert errors == ""
    for secret in (made["key"], made["table"], "Ada"):
        assert secret not in errors
