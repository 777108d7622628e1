"""Zombie City in real browsers: a whole match by touch and by keyboard, and what the table shows on the way."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.server.harness import Server
from tests.web import axe, overflow
from tests.web.conftest import CAN, PHONE, Guest, Seats, tap_something

STILL = {"reduced_motion": "reduce"}


def asked(guest: Guest) -> dict[str, Any] | None:
    """What a guest was shown last."""
    return next((frame for frame in reversed(guest.frames) if frame["type"] == "seen"), None)


def over(guest: Guest) -> bool:
    return any(frame["type"] == "table" and frame["phase"] == "over" for frame in guest.frames)


def first_piece(text: str) -> str | None:
    """What a person taps first for a decision; None for one that is a button."""
    verb, *words = text.split()
    if verb in ("discard", "noise", "play"):
        return f"card:{words[0]}"
    if verb == "use":
        return f"barrier:{words[0]}"
    return f"zombie:{words[0]}.0" if verb == "send" else None


def press_something(page: Page, chance: random.Random) -> bool:
    """One choice by keyboard alone: Tab to something that may be tapped, then Enter; False if nothing may."""
    if page.locator(f"{CAN}, [data-confirm]").count() == 0:
        return False
    staged = page.locator("[data-confirm]").count() > 0 and chance.random() < 0.7
    wanted = "[data-confirm]" if staged else "[data-piece].can, [data-offer], [data-confirm]"
    for _ in range(chance.randrange(1, 4)):
        page.keyboard.press("Tab")
    for _ in range(30):
        if page.evaluate("e => document.activeElement.matches(e)", wanted):
            page.keyboard.press("Enter")
            break
        page.keyboard.press("Tab")
    return True


def scan(guest: Guest, seat: int) -> None:
    """Nothing that a guest was sent tells what is in another hand."""
    for frame in guest.frames:
        if frame["type"] not in ("seen", "previewed"):
            continue
        view = frame["view"]
        assert view["you"] == seat
        assert len(view["hand"]) == view["shelters"][seat]["hand"]
        for line in frame["heard"]:
            who, verb, *words = line.split()
            if who == "*" and verb == "deal" and int(words[0]) != seat:
                assert words[1] == "?"


@pytest.mark.long  # test_keyboard.py plays its beginning and its end
def test_a_whole_match_by_touch_and_by_keyboard(guests: Callable[..., Guest], server: Server) -> None:
    seats = Seats(server.url, "zombie-city", people=2, bots=1, options={"survivors": 1, "expert": True})
    touch, keys = guests(**PHONE, **STILL), guests(**STILL)
    touch.sit(seats.table, seats.keys[0])
    keys.sit(seats.table, seats.keys[1])
    for page in (touch.page, keys.page):
        page.locator(".zc").wait_for()
    chance, end = random.Random(4), time.time() + 600
    checked = 0
    while not (over(touch) and over(keys)):
        assert time.time() < end, "the match does not end"
        seen = asked(touch)
        if checked < 6 and seen and seen["ask"] is not None and touch.page.locator(CAN).count():
            checked += everything_can_be_tapped(touch)
        one = tap_something(touch.page, chance, touch=True)
        other = press_something(keys.page, chance)
        if not one and not other:
            touch.page.wait_for_timeout(15)
    assert checked > 2
    scan(touch, 0)
    scan(keys, 1)
    for guest in (touch, keys):
        guest.page.locator(".result li").nth(2).wait_for()  # everybody has a rank
        assert sideways(guest.page) <= 0


def everything_can_be_tapped(guest: Guest) -> int:
    """Every legal decision begins with something on the table that glows, or is a button; and nothing else glows."""
    page = guest.page
    page.keyboard.press("Escape")
    for _ in range(40):  # the page may be a frame behind, and others play on
        latest = asked(guest)
        assert latest
        pieces = {piece for text in latest["legal"] if (piece := first_piece(text))}
        buttons = {text for text in latest["legal"] if first_piece(text) is None}
        glow = set(page.evaluate("[...document.querySelectorAll('[data-piece].can')].map(e => e.dataset.piece)"))
        there = set(page.evaluate("[...document.querySelectorAll('[data-offer]')].map(e => e.dataset.offer)"))
        if (glow, there) == (pieces, buttons):
            return 1
        page.wait_for_timeout(10)
    raise AssertionError((glow, pieces, there, buttons))


def sideways(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_six_seats_fit_a_small_phone_in_german_and_offend_no_reader(
    guests: Callable[..., Guest], server: Server, theme: str
) -> None:
    """360 px, German: nothing is wider than the page, no word leaves its card, and axe finds nothing serious."""
    small = {**PHONE, "viewport": {"width": 360, "height": 740}, "locale": "de-DE", "color_scheme": theme, **STILL}
    guest = guests(**small)
    seats = Seats(server.url, "zombie-city", people=1, bots=5)
    page = guest.sit(seats.table, seats.keys[0])
    page.locator("[data-offer=keep]").click()
    page.locator("[data-offer=keep]").click()
    page.locator("[data-offer=done]").wait_for()
    overflow.check(page)
    axe.check(page)


def test_the_rules_are_drawn_and_fit_in_every_language(guests: Callable[..., Guest]) -> None:
    for language in ("en-GB", "de-DE", "nl-NL"):
        guest = guests(**{**PHONE, "viewport": {"width": 360, "height": 740}, "locale": language, **STILL})
        guest.page.goto(f"{guest.url}/rules/zombie-city")
        guest.page.locator(".rules .rc").nth(15).wait_for()  # all sixteen cards
        assert "⟨" not in guest.page.inner_text("main")  # a code without its sentence
        overflow.check(guest.page, language)


def test_a_shown_decision_is_put_back_by_escape_and_by_a_tap_elsewhere(
    guests: Callable[..., Guest], server: Server
) -> None:
    guest = guests(**STILL)
    seats = Seats(server.url, "zombie-city", people=1, bots=1)
    page = guest.sit(seats.table, seats.keys[0])
    page.locator("[data-offer=keep]").click()
    page.locator("[data-offer=keep]").click()
    page.locator("[data-offer=done]").wait_for()
    card = page.locator("[data-piece^='card:'].can").first
    card.click()
    page.locator("[data-piece^='card:'].picked").first.wait_for()
    page.keyboard.press("Escape")
    page.locator("[data-offer=done]").wait_for()
    card.click()
    page.locator("[data-piece^='card:'].picked").first.wait_for()
    page.locator(".street").click(position={"x": 5, "y": 300})
    page.locator("[data-offer=done]").wait_for()
    assert page.locator(".picked").count() == 0
