"""One match with bots in Python; `compiled_match` plays the same match, step by step, if all bots are compiled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tacit.arena.compiled_match import Course, fault, match_key
from tacit.bots.match_bots import MatchBots
from tacit.bots.registry import bot_named
from tacit.bots.runner import Fault, Runner
from tacit.bots.turn import Budget, dice_for
from tacit.core.chance import Paired, stream
from tacit.core.game import Game, OptionValue
from tacit.core.match import Match
from tacit.core.random_play import random_seat


def play_python_match(
    game: Game, options: Mapping[str, OptionValue], number: int, seating: Sequence[str], budget: Budget,
    rules_version: int | None = None,
) -> Course:  # fmt: skip
    """Play the deal with seed `number`; `seating` names the bot of each seat."""
    chance = Paired(number)
    match = Match(game, len(seating), options, chance=chance, settle=False, rules_version=rules_version)
    key, turns = match_key(number), stream(f"{number} turns")
    faults: list[dict[str, Any]] = []

    def report(found: Fault) -> None:
        faults.append(fault(seating[found.seat], found.seat, len(match.steps), found.kind, found.detail, found.instead))

    runners = {seat: Runner(game, bot_named(game, name), report) for seat, name in enumerate(seating)}
    bots = MatchBots(match, runners, budget, lambda seat: dice_for(key, len(match.steps), seat))
    match.settle()
    while not match.over:
        seat = random_seat(sum(1 << q for q in match.due), turns)
        while not bots.play(seat):
            pass  # it gave a signal; the same seat decides next
    bots.close()
    thought: dict[str, tuple[int, float]] = {}
    for name, runner in zip(seating, runners.values(), strict=True):
        if not runner.bot.compiled:
            n, seconds = thought.get(name, (0, 0.0))
            thought[name] = (n + runner.decisions, seconds + runner.seconds)
    scores = [0] * match.seats
    game.rules.score(match.state, scores)
    return Course(
        steps=list(match.steps),
        scores=tuple(scores),
        result=match.result or {},
        decisions=sum(who < match.seats for who, _ in match.steps),
        faults=faults,
        thought=thought,
        lines=list(match.lines),
    )
