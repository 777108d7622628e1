"""What researchers use: batches of matches, environments in the usual interfaces, observations, datasets.

`Batch` is here; each adapter is a module of its own, because each needs a package of its own: `vector` and `seat_env`
(Gymnasium), `aec` (PettingZoo), `spiel` (OpenSpiel).
"""

from tacit.research.batch import Batch

__all__ = ["Batch"]
