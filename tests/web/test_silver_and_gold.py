"""Silver & Gold in the browser: a match of two windows and a bot, one by touch on a phone, one by keyboard alone."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from playwright.sync_api import Page

from tests.server.harness import Server
from tests.web import axe, overflow
from tests.web.conftest import PHONE, Guest, Seats
from tests.web.positions import near_the_end, starting_from

# The middle of something that can be tapped, brought into sight; null when there is none.
FIND = """([what, which]) => {
  const found = [...document.querySelectorAll(what)].filter((e) => e.getClientRects().length)
  if (!found.length) return null
  const one = found[Math.floor(which * found.length)]
  one.scrollIntoView({ block: 'center' })
  const box = one.getBoundingClientRect()
  return [box.left + box.width / 2, box.top + box.height / 2]
}"""
LONG = "TACIT_LONG" in os.environ
CELLS, TAKES, KEEPS = ".isles button.can", ".market button.can", ".keep button.can"
DO_IT = ".panel-side .btn.ask[data-offer]:not(:disabled)"


def last(guest: Guest) -> dict[str, Any]:
    return next((f for f in reversed(guest.frames) if f["type"] == "seen"), {"ask": None, "view": {"phase": ""}})


def over(guest: Guest) -> bool:
    return any(f["type"] == "table" and f["phase"] == "over" for f in guest.frames)


class Finger:
    """Somebody who taps: a cell, a card; then the button that does it, or the same thing again."""

    def __init__(self, guest: Guest, seed: int) -> None:
        self.guest, self.page, self.chance = guest, guest.page, random.Random(seed)

    def tap(self, what: str) -> bool:
        spot = self.page.evaluate(FIND, [what, self.chance.random()])
        if spot:
            self.page.touchscreen.tap(*spot)
        return bool(spot)

    def decide(self) -> None:
        phase = last(self.guest)["view"]["phase"]
        if phase == "keep":
            self.tap(KEEPS)
            self.tap(KEEPS)
        elif phase == "take":
            self.tap(TAKES)
        elif not self.tap(CELLS):
            return
        self.tap("[data-confirm]" if phase == "cross" and self.chance.random() < 0.5 else DO_IT)

    def drag(self, start: str, end: str) -> None:
        """The finger goes down on one thing and comes up a hand's breadth below another."""
        (ax, ay), (bx, by) = (self.page.evaluate(FIND, [what, 0.0]) for what in (start, end))
        ax, ay = self.page.evaluate(FIND, [start, 0.0])
        touch = self.page.context.new_cdp_session(self.page)
        for kind, x, y in [
            ("Start", ax, ay),
            *(("Move", ax + (bx - ax) * i / 6, ay + (by + 56 - ay) * i / 6) for i in range(1, 7)),
        ]:
            touch.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": [{"x": x, "y": y}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


class Keyboard:
    """Somebody without a pointer: arrows, R, F, Enter."""

    def __init__(self, guest: Guest, seed: int) -> None:
        self.guest, self.page, self.chance = guest, guest.page, random.Random(seed)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def decide(self) -> None:
        phase = last(self.guest)["view"]["phase"]
        if phase == "keep":
            self.press("ArrowRight", "Enter", "ArrowRight", "Enter")
            self.page.wait_for_selector(DO_IT)
            self.press("Enter")
            return
        self.press(self.chance.choice(["ArrowRight", "ArrowLeft", "ArrowRight", "ArrowDown"]))
        if self.chance.random() < 0.4:
            self.press(self.chance.choice("rf"))
        self.press("Enter", "Enter")


def settle(guest: Guest, ask: object) -> None:
    """Wait until the question is answered, or it is clear that it was not."""
    end = time.monotonic() + 1.5
    while last(guest)["ask"] == ask and time.monotonic() < end:
        guest.page.wait_for_timeout(15)


def sideways(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def test_a_match_by_touch_and_by_keyboard(guests: Callable[..., Guest], server: Server) -> None:
    """The last turns of one, from where the shape fits on both cards; in the long run the whole of it."""
    with nullcontext() if LONG else starting_from(near_the_end("silver-and-gold", 3, 8, seed=44)):
        seats = Seats(server.url, "silver-and-gold", people=2, bots=1)
    phone, desk = guests(**PHONE, reduced_motion="reduce"), guests(reduced_motion="reduce")
    for guest, key in zip((phone, desk), seats.keys, strict=True):
        guest.context.add_init_script(
            "localStorage.setItem('tacit-settings', JSON.stringify({ guide: 'off', pace: 'instant' }))"
        )
        guest.sit(seats.table, key)
        guest.page.wait_for_selector(KEEPS if LONG else "[data-layout]")
    finger, keyboard = Finger(phone, 1), Keyboard(desk, 2)
    dragged, end = False, time.monotonic() + 600
    while not (over(phone) and over(desk)):
        assert time.monotonic() < end, "the match does not end"
        for person in (finger, keyboard):
            ask, view = last(person.guest)["ask"], last(person.guest)["view"]
            if ask is None:
                person.page.wait_for_timeout(10)
                continue
            room = all(held["places"] for held in view["table"][0]["cards"])  # wherever it is dropped, it lies
            if person is finger and not dragged and room and view["phase"] == "cross" and not view["bonus"]:
                dragged = True
                finger.drag(".tray .well", CELLS)
                # It lies where it was dropped, and is not crossed off.
                phone.page.wait_for_selector("[data-confirm].btn")
                assert last(phone)["ask"] == ask
                assert phone.page.locator(".edge:not(.ghost)").count() > 0
                finger.tap("[data-confirm]")
            else:
                person.decide()
            settle(person.guest, ask)
        if last(phone)["view"]["phase"] == "cross" and last(phone)["view"]["turn"] == 3:
            assert sideways(phone.page) <= 0
    assert dragged
    for guest, seat in ((phone, 0), (desk, 1)):
        sums = guest.page.locator(".end tbody .sum")
        sums.first.wait_for()
        result = last(guest)["view"]["result"]
        assert sorted(int(text) for text in sums.all_inner_texts()) == sorted(result["scores"])
        assert guest.page.locator(".end .score b").inner_text() == str(result["scores"][seat])
        assert sideways(guest.page) <= 0
        sealed = [f["view"] for f in guest.frames if f["type"] == "seen" and f["view"]["phase"] == "cross"]
        assert sealed
        assert not any(
            held["fresh"] or held["places"]
            for view in sealed
            for q in view["table"]
            if q["seat"] != seat
            for held in q["cards"]
        )


def test_words_fit_and_all_can_be_read(guests: Callable[..., Guest], server: Server) -> None:
    """360 px with four seats: no German word runs over, and axe finds nothing grave, nor on the rules."""
    seats = Seats(server.url, "silver-and-gold", people=1, bots=3)
    guest = guests(**{**PHONE, "viewport": {"width": 360, "height": 740}}, locale="de-DE", reduced_motion="reduce")
    page = guest.sit(seats.table, seats.keys[0])
    page.wait_for_selector(KEEPS)
    overflow.check(page, "keep")
    axe.both(page, "keep")
    finger = Finger(guest, 3)
    finger.decide()
    page.wait_for_selector(CELLS)
    overflow.check(page, "cross off")
    finger.tap(CELLS)
    page.wait_for_selector("[data-confirm].btn")
    page.locator(".crew button").nth(1).tap()
    overflow.check(page, "laid")
    axe.both(page, "laid")
    page.goto(f"{server.url}/rules/silver-and-gold")
    page.wait_for_selector(".rules .isle")
    overflow.check(page)
    axe.both(page)
