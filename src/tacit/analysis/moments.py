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
    the match reached the best score (`before` is then the answer for its end), it was never within reach, or the solver
    could not tell. `before` and `after` are the answers on both sides. `sure` is whether both are proved: else a later
    moment may be the turning point.
    """

    decided: int | None
    before: Answer
    after: Answer
    sure: bool


class Moments:
    """The clairvoyant answers for the moments of one match, each computed once.

    Chance does at every moment what the match's record says it did. What the record does not tell, since the match
    ended before it was drawn, follows from `seed`.

    Args:
        match: The match, finished or not.
        budget: How many decisions the solver may try for each moment.
        seed: Of the chance that the record does not tell.

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

        What is out of reach stays so, hence bisection: a handful of moments is solved and not all of them.
        """
        decisions: Sequence[int] = [i for i, (who, _) in enumerate(self.match.steps) if who != CHANCE]
        low, high = -1, len(decisions)  # before decision `low` it was within reach; before `high` it was not
        end = self.answer(len(self.match.steps))
        if end.status == "proved" or not decisions:
            return TurningPoint(None, end, end, True)
        before, after = None, end
        while high - low > 1:
            middle = (low + high) // 2
            answer = self.answer(decisions[middle])
            if answer.status == "proved":
                low, before = middle, answer
            else:
                high, after = middle, answer
        if before is None:
            return TurningPoint(None, after, after, after.status == "impossible")
        return TurningPoint(decisions[low], before, after, after.status == "impossible")


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
