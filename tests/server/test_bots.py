"""Bots at served tables: named from the list, within their time, heard and hearing, whatever they do; and compiled
where nobody waits for the compiler.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from typing import Any, ClassVar

import pytest

from tacit.bots import Turn, bot_named, registry
from tacit.core import compiled_play
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.core.registry import game_named
from tacit.review import engine
from tacit.review.values import styles_of
from tacit.server import bot_seats
from tacit.server.bot_player import BotPlayer, quick_answer, whole_answer
from tacit.server.precompile import Precompiler, exercise_review
from tests.bots.odd_bots import Polite
from tests.server.harness import Api, Choose, Person, anything, config, run, serving


class Notes(Polite):
    """Keeps what it is given."""

    NAME = "notes"
    turns: ClassVar[list[Turn]] = []

    def decide(self, turn: Turn) -> str:
        self.turns.append(turn)
        return turn.legal[-1]


class Slow(Polite):
    NAME = "slow"

    enough = threading.Event()

    def decide(self, turn: Turn) -> str:
        self.enough.wait(120)
        return turn.legal[0]


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> None:
    """Registers odd bots while a test runs."""
    places = {name.lower(): f"tests.bots.odd_bots:{name}" for name in ("Raises", "Exits", "Hangs", "Illegal", "Mute")}
    places |= {"nods": "tests.bots.odd_bots:Nods", "notes": f"{__name__}:Notes", "slow": f"{__name__}:Slow"}
    for game in ("toy", "silencio", "silent-planet"):
        known = registry._targets.get(game, {})
        monkeypatch.setitem(registry._targets, game, known | places)
    monkeypatch.setattr(Notes, "turns", [])


def test_a_bot_is_named_from_the_list_and_never_by_its_place(sqlite_database: str) -> None:
    with serving(config(sqlite_database)) as server:
        api = Api(server.url)
        for name in ("tests.bots.odd_bots:Polite", "os", "tacit.bots.silencio.steady", "../x", "coded"):
            chairs = [{}, {"kind": "bot", "bot": name}]
            made = api.post("/api/tables", game="silencio", seats=2, chairs=chairs)
            assert made.json()["reason"]["code"] == "server.bot.unknown", name
            table, keys = api.make("silencio", 2, people=1)
            api.post(f"/api/tables/{table}/arrange", keys[0], seat=1, chair={"kind": "open"})
            filled = api.post(f"/api/tables/{table}/start", keys[0], fill=name)
            assert filled.json()["reason"]["code"] == "server.bot.unknown"
        with pytest.raises(LookupError):
            BotPlayer(game_named("silencio"), "tests.bots.odd_bots:Polite")  # were it in the store
        table, keys = api.make("silencio", 2, people=1)
        api.get(f"/api/tables/{table}")
        server.app.tables.loaded[table].row.seats[1].bot = "tests.bots.odd_bots:Polite"
        api.start(table, keys[0])
        play_out(server.url, table, keys)  # and the match goes on all the same


def play_out(url: str, table: str, keys: list[str], choose: Choose = anything) -> list[Person]:
    async def play() -> list[Person]:
        people = [await Person(url, table, key, choose).connect() for key in keys]
        for person in people:
            await person.over()
        return people

    return run(play())


@pytest.mark.usefixtures("odd")
@pytest.mark.parametrize("name", ["raises", "exits", "hangs", "illegal", "mute"])
def test_a_bot_that_fails_is_replaced_and_the_log_tells_no_secret(
    name: str, sqlite_database: str, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(config(sqlite_database)) as server, caplog.at_level(logging.INFO):
        api = Api(server.url)
        table, keys = api.make("toy", 2, people=1, bot=name)
        api.start(table, keys[0])
        play_out(server.url, table, keys)
    said = [record.getMessage() for record in caplog.records if record.name.startswith("tacit")]
    assert any(name in line for line in said)
    whole = " ".join(said) + caplog.text
    for secret in ("nothing to divide", "fly away", "bid ", "deal ", *keys):
        assert secret not in whole


@pytest.mark.usefixtures("odd")
def test_a_bot_that_thinks_too_long_answers_by_lot_in_its_time(sqlite_database: str) -> None:
    with serving(config(sqlite_database, bot_delay=(0.1, 0.1))) as server:
        api = Api(server.url)
        table, keys = api.make("toy", 2, people=1, bot="slow")
        api.start(table, keys[0])
        play_out(server.url, table, keys)  # two decisions, for which the bot would take two minutes each
        Slow.enough.set()
        assert sum(step.seat == 1 for step in server.stored(table)) == 2


@pytest.mark.usefixtures("odd")
def test_a_bot_gets_its_seats_eyes_and_less_time_than_it_takes(sqlite_database: str) -> None:
    with serving(config(sqlite_database, bot_delay=(0.5, 0.51))) as server:
        api = Api(server.url)
        table, keys = api.make("toy", 3, people=2, bot="notes")
        api.start(table, keys[0])
        play_out(server.url, table, keys)
    assert len(Notes.turns) == 2
    words = [turn.rng.words for turn in Notes.turns]
    assert words[0] != words[1]
    for turn in Notes.turns:
        assert turn.seat == 2
        assert 0 < (turn.budget.milliseconds or 0) < 500
        assert turn.k == game_named("toy").know(turn.k, 2)  # it holds nothing that its seat does not know
        assert not any(turn.k.hand[q] for q in (0, 1))
        assert "* deal 0 ?" in turn.heard
        assert "* deal 2 ?" not in turn.heard


def last(seen: dict[str, Any]) -> list[str]:
    """The last decision of the list: in Silent Planet nobody gives a hint then, and the match does not end at once."""
    return [seen["legal"][-1]]


@pytest.mark.usefixtures("odd")
def test_bots_hear_signals_and_give_them(sqlite_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_seats, "MIN_THINKING", 60.0)  # one that had no time would decide by lot, and not nod
    with serving(config(sqlite_database, bot_delay=(0.1, 0.1))) as server:
        api = Api(server.url)
        chairs = [{}, {"kind": "bot", "bot": "nods"}, {"kind": "bot", "bot": "notes"}]
        made = api.post("/api/tables", game="silent-planet", seats=3, name="Ada", chairs=chairs).json()
        api.start(made["table"], made["key"])
        [ada] = play_out(server.url, made["table"], [made["key"]], last)
        assert server.lines(made["table"]).count("! 1 nod") == 1
        assert "! 1 nod" in ada.heard
        assert any(line.startswith("1 point") for line in server.lines(made["table"]))  # it was asked again
    assert any("! 1 nod" in turn.heard for turn in Notes.turns)


def test_a_bot_that_decides_for_a_person_gives_no_signal() -> None:
    """A clock plays the bot's decision: what the bot would signal stays its own."""
    match = Match("silent-planet", 3, seed=3)
    while not any(match.signals(q) for q in match.due):
        seat = min(match.due)
        match.play(seat, match.legal(seat)[-1])
    seat = next(q for q in sorted(match.due) if match.signals(q))
    told: list[str] = []

    def ask(trial: Match) -> str:
        told.append("! nod" if trial.signals(seat) and not told else trial.legal(seat)[0])
        return told[-1]

    assert whole_answer(match, seat, ask, signals=False) == [match.legal(seat)[0]]
    assert told[0] == "! nod"
    told.clear()
    assert whole_answer(match, seat, ask, signals=True) == ["! nod"]
    assert not [line for line in match.lines if line.startswith("!")]
    assert quick_answer(match, seat)[0] in match.legal(seat)


def test_a_clock_plays_the_usual_bots_decision(sqlite_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a `steady` in the toy game that takes what is offered first, so does the clock."""
    monkeypatch.setitem(registry._targets, "toy", {"steady": "tests.bots.odd_bots:Polite"})
    with serving(config(sqlite_database)) as server:
        api = Api(server.url)
        table, keys = api.make("toy", 2, people=2, clock=5)
        api.get(f"/api/tables/{table}")
        server.app.tables.loaded[table].row.clock = 0  # five seconds are long for a test
        api.start(table, keys[0])

        async def watch() -> None:
            ada = await Person(server.url, table, keys[0], choose=None).connect()
            await ada.over()

        run(watch())
        match = Match("toy", 2, settle=False)
        for line in server.lines(table):
            who, _, text = line.partition(" ")
            assert who == "*" or text == match.legal(int(who))[0]
            match.replay(line)


def test_compiled_rules_are_made_elsewhere_and_loaded_while_the_match_runs(
    sqlite_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first table of a game has its bot compiled in a process of its own; nobody waits for it."""
    monkeypatch.setitem(registry._targets, "toy", {"crooked": "tests.bots.odd_compiled"})
    for key in [key for key in registry._bots if key[-1] == "crooked"]:
        monkeypatch.delitem(registry._bots, key)  # it may be warm from another test
    bot = bot_named(game_named("toy"), "crooked")
    with serving(config(sqlite_database, compile=True)) as server:
        api = Api(server.url)
        table, keys = api.make("toy", 2, people=1, bot="crooked")
        api.start(table, keys[0])
        play_out(server.url, table, keys)  # at once, interpreted
        until = time.monotonic() + 120
        while not getattr(bot, "warm", False):
            assert time.monotonic() < until
            time.sleep(0.05)
        table, keys = api.make("toy", 2, people=1, bot="crooked")
        api.start(table, keys[0])
        play_out(server.url, table, keys)
        assert len(server.app.tables.bot_seats.precompiler.asked) == 1


@pytest.mark.usefixtures("odd")
def test_the_usual_bot_decides_until_one_in_python_is_ready(sqlite_database: str) -> None:
    """A bot in Python may compile what it likes when it is first asked: it is first asked in a process of its own."""
    with serving(config(sqlite_database, compile=True)) as server:
        api = Api(server.url)
        table, keys = api.make("toy", 2, people=1, bot="notes")
        api.start(table, keys[0])
        play_out(server.url, table, keys)
        precompiler = server.app.tables.bot_seats.precompiler
        until = time.monotonic() + 60
        while ("toy", "notes") not in precompiler.ready:
            assert not any(turn.budget.milliseconds for turn in Notes.turns)  # only exercised, never asked
            assert time.monotonic() < until
            time.sleep(0.05)
        table, keys = api.make("toy", 2, people=1, bot="notes")
        api.start(table, keys[0])
        play_out(server.url, table, keys)
        assert any(turn.budget.milliseconds for turn in Notes.turns)


def test_the_views_of_a_game_are_compiled_at_its_first_table(
    sqlite_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a process of its own; then this one loads them, and makes views by them."""
    monkeypatch.setattr(compiled_play, "_loaded", {})
    with serving(config(sqlite_database, compile=True)) as server:
        api = Api(server.url)
        table, keys = api.make("silencio", 2, people=2)
        api.start(table, keys[0])
        until = time.monotonic() + 120
        while compiled_play.loaded_games() == 0:
            assert time.monotonic() < until
            time.sleep(0.05)
        play_out(server.url, table, keys)
        assert compiled_play.loaded(game_named("silencio")) is not None
        assert compiled_play.loaded(game_named("zombie-city")) is None


def test_the_reviews_of_a_game_are_compiled_once_after_its_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the bots, in a process of its own: what a review asks of each style is asked there."""
    game, done = game_named("toy"), list[str]()

    def note(self: Precompiler, game: Game, what: str) -> bool:
        done.append(what)
        return True

    monkeypatch.setattr(Precompiler, "_run", note)
    monkeypatch.setattr(Precompiler, "_compile", note)
    monkeypatch.setattr(Precompiler, "_load", lambda self, game, name: None)
    precompiler = Precompiler()
    for name in ("one", "two"):
        precompiler.pool.submit(precompiler._prepare, game, name).result()
    precompiler.pool.submit(int).result()  # all before it is done
    precompiler.close()
    assert sorted(done) == ["one", "review", "two"]

    asked = set[str]()

    class Asked:
        def __init__(self, game: Game, seats: int, style: str) -> None:
            self.style = style

        def __getattr__(self, name: str) -> Any:
            return lambda *_: asked.add(f"{self.style} {name}")

    monkeypatch.setattr(engine, "Valuer", Asked)
    exercise_review(game)
    assert asked == {f"{style} {what}" for style in styles_of(game) for what in ("decision", "here", "moves", "worlds")}


def test_a_bot_that_cannot_be_compiled_stays_interpreted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("sys.executable", "false")

    async def want() -> None:
        precompiler = Precompiler()
        game = game_named("silencio")
        monkeypatch.setattr(bot_named(game, "steady"), "warm", False)
        assert precompiler.want(game, "steady")  # interpreted
        assert precompiler.want(game, "steady")
        assert precompiler.want(game, "random")
        assert list(precompiler.asked) == [("silencio", "steady")]
        await asyncio.gather(*precompiler.asked.values())
        assert not getattr(bot_named(game, "steady"), "warm", False)
        precompiler.close()

    with caplog.at_level(logging.WARNING):
        run(want())
    assert "stays interpreted" in caplog.text
