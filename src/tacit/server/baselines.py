"""What bots reach with the same cards: the measure of a co-operative match. Computed in a process of its own.

`python -m tacit.server.baselines` reads a Task as JSON from its standard input and prints a score.
"""

from __future__ import annotations

import asyncio
import os
import sys

import msgspec

from tacit.bots import MatchBots, Runner, bot_named, bot_names, usual_bot
from tacit.core.chance import Chance
from tacit.core.game import Game, OptionValue
from tacit.core.keyed_chance import Beginning, DealChance
from tacit.core.match import Match
from tacit.core.registry import game_named
from tacit.server.processes import ProcessFailed, last_line_of

COMMAND = (sys.executable, "-m", "tacit.server.baselines")
COMPUTE_WITHIN = 900.0  # seconds
BOT = "steady"
AT_ONCE = 1  # of these processes
NICE = 15


class Task(msgspec.Struct, frozen=True):
    """A finished match, and the key from which the cards follow that it did not come to."""

    record: str
    key: str


def measure_of(game: Game) -> str:
    """The bot that a co-operative match is compared with."""
    return BOT if BOT in bot_names(game) else usual_bot(game)


def bots_score(match: Match, bot: str) -> int:
    """Let a bot play all seats of a match to its end: its score; in a game that is not co-operative the best seat's."""
    bots = MatchBots(match, {q: Runner(match.game, bot_named(match.game, bot)) for q in range(match.seats)})
    try:
        while not match.over:
            bots.play(min(match.due))
    finally:
        bots.close()
    scores = [0] * match.seats
    match.game.rules.score(match.state, scores)
    return max(scores)


def new_match(game: str, seats: int, options: dict[str, OptionValue], version: int, chance: Chance) -> Match:
    """A match that has just been dealt."""
    return Match(game_named(game), seats, options, chance=chance, rules_version=version)


def baseline(task: Task) -> int:
    """The score of the measure's bot on all seats with the cards of a match."""
    played = Match.load(task.record)
    chance = DealChance(bytes.fromhex(task.key), None, Beginning.of(played))
    match = new_match(played.game.name, played.seats, played.options, played.rules_version, chance)
    return bots_score(match, measure_of(match.game))


class Baselines:
    """Computes baselines, one after the other."""

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def compute(self, task: Task) -> int | None:
        """The baseline of a match; None if it cannot be computed."""
        async with self._slots:
            try:
                return int(await last_line_of(COMMAND, msgspec.json.encode(task), COMPUTE_WITHIN))
            except (ProcessFailed, ValueError):
                return None


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(NICE)  # players come first
    print(baseline(msgspec.json.decode(sys.stdin.buffer.read(), type=Task)))
