"""Puzzles in a real browser: chosen, decided, answered, remembered."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import expect

from tacit.core.puzzles import puzzles_of
from tests.server.harness import Server
from tests.web import axe
from tests.web.conftest import Guest
from tests.web.test_lessons import PATIENCE, SMALL, Newcomer

GAME = "silencio"


def test_puzzles_one_after_another(server: Server, guests: Callable[..., Guest]) -> None:
    """Of three that are open one is solved and one missed; both are told why, and the device remembers it."""
    puzzles = dict(enumerate(puzzles_of(GAME), 1))
    plays = [n for n, one in puzzles.items() if all(text.startswith("play ") for text in (one.answer, *one.costs))]
    first, second, third = plays[:3]
    solved = {n: True for n in puzzles if n not in (first, second, third)}
    guest = guests(reduced_motion="reduce", **SMALL)
    guest.context.add_init_script(f"localStorage['tacit-puzzles'] ??= '{json.dumps({GAME: solved})}'")
    page, somebody = guest.page, Newcomer(guest.page, touch=True)
    page.goto(f"{server.url}/puzzles")
    axe.check(page)
    somebody.press(f'[data-puzzles="{GAME}"]')
    expect(page.locator(f'main[data-step="{first}"]')).to_be_visible(timeout=PATIENCE)
    somebody.do([puzzles[first].answer])
    note = page.locator("[data-lesson-note]")
    expect(note).to_be_visible(timeout=PATIENCE)
    expect(note.locator("[data-missed]")).to_have_count(0)
    axe.check(page)
    somebody.press("[data-next-step]")
    expect(page.locator(f'main[data-step="{second}"]')).to_be_visible(timeout=PATIENCE)
    somebody.do([next(iter(puzzles[second].costs))])
    expect(note.locator("[data-missed]")).to_be_visible(timeout=PATIENCE)
    page.goto(f"{server.url}/puzzles/{GAME}")
    expect(page.locator(f'main[data-step="{third}"]')).to_be_visible(timeout=PATIENCE)
    somebody.press("[data-steps]")
    expect(page.locator("dialog .number.solved")).to_have_count(len(solved) + 1, timeout=PATIENCE)
    expect(page.locator("dialog .number.missed")).to_have_count(1, timeout=PATIENCE)
    axe.check(page)
