"""Bots: the registry, what a bot gets for a decision (`Turn`), and the runners that ask it.

A bot sees what its seat knows, never the state.
"""

from tacit.bots.compiled import CompiledBot
from tacit.bots.match_bots import MatchBots
from tacit.bots.registry import Bot, PythonBot, UnknownBot, bot_named, bot_names, register_bot, usual_bot
from tacit.bots.runner import Fault, Runner
from tacit.bots.turn import Budget, Dice, Turn

__all__ = [
    "Bot",
    "Budget",
    "CompiledBot",
    "Dice",
    "Fault",
    "MatchBots",
    "PythonBot",
    "Runner",
    "Turn",
    "UnknownBot",
    "bot_named",
    "bot_names",
    "register_bot",
    "usual_bot",
]
