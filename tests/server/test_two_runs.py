"""Two runs that differ only in secrets look the same: every byte that a seat or a spectator gets, over every interface.

Two matches (pairs.py) are played through a real server each, move by move, with chance that deals as the record says.
What the eyes get is compared byte by byte: frames, bodies, headers, ETags, sizes, order. A door that is not in the
table below fails the first test: a new way out needs an entry.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import shutil
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest
from starlette.responses import Response

from tacit import GAMES, Match
from tacit.core.random_play import CHANCE
from tacit.server import dispatch, errors
from tacit.server.api import Api
from tacit.server.app import App
from tacit.server.live_table import LiveTable
from tacit.server.seating import Caller
from tacit.server.wire import COMMANDS
from tests.server.conftest import shared_database
from tests.server.harness import BUSES, LONG, Server, config, serving
from tests.server.pairs import Pair, pair_for
from tests.server.wiretap import HOST, Tap, exchange

Make = Callable[[], str]  # makes a database with empty tables; its address
SEATS = 3
PROBED = 6 if LONG else 2  # moments at which every interface is tried
NOW = 1_790_000_000.25
MATCHES = [
    *((game, {}) for game in GAMES),
    ("silencio", {"tavern": True, "unlit": "all"}),
    ("zombie-city", {"expert": True}),
    ("toy", {}),
]  # fmt: skip


class Eyes(msgspec.Struct):
    """A viewer at one moment."""

    server: Server
    table: str
    key: str | None
    seen: dict[str, Any]  # as they see it
    named: list[str]  # decisions of either record: also of cards that they cannot know of
    duplicate: str  # a duplicate match on the same server

    @property
    def illegal(self) -> list[str]:
        """Some decisions they may not take now: refusals may tell nothing either."""
        return [text for text in self.named if text not in self.seen.get("legal", [])][:12]


Body = dict[str, Any] | None
Bodies = Callable[[Eyes], list[Body]]
NOTHING: Bodies = lambda _: [None]  # noqa: E731
EMPTY: Bodies = lambda _: [{}]  # noqa: E731


def given(*bodies: Body) -> Bodies:
    return lambda _: list(bodies)


def acts(eyes: Eyes) -> list[Body]:
    """Questions that are not open, and decisions that are not allowed."""
    ask = eyes.seen.get("ask") or 0
    stale: list[Body] = [{"ask": number, "texts": ["pass"]} for number in (ask - 1, ask + 1, 10**6)]
    runs: list[Body] = [{"ask": ask, "texts": [*eyes.seen.get("legal", [])[:1], "no such decision"]}]
    return stale + [{"ask": ask, "texts": [text]} for text in eyes.illegal] + runs


def undos(eyes: Eyes) -> list[Body]:
    """Numbers with which nothing can be taken back now."""
    return [{"ask": number} for number in (0, 1, 2, 3, 10**6) if number != eyes.seen.get("undo")]


def previews(eyes: Eyes) -> list[Body]:
    legal = eyes.seen.get("legal", [])
    return [{"texts": [text]} for text in [*legal[:2], *legal[-1:], *eyes.illegal]]


RECORD = "tacit 1\ngame silencio 1\nseats 2\noptions {}\n"
TABLE = "/api/tables/{table}"
# Every route of the server: what is asked of it. A path may have a query, and stand here more than once.
DOORS: dict[str, list[tuple[str, Bodies]]] = {
    f"WS {TABLE}/live": [],  # open all the time, and opened again at each moment
    "WS /api/live": [],  # a new table, by the same call as POST /api/tables
    f"POST {TABLE}/hint": [("", lambda eyes: [{"ask": eyes.seen.get("ask") or 0}])],  # before `seen`, which counts them
    f"POST {TABLE}/join": [("", given({"name": "Eve"}, {"name": "Eve", "seat": 0}))],
    "POST /api/tables": [("", given({"game": "toy", "seats": 2, "name": "Eve"}))],
    "GET /healthz": [("", NOTHING)],
    "GET /metrics": [("", NOTHING)],
    "GET /api/games": [("", NOTHING)],
    "GET /api/words/{language}": [("", NOTHING)],
    "GET /api/lobby": [("", NOTHING)],
    "GET /api/openapi.json": [("", NOTHING)],
    "GET /api/schema.json": [("", NOTHING)],
    f"GET {TABLE}": [("", NOTHING)],
    f"GET {TABLE}/seen": [("", NOTHING), ("?wait=0.001", NOTHING)],
    f"GET {TABLE}/record": [("", NOTHING)],
    f"GET {TABLE}/replay": [
        (f"?eyes={eyes}&step={step}", NOTHING) for eyes in ("public", "open", "1") for step in (0, 9)
    ]
    + [("?eyes=1&step=9&decision=pass", NOTHING)],
    f"GET {TABLE}/outline": [(f"?eyes={eyes}", NOTHING) for eyes in ("public", "open", "1")],
    "POST /api/replay": [("", given({"record": RECORD, "eyes": "open", "step": 1}))],
    "POST /api/outline": [("", given({"record": RECORD, "eyes": "open"}))],
    f"GET {TABLE}/review": [("", NOTHING), ("?wait=0.001", NOTHING)],
    "POST /api/review": [("", given({"record": RECORD}))],
    f"POST {TABLE}/enter": [("", lambda eyes: [{"key": eyes.key or "nobody's key"}])],
    f"POST {TABLE}/follow": [("", EMPTY)],
    "GET /api/daily": [("", NOTHING)],
    "GET /api/deals/{deal}": [("", NOTHING)],
    "GET /api/deals/{deal}/results": [("", NOTHING)],
    "POST /api/deals/{deal}/close": [("", EMPTY)],
    f"POST {TABLE}/challenge": [("", EMPTY)],
    "POST /api/duplicates": [("", given({"game": "silencio", "seats": 2, "tables": 2, "deals": 1}))],
    "GET /api/duplicates/{duplicate}": [("", NOTHING)],
    "GET /api/duplicates/{duplicate}/print": [("", NOTHING)],
    "POST /api/duplicates/{duplicate}/close": [("", EMPTY)],
    "POST /api/branch": [("", lambda eyes: [{"table": eyes.table, "step": 3, "name": "Eve"}])],
    "POST /api/check": [("", given({"record": RECORD}))],
    "POST /api/player": [("", EMPTY)],
    "GET /api/notices": [("", NOTHING)],
    "POST /api/notices": [("", EMPTY)],
    "POST /api/notices/channels": [("", given({"kind": "json", "address": "https://127.0.0.1/"}))],
    "POST /api/notices/channels/{channel}/remove": [("", EMPTY)],
    "POST /api/notices/channels/{channel}/test": [("", EMPTY)],
    f"POST {TABLE}/notices": [("", given({"wanted": True}))],
    "POST /api/lessons/{game}/{step}": [("", EMPTY)],
    "POST /api/lessons/{game}/{step}/preview": [("", EMPTY)],
    "POST /api/puzzles/{game}/{number}": [("", EMPTY)],
    "POST /api/puzzles/{game}/{number}/preview": [("", EMPTY)],
    "GET /api/you": [("", NOTHING)],
    "GET /api/you/matches": [("", NOTHING)],
    "GET /api/you/invitations": [("", NOTHING)],
    "GET /api/you/export": [("", NOTHING)],
    "POST /api/you/delete": [("", EMPTY)],
    "POST /api/you/passkey/begin": [("", EMPTY)],
    "POST /api/you/passkey/finish": [("", given({"challenge": "x" * 24, "credential": {}}))],
    "POST /api/you/passkey/remove": [("", given({"passkey": "x"}))],
    "POST /api/you/sign-in/begin": [("", EMPTY)],
    "POST /api/you/sign-in/finish": [("", given({"challenge": "x" * 24, "credential": {}}))],
    "POST /api/you/device/remove": [("", given({"device": "0" * 16}))],
    "POST /api/you/name": [("", given({"name": "Eve"}))],
    "POST /api/you/avoid": [("", given({"person": "0" * 16, "avoid": True}))],
    "POST /api/you/invite": [("", lambda eyes: [{"person": "0" * 16, "table": eyes.table}])],
    "POST /api/you/dismiss": [("", lambda eyes: [{"table": eyes.table}])],
    f"POST {TABLE}/stir": [("", given({"text": "Hello"}))],
    "GET /api/{rest:path}": [("", NOTHING)],
    "GET /{path:path}": [("", NOTHING), ("t/{table}", NOTHING), ("r/{table}", NOTHING)],
    f"POST {TABLE}/act": [("", acts)],
    f"POST {TABLE}/decline": [("", lambda eyes: [{"ask": eyes.seen.get("ask") or 0}, {"ask": 10**6}])],
    f"POST {TABLE}/preview": [("", previews)],
    f"POST {TABLE}/work-out": [("", EMPTY)],
    f"POST {TABLE}/note": [("", given({"place": "hand 0", "text": "low"}, {"place": "hand 0"}))],
    f"POST {TABLE}/signal": [("", given({"text": "nod"}, {"text": "wink"}))],
    f"POST {TABLE}/undo": [("", undos)],
    f"POST {TABLE}/lend": [("", EMPTY)],
    f"POST {TABLE}/contribute": [("", given({"answer": "yes"}, {"answer": "no"}))],  # taken back, as a wish
    f"POST {TABLE}/open-room": [("", EMPTY)],
    f"POST {TABLE}/lead": [("", given({"seat": 1}))],
    f"POST {TABLE}/go": [("", given({"step": 2}))],
    f"POST {TABLE}/mark": [("", given({"step": 2, "piece": "card:r5"}))],
    f"POST {TABLE}/react": [("", given({"step": 2, "sign": "wow"}))],
    f"POST {TABLE}/agree": [("", EMPTY)],
    f"POST {TABLE}/claim": [("", given({"seat": 1}))],
    f"POST {TABLE}/arrange": [("", given({"seat": 1, "chair": {"kind": "open"}}))],
    f"POST {TABLE}/remove": [("", given({"seat": 2}))],
    f"POST {TABLE}/start": [("", EMPTY)],
    f"POST {TABLE}/sit-in": [("", given({"seat": 0}, {"seat": 2}))],
    f"POST {TABLE}/wish": [
        ("", given(*({"want": want, "answer": answer} for answer in ("yes", "no") for want in ("pause", "end")))),
    ],  # taken back, so that what is seen is the same as before
    f"POST {TABLE}/resume": [("", EMPTY)],
    f"POST {TABLE}/prepare": [("", given({"answer": "no"}))],
    f"POST {TABLE}/chat": [("", given({"text": "Hello"}))],
    f"POST {TABLE}/mute": [("", given({"seat": 2, "chat": "muted"}))],
    f"POST {TABLE}/rematch": [("", EMPTY)],
    f"POST {TABLE}/leave": [("", EMPTY)],
    f"POST {TABLE}/return": [("", EMPTY)],
}
ANY_COMMAND = f"POST {TABLE}/{{command}}"


def routes(app: App) -> set[str]:
    """Every way in that the server has, each command by itself."""
    found = {f"{method} {path}" for method, path in app.asgi().routes}
    assert ANY_COMMAND in found
    return found - {ANY_COMMAND} | {f"POST {TABLE}/{command}" for command in COMMANDS}


def test_every_door_is_in_the_table(sqlite_database: str) -> None:
    assert routes(App(config(sqlite_database))) == set(DOORS)


# ------------------------------------------------------------------ one run
class Dealt:
    """Chance that does what a record says, in place of the operating system's."""

    outcomes: ClassVar[list[int]] = []
    drawn: ClassVar[list[int]] = []

    def draw(self, weights: list[int], pool: int) -> int:
        outcome = self.outcomes[len(self.drawn)]
        self.drawn.append(outcome)
        assert weights[outcome], "the record deals what cannot be dealt"
        return outcome


@pytest.fixture
def alike(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """What differs between any two runs is made the same: the clock, new names and keys. Call it before each."""
    numbers = itertools.count()

    def token(size: int) -> str:
        return hashlib.sha256(str(next(numbers)).encode()).hexdigest()[: size * 4 // 3]

    monkeypatch.setattr(time, "time", lambda: NOW)
    monkeypatch.setattr("tacit.server.keys.secrets.token_urlsafe", token)
    monkeypatch.setattr("tacit.server.keys.secrets.choice", lambda words: words[next(numbers) % len(words)])
    monkeypatch.setattr("tacit.server.keys.secrets.randbelow", lambda n: next(numbers) % n)
    monkeypatch.setattr(LiveTable, "chance", lambda table, match, row=None: Dealt())
    monkeypatch.setenv("TACIT_DEAL_SECRETS", f"1 {'5a' * 32}")
    monkeypatch.setattr("tacit.core.outlook.SAMPLES", 60)  # enough to differ where the truth is used

    def again() -> None:
        nonlocal numbers
        numbers = itertools.count()
        monkeypatch.setattr("tacit.server.keys._named", 0)

    return again


@pytest.fixture
def new_sqlite(tmp_path: Path, sqlite_template: Path) -> Make:
    numbers = itertools.count()
    return lambda: f"sqlite:///{shutil.copy(sqlite_template, tmp_path / f'{next(numbers)}.db')}"


def run_through(server: Server, pair: Pair, match: Match) -> list[tuple[str, bytes]]:
    """Play a record through a server; all that the viewers got, by interface."""
    server.app.store.signing = b"the same in all runs"
    Dealt.outcomes, Dealt.drawn = [action for who, action in match.steps if who == CHANCE], []
    got: list[tuple[str, bytes]] = []

    async def ask(method: str, path: str, body: Body = None, key: str | None = None, **headers: str) -> bytes:
        return await exchange(server.port, method, path, body, key, **headers)

    async def post(path: str, body: Body, key: str | None = None) -> Any:
        answer = await ask("POST", path, body, key)
        assert answer.split()[1] in (b"200", b"201"), answer
        return msgspec.json.decode(answer.partition(b"\r\n\r\n")[2])

    async def play() -> None:
        wish = {"game": pair.game, "seats": pair.seats, "options": pair.options, "name": "Guest 0"}
        made = await post("/api/tables", wish | {"spectators": "public", "visibility": "open", "aids": "hints"})
        table, keys = made["table"], [made["key"]]
        wish = {"game": pair.game, "seats": pair.seats, "options": pair.options, "tables": 2, "deals": 1}
        duplicate = (await post("/api/duplicates", wish))["duplicate"]
        for q in range(1, pair.seats):
            keys.append((await post(f"/api/tables/{table}/join", {"name": f"Guest {q}"}))["key"])
        key = None if pair.eyes is None else keys[pair.eyes]
        tap = await Tap(server.port, table, key).open()
        await post(f"/api/tables/{table}/start", {}, keys[0])
        decisions = [line.split(" ", 1) for line in match.lines if not line.startswith("*")]
        named = sorted({line.split(" ", 1)[1] for one in pair.records for line in one.lines if line[0] != "*"})
        undone = False
        probed = {len(decisions) - round(i * len(decisions) / PROBED) for i in range(PROBED)}
        for number, (who, text) in enumerate([*decisions, ("", "")]):
            await tap.ask({"type": "preview", "texts": ["nothing"]})  # everything sent before comes before its answer
            found = await ask("GET", f"/api/tables/{table}/seen", None, key)
            got.append(("seen", found))
            if number in probed:
                seen = msgspec.json.decode(found.partition(b"\r\n\r\n")[2])
                got.extend(await probe(Eyes(server, table, key, seen, named, duplicate)))
            if who:
                number_of_ask = server.app.tables.loaded[table].asks[int(who)]
                await post(f"/api/tables/{table}/act", {"ask": number_of_ask, "texts": [text]}, keys[int(who)])
            undo = server.app.tables.loaded[table].undo_ask(int(who)) if who else None
            if undo is not None and int(who) == pair.eyes and not undone:  # once: in a silent game no more is offered
                undone = bool(await post(f"/api/tables/{table}/undo", {"ask": undo}, keys[int(who)]))
                got.append(("undone", await ask("GET", f"/api/tables/{table}/seen", None, key)))
                again = {"ask": server.app.tables.loaded[table].asks[int(who)], "texts": [text]}
                await post(f"/api/tables/{table}/act", again, keys[int(who)])
        got.append(("live", await tap.close()))
        assert [line for line in server.lines(table) if line[0] != "!"] == match.lines
        assert Dealt.drawn == Dealt.outcomes

    asyncio.run(play())
    return got


async def probe(eyes: Eyes) -> list[tuple[str, bytes]]:
    """Try every interface once."""
    found: list[tuple[str, bytes]] = []
    tag = ""
    for door, asked in DOORS.items():
        method, path = door.split(" ")
        for more, bodies in asked:
            whole = path.removesuffix("{path:path}") + more
            whole = whole.replace("{table}", eyes.table).replace("{language}", "de").replace("{rest:path}", "x")
            whole = whole.replace("{duplicate}", eyes.duplicate).replace("{deal}", f"duplicate-{eyes.duplicate}-1")
            whole = (
                whole.replace("{channel}", "nobody's")
                .replace("{game}", "silencio")
                .replace("{step}", "1")
                .replace("{number}", "1")
            )
            for body in bodies(eyes):
                answer = await exchange(eyes.server.port, method, whole, body, eyes.key)
                found.append((f"{method} {whole} {body}", answer))
                if door.endswith("/seen"):
                    tag = answer.lower().partition(b"etag: ")[2].partition(b"\r\n")[0].decode()
    known = await exchange(eyes.server.port, "GET", f"/api/tables/{eyes.table}/seen", None, eyes.key, If_None_Match=tag)
    assert known.split()[1] == b"304"
    again = await Tap(eyes.server.port, eyes.table, eyes.key).open()
    await again.ask({"type": "preview", "texts": eyes.illegal[:1] or ["nothing"]})
    return [*found, ("known", known), ("again", await again.close())]


def both(pair: Pair, again: Callable[[], None], database: Make) -> list[list[tuple[str, bytes]]]:
    """What the eyes got in each run, on a new database each."""
    found = []
    for match in pair.records:
        again()
        chosen = config(database(), metrics_key="secret", public_url=f"http://{HOST}")
        with serving(chosen) as server:
            found.append(run_through(server, pair, match))
    return found


def compare(one: list[tuple[str, bytes]], two: list[tuple[str, bytes]]) -> None:
    for (door, first), (other, second) in zip(one, two, strict=True):
        assert door == other
        assert first == second, f"{door} tells the runs apart"


@pytest.mark.parametrize("kind", ["sqlite", *BUSES] if LONG else ["sqlite"])
@pytest.mark.parametrize("eyes", [1, None])
@pytest.mark.parametrize(("game", "options"), MATCHES, ids=lambda given: str(given).replace(" ", ""))
def test_two_runs_that_differ_in_secrets_look_the_same(
    game: str, options: dict[str, Any], eyes: int | None, kind: str, alike: Callable[[], None], new_sqlite: Make,
    request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    database = new_sqlite if kind == "sqlite" else partial(shared_database, request, kind)
    for seed in range(5 if LONG and kind == "sqlite" else 1):
        pair = pair_for(game, SEATS, options, eyes, seed)
        one, two = both(pair, alike, database)
        compare(one, two)
        size = sum(len(found) for _, found in one)
        print(f"\n  {len(pair.records[0].lines)} lines, apart in {pair.apart}: {len(one)} answers, {size} bytes")


# ------------------------------------------------------------------ would it notice?
LEAKS = ["a view", "a size", "an ETag", "a header", "a frame more", "a refusal"]


@pytest.mark.parametrize("leak", LEAKS)
def test_planted_leaks_are_found(
    leak: str, new_sqlite: Make, alike: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each tells something of the whole state in one place only."""

    def secret(live: LiveTable) -> str:
        text = "" if live.match is None else "\n".join(live.match.lines)
        return hashlib.sha256(text.encode()).hexdigest()

    if leak == "a view":
        monkeypatch.setattr(LiveTable, "view", lambda self, seat: self.views.get(0))
    elif leak == "a size":
        info = LiveTable.table
        monkeypatch.setattr(LiveTable, "table", lambda self, *who: info(self, *who) + b" " * int(secret(self)[:1], 16))
    elif leak == "an ETag":
        encoded = Api._encoded_seen

        def tagged(self: Api, caller: Caller) -> tuple[bytes, str] | None:
            found = encoded(self, caller)
            return found and (found[0], f'"{secret(caller.table)[:20]}"')

        monkeypatch.setattr(Api, "_encoded_seen", tagged)
    elif leak == "a header":
        seen = Api.seen

        async def telling(self: Api, request: Any) -> Response:
            answer = await seen(self, request)
            live = self.tables.loaded[request.path_params["table"]]
            answer.headers["Server-Timing"] = secret(live)[:8]
            return answer

        monkeypatch.setattr(Api, "seen", telling)
    elif leak == "a frame more":
        publish = LiveTable.publish

        def more(self: LiveTable) -> None:
            publish(self)
            for subscriber in self.subscribers if int(secret(self)[:2], 16) % 2 else ():
                subscriber.send(b'{"type":"done","id":null}')

        monkeypatch.setattr(LiveTable, "publish", more)
    else:
        refused = errors.refused

        def saying(error: Any, id: int | None = None) -> Any:
            answer = refused(error, id)
            return msgspec.structs.replace(answer, sentence=answer.sentence + str(Dealt.drawn))

        monkeypatch.setattr(dispatch, "refused", saying)
    pair = pair_for("silencio", SEATS, {}, 1, 0)
    with pytest.raises(AssertionError, match="tells the runs apart|zip"):
        compare(*both(pair, alike, new_sqlite))
