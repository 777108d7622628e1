"""Anything at all over sockets and HTTP: every message is answered, nothing breaks, no match changes."""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tacit.server.wire import COMMANDS
from tests.server.harness import TRUST, Api, Person, Server, config, run, serving

COUNT = 25_000 if "TACIT_LONG" in os.environ else 250
ODD: list[Any] = [
    None, True, 0, -1, 1, 7, 31, 32, 2**31, 2**63, -(2**70), 1.5, 1e308, "", "x", "bid 1", "0", "\x00", "\u202e",
    "é" * 300, "x" * 5000, [], [[]], ["bid 1"], ["x"] * 201, [None], {}, {"kind": "bot"}, {"kind": "bot", "bot": "os"},
    {"a": {"b": {}}}, "random", "muted", "steady; rm", "../..", "nod", "public",
]  # fmt: skip
# What each field might really hold; never the number of the open question, so that nothing may be decided.
LIKELY: dict[str, list[Any]] = {
    "ask": [0, 2, 7, -1, 2**40], "texts": [["bid 1"], ["bid 1", "bid 2"], ["\x00"], ["x"] * 200], "text": ["nod", "x"],
    "seat": [0, 1, 2, 31], "chair": [{"kind": "bot", "bot": "random"}, {}], "fill": ["random", "os"],
    "bot": ["random", "steady"], "chat": ["muted", "heard"], "id": [1, 2, None], "name": ["Ada", "Guest 1"],
    "game": ["toy", "silencio"], "seats": [1, 2, 3], "options": [{}, {"low": True}], "chairs": [[], [{}, {}]],
    "visibility": ["open"], "spectators": ["after"], "clock": [5], "eyes": ["0", "open"], "step": [0, 3],
    "record": ["tacit 1", "tacit 1\ngame toy 1\nseats 2\n* deal 0 1\n0 bid 9"], "key": ["x" * 24], "protocol": [1],
    "hands": ["open", "closed"], "piece": ["row green", "x"], "to": ["row red", None], "sign": ["like"],
    "place": ["hand 0", "row 1 4", "deck"],
    "answer": ["yes", "no"], "want": ["peace"],  # a match that both want to pause would stand still
}  # fmt: skip


@pytest.fixture
def server(sqlite_database: str) -> Iterator[Server]:
    """A server that waits long for who is away: else somebody may rightly let a bot sit in for them, and it decides."""
    with serving(config(sqlite_database, grace=1e6)) as running:
        yield running


def anything(chance: random.Random) -> dict[str, Any]:
    """Some command, or nearly one."""
    kind = chance.choice([*COMMANDS, "hello", "dance"])
    message: dict[str, Any] = {"type": kind}
    known = list(COMMANDS[kind].__struct_fields__) if kind in COMMANDS else []
    more = chance.sample(sorted(LIKELY), chance.choice([0, 0, 0, 1, 4]))
    for name in dict.fromkeys([*known, *more]):
        if chance.random() < 0.95:
            message[name] = chance.choice(ODD if chance.random() < 0.2 else LIKELY[name])
            if name == "ask" and message[name] == 1:  # True too: it is the open one
                message[name] = 3
    return message


def text_of(message: Any, chance: random.Random) -> str:
    text = json.dumps(message)
    if chance.random() < 0.1:  # a torn one
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(["", "\x00", "}", "\ud7ff", '"', text]) + text[at + 1 :]
    return text


def test_nothing_that_comes_over_a_socket_breaks_the_server(server: Server) -> None:
    api = Api(server.url)
    table, keys = api.make("toy", 2, people=2, spectators="public")
    api.start(table, keys[0])
    before = api.get(f"/api/tables/{table}/seen", keys[0]).json()["view"]
    chance = random.Random(1)

    async def play() -> None:
        for key in (keys[1], None):
            person = await Person(server.url, table, key, choose=None).connect()
            await person.until(lambda one=person: one.seen)  # type: ignore[misc]
            assert person.socket is not None
            codes = set()
            for _ in range(COUNT // 2):
                person.frames.clear()
                await person.socket.send(text_of(anything(chance), chance))
                answer = await person.until(lambda one=person: answer_in(one))  # type: ignore[misc]
                codes.add(answer["reason"]["code"] if answer["type"] == "refused" else answer["type"])
            assert "server.broken" not in codes
            assert len(codes) > 4
            await person.close()

    run(play())
    assert [line for line in server.lines(table) if not line.startswith("*")] == []
    assert api.get(f"/api/tables/{table}/seen", keys[0]).json()["view"] == before


def answer_in(person: Person) -> dict[str, Any] | None:
    return next((frame for frame in person.frames if frame["type"] in ("done", "refused", "previewed")), None)


def test_nothing_that_comes_over_http_breaks_the_server(server: Server) -> None:
    api = Api(server.url)
    table, keys = api.make("toy", 2, people=2, spectators="public")
    api.start(table, keys[0])
    chance = random.Random(2)
    paths = [
        "/api/tables", "/api/replay", "/api/outline", "/api/words/{}", "/api/{}", "/{}", "/t/{}", "/rules/{}",
        "/assets/{}", "/api/tables/{}", *(f"/api/tables/{table}/{name}" for name in [*COMMANDS, "join", "enter", "{}"]),
        *(f"/api/tables/{table}/{look}?eyes={{}}&step={{}}&wait=0" for look in ("seen", "record", "replay", "outline")),
    ]  # fmt: skip

    async def play() -> set[int]:
        found = set()
        async with httpx.AsyncClient(base_url=server.url, verify=TRUST) as client:
            for _ in range(COUNT):
                odd = [quote(str(chance.choice(ODD))[:300], safe="") for _ in range(2)]
                path = chance.choice(paths).format(*odd)
                bearer = {"Authorization": f"Bearer {keys[1]}"}
                headers = chance.choice([{}, bearer, {"Authorization": "Bearer"}, {"Cookie": "tacit-seat=a.b"}])
                body = text_of({k: v for k, v in anything(chance).items() if k != "type"}, chance)
                method = chance.choice(["GET", "POST", "POST", "PUT", "HEAD"])
                content = body.encode("utf-8", "surrogatepass") if method == "POST" else None
                answer = await client.request(method, path, content=content, headers=headers)
                found.add(answer.status_code)
                unbuilt = answer.status_code == 503 and not path.startswith("/api")  # there is no client to show
                assert answer.status_code < 500 or unbuilt, path
        return found

    found = run(play())
    assert {400, 404} <= found
    assert [line for line in server.lines(table) if not line.startswith("*")] == []
    assert api.get("/healthz").status_code == 200


def test_many_at_once_leave_the_record_in_order(server: Server) -> None:
    """Twenty sockets of one seat answer the same question at once: one counts."""
    api = Api(server.url)
    table, keys = api.make("toy", 2, people=2)
    api.start(table, keys[0])

    async def play() -> None:
        tabs = [await Person(server.url, table, keys[0], choose=None).connect() for _ in range(20)]
        asked = [await tab.asked() for tab in tabs]
        answers = await asyncio.gather(
            *(
                t.ask("act", ask=a["ask"], texts=[a["legal"][i % 2]])
                for i, (t, a) in enumerate(zip(tabs, asked, strict=True))
            )
        )
        assert sum(answer["type"] == "done" and not answer["again"] for answer in answers) == 1

    run(play())
    assert sum(line.startswith("0 ") for line in server.lines(table)) == 1
