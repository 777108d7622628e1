"""Policies. They see knowledge, never states."""

from tacit.bots.compiled import CompiledBot
from tacit.bots.registry import Bot, PythonBot, UnknownBot, bot_named, bot_names, register_bot, usual_bot
from tacit.bots.runner import Fault, Runner
from tacit.bots.turn import Budget, Dice, Turn

__all__ = [
    "Bot",
    "Budget",
    "CompiledBot",
    "Dice",
    "Fault",
    "PythonBot",
    "Runner",
    "Turn",
    "UnknownBot",
    "bot_named",
    "bot_names",
    "register_bot",
    "usual_bot",
]
