"""Silencio in the browser: a whole match of a phone by touch, a keyboard and a bot."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import httpx
from playwright.sync_api import Page, expect

from tests.server.harness import TRUST, Server
from tests.web.conftest import PHONE, Guest, Seats, tap_something

ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
WIDE = "document.documentElement.scrollWidth - innerWidth"
NARROW = """[...document.querySelectorAll('[data-piece].can, [data-offer]')].filter((e) => {
  const box = e.getBoundingClientRect()
  const least = e.dataset.piece?.startsWith('card:') ? 32 : 43.5 // as in layout.js
  return box.width > 0 && (box.width < least || box.height < 43.5)
}).map((e) => [e.dataset.piece ?? e.dataset.offer, e.offsetWidth, e.offsetHeight])"""
UNNAMED = "[...document.querySelectorAll('[data-piece]')].filter((e) => !e.getAttribute('aria-label')).length"
LAID_OUT = """[...document.querySelectorAll('[data-piece^="card:"]')].map((e) => e.dataset.piece.slice(5))"""


def press_something(page: Page, chance: random.Random) -> bool:
    """One key: an arrow to another piece, or Enter on the one that has the focus."""
    at = page.evaluate("document.activeElement?.dataset?.piece ?? document.activeElement?.dataset?.offer ?? ''")
    if at == "" and page.locator("[data-piece].can, [data-offer]").count() == 0:
        return False
    staged = page.evaluate("document.activeElement?.matches('.picked, .btn.ask') ?? false")
    page.keyboard.press("Enter" if at and chance.random() < (0.8 if staged else 0.5) else chance.choice(ARROWS))
    return True


def last_view(guest: Guest) -> dict[str, Any]:
    seen = [frame["view"] for frame in guest.frames if frame["type"] == "seen"]
    return dict(seen[-1]) if seen else {}


def may_see(view: dict[str, Any]) -> set[str]:
    """The cards whose faces a seat's own view holds."""
    cards = {c["card"] for c in view["hand"]} | set(view["oracle"])
    cards |= {c["card"] for row in view["rows"] for c in row["cards"]}
    for seat in view["table"]:
        cards |= {c["card"] for c in seat["up"]} | set(seat["known"])
    return cards


def over(guest: Guest) -> bool:
    return any(frame["type"] == "table" and frame["phase"] == "over" for frame in guest.frames)


def test_a_match_of_touch_keyboard_and_bot(guests: Callable[..., Guest], server: Server) -> None:
    """Two windows and a bot play to the end by tapping any piece that can be tapped; hands stay covered until then."""
    table = Seats(server.url, "silencio", people=2, bots=1, options={"tavern": True})
    phone, keys = guests(reduced_motion="reduce", **PHONE), guests(reduced_motion="reduce")
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    for guest, key in zip((phone, keys), table.keys, strict=True):
        guest.sit(table.table, key).locator("[data-piece]").first.wait_for()
        guest.page.evaluate("document.querySelector('[data-guide=\"off\"]')?.click()")
    chance, end, turns = random.Random(5), time.time() + 600, 0
    while not over(phone):
        assert time.time() < end, "the match does not end"
        assert not any("/replay" in url for url in asked), "hands are looked at before the end"
        moved = tap_something(phone.page, chance, touch=True)
        if moved and turns % 8 == 0:
            assert phone.page.evaluate(WIDE) <= 0
            assert phone.page.evaluate(UNNAMED) == 0
            assert phone.page.evaluate(NARROW) == []
            before, drawn, after = last_view(phone), phone.page.evaluate(LAID_OUT), last_view(phone)
            assert set(drawn) <= may_see(before) | may_see(after)
        turns += moved
        if not press_something(keys.page, chance) and not moved:
            phone.page.wait_for_timeout(15)
    for guest in (phone, keys):
        guest.page.locator(".score b").wait_for()  # the last frame may still be on its way
        result = last_view(guest)["result"]
        assert guest.page.locator(".score b").inner_text() == str(result["left"])
        if result["left"]:
            guest.page.locator(".held [role=img]").nth(result["left"] - 1).wait_for()  # all hands are open now
        assert guest.page.evaluate(WIDE) <= 0


def test_first_tap_shows_second_tap_plays(guests: Callable[..., Guest], server: Server) -> None:
    """A card lifts, lies as a ghost in its row, is put back by Escape, and is played by a second tap on it."""
    guest = guests(**PHONE)
    page = guest.page
    chance, end = random.Random(2), time.time() + 600
    hand = page.locator('.hand [data-piece^="card:"].can')
    while True:
        assert time.time() < end, "no turn with a card to play"
        view = last_view(guest)
        if (
            not view or view["result"] is not None
        ):  # the first table, or another: chance may end a match without such a turn
            table = Seats(server.url, "silencio", people=1, bots=1)
            guest.frames.clear()
            guest.sit(table.table, table.keys[0])
            page.locator("[data-piece]").first.wait_for()
        elif view["phase"] == "turn" and 0 in view["due"] and any(card["playable"] for card in view["hand"]):
            break
        elif not tap_something(page, chance, touch=True):
            page.wait_for_timeout(20)
    page.keyboard.press("Escape")
    hand.first.wait_for()
    card = hand.first
    name = card.get_attribute("data-piece")
    card.tap()
    ghost = page.locator(f'.row [data-piece="{name}"]')
    ghost.wait_for()
    dock = page.locator(".dock").bounding_box()
    lying = ghost.bounding_box()
    assert dock is not None
    assert lying is not None
    assert lying["y"] + lying["height"] <= dock["y"] + 1, "the ghost lies behind the dock"
    page.keyboard.press("Escape")
    ghost.wait_for(state="detached")
    page.locator(f'.hand [data-piece="{name}"]').tap()
    page.locator(f'.row [data-piece="{name}"]').tap()
    page.locator(f'.row [data-piece="{name}"]:not(.picked)').wait_for()
    assert name is not None
    assert name[5:] in {card["card"] for row in last_view(guest)["rows"] for card in row["cards"]}


def play_badly(url: str, table: Seats) -> None:
    """All people play their highest cards first, so that each row is soon closed: the match ends far off."""
    with httpx.Client(base_url=f"{url}/api/tables/{table.table}", verify=TRUST) as http:
        while table.phase(url) != "over":
            for key in table.keys:
                head = {"Authorization": f"Bearer {key}"}
                seen = http.get("/seen", headers=head).json()
                if seen.get("ask") is not None:
                    plays = sorted((t for t in seen["legal"] if t.startswith("play")), key=lambda t: int(t[6:]))
                    quiet = [text for text in ("skip", "end") if text in seen["legal"]]
                    text = [*quiet, *reversed(plays), *seen["legal"]][0]
                    assert http.post("/act", json={"ask": seen["ask"], "texts": [text]}, headers=head).is_success


def test_far_off_one_tap_opens_the_same_table_with_the_tavern(guests: Callable[..., Guest], server: Server) -> None:
    table = Seats(server.url, "silencio", people=2, bots=0)
    play_badly(server.url, table)
    page = guests(**PHONE).sit(table.table, table.keys[0])
    expect(page.get_by_role("heading", name="A long road still.")).to_be_visible()
    idea = page.locator("[data-idea]")
    expect(idea).to_have_text("Again, with the tavern")
    idea.tap()
    page.locator("[data-start]").wait_for()
    made = httpx.get(f"{server.url}/api/tables/{page.url.rsplit('/', 1)[1]}", verify=TRUST).json()
    assert made["options"] == {"tavern": True, "unlit": "none"}
    assert [seat["name"] for seat in made["seats"]] == ["Ada", "Ben"]


def test_the_rules_are_drawn_in_three_languages(guests: Callable[..., Guest]) -> None:
    """No sentence is missing, none is wider than a small phone."""
    for language in ("en-GB", "de-DE", "nl-NL"):
        guest = guests(locale=language, viewport={"width": 360, "height": 740})
        guest.page.goto(f"{guest.url}/rules/silencio")
        guest.page.locator(".effects li").nth(3).wait_for()
        assert "⟨" not in guest.page.inner_text("body")
        assert guest.page.evaluate(WIDE) <= 0
