"""A service of somebody else's that notices go to: it keeps what arrives, and answers as it is told."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import http_ece
import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tacit.server.push import _encoded


class Got(NamedTuple):
    """A request that arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)


class Mailbox:
    """The service."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.got: list[Got] = []
        self.status: Callable[[str], int] = lambda path: 201  # the answer to the next request
        self.location = ""  # of redirects

    def texts(self) -> list[str]:
        """The texts of JSON notices that arrived, without test messages."""
        return [one.json["text"] for one in self.got if one.json.get("kind") != "test"]


class Browser:
    """A browser's side of web push: its keys, and what it can read with them."""

    def __init__(self) -> None:
        self._private, self._auth = ec.generate_private_key(ec.SECP256R1()), b"0123456789abcdef"
        point = self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.keys = {"p256dh": _encoded(point), "auth": _encoded(self._auth)}

    def read(self, body: bytes) -> Any:
        text = http_ece.decrypt(body, private_key=self._private, auth_secret=self._auth, version="aes128gcm")
        return msgspec.json.decode(text)


@contextlib.contextmanager
def mailbox() -> Iterator[Mailbox]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            box.got.append(Got(self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            self.send_response(box.status(self.path))
            if box.location:
                self.send_header("Location", box.location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_PUT = do_GET = do_POST

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as service:
        box = Mailbox(service.server_port)
        thread = threading.Thread(target=service.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield box
        finally:
            service.shutdown()
            thread.join()
