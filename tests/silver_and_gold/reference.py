"""A second implementation of Silver & Gold, as one generator: no phases, no packed numbers, only lists and loops.

It knows nothing of `tacit`: it reads like the rules page and is compared with the real rules match by match. `story`
is a generator. It yields what may come next, {who: {text: weight}} ("*" is chance; a seat's weights are 1),
takes the (who, text) that did, and returns the result. It reads the deck file itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterable
from typing import Any

Offer = dict[int | str, dict[str, int]]
Story = Generator[Offer, tuple[int | str, str], Any]

COLOURS = "pogs"
SIZES = {"p": 14, "o": 12, "g": 10, "s": 8}
COPIES = {"p": 12, "o": 12, "g": 12, "s": 11}
EXPEDITIONS = ["I2", "I3", "I3", "L3", "L3", "T4", "L4", "O4"]
DRAWINGS = {
    "I2": ["oo"],
    "I3": ["ooo"],
    "L3": ["oo", "o."],
    "T4": ["ooo", ".o."],
    "L4": ["ooo", "o.."],
    "O4": ["oo", "oo"],
}


# ---------------------------------------------------------------- drawings: turned, mirrored, moved
def turned(rows: list[str]) -> list[str]:
    return ["".join(row[x] for row in reversed(rows)) for x in range(len(rows[0]))]


def eight_ways(rows: list[str]) -> list[list[str]]:
    """A drawing in all its turnings, as it is and mirrored; some of the eight may be the same."""
    ways = []
    for face in (rows, [row[::-1] for row in rows]):
        for _ in range(4):
            ways.append(face)
            face = turned(face)
    return ways


def cells_of(rows: list[str], right: int = 0, down: int = 0) -> list[str]:
    """The cells of a drawing, moved, row by row and left to right; a cell off the grid's edge has no sensible name."""
    return [
        "abcdefgh"[x + right] + str(y + 1 + down)
        for y, row in enumerate(rows)
        for x, mark in enumerate(row)
        if mark != "."
    ]


def placings(shape: str) -> list[list[str]]:
    """Every way in which a shape can lie on the grid, once each."""
    found: list[list[str]] = []
    for rows in eight_ways(DRAWINGS[shape]):
        for down in range(4):
            for right in range(4):
                cells = cells_of(rows, right, down)
                if all(cell[0] in "abcd" and cell[1:] in "1234" for cell in cells) and cells not in found:
                    found.append(cells)
    return found


PLACINGS = {shape: placings(shape) for shape in DRAWINGS}


# ---------------------------------------------------------------- the deck
class Card:
    def __init__(self, block: list[str]) -> None:
        self.name, *seal = block[0].split()
        self.rows = block[1:]
        self.colour = self.name[0]
        self.seal = (seal[0][1], int(seal[0][2:])) if seal else None
        marks = "".join(self.rows).replace(".", "")
        self.symbols = dict(zip(cells_of(self.rows), marks, strict=True))  # what each cell carries, row by row

    def count(self, mark: str) -> int:
        return list(self.symbols.values()).count(mark)


def in_order(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: (COLOURS.index(name[0]), int(name[1:])))


def read(deck: str) -> dict[str, Card]:
    lines = [line.strip() for line in deck.splitlines() if not line.startswith("#")]
    blocks = [block.split("\n") for block in "\n".join(lines).split("\n\n")]
    cards = [Card([line for line in block if line]) for block in blocks if any(block)]
    return {name: card for name in in_order(card.name for card in cards) for card in cards if card.name == name}


def digest(deck: str) -> str:
    blocks = []
    for name, card in read(deck).items():
        seal = f" +{card.seal[0]}{card.seal[1]}" if card.seal else ""
        blocks.append("\n".join([name + seal, *card.rows]) + "\n")
    return hashlib.sha256("\n".join(blocks).encode()).hexdigest()[:12]


# ---------------------------------------------------------------- the table
class Player:
    def __init__(self) -> None:
        self.dealt: list[str] = []
        self.free: dict[str, list[str]] = {}  # the player's cards, and what is not yet crossed off on each
        self.done: list[str] = []  # completed cards, laid aside
        self.coins = 0
        self.palms: list[int] = []  # the palm fields
        self.trophies: list[int] = []
        self.rows_at_dawn = 0  # coin rows full when the turn began
        self.owed = 0  # further cells for cross symbols
        self.crossing = False  # not yet done with this turn's crossing


class Table:
    def __init__(self, seats: int, deck: str) -> None:
        self.cards = read(deck)
        self.pool = list(self.cards)  # the deck: nobody knows its order
        self.display: list[str] = []
        self.players = [Player() for _ in range(seats)]
        self.trophies = [6, 5, 4, 3, 2, 1]


def story(seats: int, deck: str) -> Story:
    table = Table(seats, deck)
    yield from set_up(table)
    _, text = yield {"*": {f"start {q}": 1 for q in range(seats)}}
    first = int(text.split()[1])
    for round_ in range(4):
        expeditions = list(EXPEDITIONS)
        for turn in range(7):
            _, text = yield {"*": {f"expedition {e}": expeditions.count(e) for e in expeditions}}
            shape = text.split()[1]
            expeditions.remove(shape)
            yield from cross_off(table, shape)
            last = round_ == 3 and turn == 6
            for i in range(seats):
                yield from settle(table, (first + i) % seats, last)
            first = (first + 1) % seats
    return result(table)


def drawn(table: Table, words: str) -> Story:
    """A card from the deck, any of them alike."""
    _, text = yield {"*": {f"{words} {card}": 1 for card in table.pool}}
    card = text.split()[-1]
    table.pool.remove(card)
    return card


def set_up(table: Table) -> Story:
    for q, player in enumerate(table.players):
        for _ in range(4):
            player.dealt.append((yield from drawn(table, f"deal {q}")))
    kept: dict[int, list[str]] = {}
    while len(kept) < len(table.players):
        offer: Offer = {}
        for q, player in enumerate(table.players):
            if q not in kept:
                pairs = [in_order([a, b]) for i, a in enumerate(player.dealt) for b in player.dealt[:i]]
                offer[q] = {f"keep {a} {b}": 1 for a, b in pairs}
        who, text = yield offer
        assert isinstance(who, int)
        kept[who] = text.split()[1:]
    for q, player in enumerate(table.players):
        for card in player.dealt:
            if card in kept[q]:
                receive(table, player, card)
            else:
                table.pool.append(card)
    yield from fill_display(table)


def fill_display(table: Table) -> Story:
    while len(table.display) < 4 and table.pool:
        table.display.append((yield from drawn(table, "show")))


def receive(table: Table, player: Player, card: str) -> None:
    player.free[card] = list(table.cards[card].symbols)


def single(player: Player, verb: str) -> list[str]:
    return [f"{verb} {card} {cell}" for card, free in player.free.items() for cell in free]


def cross_off(table: Table, shape: str) -> Story:
    first = set()  # those who have yet to cross off the shape or the single cell
    for q, player in enumerate(table.players):
        player.rows_at_dawn = player.coins // 4
        player.owed = 0
        player.crossing = bool(player.free)
        if player.crossing:
            first.add(q)
    while any(player.crossing for player in table.players):
        offer: Offer = {}
        for q, player in enumerate(table.players):
            if not player.crossing:
                continue
            if q in first:
                choices = single(player, "cross")
                for card, free in player.free.items():
                    for cells in PLACINGS[shape]:
                        if all(cell in free for cell in cells):
                            choices.append(f"mark {card} {' '.join(cells)}")
            else:
                choices = single(player, "bonus")
            offer[q] = dict.fromkeys(choices, 1)
        who, text = yield offer
        assert isinstance(who, int)
        verb, card, *cells = text.split()
        player = table.players[who]
        if verb == "bonus":
            player.owed -= 1
        else:
            first.remove(who)
        for cell in cells:
            player.free[card].remove(cell)
        for cell in cells:
            symbol_counts(table, player, table.cards[card].symbols[cell])
        player.crossing = player.owed > 0 and any(player.free.values())


def symbol_counts(table: Table, player: Player, symbol: str) -> None:
    if symbol == "x":
        player.owed += 1
    elif symbol == "$" and player.coins < 12:
        player.coins += 1
    elif symbol == "^" and len(player.palms) < 4:
        player.palms.append(1 + sum(table.cards[card].count("^") for card in table.display))


def settle(table: Table, q: int, last: bool) -> Story:
    player = table.players[q]
    for _ in range(player.coins // 4 - player.rows_at_dawn):
        if table.trophies:
            player.trophies.append(table.trophies.pop(0))
    completed = [card for card, free in player.free.items() if not free]
    for card in completed:
        del player.free[card]
        player.done.append(card)
        if last:
            continue
        choices = [f"take {other}" for other in table.display]
        if table.pool:
            choices.append("take deck")
        if not choices:
            continue
        _, text = yield {q: dict.fromkeys(choices, 1)}
        new = text.split()[1]
        if new == "deck":
            new = yield from drawn(table, f"blind {q}")
        else:
            table.display.remove(new)
        receive(table, player, new)
    yield from fill_display(table)


def result(table: Table) -> dict[str, Any]:
    completed = [{c: [card[0] for card in player.done].count(c) for c in COLOURS} for player in table.players]
    breakdown = []
    for player, counts in zip(table.players, completed, strict=True):
        seals = [table.cards[card].seal for card in player.done]
        breakdown.append({
            "coins": player.coins,
            "trophies": sum(player.trophies),
            "palms": sum(player.palms),
            "cards": sum(len(table.cards[card].symbols) for card in player.done),
            "seals": sum(seal[1] * counts[seal[0]] for seal in seals if seal),
        })  # fmt: skip
    scores = [sum(points.values()) for points in breakdown]
    ranks = [[score, *(counts[c] for c in "sgop")] for score, counts in zip(scores, completed, strict=True)]
    return {
        "scores": scores,
        "winners": [q for q, rank in enumerate(ranks) if rank == max(ranks)],
        "breakdown": breakdown,
        "completed": completed,
        "reason": "rounds",
    }
