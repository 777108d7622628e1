"""Bots at the table: which there are, and what one decides. They get a seat's eyes, and chance of the system."""

from __future__ import annotations

import secrets

from tacit.bots import bot_named, bot_names, usual_bot
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.server.protocol import BotInfo

QUICK = "random"  # always there, always at once
MAX_RUN = 400  # decisions in one sealed moment


def bot_infos(game: Game) -> list[BotInfo]:
    """The bots that can play a game, first the usual one. Nothing is compiled for this."""
    names = sorted(bot_names(game), key=lambda name: name != usual_bot(game))
    return [
        BotInfo(name=name, style=bot_named(game, name).style, assumes=bot_named(game, name).assumes) for name in names
    ]


def decide(match: Match, seat: int, name: str) -> str:
    """One decision of a bot, from what its seat sees."""
    return secrets.choice(match.see(seat).legal)


def decide_run(match: Match, seat: int, name: str) -> list[str]:
    """A bot's answer. In a sealed moment all its decisions at once: how many there were must not show in time."""
    trial = match.copy()
    moment = _sealed(trial)
    texts = [decide(trial, seat, name)]
    while moment and len(texts) < MAX_RUN:
        trial.play(seat, texts[-1], settle=False)
        if _sealed(trial) != moment or not trial.see(seat).legal:
            break
        texts.append(decide(trial, seat, name))
    return texts


def _sealed(match: Match) -> int:
    sealed = getattr(match.game.module, "sealed", None)
    return sealed(match.state) if sealed is not None else 0
