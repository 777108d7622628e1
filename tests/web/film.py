"""Film strips: the moves of bots after one's own decision, at normal pace, as eight pictures in a row.

    python -m tests.web.film OUT [GAME ...]

Somebody who does not know a game should see in them what happened.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser

from tacit import GAMES
from tests.server.harness import Server, config, serving
from tests.web.conftest import DESKTOP, PHONE, Guest, Seats
from tests.web.positions import positions, table_at
from tests.web.shots import studio
from tests.web.test_seats import ByHand

FRAMES, EVERY = 8, 650  # pictures, and milliseconds between them
PHASES = {"silencio": "turn", "silver-and-gold": "cross", "zombie-city": "main", "silent-planet": "point"}


def decide(server: Server, table: Seats) -> None:
    """Decides by another client of the same seat until it is somebody else's turn."""
    people = ByHand(server.url, table)
    for _ in range(50):
        if not people.decide(0):
            return


def film(browser: Browser, server: Server, out: Path, game: str, how: dict[str, Any], name: str) -> None:
    context = browser.new_context(locale="en-GB", **{**how, "device_scale_factor": 1})
    guest = Guest(context, server.url, pace="normal")
    table = table_at(server, game, 3, positions(game, 3)[PHASES[game]])
    page = guest.sit(table.table, table.keys[0])
    page.locator("[data-layout]").wait_for()
    decide(server, table)
    page.locator(".event-strip.telling").wait_for()
    shots = []
    for i in range(FRAMES):
        page.wait_for_timeout(EVERY if i else 200)
        path = out / f"{game}-{name}-{i}.png"
        page.screenshot(path=str(path))
        shots.append(Image.open(path))
    context.close()
    width, height = shots[0].size
    wide, columns = (720, 2) if width > height else (390, FRAMES // 2)
    high = round(height * wide / width)
    sheet = Image.new("RGB", (columns * wide, FRAMES // columns * high))
    for i, shot in enumerate(shots):
        sheet.paste(shot.resize((wide, high)), (i % columns * wide, i // columns * high))
    sheet.save(out / f"{game}-{name}.png")


def main(out: Path, games: list[str]) -> None:
    with (
        studio(out) as (browser, folder),
        serving(config(f"sqlite:///{folder}/tacit.db", bot_delay=(0.1, 0.2))) as server,
    ):
        for game in games or list(GAMES):
            film(browser, server, out, game, DESKTOP, "desktop")
            film(browser, server, out, game, PHONE, "phone")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
