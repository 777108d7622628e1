"""Matches by keyboard alone: the focus is never lost, each question begins where one can decide, and whoever does not
see the table is told all of it.
"""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tacit import GAMES
from tests.server.harness import Server
from tests.web.conftest import Guest, Seats
from tests.web.positions import near_the_end, table_at

LONG = "TACIT_LONG" in os.environ
FOCUS = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const at = document.activeElement
  window.lookedAt = document.querySelector('[data-ask]')?.dataset.ask ?? ''
  done({
    nowhere: at === document.body,
    piece: at.matches('[data-piece], [data-offer], [data-decision], [data-confirm], [data-begin]'),
    own: at.closest('[data-region="own"]') !== null,
    prompt: at.matches('[data-prompt]'),
    hand: document.querySelector('[data-region="own"] button[data-piece].can') !== null,
    ask: window.lookedAt,
    over: document.querySelector('[data-again]') !== null,
  })
})))"""
# A key is for the question that was looked at: one that comes between the look and the key must not lose its beginning.
MEANT = """addEventListener('keydown', (event) => {
  const ask = document.querySelector('[data-ask]')?.dataset.ask ?? ''
  if (window.lookedAt === undefined || ask === window.lookedAt) return
  event.preventDefault()
  event.stopImmediatePropagation()
}, true)"""
IN_HAND = """() => !document.querySelector('[data-region="own"] button[data-piece].can')
  || document.activeElement.closest('[data-region="own"]') !== null"""
WAYS = ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown")
KEYS = {"silver-and-gold": (*WAYS, "r", "f")}  # a shape can be turned and mirrored
NEAR = {"silencio": 4, "silver-and-gold": 3, "zombie-city": 3, "silent-planet": 4}  # decisions left


def last_seen(guest: Guest) -> dict[str, Any]:
    return next(frame for frame in reversed(guest.frames) if frame["type"] == "seen")


class Player:
    """Somebody without a pointer and without a screen."""

    def __init__(self, guest: Guest, game: str, seed: int = 3) -> None:
        self.guest, self.page, self.game, self.chance = guest, guest.page, game, random.Random(seed)
        self.asked, self.questions = "", 0
        self.page.add_init_script(MEANT)

    def sit(self, seats: Seats) -> None:
        self.guest.sit(seats.table, seats.keys[0])
        self.page.locator("[data-layout]").wait_for()
        self.page.keyboard.press("ArrowRight")

    def play(self, questions: int = 10_000) -> None:
        """Until the end, or so many questions."""
        page, end = self.page, time.time() + 240
        while not (now := page.evaluate(FOCUS))["over"] and self.questions < questions:
            assert time.time() < end, f"the match does not end: {now}"
            if now["nowhere"]:  # for a moment between two drawings only
                expect(page.locator("main :focus")).to_have_count(1, timeout=3000)
            elif not now["ask"]:
                page.wait_for_timeout(20)
            elif now["ask"] != self.asked and not now["piece"]:  # the last answer may still be on its way
                page.locator(":is([data-piece], [data-offer], [data-begin]):focus").first.wait_for(timeout=5000)
            else:
                if now["ask"] != self.asked:
                    self.begin(now)
                self.press()

    def begin(self, now: dict[str, Any]) -> None:
        """A new question: the focus is where it can be answered, and all of the table can be read."""
        self.asked, self.questions = now["ask"], self.questions + 1
        if now["hand"] and not now["own"]:  # no key is pressed: the page itself must go there
            self.page.wait_for_function(IN_HAND)
        tree = self.page.locator("main").aria_snapshot()
        nameless = [line for line in tree.splitlines() if re.match(r"\s*- '?(button|link|region|group)( \[|:|$)", line)]
        assert not [line for line in nameless if "group" not in line], "\n".join(nameless)
        assert re.match(r"- '?button \".+\"", self.page.locator("main :focus").aria_snapshot())
        if self.game in TOLD:
            TOLD[self.game](tree, last_seen(self.guest)["view"])

    def press(self) -> None:
        if self.page.locator(".strip:focus-within").count():
            return self.ready()
        keys = KEYS.get(self.game, WAYS)
        self.page.keyboard.press("Enter" if self.chance.random() < 0.6 else self.chance.choice(keys))

    def ready(self) -> None:
        """A row is made: pick a card up, carry it, put it down; then Ready, twice."""
        for key in ("Space", "ArrowRight", "ArrowRight", "Space", "h"):
            self.page.keyboard.press(key)
        for _ in range(20):
            if self.page.evaluate("document.activeElement.textContent.includes('Ready')"):
                break
            self.page.keyboard.press("Tab")
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Enter")


def told_islands(tree: str, view: dict[str, Any]) -> None:
    """Silver & Gold unseen: every cell of one's islands, of the display and of the hand, with its symbol."""
    signs = {".": "no cell", "o": "free", "$": "coin", "^": "palm", "x": "cross"}

    def in_words(island: dict[str, Any], crossed: list[str]) -> str:
        rows = []
        for y, row in enumerate(island["rows"]):
            cells = [
                "crossed off" if f"{'abcd'[x]}{y + 1}" in crossed else signs.get(sign, "free")
                for x, sign in enumerate(row)
            ]
            rows.append(f"Row {y + 1}: {', '.join(cells)}")
        return ". ".join(rows)

    own = view["table"][view["you"]]["cards"]
    for held in own if view["phase"] != "keep" else []:
        assert in_words(held["island"], held["crossed"]) in tree
    for island in [*view["hand"], *(view["display"] if view["phase"] != "keep" else [])]:
        assert in_words(island, []) in tree


def told_shelters(tree: str, view: dict[str, Any]) -> None:
    """Zombie City unseen: what every shelter holds."""
    for shelter in view["shelters"]:
        if shelter["living"]:
            people = shelter["survivors"]
            assert ("one survivor;" if people == 1 else f"{people} survivors;") in tree


def told_rows(tree: str, view: dict[str, Any]) -> None:
    """Silent Planet unseen: every card of every row by its place."""
    if view["phase"] == "point":
        assert len(re.findall(r'"\d: ', tree)) >= 9 * view["seats"]
        assert "fits" in tree


TOLD = {"silver-and-gold": told_islands, "zombie-city": told_shelters, "silent-planet": told_rows}


@pytest.mark.parametrize("game", GAMES)
def test_a_match_begins_and_ends_by_keyboard(game: str, guests: Callable[..., Guest], server: Server) -> None:
    """Its first questions and its last ones; with TACIT_LONG all of it."""
    beginner = Player(guests(), game)
    beginner.sit(Seats(server.url, game, people=1, bots=2))
    beginner.play(10_000 if LONG else 2)
    player = Player(guests(), game)
    player.sit(table_at(server, game, 3, near_the_end(game, 3, NEAR[game])))
    player.play()
    assert player.questions >= 1
    expect(player.page.locator("[data-again]")).to_be_visible()
    expect(player.page.locator("main :focus")).to_have_count(1)


def test_a_question_mark_explains_what_has_the_focus(guests: Callable[..., Guest], server: Server) -> None:
    """Right-click and tap-and-hold say the same; Escape closes it, and the focus stays."""
    seats = Seats(server.url, "silencio", people=1, bots=2)
    page = guests().sit(seats.table, seats.keys[0])
    card = page.locator("[data-region='own'] [data-piece^='card:']").first
    card.wait_for()
    explained(page, lambda: card.click(button="right"))
    page.keyboard.press("Escape")
    expect(page.locator("[data-popover]")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    before = page.evaluate("document.activeElement.outerHTML")
    explained(page, lambda: page.keyboard.press("?"))
    first = page.locator("[data-popover]").inner_text()
    page.keyboard.press("ArrowUp")  # looks at the next thing
    expect(page.locator("[data-popover]")).not_to_have_text(first)
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.outerHTML") == before


def explained(page: Page, ask: Callable[[], None]) -> None:
    ask()
    note = page.locator("[data-popover]")
    expect(note).to_be_visible()
    assert len(note.inner_text()) > 3
    box, view = note.bounding_box(), page.viewport_size
    assert box
    assert view
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= view["width"]
    assert box["y"] + box["height"] <= view["height"]
