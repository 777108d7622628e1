"""Processes of a server, and of its command, that need not import it again: a helper has imported it, and forks.

The helper is multiprocessing's fork server. It is one thread and has begun nothing, so what it forks is as new as a
process that Python has just started; to import the server takes longer than most tests that start one.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
from pathlib import Path
from typing import Any

import msgspec

import tacit
from tacit import cli
from tacit.bots import register_bot
from tacit.server import maintenance, notices, serve, table_service
from tacit.server.config import Config

ROOT = Path(__file__).parent.parent.parent
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.server.preload"])


def prepare() -> None:
    """Set what tests of processes need: clocks that no test waits for, the toy game, a bot that ponders."""
    table_service.HEARTBEAT = 600
    maintenance.RESUME_EVERY = 0.3
    notices.LOOK_EVERY = 0.1
    serve.WORKER_WITHIN = 300  # however busy the machine
    tacit.register("toy", "examples.toy.tacit_toy")
    register_bot("silencio", "ponders", "tests.bots.odd_bots:Ponders")


def run(config: str, port: int | str, workers: int | str = 1) -> None:
    """Serve until a signal comes."""
    prepare()
    serve.run(msgspec.json.decode(config, type=Config), "127.0.0.1", int(port), int(workers))


def begin(config: str, port: int, environment: dict[str, str], umask: int, stderr: str | None) -> None:
    """The same, as a new process would that was started with these."""
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    os.umask(umask)
    if stderr is not None:
        log = os.open(stderr, os.O_WRONLY | os.O_APPEND)
        os.dup2(log, 2)
        os.close(log)
    run(config, port)


class Forked:
    """A server in a process of its own, with the methods of `subprocess.Popen` that tests use."""

    def __init__(self, config: str, port: int, stderr: Any = None) -> None:
        umask = os.umask(0)
        os.umask(umask)
        given = (config, port, dict(os.environ), umask, None if stderr is None else stderr.name)
        self._process = CONTEXT.Process(target=begin, args=given)
        self._process.start()
        self.pid = self._process.pid or 0

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, seconds: float | None = None) -> int:
        self._process.join(seconds)
        status = self._process.exitcode
        assert status is not None, "the server did not stop"
        return status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def speak(words: list[str], environment: dict[str, str], output: str) -> None:
    """The command `tacit` with these words; all that it says is written to a file."""
    said = os.open(output, os.O_WRONLY | os.O_CREAT)
    os.dup2(said, 1)
    os.dup2(said, 2)
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    cli.main(words)


def command(words: list[str], environment: dict[str, str], seconds: float) -> tuple[int, str]:
    """`tacit` with these words in a process of its own: its exit status, and all it said."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "said"
        process = CONTEXT.Process(target=speak, args=(words, environment, str(output)))
        process.start()
        process.join(seconds)
        if process.exitcode is None:
            process.kill()
            raise AssertionError("the command did not end")
        return process.exitcode, output.read_text()
