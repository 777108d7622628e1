"""The web client: built files, served from memory, and index.html with the tags for link previews.

The files are read once, so a path can only name one of them. The preview of an open table says what the lobby says of
it; that of a private one names only the game.
"""

from __future__ import annotations

import hashlib
import html
import mimetypes
import re
from pathlib import Path
from urllib.parse import quote, urlsplit

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tacit.core.errors import UnknownGame
from tacit.core.registry import game_named, game_names
from tacit.server.config import Config
from tacit.server.deal_store import DealStore
from tacit.server.keys import is_table_name
from tacit.server.store import Store

FOLDER = Path(__file__).parent / "page"
BUILD = "npm --prefix web ci && npm --prefix web run build"
COMPRESSED = {"br": ".br", "gzip": ".gz"}  # suffixes of a file's siblings, the better first
IMMUTABLE, REVALIDATE = "public, max-age=31536000, immutable", "no-cache"
TITLE = "tacit: card games that live on what is not said"
PAGE = re.compile(
    r"/|/replay|/review|/rules|/settings|/check|/you|/m|/puzzles|/daily(/[1-9][0-9]{0,5})?|/compare/[^/]{1,80}/[^/]{1,80}"
    r"|/(?P<kind>t|new|replay|review|room|rules|learn|puzzles|d|m)/(?P<name>[^/]{1,80})"
)
KINDS = {"daily": "the daily", "challenge": "a challenge", "duplicate": "a duplicate match"}
HOST = re.compile(r"[A-Za-z0-9.\-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:]+\](:[0-9]{1,5})?")
HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    "X-Frame-Options": "DENY",
}
_TAGS = re.compile(r"\s*<title>.*?</title>|\s*<meta\s+(?:name=\"description\"|property=\"og:)[^>]*>", re.DOTALL)

for _kind, _ending in (
    ("text/javascript", ".js"), ("image/svg+xml", ".svg"), ("application/manifest+json", ".webmanifest"),
    ("font/woff2", ".woff2"), ("image/webp", ".webp"),
):  # fmt: skip
    mimetypes.add_type(_kind, _ending)  # independent of this machine's own list


class File(msgspec.Struct, frozen=True):
    """One file of the client, as it is and compressed."""

    kind: str
    tag: str
    plain: bytes
    compressed: dict[str, bytes]


class LinkPreview(msgspec.Struct, frozen=True):
    """What the link preview of a page says."""

    title: str = TITLE
    description: str = ""  # empty: the default one
    game: str | None = None
    status: int = 200


class Page:
    """The client's files, and its pages."""

    def __init__(self, store: Store, config: Config, folder: Path | None = None) -> None:
        self.store, self.config = store, config
        self.files = _read(folder or FOLDER)

    async def serve(self, request: Request) -> Response:
        """A file of the client, or index.html for any page; with status 404 where there is no such page, except to a
        browser that opens it: the page says so itself, and the browser would log the status as an error.
        """
        path = request.url.path
        if path.startswith("/assets/") or path.lstrip("/") in self.files.keys() - {"index.html"}:
            return self._file(request, path.lstrip("/"))
        if "index.html" not in self.files:
            return self._page(request, _not_built(), 503)
        preview = await self._preview(path)
        text = self.files["index.html"].plain.decode()
        opened = request.headers.get("sec-fetch-dest") == "document"
        return self._page(request, self._with_tags(request, text, preview), 200 if opened else preview.status)

    def _file(self, request: Request, name: str) -> Response:
        file = self.files.get(name)
        if file is None:
            return Response("There is no such file.\n", 404, media_type="text/plain")
        headers = {
            "Cache-Control": IMMUTABLE if name.startswith("assets/") else REVALIDATE,
            "ETag": file.tag,
            "Vary": "Accept-Encoding",
        }
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        content = file.plain
        accepted = _accepted(request.headers.get("accept-encoding", ""))
        for encoding, data in file.compressed.items():
            if encoding in accepted:
                content, headers["Content-Encoding"] = data, encoding
                break
        return Response(content, media_type=file.kind, headers=headers)

    def _page(self, request: Request, text: str, status: int) -> Response:
        host = self._host(request)
        sockets = f" ws://{host} wss://{host}" if host else ""  # 'self' does not cover them in every browser
        policy = (
            f"default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
            f"connect-src 'self'{sockets}; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; "
            f"form-action 'self'"
        )
        headers = HEADERS | {"Content-Security-Policy": policy, "Cache-Control": REVALIDATE}
        return Response(text, status, media_type="text/html", headers=headers)

    def _host(self, request: Request) -> str:
        """The host name of the request, if it is valid."""
        host = urlsplit(self.config.public_url).netloc if self.config.public_url else request.headers.get("host", "")
        return host if HOST.fullmatch(host) else ""

    async def _preview(self, path: str) -> LinkPreview:
        found = PAGE.fullmatch(path)
        if found is None:
            return LinkPreview(title="tacit: there is nothing here", status=404)
        kind, name = found["kind"], found["name"]
        if kind in ("new", "rules", "learn", "puzzles"):
            try:
                title = game_named(name).title
            except UnknownGame:
                return LinkPreview(title="tacit: there is no such game", status=404)
            if kind == "new":
                return LinkPreview(title=f"{title}: a new table", description=f"Play {title} on tacit.", game=name)
            if kind == "learn":
                return LinkPreview(title=f"{title}: a lesson", description=f"Learn {title} by playing.", game=name)
            if kind == "puzzles":
                return LinkPreview(title=f"{title}: puzzles", description="One decision is the best. Which?", game=name)
            return LinkPreview(title=f"{title}: the rules", description=f"How {title} is played.", game=name)
        if kind in ("t", "replay", "review", "room"):
            return await self._table_preview(kind, name)
        if kind in ("d", "m"):
            return await self._deal_preview(kind, name)
        return LinkPreview()

    async def _deal_preview(self, kind: str, name: str) -> LinkPreview:
        """A deal (`d`) or a duplicate match (`m`): which game, and nothing of its results."""
        rows = DealStore(self.store)
        try:
            deal = await rows.deal(name) if kind == "d" else next(iter(await rows.of_duplicate(name)), None)
        except Exception:  # the page must load even if the database is away: the client reports it
            return LinkPreview()
        if deal is None:
            return LinkPreview(title="tacit: there is no such deal", status=404)
        title, what = game_named(deal.game).title, KINDS[deal.kind]
        return LinkPreview(title=f"{title}: {what}", description=f"The same cards for all: {what}.", game=deal.game)

    async def _table_preview(self, kind: str, name: str) -> LinkPreview:
        try:
            row = await self.store.table(name) if is_table_name(name) else None
        except Exception:  # the page must load even if the database is away: the client reports it
            return LinkPreview()
        if row is None:
            return LinkPreview(title="tacit: there is no such table", status=404)
        title = game_named(row.game).title
        if kind in ("replay", "review", "room"):
            return LinkPreview(title=f"{title}: a match", description=f"A match of {title} on tacit.", game=row.game)
        description = f"A table of {title} on tacit."
        if row.visibility == "open":
            free = sum(seat_row.kind == "open" for seat_row in row.seats)
            now = {"gathering": f"{free} free", "playing": "the match has begun", "over": "the match is over"}
            description = f"{title}: {len(row.seats)} seats, {now[row.phase]}."
        return LinkPreview(title=f"{title}: a table", description=description, game=row.game)

    def _with_tags(self, request: Request, text: str, preview: LinkPreview) -> str:
        """index.html with the title and preview tags of this page, escaped."""
        host = self._host(request)
        base = (self.config.public_url or (f"{request.url.scheme}://{host}" if host else "")).rstrip("/")
        description = preview.description or _description()
        words = {"og:type": "website", "og:site_name": "tacit", "og:title": preview.title}
        words |= {"og:description": description, "og:url": base + quote(request.url.path)}
        image = self._image(preview.game)
        if image is not None:
            words["og:image"] = f"{base}/{image}"
        tags = [f"<title>{html.escape(preview.title)}</title>"]
        tags.append(f'<meta name="description" content="{html.escape(description)}">')
        tags += [f'<meta property="{name}" content="{html.escape(value)}">' for name, value in words.items()]
        head, end, rest = _TAGS.sub("", text).partition("</head>")
        return head + "\n    ".join(["", *tags]) + "\n  " + end + rest

    def _image(self, game: str | None) -> str | None:
        """The preview picture: the game's, or the default. PNG, which every service can show."""
        wanted = [f"icons/preview-{game}.png", "icons/preview.png", "icons/icon-512.png"]
        return next((name for name in wanted if name in self.files), None)


def _description() -> str:
    titles = ", ".join(game_named(name).title for name in game_names())
    return f"{titles}: play with friends and bots, without an account."


def _read(folder: Path) -> dict[str, File]:
    """All files of a folder by path, each with its compressed siblings."""
    found = {p.relative_to(folder).as_posix(): p for p in sorted(folder.rglob("*")) if p.is_file()}
    files = {}
    for name, path in found.items():
        if path.suffix in COMPRESSED.values() and name.removesuffix(path.suffix) in found:
            continue
        plain = path.read_bytes()
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        compressed = {e: found[name + end].read_bytes() for e, end in COMPRESSED.items() if name + end in found}
        files[name] = File(kind, f'"{hashlib.sha256(plain).hexdigest()[:20]}"', plain, compressed)
    return files


def _accepted(header: str) -> set[str]:
    """The encodings that an Accept-Encoding header allows."""
    found = set()
    for part in header.lower().split(","):
        name, _, weight = part.partition(";")
        if not re.fullmatch(r"\s*q=0(\.0*)?\s*", weight):
            found.add(name.strip())
    return found


def _not_built() -> str:
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>tacit</title>"
        f"<h1>tacit is running</h1><p>The web client has not been built. Build it with "
        f"<code>{html.escape(BUILD)}</code> in the folder of the sources and start the server again; "
        "installed packages have it built in.</p>"
        "<p>Bots and other programs can play already: <a href=/api/openapi.json>/api/openapi.json</a>.</p></html>\n"
    )
