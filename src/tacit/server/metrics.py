"""Metrics for whoever watches over the server, in Prometheus' text format: how many, how fast, what was refused.

Nothing of any table is in them: no name, no key, no card, no table's name. All the same they are not for players: on a
quiet server, how long a bot thought or that a sealed choice was stored could be read from two of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector

from tacit.server import faults

if TYPE_CHECKING:
    from tacit.server.app import App

QUICK = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)  # seconds
SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500)


class Metrics:
    """What one process counts and times. Each process has its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.decisions = Counter(
            "tacit_decisions", "Decisions and signals stored, by whom they came.", ["by"], registry=self.registry
        )
        self.refusals = Counter("tacit_refusals", "What was refused, by its code.", ["code"], registry=self.registry)
        self.stored = self._timer("tacit_stored_seconds", "From reading a decision to its commit.")
        self.told = self._timer("tacit_told_seconds", "From reading a decision to everyone's news on its way out.")
        self.commit = self._timer("tacit_commit_seconds", "One commit, of whatever waited.")
        self.together = Histogram(
            "tacit_commit_jobs", "Writes that were committed together.", buckets=SIZES, registry=self.registry
        )
        self.thinking = Histogram(
            "tacit_bot_seconds", "How long bots thought.", ["game"], buckets=QUICK, registry=self.registry
        )
        self.late = Counter(
            "tacit_bot_late", "Bots that had no time to think and answered by lot.", ["game"], registry=self.registry
        )
        self.person, self.bot = self.decisions.labels("person"), self.decisions.labels("bot")

    def _timer(self, name: str, says: str) -> Histogram:
        return Histogram(name, says, buckets=QUICK, registry=self.registry)

    def watch(self, app: App) -> None:
        """From now on also what an app holds, counted when somebody asks."""
        self.registry.register(Held(app))

    def text(self) -> bytes:
        return generate_latest(self.registry)


class Held:
    """What a process holds at this moment."""

    def __init__(self, app: App) -> None:
        self.app = app

    def describe(self) -> list[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        app, live = self.app, list(self.app.tables.live.values())
        tables = GaugeMetricFamily("tacit_tables", "Tables in memory, by phase.", labels=["phase"])
        for phase in ("gathering", "playing", "over"):
            tables.add_metric([phase], sum(table.phase == phase for table in live))
        yield tables
        listeners = sum(len(table.listeners) for table in live)
        gauges = {
            "tacit_sockets": ("Open WebSockets.", len(app.sockets.lines)),
            "tacit_listeners": ("Sockets and waiting requests that are told what happens.", listeners),
            "tacit_bots_deciding": ("Seats for which a bot or a clock decides now.", app.tables.bot_seats.deciding()),
            "tacit_waiting_writes": ("Writes that wait for the next commit.", app.store.waiting()),
        }
        for name, (says, value) in gauges.items():
            yield GaugeMetricFamily(name, says, value)
        kinds = CounterMetricFamily("tacit_faults", "Faults of our own, by kind.", labels=["kind"])
        for kind, count in list(faults.counted.items()):
            kinds.add_metric([kind], count)
        yield kinds
        yield CounterMetricFamily("tacit_commits", "Transactions committed.", app.store.commits)
        yield CounterMetricFamily("tacit_written", "Writes in them: steps, tables, lines of chat.", app.store.written)
