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


def test_a_rate_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("tacit.bench.server.time.perf_counter", lambda: now)
    pacer = Pacer(rate=1000)
    waits = [pacer.wait() for _ in range(200)]
    assert [waits[0], waits[-1]] == pytest.approx([0.001, 0.2])
    now += 5.0  # nobody sent anything meanwhile: a tenth of a second is caught up, and no more
    assert sum(pacer.wait() == 0.0 for _ in range(200)) in (99, 100, 101)
