"""The key moments: the largest slips, matters of convention and strokes of luck, each looked at closely."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.core.messages import Message, seat_words
from tacit.review.accounts import result, shown
from tacit.review.judging import Judged
from tacit.review.model import Interval, KeyMoment, Option, StyleVerdict
from tacit.review.values import Valued, around, interval

if TYPE_CHECKING:
    from tacit.review.engine import Reviewer

MOST = 7  # key moments
CANDIDATES = 9  # decisions that are looked at closely
LUCK = 3  # strokes of luck among the key moments
OPTIONS = 4  # decisions that are compared at a key moment
CLOSE, DRAWS = 400, 200  # thousands of steps of playouts, as in engine.py


class Moments:
    """Finds the key moments of a review whose decisions are judged."""

    def __init__(self, of: Reviewer) -> None:
        self.of = of

    def find(self) -> Iterator[tuple[float, list[KeyMoment]]]:
        """How much of the work is done, and the moments found so far, the largest first."""
        found: list[KeyMoment] = self._luck()
        yield 0.2, self._largest(found)
        slips = sorted(self.of.judged.values(), key=lambda one: -(one.loss.low + one.loss.value))
        slips = [one for one in slips if one.loss.value > 0 and one.loss.high > 0][:CANDIDATES]
        for number, one in enumerate(slips, 1):
            moment = self._decision(one, len(slips))
            if moment is not None:
                found.append(moment)
            yield 0.2 + 0.8 * number / len(slips), self._largest(found)

    def _largest(self, found: list[KeyMoment]) -> list[KeyMoment]:
        luck = [moment for moment in found if moment.kind == "luck"]
        rest = sorted((m for m in found if m.kind != "luck"), key=lambda m: -abs(m.amount.value))
        room = max(MOST - len(rest), min(LUCK, len(luck)))
        chosen = [*rest[: MOST - min(room, len(luck))], *luck[:room]]
        return sorted(chosen[:MOST], key=lambda m: m.steps)

    # -------------------------------------------------------------- decisions
    def _decision(self, one: Judged, candidates: int) -> KeyMoment | None:
        """A decision in every style; None if it costs in none of them, or too little to be told from noise."""
        of, change = self.of, one.change
        seat = change.seat
        assert seat is not None
        side = of.measure.side(seat)
        moves = list(dict.fromkeys([change.action, one.best, one.policy, *one.others]))[:OPTIONS]
        steps = of.left(change.at.steps) * len(moves) * candidates * len(of.styles)
        times = of.playouts(CLOSE, [steps])
        verdicts, options = [], []
        for style in of.styles:
            values = of.valuer(style).moves(change.at, seat, moves, times, f"review {of.seed} close")
            mine = of.measure.values(values)[:, :, side]
            loss = interval(mine[:, 1] - mine[:, 0])
            top = int(np.argmax(mine.mean(axis=0)))
            verdicts.append(StyleVerdict(style=style, best=self._text(one, moves[top]), loss=loss))
            if style == of.styles[0]:
                options = self._options(one, moves, values, side)
        costly = [verdict.style for verdict in verdicts if verdict.loss.low > 0]
        if not costly:
            return None
        slip = len(costly) == len(verdicts)
        loss = min((v.loss for v in verdicts if v.style in costly), key=lambda loss: loss.value)
        better = self._text(one, one.best)
        return KeyMoment(
            kind="slip" if slip else "convention",
            steps=change.at.steps,
            line=change.at.line,
            seat=seat,
            amount=Interval(-loss.value, -loss.high, -loss.low),
            made=change.text,
            made_words=of.game.rules.offer(change.text),
            better=better,
            better_words=of.game.rules.offer(better),
            options=sorted(options, key=lambda option: -option.value.value),
            styles=verdicts,
            shared_by=[] if slip else costly,
            reasons=self._reasons(one, options, costly, slip),
            truth=self._truth(one, side, times),
        )

    def _text(self, one: Judged, action: int) -> str:
        seat = one.change.seat
        assert seat is not None
        return str(self.of.game.rules.show(self.of.game.know(one.change.at.state, seat), seat, action))

    def _options(self, one: Judged, moves: list[int], scores: Any, side: int) -> list[Option]:
        """The decisions that were compared, in the first style."""
        values, chances = self.of.measure.values(scores), self.of.measure.chances(scores)
        texts = [self._text(one, action) for action in moves]
        return [
            Option(
                text=text,
                words=self.of.game.rules.offer(text),
                value=interval(values[:, c, side]),
                chance=None if chances is None else round(float(chances[:, c, side].mean()), 4),
                made=c == 0,
            )
            for c, text in enumerate(texts)
        ]

    def _reasons(self, one: Judged, options: list[Option], costly: list[str], slip: bool) -> list[Message]:
        """Why the better decision is better, from what the seat knew."""
        of = self.of
        made, better = options[0], options[1]
        params = {"better": better.words, "made": made.words}
        found = [
            Message(
                f"review.reason.{of.measure.unit}",
                params | {"more": result(of, better.value.value), "less": result(of, made.value.value)},
            )
        ]
        if of.measure.unit != "chance" and made.chance is not None and better.chance is not None:
            more, less = round(100 * better.chance), round(100 * made.chance)
            if more != less:
                name = "perfect" if of.measure.cooperative else "winning"
                found.append(Message(f"review.reason.{name}", {"more": more, "less": less}))
        if not slip:
            found.append(Message("review.reason.convention", {"styles": ", ".join(costly)}))
        return found

    def _truth(self, one: Judged, side: int, times: int) -> Interval:
        """By how much the better decision brings more in the position as it truly was."""
        of, change = self.of, one.change
        valuer, found = of.valuer(of.styles[0]), []
        for action in (change.action, one.best):
            state = change.at.state.copy()
            of.game.rules.step(state, change.seat or 0, action)
            at = replace(change.at, state=state)
            found.append(of.measure.values(valuer.here(at, times, f"review {of.seed} truth"))[:, side])
        return interval(found[1] - found[0])

    # -------------------------------------------------------------- luck
    def _luck(self) -> list[KeyMoment]:
        """The largest strokes of luck, valued again with more playouts; those within noise are left out."""
        of = self.of
        drawn = [i for i, change in enumerate(of.changes) if change.seat is None]
        drawn.sort(key=lambda i: -float(np.abs(of.mean(i + 1) - of.mean(i)).max()))
        found = []
        for i in drawn[: 2 * LUCK]:
            change = of.changes[i]
            times = of.playouts(DRAWS, [of.left(change.before.steps) * 4 * LUCK])
            before = self._more(i, change.before, times)
            after = self._more(i + 1, change.after, times)
            moved = after.mean(axis=0) - before.mean(axis=0)
            side = int(np.argmax(np.abs(moved)))
            error = (before[:, side].var() / len(before) + after[:, side].var() / len(after)) ** 0.5
            amount = around(float(moved[side]), float(error))
            if amount.low <= 0 <= amount.high or shown(of, amount.value) == 0:
                continue
            found.append(
                KeyMoment(
                    kind="luck",
                    steps=change.before.steps,
                    line=change.before.line,
                    seat=None if of.measure.cooperative else side,
                    amount=amount,
                    made=change.text,
                    made_words=change.words,
                    reasons=[
                        Message(
                            "review.reason.luck" if of.measure.cooperative else "review.reason.luck-of",
                            {
                                "before": result(of, float(before[:, side].mean())),
                                "after": result(of, float(after[:, side].mean())),
                                "seat": seat_words(side),
                            },
                        )
                    ],
                )
            )
        return sorted(found, key=lambda m: -abs(m.amount.value))[:LUCK]

    def _more(self, number: int, at: Any, times: int) -> Any:
        """The values of a position from its playouts so far and `times` more; of the end, its one result."""
        of = self.of
        if number < len(of.changes):
            scores = of.valued[number].scores
            more = of.valuer(of.styles[0]).here(at, times, f"review {of.seed} curve", len(scores))
            of.valued[number] = Valued(of.measure, np.concatenate([scores, more]))
        return of.valued[number].values
