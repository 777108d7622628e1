"""Could it be won? The solver's answer from the deal, and the last moment at which the best result was possible."""

from __future__ import annotations

from tacit.analysis import Future, Solver
from tacit.core.match import Match
from tacit.core.messages import Message
from tacit.core.random_play import CHANCE
from tacit.review.model import Clairvoyance

BUDGET = 400_000  # decisions that the solver tries from one moment


def clairvoyance(match: Match) -> Clairvoyance:
    """The answer for a match that is over; status `none` for a game that the solver cannot answer for."""
    game = match.game
    if not game.cooperative:
        return Clairvoyance(status="none", sentence=Message("review.won.rivals"))
    future = Future.of(match)
    again = Match(game, match.seats, match.options, seed=0, settle=False, rules_version=match.rules_version)
    moments: list[tuple[Match, int]] = [(again.copy(), 0)]  # before each decision, and the words of the future used
    source = iter(match.steps)
    for line in match.lines:
        if line.startswith("!"):
            again.replay(line)
            continue
        who, action = next(source)
        if who != CHANCE:
            moments.append((again.copy(), 0))
        again.apply(who, action)
    try:
        solver = Solver(game, match.seats, match.options)
        answers = {0: solver.solve(moments[0][0].state, future, budget=BUDGET)}
    except ValueError:
        return Clairvoyance(status="none", sentence=Message("review.won.unsolved"))
    deal = answers[0]
    end = [0] * match.seats
    game.rules.score(match.state, end)
    reached = end[0] >= solver.goal
    found = Clairvoyance(
        status="proved" if reached else deal.status,
        sentence=Message("review.won.won"),
        best=end[0] if reached else deal.best,
        line=[] if reached else _lines(moments[0][0], deal.line),
    )
    if reached:
        return found
    if deal.status != "proved":
        return _with(found, Message(f"review.won.{deal.status}"))
    # What is possible after a decision was possible before it: the last moment is found by halving.
    low, high = 0, len(moments)  # possible at low, not shown to be at high
    sure = True
    while high - low > 1:
        middle = (low + high) // 2
        at = moments[middle][0]
        answer = solver.solve(at.state, future, used=future.used(at), budget=BUDGET)
        sure = sure and answer.status != "unknown"
        low, high = (middle, high) if answer.status == "proved" else (low, middle)
        if answer.status == "proved":
            deal = answer
    at = moments[low][0]
    text = match.lines[len(at.lines)] if low else ""
    seat = int(text.partition(" ")[0]) if low and not text.startswith(("*", "!")) else None
    params = {"words": game.rules.tell(text)} if low else {}
    sentence = Message(f"review.won.{'until' if sure else 'until-about'}" if low else "review.won.deal", params)
    return Clairvoyance(
        status="proved",
        sentence=sentence,
        best=found.best,
        line=_lines(at, deal.line),
        line_from=len(at.lines),
        turning_line=len(at.lines),
        turning_seat=seat,
        turning_text=text.partition(" ")[2],
    )


def _with(found: Clairvoyance, sentence: Message) -> Clairvoyance:
    return Clairvoyance(status=found.status, sentence=sentence, best=found.best, line=found.line)


def _lines(match: Match, line: tuple[tuple[int, int], ...]) -> list[str]:
    """The steps of an answer as lines of a record."""
    played = match.copy()
    for who, action in line:
        played.apply(who, action)
    return played.lines[len(match.lines) :]
