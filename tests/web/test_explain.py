"""Touch anything: whatever lies on a table says what it is when it is held, right-clicked or asked for with `?`."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tacit import GAMES
from tests.server.harness import Server
from tests.web.conftest import PHONE, SOME_GAMES, Guest
from tests.web.positions import positions, table_at

LONG = "TACIT_LONG" in os.environ
Make = Callable[..., Guest]
# Every sign, number and name on the board, in one's hand and at the others' places, asked by a right-click where it is
# seen: those for which the page has no answer. Sentences need none, nor what the browser keeps of a folded list.
MUTE = """() => {
  const mute = new Set()
  const text = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())
  for (const e of document.querySelectorAll('[data-region]:not([data-region="log"], [data-region="dock"]) *, .stat')) {
    const svg = e.tagName === 'svg'
    if (e.closest('.sr, p, symbol, details:not([open]) ul')) continue
    if (svg ? !e.querySelector('use') : e.ownerSVGElement || !text(e)) continue
    const box = e.getBoundingClientRect()
    if (!box.width || (svg && box.width > 220)) continue // a backdrop is no sign
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
    const near = top && (e.contains(top) || top.closest('[data-piece]') || (top.contains(e) && top.clientWidth < 100))
    if (!near) continue // covered, or cut off
    const asked = new MouseEvent('contextmenu', { bubbles: true, cancelable: true })
    if (top.dispatchEvent(asked))
      mute.add(`${e.tagName}.${e.getAttribute('class')} in ${e.closest('[class]:not(svg)').outerHTML.slice(0, 160)}`)
  }
  return [...mute]
}"""


def hold(page: Page, x: float, y: float, milliseconds: int) -> None:
    """A finger that rests on a spot of the screen."""
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    page.wait_for_timeout(milliseconds)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize("game", GAMES)
def test_everything_says_what_it_is(game: str, guests: Make, server: Server) -> None:
    guest, mute, records = guests(), [], positions(game, 3)
    fullest = max(records, key=lambda phase: (phase != "over", len(records[phase])))
    for phase in records if LONG else (fullest, "over"):
        table = table_at(server, game, 3, records[phase])
        page = guest.sit(table.table, table.keys[0])
        page.locator("[data-layout]").wait_for()
        page.wait_for_timeout(100)
        mute += [f"{phase}: {one}" for one in page.evaluate(MUTE)]
    assert not mute, "\n".join(mute)
    assert page.locator("[title]").count() == 0  # nothing is said by hovering alone


@pytest.mark.parametrize("game", SOME_GAMES)
def test_a_finger_that_rests_is_told_and_decides_nothing(game: str, guests: Make, server: Server) -> None:
    phase = {"silencio": "turn", "silver-and-gold": "cross", "zombie-city": "main", "silent-planet": "point"}[game]
    table = table_at(server, game, 2, positions(game, 2)[phase])
    page = guests(**PHONE, reduced_motion="reduce").sit(table.table, table.keys[0])
    page.locator("[data-piece]:visible").first.wait_for()
    for piece in page.locator("[data-piece]:visible").all()[:3]:
        box = piece.bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        hold(page, x, y, 700)
        note = page.locator("[data-popover]")
        expect(note).to_be_visible()  # it stands after the finger is gone
        assert len(note.inner_text()) > 3
        place = note.bounding_box()
        assert place
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= 390
        assert page.locator(".picked, [data-confirm]").count() == 0
        page.keyboard.press("Escape")
        expect(note).to_have_count(0)
