"""Metrics for the host, in Prometheus' text format: how many, how fast, what was refused.

They name no table, person, key or card. Still they are not for players: on a quiet server two of them would tell how
long a bot thought, or that a sealed choice was stored.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector

from tacit.server import faults

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500)


class Metrics:
    """What one process counts and times. Each process has its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.registry.register(Faults())
        self.person, self.bot = Count("person"), Count("bot")
        self._count("tacit_decisions", "Decisions and signals stored, by who decided.", self.person, self.bot)
        self.refusals = self._counter("tacit_refusals", "Refused requests and commands, by code.", "code")
        self.stored = self._tally("tacit_stored_seconds", "From reading a decision to its commit.", SECONDS)
        self.published = self._tally(
            "tacit_told_seconds", "From reading a decision to sending it to all subscribers.", SECONDS
        )
        self.commits, self.written = Count(), Count()
        self._count("tacit_commits", "Transactions committed.", self.commits)
        self.commit = self._tally("tacit_commit_seconds", "Duration of one commit.", SECONDS)
        self.commit_jobs = self._tally("tacit_commit_jobs", "Writes in one commit.", SIZES)
        self._count("tacit_written", "Writes committed: steps, tables, lines of chat.", self.written)
        self.thinking = self._timer("tacit_bot_seconds", "Thinking time of bots.", "game")
        self.late = self._counter("tacit_bot_late", "Bots that had no time to think and answered at random.", "game")
        self.notices = self._counter("tacit_notices", "Notices, by kind and by what became of them.", "kind", "end")

    def _counter(self, name: str, help: str, *labels: str) -> Counter:
        return Counter(name, help, labels, registry=self.registry)

    def _count(self, name: str, help: str, *counts: Count) -> None:
        self.registry.register(Counts(name, help, counts))

    def _timer(self, name: str, help: str, *labels: str) -> Histogram:
        return Histogram(name, help, labels, buckets=SECONDS, registry=self.registry)

    def _tally(self, name: str, help: str, bounds: Sequence[float]) -> Tally:
        tally = Tally(name, help, bounds)
        self.registry.register(tally)
        return tally

    def gauge(self, name: str, help: str, read: Callable[[], float]) -> None:
        """Add a gauge that is read when somebody asks."""
        Gauge(name, help, registry=self.registry).set_function(read)

    def gauges(self, name: str, help: str, label: str, reads: Mapping[str, Callable[[], float]]) -> None:
        """Add a gauge with one value for each value of a label."""
        gauge = Gauge(name, help, [label], registry=self.registry)
        for value, read in reads.items():
            gauge.labels(value).set_function(read)

    def text(self) -> bytes:
        return generate_latest(self.registry)


class Count:
    """A counter for one thread: without the lock of prometheus_client's it takes a tenth of its time."""

    def __init__(self, by: str | None = None) -> None:
        self.by, self.value = by, 0

    def inc(self, more: int = 1) -> None:
        self.value += more


class Counts:
    """Counters under one name, with their value of the label `by` if they have one."""

    def __init__(self, name: str, help: str, counts: Sequence[Count]) -> None:
        self.name, self.help, self.counts = name, help, counts

    def describe(self) -> list[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        family = CounterMetricFamily(self.name, self.help, labels=["by"] if self.counts[0].by else [])
        for count in self.counts:
            family.add_metric([count.by] if count.by else [], count.value)
        yield family


class Tally:
    """A histogram for one thread: without the lock of prometheus_client's, `observe` takes a tenth of its time."""

    def __init__(self, name: str, help: str, bounds: Sequence[float]) -> None:
        self.name, self.help, self.bounds = name, help, bounds
        self.counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def observe(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value

    def describe(self) -> list[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        total, buckets = 0, []
        for bound, count in zip((*map(float, self.bounds), "+Inf"), self.counts, strict=True):
            total += count
            buckets.append((str(bound), total))
        yield HistogramMetricFamily(self.name, self.help, buckets=buckets, sum_value=self.sum)


class Faults:
    """The faults counted by faults.py."""

    def describe(self) -> list[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        kinds = CounterMetricFamily("tacit_faults", "Faults of the server itself, by kind.", labels=["kind"])
        for kind, count in list(faults.counted.items()):
            kinds.add_metric([kind], count)
        yield kinds
