"""A match in plain Python, for line-ups with bots that are not compiled; step for step the match that a Table plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tacit.arena.compiled_match import Course, fault, match_key
from tacit.bots.heard_events import HeardEvents, turn_of
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
    """The match of a deal with these bots, each asked by a Runner."""
    chance = Paired(number)
    match = Match(game, len(seating), options, chance=chance, settle=False, rules_version=rules_version)
    listener, key, turns = HeardEvents(match), match_key(number), stream(f"{number} turns")
    faults: list[dict[str, Any]] = []

    def report(found: Fault) -> None:
        faults.append(fault(seating[found.seat], found.seat, len(match.steps), found.kind, found.detail, found.instead))

    runners = [Runner(game, bot_named(game, name), report) for name in seating]
    match.settle()
    while not match.over:
        seat = random_seat(sum(1 << q for q in match.due), turns)
        while True:
            turn = turn_of(match, seat, listener, dice_for(key, len(match.steps), seat), budget)
            text = runners[seat].ask(turn, match.signals(seat))
            if not text.startswith("! "):
                break
            match.signal(seat, text[2:])
        match.play(seat, text, settle=False)
        match.settle()
    thought: dict[str, tuple[int, float]] = {}
    for name, runner in zip(seating, runners, strict=True):
        runner.close()
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
