"""Writes that the database refuses: the only writer slept for each of them, and everybody waited."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx

from tests.server.attacks.bystander import Bystander, allowed
from tests.server.attacks.conftest import ATTACK, LONG, QUIET, Until
from tests.server.harness import TRUST, Process, config

OVERFLOW = "\ufb2c" * 24  # 24 characters, which are 72 once normalised; PostgreSQL keeps 40
AT_ONCE = 29


def test_names_that_overflow_hold_up_nobody(postgres_database: str, tmp_path: Path) -> None:
    with (tmp_path / "server.log").open("wb") as log:
        server = Process(config(postgres_database, make_limit=(40, 0.5)), stderr=log)  # about as hosts have it

    async def attack(client: httpx.AsyncClient) -> None:
        wish = {"game": "toy", "seats": 2, "name": OVERFLOW}
        answers = await asyncio.gather(*(client.post("/api/tables", json=wish) for _ in range(AT_ONCE)))
        assert {answer.status_code for answer in answers} <= {400, 429}

    async def measured() -> None:
        async with (
            Bystander(server.url, ("write", "preview"), every=0.1) as bystander,
            httpx.AsyncClient(base_url=server.url, timeout=60, verify=TRUST) as client,
        ):
            with bystander.phase("quiet"):
                await asyncio.sleep(QUIET)
            with bystander.phase("attack"):
                until = Until(ATTACK)
                while until.left:
                    await attack(client)
                    await asyncio.sleep(0.0 if LONG else 0.2)
        felt = bystander.report()
        assert felt["attack"]["write"].failed == 0
        assert felt["attack"]["write"].p99 < allowed(felt["quiet"]["write"].p99)

    try:
        server.wait()
        asyncio.run(measured())
    finally:
        server.kill()
