"""The making of a review, stage by stage: the curve, whether it could be won, every decision, the key moments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from tacit.core.match import Match
from tacit.review.accounts import accounts, met_by, summary
from tacit.review.clairvoyance import clairvoyance
from tacit.review.judging import Judged, compare, judge, screen, spread
from tacit.review.model import Clairvoyance, CurvePoint, Interval, KeyMoment, Review, SeatAccount, Stage
from tacit.review.moments import Moments
from tacit.review.timeline import Position, changes
from tacit.review.values import Measure, Valued, Valuer, cost_of, rounded, styles_of

# How many steps of playouts a review of the default budget makes in a stage, in thousands of steps of the quickest
# policy, as far as can be told beforehand: so that a long match takes as long as a short one.
CURVE, SCREEN, CONFIRM = 1000, 1000, 4000
DRAWS, STROKES = 300, 12  # the same for positions that are told by themselves, and how many of these there are
LEAST, MOST = 8, 400  # playouts of a position, whatever its share
ENOUGH = {"cards": 0.1, "points": 1.0, "chance": 0.03}  # standard error of what all decisions changed; less is no use
MOST_MORE = 2000  # further playouts of a decision that may have cost something
LONGER = 4  # a playout goes on for a quarter of the match at least, or about that
YIELDS = 20  # reviews in part, a stage


class Reviewer:
    """The review of one match that is over."""

    def __init__(self, match: Match, budget: float, seed: int) -> None:
        self.match, self.game, self.budget, self.seed = match, match.game, budget, seed
        self.measure = Measure(self.game, match.seats)
        self.changes = changes(match)
        self.styles = styles_of(self.game)
        self.met = met_by(match)
        self.valuers: dict[str, Valuer] = {}
        self.valued: list[Valued] = []  # the positions, from before the deal to the end
        self.judged: dict[int, Judged] = {}  # by the number of the change
        self.shared: set[int] = set()  # the numbers of the changes that are matters of convention
        self.clairvoyance: Clairvoyance | None = None
        self.moments: list[KeyMoment] = []

    def valuer(self, style: str) -> Valuer:
        """The playouts in a style; compiled when they are first asked for."""
        if style not in self.valuers:
            self.valuers[style] = Valuer(self.game, self.match.seats, style)
        return self.valuers[style]

    def steps(self) -> Iterator[Review]:
        """Reviews, each with more than the one before."""
        yield self._review("curve", 0.0)
        self._choose_style()
        n = len(self.changes)
        for done in self._value_positions():
            yield self._review("curve", 0.25 * done / (n + 1))
        self.clairvoyance = clairvoyance(self.match)
        yield self._review("moments", 0.3)
        for done in self._judge_decisions():
            yield self._review("moments", 0.3 + 0.4 * done / n)
        finder = Moments(self)
        for share, moments in finder.find():
            self.moments = moments
            yield self._review("moments", 0.7 + 0.3 * share)
        yield self._review("done", 1.0)

    # -------------------------------------------------------------- the stages
    def playouts(self, thousands: float, lengths: list[int], style: str | None = None) -> int:
        """How many playouts each of some positions gets, from how many steps the match went on after them."""
        steps = sum(lengths) * self.valuer(style or self.styles[0]).cost
        return int(min(max(1000 * thousands * self.budget / max(steps, 1), LEAST), MOST * max(self.budget, 1)))

    def left(self, steps: int) -> int:
        """About how many steps a playout has after so many: what the match had, but near its end it could go on."""
        return max(len(self.match.steps) - steps, len(self.match.steps) // LONGER) + 1

    def _value_positions(self) -> Iterator[int]:
        """Playouts from every position; yields how many are done, now and then."""
        valuer, positions = self.valuer(self.styles[0]), [self.changes[0].before, *(c.after for c in self.changes)]
        times = self.playouts(CURVE, [self.left(at.steps) for at in positions])
        for number, at in enumerate(positions):
            if number == len(positions) - 1:
                end = [0] * self.match.seats
                self.game.rules.score(at.state, end)
                scores = np.array([end], np.int64)
            else:
                scores = valuer.here(at, times * 4 if number == 0 else times, f"review {self.seed} curve")
            self.valued.append(Valued(self.measure, scores))
            if number % max(1, len(positions) // YIELDS) == 0:
                yield number + 1

    def value_more(self, number: int, at: Position) -> Any:
        """Value a position with further playouts, for what is told of it alone; the values of all its playouts.

        The end has its one result.
        """
        if number < len(self.changes):
            scores = self.valued[number].scores
            times = self.playouts(DRAWS, [self.left(at.steps) * STROKES])
            more = self.valuer(self.styles[0]).here(at, times, f"review {self.seed} curve", len(scores))
            self.valued[number] = Valued(self.measure, np.concatenate([scores, more]))
        return self.valued[number].values

    def _judge_decisions(self) -> Iterator[int]:
        """Judge every decision in the first style; yields how many changes are done, now and then."""
        valuer, key = self.valuer(self.styles[0]), f"review {self.seed}"
        decided = [(i, c) for i, c in enumerate(self.changes) if c.seat is not None]
        often = max(1, 2 * len(decided) // YIELDS)
        times = self.playouts(SCREEN, [self.left(c.at.steps) for _, c in decided])
        screened = {}
        for number, (i, change) in enumerate(decided):
            screened[i] = screen(valuer, self.measure, change, times, key)
            if number % often == 0:
                yield i // 2
        # What is the best for the policy, too, is known without playouts: the others share them all.
        open_ = {i: one for i, one in screened.items() if len(one.compared) > 1}
        self.judged = {i: judge(self.measure, one) for i, one in screened.items()}
        costs = {i: self.left(one.change.at.steps) * len(one.compared) for i, one in open_.items()}
        first = self.playouts(CONFIRM / 3, list(costs.values()))
        compared = {i: compare(valuer, self.measure, one, first, key) for i, one in open_.items()}
        more = self._allotted(costs, {i: spread(one, compared[i]) for i, one in open_.items()})
        for i, one in open_.items():
            values = [compared[i]]
            if more[i]:
                values.append(compare(valuer, self.measure, one, more[i], key, first))
            self.judged[i] = judge(self.measure, one, np.concatenate(values))
            if i % often == 0:
                yield (len(self.changes) + i) // 2

    def _allotted(self, costs: dict[int, int], spreads: dict[int, float]) -> dict[int, int]:
        """How many further playouts each decision gets: more where they vary more and cost less, so that the error of
        the sum is smallest (Neyman, 1934)."""
        whole = sum(spreads[i] * costs[i] ** 0.5 for i in costs)
        affordable = 1000 * CONFIRM * 2 / 3 / (max(whole, 1e-9) * self.valuer(self.styles[0]).cost)
        rate = min(affordable, whole / ENOUGH[self.measure.unit] ** 2) * self.budget
        most = MOST_MORE * max(self.budget, 1)
        return {i: int(min(rate * spreads[i] / costs[i] ** 0.5, most)) for i in costs}

    def _choose_style(self) -> None:
        """Put the style first that decides most often as the seats did: at a table that shares a convention, values by
        another one would call luck what the seats told each other. Networks are too slow for a whole curve.
        """
        quick = [style for style in self.styles if cost_of(self.game, style) == cost_of(self.game, self.styles[0])]
        if len(quick) == 1:
            return
        decided = [change for change in self.changes if change.seat is not None]
        alike = {
            style: sum(self.valuer(style).decision(c.at, c.seat or 0) == c.action for c in decided) for style in quick
        }
        first = max(quick, key=lambda style: alike[style])
        self.styles = [first, *(style for style in self.styles if style != first)]

    def excuse(self, one: Judged) -> None:
        """Count a matter of convention as no loss: whether it works out depends on what the others share.

        All that it changed is neither luck nor a decision's: a share of its own.
        """
        number = next(i for i, judged in self.judged.items() if judged is one)
        self.shared.add(number)
        for at, position in ((number, one.change.before), (number + 1, one.change.after)):
            self.value_more(at, position)
        none = np.zeros(self.measure.sides)
        self.judged[number] = replace(one, shift=none, shift_error=none, loss=Interval(0.0, 0.0, 0.0))

    # -------------------------------------------------------------- what is there so far
    def shift(self, i: int) -> Any:
        """What the decision in change number i brought each side, by what its player knew; None if there was none."""
        if self.changes[i].seat is None:
            return None
        if i in self.judged:
            return self.judged[i].shift
        return self.moved(i)  # not judged yet

    def moved(self, i: int) -> Any:
        """What change number i changed of what each side could expect."""
        return self.mean(i + 1) - self.mean(i)

    def mean(self, number: int) -> Any:
        """The value of each side at a position."""
        return self.valued[number].mean

    def curve(self) -> list[CurvePoint]:
        """The points that have been valued."""
        none = [0.0] * self.measure.sides
        points = []
        for number, valued in enumerate(self.valued):
            change = self.changes[max(number - 1, 0)]
            at = change.after if number else change.before
            moved = self.moved(number - 1) if number else np.zeros(self.measure.sides)
            shift = self.shift(number - 1) if number else None
            shared = number - 1 in self.shared
            points.append(
                CurvePoint(
                    steps=at.steps,
                    line=at.line,
                    value=valued.value,
                    chance=valued.chance,
                    score=valued.score,
                    luck=none if shared else rounded(moved if shift is None else moved - shift),
                    decisions=none if shift is None else rounded(shift),
                    conventions=rounded(moved) if shared else none,
                    seat=change.seat if number else None,
                    text=change.text if number else "",
                    words=change.words if number else None,
                )
            )
        return points

    def _review(self, stage: Stage, progress: float) -> Review:
        whole = len(self.valued) == len(self.changes) + 1
        made: list[SeatAccount] = accounts(self) if stage != "curve" and whole else []
        return Review(
            game=self.game.name,
            seats=self.match.seats,
            cooperative=self.game.cooperative,
            unit=self.measure.unit,
            budget=self.budget,
            seed=self.seed,
            stage=stage,
            progress=round(progress, 3),
            styles=self.styles,
            summary=summary(self) if made else [],
            curve=self.curve(),
            clairvoyance=self.clairvoyance,
            moments=self.moments,
            accounts=made,
        )
