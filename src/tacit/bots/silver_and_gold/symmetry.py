"""The two cards of a seat have no order: looks of a position of Silver & Gold that a network should judge alike."""

from __future__ import annotations

from itertools import product

import numpy as np

from tacit.bots.network.inference import Symmetry
from tacit.games.silver_and_gold.model import A_SLOT, ACTIONS, CROSS_OFF, KEPT
from tacit.games.silver_and_gold.observation import FIELDS

CARD_FIELDS = ("cards", "free", "pending")  # two rows for each seat, or for one's own


def card_orders() -> Symmetry:
    """One's own two cards in either order, and those of all rivals."""
    ends = np.cumsum([field.size for field in FIELDS])
    begins = {field.name: int(end) - field.size for field, end in zip(FIELDS, ends, strict=True)}
    ways, numbers = [], []
    for own, others in product((False, True), repeat=2):
        cells = np.arange(ends[-1])
        for field in FIELDS:
            if field.name in CARD_FIELDS:
                begin = begins[field.name]
                rows = cells[begin : begin + field.size].reshape(-1, KEPT, len(field.cells))
                rows[:1] = rows[:1, ::-1] if own else rows[:1]
                rows[1:] = rows[1:, ::-1] if others else rows[1:]
        ways.append(cells)
        numbers.append([np.arange(ACTIONS), np.arange(ACTIONS) ^ (A_SLOT if own else 0)])
    return Symmetry(np.array(ways), np.array(numbers), begins["phase"] + CROSS_OFF)


SYMMETRY = card_orders()
