"""`make test` runs several parts at once: each tells its progress in whole lines, one for every tenth of its tests.

A plugin (`pytest -p tests.progress`); `TACIT_PART` names the part. Dots of two parts would run into each other.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest

PART = os.environ.get("TACIT_PART", "tests")


class Progress:
    """Counts the tests that are over, and names at once those that failed."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.total = 0
        self.over: set[str] = set()

    def say(self, sentence: str) -> None:
        terminal: Any = self.config.pluginmanager.getplugin("terminalreporter")
        terminal.write_line(f"{PART}: {sentence}")
        terminal.flush()

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        self.total = len(ids)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.total = len(session.items)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome in ("failed", "rerun"):
            crash = getattr(report.longrepr, "reprcrash", None)  # of a rerun nothing else is printed
            where = f" (line {crash.lineno}: {crash.message.partition(chr(10))[0][:120]})" if crash else ""
            self.say(f"{report.outcome} {report.nodeid}{where}")
        if report.when == "teardown" and report.nodeid not in self.over:
            tenths = 10 * len(self.over) // max(1, self.total)
            self.over.add(report.nodeid)
            if 10 * len(self.over) // max(1, self.total) > tenths:
                self.say(f"{10 * tenths + 10} % of {self.total} tests")

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(self) -> Generator[None, tuple[str, Any, Any], tuple[str, Any, Any]]:
        """Counted as always, without a letter."""
        category, _, _ = yield
        return category, "", ""


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the process that hands out the tests
        config.pluginmanager.register(Progress(config))
