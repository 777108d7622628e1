"""Compiled rules for the bots at the tables, without anybody waiting for the compiler.

Compiling in a thread held up everyone for up to 0.4 s at a time. So a process of its own compiles into the cache
on the disk, and then a thread loads from there, which holds nobody up. Until then bots decide interpreted.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from tacit.bots import Budget, Dice, Turn, bot_named
from tacit.bots.listening import Listener, turn_of
from tacit.bots.registry import target_of
from tacit.core.chance import RNG_WORDS
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.core.registry import game_named, register

QUICK = "random"  # needs no compiler
PATIENCE = 900.0  # seconds that compiling one bot may take
_log = logging.getLogger("tacit.server")


def any_turn(game: Game) -> Turn:
    """Some decision, to be taken once and thrown away."""
    match = Match(game, game.min_seats)
    dice = Dice([1] * RNG_WORDS)
    return turn_of(match, min(match.due), Listener(match), dice, Budget(milliseconds=1.0))


class Warmth:
    """Which bots have been asked for in this process; each is compiled once, one after the other."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="warm")
        self.asked: dict[tuple[str, str], asyncio.Future[None]] = {}
        self.compiling: subprocess.Popen[bytes] | None = None
        self.closed = False

    def want(self, game: Game, name: str) -> None:
        """A bot sits down: if it has rules to compile, they will be ready some time."""
        bot = bot_named(game, name)
        if (
            name == QUICK
            or (game.name, name) in self.asked
            or not hasattr(bot, "warm_up")
            or getattr(bot, "warm", False)
        ):
            return
        loop = asyncio.get_running_loop()
        self.asked[game.name, name] = loop.run_in_executor(self.pool, self._warm, game, name)

    def close(self) -> None:
        self.closed = True
        compiling = self.compiling
        if compiling is not None:
            with contextlib.suppress(OSError):
                compiling.kill()
        self.pool.shutdown(wait=False, cancel_futures=True)

    def _warm(self, game: Game, name: str) -> None:
        if self.closed:
            return
        try:
            if self._compiled(game, name) and not self.closed:
                self._load(game, name)
        except Exception as error:  # then it stays interpreted, which is slower and not wrong
            _log.warning("The bot %s of %s stays interpreted: %s.", name, game.name, type(error).__name__)

    def _compiled(self, game: Game, name: str) -> bool:
        command = [sys.executable, "-m", "tacit.server.warm", game.name, game.module.__name__, target_of(game, name)]
        self.compiling = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            done = self.compiling.wait(PATIENCE) == 0
        except subprocess.TimeoutExpired:
            self.compiling.kill()
            self.compiling.wait()
            done = False
        if not done and not self.closed:
            _log.warning("The bot %s of %s could not be compiled and stays interpreted.", name, game.name)
        return done

    def _load(self, game: Game, name: str) -> None:
        collecting = gc.isenabled()
        gc.disable()  # it would look through all that is loaded, again and again, while everyone waits
        try:
            bot_named(game, name).warm_up(any_turn(game))  # type: ignore[attr-defined]
            gc.freeze()
        finally:
            if collecting:
                gc.enable()


def main(name: str, module: str, bot: str) -> None:
    """In the process of its own: compile a bot into the cache."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(10)
    register(name, module)
    game = game_named(name)
    bot_named(game, bot).warm_up(any_turn(game))  # type: ignore[attr-defined]


if __name__ == "__main__":
    main(*sys.argv[1:4])
