"""Running the server: one process, or several on one PostgreSQL."""

from __future__ import annotations

import os
from typing import Any

import msgspec
import uvicorn

from tacit.server.app import ENVIRONMENT, App, keep_for_good
from tacit.server.config import Config
from tacit.server.protocol import MAX_BYTES
from tacit.server.refusal import refuse
from tacit.server.store import database_url

SHUTDOWN = 5  # seconds that requests have to finish


def run(config: Config, host: str, port: int, workers: int = 1) -> None:
    """Serve until told to stop."""
    url = database_url(config.database)
    if workers > 1 and url.get_backend_name() != "postgresql":
        raise refuse("workers.sqlite")
    if workers > 1:
        os.environ[ENVIRONMENT] = msgspec.json.encode(config).decode()
        uvicorn.run("tacit.server.app:from_environment", factory=True, workers=workers, **options(config, host, port))
    else:
        uvicorn.run(App(config, keep_for_good).asgi(), **options(config, host, port))


def options(config: Config, host: str, port: int) -> dict[str, Any]:
    """How uvicorn is asked to serve."""
    return {
        "host": host,
        "port": port,
        "ws": "websockets-sansio",
        "ws_max_size": MAX_BYTES,
        "ws_per_message_deflate": False,  # the size of a compressed frame would tell of its content
        "timeout_graceful_shutdown": SHUTDOWN,
        "forwarded_allow_ips": config.proxies,
        "server_header": False,
        "log_level": "warning",
    }
