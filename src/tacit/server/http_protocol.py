"""The HTTP protocol: uvicorn's with the parser of httptools, and limits of ours on what comes beside a body."""

from __future__ import annotations

from typing import cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tacit.server.connections import Corked
from tacit.server.websocket_protocol import WebSocketProtocol

MAX_BESIDE_BODY = 64 * 1024  # bytes of one request that are not its body: lines, headers, sizes of chunks


class HttpProtocol(HttpToolsProtocol):
    """The requests of one connection."""

    beside_body = 0

    def data_received(self, data: bytes) -> None:
        self.beside_body += len(data)
        super().data_received(data)
        if self.beside_body > MAX_BESIDE_BODY and not self.transport.is_closing():
            self.send_400_response("The head of this request is too long.")

    def on_message_begin(self) -> None:
        self.beside_body = 0
        super().on_message_begin()

    def on_body(self, body: bytes) -> None:
        self.beside_body -= len(body)
        super().on_body(body)

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that breaks the protocol; one that has its answer already has its connection closed."""
        if self.cycle is not None and self.cycle.scope is self.scope and self.cycle.response_started:
            self.transport.close()
        else:
            super().send_400_response(msg)

    def handle_websocket_upgrade(self) -> None:
        """The connection becomes a WebSocket: the request goes there as it was parsed."""
        self.connections.discard(self)
        self.parser = None  # type: ignore[assignment] # it refers to us: else both would wait for the garbage collector
        protocol: WebSocketProtocol = self.ws_protocol_class(  # type: ignore
            config=self.config, server_state=self.server_state, app_state=self.app_state
        )
        corked = cast(Corked, self.transport)
        protocol.counted = corked.counted
        protocol.connection_made(corked.transport)
        corked.transport.set_protocol(protocol)
        protocol.open(self.scope, self.url)  # type: ignore[arg-type]
