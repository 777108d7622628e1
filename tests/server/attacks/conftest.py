"""A server in a process of its own, to be attacked: its address, its memory, what it logged."""

from __future__ import annotations

import contextlib
import os
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.harness import Process, config

LONG = "TACIT_LONG" in os.environ
QUIET = 4.0 if LONG else 0.5  # seconds that a bystander is measured before an attack
ATTACK = 30.0 if LONG else 1.0  # seconds that an attack lasts


class Attacked(Process):
    """It, with its log in a file and, where asked for, few file descriptors."""

    def __init__(self, folder: Path, descriptors: int | None = None, **changes: Any) -> None:
        self.log = folder / "server.log"
        chosen = config(f"sqlite:///{folder / 'tacit.db'}", **{"grace": 1e5} | changes)
        with self.log.open("wb") as log:
            super().__init__(chosen, stderr=log)
        if descriptors is not None:
            resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE, (descriptors, descriptors))
        self.address = ("127.0.0.1", self.port)

    def memory(self) -> int:
        """Bytes that it holds in memory now."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(text.partition("VmRSS:")[2].split()[0]) * 1024

    def processor_time(self) -> float:
        """Seconds that it has computed."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def logged(self) -> str:
        return self.log.read_text()


Start = Callable[..., Attacked]


@pytest.fixture
def attacked(tmp_path: Path) -> Iterator[Start]:
    """Starts one: `attacked(descriptors=256, talk_limit=…)`. What it logged is shown when a test fails."""
    started: list[Attacked] = []

    def start(**how: Any) -> Attacked:
        started.append(Attacked(tmp_path, **how))
        started[-1].wait()
        return started[-1]

    yield start
    for one in started:
        with contextlib.suppress(Exception):
            print(one.logged()[-2000:])
        one.kill()


@pytest.fixture(scope="session")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """One that stands all the time, for what must leave no trace in it: to start one takes longer than most attacks."""
    one = Attacked(tmp_path_factory.mktemp("standing"))
    try:
        one.wait()
        yield one
    finally:
        one.kill()


class Until:
    """Some seconds: `while until.left: …`."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        return max(0.0, self.end - time.monotonic())
