"""The web client: built files served from memory, and index.html with the words that a link's preview shows.

The files are read once, so an address can only ever name one of them. What a preview says of a table is what the lobby
would say of an open one; of a private one, only which game it is.
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
from tacit.server.keys import is_table_name
from tacit.server.store import Store

FOLDER = Path(__file__).parent / "page"
BUILD = "npm --prefix web ci && npm --prefix web run build"
PACKED = {"br": ".br", "gzip": ".gz"}  # siblings of a file, the better first
FOR_EVER, LOOK_AGAIN = "public, max-age=31536000, immutable", "no-cache"
TITLE = "tacit: card games that live on what is not said"
PAGE = re.compile(r"/|/replay|/rules|/settings|/(?P<kind>t|new|replay|rules)/(?P<name>[^/]{1,80})")
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
    mimetypes.add_type(_kind, _ending)  # whatever this machine's own list says


class File(msgspec.Struct, frozen=True):
    """One file of the client, as it is and compressed."""

    kind: str
    tag: str
    plain: bytes
    packed: dict[str, bytes]


class About(msgspec.Struct, frozen=True):
    """What a page says of itself to whoever shows a link to it."""

    title: str = TITLE
    description: str = ""  # nothing: what is played here
    game: str | None = None
    status: int = 200


class Page:
    """The client's files, and its pages."""

    def __init__(self, store: Store, config: Config, folder: Path | None = None) -> None:
        self.store, self.config = store, config
        self.files = _read(folder or FOLDER)

    async def serve(self, request: Request) -> Response:
        """A file of the client, or the page that draws itself at any address; 404 where there is nothing to draw."""
        path = request.url.path
        if path.startswith("/assets/") or path.lstrip("/") in self.files.keys() - {"index.html"}:
            return self._file(request, path.lstrip("/"))
        if "index.html" not in self.files:
            return self._headed(request, _not_built(), 503)
        about = await self._about(path)
        text = self.files["index.html"].plain.decode()
        return self._headed(request, self._told(request, text, about), about.status)

    def _file(self, request: Request, name: str) -> Response:
        file = self.files.get(name)
        if file is None:
            return Response("There is no such file.\n", 404, media_type="text/plain")
        headers = {
            "Cache-Control": FOR_EVER if name.startswith("assets/") else LOOK_AGAIN,
            "ETag": file.tag,
            "Vary": "Accept-Encoding",
        }
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        content = file.plain
        accepted = _accepted(request.headers.get("accept-encoding", ""))
        for encoding, packed in file.packed.items():
            if encoding in accepted:
                content, headers["Content-Encoding"] = packed, encoding
                break
        return Response(content, media_type=file.kind, headers=headers)

    def _headed(self, request: Request, text: str, status: int) -> Response:
        host = self._host(request)
        sockets = f" ws://{host} wss://{host}" if host else ""  # 'self' does not cover them in every browser
        policy = (
            f"default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
            f"connect-src 'self'{sockets}; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; "
            f"form-action 'self'"
        )
        headers = HEADERS | {"Content-Security-Policy": policy, "Cache-Control": LOOK_AGAIN}
        return Response(text, status, media_type="text/html", headers=headers)

    def _host(self, request: Request) -> str:
        """The host that people use, as far as it is one."""
        host = urlsplit(self.config.public_url).netloc if self.config.public_url else request.headers.get("host", "")
        return host if HOST.fullmatch(host) else ""

    async def _about(self, path: str) -> About:
        found = PAGE.fullmatch(path)
        if found is None:
            return About(title="tacit: there is nothing here", status=404)
        kind, name = found["kind"], found["name"]
        if kind in ("new", "rules"):
            try:
                title = game_named(name).title
            except UnknownGame:
                return About(title="tacit: there is no such game", status=404)
            if kind == "new":
                return About(title=f"{title}: a new table", description=f"Play {title} on tacit.", game=name)
            return About(title=f"{title}: the rules", description=f"How {title} is played.", game=name)
        if kind in ("t", "replay"):
            return await self._about_table(kind, name)
        return About()

    async def _about_table(self, kind: str, name: str) -> About:
        try:
            row = await self.store.table(name) if is_table_name(name) else None
        except Exception:  # a database that is away must not keep the page from loading: the client says it better
            return About()
        if row is None:
            return About(title="tacit: there is no such table", status=404)
        title = game_named(row.game).title
        if kind == "replay":
            return About(title=f"{title}: a match", description=f"A match of {title} on tacit.", game=row.game)
        description = f"A table of {title} on tacit."
        if row.visibility == "open":
            free = sum(chair.kind == "open" for chair in row.chairs)
            now = {"gathering": f"{free} free", "playing": "the match has begun", "over": "the match is over"}
            description = f"{title}: {len(row.chairs)} seats, {now[row.phase]}."
        return About(title=f"{title}: a table", description=description, game=row.game)

    def _told(self, request: Request, text: str, about: About) -> str:
        """index.html with the title and the words of this page, each escaped."""
        host = self._host(request)
        base = (self.config.public_url or (f"{request.url.scheme}://{host}" if host else "")).rstrip("/")
        description = about.description or _description()
        words = {"og:type": "website", "og:site_name": "tacit", "og:title": about.title}
        words |= {"og:description": description, "og:url": base + quote(request.url.path)}
        image = self._image(about.game)
        if image is not None:
            words["og:image"] = f"{base}/{image}"
        tags = [f"<title>{html.escape(about.title)}</title>"]
        tags.append(f'<meta name="description" content="{html.escape(description)}">')
        tags += [f'<meta property="{name}" content="{html.escape(said)}">' for name, said in words.items()]
        head, end, rest = _TAGS.sub("", text).partition("</head>")
        return head + "\n    ".join(["", *tags]) + "\n  " + end + rest

    def _image(self, game: str | None) -> str | None:
        """The picture for a link: the game's own, or the house's; it must be one that every service can draw."""
        wanted = [f"icons/preview-{game}.png", "icons/preview.png", "icons/icon-512.png"]
        return next((name for name in wanted if name in self.files), None)


def _description() -> str:
    titles = ", ".join(game_named(name).title for name in game_names())
    return f"{titles}: play with friends and bots, without an account."


def _read(folder: Path) -> dict[str, File]:
    """Every file of a folder, by its path; compressed siblings belong to the file they are made from."""
    found = {p.relative_to(folder).as_posix(): p for p in sorted(folder.rglob("*")) if p.is_file()}
    files = {}
    for name, path in found.items():
        if path.suffix in PACKED.values() and name.removesuffix(path.suffix) in found:
            continue
        plain = path.read_bytes()
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        packed = {e: found[name + end].read_bytes() for e, end in PACKED.items() if name + end in found}
        files[name] = File(kind, f'"{hashlib.sha256(plain).hexdigest()[:20]}"', plain, packed)
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
