"""The lobby: many who ask for it at once, and one address that fills it."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import httpx

from tests.server.attacks.bystander import Bystander, allowed
from tests.server.attacks.conftest import ATTACK, QUIET, Start, Until
from tests.server.harness import TRUST, Api, Person, eventually, run

OPEN: dict[str, Any] = {"game": "toy", "seats": 2, "visibility": "open"}
AWAY = "127.0.0.2"  # another address of this machine


def from_address(url: str, address: str) -> httpx.Client:
    transport = httpx.HTTPTransport(local_address=address, verify=TRUST)
    return httpx.Client(base_url=url, transport=transport, timeout=60)


def lobby(url: str) -> list[str]:
    return [table["table"] for table in Api(url).get("/api/lobby").json()["tables"]]


def test_asking_for_a_full_lobby_holds_up_nobody(attacked: Start) -> None:
    server = attacked(lobby_age=2.0)  # as hosts have it
    api = Api(server.url)
    for i in range(100):
        assert api.post("/api/tables", **OPEN, name=f"Ada {i}").status_code == 201

    async def measured() -> None:
        took: list[float] = []

        async def ask(client: httpx.AsyncClient, until: Until) -> None:
            while until.left:
                began = time.monotonic()
                assert len((await client.get("/api/lobby")).content) > 10_000
                took.append(time.monotonic() - began)
                await asyncio.sleep(0.005)

        async with (
            Bystander(server.url, ("write", "preview")) as bystander,
            httpx.AsyncClient(base_url=server.url, timeout=60, verify=TRUST) as client,
        ):
            with bystander.phase("quiet"):
                await asyncio.sleep(QUIET)
            before = server.processor_time()
            with bystander.phase("attack"):
                until = Until(ATTACK)
                await asyncio.gather(*(ask(client, until) for _ in range(4)))
            computed = server.processor_time() - before
        felt = bystander.report()
        print(f"  {len(took)} answers, p50 {sorted(took)[len(took) // 2] * 1e3:.1f} ms; computed for {computed:.1f} s")
        assert felt["attack"]["write"].failed == 0
        assert felt["attack"]["write"].p99 < allowed(felt["quiet"]["write"].p99)

    asyncio.run(measured())


def test_one_address_has_a_share_of_the_lobby_and_no_more(attacked: Start) -> None:
    server = attacked(lobby_share=4)
    with from_address(server.url, AWAY) as mallory:
        made = [mallory.post("/api/tables", json=OPEN | {"name": f"Mallory {i}"}) for i in range(12)]
        assert [answer.status_code for answer in made] == [201] * 4 + [429] * 8
        assert made[-1].json()["reason"]["code"] == "server.lobby.share"
        private = mallory.post("/api/tables", json=OPEN | {"visibility": "private", "name": "Mallory"})
        assert private.status_code == 201  # it is not in the lobby
        others = Api(server.url).post("/api/tables", **OPEN, name="Ada")
        assert others.status_code == 201
        assert len(lobby(server.url)) == 5
        first = made[0].json()
        begun = mallory.post(
            f"/api/tables/{first['table']}/start", json={"fill": "random"},
            headers={"Authorization": f"Bearer {first['key']}"},
        )  # fmt: skip
        assert begun.status_code == 200, begun.text
        assert mallory.post("/api/tables", json=OPEN | {"name": "Mallory"}).status_code == 201  # one waits no more


def test_tables_that_nobody_attends_leave_the_lobby_and_come_back_with_somebody(attacked: Start) -> None:
    server = attacked(lobby_unattended=1.5, lobby_share=4)
    api = Api(server.url)

    async def play() -> None:
        attended, key = api.make("toy", 2, people=1, visibility="open", bot="random")
        ada = await Person(server.url, attended, key[0], choose=None).connect()
        await ada.until(lambda: ada.phase == "gathering")
        left = [api.post("/api/tables", **OPEN, name=f"Mallory {i}").json() for i in range(3)]
        names = [table["table"] for table in left]
        assert set(lobby(server.url)) == {attended, *names}
        await asyncio.to_thread(eventually, lambda: lobby(server.url) == [attended])
        assert api.post("/api/tables", **OPEN, name="Mallory").status_code == 201  # they take from no share either
        back = await Person(server.url, names[0], left[0]["key"], choose=None).connect()
        await asyncio.to_thread(eventually, lambda: names[0] in lobby(server.url))
        await back.close()
        await ada.close()

    run(play())
