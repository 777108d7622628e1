"""The registry, what a bot gets, and what happens to a bot that fails."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import random
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import tacit.bots
from tacit import GAMES, Match, game_named
from tacit.bots import Bot, Budget, CompiledBot, Dice, Runner, Turn, UnknownBot, bot_named, bot_names, register_bot
from tacit.bots.heard_events import HeardEvents, turn_of
from tacit.bots.registry import BOTS
from tacit.core.chance import stream
from tacit.core.game import Game
from tacit.core.messages import catalogue
from tests.bots import odd_bots

ALL = [*GAMES, "toy"]
QUICK = Budget(milliseconds=20)


def every_bot() -> list[tuple[str, str]]:
    return [(name, bot) for name in ALL for bot in bot_names(game_named(name))]


def seated(game: Game, cls: type[Any]) -> Bot:
    return bot_named(game, f"tests.bots.odd_bots:{cls.__name__}")


def midway(name: str, seed: int, decisions: int) -> tuple[Match, HeardEvents]:
    """A match after a number of random decisions, with a seat due."""
    rng = random.Random(f"{name} {seed}")
    game = game_named(name)
    match = Match(game, rng.randint(game.min_seats, game.max_seats), seed=seed)
    for _ in range(decisions):
        if match.over:
            return midway(name, seed + 1000, decisions // 2)
        seat = rng.choice(sorted(match.due))
        match.play(seat, rng.choice(match.legal(seat)))
    return (match, HeardEvents(match)) if not match.over else midway(name, seed + 1000, decisions // 2)


def turn_at(match: Match, listener: HeardEvents, seat: int, budget: Budget = QUICK) -> Turn:
    return turn_of(match, seat, listener, Dice(stream("dice")), budget)


# ------------------------------------------------------------------ the registry
@pytest.mark.parametrize(("game", "name"), every_bot())
def test_every_bot_says_what_it_is(game: str, name: str) -> None:
    bot = bot_named(game_named(game), name)
    assert bot.name == name
    assert bot.style.endswith(".")
    assert bot.assumes.endswith(".")


def test_the_catalogue_says_of_every_bot_what_it_says_itself() -> None:
    """So the web can say it in other languages: codes `style.<game>.<name>`, `any` for bots that play every game."""
    words = catalogue("bots")
    said: dict[str, str] = {}
    for game, name, _ in BOTS:
        bot = bot_named(game_named("toy" if game == "*" else game), name)
        where = f"{'any' if game == '*' else game}.{name}"
        said |= {f"style.{where}": bot.style, f"assumes.{where}": bot.assumes}
    assert {code: text for code, text in words.items() if code.startswith(("style.", "assumes."))} == said


@pytest.mark.parametrize("language", ["de", "nl"])
def test_bots_speak_other_languages(language: str) -> None:
    english, other = catalogue("bots"), catalogue("bots", language)
    assert english.keys() == other.keys()
    assert not [code for code in english if english[code] == other[code]]


def test_every_module_of_a_bot_has_its_line() -> None:
    listed = {target for _, _, target in BOTS}
    home = Path(tacit.bots.__file__).parent
    for package in [p.name for p in home.iterdir() if (p / "__init__.py").exists()]:
        for found in pkgutil.iter_modules([str(home / package)]):
            module = f"tacit.bots.{package}.{found.name}"
            choose = getattr(importlib.import_module(module), "choose", None)
            if getattr(choose, "__module__", None) == module:
                assert module in listed


def test_an_unknown_bot_gets_a_sentence() -> None:
    silencio = game_named("silencio")
    with pytest.raises(UnknownBot, match="There is no bot “nobody” for Silencio. There are: .*random"):
        bot_named(silencio, "nobody")
    with pytest.raises(UnknownBot, match="there is no module no.such"):
        bot_named(silencio, "no.such:Bot")
    with pytest.raises(UnknownBot, match="is not a bot. It lacks: NAME, STYLE, ASSUMES, choose"):
        bot_named(silencio, "tests.bots.odd_bots:time")


def test_anyone_can_register_a_bot() -> None:
    toy = game_named("toy")
    register_bot("toy", "courteous", "tests.bots.odd_bots:Polite")
    assert "courteous" in bot_names(toy)
    assert "courteous" not in bot_names(game_named("silencio"))
    assert bot_named(toy, "courteous").name == "polite"


# ------------------------------------------------------------------ what a bot gets
def test_a_turn_holds_exactly_what_it_says() -> None:
    fields = ["game", "seats", "seat", "k", "heard", "events", "legal", "rng", "budget", "signals", "deck"]
    assert [f.name for f in dataclasses.fields(Turn)] == fields
    match, listener = midway("silencio", 1, 9)
    seat = min(match.due)
    turn = turn_at(match, listener, seat)
    assert turn.k == match.know(seat)
    assert turn.k is not match.state
    assert list(turn.legal) == match.legal(seat)
    assert list(turn.heard) == match.see(seat).heard
    reachable = [getattr(turn, name) for name in fields]
    assert not any(isinstance(value, (Match, HeardEvents)) for value in reachable)


def test_dice_are_random_and_the_streams_own() -> None:
    one, two = Dice(stream("a")), Dice(stream("a"))
    assert [one.random() for _ in range(5)] == [two.random() for _ in range(5)]
    assert one.getrandbits(70) == two.getrandbits(70)
    assert sorted(one.sample(range(9), 9)) == sorted(two.sample(range(9), 9)) == list(range(9))
    one.seed(0)
    two.random()
    one.random()
    assert one.words == two.words
    rolls = [one.randrange(6) for _ in range(6000)]
    assert all(850 < rolls.count(n) < 1150 for n in range(6))


@pytest.mark.parametrize(("name", "bot"), every_bot())
def test_bots_cannot_cheat(name: str, bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same knowledge with different hidden truths and the same generator: the same decision, the same signal."""
    budget = Budget(playouts=30)  # not by the clock, which may run differently the second time
    maker = getattr(bot_named(game_named(name), bot), "maker", None)
    if maker is not None:  # test_search.py and test_master.py let it search; here its policy decides
        monkeypatch.setattr(maker, "warm", {})
        budget = QUICK
    cannot_cheat(name, bot, budget)


def cannot_cheat(name: str, bot: str, budget: Budget) -> None:
    game = game_named(name)
    player = bot_named(game, bot)
    differed = 0
    for seed in range(6):
        match, listener = midway(name, seed, 3 + 4 * seed)
        for seat in sorted(match.due):
            turn = turn_at(match, listener, seat, budget)
            worlds = []
            for key in ("one world", "another"):
                world = match.know(seat)
                game.rules.imagine(world, seat, stream(f"{key} {seed}"))
                worlds.append(world)
            differed += worlds[0] != worlds[1]
            answers, signals = set(), set()
            for world in worlds:
                fresh = dataclasses.replace(turn, k=game.know(world, seat), rng=Dice(stream("same")))
                assert fresh.legal == tuple(game.rules.show(world, seat, a) for a in game.legal(world, seat))
                answers.add(player.fresh().decide(fresh))
                if isinstance(player, CompiledBot):
                    signals.add(player.signal(fresh))
            assert len(answers) == 1
            assert len(signals) <= 1
            assert answers <= set(turn.legal)
    assert differed > 0


@pytest.mark.parametrize(("name", "bot"), [(n, b) for n, b in every_bot() if n == "toy"])
def test_every_generic_bot_plays_the_fifth_game(name: str, bot: str) -> None:
    for seats in (2, 3):
        match = Match(name, seats, seed=seats)
        listener = HeardEvents(match)
        runners = [Runner(match.game, bot_named(match.game, bot)) for _ in range(seats)]
        while not match.over:
            seat = min(match.due)
            match.play(seat, runners[seat].ask(turn_at(match, listener, seat)))
        assert match.result
        assert not any(r.faults for r in runners)


def test_a_compiled_bot_decides_the_same_interpreted() -> None:
    bot = bot_named(game_named("toy"), "random")
    assert isinstance(bot, CompiledBot)
    for seed in range(20):
        match, listener = midway("toy", seed, seed % 3)
        turn = turn_at(match, listener, min(match.due))
        again = dataclasses.replace(turn, rng=Dice(turn.rng.words))
        assert bot.choose_compiled(again) == bot.choose(turn)


# ------------------------------------------------------------------ bots that fail
@pytest.mark.parametrize(
    ("cls", "kind", "says"),
    [
        (odd_bots.Raises, "raised", "ZeroDivisionError: nothing to divide"),
        (odd_bots.Exits, "raised", "SystemExit(3)"),
        (odd_bots.Illegal, "illegal", "'fly away'"),
        (odd_bots.Mute, "illegal", "None"),
        (odd_bots.Hangs, "late", "no answer after 0.14 s"),
        (odd_bots.Sleeps, "late", "no answer after 0.14 s"),
    ],
)
def test_a_bot_that_fails_is_replaced_and_reported(cls: type[Any], kind: str, says: str) -> None:
    match, listener = midway("silencio", 3, 8)
    seat = min(match.due)
    told: list[Any] = []
    runner = Runner(match.game, seated(match.game, cls), told.append)
    turn = turn_at(match, listener, seat)
    started = time.perf_counter()
    assert runner.ask(turn) in turn.legal
    assert time.perf_counter() - started < 30
    assert told == runner.faults
    assert [(f.kind, f.seat, f.bot) for f in told] == [(kind, seat, cls.NAME)]
    assert says in told[0].detail
    assert told[0].instead in bot_names(match.game)


def test_who_decides_instead_does_so_with_the_same_dice() -> None:
    match, listener = midway("silencio", 3, 8)
    seat = min(match.due)
    answers = {
        Runner(match.game, seated(match.game, cls)).ask(turn_at(match, listener, seat))
        for cls in (odd_bots.Raises, odd_bots.Illegal, odd_bots.Hangs)
    }
    assert len(answers) == 1


def test_a_bot_that_is_still_stuck_is_not_asked_again_before_it_is_back() -> None:
    match, listener = midway("silencio", 3, 8)
    runner = Runner(match.game, seated(match.game, odd_bots.Sleeps))
    started = time.perf_counter()
    for _ in range(50):
        turn = turn_at(match, listener, min(match.due))
        assert runner.ask(turn) in turn.legal
    assert len(runner.faults) == 50
    assert time.perf_counter() - started < 30


def test_a_bot_that_hangs_is_stopped_also_when_the_match_has_been_closed() -> None:
    """It would use a core of the server for ever."""
    match, listener = midway("silencio", 3, 8)
    runner = Runner(match.game, seated(match.game, odd_bots.Hangs))
    asking = threading.Thread(target=runner.ask, args=(turn_at(match, listener, min(match.due)),))
    asking.start()
    while (thinker := runner._thinker or runner._stuck) is None:
        time.sleep(0.001)
    runner.close()
    asking.join()
    thinker.thread.join(60)
    assert not thinker.thread.is_alive()


def test_a_meddler_spoils_nothing() -> None:
    match, listener = midway("silencio", 3, 8)
    before = match.state.copy()
    seat = min(match.due)
    events = list(listener.events(seat))
    Runner(match.game, seated(match.game, odd_bots.Meddler)).ask(turn_at(match, listener, seat))
    assert match.state == before
    assert list(listener.events(seat)) == events


def test_a_bot_may_signal_where_the_game_lets_it() -> None:
    match = Match("silent-planet", 3, seed=1)
    listener = HeardEvents(match)
    runners = [Runner(match.game, seated(match.game, odd_bots.Nods)) for _ in range(3)]
    while not match.over:
        seat = min(match.due)
        text = runners[seat].ask(turn_at(match, listener, seat, Budget()), match.signals(seat))
        if text.startswith("! "):
            match.signal(seat, text[2:])
        else:
            match.play(seat, text)
    assert sum(line.startswith("! ") and line.endswith(" nod") for line in match.lines) >= 2
    assert not any(r.faults for r in runners)
    illegal = Runner(match.game, seated(match.game, odd_bots.Nods))
    other = Match("silent-planet", 3, seed=1)
    while not any(t.startswith("point") for q in other.due for t in other.legal(q)):
        q = min(other.due)
        other.play(q, other.legal(q)[-1])
    seat = min(other.due)
    assert illegal.ask(turn_at(other, HeardEvents(other), seat)) in other.legal(seat)
    assert illegal.faults[0].kind == "illegal"
