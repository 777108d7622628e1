"""`Central`: what all seats of a batch know together, for a critic while it learns. An actor never gets this object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tacit.research.batch import Batch


class Central:
    """The central state of every match of a batch: the observations of all its seats, seat 0 first.

    Nothing of it is among the batch's arrays, its views for PyTorch and JAX, or what an environment returns.

    Args:
        batch: The batch.

    Attributes:
        shape: Of the tensor: (n, seats * cells).

    Examples:
        >>> from tacit.research import Batch
        >>> batch = Batch("silencio", n=4, seats=3)
        >>> critic = Central(batch)
        >>> critic.tensor().shape == critic.shape == (4, 3 * batch.game.observation)
        True
    """

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self.shape = (batch.n, batch.seats * batch.cells)

    def tensor(self) -> NDArray[np.int8]:
        """The central states now, as a new array (int8)."""
        seats = [self._batch.observe(seat) for seat in range(self._batch.seats)]
        return self._batch.device.xp.concatenate(seats, axis=1)  # type: ignore[no-any-return]

    def field(self, name: str) -> Any:
        """A field of every whole state, also what no seat knows; raises ValueError if there is none."""
        return self._batch.secret(name)
