"""The best score that the deals of a co-operative game allow, by the solver that sees every card (`tacit.analysis`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tacit.analysis import Answer, Solver
from tacit.arena.job import Job
from tacit.arena.match_result import MatchResult
from tacit.arena.stats import Estimate, mean, mean_or_share
from tacit.core.game import Game

MAX_DEALS = 200  # deals solved for one report


def bound_of(game: Game, job: Job, matches: Sequence[MatchResult], budget: int) -> dict[str, Any]:
    """Solve the deals of these matches; returns figures and a sentence for the report.

    The solver tries at most `budget` decisions for each deal. The figures are the shares of deals for which the best
    score is `proved` possible, proved `impossible`, or `unknown`, and the mean of the best scores found. The mean is
    exact if no deal is unknown, and else a lower bound.
    """
    reached: dict[int, int] = {}
    for played in matches:
        reached[played.deal] = max(played.scores[0], reached.get(played.deal, played.scores[0]))
    deals = sorted(reached)[:MAX_DEALS]
    solver = Solver(game, job.seats, job.options)
    answers = [_answer(solver, job, deal, reached[deal], budget) for deal in deals]
    figures: dict[str, Estimate] = {
        status: mean_or_share([int(answer.status == status) for answer in answers])
        for status in ("proved", "impossible", "unknown")
    }
    figures["score"] = mean([float(answer.best) for answer in answers if answer.best is not None])
    exact = all(answer.exact for answer in answers)
    shares = ", ".join(
        f"{said} {100 * share.mean:.1f} % [{100 * share.low:.1f}, {100 * share.high:.1f}]"
        for said, share in (("yes", figures["proved"]), ("no", figures["impossible"]), ("unknown", figures["unknown"]))
    )
    says = (
        f"Could the best score be reached on these deals by seats that know every card? {shares}. "
        f"Best score {'(exact)' if exact else '(at least)'}: {figures['score'].mean:.2f} "
        f"[{figures['score'].low:.2f}, {figures['score'].high:.2f}]; {len(deals)} deals, at most {budget} decisions "
        "tried on each."
    )
    return {"budget": budget, "deals": len(deals), "exact": exact, "figures": figures, "says": says}


def _answer(solver: Solver, job: Job, deal: int, reached: int, budget: int) -> Answer:
    """The solver's answer, or the score that a line-up reached on this deal if that is higher."""
    if reached >= solver.goal:
        return Answer("proved", reached, (), 0)
    answer = solver.deal(job.deal_seed(deal), budget=budget, rules_version=job.rules_version)
    if answer.best is None or answer.best < reached:
        return Answer(answer.status, reached, (), answer.tried)
    return answer
