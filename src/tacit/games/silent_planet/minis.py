"""A mini game of Silent Planet for two seats, small enough to be solved exactly; research knows it.

Each seat has three cards, a team has three, and all six cards are needed: whoever points must know from the row alone
what lies where. `MINIS` is read by `tacit.research.minis`, which also proves its values.
"""

from __future__ import annotations

from typing import Any

REPLACED: dict[str, Any] = {}  # all constants are members of the game
MINIS = {
    "mini-silent-planet-rows": {
        "seats": 2,
        "options": {},
        "constants": {"BAG": 3 | 3 << 4, "CARDS": 6, "HAND": 3, "TEAM": 3},  # aliens 1 and 2, three of each
        "value": "9/5",
        "random": "1/80",
    },
}
