"""How a match ends, told to those who were in it: what the result means, and that out is not over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tacit import Match
from tests.server.harness import ROOT, Server
from tests.web.conftest import PHONE, Guest
from tests.web.positions import position_where, table_at
from tests.web.test_seats import ByHand

Make = Callable[..., Guest]
GOLDEN = ROOT / "tests" / "golden"
# Records of finished matches, and what seat 0 is told of them.
RESULTS = {
    "en-GB": {
        "silencio/v2-empty-2-seats": "Perfect.",
        "silencio/v2-dark-without-cards": "So near.",
        "silencio/drawn-in-vain": "A long road still.",
        "silver-and-gold/rounds-4-seats": "You win by a single point.",
        "silver-and-gold/rounds-3-seats": "wins. You were 13 points short.",
        "silver-and-gold/shared-win": "You share the win.",
        "zombie-city/v2-cleared-city": "You outlived the city. The final attack is beaten. 6 survivors more",
        "zombie-city/v2-last-standing": "Your shelter fell.",
        "silent-planet/won-2-seats": "2 teams, not a word.",
        "silent-planet/lost-2-seats": "Only one team short.",
        "silent-planet/lost-before-start": "Not a single team",
        "silent-planet/lost-5-seats": "2 teams, and then silence.",
    },
    "de-DE": {
        "silver-and-gold/rounds-3-seats": "Dir fehlten 13 Punkte.",
        "zombie-city/v2-last-standing": "Dein Unterschlupf ist gefallen.",
    },
    "nl-NL": {
        "silencio/v2-dark-without-cards": "per speler",
        "silent-planet/lost-2-seats": "Maar één team te weinig.",
    },
}


@pytest.mark.parametrize("language", ["en-GB", "de-DE", pytest.param("nl-NL", marks=pytest.mark.long)])
def test_a_result_says_what_it_means(language: str, guests: Make, server: Server) -> None:
    guest = guests(locale=language, reduced_motion="reduce")
    for name, sentence in RESULTS[language].items():
        record = (GOLDEN / f"{name}.tacit").read_text()
        table = table_at(server, name.split("/")[0], Match.load(record).seats, record)
        result = guest.sit(table.table, table.keys[0]).locator("section.dock .result").first
        expect(result).to_contain_text(sentence)


@pytest.mark.parametrize(
    "how", [pytest.param({}, id="desktop", marks=pytest.mark.long), pytest.param(PHONE, id="phone")]
)
def test_out_is_not_over(how: dict[str, Any], guests: Make, server: Server) -> None:
    """Whoever is out is told what that means, may watch quickly or begin another match; the others go on."""

    def out(match: Match) -> bool:
        return list(match.due) == [1] and not match.see(1).view.shelters[0].living

    record = position_where("zombie-city", 4, out, survivors=1)
    table = table_at(server, "zombie-city", 4, record, people=2)
    guest = guests(pace="normal", **how)
    page = guest.sit(table.table, table.keys[0])
    told = page.locator("[data-out]")
    expect(told).to_contain_text("You are out: you decide nothing more")
    expect(page.locator("[data-piece].can, [data-offer]")).to_have_count(0)
    pace = page.locator("[data-pace]")
    expect(pace).to_have_attribute("data-pace", "normal")
    page.locator("[data-watch]").click()
    expect(pace).to_have_attribute("data-pace", "quick")
    expect(page.locator("[data-watch]")).to_have_text("Watch calmly")
    lines = len(server.lines(table.table))
    assert ByHand(server.url, table).decide(1)  # the others go on
    expect(page.locator(".event-strip")).to_contain_text("Ben")
    assert len(server.lines(table.table)) > lines
    before = page.url
    page.locator("[data-another]").click()
    page.wait_for_url(lambda url: url != before)
    page.locator("[data-offer], [data-piece].can").first.wait_for()
    expect(page.locator("[data-out]")).to_have_count(0)
    expect(pace).to_have_attribute("data-pace", "normal")  # quickly was for that match
