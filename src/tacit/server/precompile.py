"""Compiling bots in the background, the reviews of the games that they play, and the play of all games played here.

Compiling in a thread blocked the event loop for up to 0.4 s at a time. So a separate process compiles into the cache on
disk, and a thread loads from there. Until then compiled bots run interpreted, and the usual bot replaces those that
cannot; interpreted rules play the matches. A review is made in a process of its own: for it the cache is enough.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import random
import secrets
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from tacit.bots import Budget, CompiledBot, Dice, Turn, bot_named
from tacit.bots.heard_events import HeardEvents, turn_of
from tacit.bots.registry import target_of
from tacit.core import compiled_play
from tacit.core.chance import RNG_WORDS
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.core.registry import game_named, register
from tacit.server import faults

NOT_COMPILED = "random"  # the bot that needs no compiler
REVIEW = "review"  # in place of a bot: the playouts of a game's reviews
PLAY = "play"  # of a served match: steps, what seats hear, and views
EXERCISE_PLAYOUTS = 4  # a decision
COMPILE_WITHIN = 900.0  # seconds for one bot
_log = logging.getLogger("tacit.server")


def exercise(game: Game, name: str) -> None:
    """Let a bot decide in a match of its own, so that its rules are compiled or loaded from the cache."""
    bot = bot_named(game, name)
    match = Match(game, game.min_seats)
    listener = HeardEvents(match)

    def turn(seat: int) -> Turn:
        dice = Dice([secrets.randbits(32) for _ in range(RNG_WORDS)])
        return turn_of(match, seat, listener, dice, Budget(playouts=EXERCISE_PLAYOUTS))

    if hasattr(bot, "warm_up"):
        bot.warm_up(turn(min(match.due)))
        return
    seats = [bot.fresh() for _ in range(match.seats)]  # a bot in Python may compile at any decision: play a whole match
    while not match.over:
        seat = min(match.due)
        text = seats[seat].decide(turn(seat))
        match.play(seat, text if text in match.legal(seat) else match.legal(seat)[0])


def exercise_review(game: Game) -> None:
    """Play the last decision of a match out in every style of a review, so that their rules are compiled."""
    from tacit.review.engine import Reviewer

    match, rng = Match(game, game.min_seats), random.Random(0)
    while not match.over:
        seat = min(match.due)
        match.play(seat, rng.choice(match.legal(seat)))
    made = Reviewer(match, 1.0, 0)
    last = [change for change in made.changes if change.seat is not None][-1]
    seat = last.seat or 0
    for style in made.styles:
        valuer = made.valuer(style)
        valuer.decision(last.at, seat)
        valuer.here(last.at, 1, "")
        valuer.moves(last.at, seat, [last.action], 1, "")
        valuer.worlds(last.at, seat, 1, "")


class Precompiler:
    """Prepares each bot that this process needs, once, one after the other."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="precompile")
        self.asked: dict[tuple[str, str], asyncio.Future[None]] = {}
        self.ready: set[tuple[str, str]] = set()
        self.played: set[str] = set()  # the games whose compiled play is loaded, or will be
        self.reviewed: set[str] = set()  # the games whose reviews are compiled, or will be after the bots in line
        self.compiling: subprocess.Popen[bytes] | None = None
        self.closed = False

    def want(self, game: Game, name: str) -> bool:
        """Prepare a bot; True if it can be asked meanwhile. A compiled bot can, interpreted. A bot in Python cannot: it
        might start to compile and block the event loop.
        """
        bot = bot_named(game, name)
        known = name == NOT_COMPILED or getattr(bot, "warm", False) or (game.name, name) in self.ready
        if not known and (game.name, name) not in self.asked:
            loop = asyncio.get_running_loop()
            self.asked[game.name, name] = loop.run_in_executor(self.pool, self._prepare, game, name)
        return known or isinstance(bot, CompiledBot)

    def want_play(self, game: Game) -> None:
        """Prepare a game's compiled play; until then interpreted rules play it."""
        if game.name not in self.played and game.rules.fragments is not None and not self.closed:
            self.played.add(game.name)
            self.pool.submit(self._prepare_play, game)

    def close(self) -> None:
        self.closed = True
        compiling = self.compiling
        if compiling is not None:
            with contextlib.suppress(OSError):
                compiling.kill()
        self.pool.shutdown(wait=False, cancel_futures=True)

    def _prepare(self, game: Game, name: str) -> None:
        if self.closed:
            return
        try:
            if self._compile(game, name) and not self.closed:
                self._load(game, name)
                self.ready.add((game.name, name))
                self._want_review(game)
        except Exception as error:
            faults.note(f"Loading the bot {name} of {game.name}", error)

    def _prepare_play(self, game: Game) -> None:
        try:
            if self._run(game, PLAY) and not self.closed:
                with _not_collecting():
                    compiled_play.load(game)
        except Exception as error:
            faults.note(f"Loading the compiled play of {game.name}", error)

    def _want_review(self, game: Game) -> None:
        """Compile the reviews of a game, once, when all bots that are wanted by now are ready."""
        if game.name not in self.reviewed and not self.closed:
            self.reviewed.add(game.name)
            with contextlib.suppress(RuntimeError):  # closed meanwhile
                self.pool.submit(self._run, game, REVIEW)

    def _run(self, game: Game, what: str) -> bool:
        """Compile in a separate process; True if it worked."""
        if self.closed:
            return False
        command = [sys.executable, "-m", "tacit.server.precompile", game.name, game.module.__name__, what]
        self.compiling = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            return self.compiling.wait(COMPILE_WITHIN) == 0
        except subprocess.TimeoutExpired:
            self.compiling.kill()
            self.compiling.wait()
            return False

    def _compile(self, game: Game, name: str) -> bool:
        done = self._run(game, target_of(game, name))
        if not done and not self.closed:
            _log.warning(
                "The bot %s of %s could not be compiled: it stays interpreted, or another plays.", name, game.name
            )
        return done

    def _load(self, game: Game, name: str) -> None:
        with _not_collecting():
            exercise(game, name)


@contextlib.contextmanager
def _not_collecting() -> Iterator[None]:
    """Without the garbage collector, which would block the event loop while code is loaded; what was loaded stays."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        if collecting:
            gc.enable()


def main(name: str, module: str, what: str) -> None:
    """In the separate process: compile a bot, or a game's reviews or play, into the cache."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(10)
    register(name, module)
    if what == REVIEW:
        exercise_review(game_named(name))
    elif what == PLAY:
        compiled_play.load(game_named(name))
    else:
        exercise(game_named(name), what)


if __name__ == "__main__":
    main(*sys.argv[1:4])
