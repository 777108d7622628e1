"""From the home page to the end of a match."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from tests.web.conftest import Guest, tap_something


def test_play_now_to_the_end(guests: Callable[..., Guest]) -> None:
    guest = guests()
    page = guest.page
    page.goto(guest.url)
    page.get_by_role("button", name="Silencio").first.click()
    page.wait_for_url("**/t/*")
    chance, end = random.Random(1), time.time() + 60
    while not any(f["type"] == "table" and f["phase"] == "over" for f in guest.frames):
        assert time.time() < end, "the match does not end"
        if not tap_something(page, chance):
            page.wait_for_timeout(20)
