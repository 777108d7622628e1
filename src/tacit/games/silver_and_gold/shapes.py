"""The six expedition shapes (G01) and all their places on a grid of 4 by 4, as sets of cells."""

from __future__ import annotations

from tacit.core.rulekit import constant_array
from tacit.games.silver_and_gold.deck import SIDE, turnings

SHAPE_NAMES = ("I2", "I3", "L3", "T4", "L4", "O4")
SHAPES = 6
EXPEDITIONS = (1, 2, 2, 1, 1, 1)  # cards of each shape
SHAPE_PICTURES = (("oo",), ("ooo",), ("oo", "o."), ("ooo", ".o."), ("ooo", "o.."), ("oo", "oo"))


def places_of(picture: tuple[str, ...]) -> list[int]:
    """Every way to lay a shape on the grid, turned and mirrored, in the order of its cells."""
    cells = [(x, y) for y, row in enumerate(picture) for x, sign in enumerate(row) if sign == "o"]
    found = set()
    for turned in turnings(cells):
        left, top = min(x for x, _ in turned), min(y for _, y in turned)
        laid = [(x - left, y - top) for x, y in turned]
        for down in range(SIDE - max(y for _, y in laid)):
            for right in range(SIDE - max(x for x, _ in laid)):
                found.add(sum(1 << SIDE * (y + down) + x + right for x, y in laid))
    return sorted(found, key=lambda place: [cell for cell in range(16) if place >> cell & 1])


PLACES_OF = tuple(tuple(places_of(picture)) for picture in SHAPE_PICTURES)
MOST_PLACES = max(len(places) for places in PLACES_OF)  # 48, of L4

# PLACES[48 * shape + i] is the i-th place of a shape.
PLACES = constant_array(place for places in PLACES_OF for place in [*places, *[0] * (MOST_PLACES - len(places))])

# FITS[64 * shape + 16 * row + free] is the set of the places of a shape that lie free as far as that row goes.
FITS = constant_array(
    sum(1 << i for i, place in enumerate(PLACES_OF[shape]) if place >> SIDE * row & 15 & ~free == 0)
    for shape in range(SHAPES)
    for row in range(SIDE)
    for free in range(16)
)
