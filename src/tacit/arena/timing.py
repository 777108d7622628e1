"""Measures one decision of a compiled bot: `choose` alone, without the rules, on positions of its own matches."""

from __future__ import annotations

import time

import numpy as np

from tacit.arena.compiled_match import match_key
from tacit.arena.job import Job
from tacit.bots.compiled import CompiledBot
from tacit.bots.heard_events import HeardEvents
from tacit.bots.registry import bot_named
from tacit.bots.turn import dice_for
from tacit.core.bits import mark
from tacit.core.chance import Paired, stream
from tacit.core.match import Match
from tacit.core.random_play import random_seat

DEALS = 3
MIN_SECONDS = 2e-4  # of one measurement
MAX_REPEATS = 1000


def seconds_per_decision(job: Job, name: str) -> float | None:
    """Mean processor seconds for one decision, over a few matches in which the bot has all seats.

    None for a bot in Python: the arena times its matches. Only `choose` is compiled for this.
    """
    game = job.load_game()
    bot = bot_named(game, name)
    if not isinstance(bot, CompiledBot):
        return None
    often = bot.build("cpu").choose_often
    known = np.zeros(2, game.dtype)
    mask, offered = np.zeros(game.words, np.int64), np.zeros(game.words, np.int64)
    words = np.zeros(4, np.int64)
    total, decisions = 0.0, 0
    for deal in range(DEALS):
        number = job.deal_seed(deal)
        match = Match(game, job.seats, job.options, chance=Paired(number), rules_version=job.rules_version)
        listener, key, turns = HeardEvents(match), match_key(number), stream(f"{number} turns")
        while not match.over:
            seat = random_seat(sum(1 << q for q in match.due), turns)
            k = match.know(seat)
            k.store(known[0])
            mask[:] = 0
            legal = game.legal(k, seat)
            for action in legal:
                mark(mask, action)
            heard = listener.events(seat)
            events = np.zeros(max(len(heard), 1), np.int64)
            events[: len(heard)] = heard
            rng = np.array(dice_for(key, len(match.steps), seat).words, np.int64)
            times = 0 if decisions == 0 else 1  # the first call may compile
            while True:
                started = time.thread_time()
                sum_of_all = often(known, seat, events, len(heard), mask, offered, rng, words, times)
                seconds = time.thread_time() - started
                if times and (seconds >= MIN_SECONDS or times >= MAX_REPEATS):
                    break
                times = max(1, 4 * times)
            total += seconds / times
            decisions += 1
            chosen = int(sum_of_all) // times
            match.play(seat, game.rules.show(k, seat, chosen if chosen in legal else legal[0]))
    return total / decisions if decisions else None
