"""Summary statistics of a job: line-ups, bots, paired differences, ratings, failures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from tacit.arena.job import Job
from tacit.arena.match_result import MatchResult
from tacit.arena.ratings import ratings
from tacit.arena.stats import ANYWHERE, Estimate, SequentialTest, mean, mean_or_share
from tacit.core.game import Game
from tacit.core.registry import game_named

LATE = 0.01  # of its matches: a bot that is late in more is disqualified


class LineUp(msgspec.Struct, frozen=True):
    """Figures of one line-up: its score (co-operative games) or its bots' scores and shares of the win."""

    bots: tuple[str, ...]
    """The bots of the line-up, in the order of the seats."""
    matches: int
    """How many matches it played."""
    figures: dict[str, Estimate]
    """The shared score and the numbers in the game's result, by name."""
    scores: dict[str, Estimate]
    """The mean score of each bot's seats."""
    wins: dict[str, Estimate]
    """The share of the win of one of each bot's seats."""
    less_first: Estimate | None
    """Its measure minus the first line-up's, paired by deal; None for the first."""


class Summary(msgspec.Struct, frozen=True):
    """The figures of a job; `report.json` has them, and a notebook draws them."""

    game: str
    """The game's name."""
    seats: int
    """How many seats each match had."""
    cooperative: bool
    """Whether all seats share one score."""
    deals: int
    """How many deals each line-up played."""
    decisions: int
    """How many decisions were made in all."""
    line_ups: list[LineUp]
    """The line-ups, in the order in which they were named."""
    ratings: dict[str, Estimate]
    """Each bot's rating on the scale of Elo, in games that somebody wins."""
    faults: dict[str, dict[str, int]]
    """How often each bot failed, by kind."""
    disqualified: dict[str, str] = {}
    """Why a bot is out: its figures are those of the bots that replaced it."""
    cost: dict[str, float] = {}
    """Each bot's seconds for one decision."""
    bound: dict[str, Any] | None = None
    """For how many deals the best score could be reached, where it was asked."""
    until: dict[str, Any] | None = None
    """What the test of `--until` found."""
    luck: dict[str, Any] | None = None
    """What `--review` found: the line-ups' measure with luck taken off."""

    def _repr_html_(self) -> str:
        """For notebooks: the report as the command prints it."""
        from tacit.arena.report import report
        from tacit.core.notebook import html

        return html(report(game_named(self.game), self))


def measure(game: Game, job: Job, played: MatchResult) -> float:
    """The number by which line-ups are compared: the shared score, or the first bot's share of the win."""
    return float(played.scores[0]) if game.cooperative else played.shares()[job.seat_of(played.match, 0)]


def paired_difference(game: Game, job: Job, played: Mapping[int, MatchResult], deal: int) -> float | None:
    """The difference that --until tests, on one deal; None while a match of the deal is missing.

    With several line-ups: the first's measure minus the second's. With one: the share of the win of the first bot minus
    that of the first other bot.
    """
    line_ups = len(job.line_ups)
    if line_ups > 1:
        one, two = played.get(deal * line_ups), played.get(deal * line_ups + 1)
        return None if one is None or two is None else measure(game, job, one) - measure(game, job, two)
    match = played.get(deal)
    if match is None:
        return None
    names = job.line_ups[0]
    other = next(i for i, name in enumerate(names) if name != names[0])
    shares = match.shares()
    return shares[job.seat_of(deal, 0)] - shares[job.seat_of(deal, other)]


class SequentialStop:
    """The sequential test of --until. It uses deals by number, not in the order played."""

    def __init__(self, game: Game, job: Job, played: Mapping[int, MatchResult]) -> None:
        self.game, self.job, self.played = game, job, played
        self.test = SequentialTest()
        self.deals = 0  # used by the test
        if len(job.line_ups) == 1 and (game.cooperative or len(set(job.line_ups[0])) == 1):
            raise ValueError(
                "--until compares two line-ups: give --seats twice, or in a competitive game two bots in one line-up."
            )

    def decided(self) -> bool:
        """Is the difference significant after the deals played so far?"""
        while self.test.decided is None:
            value = paired_difference(self.game, self.job, self.played, self.deals)
            if value is None:
                break
            self.test.add(value)
            self.deals += 1
        return self.test.decided is not None


def summarise(game: Game, job: Job, matches: Iterable[MatchResult]) -> Summary:
    """The summary of these matches."""
    by_line_up: list[list[MatchResult]] = [[] for _ in job.line_ups]
    everything = sorted(matches, key=lambda played: played.match)
    for played in everything:
        by_line_up[played.line_up].append(played)
    faults: dict[str, Counter[str]] = {}
    for played in everything:
        for found in played.faults:
            faults.setdefault(found["bot"], Counter())[found["kind"]] += 1
    out = disqualified(everything)
    first = {played.deal: measure(game, job, played) for played in by_line_up[0]}
    return Summary(
        game=game.name,
        seats=job.seats,
        cooperative=game.cooperative,
        deals=len({played.deal for played in everything}),
        decisions=sum(played.decisions for played in everything),
        line_ups=[
            _line_up(game, job, number, found, first if number else None) for number, found in enumerate(by_line_up)
        ],
        ratings={} if game.cooperative else ratings([m for m in everything if out.keys().isdisjoint(m.seats)]),
        faults={bot: dict(kinds) for bot, kinds in sorted(faults.items())},
        disqualified=out,
        cost=_seconds_per_decision(everything),
    )


def disqualified(matches: Sequence[MatchResult]) -> dict[str, str]:
    """The bots that raised an exception or answered illegally even once, or were late in over 1 % of their matches.

    Who is late once may have sat on a busy machine; for all else, scores are those of the replacement. Returns each
    bot's first failure.
    """
    sat: Counter[str] = Counter()
    late: Counter[str] = Counter()
    broke: set[str] = set()
    first: dict[str, str] = {}
    for played in matches:
        sat.update(set(played.seats))
        for found in played.faults:
            bot = found["bot"]
            first.setdefault(bot, f"{found['kind']} in match {played.match}: {found['detail']}")
            if found["kind"] != "late":
                broke.add(bot)
        late.update({found["bot"] for found in played.faults if found["kind"] == "late"})
    return {bot: why for bot, why in sorted(first.items()) if bot in broke or late[bot] > LATE * sat[bot]}


def _line_up(
    game: Game, job: Job, number: int, matches: Sequence[MatchResult], first: Mapping[int, float] | None
) -> LineUp:
    names = job.line_ups[number]
    scores: dict[str, Estimate] = {}
    wins: dict[str, Estimate] = {}
    bounds = game.score_range(job.seats) or ANYWHERE
    if not game.cooperative:
        for name in dict.fromkeys(names):
            seats = [[q for q, bot in enumerate(match.seats) if bot == name] for match in matches]
            pairs = list(zip(matches, seats, strict=True))
            scores[name] = mean([sum(m.scores[q] for q in at) / len(at) for m, at in pairs], bounds)
            wins[name] = mean_or_share([sum(m.shares()[q] for q in at) / len(at) for m, at in pairs], (0, 1))
    less = None
    if first is not None:
        less = mean([measure(game, job, m) - first[m.deal] for m in matches if m.deal in first])
    return LineUp(names, len(matches), _figures(game, matches, bounds), scores, wins, less)


def best_score(game: Game, seats: int) -> int | None:
    """The score beyond which there is none, in a co-operative game that knows it."""
    return game.best_score(seats) if game.cooperative else None


def _figures(game: Game, matches: Sequence[MatchResult], bounds: tuple[float, float]) -> dict[str, Estimate]:
    """The shared score, and every number or flag in the game's results that varies."""
    figures = {"score": mean([m.scores[0] for m in matches], bounds)} if game.cooperative else {}
    best = best_score(game, len(matches[0].seats)) if matches else None
    if best is not None:
        figures["perfect"] = mean_or_share([int(m.scores[0] == best) for m in matches])
    for key, sample in matches[0].result.items() if matches else ():
        if isinstance(sample, bool):
            figures[key] = mean_or_share([int(m.result[key]) for m in matches])
        elif isinstance(sample, (int, float)) and len({m.result[key] for m in matches}) > 1:
            figures[key] = _of_counts([m.result[key] for m in matches])
    return figures


def _of_counts(values: Sequence[float]) -> Estimate:
    """A mean; where no value is below 0 (cards left), neither is its interval."""
    return mean(values, (0.0, math.inf) if min(values) >= 0 else ANYWHERE)


def _seconds_per_decision(matches: Iterable[MatchResult]) -> dict[str, float]:
    """Mean seconds for one decision of each bot in Python."""
    total: dict[str, list[float]] = {}
    for played in matches:
        for bot, (n, seconds) in played.thought.items():
            sums = total.setdefault(bot, [0, 0.0])
            sums[0] += n
            sums[1] += seconds
    return {bot: seconds / n for bot, (n, seconds) in total.items() if n}
