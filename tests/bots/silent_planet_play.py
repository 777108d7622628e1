"""Matches of Silent Planet between compiled bots, and positions to ask a bot about."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from tacit import Match, game_named
from tacit.bots import bot_play
from tacit.core.chance import stream
from tacit.core.rulekit import build

GAME = game_named("silent-planet")


@cache
def compiled(bot: Any) -> Any:
    """The game, the bot and the driver, compiled."""
    return build(GAME.module, "cpu", drivers=[bot_play, bot])


def teams(bot: Any, seats: int, matches: int, team: int | None = None) -> np.ndarray[Any, Any]:
    """The teams completed in each compiled match; the seats in `team` (all) choose, others are random."""
    w = bot_play.workspace(GAME, seats, matches=matches)
    compiled(bot).bot_matches(w, 0, matches, (1 << seats) - 1 if team is None else team)
    found: np.ndarray[Any, Any] = w.scores[:, 0]
    return found


def decide(bot: Any, k: Any, seat: int) -> int:
    """The bot's decision, interpreted."""
    mask = [0] * GAME.words
    GAME.rules.legal(k, seat, mask)
    return int(bot.choose(k.copy(), seat, [0], 0, mask, stream("bot")))


def decide_compiled(bot: Any, k: Any, seat: int) -> int:
    """The same, compiled."""
    record = np.zeros(1, GAME.dtype)
    k.store(record[0])
    mask = np.zeros(GAME.words, np.int64)
    GAME.rules.legal(k, seat, mask)
    rng = np.array(stream("bot"), np.int64)
    return int(compiled(bot).choose(record[0], seat, np.zeros(1, np.int64), 0, mask, rng))


def positions(bot: Any, seats: int, seed: int, obey: float) -> Iterator[tuple[Any, int, int]]:
    """What the deciding seat knows, the seat and the bot's decision, through a match; each decision is the bot's with
    the probability `obey`, else a random one."""
    rng = random.Random(f"{bot.NAME} {seats} {seed} {obey}")
    match = Match(GAME, seats, seed=seed)
    # A random seat may reveal everything; seats that obey throughout keep most matches going.
    obedient = {seat for seat in range(seats) if rng.random() < obey}
    while not match.over:
        seat = rng.choice(sorted(match.due))
        k = match.know(seat)
        action = decide_compiled(bot, k, seat)
        yield k, seat, action
        legal = GAME.legal(k, seat)
        obeys = seat in obedient and rng.random() < max(obey, 0.9)
        chosen = action if obeys else rng.choice([a for a in legal if a < 6 or a > 14] or legal)
        match.play(seat, GAME.rules.show(match.state, seat, chosen))


def imagined(k: Any, seat: int, seed: int) -> Any:
    """One of the truths that a seat's knowledge leaves possible."""
    s = k.copy()
    GAME.rules.imagine(s, seat, stream(f"truth {seed}"))
    return s
