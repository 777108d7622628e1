"""Could it be won? The solver's answer from the deal, and the last moment at which the best result was possible."""

from __future__ import annotations

from tacit.analysis import Moments
from tacit.core.match import Match
from tacit.core.messages import Message
from tacit.review.model import Clairvoyance
from tacit.review.timeline import match_at

BUDGET = 400_000  # decisions that the solver tries from one moment


def clairvoyance(match: Match) -> Clairvoyance:
    """The answer for a match that is over; status `none` for a game that the solver cannot answer for."""
    game = match.game
    if not game.cooperative:
        return Clairvoyance(status="none", sentence=Message("review.won.rivals"))
    try:
        moments = Moments(match, budget=BUDGET)
        deal = moments.answer(0)
        turning = moments.turning_point()
    except ValueError:
        return Clairvoyance(status="none", sentence=Message("review.won.unsolved"))
    if turning.decided is None and turning.before.status == "proved":
        return Clairvoyance(status="proved", best=turning.before.best, sentence=Message("review.won.won"))
    if turning.decided is None:
        lines = _lines(match, 0, deal.line)
        return Clairvoyance(
            status=deal.status, best=deal.best, line=lines, sentence=Message(f"review.won.{deal.status}")
        )
    at = _line_of(match, turning.decided)
    line = match.lines[at]
    seat, _, text = line.partition(" ")
    name = "until" if turning.sure else "until-about"
    return Clairvoyance(
        status="proved",
        best=turning.before.best,
        sentence=Message(f"review.won.{name}", {"words": game.rules.tell(line)}),
        line=_lines(match, at, turning.before.line),
        line_from=at,
        turning_line=at,
        turning_seat=int(seat),
        turning_text=text,
    )


def _line_of(match: Match, steps: int) -> int:
    """The number of lines of the record before the step that so many steps precede."""
    numbers = [i for i, line in enumerate(match.lines) if not line.startswith("!")]
    return numbers[steps]


def _lines(match: Match, begun: int, steps: tuple[tuple[int, int], ...]) -> list[str]:
    """The steps of an answer as lines of a record, which follow the first `begun` lines of the match."""
    played = match_at(match, begun)
    for who, action in steps:
        played.apply(who, action)
    return played.lines[begun:]
