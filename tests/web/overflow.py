"""Words that do not fit: `check(page)` at the current width of the page (360 is the narrowest we promise)."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

FIND = (Path(__file__).parent / "overflow.js").read_text()


def check(page: Page, where: str = "") -> None:
    """Fails with every element whose words run over its edge, or over the page's."""
    bad: list[str] = page.evaluate(FIND)
    assert not bad, "\n".join([where or page.url, *bad])
