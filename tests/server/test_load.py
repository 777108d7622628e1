"""What `tacit bench server` measures is really played: decisions are stored, and idle tables stay as they are."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tacit.bench.server import Pacer, ours
from tacit.server.admin import listed, opened


def test_wire_bots_decide_and_idle_tables_do_not(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'x.db'}"
    found = ours(database, "silencio", tables=2, seconds=1.0, rate=None, idle=3)
    assert found.decisions > 0
    assert 0 < found.p50 <= found.p99 <= found.worst
    assert found.server_cpu > 0
    assert found.sockets == 7

    async def stored() -> list[int]:
        async with opened(database) as store:
            return sorted(table.steps for table in await listed(store))

    steps = asyncio.run(stored())
    assert steps[:3] == [1, 1, 1]  # begun, and nobody decided
    assert sum(steps[3:]) >= found.decisions


def test_decisions_count_from_when_they_are_due(monkeypatch: pytest.MonkeyPatch) -> None:
    now, later = 100.0, list[tuple[float, float]]()

    class Loop:
        def call_later(self, seconds: float, _: object, due: float) -> None:
            later.append((seconds, due))

    monkeypatch.setattr("tacit.bench.server.time.perf_counter", lambda: now)
    monkeypatch.setattr("tacit.bench.server.asyncio.get_running_loop", Loop)
    pacer, sent = Pacer(rate=10), list[float]()
    pacer.begin()
    pacer.pace(sent.append)
    assert later == [pytest.approx((0.1, 100.1))]
    now += 0.35  # no table was ready: three were due meanwhile, the first of them is under way
    for _ in range(3):
        pacer.pace(sent.append)
    assert sent == pytest.approx([100.2, 100.3])
    assert later[1] == pytest.approx((0.05, 100.4))
