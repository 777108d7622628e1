"""Draws the built-in deck: `python -m tacit.games.silver_and_gold.cartographer > islands.deck`.

Every island (but p1, which is the rules page's example) is chosen among all islands of its size for which it holds:
each of the six shapes has a place on it, every cell is reached by at least three of the shapes, and different
expedition cards of one round can fill it whole, in at least two ways: there are no corners that only a single cell can
fill. Symbols keep apart from each other; palms lie where few shapes reach. The same seed gives the same deck.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from tacit.games.silver_and_gold.deck import (
    CARD_COLOURS,
    COIN,
    COLOUR_WORDS,
    COPIES,
    CROSS,
    MOST,
    NO_CELL,
    PALM,
    PLAIN,
    SEAL_CROSSES,
    SEAL_POINTS,
    SIZES,
    SYMBOLS,
    Card,
    Deck,
    joined,
    standard,
)
from tacit.games.silver_and_gold.shapes import EXPEDITIONS, PLACES_OF, SHAPES

SEED = 47
HEAD = """\
# The treasure cards of Silver & Gold, drawn for tacit: our own islands with the true deck's figures (G02, G03).
# A block a card: its name and, where it has one, its seal (+, colour, points); then the island, row by row:
# . no cell   o plain   x cross   $ coin   ^ palm
# Drawn by cartographer.py; a deck of your own in this form can be played with too: `tacit check FILE.deck` tells.
"""
EXAMPLE = Card(0, ("xooo", ".oo.", "xoox", "oooo"), (1, 2))


def islands(size: int) -> list[int]:
    """All good islands of so many cells, one of each eight pictures, in a fixed order."""
    pictures = {standard(cells) for cells in range(1 << 16) if cells.bit_count() == size and joined(cells)}
    return [cells for cells in sorted(pictures) if is_good(cells)]


def is_good(cells: int) -> bool:
    """Every shape has a place, three shapes reach every cell, and a round's cards fill it in at least two ways."""
    places = [[place for place in PLACES_OF[shape] if place & ~cells == 0] for shape in range(SHAPES)]
    if not all(places):
        return False
    for cell in range(16):
        if cells >> cell & 1 and sum(any(p >> cell & 1 for p in fits) for fits in places) < 3:
            return False
    return sum(1 for _ in fillings(cells, list(EXPEDITIONS), places)) >= 2


def fillings(cells: int, left: list[int], places: list[list[int]]) -> Iterator[int]:
    """A 1 for each way to fill the cells with expeditions of which so many of each shape are left; two are enough."""
    if cells == 0:
        yield 1
        return
    first, found = cells & -cells, 0
    for shape in range(SHAPES):
        if left[shape]:
            left[shape] -= 1
            for place in places[shape]:
                if place & first and place & ~cells == 0:
                    for _ in fillings(cells & ~place, left, places):
                        yield 1
                        found += 1
                        if found == 2:
                            left[shape] += 1
                            return
            left[shape] += 1


def reach(cells: int) -> list[int]:
    """For each cell, how many places of how many shapes on the island hold it."""
    fits = [place for shape in range(SHAPES) for place in PLACES_OF[shape] if place & ~cells == 0]
    return [sum(place >> cell & 1 for place in fits) for cell in range(16)]


def chosen(colour: int, rng: random.Random) -> list[int]:
    """The islands of one colour, as different in their reach as a seeded choice makes them, each turned anyhow."""
    wanted = COPIES[colour]
    found = [EXAMPLE.cells()] if colour == 0 else []
    candidates = [cells for cells in islands(SIZES[colour]) if cells not in {standard(f) for f in found}]
    signs = {cells: sorted(reach(cells)) for cells in [*candidates, *found]}
    while len(found) < wanted:
        few = rng.sample(candidates, min(len(candidates), 12))
        best = max(few, key=lambda cells: min((_far(signs[cells], signs[other]) for other in found), default=0))
        found.append(best)
        candidates.remove(best)
    return found[:1] + [_turned(cells, rng) for cells in found[1:]] if colour == 0 else [_turned(c, rng) for c in found]


def _far(one: list[int], two: list[int]) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, two, strict=True))


def _turned(cells: int, rng: random.Random) -> int:
    """One of the island's eight pictures, pushed into the upper left corner."""
    grid = [[cells >> 4 * y + x & 1 for x in range(4)] for y in range(4)]
    for _ in range(rng.randrange(4)):
        grid = [list(row) for row in zip(*grid[::-1], strict=True)]
    if rng.random() < 0.5:
        grid = [row[::-1] for row in grid]
    grid = [row for row in grid if any(row)]
    wide = [x for x in range(4) if any(row[x] for row in grid)]
    return sum(row[x] << 4 * y + i for y, row in enumerate(grid) for i, x in enumerate(wide))


def shares(total: int, cards: int, most: int, rng: random.Random) -> list[int]:
    """A total dealt out to cards, as evenly as chance and the most a card may bear allow."""
    share = [0] * cards
    while total:
        at = rng.choice([i for i in range(cards) if share[i] < min(most, min(share) + 2)])
        share[at] += 1
        total -= 1
    return share


def symbols(cells: int, counts: tuple[int, int, int], rng: random.Random) -> dict[int, str]:
    """Crosses, coins and palms on an island, apart from each other: the best of many random layouts."""
    where, held = [c for c in range(16) if cells >> c & 1], reach(cells)
    best: tuple[float, dict[int, str]] = (-1e9, {})
    for _ in range(60):
        cross, coin, palm = counts
        places = rng.sample(where, cross + coin + palm)
        layout = dict(zip(places, CROSS * cross + COIN * coin + PALM * palm, strict=True))
        near = sum(3 if abs(a // 4 - b // 4) + abs(a % 4 - b % 4) == 1 else 0 for a in places for b in places)
        merit = -near - 0.2 * sum(held[c] for c, sign in layout.items() if sign == PALM) + rng.random()
        best = max(best, (merit, layout), key=lambda item: item[0])
    return best[1]


def picture(cells: int, signs: dict[int, str]) -> tuple[str, ...]:
    wide = max(c % 4 for c in range(16) if cells >> c & 1) + 1
    tall = max(c // 4 for c in range(16) if cells >> c & 1) + 1
    return tuple(
        "".join(signs.get(4 * y + x, PLAIN) if cells >> 4 * y + x & 1 else NO_CELL for x in range(wide))
        for y in range(tall)
    )


def draw_deck(seed: int = SEED) -> Deck:
    """The deck of a seed. The first three cards of a colour bear its seals."""
    cards: list[Card] = []
    for colour in range(4):
        rng = random.Random(f"islands {seed} {COLOUR_WORDS[colour]}")
        found = chosen(colour, rng)
        seals = [(to, SEAL_POINTS[to]) for to in range(4) if to != colour]
        free = len(found) - len(seals)
        sums = list(SYMBOLS[colour])
        sums[0] -= SEAL_CROSSES[colour] * len(seals)
        dealt = [shares(total, free, most, rng) for total, most in zip(sums, MOST, strict=True)]
        for i, cells in enumerate(found):
            sealed = i < len(seals)
            counts = (SEAL_CROSSES[colour], 0, 0) if sealed else tuple(share[i - len(seals)] for share in dealt)
            assert len(counts) == 3
            card = Card(len(cards), picture(cells, symbols(cells, counts, rng)), seals[i] if sealed else None)
            cards.append(EXAMPLE if len(cards) == 0 else card)
    assert [card.colour for card in cards] == list(CARD_COLOURS)
    return Deck(tuple(cards))


if __name__ == "__main__":
    print(HEAD + "\n" + draw_deck().text, end="")
