"""A whole match by keyboard alone: the focus is never lost, and each question begins where one can decide."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.server.harness import Server
from tests.web.conftest import Guest, Seats

FOCUS = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const at = document.activeElement
  done({
    nowhere: at === document.body,
    piece: at.matches('[data-piece], [data-offer], [data-decision], [data-confirm]'),
    own: at.closest('[data-region="own"]') !== null,
    prompt: at.matches('[data-prompt]'),
    hand: document.querySelector('[data-region="own"] button[data-piece].can') !== null,
    ask: document.querySelector('[data-ask]')?.dataset.ask ?? '',
    over: document.querySelector('[data-again]') !== null,
  })
})))"""
WAYS = ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown")


def test_a_whole_match_is_played_by_keyboard(guests: Callable[..., Guest], server: Server) -> None:
    seats = Seats(server.url, "silencio", people=1, bots=2)
    page = guests().sit(seats.table, seats.keys[0])
    page.locator("[data-piece], [data-offer]").first.wait_for()
    page.keyboard.press("ArrowRight")
    chance, asked, questions, end = random.Random(3), "", 0, time.time() + 240
    while not (now := page.evaluate(FOCUS))["over"]:
        assert time.time() < end, f"the match does not end: {now}"
        if now["nowhere"]:  # for a moment between two drawings only
            expect(page.locator("main :focus")).to_have_count(1, timeout=3000)
            continue
        if not now["ask"]:
            page.wait_for_timeout(20)
            continue
        if now["ask"] != asked:
            if not now["piece"]:  # the answer to the last question may still be on its way
                page.locator("[data-piece]:focus, [data-offer]:focus").wait_for(timeout=5000)
                continue
            asked, questions = now["ask"], questions + 1
            assert now["own"] or not now["hand"], f"question {asked} does not begin in the hand: {now}"
        page.keyboard.press("Enter" if chance.random() < 0.6 else chance.choice(WAYS))
    assert questions > 5
    expect(page.locator("[data-again]")).to_be_visible()


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
