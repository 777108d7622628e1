"""The key moments: the largest slips, matters of convention and strokes of luck, each looked at closely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.core.bits import lowest
from tacit.core.chance import below, pick, stream
from tacit.core.messages import Message, seat_words
from tacit.core.random_play import CHANCE
from tacit.review.accounts import result
from tacit.review.hindsight import close_key, unknown
from tacit.review.judging import Judged
from tacit.review.model import Interval, KeyMoment, Option, StyleVerdict
from tacit.review.timeline import match_at
from tacit.review.values import around, interval

if TYPE_CHECKING:
    from tacit.review.engine import Reviewer

MOST = 7  # key moments
CANDIDATES = 9  # decisions that are looked at closely
LUCK = 3  # strokes of luck among the key moments
CONVENTIONS = 3  # matters of convention among them
OPTIONS = 4  # decisions that are compared at a key moment
HAIR = {"cards": 0.2, "points": 0.5, "chance": 0.03}  # what is less is no key moment, however sure
NEXT = 24  # worlds in which it is seen who goes on, and how
CLOSE = 2000  # thousands of steps of playouts for each style, as in engine.py
PARTS, FEWEST = 4, 16  # into which these are cut, and the fewest playouts of a part
SMALL = 0.3  # half of an interval, beside what it is around: then no more parts are played
ROUGH = {"cards": 0.5, "points": 3.0, "chance": 0.1}  # half of an interval: what is known less well is not shown


class Moments:
    """Finds the key moments of a review whose decisions are judged."""

    def __init__(self, of: Reviewer) -> None:
        self.of = of
        self.pools: dict[str, float] = {}  # what is left of CLOSE in each style

    def find(self) -> Iterator[tuple[float, list[KeyMoment]]]:
        """How much of the work is done, and the moments found so far, the largest first."""
        found: list[KeyMoment] = self._luck()
        yield 0.2, self._largest(found)
        slips = sorted(self.of.judged.values(), key=lambda one: -(one.loss.low + one.loss.value))
        slips = [one for one in slips if one.loss.value > 0 and one.loss.high > 0][:CANDIDATES]
        for number, one in enumerate(slips, 1):
            moment = self._decision(one, len(slips) - number + 1)
            if moment is not None:
                found.append(moment)
                if moment.kind == "convention":
                    self.of.excuse(one)
            yield 0.2 + 0.8 * number / len(slips), self._largest(found)

    def _largest(self, found: list[KeyMoment]) -> list[KeyMoment]:
        luck = [moment for moment in found if moment.kind == "luck"]
        decided = sorted((m for m in found if m.kind != "luck"), key=lambda m: -abs(m.amount.value))
        slips, shared = ([m for m in decided if m.kind == kind] for kind in ("slip", "convention"))
        rest = [*slips, *shared[:CONVENTIONS]]
        room = max(MOST - len(rest), min(LUCK, len(luck)))
        chosen = [*rest[: MOST - min(room, len(luck))], *luck[:room]]
        return sorted(chosen[:MOST], key=lambda m: m.steps)

    # -------------------------------------------------------------- decisions
    def _decision(self, one: Judged, candidates: int) -> KeyMoment | None:
        """A decision in every style, one of so many candidates left; None if it costs in none of them, or too little to
        be told from noise."""
        of, change = self.of, one.change
        seat = change.seat
        assert seat is not None
        side = of.measure.side(seat)
        moves = list(dict.fromkeys([change.action, one.best, one.policy, *one.others]))[:OPTIONS]
        verdicts, scored = [], {}
        for style in of.styles:
            compared = moves if style == of.styles[0] else moves[:2]
            scores = self._close_look(one, style, compared, candidates)
            values = of.measure.values(scores)[:, :, side]
            top = int(np.argmax(values.mean(axis=0)))
            verdicts.append(
                StyleVerdict(
                    style=style, best=self._text(one, compared[top]), loss=interval(values[:, 1] - values[:, 0])
                )
            )
            scored[style] = scores
        hair = HAIR[of.measure.unit]
        costly = [v.style for v in verdicts if v.loss.low > 0 and v.loss.value >= hair and not self._rough(v.loss)]
        if not costly:
            return None
        slip = len(costly) == len(verdicts)
        loss = next(verdict.loss for verdict in verdicts if verdict.style == costly[0])  # which the reasons explain
        options = self._options(one, moves, scored[costly[0]], side)
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
            truth=self._truth(one, side, len(of.valued[0].values) // 4),
            unknown=unknown(of, one, costly[0], scored[costly[0]][:, :2]),
        )

    def _rough(self, loss: Interval) -> bool:
        """Is an estimate too rough to be shown?"""
        return loss.high - loss.value > max(SMALL * abs(loss.value), ROUGH[self.of.measure.unit])

    def _close_look(self, one: Judged, style: str, moves: list[int], candidates: int) -> Any:
        """The scores of decisions in imagined worlds: fewer, where it is soon clear what the second brings.

        What one of the candidates leaves of its share of the playouts is for those that follow.
        """
        of, at, seat = self.of, one.change.at, one.change.seat
        assert seat is not None
        side, hair, found = of.measure.side(seat), HAIR[of.measure.unit], []
        steps, pool = of.left(at.steps) * len(moves), self.pools.get(style, float(CLOSE))
        times = of.playouts(pool, [steps * candidates], style)
        part = max(times // PARTS, FEWEST)
        for first in range(0, times, part):
            found.append(of.valuer(style).moves(at, seat, moves, min(part, times - first), close_key(of), first))
            pool -= len(found[-1]) * steps * of.valuer(style).cost / (1000 * of.budget)
            values = of.measure.values(np.concatenate(found))[:, :, side]
            loss = interval(values[:, 1] - values[:, 0])
            if loss.high - loss.value <= SMALL * max(abs(loss.value), hair):
                break
        self.pools[style] = max(pool, 0.0)
        return np.concatenate(found)

    def _text(self, one: Judged, action: int) -> str:
        seat = one.change.seat
        assert seat is not None
        return str(self.of.game.rules.show(self.of.game.know(one.change.at.state, seat), seat, action))

    def _options(self, one: Judged, moves: list[int], scores: Any, side: int) -> list[Option]:
        """The decisions that were compared in a style: as many of them as there are scores."""
        values, chances = self.of.measure.values(scores), self.of.measure.chances(scores)
        texts = [self._text(one, action) for action in moves[: scores.shape[1]]]
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
        found = [
            Message(
                f"review.reason.{of.measure.unit}",
                {"more": result(of, better.value.value), "less": result(of, made.value.value)},
            )
        ]
        if of.measure.unit != "chance" and made.chance is not None and better.chance is not None:
            more, less = round(100 * better.chance), round(100 * made.chance)
            if more != less:
                name = "perfect" if of.measure.cooperative else "winning"
                found.append(Message(f"review.reason.{name}", {"more": more, "less": less}))
        if said := self._why(one):
            found.append(Message("review.reason.hint", {"seat": seat_words(one.change.seat or 0), "said": said}))
        then, instead = self._next(one, one.best), self._next(one, one.change.action)
        if then is not None and then != instead:
            found.append(Message("review.reason.next-better", then))
            if instead is not None:
                found.append(Message("review.reason.next-made", instead))
        if not slip:
            kind = "convention" if of.measure.cooperative else "style"  # rivals agree on nothing
            found.append(Message(f"review.reason.{kind}", {"styles": ", ".join(costly)}))
        return found

    def _why(self, one: Judged) -> Message | None:
        """What tells the better decision from the one that was made, where the game can say; spoken to the seat."""
        seat = one.change.seat
        assert seat is not None
        then = match_at(self.of.match, one.change.at.line)
        return then.why(seat, self._text(one, one.best), self._text(one, one.change.action))

    def _next(self, one: Judged, action: int) -> dict[str, Message] | None:
        """Who mostly goes on after a decision, and how, in worlds that its seat could imagine; None if that varies."""
        of, at, seat = self.of, one.change.at, one.change.seat
        assert seat is not None
        rules, valuer = of.game.rules, of.valuer(of.styles[0])
        rng = stream(f"review {of.seed} next {at.steps}")
        found: Counter[tuple[int, str]] = Counter()
        for _ in range(NEXT):
            state: Any = of.game.know(at.state, seat)
            rules.imagine(state, seat, rng)
            rules.step(state, seat, action)
            while rules.due(state) == CHANCE:
                weights = of.game.chance(state)
                rules.step(state, CHANCE, pick(weights, below(rng, sum(weights))))
            if due := rules.due(state):
                q = lowest(due)
                then = replace(at, state=state, heard=[at.heard[seat]] * of.match.seats)
                found[q, str(rules.show(state, q, valuer.decision(then, q)))] += 1
        for (q, text), times in found.most_common(1):
            if 2 * times > NEXT:
                return {"seat": seat_words(q), "words": rules.offer(text)}
        return None

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
            before = of.value_more(i, change.before)
            after = of.value_more(i + 1, change.after)
            moved = after.mean(axis=0) - before.mean(axis=0)
            side = int(np.argmax(np.abs(moved)))
            error = (before[:, side].var() / len(before) + after[:, side].var() / len(after)) ** 0.5
            amount = around(float(moved[side]), float(error))
            if amount.low <= 0 <= amount.high or abs(amount.value) < HAIR[of.measure.unit]:
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
