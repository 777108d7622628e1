"""Puzzles in a real browser: chosen, decided, answered, remembered."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tacit.core.puzzles import puzzles_of
from tests.server.harness import Server
from tests.web import axe
from tests.web.conftest import Guest
from tests.web.test_lessons import PATIENCE, SMALL, Newcomer

GAME = next(game for game in ("silencio", "zombie-city") if len(puzzles_of(game)) > 2)


def test_puzzles_one_after_another(server: Server, guests: Callable[..., Guest]) -> None:
    """The first is solved, the second missed; both are told why, and the device remembers it."""
    page = guests(reduced_motion="reduce", **SMALL).page
    somebody = Newcomer(page, touch=True)
    first, second = puzzles_of(GAME)[:2]
    page.goto(f"{server.url}/puzzles")
    axe.check(page)
    somebody.press(f'[data-puzzles="{GAME}"]')
    expect(page.locator('main[data-step="1"]')).to_be_visible(timeout=PATIENCE)
    somebody.do([first.answer])
    note = page.locator("[data-lesson-note]")
    expect(note).to_be_visible(timeout=PATIENCE)
    expect(note.locator("[data-missed]")).to_have_count(0)
    axe.check(page)
    somebody.press("[data-next-step]")
    expect(page.locator('main[data-step="2"]')).to_be_visible(timeout=PATIENCE)
    somebody.do([next(iter(second.costs))])
    expect(note.locator("[data-missed]")).to_be_visible(timeout=PATIENCE)
    page.goto(f"{server.url}/puzzles/{GAME}")  # the device remembers both
    expect(page.locator('main[data-step="3"]')).to_be_visible(timeout=PATIENCE)
    somebody.press("[data-steps]")
    expect(page.locator("dialog .number.solved")).to_have_count(1)
    expect(page.locator("dialog .number.missed")).to_have_count(1)
    axe.check(page)
