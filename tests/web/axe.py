"""axe-core in a page: no violation. `check(page)`; `both(page)` in the light, and colours in the dark, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from playwright.sync_api import Page

from tests.server.harness import ROOT

SOURCE = (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text()
COLOURS = ("color-contrast", "link-in-text-block")  # the rules that a theme can break


def check(page: Page, where: str = "", skip: Sequence[str] = (), only: Sequence[str] = ()) -> None:
    """Fails with what is wrong, and where on the page. Rules in `skip` are not asked; with `only`, no others are."""
    if not page.evaluate("typeof window.axe !== 'undefined'"):
        page.evaluate(SOURCE + "; undefined")
    run = """async ([skip, only]) => {
      // Things on their way shine through and would be read as too pale: they arrive at once, and what they set going.
      for (let round = 0; round < 20; round++) {
        const ends = (a) => a.playState !== 'finished' && a.effect?.getComputedTiming().endTime !== Infinity
        const moving = document.getAnimations().filter(ends)
        if (!moving.length) break
        for (const one of moving) one.finish()
        await new Promise((done) => setTimeout(done, 20))
      }
      const rules = Object.fromEntries(skip.map((rule) => [rule, { enabled: false }]))
      // Only a rule that is off by default reads style sheets: they are not loaded once more for it.
      const how = { resultTypes: ['violations'], rules, preload: false, ...(only.length && { runOnly: only }) }
      return await axe.run(document, how)
    }"""
    found: dict[str, Any] = page.evaluate(run, [list(skip), list(only)])
    wrong = [
        f"{violation['id']}: {node['target']} {node.get('failureSummary', '')[:300]}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]
    assert not wrong, "\n".join([where or page.url, *wrong])


def both(page: Page, where: str = "") -> None:
    rules: dict[Literal["light", "dark"], Sequence[str]] = {"light": (), "dark": COLOURS}
    for theme, only in rules.items():
        page.emulate_media(color_scheme=theme)
        check(page, f"{where or page.url} ({theme})", only=only)
