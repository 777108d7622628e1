"""A restart over many matches that somebody began and left: each was loaded, whether or not anybody was due."""

from __future__ import annotations

import asyncio
import random
import re
import time
from pathlib import Path

import httpx

from tacit.core.match import Match
from tacit.server.bus import LocalBus
from tacit.server.database import database_url
from tacit.server.keys import new_table_name
from tacit.server.models import SeatRow, Step, TableRow
from tacit.server.store import Store
from tests.server.attacks.bystander import Bystander
from tests.server.attacks.conftest import ATTACK, LONG, Attacked
from tests.server.harness import TRUST, Api, eventually

ABANDONED = 1500 if LONG else 150
WAITING = 5  # in which a bot is due
PERSON, BOT = 0, 1


def begun(due: int) -> tuple[TableRow, list[Step]]:
    """A match of a person and a bot, some decisions old, in which one of them is due."""
    match = Match("silencio", 2, seed=7)
    name = new_table_name()
    chairs = [SeatRow("person", "Ada", key_hash="0" * 64), SeatRow("bot", bot="random")]
    row = TableRow(
        id=name, game="silencio", rules_version=match.game.rules_version, options=match.options, visibility="private",
        spectators="none", clock=None, phase="playing", maker_hash="0" * 64, made=time.time(), seats=chairs,
    )  # fmt: skip
    steps: list[Step] = []
    told = 0
    rng = random.Random(1)
    while len(steps) < 12 or match.due != {due}:
        lines, told = match.lines[told:], len(match.lines)
        bits = sum(1 << seat for seat in match.due)
        steps.append(Step(name, len(steps) + 1, lines, [len(steps) + 1] * 2, at=time.time() - 3600, due=bits))
        seat = min(match.due)
        match.play(seat, rng.choice(match.legal(seat)))
    lines = match.lines[told:]
    steps.append(Step(name, len(steps) + 1, lines, [len(steps) + 1] * 2, at=time.time() - 3600, due=1 << due))
    return row, steps


async def filled(database: str) -> list[str]:
    """Many abandoned matches, and some in which a bot is due: their names."""
    store = Store(database_url(database), LocalBus())
    await store.open()
    try:
        for _ in range(ABANDONED):
            row, steps = begun(PERSON)
            await store.create(row)
            await asyncio.gather(*map(store.append, steps))
        waiting = [begun(BOT) for _ in range(WAITING)]
        for row, steps in waiting:
            await store.create(row)
            await asyncio.gather(*map(store.append, steps))
    finally:
        await store.close()
    return [row.id for row, _ in waiting]


async def steps_of(database: str, names: list[str]) -> list[int]:
    store = Store(database_url(database), LocalBus())
    try:
        return [len((await store.load(name, 0))[1]) for name in names]
    finally:
        await store.engine.dispose()


def in_memory(url: str) -> int:
    found = re.search(r'^tacit_tables{phase="playing"} (\S+)$', Api(url).get("/metrics").text, re.MULTILINE)
    return int(float(found[1])) if found else 0


def test_a_restart_loads_only_what_waits_for_a_bot(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tacit.db'}"
    names = asyncio.run(filled(database))
    before = asyncio.run(steps_of(database, names))
    began = time.monotonic()
    server = Attacked(tmp_path)
    try:
        server.wait()
        ready, computed = time.monotonic() - began, server.processor_time()
        eventually(lambda: all(n > b for n, b in zip(asyncio.run(steps_of(database, names)), before, strict=True)))

        async def measured() -> None:
            async with Bystander(server.url, ("write", "request")) as bystander:
                with bystander.phase("after"):
                    await asyncio.sleep(ATTACK)
            felt = bystander.report()["after"]
            assert all(felt[probe].count and not felt[probe].failed for probe in felt)

        asyncio.run(measured())
        held = in_memory(server.url)
        print(
            f"  {ABANDONED} abandoned: ready after {ready:.1f} s, {computed:.1f} s computed, {held} in memory,", end=""
        )
        print(f" {server.memory() / 1e6:.0f} MB")
        assert held <= WAITING + 1  # and the bystander's
        assert httpx.get(server.url + "/healthz", verify=TRUST).status_code == 200
        assert "fault" not in server.logged()
    finally:
        server.kill()
