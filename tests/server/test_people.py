"""Who is recognised: devices of one person, kept names, whom one avoids, shutting out, ratings, export and deletion."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from tacit.server import admin_commands
from tacit.server.deal_rows import AttemptRow
from tacit.server.duplicates import deal_rows
from tacit.server.keys import hash_of
from tacit.server.models import Ended, passkeys, people
from tacit.server.passkeys import site_of
from tacit.server.ratings import end_match
from tests.server.harness import TRUST, Api, Person, Server, config, eventually, run, serving

ADA, ADAS_PHONE, BEN, CLEO = (f"device-of-{name}-0123456789" for name in ("ada", "phone", "ben", "cleo"))


class Client:
    """Somebody with a device, who is known by its key."""

    def __init__(self, url: str, device: str) -> None:
        self.url, self.device = url, device

    def post(self, path: str, /, key: str | None = None, **body: Any) -> httpx.Response:
        head = {"Tacit-Player": self.device} | ({"Authorization": f"Bearer {key}"} if key else {})
        return httpx.post(f"{self.url}/api/{path}", json=body, headers=head, timeout=60, verify=TRUST)

    def get(self, path: str) -> httpx.Response:
        return httpx.get(f"{self.url}/api/{path}", headers={"Tacit-Player": self.device}, timeout=60, verify=TRUST)

    def you(self) -> dict[str, Any]:
        found: dict[str, Any] = self.get("you").json()
        return found

    def make(self, name: str, game: str = "toy", **more: Any) -> tuple[str, str]:
        made = self.post("tables", game=game, seats=2, name=name, kind="person", **more)
        assert made.status_code == 201, made.text
        return made.json()["table"], made.json()["key"]

    def join(self, table: str, name: str) -> httpx.Response:
        return self.post(f"tables/{table}/join", name=name, kind="person")

    def known(self, name: str) -> str:
        """How somebody is called towards this person."""
        return str(next(one["person"] for one in self.you()["people"] if one["name"] == name))


def code(answer: httpx.Response) -> str:
    return str(answer.json()["reason"]["code"])


def play(url: str, table: str, keys: list[str]) -> None:
    """The first decision on the list, for each seat that is asked, until the match is over."""
    with httpx.Client(base_url=f"{url}/api/tables/{table}", timeout=60, verify=TRUST) as http:
        heads = [{"Authorization": f"Bearer {key}"} for key in keys]
        assert http.post("/start", json={}, headers=heads[0]).status_code == 200
        while http.get(f"{url}/api/tables/{table}").json()["phase"] != "over":
            for head in heads:
                seen = http.get("/seen", headers=head).json()
                if seen["ask"] is not None:
                    http.post("/act", json={"ask": seen["ask"], "texts": seen["legal"][:1]}, headers=head)


def passkey(server: Server, person: Client, *others: Client) -> None:
    """As after the ceremony, which tests/web/test_you.py does in a browser: a passkey, and more devices by it."""
    first = hash_of(person.device)
    row = {
        "id": f"key-{first}", "person": first, "public_key": "", "sign_count": 0, "host": "localhost", "label": "x",
        "made": 0.0,
    }  # fmt: skip

    async def ceremony() -> None:
        service = server.app.tables

        def job(connection: sa.Connection) -> bool:
            connection.execute(sa.insert(passkeys).values(row))
            connection.execute(sa.insert(people).values(id=first, made=0.0))
            return True

        await service.store.submit(job)
        for device in (person, *others):
            await service.reload(await service.people.join(hash_of(device.device), first, "Firefox, Linux"))

    inside(server, ceremony())


def inside(server: Server, work: Coroutine[Any, Any, None]) -> None:
    """Run something in the server's event loop."""
    asyncio.run_coroutine_threadsafe(work, server.uvicorn.servers[0].get_loop()).result(60)


def test_a_match_is_recognised_rated_exported_and_forgotten(database: str) -> None:
    """On both databases, through a restart; a second device joins; everybody sees their own alone."""
    with serving(config(database)) as server:
        ada, ben, phone = (Client(server.url, device) for device in (ADA, BEN, ADAS_PHONE))
        table, key = ada.make("Ada")
        play(server.url, table, [key, ben.join(table, "Ben").json()["key"]])
        table, _ = phone.make("Ada on the phone")  # as a guest: it becomes hers
        passkey(server, ada, phone)
        assert ada.get(f"tables/{table}/seen").json()["reason"]["code"] == "server.phase.not-started"  # her seat
    with serving(config(database)) as server:
        ada, ben, phone = (Client(server.url, device) for device in (ADA, BEN, ADAS_PHONE))
        mine, again = ada.you(), phone.you()
        assert mine["recognised"]
        assert len(mine["devices"]) == 2
        assert {k: v for k, v in mine.items() if k != "devices"} == {k: v for k, v in again.items() if k != "devices"}
        assert not ben.you()["recognised"]
        skill = {one["game"]: one for one in mine["ratings"]}["toy"]
        other = ben.you()["ratings"][0]
        assert skill["matches"] == 1
        assert skill["provisional"]
        assert skill["margin"] > 0
        assert (skill["value"] - 1500) + (other["value"] - 1500) == pytest.approx(0, abs=2)
        record = mine["records"][0]
        assert (record["played"], record["finished"]) == (1, 1)
        assert record["won"] + ben.you()["records"][0]["won"] >= 1
        finished = ada.get("you/matches").json()["matches"]
        assert [seat["by"] for seat in finished[0]["seats"]] == ["person", "person"]
        assert phone.get(f"tables/{finished[0]['table']}/record").status_code == 200  # her seat, on any of her devices

        whole = json.loads(ada.get("you/export").content)
        assert [one["id"] for one in whole["matches"]] == [finished[0]["table"]]
        assert "key_hash" not in json.dumps(whole)
        assert json.loads(Client(server.url, CLEO).get("you/export").content)["matches"] == []

        assert ada.post("you/delete").status_code == 400
        assert ada.post("you/delete", sure=True).status_code == 200
        for device in (ada, phone):
            assert device.you()["matches"] == 0
            assert not device.you()["recognised"]
        stays = ben.get("you/matches").json()["matches"][0]
        assert sorted(str(seat["name"]) for seat in stays["seats"]) == ["Ben", "None"]
        assert "Ada" not in ben.get(f"tables/{stays['table']}/record").text


def test_a_name_is_kept_by_its_passkey(server: Server) -> None:
    ada, ben = Client(server.url, ADA), Client(server.url, BEN)
    assert code(ada.post("you/name", name="Ada")) == "server.passkey.first"
    passkey(server, ada)
    assert ada.post("you/name", name="Ada").status_code == 200
    assert ada.you()["name"] == "Ada"
    for alike in ("Ada", "ADA", "Аda"):  # the last begins with a Cyrillic letter
        refused = ben.post("tables", game="silencio", seats=2, name=alike)
        assert refused.status_code in (400, 409)
    assert code(ben.post("tables", game="silencio", seats=2, name="ADA")) == "server.name.kept"
    table, _ = ben.make("Ben")
    assert code(Client(server.url, CLEO).join(table, "Ada")) == "server.name.kept"
    assert ada.join(table, "Ada").status_code == 201
    passkey_of = ada.you()["passkeys"][0]["passkey"]
    assert code(ben.post("you/passkey/remove", passkey=passkey_of)) == "server.passkey.none"
    assert ada.post("you/passkey/remove", passkey=passkey_of).status_code == 200
    assert ada.you()["name"] is None
    ben.make("Ada")  # free again
    device = ada.you()["devices"][0]["device"]
    assert code(ben.post("you/device/remove", device=device)) == "server.device.none"
    assert ada.post("you/device/remove", device=device).status_code == 200
    assert not ada.you()["recognised"]


async def said(url: str, table: str, key: str) -> list[str]:
    """What a person reads of the chat, up to the last line."""
    person = await Person(url, table, key).connect()
    await person.until(lambda: person.last("said").get("text") == "Hello all")
    return [frame["text"] for frame in person.frames if frame["type"] == "said"]


def test_who_avoids_somebody_never_sits_with_them_and_nobody_is_told(server: Server) -> None:
    ada, ben, cleo = (Client(server.url, device) for device in (ADA, BEN, CLEO))
    first, adas = ada.make("Ada")
    bens = ben.join(first, "Ben").json()["key"]
    before = ben.get("you").content
    assert ada.post("you/avoid", person=ada.known("Ben"), avoid=True).status_code == 200
    assert ben.get("you").content == before  # nothing tells of it
    assert ben.post(f"tables/{first}/chat", key=bens, text="Hello Ada").status_code == 200
    assert ada.post(f"tables/{first}/chat", key=adas, text="Hello all").status_code == 200
    assert run(said(server.url, first, adas)) == ["Hello all"]
    assert run(said(server.url, first, bens)) == ["Hello Ada", "Hello all"]
    table, _ = ada.make("Ada", visibility="open")
    listed = {name: [one["table"] for one in client.get("lobby").json()["tables"]] for name, client in
              (("ada", ada), ("ben", ben), ("cleo", cleo))}  # fmt: skip
    assert table in listed["ada"]
    assert table in listed["cleo"]
    assert table not in listed["ben"]
    refused = ben.join(table, "Ben")
    assert code(refused) == "server.seat.not-now"
    own, key = ben.make("Ben")
    assert code(ada.join(own, "Ada")) == "server.seat.avoided"  # she knows her own list
    # An invitation is answered alike and stands nowhere; somebody else's list cannot be asked for.
    ben.post("you/invite", key=key, person=ben.known("Ada"), table=own)
    assert ben.post("you/invite", key=key, person=ben.known("Ada"), table=own).json()["type"] == "done"
    assert ada.get("you/invitations").json()["invitations"] == []
    assert code(cleo.post("you/avoid", person=ada.known("Ben"), avoid=True)) == "server.person.unknown"
    assert cleo.join(table, "Cleo").status_code == 201

    assert ada.post("you/avoid", person=ada.known("Ben"), avoid=False).status_code == 200
    assert ben.post("you/invite", key=key, person=ben.known("Ada"), table=own).status_code == 200
    (invitation,) = ada.get("you/invitations").json()["invitations"]
    assert (invitation["table"], invitation["name"]) == (own, "Ben")
    assert cleo.get("you/invitations").json()["invitations"] == []
    assert code(cleo.post("you/invite", person=ada.known("Ben"), table=own)) == "server.key.none"
    assert ada.post("you/dismiss", table=own).status_code == 200
    assert ada.get("you/invitations").json()["invitations"] == []


def test_a_host_shuts_somebody_out(database: str) -> None:
    """Until a date, for a reason that they read; with two processes on PostgreSQL."""
    with serving(config(database)) as server:
        ben = Client(server.url, BEN)
        table, key = ben.make("Ben")

        def admin(*words: str) -> str:
            done = CliRunner().invoke(admin_commands.admin, [*words, "--database", database])
            assert done.exit_code == 0, done.output
            return done.output

        said = admin("shut-out", table, "0", "--days", "3", "--reason", "You called somebody names.")
        mark = said.split()[0]
        assert "You called somebody names." in admin("shut-outs")
        if database.startswith("sqlite"):  # its mark is seen with the next heartbeat
            inside(server, server.app.tables.people.load())
        eventually(lambda: ben.you()["shut_out"] is not None)
        refused = ben.post("tables", game="silencio", seats=2, name="Ben")
        assert code(refused) == "server.shut-out"
        assert "You called somebody names." in refused.json()["sentence"]
        assert code(ben.post(f"tables/{table}/start", key=key, fill="random")) == "server.shut-out"
        assert Client(server.url, CLEO).join(table, "Cleo").status_code == 201
        assert ben.get("you/export").status_code == 200  # what is theirs stays theirs
        if database.startswith("postgresql"):  # a second process knows all of it, too
            passkey(server, Client(server.url, CLEO))
            with serving(config(database)) as second:
                ben2, cleo2 = Client(second.url, BEN), Client(second.url, CLEO)
                assert code(ben2.post("tables", game="silencio", seats=2, name="Ben")) == "server.shut-out"
                assert cleo2.you()["recognised"]
                assert Client(server.url, CLEO).post("you/name", name="Cleo").status_code == 200
                ada2 = Client(second.url, ADA)
                eventually(lambda: ada2.post("tables", game="toy", seats=2, name="CLEO").status_code == 409)
        admin("let-in", mark)
        if database.startswith("sqlite"):
            inside(server, server.app.tables.people.load())
        eventually(lambda: ben.you()["shut_out"] is None)
        ben.make("Ben")


def test_a_bot_that_finished_for_ben_is_not_rated(server: Server) -> None:
    ada, ben = Client(server.url, ADA), Client(server.url, BEN)
    table, key = ada.make("Ada")
    ben.join(table, "Ben")
    api = Api(server.url)
    api.start(table, key)

    async def end() -> None:
        ended = Ended(9, [3, 9], {"winners": [1]}, ["steady"], ["person", "bot"])

        def job(connection: sa.Connection) -> bool:
            end_match(connection, table, ended)
            return True

        await server.app.store.submit(job)

    inside(server, end())
    for person in (ada, ben):
        assert person.you()["ratings"] == []
    assert ben.you()["records"][0]["won"] == 0
    assert ben.you()["records"][0]["best"] is None

    attempt = AttemptRow(
        table_id=table, deal="", team=0, names=["Ada", "Ben"], people=2, started=0.0, counted=True, scores=[3, 9],
        score=3, by=["person", "bot"], sat_in=["steady"],
    )  # fmt: skip
    standing = deal_rows([attempt], cooperative=False)
    assert [(row.names, row.place) for row in standing] == [(["Ada"], 1), (["Ben"], None)]


def test_a_cooperative_match_is_compared_with_the_bot_on_the_same_cards(server: Server) -> None:
    """Once somebody looks, in a process of its own; kept from then on."""
    ada = Client(server.url, ADA)
    chairs = [{"kind": "open"}, {"kind": "bot", "bot": "random"}]
    table, key = ada.make("Ada", game="silencio", chairs=chairs)
    play(server.url, table, [key])
    assert ada.you()["measuring"] in (0, 1)
    eventually(lambda: ada.you()["measuring"] == 0)
    (rating,) = ada.you()["ratings"]
    (match,) = ada.get("you/matches").json()["matches"]
    assert (rating["kind"], rating["measure"], rating["matches"]) == ("deal", "steady", 1)
    assert rating["value"] == match["score"] - match["baseline"]
    assert rating["margin"] is None  # one match says nothing about how sure it is
    assert rating["provisional"]


def test_the_site_of_a_passkey() -> None:
    assert site_of("https://cards.example:8443/x") == ("cards.example", "https://cards.example:8443")
    assert site_of("http://localhost:8000").host == "localhost"
    for address in ("http://127.0.0.1:8000", "http://[::1]/", "nonsense"):
        with pytest.raises(Exception, match="named site"):
            site_of(address)
