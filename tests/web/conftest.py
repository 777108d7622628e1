"""A real server, a real Chromium, and people who tap: what the browser tests share."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, WebSocket, expect, sync_playwright
from web import build_page

from tacit import GAMES
from tacit.core.keyed_chance import derive
from tests.server.harness import ROOT, TRUST, Server, config, serving
from tests.web import chromium

# A Chromium with windows draws the popup of its address bar with two pages of its own in every window that nobody sees:
# twice the processor time of a test's own page. Chromium heeds one list only, so Playwright's stands here, too.
NEEDLESS = [
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "TcpPortRandomizationWin", "OptimizationHints",
    "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch",
    "SpareRendererForSitePerProcess",  # a process for a page that nobody opens
]  # fmt: skip
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", f"--disable-features={','.join(NEEDLESS)}",
    "--js-flags=--single-threaded",  # helpers of V8 that optimize a page nobody stays on take an eighth of the time
]  # fmt: skip
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 1}
DESKTOP = {"viewport": {"width": 1440, "height": 900}}
# Games for what the page does alike in all of them: one, and in the long run all.
SOME_GAMES = GAMES if "TACIT_LONG" in os.environ else ("zombie-city",)
PATIENCE = 60_000  # milliseconds: a busy machine makes a test slow, not red
expect.set_options(timeout=PATIENCE)


def build() -> Path:
    """The web client, built from what lies here."""
    (ROOT / ".cache").mkdir(exist_ok=True)
    with (ROOT / ".cache" / "page.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two test processes build it once
        build_page.build()
    return build_page.PAGE


@pytest.fixture(scope="session")
def built() -> Path:
    return build()


@pytest.fixture(scope="session")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with quick bots and no limits."""
    with serving(config(f"sqlite:///{tmp_path_factory.mktemp('web')}/tacit.db", bot_delay=(0.0, 0.02))) as running:
        yield running


@pytest.fixture(autouse=True)
def same_deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cards and the same dice for the bots in every run, so that what one run finds, the next finds again."""
    name = request.node.nodeid.encode()
    key = derive(b"tests", name)
    monkeypatch.setattr("tacit.server.deal_secrets.DealSecrets.match_key", lambda *_: key)
    dice = random.Random(name)
    monkeypatch.setattr("tacit.bots.match_bots.secrets", SimpleNamespace(randbits=dice.getrandbits))


@pytest.fixture(scope="session")
def chromiums() -> Iterator[BrowserType]:
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def browser(chromiums: BrowserType) -> Iterator[Browser]:
    running = chromiums.launch(executable_path=chromium.own(), args=FLAGS)
    yield running
    running.close()


class Guest:
    """Somebody at a browser. Every frame that came is kept; an error in the page fails the test."""

    def __init__(self, context: BrowserContext, url: str, pace: str = "instant") -> None:
        self.context, self.url = context, url
        # Tests see everything at once, except those that look at the pace itself.
        chosen = f"localStorage['tacit-settings'] ??= JSON.stringify({{pace: '{pace}'}})"
        context.add_init_script(f"try {{ {chosen} }} catch {{}}")  # an empty page has no storage
        self.errors: list[str] = []
        self.frames: list[dict[str, Any]] = []
        self.page = self.tab()

    def tab(self) -> Page:
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("websocket", self._listen)
        return page

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(json.loads(frame)))

    def sit(self, table: str, key: str) -> Page:
        """To a table by the private link of a seat."""
        self.page.goto(f"{self.url}/t/{table}#{key}")
        return self.page


@pytest.fixture
def guests(browser: Browser, server: Server) -> Iterator[Callable[..., Guest]]:
    """Makes guests: guests(), guests(**PHONE), guests(color_scheme="dark", locale="de").

    They wish no motion, except those who look at the pace: what may be tapped breathes, and to draw that without a GPU
    takes most of a core for as long as anybody looks at a table.
    """
    made: list[Guest] = []

    def make(pace: str = "instant", **how: Any) -> Guest:
        motion = "reduce" if pace == "instant" else "no-preference"
        context = browser.new_context(**{"locale": "en-GB", "reduced_motion": motion, **DESKTOP, **how})
        made.append(Guest(context, server.url, pace))
        return made[-1]

    yield make
    errors = [error for guest in made for error in guest.errors]
    for guest in made:
        with contextlib.suppress(Exception):
            guest.context.close()
    assert not errors, errors


class Seats:
    """A table made over HTTP, with a key for each person's seat."""

    def __init__(self, url: str, game: str, people: int = 1, bots: int = 2, bot: str = "random", **more: Any) -> None:
        chairs = [{"kind": "open"}] * people + [{"kind": "bot", "bot": bot}] * bots
        wish = {"game": game, "seats": people + bots, "name": "Ada", "chairs": chairs, **more}
        with httpx.Client(base_url=url, verify=TRUST, timeout=60) as http:
            made = http.post("/api/tables", json=wish)
            assert made.status_code == 201, made.text
            self.table: str = made.json()["table"]
            self.keys: list[str] = [made.json()["key"]]
            for name in ["Ben", "Cleo", "Dan", "Eve", "Finn"][: people - 1]:
                joined = http.post(f"/api/tables/{self.table}/join", json={"name": name})
                self.keys.append(joined.json()["key"])
            head = {"Authorization": f"Bearer {self.keys[0]}"}
            started = http.post(f"/api/tables/{self.table}/start", json={}, headers=head)
            assert started.status_code == 200, started.text

    def phase(self, url: str) -> str:
        return str(httpx.get(f"{url}/api/tables/{self.table}", verify=TRUST, timeout=60).json()["phase"])


CAN = "[data-piece].can:visible, [data-offer]:visible"


def tap_something(page: Page, chance: random.Random, *, touch: bool = False) -> bool:
    """One tap on anything that may be tapped now; False if nothing may."""
    found = page.locator(CAN)
    staged = page.locator("[data-confirm]:visible, .btn.ask[data-offer]:visible")
    target = staged if staged.count() and chance.random() < 0.7 else found
    n = target.count()
    if n == 0:
        return False
    one = target.nth(chance.randrange(n))
    with contextlib.suppress(Exception):  # it may go while we reach for it: others play too
        (one.tap if touch else one.click)(timeout=1000)
    return True


def play_to_the_end(*pages: Page) -> None:
    """Tap until each of them is offered another match, however slowly they answer."""
    chance = random.Random(0)
    until = time.monotonic() + 2 * PATIENCE / 1000
    while playing := [page for page in pages if not page.locator("[data-again]:visible").count()]:
        assert time.monotonic() < until, "the match did not end"
        if not any(tap_something(page, chance) for page in playing):
            playing[0].wait_for_timeout(50)
