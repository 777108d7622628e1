"""What each seat did and met, and the one sentence that luck and decisions add up to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tacit.core.match import Match
from tacit.core.messages import Message, seat_words
from tacit.core.random_play import CHANCE
from tacit.review.judging import total
from tacit.review.model import Interval, SeatAccount

if TYPE_CHECKING:
    from tacit.review.engine import Reviewer

Share = tuple[float, float]  # an estimate and its standard error


@dataclass(frozen=True)
class Shares:
    """What changed the expectation of a side; all together, what happened."""

    decided: list[Share]  # by each seat's decisions
    luck: Share
    conventions: Share

    def others(self, seat: int) -> list[Share]:
        """What the decisions of all but a seat changed."""
        return [share for q, share in enumerate(self.decided) if q != seat]


def accounts(of: Reviewer) -> list[SeatAccount]:
    """The account of each seat, from the decisions that are judged so far."""
    return [_account(of, seat) for seat in range(of.match.seats)]


def _account(of: Reviewer, seat: int) -> SeatAccount:
    side = of.measure.side(seat)
    shares = shares_of(of, side)
    mine = [one for one in of.judged.values() if one.change.seat == seat]
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
        decided=total([shares.decided[seat]]),
        others=total([] if of.measure.cooperative else shares.others(seat)),
        luck=total([shares.luck]),
        conventions=total([shares.conventions]),
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


def shares_of(of: Reviewer, side: int) -> Shares:
    """What each seat's decisions, luck and matters of convention changed for a side, from what is judged so far.

    Luck is what happened, less all else.
    """
    start = of.valued[0].values[:, side]
    judged = of.judged.values()
    decided = [
        _sum([(one.shift[side], one.shift_error[side]) for one in judged if one.change.seat == q])
        for q in range(of.match.seats)
    ]
    ends = [at for i in of.shared for at in (i, i + 1)]
    conventions = (
        sum(float(of.moved(i)[side]) for i in of.shared),
        sum(_variance(of.valued[at].values[:, side]) for at in ends) ** 0.5,
    )
    known, error = _sum([*decided, conventions])
    luck = (float(of.mean(-1)[side] - start.mean()) - known, (_variance(start) + error * error) ** 0.5)
    shares = [*decided, luck, conventions]
    if of.measure.unit == "chance":
        shares = netted(shares)
    return Shares(shares[:-2], shares[-2], shares[-1])


def netted(shares: list[Share]) -> list[Share]:
    """Shares of a change of chances, of which the gains and the losses come to no more than 1 each; their sum stays.

    Chances that are lost, won back and lost again add up to more than anybody could lose. What gains and losses undid
    of each other is taken off both, from each in proportion.
    """
    gained = sum(max(value, 0.0) for value, _ in shares)
    lost = sum(max(-value, 0.0) for value, _ in shares)
    undone = max(gained - 1, lost - 1, 0.0)
    if undone == 0:
        return shares
    up, down = (1 - undone / part if part else 0.0 for part in (gained, lost))
    return [(value * (up if value > 0 else down), error * (up if value > 0 else down)) for value, error in shares]


def _sum(shares: list[Share]) -> Share:
    """Of independent estimates."""
    return sum(float(value) for value, _ in shares), float(sum(error * error for _, error in shares)) ** 0.5


def _variance(samples: Any) -> float:
    """Of their mean."""
    return float(samples.var()) / max(len(samples) - 1, 1)


def summary(of: Reviewer) -> list[Message]:
    """A sentence for each side: what was to be expected, what it became, and what luck and decisions had in it."""
    found = []
    for side in range(of.measure.sides):
        shares = shares_of(of, side)
        own = shares.decided if of.measure.cooperative else [shares.decided[side]]
        params: dict[str, Any] = {
            "start": result(of, float(of.mean(0)[side])),
            "end": result(of, float(of.mean(-1)[side])),
            "luck": change(of, total([shares.luck])),
            "decisions": change(of, total(own)),
        }
        shared = change(of, total([shares.conventions]))
        name = "together"
        if not of.measure.cooperative:
            name = "side"
            params |= {"seat": seat_words(side), "others": change(of, total(shares.others(side)))}
        shares_said = [params[key] for key in ("luck", "decisions", "others") if key in params]
        if shared.code != "review.none":
            name += "-shared"
            params["conventions"] = shared
        elif params["start"] != params["end"] and all(said.code == "review.none" for said in shares_said):
            name += "-unclear"
        found.append(Message(f"review.sum.{name}", params))
    return found


def change(of: Reviewer, amount: Interval) -> Message:
    """A sum with its sign, in the unit of the review: "cost 1.6 cards", "brought 12 %", or that it is within noise."""
    if amount.low <= 0 <= amount.high or shown(of, amount.value) == 0:
        return Message("review.none")
    name = "cost" if amount.value < 0 else "brought"
    return Message(f"review.{name}.{of.measure.unit}", {"n": abs(shown(of, amount.value))})


def result(of: Reviewer, value: float) -> Message:
    """A result in the unit of the review: "2.4 cards left", "a chance of 12 %"."""
    return Message(f"review.result.{of.measure.unit}", {"n": abs(shown(of, value))})


def shown(of: Reviewer, amount: float) -> float:
    """A value as people read it: a chance in whole per cent, all else with one decimal."""
    return round(100 * amount) if of.measure.unit == "chance" else round(amount, 1)
