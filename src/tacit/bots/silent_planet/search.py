"""`search` at Silent Planet: plays as `steady` unless playouts show that another decision is significantly better."""

from __future__ import annotations

import sys

from tacit.bots.search.searcher import Searcher, SearchParameters
from tacit.bots.silent_planet import steady
from tacit.bots.silent_planet.row_convention import NOTHING, ROWS, agreeing, blocks_of, candidates, first_row, ways
from tacit.core.bits import lowest
from tacit.core.chance import below, word
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells
from tacit.games.silent_planet.board import bag_of, kind_at, open_row, places_of, size
from tacit.games.silent_planet.knowledge import imagine
from tacit.games.silent_planet.model import ARRANGE, PLACES, POINT, State
from tacit.games.silent_planet.rules import drawn

GAME = "silent-planet"
POLICY = steady
SEARCH = SearchParameters(min_z=2.0)
CLEAR = 60  # thousandths of a win by which a decision is clearly better than another


def thinks(k: State) -> bool:
    """Only pointing is searched: rows are laid by the convention, or others could not read them."""
    return k.phase == POINT


@rule
def drawn_row(k: State, q: int, rng: Cells) -> int:
    """A row of seat q, sampled from the rows that fit the convention, its hints and the unseen cards.

    NOTHING if seat q did not lay its row by the convention.
    """
    row = open_row(k, q)
    known = bag_of(row)
    down = places_of(k.down, q)
    found = candidates(row, places_of(k.hints, q), down, k.pool, known)
    if found == NOTHING:
        return NOTHING
    begin, end = blocks_of(found)
    total = 0
    for block in range(begin, end):
        rows = agreeing(found, block, row, down)
        while rows != 0:
            total += ways(first_row(found, block) + lowest(rows), k.pool, known)
            rows &= rows - 1
    left = ((word(rng) << 30) ^ word(rng)) % max(total, 1)
    for block in range(begin, end):
        rows = agreeing(found, block, row, down)
        while rows != 0:
            i = first_row(found, block) + lowest(rows)
            rows &= rows - 1
            left -= ways(i, k.pool, known)
            if left < 0:
                return ROWS[i]
    return NOTHING


@rule
def believe(k: State, seat: int, rng: Cells) -> None:
    """Fill in the hidden rows by sampling from the convention; rows that break it are dealt at random."""
    if k.phase <= ARRANGE:
        imagine(k, seat, rng)
        return
    first = below(rng, k.seats)  # rows are sampled one after the other from the cards left
    for i in range(k.seats):
        q = (first + i) % k.seats
        if q == seat or places_of(k.down, q) == 0:
            continue
        row = drawn_row(k, q, rng)
        for place in range(PLACES):
            if kind_at(k.row[q], place) < 0:
                kind = kind_at(row, place) if row != NOTHING else drawn(k.pool, below(rng, size(k.pool)))
                k.pool -= 1 << (4 * kind)
                k.row[q] |= (kind + 1) << (4 * place)


@rule
def worth(s: State, out: Cells, seat: int) -> int:
    """1000 for a win (a team for each seat), plus 20 for each team."""
    return (1000 if out[seat] == s.seats else 0) + 20 * out[seat]


class Search(Searcher):
    TUNING = sys.modules[__name__]
    GAME = GAME
    STYLE = "Points as steady does, unless playing on with likely rows surely shows a better card."
    ASSUMES = "Partners that lay and read rows as steady does."
