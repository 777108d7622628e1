"""Scores with luck taken off: the same means with smaller intervals (control variates, from the values of a review)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tacit.arena.job import Job
from tacit.arena.match_player import play_chunk
from tacit.arena.match_result import MatchResult
from tacit.arena.stats import Estimate, mean
from tacit.arena.summary import measure as measure_of
from tacit.bots.registry import bot_named, usual_bot
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.review.luck import luck_of
from tacit.review.values import NETWORK_COST, Measure, Valuer, cost_of

PLAYOUTS = 32  # of each position


def without_luck(game: Game, job: Job, matches: Sequence[MatchResult], deals: int) -> dict[str, Any]:
    """The measure of each line-up on the first `deals` deals, as it is and with luck taken off; and a sentence.

    `fewer` is by how many times fewer matches have the same interval once luck is taken off. The luck of a match is
    multiplied by the factor that leaves the least variance; since its own mean is 0, the mean of the rest is the same.
    """
    measure = Measure(game, job.seats)
    measure.unit = "points" if game.cooperative else "chance"  # as line-ups are compared
    valuers: dict[str, Valuer] = {}
    found: list[dict[str, Any]] = []
    for number, bots in enumerate(job.line_ups):
        mine = [played for played in matches if played.line_up == number and played.deal < deals]
        style = _style(game, bots)
        valuer = valuers.setdefault(style, Valuer(game, job.seats, style))
        raw = [measure_of(game, job, played) for played in mine]
        luck = [_luck(game, job, played, valuer, measure) for played in mine]
        found.append({"bots": bots, **_adjusted(raw, luck)})
    says = [
        f"{', '.join(one['bots'])}: {_shown(one['raw'])}; with luck taken off {_shown(one['adjusted'])}: "
        f"as good as {one['fewer']:.1f} times as many matches."
        for one in found
    ]
    return {"matches": min(deals, len({m.deal for m in matches})), "line_ups": found, "says": "\n".join(says)}


def _style(game: Game, bots: Sequence[str]) -> str:
    """Whose policy values a line-up's matches: the more alike it is to the line-up's, the more of its luck is seen.

    Its most frequent compiled bot that is no network, which would take too long; else the game's usual bot.
    """
    quick = Counter(name for name in bots if bot_named(game, name).compiled and cost_of(game, name) < NETWORK_COST)
    return next((name for name, _ in quick.most_common(1)), usual_bot(game))


def _luck(game: Game, job: Job, played: MatchResult, valuer: Valuer, measure: Measure) -> float:
    """The luck of a match for what its line-up is measured by; the match is played again for its record."""
    [(_, record)] = play_chunk(job, [played.match], keep=True)
    match = Match.load(record, deck=job.deck)
    side = 0 if game.cooperative else job.seat_of(played.match, 0)
    alike = {seat for seat, name in enumerate(played.seats) if name == valuer.style}
    return float(luck_of(match, valuer, measure, PLAYOUTS, f"luck {job.seed} {played.match}", alike)[side])


def _adjusted(raw: Sequence[float], luck: Sequence[float]) -> dict[str, Any]:
    """Both estimates, the factor of luck, and how many times fewer matches are needed."""
    before = mean(raw)
    squares = math.fsum(x * x for x in luck)
    middle = before.mean
    factor = math.fsum(x * (y - middle) for x, y in zip(luck, raw, strict=True)) / squares if squares else 0.0
    after = mean([y - factor * x for x, y in zip(luck, raw, strict=True)])
    wide, narrow = before.high - before.low, after.high - after.low
    return {"raw": before, "adjusted": after, "factor": factor, "fewer": (wide / narrow) ** 2 if narrow > 0 else 1.0}


def _shown(value: Estimate) -> str:
    return f"{value.mean:.3f} [{value.low:.3f}, {value.high:.3f}]"
