"""Notices arrive: web push and webhooks against a local service, once, in the receiver's language, without a secret."""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
import secrets
import socket
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from tacit.core.random_play import CHANCE
from tacit.core.registry import game_named
from tacit.server import notice_writes, notices
from tacit.server.deciders import Decision
from tacit.server.errors import RequestRefused
from tacit.server.live_table import LiveTable
from tacit.server.models import notices as outbox
from tacit.server.news import of_change, of_step
from tacit.server.notice_shapes import quiet_until
from tacit.server.outbound import Letter, Outbound, is_public
from tacit.server.seating import new_person, new_row
from tests.server.harness import Api, Person, Process, Server, config, eventually, run, serving
from tests.server.mailbox import Browser, Mailbox, mailbox
from tests.server.pairs import pair_for

LOCAL = "127.0.0.0/8"


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with mailbox() as found:
        yield found


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "LOOK_EVERY", 0.02)


class Guest:
    """Somebody with a cookie, who can be reached."""

    def __init__(self, url: str) -> None:
        self.api, self.player = Api(url), secrets.token_urlsafe(18)

    @property
    def who(self) -> dict[str, str]:
        return {"tacit-player": self.player}

    def post(self, path: str, key: str | None = None, **body: Any) -> Any:
        return self.api.post(path, key, self.who, **body)

    def reach(self, kind: str, address: str, **more: Any) -> Any:
        return self.post("/api/notices/channels", kind=kind, address=address, **more)

    def settings(self) -> Any:
        return self.api.get("/api/notices", headers=self.who).json()


def table_of_two(url: str, game: str = "silencio", **more: Any) -> tuple[str, Guest, str, Guest, str]:
    """A table that gathers, with two people: its name, and each person with their key."""
    ada, ben = Guest(url), Guest(url)
    made = ada.post("/api/tables", game=game, seats=2, name="Ada", **more).json()
    joined = ben.post(f"/api/tables/{made['table']}/join", name="Ben").json()
    return made["table"], ada, made["key"], ben, joined["key"]


# ------------------------------------------------------------------ what arrives
def test_a_match_is_told_by_every_kind_of_channel(sqlite_database: str, box: Mailbox) -> None:
    """Somebody sits down, the match begins, one has looked: each notice once, in the receiver's words."""
    public = "https://cards.example"
    with serving(config(sqlite_database, reach_allow=LOCAL, public_url=public)) as server:
        ada, browser = Guest(server.url), Browser()
        table = ada.post("/api/tables", game="silencio", seats=2, name="Ada").json()["table"]
        for kind in ("discord", "slack", "matrix", "json"):
            assert ada.reach(kind, f"{box.url}/{kind}", language="de").status_code == 201
        room = f"{box.url}/_matrix/client/v3/rooms/r/send/m.room.message"
        assert ada.reach("matrix", room, keys={"token": "matrix-token"}).status_code == 201
        added = ada.reach("push", f"{box.url}/push", keys=browser.keys)
        assert added.status_code == 201
        assert len(box.got) == 6  # a test message each
        assert browser.read(box.got[-1].body)["body"] == "Hier hörst du von deinen Tischen."
        box.got.clear()
        eve = Guest(server.url)
        assert eve.post(f"/api/tables/{table}/join", name="<!channel> *Eve*").status_code == 201
        eventually(lambda: len(box.got) == 6)
        got = {one.path.partition("?")[0].split("/")[1]: one for one in box.got}
        link = f"{public}/t/{table}"
        sat = "<!channel> *Eve* hat sich an deinen Tisch gesetzt."
        assert got["json"].json == {"kind": "sat", "game": "silencio", "table": table, "text": sat, "link": link}
        assert got["slack"].json == {"text": f"Silencio: {sat} {link}".replace("<", "&lt;").replace(">", "&gt;")}
        assert got["discord"].json["allowed_mentions"] == {"parse": []}
        assert "\\*Eve\\*" in got["discord"].json["content"]
        assert got["matrix"].json == {"text": f"Silencio: {sat} {link}"}
        assert (got["_matrix"].method, got["_matrix"].headers["authorization"]) == ("PUT", "Bearer matrix-token")
        pushed = got["push"]
        assert browser.read(pushed.body) == {
            "title": "Silencio", "body": sat, "url": f"/t/{table}", "tag": pushed.headers["topic"],
        }  # fmt: skip
        assert pushed.headers["authorization"].startswith("vapid t=")
        assert "Eve" not in str(pushed.headers), "only the browser can read it"
        hidden = ada.api.get("/api/notices", headers=ada.who).text
        assert "matrix-token" not in hidden
        assert browser.keys["p256dh"] not in hidden


def test_one_notice_a_table_until_one_has_looked(sqlite_database: str, box: Mailbox) -> None:
    with serving(config(sqlite_database, reach_allow=LOCAL)) as server:
        table, ada, key, ben, ben_key = table_of_two(server.url)
        assert ben.reach("json", box.url).status_code == 201
        ada.api.start(table, key)
        eventually(lambda: len(box.texts()) == 1)
        assert box.texts() == ["It is your turn."]

        async def look() -> None:
            person = await Person(server.url, table, ben_key, choose=None).connect()
            await person.until(lambda: person.seen)

        # Ben answers nothing; Ada's decisions change Ben's question, but he was told already.
        seen = ada.api.get(f"/api/tables/{table}/seen", key).json()
        acted = ada.post(f"/api/tables/{table}/act", key, ask=seen["ask"], texts=seen["legal"][:1])
        assert acted.status_code == 200, acted.text
        run(look())
        eventually(lambda: not rows(server))  # he has looked: what was sent is forgotten
        assert len(box.texts()) == 1


def rows(server: Server) -> list[Any]:
    """What is in the outbox."""

    async def read() -> list[Any]:
        engine = create_async_engine(server.app.store.url)
        async with engine.connect() as connection:
            found = list((await connection.execute(sa.select(outbox))).all())
        await engine.dispose()
        return found

    return asyncio.run(read())


def test_tables_can_be_chosen_and_hours_are_quiet(sqlite_database: str, box: Mailbox) -> None:
    with serving(config(sqlite_database, reach_allow=LOCAL)) as server:
        table, ada, key, ben, ben_key = table_of_two(server.url)
        assert ben.reach("json", box.url).status_code == 201
        assert ben.post("/api/notices", everywhere=False, language="nl").status_code == 200
        other, _, other_key, _, _ = table_of_two(server.url)
        chosen = ben.post(f"/api/tables/{table}/notices", ben_key, wanted=True).json()
        assert chosen["tables"] == {table: True}
        assert chosen["reach"] == {"everywhere": False, "language": "nl", "quiet": None}
        ada.api.start(other, other_key)
        ada.api.start(table, key)
        eventually(lambda: box.texts() == ["Je bent aan de beurt."])
        refused = ben.post("/api/notices", quiet={"start": 0, "to": 60, "zone": "Mars/Olympus"})
        assert refused.json()["reason"]["code"] == "server.notices.zone"
        always = ben.post("/api/notices", quiet={"start": 1, "to": 0, "zone": "Europe/Berlin"})
        assert always.json()["reach"]["quiet"]["zone"] == "Europe/Berlin"


def test_quiet_hours_end_where_the_receiver_is() -> None:
    zone = "America/New_York"
    night = datetime.datetime(2026, 11, 16, 23, 30, tzinfo=ZoneInfo(zone)).timestamp()
    end = quiet_until(night, 22 * 60, 7 * 60 + 30, zone)
    assert end is not None
    assert datetime.datetime.fromtimestamp(end, ZoneInfo(zone)).isoformat() == "2026-11-17T07:30:00-05:00"
    assert quiet_until(end, 22 * 60, 7 * 60 + 30, zone) is None
    assert quiet_until(night, None, None, zone) is None


def test_people_invite_those_they_played_with(sqlite_database: str, box: Mailbox) -> None:
    with serving(config(sqlite_database, reach_allow=LOCAL)) as server:
        table, ada, key, ben, _ = table_of_two(server.url)
        ada.post(f"/api/tables/{table}/start", key)
        assert ben.reach("json", box.url).status_code == 201
        box.got.clear()
        [known] = ada.api.get("/api/you", headers=ada.who).json()["people"]
        new = ada.post("/api/tables", game="silencio", seats=2, name="Ada").json()
        for _ in range(2):  # it is told once
            yes = ada.post("/api/you/invite", new["key"], person=known["person"], table=new["table"])
            assert yes.status_code == 200, yes.text
        eventually(lambda: box.texts()[-1:] == ["Ada invites you to a table."])
        assert [got.json["table"] for got in box.got].count(new["table"]) == 1
        kept = ben.api.get("/api/you/export", headers=ben.who).json()["notices"]
        assert [one["address"] for one in kept if "address" in one] == [box.url]
        ben.post("/api/you/delete", sure=True)
        assert ben.settings()["channels"] == []


# ------------------------------------------------------------------ what does not arrive
def test_what_fails_is_tried_again_and_what_is_gone_is_removed(
    sqlite_database: str, box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "RETRY_AFTER", 0.01)
    with serving(config(sqlite_database, reach_allow=LOCAL)) as server:
        table, ada, key, ben, _ = table_of_two(server.url)
        box.status = lambda path: 404
        refused = ben.reach("json", box.url)
        assert refused.json()["reason"]["code"] == "server.notices.unsent"
        assert ben.settings()["channels"] == []
        box.status = lambda path: 201
        assert ben.reach("json", f"{box.url}/hook").status_code == 201
        assert ben.reach("push", f"{box.url}/push", keys=Browser().keys).status_code == 201
        box.got.clear()
        # The hook fails twice, then takes it; push says that the subscription has ended.
        by_path = {"/hook": [503, 500, 204], "/push": [410]}
        box.status = lambda path: by_path[path].pop(0)
        ada.api.start(table, key)
        eventually(lambda: [one.path for one in box.got].count("/hook") == 3)
        eventually(lambda: [one["kind"] for one in ben.settings()["channels"]] == ["json"])


ADDRESSES = {
    "10.1.2.3": False, "127.0.0.1": False, "169.254.169.254": False, "100.64.0.1": False, "0.0.0.0": False,
    "224.0.0.1": False, "192.168.1.1": False, "::1": False, "fe80::1": False, "fd00::1": False, "ff02::1": False,
    "::ffff:10.0.0.1": False, "::ffff:8.8.8.8": True, "64:ff9b::a00:1": False, "64:ff9b::808:808": True,
    "2002:a00:1::1": False, "2001:0:a00::1": False, "240.0.0.1": False, "255.255.255.255": False, "8.8.8.8": True,
    "2606:4700::1111": True,
}  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES)
def test_only_public_addresses_are_sent_to(address: str) -> None:
    assert is_public(ipaddress.ip_address(address)) is ADDRESSES[address]


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://hooks.example/x", "notices.address"),
        ("https://hooks.example:22/x", "notices.address"),
        ("https://me:secret@hooks.example/x", "notices.address"),
        ("file:///etc/passwd", "notices.address"),
        ("https://[::1/x", "notices.address"),
        ("https://127.0.0.1/x", "notices.private"),
        ("https://[::ffff:10.0.0.1]/x", "notices.private"),
        ("https://rebinds.example/x", "notices.private"),
    ],
)
def test_targets_of_the_hosts_own_network_are_refused(url: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also a name of which one address is public and another is not."""
    both = [(2, 1, 6, "", ("8.8.8.8", 443)), (2, 1, 6, "", ("169.254.169.254", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: both)
    with pytest.raises(RequestRefused) as refused:
        asyncio.run(Outbound().send(Letter(url, b"{}")))
    assert refused.value.message.code == f"server.{code}"


def test_redirects_are_not_followed(sqlite_database: str, box: Mailbox) -> None:
    with serving(config(sqlite_database, reach_allow=LOCAL)) as server:
        box.status, box.location = lambda path: 307, f"{box.url}/elsewhere"
        refused = Guest(server.url).reach("json", f"{box.url}/here")
        assert refused.json()["reason"]["params"]["answer"] == 307
        assert [one.path for one in box.got] == ["/here"]


def test_test_messages_are_limited(sqlite_database: str, box: Mailbox) -> None:
    with serving(config(sqlite_database, reach_allow=LOCAL, reach_limit=(2, 0.0001))) as server:
        ada = Guest(server.url)
        added = ada.reach("json", box.url).json()
        path = f"/api/notices/channels/{added['added']}"
        assert ada.post(f"{path}/test").status_code == 200
        assert ada.post(f"{path}/test").status_code == 429
        assert Guest(server.url).post(f"{path}/remove").status_code == 404  # it is not theirs
        assert ada.post(f"{path}/remove").json()["channels"] == []


# ------------------------------------------------------------------ two processes, kills
def test_nothing_is_lost_by_a_kill_and_sent_once_by_two_processes(
    database: str, box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = config(database, reach_allow=LOCAL)
    with serving(chosen) as server:
        table, ada, key, ben, _ = table_of_two(server.url)
        assert ben.reach("json", box.url).status_code == 201
        monkeypatch.setattr(notice_writes, "CLAIM_FOR", 0.0)
        monkeypatch.setattr(server.app.tables.notices.outbound, "send", never)
        ada.api.start(table, key)
        eventually(lambda: rows(server))
    box.got.clear()
    first = Process(chosen).wait()
    second = Process(chosen).wait() if database.startswith("postgres") else None
    try:
        eventually(lambda: box.texts())
        eventually(lambda: all(row.sent for row in rows(server)))
        assert box.texts() == ["It is your turn."]
    finally:
        for process in (first, second):
            if process is not None:
                process.kill()


async def never(_: Letter) -> int:
    """As if the server were killed while it sends: it neither arrives nor fails."""
    await asyncio.sleep(3600)
    return 201


# ------------------------------------------------------------------ what notices tell
@pytest.mark.parametrize("game", ["silencio", "silver-and-gold", "zombie-city", "silent-planet"])
def test_notices_of_two_matches_that_differ_in_secrets_are_the_same(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which notices a seat gets, and after which decision: the same where what it sees is the same."""
    pair = pair_for(game, 3, {}, 1, 0)
    told = []
    for match in pair.records:
        outcomes = iter([action for who, action in match.steps if who == CHANCE])
        dealt = SimpleNamespace(draw=lambda weights, pool, outcomes=outcomes: next(outcomes))
        monkeypatch.setattr(LiveTable, "chance", lambda table, match, row=None, dealt=dealt: dealt)
        monkeypatch.setattr("time.time", lambda: 1_790_000_000.0)
        seats = [new_person(f"Guest {q}", f"the key of {q}", f"player {q}", "person") for q in range(3)]
        row = new_row(
            game_named(game), match.options, seats, visibility="private", spectators="none", clock=7200, maker_hash=""
        )
        row.id, row.phase = "table", "playing"
        table = LiveTable(row, config("sqlite:///unused"))
        first = table.first(row)
        news = [of_change(table, row, first, None)]
        table.commit(first)
        for line in (one for one in match.lines if not one.startswith("*")):
            who, _, text = line.partition(" ")
            decision = Decision(int(who), table.asks[int(who)], [text], table.decider(int(who)))
            attempt = table.attempt(decision)
            news.append(of_step(table, attempt))
            table.commit(attempt)
        told.append([[one for one in some if one.seat == 1] for some in news])
    assert told[0] == told[1]
    assert any(told[0]), "there was something to tell"
