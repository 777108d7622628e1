"""What each seat did and met, and the one sentence that luck and decisions add up to."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tacit.core.match import Match
from tacit.core.messages import Message, seat_words
from tacit.core.random_play import CHANCE
from tacit.review.judging import total
from tacit.review.model import Interval, SeatAccount
from tacit.review.values import around

if TYPE_CHECKING:
    from tacit.review.engine import Reviewer


def accounts(of: Reviewer) -> list[SeatAccount]:
    """The account of each seat, from the decisions that are judged so far."""
    return [_account(of, seat) for seat in range(of.match.seats)]


def _account(of: Reviewer, seat: int) -> SeatAccount:
    side = of.measure.side(seat)
    mine = [one for one in of.judged.values() if one.change.seat == seat]
    shifts = [(one.shift[side], one.shift_error[side]) for one in mine]
    losses = [(one.loss.value, (one.loss.high - one.loss.low) / 3.92) for one in mine]
    lost = total(losses)
    n = max(len(mine), 1)
    costly = {m.steps for m in of.moments if m.kind == "slip"} | {m.change.at.steps for m in mine if m.loss.low > 0}
    return SeatAccount(
        seat=seat,
        decisions=len(mine),
        best=sum(one.change.at.steps not in costly for one in mine),
        slips=sum(moment.kind == "slip" and moment.seat == seat for moment in of.moments),
        loss=Interval(*(round(max(end / n, 0.0), 4) for end in (lost.value, lost.low, lost.high))),
        decided=total(shifts),
        others=decided(of, side, own=False),
        luck=_luck(of, side),
        conventions=_conventions(of, side),
        met=of.met[seat],
    )


def met_by(match: Match) -> list[dict[str, int]]:
    """What the others did to each seat in a match, counted, in a game that says so."""
    found: list[Counter[str]] = [Counter() for _ in range(match.seats)]
    suffered = match.game.rules.suffered
    state: Any = match.begun()
    for who, action in match.steps if suffered is not None else ():
        before = state.copy()
        match.game.rules.step(state, who, action)
        if who != CHANCE and suffered is not None:
            for seat, counts in suffered(before, who, action, state).items():
                found[seat].update(counts)
    return [dict(counts) for counts in found]


def _luck(of: Reviewer, side: int) -> Interval:
    """All that changed a side's expectation and was neither a decision nor a convention: what happened, less these."""
    start = of.valued[0].values[:, side]
    shifts = [(one.shift[side], one.shift_error[side]) for one in of.judged.values()]
    error = (_variance(start) + sum(e * e for _, e in shifts) + _conventions_error(of, side) ** 2) ** 0.5
    shared = sum(float(of.moved(i)[side]) for i in of.shared)
    return around(float(of.mean(-1)[side] - start.mean()) - sum(mean for mean, _ in shifts) - shared, error)


def _conventions(of: Reviewer, side: int) -> Interval:
    """What matters of convention changed for a side."""
    return around(sum(float(of.moved(i)[side]) for i in of.shared), _conventions_error(of, side))


def _conventions_error(of: Reviewer, side: int) -> float:
    ends = [at for i in of.shared for at in (i, i + 1)]
    return float(sum(_variance(of.valued[at].values[:, side]) for at in ends) ** 0.5)


def _variance(samples: Any) -> float:
    """Of their mean."""
    return float(samples.var()) / max(len(samples) - 1, 1)


def summary(of: Reviewer) -> list[Message]:
    """A sentence for each side: what was to be expected, what it became, and what luck and decisions had in it."""
    found = []
    for side in range(of.measure.sides):
        params: dict[str, Any] = {
            "start": result(of, float(of.mean(0)[side])),
            "end": result(of, float(of.mean(-1)[side])),
            "luck": change(of, _luck(of, side)),
            "decisions": change(of, decided(of, side, own=True)),
        }
        shared = change(of, _conventions(of, side))
        more = "" if shared.code == "review.none" else "-shared"
        params |= {"conventions": shared} if more else {}
        if of.measure.cooperative:
            found.append(Message(f"review.sum.together{more}", params))
        else:
            params |= {"seat": seat_words(side), "others": change(of, decided(of, side, own=False))}
            found.append(Message(f"review.sum.side{more}", params))
    return found


def decided(of: Reviewer, side: int, own: bool) -> Interval:
    """What the decisions of a side, or of all others, changed for it, all together."""
    judged = [one for one in of.judged.values() if (of.measure.side(one.change.seat or 0) == side) == own]
    return total([(one.shift[side], one.shift_error[side]) for one in judged])


def change(of: Reviewer, amount: Interval) -> Message:
    """A sum with its sign, in the unit of the review: "cost 1.6 cards", "brought 12 %", or that it is within noise.

    Chances that were lost and won again and again can add up to more than one: no chance is so large, so no figure.
    """
    if amount.low <= 0 <= amount.high or shown(of, amount.value) == 0:
        return Message("review.none")
    name = "cost" if amount.value < 0 else "brought"
    if of.measure.unit == "chance" and abs(amount.value) > 1:
        return Message(f"review.{name}.much")
    return Message(f"review.{name}.{of.measure.unit}", {"n": abs(shown(of, amount.value))})


def result(of: Reviewer, value: float) -> Message:
    """A result in the unit of the review: "2.4 cards left", "a chance of 12 %"."""
    return Message(f"review.result.{of.measure.unit}", {"n": abs(shown(of, value))})


def shown(of: Reviewer, amount: float) -> float:
    """A value as people read it: a chance in whole per cent, all else with one decimal."""
    return round(100 * amount) if of.measure.unit == "chance" else round(amount, 1)
