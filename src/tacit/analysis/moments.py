"""Could a match have been won from any of its moments, and until when: the solver along a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tacit.analysis.future import Draws, Future
from tacit.analysis.solver import BUDGET, Answer, Solver
from tacit.core.match import Match
from tacit.core.random_play import CHANCE


@dataclass(frozen=True)
class TurningPoint:
    """The decision after which the best score was out of reach.

    `decided` is the number of steps before it, so that `match.steps[decided]` is the decision; None if there is none:
    the match reached the best score, or it was never shown to be within reach. `before` and `after` are the answers on
    both sides of it. `gone` is the number of steps after which the best score is proved to be out of reach; None if it
    was reached, or may still be. `sure` is whether that is at once after the decision: else one between them may have
    been it.
    """

    decided: int | None
    before: Answer
    after: Answer
    gone: int | None
    sure: bool


class Moments:
    """The clairvoyant answers for the moments of one match, each computed once.

    Chance does at every moment what the match's record says it did. What the record does not tell, since the match
    ended before it was drawn, follows from `seed`.

    Args:
        match: The match, finished or not.
        budget: How many decisions the solver may try for each moment.
        seed: Of the chance that the record does not tell.

    Attributes:
        solver: The search, for the match's game, seats and options.
        future: What chance does.

    Raises:
        ValueError: The seats play against each other, so that there is no best line for all; or the decks are renewed.
    """

    def __init__(self, match: Match, *, budget: int = BUDGET, seed: int = 0) -> None:
        self.match, self.budget = match, budget
        self.solver = Solver(match.game, match.seats, match.options)
        self.future = Future.of(match, seed)
        self._answers: dict[int, Answer] = {}
        self._states, self._used = [match.begun()], [0]
        source, rules = Draws(self.future), match.game.rules
        for who, action in match.steps:
            state = self._states[-1].copy()
            if who == CHANCE:
                source.draw(match.game.chance(state), rules.pool(state))
            rules.step(state, who, action)
            self._states.append(state)
            self._used.append(source.used)

    def answer(self, step: int) -> Answer:
        """What could still be reached after so many steps of the match; 0 is before the deal. IndexError beyond it."""
        if not 0 <= step < len(self._states):
            raise IndexError(f"The match has {len(self._states) - 1} steps: there is no moment {step}.")
        if step not in self._answers:
            self._answers[step] = self._inherited(step) or self.solver.solve(
                self._states[step], self.future, used=self._used[step], budget=self.budget
            )
        return self._answers[step]

    def _inherited(self, step: int) -> Answer | None:
        """An answer that follows from another moment's: the match went on along its line, or came to that moment."""
        steps = self.match.steps
        for other, answer in self._answers.items():
            if other < step and answer.exact and answer.line[: step - other] == tuple(steps[other:step]):
                return Answer(answer.status, answer.best, answer.line[step - other :], 0)
            if other > step and answer.status == "proved":
                return Answer(answer.status, answer.best, (*steps[step:other], *answer.line), 0)
        return None

    def turning_point(self) -> TurningPoint:
        """The last decision before which the best score was still within reach, and after which it was not.

        What is out of reach stays so, hence bisection, from both sides: a handful of moments is solved and not all.
        """
        end = len(self.match.steps)
        moments = [*(i for i, (who, _) in enumerate(self.match.steps) if who != CHANCE), end]
        if self.answer(end).status == "proved":
            return TurningPoint(None, self.answer(end), self.answer(end), None, True)
        last = len(moments) - 1
        low, _ = self._border(moments, -1, last, ("proved",))
        _, gone = self._border(moments, low, last, ("proved", "unknown"))
        for i in range(low + 1, gone):  # a later moment may have been proved on the way
            low = i if moments[i] in self._answers and self.answer(moments[i]).status == "proved" else low
        before, after = self.answer(moments[max(low, 0)]), self.answer(moments[low + 1])
        decided = moments[low] if low >= 0 else None
        if self.answer(end).status != "impossible":
            return TurningPoint(decided, before, after, None, False)
        return TurningPoint(decided, before, after, moments[gone], low + 1 == gone)

    def _border(self, moments: Sequence[int], low: int, high: int, statuses: tuple[str, ...]) -> tuple[int, int]:
        """Two neighbours between low and high: the answer at the first has one of the statuses, at the second not."""
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.answer(moments[middle]).status in statuses else (low, middle)
        return low, high


def could_be_won(match: Match, step: int | None = None, *, budget: int = BUDGET, seed: int = 0) -> Answer:
    """What all seats together could still have reached in a match after so many steps, had they known every card.

    "proved" comes with a line to the best score, "impossible" means that every line was tried, "unknown" that the
    budget was spent; `Answer.best` is the best score that was found. `Moments` answers for many moments of one match.

    Args:
        match: The match; what chance does later on is what its record says.
        step: How many steps of it are played; None is as it stands, 0 before the deal.
        budget: How many decisions may be tried.
        seed: Of the chance that the record does not tell.

    Raises:
        ValueError: The seats play against each other, so that there is no best line for all; or the decks are renewed.
        IndexError: The match has fewer steps.

    Examples:
        >>> from tacit import Match
        >>> match = Match("silencio", 2, seed=1)
        >>> could_be_won(match).status
        'proved'
    """
    return Moments(match, budget=budget, seed=seed).answer(len(match.steps) if step is None else step)


def turning_point(match: Match, *, budget: int = BUDGET, seed: int = 0) -> TurningPoint:
    """The decision after which the best score of a co-operative match was out of reach; see `TurningPoint`.

    Args:
        match: The match, finished or not.
        budget: How many decisions may be tried for each moment that is looked at.
        seed: Of the chance that the record does not tell.

    Raises:
        ValueError: The seats play against each other, so that there is no best line for all; or the decks are renewed.
    """
    return Moments(match, budget=budget, seed=seed).turning_point()
