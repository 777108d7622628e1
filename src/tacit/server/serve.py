"""Running the server: one process, or several workers on one PostgreSQL."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import msgspec
import uvicorn
from uvicorn.supervisors import multiprocess

from tacit.bots.registry import missing_networks
from tacit.server import app as application
from tacit.server import logs
from tacit.server.app import ENVIRONMENT, App, tune_interpreter
from tacit.server.config import Config
from tacit.server.connections import ACCEPT_AT_ONCE, Connections, TcpConnection
from tacit.server.database import claimed, database_url
from tacit.server.errors import refuse
from tacit.server.http_protocol import HttpProtocol
from tacit.server.limits import Networks
from tacit.server.protocol import MAX_BYTES
from tacit.server.websocket_protocol import WebSocketProtocol

SHUTDOWN_WITHIN = 5  # seconds that requests have to finish
WORKER_WITHIN = 30  # seconds that a worker has to start, or to answer its parent: 5 are too few on a busy machine
BACKLOG = 2048  # connections that wait to be accepted
PORT = 8000
PORTS_TRIED = 20  # from PORT on, where none was asked for


def run(
    config: Config, host: str, port: int | None, workers: int = 1, listening: Callable[[int], None] = lambda _: None
) -> None:
    """Serve until told to stop. Without a port, take the first free one. `listening` is called with the port once
    connections are accepted.
    """
    logs.set_up(config.log_format)
    config = checked(config)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        logs.note("server.root", logging.WARNING, advice="run tacit as a user of its own, not as root")
    for game, bot, file in missing_networks():
        logs.note("server.bot_left_out", logging.WARNING, game=game, bot=bot, missing=file)
    url = database_url(config.database)
    if workers > 1 and url.get_backend_name() != "postgresql":
        raise refuse("workers.sqlite")
    if config.bus is not None and url.get_backend_name() != "postgresql":
        raise refuse("bus.sqlite")
    with claimed(url):
        serve_on(config, host, bound_socket(host, port), workers, listening)


def serve_on(
    config: Config, host: str, listener: socket.socket, workers: int, listening: Callable[[int], None]
) -> None:
    """Serve on a bound socket, with the database claimed."""
    port = listener.getsockname()[1]

    def ready() -> None:
        tune_interpreter()
        listening(port)

    if workers > 1:
        os.environ[ENVIRONMENT] = msgspec.json.encode(config).decode()
        listener.listen(BACKLOG)
        listener.set_inheritable(True)
        listening(port)
        chosen = uvicorn.Config(
            "tacit.server.app:from_environment", factory=True, workers=workers, **options(config, host, port)
        )
        with listener:
            multiprocess.Process = Worker  # type: ignore[misc] # uvicorn has no other way to say which server it runs
            multiprocess.Multiprocess(chosen, sockets=[listener]).run()
    else:
        listener.listen(BACKLOG)  # connections wait until the server has started
        app = App(config, ready)
        server = Server(uvicorn.Config(app.asgi(), **options(config, host, port)), app)
        with listener, contextlib.suppress(KeyboardInterrupt), stops_on_hangup(server):
            server.run(sockets=[listener])  # it raises KeyboardInterrupt again once all is closed


@contextlib.contextmanager
def stops_on_hangup(server: uvicorn.Server) -> Iterator[None]:
    """Stop a server gracefully when its terminal is closed (SIGHUP); under `nohup` it goes on."""

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


def checked(config: Config) -> Config:
    """The configuration with its addresses and URL checked and normalised. Refuses invalid ones."""
    changes: dict[str, Any] = {"proxies": str(Networks(config.proxies))}
    if config.bus is not None:
        from tacit.server.valkey_bus import checked_bus

        changes["bus"] = checked_bus(config.bus)
    if config.public_url is not None:
        changes["public_url"] = checked_url(config.public_url)
    return msgspec.structs.replace(config, **changes)


def checked_url(given: str) -> str:
    """A public URL, such as `https://cards.example` or `http://192.0.2.7:8000`, without a slash at its end."""
    try:
        url = urlsplit(given.strip())
        port = url.port  # asking for it refuses what is no port
    except ValueError:
        raise refuse("public-url", url=given[:200]) from None
    host = url.hostname or ""
    plain = url.path in ("", "/") and not (url.query or url.fragment or url.username or url.password)
    readable = host and all(c.isalnum() or c in ".-:" for c in host) and not given.rstrip("/").endswith(":")
    if url.scheme not in ("http", "https") or not plain or not readable or port == 0:
        raise refuse("public-url", url=given[:200])
    return f"{url.scheme}://{url.netloc.lower()}"


class Server(uvicorn.Server):
    """uvicorn with limits on connections. It stops gracefully: commands are finished, then sockets sent away."""

    def __init__(self, config: uvicorn.Config, app: App | None = None) -> None:
        super().__init__(config)
        self.app = app

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        app, config = self.app or application.current, self.config
        assert app is not None
        connections = Connections(*app.config.connections, Networks(app.config.proxies))
        config.http_protocol_class = partial(TcpConnection, connections, config.http_protocol_class)  # type: ignore
        config.ws_protocol_class = partial(WebSocketProtocol, connections)  # type: ignore[assignment]
        config.loaded_app = connections.tracked(config.loaded_app)
        await super().startup(sockets)
        for one in sockets or []:
            one.listen(BACKLOG)  # asyncio was given ACCEPT_AT_ONCE, which is how many it accepts in one turn
        connections.sweep()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        app = self.app or application.current
        if app is not None and not self.force_exit:
            await app.stop()
        await super().shutdown(sockets)


class Worker(multiprocess.Process):
    """A worker process. SIGHUP to the parent replaces the workers one by one."""

    @property
    def server(self) -> uvicorn.Server:
        if self._server is None:
            self._server = Server(self.config)
        return self._server


def options(config: Config, host: str, port: int) -> dict[str, Any]:
    """Options for uvicorn."""
    return {
        "host": host,
        "port": port,
        "http": HttpProtocol,
        "ws": "none",  # `Server` sets ours (websocket_protocol.py)
        "backlog": ACCEPT_AT_ONCE,
        "ws_max_size": MAX_BYTES,
        "ws_per_message_deflate": False,  # the size of a compressed frame tells of its content
        "timeout_graceful_shutdown": SHUTDOWN_WITHIN,
        "timeout_worker_healthcheck": WORKER_WITHIN,
        "forwarded_allow_ips": config.proxies,
        "server_header": False,
        "log_config": None,  # ours (logs.py)
        "log_level": "warning",
        "access_log": False,  # it would be worded, and then not be written
    }


def bound_socket(host: str, port: int | None) -> socket.socket:
    """A socket bound to this port; without a port, to the first free one from PORT on."""
    handed = systemd_socket()
    if handed is not None:
        return handed
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in [port] if port is not None else [*range(PORT, PORT + PORTS_TRIED), 0]:
        listener = socket.socket(family)
        if os.name != "nt":  # on Windows two servers could share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, wanted))
            return listener
        except OSError as error:
            listener.close()
            if port is None and error.errno in (errno.EADDRINUSE, errno.EACCES):
                continue
            if error.errno == errno.EADDRINUSE:
                raise refuse("port.taken", port=port) from None
            raise refuse("port.refused", host=host, port=wanted, reason=error.strerror or str(error)) from None
    raise refuse("port.taken", port=PORT)


def systemd_socket() -> socket.socket | None:
    """The socket that systemd opened for us, if it did. systemd keeps it open while we restart."""
    if os.environ.get("LISTEN_FDS") != "1" or os.environ.get("LISTEN_PID") != str(os.getpid()):
        return None
    return socket.socket(fileno=3)


def addresses(host: str, port: int) -> tuple[str, str | None]:
    """The URL of a server for this machine, and for others in its network (None: not reachable)."""
    if host in ("127.0.0.1", "localhost", "::1"):
        return f"http://{host if ':' not in host else f'[{host}]'}:{port}", None
    if host in ("0.0.0.0", "::"):
        own = own_address()
        return f"http://127.0.0.1:{port}", f"http://{own}:{port}" if own else None
    url = f"http://{host if ':' not in host else f'[{host}]'}:{port}"
    return url, url


def own_address() -> str | None:
    """This machine's address in its network: the source address of a packet, which is not sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation
            found = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if found.startswith("127.") else found


def has_display() -> bool:
    """Can a browser be opened on this machine?"""
    if "SSH_CONNECTION" in os.environ or not sys.stdout.isatty():
        return False
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_browser(url: str) -> None:
    """Open a browser, in a thread."""
    threading.Thread(target=webbrowser.open, args=[url], daemon=True).start()
