"""What `tacit bench server` measures is really played: decisions are stored, and idle tables stay as they are."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from benchmarks import decision_budget

from tacit.bench import server_peers
from tacit.bench.server import Figures, Pacer, ours
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
    assert steps[0] == 0  # nobody sits there: made so that the server compiles the views
    assert steps[1:4] == [1, 1, 1]  # begun, and nobody decided
    assert sum(steps[4:]) >= found.decisions


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


def test_the_count_begins_once_all_tables_play() -> None:
    pacer = Pacer(rate=None)
    quick = [pacer.new_match(first=True), pacer.new_match(first=False)]
    pacer.playing.update(quick)
    assert not pacer.all_play(2)  # two matches, of one table
    pacer.playing.add(pacer.new_match(first=True))
    assert pacer.all_play(2)
    assert pacer.made == 0
    pacer.begin()
    pacer.new_match(first=False)
    assert pacer.made == 1


def test_everything_is_compared_in_one_run_and_what_is_missing_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measured(what: str, tables: int, rate: float | None) -> Figures:
        return Figures(what, tables, 0, 1.0, 900, 900.0, 1.0, 2.0, 3.0, 0.5, 0.1, 0.1, asked=rate, made=20.0)

    def peer(tables: int, seconds: float, rate: float | None) -> Figures:
        if tables == server_peers.MANY_TABLES:
            raise ConnectionResetError("too many")
        return measured("boardgame.io, in memory", tables, rate)

    def ours(_: object, game: str, tables: int, seconds: float, rate: float | None, *more: object) -> Figures:
        return measured(f"tacit, SQLite, {game}", tables, rate)

    def missing() -> None:
        raise RuntimeError("PostgreSQL is missing.")

    for name, instead in (("peer", peer), ("ours", ours), ("own_database", missing)):
        monkeypatch.setattr(server_peers, name, instead)
    monkeypatch.setattr(server_peers, "table_ms", lambda _: 2.5)
    monkeypatch.setattr(server_peers, "start_seconds", lambda: 0.5)
    server_peers.run(["silencio", "zombie-city"], 100, 1.0, [250.0, 500.0], as_json=False)
    said = capsys.readouterr()
    assert "PostgreSQL is missing.\n" in said.err
    assert "too many" in said.err
    assert said.out.count("| boardgame.io") == 4
    assert said.out.count("| tacit") == 6
    assert "| 10 % |" in said.out.replace("10%", "10 %")  # 20 tables a second, 2.5 ms each, of half a core
    assert "| 0.50 s |" in said.out


@pytest.mark.long
def test_what_a_start_and_a_table_cost() -> None:
    assert 0 < server_peers.start_seconds() < 60
    assert server_peers.table_ms("silencio") > 0


def test_the_budget_of_a_decision_is_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`benchmarks/decision_budget.py` opens its sockets past HTTP and plays whole matches."""
    monkeypatch.setattr(decision_budget, "tune_interpreter", lambda: None)  # it is for a process of its own
    asyncio.run(asyncio.wait_for(decision_budget.measure("silencio", 2, 1, 2, parts=False), 60))
    assert "µs a decision" in capsys.readouterr().out
