"""A real Valkey or Redis for the tests: finds one, or installs it, or says in one line what is missing."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

NAMES = ("valkey-server", "redis-server")  # also the names of the packages, of newer and of older distributions


def own() -> str | None:
    """The machine's own."""
    return next((path for name in NAMES if (path := shutil.which(name)) is not None), None)


class Valkey:
    """A server in a process of its own, which can be killed, paused and started again on the same port."""

    def __init__(self, port: int, folder: Path, *options: str) -> None:
        program = own()
        assert program is not None, "Valkey is missing: run make test, or install the package valkey-server"
        self.port, self.url = port, f"redis://127.0.0.1:{port}"
        given = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder), *options]
        self.command = [program, *given]
        self.process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1) as probe:
                probe.sendall(b"PING\r\n")
                if probe.recv(100).startswith(b"+PONG"):
                    return process
            assert process.poll() is None, "Valkey did not start"
            assert time.monotonic() < until, "Valkey does not answer"
            time.sleep(0.02)

    def pause(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def restart(self) -> None:
        self.process = self._started()


def main() -> None:
    if own() is None and os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing Valkey for the tests …", flush=True)
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        patient = ["apt-get", "-q", "-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=3"]
        subprocess.run([*patient, "update"], env=quiet, capture_output=True)
        for name in NAMES:
            if own() is None:
                command = [*patient, "install", "-y", "--no-install-recommends", name]
                subprocess.run(command, env=quiet, capture_output=True)
    if own() is None:
        sys.exit("The tests need Valkey: install the package valkey-server (or redis-server), then run this again.")


if __name__ == "__main__":
    main()
