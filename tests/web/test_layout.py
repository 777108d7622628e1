"""One screen: at every size, number of seats and phase, all that the open decision is about is in sight, is large
enough to touch, and stays where it is. The contract is in docs/web.md.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from tacit import GAMES, game_named
from tests.server.harness import Server, config, serving
from tests.web import overflow
from tests.web.conftest import Guest, Seats, tap_something
from tests.web.positions import LONG, NEVER, Options, positions, starting_from, table_at

FIND = (Path(__file__).parent / "layout.js").read_text()
ALL_SIZES = [
    (360, 640), (375, 667), (390, 844), (430, 932), (640, 360), (844, 390), (768, 1024), (1024, 768), (1280, 720),
    (1366, 768), (1440, 900), (1920, 1080),
]  # fmt: skip
WORDS_SIZES = [(360, 640), (390, 844), (640, 360), (844, 390), (1024, 768), (1440, 900)]
WIDE_SIZES = [(844, 390), (1280, 720)]
PICKED_SIZES = ALL_SIZES if LONG else [(360, 640)]
LANGUAGES = ["en-GB", "de-DE", "nl-NL"]
VARIANTS: dict[str, Options] = {"silencio": (("tavern", True),), "zombie-city": (("survivors", 3), ("expert", True))}
# What can be picked up: pieces that lead on, and the cards of a row that one arranges.
PICK = "[data-piece].can:visible, [data-region=board] button[data-kind]:visible"


def counts(game: str) -> list[int]:
    """The numbers of seats, the most first."""
    return list(range(game_named(game).max_seats, game_named(game).min_seats - 1, -1))


def cases() -> list[Any]:
    """A game's positions: each phase once, with the most seats that know it, and one with the fewest; in the long run
    all of them, with every number of seats and with the options that add something to the table."""
    if not LONG:
        return [pytest.param(game, sample(game), id=game) for game in GAMES]
    every = [(game, n, options) for game in GAMES for n in counts(game) for options in ((), VARIANTS.get(game))]
    return [
        pytest.param(game, everything(game, n, options), id=f"{game}-{n}{'-options' if options else ''}")
        for game, n, options in every
        if options is not None and (not options or n == game_named(game).max_seats)
    ]


class Position(NamedTuple):
    phase: str
    seats: int
    record: str


def everything(game: str, seats: int, options: Options) -> Callable[[], list[Position]]:
    return lambda: [Position(phase, seats, record) for phase, record in positions(game, seats, options).items()]


def sample(game: str) -> Callable[[], list[Position]]:
    def found() -> list[Position]:
        most, least = counts(game)[0], counts(game)[-1]
        few = [Position(phase, least, record) for phase, record in positions(game, least).items() if phase != "over"]
        chosen = everything(game, most, ())()
        missing = [one for one in few[:-1] if one.phase not in positions(game, most)]
        return [*chosen, *missing, few[-1]]

    return found


@pytest.fixture(scope="module")
def still(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose bots never act."""
    with serving(config(f"sqlite:///{tmp_path_factory.mktemp('still')}/tacit.db", bot_delay=NEVER)) as running:
        yield running


@pytest.fixture(scope="module")
def readers(browser: Browser, still: Server) -> Iterator[list[Guest]]:
    """Somebody who reads English, somebody who reads German, somebody who reads Dutch."""
    contexts = [browser.new_context(locale=one, reduced_motion="reduce", has_touch=True) for one in LANGUAGES]
    yield [Guest(context, still.url) for context in contexts]
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def guest(readers: list[Guest]) -> Guest:
    return readers[0]


def settle(page: Page) -> None:
    """Until what follows from a new size is drawn."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def look(page: Page, where: str, sizes: list[tuple[int, int]], *more: str) -> list[str]:
    """What is wrong with the table as it stands, at each size; `more` are further scripts that find something."""
    wrong = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        wrong += [f"{where} {width}×{height}: {one}" for find in (FIND, *more) for one in page.evaluate(find)]
    return wrong


def picks(page: Page, dice: random.Random, most: int = 3) -> Iterator[int]:
    """Taps pieces until a decision is staged; yields after each tap."""
    for n in range(1, most + 1):
        if LONG:
            page.set_viewport_size({"width": 1440, "height": 900})
        can = page.locator(PICK)
        if page.locator("[data-confirm]").count() or not can.count():
            return
        can.nth(dice.randrange(can.count())).click(timeout=5000)
        page.wait_for_timeout(50)  # for what it would bring
        yield n


@pytest.mark.parametrize(("game", "chosen"), cases())
def test_all_that_a_decision_is_about_is_in_sight(
    game: str, chosen: Callable[[], list[Position]], readers: list[Guest], still: Server
) -> None:
    """At rest, and with pieces picked up until one more tap decides; no word runs over its edge in any language."""
    wrong = []
    for i, (phase, seats, record) in enumerate(chosen()):
        for reader in readers if LONG else [readers[i % 3]]:
            table = table_at(still, game, seats, record)
            page = reader.sit(table.table, table.keys[0])
            page.locator("[data-layout]").wait_for()
            english = reader is readers[0]
            where = f"{LANGUAGES[readers.index(reader)]} {seats} seats, {phase}"
            sizes = (ALL_SIZES if english else WORDS_SIZES) if LONG else PICKED_SIZES
            rest = sizes if LONG else [WIDE_SIZES[i % 2], *sizes]
            wrong += look(page, where, rest, overflow.FIND)
            for seed in range(3 if LONG and english else 1):
                for n in picks(page, random.Random(seed)):
                    wrong += look(page, f"{where}, {n} picked", sizes, overflow.FIND)
                page.keyboard.press("Escape")
            signals = page.locator("[data-signal=fingers]:enabled:visible")
            if signals.count():
                signals.click()
                wrong += look(page, f"{where}, fingers", sizes, overflow.FIND)
    errors = [error for reader in readers for error in reader.errors]
    assert not errors, errors
    assert not wrong, f"{len(wrong)} findings\n" + "\n".join(wrong)


STAYS = """() => {
  const frame = document.querySelector('[data-layout]')
  const field = document.querySelector('[data-region=board]').parentElement
  const inside = (e) => {
    const r = e.getBoundingClientRect()
    return r.top >= 0 && r.bottom <= innerHeight && r.height > 10
  }
  const seen = () => ['header.bar', '[data-prompt] h2'].every((one) => inside(document.querySelector(one)))
  const before = seen()
  field.scrollTop = 9999
  return { layout: frame.dataset.layout, scrolled: field.scrollTop > 40, before, after: seen() }
}"""


@pytest.mark.parametrize("game", GAMES)
def test_320_px_scroll_with_bar_and_prompt_in_sight(game: str, guest: Guest, still: Server) -> None:
    seats = game_named(game).max_seats
    phase, record = next(iter(positions(game, seats).items()))
    table = table_at(still, game, seats, record)
    page = guest.sit(table.table, table.keys[0])
    page.locator("[data-layout]").wait_for()
    page.set_viewport_size({"width": 320, "height": 568})
    settle(page)
    assert page.evaluate(STAYS) == {"layout": "tiny", "scrolled": True, "before": True, "after": True}, phase
    page.evaluate("scrollTo(0, 9999)")
    assert page.evaluate("scrollX + scrollY") <= 1, "the page itself must not scroll"


REGIONS = {"others", "board", "dock", "own", "log"}
WATCH = """() => {
  // A piece that was picked rises because somebody tapped it.
  const boxes = () => Object.fromEntries([...document.querySelectorAll('[data-region], [data-about], [data-piece]')]
    .filter((e) => e.getClientRects().length && !e.matches('.picked'))
    .map((e) => {
      const r = e.getBoundingClientRect()
      return [e.dataset.region ?? e.dataset.about ?? e.dataset.piece, [r.left, r.top]]
    }))
  return { asked: document.querySelector('[data-layout]')?.dataset.ask ?? '', boxes: boxes() }
}"""


def moved(before: dict[str, list[float]], now: dict[str, list[float]]) -> list[str]:
    """What stands elsewhere, by more than 4 px."""
    return [
        f"{what}: {before[what]} -> {at}"
        for what, at in now.items()
        if what in before and max(abs(a - b) for a, b in zip(at, before[what], strict=True)) > 4
    ]


WATCHED = [pytest.param((390, 844), id="phone"), pytest.param((1280, 720), id="desktop")]


@pytest.mark.parametrize("size", WATCHED if LONG else WATCHED[:1])
@pytest.mark.parametrize("game", GAMES if LONG else ["silencio", "silent-planet"])
def test_nothing_moves_by_itself_while_a_decision_is_open(
    game: str, size: tuple[int, int], browser: Browser, server: Server
) -> None:
    """A whole match, watched: between two looks at the same open question no region and no piece moves over 4 px."""
    context = browser.new_context(
        locale="en-GB", reduced_motion="reduce", viewport={"width": size[0], "height": size[1]}
    )
    guest, seats = Guest(context, server.url), Seats(server.url, game, people=1, bots=2)
    page, dice, wrong = guest.sit(seats.table, seats.keys[0]), random.Random(1), []
    page.locator("[data-layout]").wait_for()
    regions: dict[str, Any] = {}
    for _ in range(400 if LONG else 12):
        before = page.evaluate(WATCH)
        page.wait_for_timeout(60)
        now = page.evaluate(WATCH)
        if now["asked"] and now["asked"] == before["asked"]:
            wrong += moved(before["boxes"], now["boxes"])
            regions = regions or {what: at for what, at in now["boxes"].items() if what in REGIONS}
            wrong += moved(regions, now["boxes"])
        if seats.phase(server.url) == "over":
            break
        tap_something(page, dice)
    context.close()
    assert not guest.errors, guest.errors
    assert not wrong, "\n".join(wrong[:40])


@pytest.mark.parametrize("game", GAMES if LONG else ["silencio"])
def test_strips_that_come_and_go_move_nothing(game: str, browser: Browser, still: Server) -> None:
    """The guide's line, somebody away, no connection, a spectator's note, a rematch: the table stays where it is."""
    how: dict[str, Any] = {"locale": "en-GB", "reduced_motion": "reduce", "viewport": {"width": 360, "height": 640}}
    ada, ben, eve = (Guest(browser.new_context(**how), still.url) for _ in range(3))
    seats = Seats(still.url, game, people=2, bots=game_named(game).min_seats - 2, spectators="public")
    page = ada.sit(seats.table, seats.keys[0])
    page.locator("[data-guide=open]").wait_for()
    ben.sit(seats.table, seats.keys[1]).locator("[data-layout]").wait_for()
    page.wait_for_timeout(200)
    before = page.evaluate(WATCH)["boxes"]
    wrong: list[str] = []

    def compare(what: str) -> None:
        settle(page)
        wrong.extend(f"{what}: {one}" for one in moved(before, page.evaluate(WATCH)["boxes"]))

    ben.page.goto("about:blank")
    page.locator('[data-notice="away"]').wait_for()
    compare("somebody is away")
    page.locator("[data-notices]").click()
    page.locator('[data-notice="away"]').wait_for(state="hidden")
    compare("the note is folded")
    page.locator("[data-guide=open]").click()
    page.locator("[data-guide=done]").click()
    page.locator("[data-guide]").first.wait_for(state="detached")
    compare("the guide's line is gone")
    ada.context.set_offline(True)
    page.locator('[data-notice="offline"]').wait_for()
    compare("offline")
    ada.context.set_offline(False)

    page = eve.page
    page.goto(f"{still.url}/t/{seats.table}")
    page.locator('[data-notice="watching"]').wait_for()
    page.wait_for_timeout(200)
    before = page.evaluate(WATCH)["boxes"]
    page.locator("[data-notices]").click()
    compare("a spectator's note is folded")
    wrong += look(page, "a spectator", [(360, 640)])
    assert page.locator("[data-region=own]").count() == 0, "a spectator holds nothing"

    with starting_from(positions(game, 2)["over"]):
        seats = Seats(still.url, game, people=2, bots=0)
    page = ada.sit(seats.table, seats.keys[0])
    page.locator("[data-again]").wait_for()
    page.wait_for_timeout(200)
    before = page.evaluate(WATCH)["boxes"]
    ben.sit(seats.table, seats.keys[1]).locator("[data-again]").click()
    page.locator('[data-notice="rematch"]').wait_for()
    compare("a rematch")
    errors = [error for guest in (ada, ben, eve) for error in guest.errors]
    for guest in (ada, ben, eve):
        guest.context.close()
    assert not errors, errors
    assert not wrong, "\n".join(wrong)


BOARD = """() => {
  const r = document.querySelector('[data-region=board]').getBoundingClientRect()
  return r.width * r.height
}"""


@pytest.mark.parametrize("game", GAMES if LONG else ["silver-and-gold", "zombie-city"])
def test_a_replay_is_as_large_as_the_table(game: str, guest: Guest, still: Server, tmp_path: Path) -> None:
    """All that lies on the board is in sight in a replay too, with closed and with open hands."""
    wrong, seats = [], game_named(game).max_seats
    found = positions(game, seats)
    table = table_at(still, game, seats, next(record for phase, record in found.items() if phase != "over"))
    live = guest.sit(table.table, table.keys[0])
    live.locator("[data-layout]").wait_for()
    rooms = {}
    for width, height in PICKED_SIZES:
        live.set_viewport_size({"width": width, "height": height})
        settle(live)
        rooms[width, height] = live.evaluate(BOARD)
    record = tmp_path / "match.tacit"
    record.write_text(found["over"])
    page = guest.page
    page.goto(f"{still.url}/replay")
    page.locator("input[type=file]").set_input_files(record)
    page.locator("[data-layout]").wait_for()
    steps = int(page.locator("input[type=range]").get_attribute("max") or 0)
    page.locator("input[type=range]").fill(str(steps * 3 // 5))
    for eyes in ("closed", "open"):
        page.wait_for_timeout(300)  # the server answers with the new step
        wrong += look(page, f"{eyes} hands", PICKED_SIZES)
        for width, height in PICKED_SIZES:
            page.set_viewport_size({"width": width, "height": height})
            settle(page)
            # A screen wider than high gives the controls a line of the height.
            if page.evaluate(BOARD) < (0.93 if width > height else 0.98) * rooms[width, height]:
                wrong.append(f"{width}×{height}: the board is smaller than at the table")
        page.set_viewport_size({"width": 1920, "height": 1080})
        page.locator("button[role=switch]").click()
    assert not guest.errors, guest.errors
    assert not wrong, f"{len(wrong)} findings\n" + "\n".join(wrong)
