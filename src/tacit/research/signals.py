"""Signals as decisions (Silent Planet's nods and fingers), an option of the environments: `signals=True`.

Decision `game.actions + i` is then signal i of the game. It may be given by a seat that is asked to decide, as often as
the rules allow; the seat is asked again after it. The observation has one more field: what each seat has signalled
about what is to be decided now. Without the option decisions and observations are as they always were.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tacit.core.contract import Signal
from tacit.core.game import Game
from tacit.core.observation import RELATIVE_SEATS, Field


def need_signals(game: Game, wanted: bool) -> bool:
    """The option as given; ValueError if the game has no signals."""
    if wanted and not game.signals:
        raise ValueError(f"{game.title} has no signals.")
    return wanted


def actions_of(game: Game, signals: bool) -> int:
    """How many decisions there are, signals included where they are wanted."""
    return game.actions + (len(game.signals) if signals else 0)


def fields_of(game: Game, signals: bool) -> tuple[Field, ...]:
    """The fields of the observation, that of the signals last."""
    if not signals:
        return game.fields
    about = "How often each seat has given each signal about what is to be decided now."
    return (*game.fields, Field("signals", "number", about, game.signals, RELATIVE_SEATS[: game.max_seats]))


def cells_of(game: Game, signals: bool) -> int:
    """How many cells an observation has."""
    return sum(field.size for field in fields_of(game, signals))


def with_signals(game: Game, tensor: Any, seat: int, seats: int, given: Sequence[Signal]) -> Any:
    """A seat's observation with the signals given on this occasion, which everyone has heard."""
    counts = np.zeros((game.max_seats, len(game.signals)), np.int8)
    for who, text in given:
        counts[(who - seat) % seats, game.signals.index(text)] += 1
    return np.concatenate([tensor, counts.reshape(-1)])


def may_signal(game: Game, k: Any, seat: int, given: Sequence[Signal]) -> list[int]:
    """The numbers of the signals that a seat may give now, as decisions."""
    return [game.actions + game.signals.index(text) for text in game.may_signal(k, seat, given)]
