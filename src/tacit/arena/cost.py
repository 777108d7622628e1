"""What one decision of a compiled bot costs: its `choose` alone, on positions of its own matches, without the rules."""

from __future__ import annotations

import time

import numpy as np

from tacit.arena.job import Job
from tacit.arena.table import FOREVER, Table
from tacit.bots import relay
from tacit.bots.compiled import CompiledBot
from tacit.bots.registry import bot_named
from tacit.bots.turn import dice_for
from tacit.core.bits import mark

DEALS = 4
LEAST = 2e-4  # seconds that one timing takes at the least


def cost(job: Job, name: str) -> float | None:
    """Seconds a decision, the mean over the decisions of a few matches in which the bot has all seats.

    None for a bot in Python: its matches are timed themselves.
    """
    game = job.known()
    bot = bot_named(game, name)
    if not isinstance(bot, CompiledBot):
        return None
    compiled = [other for other in job.bots if isinstance(bot_named(game, other), CompiledBot)]
    table = Table(game, job.seats, job.options, compiled)
    rules = bot.build("cpu")
    known = np.zeros(2, game.dtype)
    words = np.zeros_like(table.rng)
    total, decisions = 0.0, 0
    for deal in range(DEALS):
        number = job.number(deal)
        table.begin(number, name)
        while table.on(number, name, 0, 0, FOREVER) != relay.OVER:
            seat, step = int(table.at[relay.SEAT]), int(table.at[relay.STEPS])
            state = game.State().load(table.states[0])
            game.know(state, seat).store(known[0])
            mask = np.zeros(game.words, np.int64)
            for action in game.legal(state, seat):
                mark(mask, action)
            rng = np.array(dice_for([int(n) for n in table.key], step, seat).words, np.int64)
            times = 0 if decisions == 0 else 4  # the first call may compile
            while True:
                started = time.perf_counter()
                rules.choose_often(
                    known, seat, table.events[seat], int(table.heard[seat]), mask, table.offered, rng, words, times
                )
                seconds = time.perf_counter() - started
                if times and (seconds >= LEAST or times > 1000):
                    break
                times = max(4, 4 * times)
            total += seconds / times
            decisions += 1
            if table.on(number, name, 1 << seat, 0, step + 1) == relay.ILLEGAL:
                break
    return total / decisions if decisions else None
