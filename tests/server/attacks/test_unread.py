"""Clients that never read: what waits for them is bounded in bytes and in time."""

from __future__ import annotations

import contextlib
import socket

import pytest

from tacit.server import connections, sockets, websocket_protocol
from tests.server.attacks.clients import TEXT, ended, frame, open_socket
from tests.server.harness import Api, Server, eventually


def test_a_socket_that_is_full_for_long_is_cut_off_and_not_read_meanwhile(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(websocket_protocol, "READ_WITHIN", 0.5)
    monkeypatch.setattr(sockets, "CLOSE_WITHIN", 0.2)
    api = Api(server.url)
    table, keys = api.make("toy", 2, people=2)
    with open_socket(("127.0.0.1", server.port), table, keys[0], 4096) as deaf:
        eventually(lambda: server.app.sockets.connections)
        (connection,) = server.app.sockets.connections
        connection.transport.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        waits = 0
        with contextlib.suppress(OSError):  # it is cut off while it still speaks
            for _ in range(20_000):
                deaf.sendall(frame(TEXT, b'{"type": "return", "id": 7}'.ljust(120)))
                waits = max(waits, connection.transport.transport.get_write_buffer_size())
        eventually(lambda: not server.app.sockets.connections)
        assert connection.ended.result() == sockets.CLOSE_SLOW
        assert connection.unsent_bytes < 2 * sockets.MAX_UNSENT_BYTES
        assert waits < sockets.MAX_UNSENT_BYTES  # more was asked for than that, and not read
        eventually(lambda: connection.transport.disconnected)
    assert "socket.slow" in caplog.text


def test_answers_over_http_that_nobody_reads_end_the_connection(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(connections, "UNREAD_WITHIN", 1.0)
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", server.port))
        deaf.settimeout(5)
        with contextlib.suppress(OSError):
            for _ in range(3000):  # each answer is some tens of kilobytes
                deaf.sendall(b"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n")
        eventually(lambda: "connection.unread" in caplog.text)

        def gone() -> bool:
            deaf.setblocking(True)
            with contextlib.suppress(OSError):
                deaf.settimeout(5)
                while deaf.recv(1 << 20):
                    pass
            return ended(deaf)

        eventually(gone)
    assert Api(server.url).get("/healthz").status_code == 200
