"""The client's files and pages: what is cached, what a preview tells, and what a page may do."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tacit.server import page
from tests.server.harness import TRUST, Api, Server, config, serving

INDEX = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>unwritten</title>
<meta name="description" content="unwritten"><script type="module" src="/assets/main-1a2b.js"></script></head>
<body></body></html>"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a client, small but whole."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "assets").mkdir()
    (folder / "icons").mkdir()
    (folder / "index.html").write_text(INDEX)
    (folder / "assets" / "main-1a2b.js").write_text("hello()")
    (folder / "assets" / "main-1a2b.js.gz").write_bytes(gzip.compress(b"hello()"))
    (folder / "assets" / "main-1a2b.js.br").write_bytes(b"brotli")
    (folder / "icons" / "preview.png").write_bytes(b"png")
    (folder / "icons" / "preview-silencio.png").write_bytes(b"png")
    (folder / "favicon.svg").write_text("<svg/>")
    (folder.parent / "secret.txt").write_text("secret")
    patch = pytest.MonkeyPatch()
    patch.setattr(page, "FOLDER", folder)
    with serving(config(f"sqlite:///{tmp_path_factory.mktemp('data') / 'tacit.db'}")) as running:
        yield running
    patch.undo()


def fetch(server: Server, path: str, **headers: str) -> httpx.Response:
    with httpx.Client(headers={"Accept-Encoding": "identity"} | headers, verify=TRUST) as client:
        return client.get(server.url + path)


def test_hashed_files_are_kept_for_ever_and_the_page_never(built: Server) -> None:
    script = fetch(built, "/assets/main-1a2b.js")
    assert (script.text, script.headers["content-type"]) == ("hello()", "text/javascript; charset=utf-8")
    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "content-encoding" not in script.headers
    packed = fetch(built, "/assets/main-1a2b.js", **{"Accept-Encoding": "gzip, br;q=0"})
    assert (packed.headers["content-encoding"], packed.text) == ("gzip", "hello()")
    request = httpx.Request("GET", built.url + "/assets/main-1a2b.js", headers={"Accept-Encoding": "gzip, br"})
    with httpx.Client(verify=TRUST) as client:
        answer = client.send(request, stream=True)
        assert (answer.headers["content-encoding"], b"".join(answer.iter_raw())) == ("br", b"brotli")
        assert answer.headers["vary"] == "Accept-Encoding"
    icon = fetch(built, "/favicon.svg")
    assert (icon.headers["cache-control"], icon.headers["content-type"]) == ("no-cache", "image/svg+xml")
    assert fetch(built, "/favicon.svg", **{"If-None-Match": icon.headers["etag"]}).status_code == 304
    assert fetch(built, "/").headers["cache-control"] == "no-cache"
    assert fetch(built, "/assets/gone.js").status_code == 404


def test_a_browser_is_told_by_the_page_and_not_by_the_status(built: Server) -> None:
    """It would log the status as an error; whoever fetches a preview gets it."""
    opened = {"Sec-Fetch-Dest": "document"}
    assert fetch(built, "/t/nowhere").status_code == 404
    assert fetch(built, "/t/nowhere", **opened).status_code == 200
    refused = fetch(built, "/api/tables/nowhere", **{"Tacit-Refusals": "200"})
    assert (refused.status_code, refused.headers["tacit-status"]) == (200, "404")
    assert refused.json() == fetch(built, "/api/tables/nowhere").json()


@pytest.mark.parametrize(
    ("path", "status", "title"),
    [
        ("/", 200, page.TITLE),
        ("/settings", 200, page.TITLE),
        ("/you", 200, page.TITLE),
        ("/replay", 200, page.TITLE),
        ("/daily", 200, page.TITLE),
        ("/d/no-such-deal", 404, "tacit: there is no such deal"),
        ("/m/no-such-match", 404, "tacit: there is no such deal"),
        ("/puzzles", 200, page.TITLE),
        ("/puzzles/silencio", 200, "Silencio: puzzles"),
        ("/puzzles/chess", 404, "tacit: there is no such game"),
        ("/new/silencio", 200, "Silencio: a new table"),
        ("/rules/silver-and-gold", 200, "Silver &amp; Gold: the rules"),
        ("/rules/chess", 404, "tacit: there is no such game"),
        ("/t/nowhere", 404, "tacit: there is no such table"),
        ("/t/a/b", 404, "tacit: there is nothing here"),
        ("/index.html", 404, "tacit: there is nothing here"),
        ("/wp-login.php", 404, "tacit: there is nothing here"),
        ('/"><script>alert(1)</script>', 404, "tacit: there is nothing here"),
        ("/%2e%2e/secret.txt", 404, "tacit: there is nothing here"),
        ("/icons/..%2f..%2fsecret.txt", 404, "tacit: there is nothing here"),
    ],
)
def test_every_address_draws_the_client(built: Server, path: str, status: int, title: str) -> None:
    found = fetch(built, path)
    assert (found.status_code, found.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert f"<title>{title}</title>" in found.text
    assert found.text.count("<title>") == found.text.count('name="description"') == 1
    assert "unwritten" not in found.text
    assert "<script>" not in found.text
    assert 'src="/assets/main-1a2b.js"' in found.text
    image = "preview-silencio.png" if "silencio" in path else "preview.png"
    assert f'<meta property="og:image" content="{built.url}/icons/{image}">' in found.text


def test_pages_have_the_headers_of_a_shut_door(built: Server) -> None:
    for path in ("/", "/nothing"):
        headers = fetch(built, path).headers
        policy = headers["content-security-policy"]
        host = built.url.removeprefix("http://")
        for rule in (
            "default-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'",
            f"connect-src 'self' ws://{host} wss://{host};",
        ):  # fmt: skip
            assert rule in policy
        assert "script-src" not in policy  # so scripts are our own files, and none is inline
        for name in ("permissions-policy", "cross-origin-opener-policy", "x-frame-options", "referrer-policy"):
            assert headers[name]
        assert headers["x-content-type-options"] == "nosniff"
    odd = fetch(built, "/", Host="x; script-src *").headers["content-security-policy"]
    assert "script-src" not in odd
    assert fetch(built, "/api/games").headers["content-security-policy"].startswith("default-src 'none'")


def test_a_preview_tells_of_a_table_what_the_lobby_would(built: Server) -> None:
    api = Api(built.url)
    chairs = [{}, {}, {"kind": "bot", "bot": "random"}]
    open_one = api.post(
        "/api/tables", game="silencio", seats=3, name="<b>Ada</b>", chairs=chairs, visibility="open"
    ).json()
    shown = fetch(built, f"/t/{open_one['table']}").text
    assert 'og:description" content="Silencio: 3 seats, 1 free."' in shown
    assert "Ada" not in shown
    private = api.post("/api/tables", game="silencio", seats=3, name="Ada", chairs=chairs).json()
    told = fetch(built, f"/t/{private['table']}").text
    assert 'og:description" content="A table of Silencio on tacit."' in told
    assert "seats" not in told
    assert 'og:url" content="' + f"{built.url}/t/{private['table']}" in told
    assert private["key"] not in told


def test_without_a_client_the_page_says_how_to_build_it(server: Server, tmp_path: Path) -> None:
    unbuilt = page.Page(server.app.store, server.app.config, tmp_path / "nothing")
    server.app.page.files, before = unbuilt.files, server.app.page.files
    try:
        said = fetch(server, "/")
        assert said.status_code == 503
        assert "npm --prefix web run build" in said.text
        assert said.headers["content-security-policy"]
        assert fetch(server, "/api/games").status_code == 200
    finally:
        server.app.page.files = before
