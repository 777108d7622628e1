"""Who makes a request: its rate, its origin, the key it shows or that its cookie holds."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import Response

from tacit.server.config import Config
from tacit.server.connections import max_connections
from tacit.server.errors import RequestRefused, refuse
from tacit.server.keys import hash_of, is_key, sign, unsign, who_is
from tacit.server.limits import ConnectionLimit, RateLimit
from tacit.server.requests import address, bearer
from tacit.server.seating import Caller, caller_by_key
from tacit.server.table_service import TableService

COOKIE = "tacit-seat"  # its path is the table's, so that a browser can have a seat at many tables
COOKIE_AGE = 90 * 24 * 3600
PLAYER = "tacit-player"  # the same for all tables, so that one person has one counted attempt on a deal
PLAYER_HEADER = "tacit-player"  # for programs
PLAYER_AGE = 400 * 24 * 3600


class Access:
    """The checks that HTTP requests and WebSockets share. Each refuses with a sentence."""

    def __init__(self, tables: TableService, config: Config) -> None:
        self.tables, self.config = tables, config
        self.request_limit = RateLimit(*config.talk_limit)
        self.creation_limit = RateLimit(*config.make_limit)
        each, total = config.subscribers
        most = max_connections()  # some are left for requests
        self.subscriber_limit = ConnectionLimit(min(each, most // 2), min(total, most * 3 // 4))

    def check_rate(self, connection: HTTPConnection) -> None:
        self.request_limit.take(address(connection))

    def check_origin(self, connection: HTTPConnection) -> None:
        """Refuse browsers on foreign pages: only ours may use a cookie. Programs send no origin."""
        origin = connection.headers.get("origin")
        if origin is None:
            return
        public = self.config.public_url
        try:
            scheme, host = urlsplit(origin)[:2]
        except ValueError:  # half an IPv6 address
            raise refuse("key.origin", 403) from None
        ours = urlsplit(public)[:2] if public else (scheme, connection.headers.get("host"))
        if (scheme, host) != ours or not host:
            raise refuse("key.origin", 403)

    def key(self, connection: HTTPConnection, table: str) -> str | None:
        """The key of a request: a bearer token, or in the signed cookie."""
        return bearer(connection) or self._cookie_key(connection, table)

    def _cookie_key(self, connection: HTTPConnection, table: str) -> str | None:
        cookie = connection.cookies.get(COOKIE)
        return unsign(self.tables.store.signing, table, cookie) if cookie else None

    def set_cookie(self, response: Response, table: str, key: str, secure: bool) -> None:
        value = sign(self.tables.store.signing, table, key)
        _set_cookie(response, f"{COOKIE}={value}; Max-Age={COOKIE_AGE}; Path=/api/tables/{table}", secure)

    def player(self, connection: HTTPConnection) -> str | None:
        """The device that makes a request: the name in its cookie or header; None if it has none, or if its person
        removed it.
        """
        given, cookie = connection.headers.get(PLAYER_HEADER), connection.cookies.get(PLAYER)
        if given is not None:
            found = given if is_key(given) else None
        else:
            found = unsign(self.tables.store.signing, PLAYER, cookie) if cookie else None
        return None if found is None or self.tables.people.is_removed(hash_of(found)) else found

    def person_of(self, player: str) -> str:
        """The person of a device."""
        return self.tables.people.of(hash_of(player))

    def person(self, connection: HTTPConnection) -> str | None:
        """Who makes a request, at whichever table; None if they have no cookie."""
        player = self.player(connection)
        return None if player is None else self.person_of(player)

    def recognised(self, connection: HTTPConnection) -> str | None:
        """Who makes a request, if a passkey made the device theirs: their seats open without a key."""
        player = self.player(connection)
        return None if player is None else self.tables.people.with_passkey(hash_of(player))

    def who(self, connection: HTTPConnection, key_hash: str | None = None) -> list[str]:
        """The identities of whoever makes a request: by their cookie, and by the key that they show."""
        key = bearer(connection)
        return who_is(self.person(connection), key_hash or (hash_of(key) if key else None))

    def set_player(self, response: Response, player: str, secure: bool) -> None:
        value = sign(self.tables.store.signing, PLAYER, player)
        _set_cookie(response, f"{PLAYER}={value}; Max-Age={PLAYER_AGE}; Path=/api", secure)

    def seated(self, connection: HTTPConnection, shown: str | None = None) -> Caller | None:
        """Who looks at a table, if it is in memory and their key opens a seat; else `caller` finds out."""
        name = connection.path_params["table"]
        table, key = self.tables.loaded.get(name), shown or self.key(connection, name)
        caller = caller_by_key(table, key) if table is not None and key is not None else None
        if caller is None or caller.seat is None:
            return None
        caller.table.address = caller.table.address or address(connection)
        return caller

    async def caller(
        self, connection: HTTPConnection, shown: str | None = None
    ) -> tuple[Caller, RequestRefused | None]:  # fmt: skip
        """Who looks at a table: by the key they show, or by their cookie; a spectator if the cookie opens nothing (then
        with the refusal).
        """
        return await self.caller_at(connection, connection.path_params["table"], shown)

    async def caller_at(
        self, connection: HTTPConnection, name: str, shown: str | None = None
    ) -> tuple[Caller, RequestRefused | None]:  # fmt: skip
        """The same at a table that the path does not name."""
        key = shown or bearer(connection)
        if key is not None:
            caller, stale = await self.tables.enter(name, key), None
        else:
            cookie, person = self._cookie_key(connection, name), self.recognised(connection)
            caller, stale = await self.tables.visit(name, cookie, person)
        if caller.seat is not None or caller.maker:
            caller.table.address = caller.table.address or address(connection)
        return caller, stale


def _set_cookie(response: Response, cookie: str, secure: bool) -> None:
    """Set a cookie that scripts cannot read and other sites' pages do not send. It must consist of letters that need no
    quotes, as keys and names of tables do: `Response.set_cookie` would take as long as all else of an answer.
    """
    text = f"{cookie}; HttpOnly; SameSite=strict" + ("; Secure" if secure else "")
    response.raw_headers.append((b"set-cookie", text.encode("ascii")))
