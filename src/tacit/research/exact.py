"""Small games solved exactly: the whole tree in sequence form, the best joint plan of a team, the value of a duel.

A sequence of a seat is what it decided on the way to a position, and in which information states; a plan gives each
sequence the probability with which the seat does its part. Both programs are solved by HiGHS (`scipy.optimize`), which
proves its answers: a plan for a team is pure, found by branch and bound until no better one can be left, and a duel is
a linear program with its dual, both checked in fractions. Needs SciPy: `pip install scipy`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from tacit.core.game import Game, OptionValue
from tacit.core.random_play import CHANCE
from tacit.research.episode import Episode

Plan = dict[str, int]  # the decision in each information state of a seat
DENOMINATOR = 10_000  # of a probability in a mixed plan


@dataclass
class Side:
    """One seat's part of the tree: its information states and its sequences. Sequence 0 is empty."""

    states: dict[str, tuple[int, dict[int, int]]] = field(default_factory=dict)
    """By information state: the sequence that leads there, and for each decision the sequence that it makes."""
    sequences: int = 1

    def follow(self, state: str, before: int, legal: list[int]) -> dict[int, int]:
        """The sequences of each decision in a state; ValueError if the seat has forgotten how it came there."""
        if state not in self.states:
            self.states[state] = before, {action: self.sequences + n for n, action in enumerate(legal)}
            self.sequences += len(legal)
        if self.states[state][0] != before or list(self.states[state][1]) != legal:
            raise ValueError(f"The information state has several pasts: {state!r}.")
        return self.states[state][1]


@dataclass
class Tree:
    """A whole game: each seat's part, and every end with the seats' sequences that lead to it."""

    sides: list[Side]
    ends: dict[tuple[int, ...], list[Fraction]] = field(default_factory=dict)
    """By the seats' sequences: the probability that chance plays along, and that times each seat's score."""
    nodes: int = 0


def tree_of(game: Game, seats: int, options: Mapping[str, OptionValue] | None = None, limit: int = 100_000) -> Tree:
    """The tree of a small game; ValueError if it has more nodes than `limit`."""
    tree = Tree([Side() for _ in range(seats)])
    for episode, chance in _dealt(Episode(game, seats, options)):
        _grow(tree, episode, chance, (0,) * seats, limit)
    return tree


def _dealt(episode: Episode) -> list[tuple[Episode, Fraction]]:
    """The positions before the first decision, with their probabilities. In which order cards came to a hand does not
    matter: positions that are equal are one, dealt in rising order."""
    found = [(episode, Fraction(1))]
    while found[0][0].now == CHANCE:
        after: dict[str, tuple[Episode, Fraction]] = {}
        for before, chance in found:
            for outcome, weight in _outcomes(before):
                new = before.copy()
                new.play(outcome)
                first, known = after.get(repr(new.state), (new, Fraction(0)))
                after[repr(new.state)] = first, known + chance * weight
        found = list(after.values())
    return found


def _outcomes(episode: Episode) -> list[tuple[int, Fraction]]:
    """The outcomes of chance that are possible now, with their probabilities."""
    weights = episode.game.chance(episode.state)
    return [(outcome, Fraction(weight, sum(weights))) for outcome, weight in enumerate(weights) if weight]


def information(episode: Episode, seat: int) -> str:
    """All that a seat with perfect recall knows, as text."""
    return "\n".join([*episode.recalled(seat), str(episode.observe(seat).tobytes().hex())])


def _grow(tree: Tree, episode: Episode, chance: Fraction, sequences: tuple[int, ...], limit: int) -> None:
    tree.nodes += 1
    if tree.nodes > limit:
        raise ValueError(f"The game has more than {limit} nodes.")
    now = episode.now
    if now < 0:
        end = tree.ends.setdefault(sequences, [Fraction(0)] * (1 + len(sequences)))
        for at, value in enumerate([1, *episode.scores()]):
            end[at] += chance * value
    elif now == CHANCE:
        for outcome, weight in _outcomes(episode):
            after = episode.copy()
            after.play(outcome)
            _grow(tree, after, chance * weight, sequences, limit)
    else:
        legal = episode.legal(now)
        for action, sequence in tree.sides[now].follow(information(episode, now), sequences[now], legal).items():
            after = episode.copy()
            after.play(action)
            _grow(tree, after, chance, (*sequences[:now], sequence, *sequences[now + 1 :]), limit)


def _flow(side: Side) -> tuple[Any, Any]:
    """The equations of a side's plan: the empty sequence has 1, and what comes into a state leaves it."""
    rows = np.zeros((1 + len(side.states), side.sequences))
    rows[0, 0] = 1
    for at, (before, made) in enumerate(side.states.values(), start=1):
        rows[at, before] = -1
        rows[at, list(made.values())] = 1
    return rows, np.eye(1, 1 + len(side.states))[0]


def best_team(tree: Tree) -> tuple[Fraction, list[Plan]]:
    """The highest score that a team of all seats can expect (each end counts seat 0's score), and a plan for each seat.

    No joint plan is better, mixed ones included: a team gains nothing by chance. The value is that of the plans.
    ValueError if seats end with different scores: they are no team.
    """
    if any(len(set(scores)) > 1 for _, *scores in tree.ends.values()):
        raise ValueError("The seats have different scores: they are rivals, not a team. `duel_value` solves a duel.")
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import block_diag, csr_matrix, hstack

    ends = list(tree.ends)
    sizes = [side.sequences for side in tree.sides]
    least = min(end[1] / end[0] for end in tree.ends.values())
    # Every end is worth something above the least score; it is reached as far as all seats do their part.
    gains = [float(tree.ends[end][1] - least * tree.ends[end][0]) for end in ends]
    flows = [_flow(side) for side in tree.sides]
    equations = hstack(
        [block_diag([flow[0] for flow in flows]), csr_matrix((sum(map(len, (f[1] for f in flows))), len(ends)))]
    )
    totals = np.concatenate([flow[1] for flow in flows])
    rows, columns, values = [], [], []
    for at, end in enumerate(ends):
        for seat, sequence in enumerate(end):
            row = at * len(sizes) + seat
            rows += [row, row]
            columns += [sum(sizes) + at, sum(sizes[:seat]) + sequence]
            values += [1, -1]
    reached = csr_matrix((values, (rows, columns)), shape=(len(ends) * len(sizes), sum(sizes) + len(ends)))
    found = milp(
        -np.concatenate([np.zeros(sum(sizes)), gains]),
        constraints=[LinearConstraint(equations, totals, totals), LinearConstraint(reached, -np.inf, 0)],
        integrality=np.concatenate([np.ones(sum(sizes)), np.zeros(len(ends))]),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0},
    )
    if not found.success:
        raise RuntimeError(f"HiGHS found no best plan: {found.message}")
    plans, at = [], 0
    for side in tree.sides:
        chosen = found.x[at : at + side.sequences] > 0.5
        plans.append({
            state: next((action for action, sequence in made.items() if chosen[sequence]), min(made))
            for state, (_, made) in side.states.items()
        })  # fmt: skip
        at += side.sequences
    value = worth(tree, plans)[0]
    if abs(float(value - least) + found.mip_dual_bound) > 1e-6:
        raise RuntimeError("HiGHS's proof and the plans' value differ.")
    return value, plans


def worth(tree: Tree, plans: list[Plan]) -> list[Fraction]:
    """What each seat expects of these plans, exactly."""
    played = []
    for side, plan in zip(tree.sides, plans, strict=True):
        does = {0}
        for state, (before, made) in side.states.items():  # a state comes after those on the way to it
            if before in does:
                does.add(made[plan[state]])
        played.append(does)
    total = [Fraction(0)] * len(plans)
    for end, (_, *scores) in tree.ends.items():
        if all(sequence in does for sequence, does in zip(end, played, strict=True)):
            total = [a + b for a, b in zip(total, scores, strict=True)]
    return total


def uniform_worth(tree: Tree) -> list[Fraction]:
    """What each seat expects where all decide at random, exactly."""
    shares = []
    for side in tree.sides:
        share = {0: Fraction(1)}
        for before, made in side.states.values():
            share |= {sequence: share[before] / len(made) for sequence in made.values()}
        shares.append(share)
    total = [Fraction(0)] * len(shares)
    for end, (_, *scores) in tree.ends.items():
        reached = prod(share[sequence] for sequence, share in zip(end, shares, strict=True))
        total = [a + reached * b for a, b in zip(total, scores, strict=True)]
    return total


def duel_value(tree: Tree) -> Fraction:
    """What seat 0 of two can be sure to expect of its score minus seat 1's, and seat 1 can hold it to (minimax).

    The program's plans for both seats, as fractions, are checked exactly: neither seat has an answer that gains by
    them. RuntimeError if that cannot be shown.
    """
    from scipy.optimize import linprog

    mine, others = tree.sides
    payoff = np.zeros((mine.sequences, others.sequences))
    for (own, other), (_, a, b) in tree.ends.items():
        payoff[own, other] += float(a - b)
    (e, e_totals), (f, f_totals) = _flow(mine), _flow(others)
    # max f_totals·v over plans x with e·x = e_totals and fᵀ·v <= payoffᵀ·x: what the best answer leaves. The plan of
    # seat 1 is the dual of that inequality.
    found = linprog(
        np.concatenate([np.zeros(mine.sequences), -f_totals]),
        A_ub=np.hstack([-payoff.T, f.T]), b_ub=np.zeros(others.sequences),
        A_eq=np.hstack([e, np.zeros((len(e), len(f)))]), b_eq=e_totals,
        bounds=[(0, None)] * mine.sequences + [(None, None)] * len(f),
    )  # fmt: skip
    if not found.success:
        raise RuntimeError(f"HiGHS found no value: {found.message}")
    sure = -_best_answer(tree, 1, _fractions(mine, found.x[: mine.sequences]))
    held = _best_answer(tree, 0, _fractions(others, -found.ineqlin.marginals))
    if sure != held:
        raise RuntimeError(f"The plans of HiGHS show only that the value is between {sure} and {held}.")
    return sure


def _fractions(side: Side, plan: Any) -> list[Fraction]:
    """A plan of a side with exact probabilities; where it does not come, any will do."""
    exact = [Fraction(1)] * side.sequences
    for before, made in side.states.values():  # a state comes after those on the way to it
        shares = [Fraction(float(max(plan[sequence], 0))).limit_denominator(DENOMINATOR) for sequence in made.values()]
        for sequence, share in zip(made.values(), shares, strict=True):
            exact[sequence] = exact[before] * (share / sum(shares) if sum(shares) else Fraction(1, len(made)))
    return exact


def _best_answer(tree: Tree, seat: int, plan: list[Fraction]) -> Fraction:
    """The most that a seat of two can expect of its score minus the other's, who keeps to this plan."""
    side, gains = tree.sides[seat], [Fraction(0)] * tree.sides[seat].sequences
    for end, (_, *scores) in tree.ends.items():
        gains[end[seat]] += plan[end[1 - seat]] * (scores[seat] - scores[1 - seat])
    for before, made in reversed(side.states.values()):
        gains[before] += max(gains[sequence] for sequence in made.values())
    return gains[0]
