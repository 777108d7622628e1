"""The ASGI application: it finds the handler of a path, and sends its answer with the security headers.

Written by hand: each layer of a framework costs as much as a handler, and a table is made with three requests.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tacit.core.errors import TacitError
from tacit.server import faults
from tacit.server.access import Access
from tacit.server.errors import RequestRefused, refuse, refused
from tacit.server.metrics import Metrics
from tacit.server.protocol import PROTOCOL
from tacit.server.requests import SecurityHeaders, answer
from tacit.server.websocket_protocol import EXTENSION

Handler = Callable[[Request], Awaitable[Response]]
Lifespan = Callable[[], AbstractAsyncContextManager[None]]


class Node:
    """A place in the tree of paths: what may follow it, and who handles it by method."""

    def __init__(self) -> None:
        self.fixed: dict[str, Node] = {}
        self.parameter: tuple[str, Node] | None = None  # any text, under this name
        self.handlers: dict[str, Callable[..., Any]] = {}

    def at(self, parts: list[str]) -> Node:
        """The node of a path such as `["api", "tables", "{table}"]`; made if it is new."""
        if not parts:
            return self
        first, rest = parts[0], parts[1:]
        if not first.startswith("{"):
            return self.fixed.setdefault(first, Node()).at(rest)
        if self.parameter is None:
            self.parameter = (first[1:-1], Node())
        assert self.parameter[0] == first[1:-1], "one place of a path has two names"
        return self.parameter[1].at(rest)

    def find(self, method: str, parts: list[str], at: int, found: dict[str, str]) -> Any:
        """Who handles a path from a part on; its parameters are added to `found`."""
        if at == len(parts):
            return self.handlers.get(method)
        part = parts[at]
        fixed = self.fixed.get(part)
        handler = fixed.find(method, parts, at + 1, found) if fixed is not None else None
        if handler is None and part and self.parameter is not None:
            handler = self.parameter[1].find(method, parts, at + 1, found)
            if handler is not None:
                found[self.parameter[0]] = part
        return handler


class Dispatch:
    """The application of one process. `page` handles what no path of the API does."""

    def __init__(
        self, access: Access, metrics: Metrics, headers: SecurityHeaders, page: Handler, lifespan: Lifespan
    ) -> None:  # fmt: skip
        self.access, self.metrics, self.headers, self.page, self.lifespan = access, metrics, headers, page, lifespan
        self.paths = Node()
        # Methods and paths; the method of a WebSocket is WS.
        self.routes = [("GET", "/api/{rest:path}"), ("GET", "/{path:path}")]

    def add(self, method: str, path: str, handler: Callable[..., Any]) -> None:
        """Give a path such as `/api/tables/{table}` its handler."""
        self.paths.at(path.split("/")).handlers[method] = handler
        self.routes.append((method, path))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        parameters = scope["path_params"] = {}
        parts = scope["path"].split("/")
        if scope["type"] == "http":
            method = scope["method"] if scope["method"] != "HEAD" else "GET"
            handler = self.paths.find(method, parts, 0, parameters)
            if handler is None and method == "GET":
                handler = _not_found if scope["path"].startswith("/api/") else self.page
            request = Request(scope, receive)
            response = await self._respond(request, handler)
            self.headers.add_to(response)
            await response(scope, receive, send)
        else:
            serve, transport = self.paths.find("WS", parts, 0, parameters), scope["extensions"][EXTENSION]
            if serve is not None:
                serve(HTTPConnection(scope), transport)
            else:
                transport.reject()

    async def _respond(self, request: Request, handler: Handler | None) -> Response:
        """Check rate, origin and protocol version, then handle; a refusal becomes an answer."""
        try:
            self.access.check_rate(request)
            if handler is None:
                return answer(refused(refuse("not-found", 404)), 405)
            if request.method == "POST":
                self.access.check_origin(request)
            wanted = request.headers.get("tacit-protocol")
            if wanted is not None and wanted != str(PROTOCOL):
                raise refuse("protocol.reload", 426)
            return await handler(request)
        except TacitError as error:
            self.metrics.refusals.labels(error.message.code).inc()
            return refusal(request, error)
        except ClientDisconnect:
            return Response(status_code=400)  # it has no reader
        except Exception as error:
            faults.note(f"{request.method} {getattr(handler, '__name__', '')}", error)
            return refusal(request, refuse("broken", 500))

    async def _live(self, receive: Receive, send: Send) -> None:
        """Start, and stop when told to."""
        phase = "startup"
        try:
            await receive()
            async with self.lifespan():
                await send({"type": "lifespan.startup.complete"})
                phase = "shutdown"
                await receive()
        except BaseException:
            await send({"type": f"lifespan.{phase}.failed"})
            raise
        await send({"type": "lifespan.shutdown.complete"})


async def _not_found(request: Request) -> Response:
    raise refuse("not-found", 404)


def refusal(request: Request, error: TacitError) -> Response:
    """A refusal as an answer. A browser logs every status from 400 on as an error of the page: to a client that sends
    `Tacit-Refusals: 200` the status goes in the header `Tacit-Status` instead.
    """
    status = error.status if isinstance(error, RequestRefused) else 409
    if request.headers.get("tacit-refusals") != "200":
        return answer(refused(error), status)
    quiet = answer(refused(error))
    quiet.headers["Tacit-Status"] = str(status)
    return quiet
