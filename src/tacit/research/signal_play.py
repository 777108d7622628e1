"""Signals as decisions of a batch: `build(game.module, "cpu", drivers=[signal_play, stepping])`.

Decision `game.actions + i` is signal i, as in the other environments (`tacit.research.signals`).
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tacit.core.bits import mark
from tacit.core.clockwise import seat_after
from tacit.core.events import overhear
from tacit.core.game import Game
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import hook, rule
from tacit.core.state_layout import Cells
from tacit.core.workspace import ByteRows, Ints
from tacit.research.stepping import Workspace


class Signalled(NamedTuple):
    """What a batch with signals has beside its `Workspace`: `workspace` joins them."""

    given: ByteRows  # (n, seats * signals): how often each seat gave each signal on the present occasion
    about: Ints  # the occasion
    ways: int  # how many signals there are
    limit: int  # how many a seat may give on one occasion
    decisions: int  # numbers below this are decisions
    cells: int  # of the game's own observation


if TYPE_CHECKING:
    SignalWorkspace = Any
else:
    SignalWorkspace = namedtuple("SignalWorkspace", Workspace._fields + Signalled._fields)


@hook
def signallers(s: Any) -> int:
    """The seats that may signal now, as a set: the game's rule."""
    return 0


@hook
def occasion(s: Any) -> int:
    """What signals are about now: the game's rule."""
    return 0


# ------------------------------------------------------------------ in place of the hooks of `stepping`
@rule
def begun(i: int, w: SignalWorkspace) -> None:
    """Nobody has signalled yet."""
    w.about[i] = occasion(w.states[i])
    forget(i, w)


@rule
def forget(i: int, w: SignalWorkspace) -> None:
    """The signals of match i count no longer."""
    for at in range(w.given.shape[1]):
        w.given[i, at] = 0


@rule
def offer(i: int, seat: int, w: SignalWorkspace) -> None:
    """A seat that may signal may give any signal, until it has given as many as the rules allow."""
    if (signallers(w.states[i]) >> seat) & 1 == 0:
        return
    so_far = 0
    for way in range(w.ways):
        so_far += w.given[i, seat * w.ways + way]
    if so_far < w.limit:
        for way in range(w.ways):
            mark(w.words[i], w.decisions + way)


@rule
def gave(i: int, who: int, action: int, w: SignalWorkspace) -> int:
    if who == CHANCE or action < w.decisions:
        return 0
    w.given[i, who * w.ways + action - w.decisions] += 1
    return 1


@rule
def overheard(i: int, seat: int, who: int, action: int, w: SignalWorkspace) -> int:
    """Signals are heard by all."""
    return action if action >= w.decisions else overhear(w.states[i], seat, who, action)


@rule
def stepped(i: int, w: SignalWorkspace) -> None:
    """On a new occasion earlier signals count no longer."""
    now = occasion(w.states[i])
    if now != w.about[i]:
        w.about[i] = now
        forget(i, w)


@rule
def observe_more(i: int, seat: int, out: Cells, w: SignalWorkspace) -> None:
    """How often each seat, clockwise from the one that observes, has given each signal."""
    seats = w.reward.shape[1]
    for at in range(len(out) - w.cells):
        r = at // w.ways
        given = 0
        if r < seats:
            given = w.given[i, seat_after(seat, r, seats) * w.ways + at % w.ways]
        out[w.cells + at] = given


# ------------------------------------------------------------------ for `Batch`
def workspace(w: Workspace, game: Game, device: Any) -> Any:
    """The workspace of a batch with signals."""
    n, seats = w.reward.shape
    return SignalWorkspace(
        **w._asdict(),
        given=device.zeros((n, seats * len(game.signals)), np.int8),
        about=device.zeros((n,), np.int64),
        ways=len(game.signals),
        limit=game.signal_limit,
        decisions=game.actions,
        cells=game.observation,
    )
