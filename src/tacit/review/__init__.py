"""What a finished match was: a curve of what was to be expected, luck and slips apart, and whether it could be won."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tacit.core.errors import TacitError
from tacit.core.messages import Message, catalogue_home
from tacit.review.model import Review

if TYPE_CHECKING:
    from tacit.core.match import Match

__all__ = ["CannotReview", "Review", "review", "review_steps"]
catalogue_home("review", "tacit.review")


class CannotReview(TacitError):
    """The match is not over, or nobody decided in it; `message` says which."""


def review(
    match: Match, *, budget: float = 1.0, seed: int = 0, progress: Callable[[Review], None] | None = None
) -> Review:
    """The review of a finished match; the same for the same record, budget and seed.

    Args:
        match: A match that is over.
        budget: How many times the default number of play-outs is made.
        seed: Of the play-outs.
        progress: Is called with what is there so far, again and again.

    Raises:
        CannotReview: The match is not over.
    """
    made = None
    for made in review_steps(match, budget=budget, seed=seed):
        if progress is not None:
            progress(made)
    assert made is not None
    return made


def review_steps(match: Match, *, budget: float = 1.0, seed: int = 0) -> Iterator[Review]:
    """The same as a generator of reviews: each has more than the one before, the last one all of it.

    `match`, `budget` and `seed` are those of `review`.
    Raises CannotReview at once, before the first is asked for.
    """
    if not match.over:
        raise CannotReview(Message("review.running"))
    from tacit.review.engine import Reviewer

    reviewer = Reviewer(match, budget, seed)
    if not reviewer.changes:
        raise CannotReview(Message("review.empty"))
    return reviewer.steps()
