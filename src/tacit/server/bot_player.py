"""One bot on a seat: its answers, within its time. It gets what the seat sees, and system randomness."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable

from tacit.bots import Budget, Fault, Runner, bot_named, bot_names, usual_bot
from tacit.bots.match_bots import SIGNAL as SIGNAL
from tacit.bots.match_bots import MatchBots
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.server.lobby_protocol import BotInfo
from tacit.server.thinking import Late

MAX_SEALED_RUN = 400  # decisions in one sealed moment
TIME_SHARE = 0.5  # of the time left, for one decision of a run
_log = logging.getLogger("tacit.server")


def bot_infos(game: Game) -> list[BotInfo]:
    """The bots that can play a game, the usual one first. Compiles nothing."""
    infos = []
    for name in sorted(bot_names(game), key=lambda name: name != usual_bot(game)):
        bot = bot_named(game, name)
        infos.append(BotInfo(name=name, style=bot.style, assumes=bot.assumes))
    return infos


class BotPlayer:
    """A bot on a seat, for as long as the table is loaded. It may keep a memory."""

    def __init__(self, game: Game, name: str) -> None:
        if name not in bot_names(game):  # never import a module that a client or the store names
            raise LookupError(f"no bot {name[:40]!r}")
        self.game, self.name = game, name
        self.runner = Runner(game, bot_named(game, name), self._failed)
        self.lock = threading.Lock()  # one answer at a time: an older one may still be running

    def answer(self, match: Match, seat: int, until: float, signals: bool) -> list[str]:
        """The bot's answer: its decisions, or one signal if it may give them. `until` is of time.monotonic.

        Raises Late if that has passed.
        """
        bots: MatchBots | None = None

        def ask(trial: Match) -> str:
            nonlocal bots
            left = until - time.monotonic()
            if left <= 0 and bots is None:
                raise Late
            if left <= 0:
                return random_decision(trial, seat)
            bots = bots or MatchBots(trial, {seat: self.runner})
            return bots.ask(seat, Budget(milliseconds=1000 * left * TIME_SHARE))

        with self.lock:
            return whole_answer(match, seat, ask, signals)

    def close(self) -> None:
        self.runner.close()

    def _failed(self, fault: Fault) -> None:
        """Log a fault, but not its message: that may name cards."""
        _log.warning("The bot %s of %s failed (%s); %s decided.", self.name, self.game.name, fault.kind, fault.instead)


def quick_answer(match: Match, seat: int) -> list[str]:
    """A random answer, without thinking."""
    return whole_answer(match, seat, lambda trial: random_decision(trial, seat), signals=False)


def random_decision(match: Match, seat: int) -> str:
    return secrets.choice(match.see(seat).legal)


def whole_answer(match: Match, seat: int, ask: Callable[[Match], str], signals: bool) -> list[str]:
    """A seat's answer. In a sealed moment all its decisions at once: timing must not tell how many there were.

    A bot that may not give signals is made to believe that it did, and decides.
    """
    trial = match.copy()
    moment = sealed_moment(trial)
    texts: list[str] = []
    while len(texts) < MAX_SEALED_RUN:
        text = ask(trial)
        if text.startswith(SIGNAL):
            if signals:
                return texts or [text]  # the decisions before it come first; then it is asked again
            trial.signal(seat, text.removeprefix(SIGNAL))
            continue
        texts.append(text)
        if not moment:
            break
        trial.play(seat, text, settle=False)
        if sealed_moment(trial) != moment or not trial.see(seat).legal:
            break
    return texts


def sealed_moment(match: Match) -> int:
    """The number of the moment while a game's choices are sealed, else 0."""
    return match.game.rules.sealed(match.state)
