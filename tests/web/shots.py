"""Screenshots of every page and table: phone and desktop, light and dark. `python -m tests.web.shots OUT [name …]`;
`… OUT positions [game …]`: every phase of a game with fewest and most seats, at every size, light and dark.
`… OUT lessons [game …]`: every step of every lesson, on the smallest phone and at a desk, light and dark.
`… docs/pictures documents`: the pictures of the page that the documents show.

Tables are played by steady bots and by chance, to the middle and to the end. Nothing here is a test: somebody looks.
"""

from __future__ import annotations

import contextlib
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from PIL import Image  # matplotlib brings it
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

from tacit import GAMES, game_named
from tacit.core.lessons import lesson_of
from tests.server.harness import TRUST, config, serving
from tests.web import chromium
from tests.web.conftest import DESKTOP, FLAGS, PHONE, Guest, Seats, build, tap_something
from tests.web.positions import NEVER, table_at
from tests.web.positions import positions as phases

SIZES: dict[str, dict[str, Any]] = {"phone": PHONE, "desktop": DESKTOP}
LAYOUTS = [(360, 640), (390, 844), (844, 390), (768, 1024), (1024, 768), (1280, 720), (1440, 900)]
MIDDLE = 14  # taps until the middle of a match
PAGES = {
    "home": "/",
    "settings": "/settings",
    "nowhere": "/nothing/here",
    **{f"new-{game}": f"/new/{game}" for game in GAMES},
    **{f"rules-{game}": f"/rules/{game}" for game in GAMES},
}


@contextlib.contextmanager
def looking(browser: Browser, size: str, theme: str, language: str = "en-GB") -> Iterator[BrowserContext]:
    context = browser.new_context(locale=language, color_scheme=theme, **SIZES[size])  # type: ignore[arg-type]
    context.set_default_timeout(15_000)
    context.on("weberror", lambda error: print("ERROR", error.error, flush=True))
    try:
        yield context
    finally:
        context.close()


def shot(page: Page, out: Path, name: str, whole: bool = False) -> None:
    page.wait_for_timeout(500)  # fonts and glides
    page.screenshot(path=out / f"{name}.png", full_page=whole)
    print(name, flush=True)


def fill_lobby(url: str) -> None:
    """Some open tables, so that the first page has something to show."""
    with httpx.Client(base_url=url, verify=TRUST) as http:
        for game, name, seats, others in (
            ("silver-and-gold", "Ruth", 3, ["Ines"]),
            ("silent-planet", "Heron", 5, ["Bo", "Mira"]),
            ("zombie-city", "Max", 4, ["Ada", "Ben", "Cleo"]),
        ):
            wish = {"game": game, "seats": seats, "name": name, "visibility": "open", "spectators": "public"}
            made = http.post("/api/tables", json=wish)
            table, key = made.json()["table"], made.json()["key"]
            for other in others:
                http.post(f"/api/tables/{table}/join", json={"name": other})
            http.cookies.clear()
            if len(others) + 1 == seats:
                http.post(f"/api/tables/{table}/start", json={}, headers={"Authorization": f"Bearer {key}"})


def play_a_while(page: Page, taps: int, seconds: float = 90.0) -> None:
    """Taps on things, until there were enough taps or the match is over."""
    chance, end, done = random.Random(7), time.time() + seconds, 0
    while done < taps and time.time() < end and not page.locator("[data-again]").count():
        if tap_something(page, chance):
            done += 1
        else:
            page.wait_for_timeout(30)


def tables(browser: Browser, url: str, out: Path, wanted: list[str]) -> None:
    for game in GAMES:
        if wanted and not any(name in f"table-{game}" for name in wanted):
            continue
        for size in SIZES:
            seats = Seats(url, game, people=1, bots=3 if game == "zombie-city" else 2, bot="steady")
            with looking(browser, size, "light") as context:
                page = context.new_page()
                page.goto(f"{url}/t/{seats.table}#{seats.keys[0]}")
                page.locator("main.table").wait_for()
                shot(page, out, f"table-{game}-start-{size}-light")
                play_a_while(page, MIDDLE)
                page.wait_for_timeout(700)
                for theme in ("light", "dark"):
                    page.emulate_media(color_scheme=theme)
                    shot(page, out, f"table-{game}-middle-{size}-{theme}")
                play_a_while(page, 2000)
                for theme in ("light", "dark"):
                    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
                    shot(page, out, f"table-{game}-end-{size}-{theme}")


def documents(browser: Browser, url: str, out: Path) -> None:
    """The first page, a table at a desk and one on a phone, in 128 colours: they are kept in the repository."""
    for name, game, size in (
        ("page-home", None, {"viewport": {"width": 1100, "height": 755}}),
        ("page-silencio", "silencio", {"viewport": {"width": 1200, "height": 750}}),
        ("page-silver-and-gold", "silver-and-gold", {"viewport": {"width": 390, "height": 844}, "has_touch": True}),
    ):
        context = browser.new_context(locale="en-GB", color_scheme="light", **size)
        page = context.new_page()
        if game is None:
            page.goto(url)
            page.locator("main").wait_for()
        else:
            seats = Seats(url, game, people=1, bots=2, bot="steady")
            page.goto(f"{url}/t/{seats.table}#{seats.keys[0]}")
            page.locator("main.table").wait_for()
            play_a_while(page, MIDDLE)
            page.wait_for_timeout(1500)
        shot(page, out, name)
        context.close()
        with Image.open(out / f"{name}.png") as picture:
            small = picture.convert("RGB").quantize(128)
        small.save(out / f"{name}.png", optimize=True)


def pages(browser: Browser, url: str, out: Path, wanted: list[str]) -> None:
    for size in SIZES:
        for theme in ("light", "dark"):
            with looking(browser, size, theme) as context:
                page = context.new_page()
                for name, path in PAGES.items():
                    if wanted and not any(w in name for w in wanted):
                        continue
                    page.goto(url + path)
                    page.locator("main").wait_for()
                    shot(page, out, f"{name}-{size}-{theme}", whole=True)


def flows(browser: Browser, url: str, out: Path, wanted: list[str]) -> None:
    """Home with matches of one's own, the invitation, the gathering, the table's sheets."""
    if wanted and not any(w in "flows invite gathering menu home" for w in wanted):
        return
    for size in SIZES:
        for theme, language in (("light", "en-GB"), ("dark", "de-DE")):
            tag = f"{size}-{theme}-{language[:2]}"
            with looking(browser, size, theme, language) as context:
                page = context.new_page()
                page.goto(url)
                page.locator("[data-play]").first.click()
                page.locator("main.table").wait_for()
                page.locator("[data-menu]").click()
                shot(page, out, f"menu-{tag}")
                page.keyboard.press("Escape")
                page.goto(url)
                page.locator('[data-game="silver-and-gold"] [data-invite]').click()
                page.locator("[data-name]").fill("Mira")
                page.locator("dialog form button").click()
                page.locator("[data-copy]").wait_for()
                shot(page, out, f"invite-{tag}")
                page.locator('dialog a[href^="/t/"]').click()
                page.locator("[data-start]").wait_for()
                shot(page, out, f"gathering-{tag}", whole=True)
                page.goto(url)
                page.locator(".resume").first.wait_for()
                shot(page, out, f"home-yours-{tag}", whole=True)


def positions(browser: Browser, folder: str, out: Path, games: list[str]) -> None:
    """Every phase with fewest and most seats, at rest and with one piece picked, at every size, light and dark."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", has_touch=True)
    with serving(config(f"sqlite:///{folder}/still.db", bot_delay=NEVER)) as server:
        guest = Guest(context, server.url)
        for game in games or GAMES:
            for seats in {game_named(game).min_seats, game_named(game).max_seats}:
                for phase, record in phases(game, seats).items():
                    table = table_at(server, game, seats, record)
                    page = guest.sit(table.table, table.keys[0])
                    page.locator("[data-layout]").wait_for()
                    for state in ("rest", "picked"):
                        can = page.locator("[data-piece].can:visible")
                        if state == "picked" and not can.count():
                            break
                        if state == "picked":
                            can.first.click()
                        for width, height in LAYOUTS:
                            page.set_viewport_size({"width": width, "height": height})
                            for theme in ("light", "dark"):
                                page.emulate_media(color_scheme=theme)
                                page.wait_for_timeout(150)
                                name = f"{game}-{seats}-{phase}-{state}-{width}x{height}-{theme}"
                                page.screenshot(path=out / f"{name}.png")
                        print(f"{game}-{seats}-{phase}-{state}", flush=True)
    context.close()


def lessons(browser: Browser, url: str, out: Path, games: list[str]) -> None:
    """Every step as it begins; by the language of the other half of the pictures, German too."""
    for (width, height), language in (((360, 640), "de-DE"), ((1280, 720), "en-GB")):
        for game in games or GAMES:
            lesson = lesson_of(game)
            context = browser.new_context(locale=language, reduced_motion="reduce", viewport=size(width, height))
            context.set_default_timeout(60_000)
            page = context.new_page()
            page.goto(url)
            for number, step in enumerate(lesson.steps if lesson else (), 1):
                at = {game: {"at": number, "of": 9, "done": False}}
                page.evaluate("at => localStorage.setItem('tacit-lessons', at)", json.dumps(at))
                page.goto(f"{url}/learn/{game}")
                page.locator(f'main[data-step="{step.name}"] [data-layout]').wait_for()
                for theme in ("light", "dark"):
                    page.emulate_media(color_scheme=theme)
                    shot(page, out, f"lesson-{game}-{number}-{width}-{theme}")
            context.close()


def size(width: int, height: int) -> ViewportSize:
    return {"width": width, "height": height}


@contextlib.contextmanager
def studio(out: Path) -> Iterator[tuple[Browser, str]]:
    """The page built, a folder to write to, a browser and an empty folder for a database."""
    out.mkdir(parents=True, exist_ok=True)
    build()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.own(), args=FLAGS)
        yield browser, folder
        browser.close()


def main(out: Path, wanted: list[str]) -> None:
    with studio(out) as (browser, folder):
        if wanted[:1] == ["positions"]:
            positions(browser, folder, out, wanted[1:])
            return
        with serving(config(f"sqlite:///{folder}/tacit.db", bot_delay=(0.0, 0.05))) as server:
            fill_lobby(server.url)
            if wanted[:1] == ["lessons"]:
                lessons(browser, server.url, out, wanted[1:])
                return
            if wanted[:1] == ["documents"]:
                documents(browser, server.url, out)
                return
            pages(browser, server.url, out, wanted)
            flows(browser, server.url, out, wanted)
            tables(browser, server.url, out, wanted)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
