"""Running the server: one process, or several on one PostgreSQL; for hosts, or at home with a browser beside it."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import uvicorn
from uvicorn.supervisors import multiprocess

from tacit.server import app as doors
from tacit.server import logs
from tacit.server.app import ENVIRONMENT, App, keep_for_good
from tacit.server.config import Config
from tacit.server.protocol import MAX_BYTES
from tacit.server.refusal import refuse
from tacit.server.store import database_url
from tacit.server.wire import Wire

SHUTDOWN = 5  # seconds that requests have to finish
SIGN_OF_LIFE = 30  # seconds that a worker has to start, or to answer its parent: in 5 a full machine cannot
PORT = 8000
TRIED = 20  # ports after it, where none was asked for


def run(
    config: Config, host: str, port: int | None, workers: int = 1, listening: Callable[[int], None] = lambda _: None
) -> None:
    """Serve until told to stop. Without a port, the first free one is taken; `listening` hears which, once people
    can come.
    """
    logs.set_up(config.log_format)
    url = database_url(config.database)
    if workers > 1 and url.get_backend_name() != "postgresql":
        raise refuse("workers.sqlite")
    door = bound(host, port)
    port = door.getsockname()[1]

    def ready() -> None:
        keep_for_good()
        listening(port)

    if workers > 1:
        os.environ[ENVIRONMENT] = msgspec.json.encode(config).decode()
        door.listen(2048)
        door.set_inheritable(True)
        listening(port)
        chosen = uvicorn.Config(
            "tacit.server.app:from_environment", factory=True, workers=workers, **options(config, host, port)
        )
        with door:
            multiprocess.Process = Worker  # type: ignore[misc] # uvicorn has no other way to say which server it runs
            multiprocess.Multiprocess(chosen, sockets=[door]).run()
    else:
        door.listen(2048)  # from now on nobody is turned away: they wait until the tables are open
        app = App(config, ready)
        server = Server(uvicorn.Config(app.asgi(), **options(config, host, port)), app)
        with door, contextlib.suppress(KeyboardInterrupt), stops_on_hangup(server):
            server.run(sockets=[door])  # KeyboardInterrupt is raised again once all is closed; nobody need see it


@contextlib.contextmanager
def stops_on_hangup(server: uvicorn.Server) -> Iterator[None]:
    """While this runs, a closed terminal stops a server in good order; under `nohup` it goes on."""

    def hang_up(*_: object) -> None:
        server.should_exit = True

    hangup = getattr(signal, "SIGHUP", None)  # Windows has none
    if hangup is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(hangup)
    if before is not signal.SIG_IGN:
        signal.signal(hangup, hang_up)
    try:
        yield
    finally:
        signal.signal(hangup, before)


class Server(uvicorn.Server):
    """uvicorn, which stops in good order: answers under way are given, then all sockets are told to come back."""

    def __init__(self, config: uvicorn.Config, app: App | None = None) -> None:
        super().__init__(config)
        self.app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        app = self.app or doors.current
        if app is not None and not self.force_exit:
            await app.leave()
        await super().shutdown(sockets)


class Worker(multiprocess.Process):
    """One of several processes. SIGHUP to their parent replaces them one by one."""

    @property
    def server(self) -> uvicorn.Server:
        if self._server is None:
            self._server = Server(self.config)
        return self._server


def options(config: Config, host: str, port: int) -> dict[str, Any]:
    """How uvicorn is asked to serve."""
    return {
        "host": host,
        "port": port,
        "ws": Wire,
        "ws_max_size": MAX_BYTES,
        "ws_per_message_deflate": False,  # the size of a compressed frame would tell of its content
        "timeout_graceful_shutdown": SHUTDOWN,
        "timeout_worker_healthcheck": SIGN_OF_LIFE,
        "forwarded_allow_ips": config.proxies,
        "server_header": False,
        "log_config": None,  # ours (logs.py)
        "log_level": "warning",
    }


def bound(host: str, port: int | None) -> socket.socket:
    """A socket on this port; or, where none is named, on the first free one from PORT on."""
    handed = handed_over()
    if handed is not None:
        return handed
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in [port] if port is not None else [*range(PORT, PORT + TRIED), 0]:
        door = socket.socket(family)
        if os.name != "nt":  # there it would let two servers share a port
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((host, wanted))
            return door
        except OSError as error:
            door.close()
            if port is None and error.errno in (errno.EADDRINUSE, errno.EACCES):
                continue
            if error.errno == errno.EADDRINUSE:
                raise refuse("port.taken", port=port) from None
            raise refuse("port.refused", host=host, port=wanted, reason=error.strerror or str(error)) from None
    raise refuse("port.taken", port=PORT)


def handed_over() -> socket.socket | None:
    """A socket that systemd opened for us and keeps while we are started again: nobody is turned away meanwhile."""
    if os.environ.get("LISTEN_FDS") != "1" or os.environ.get("LISTEN_PID") != str(os.getpid()):
        return None
    return socket.socket(fileno=3)


def addresses(host: str, port: int) -> tuple[str, str | None]:
    """How to reach a server from this machine, and from others of the same network (None: not at all)."""
    if host in ("127.0.0.1", "localhost", "::1"):
        return f"http://{host if ':' not in host else f'[{host}]'}:{port}", None
    if host in ("0.0.0.0", "::"):
        own = own_address()
        return f"http://127.0.0.1:{port}", f"http://{own}:{port}" if own else None
    url = f"http://{host if ':' not in host else f'[{host}]'}:{port}"
    return url, url


def own_address() -> str | None:
    """This machine's address in its network: the one it would send from. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that belongs to nobody
            found = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if found.startswith("127.") else found


def has_display() -> bool:
    """Can a browser be opened where the person sits?"""
    if "SSH_CONNECTION" in os.environ or not sys.stdout.isatty():
        return False
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_browser(url: str) -> None:
    """In a thread: a browser may take its time."""
    threading.Thread(target=webbrowser.open, args=[url], daemon=True).start()
