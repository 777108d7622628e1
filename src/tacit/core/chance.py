"""Random numbers: the generator sfc32 as rules, and the sources of chance for matches.

Chance is never part of a state: no state knows its future. `System` uses the operating system's randomness; live
tables use keyed_chance.py, whose draws can be checked afterwards. `Seeded` is the sfc32 stream of a seed, as in
compiled play. `Paired` deals the same cards whatever the seats decide, so that line-ups can be compared.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Protocol

from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells

RNG_WORDS = 4  # in a generator's state
FRESH = -1  # a game's `pool` returns this when chance does not draw from a deck


# ------------------------------------------------------------------ sfc32, as rules
@rule
def word(rng: Cells) -> int:
    """The next 32 random bits of sfc32. Its four 32-bit words are kept in 64 bits, so that nothing overflows."""
    a, b, c, n = rng[0], rng[1], rng[2], rng[3]
    out = (a + b + n) & 0xFFFFFFFF
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + (c << 3)) & 0xFFFFFFFF
    rng[2] = ((((c << 21) & 0xFFFFFFFF) | (c >> 11)) + out) & 0xFFFFFFFF
    rng[3] = (n + 1) & 0xFFFFFFFF
    return out


@rule
def below(rng: Cells, n: int) -> int:
    """A uniform integer from 0 to n-1 (Lemire's method), for n up to 2**31."""
    product = word(rng) * n
    if product & 0xFFFFFFFF < n:
        least = (0x100000000 - n) % n
        while product & 0xFFFFFFFF < least:
            product = word(rng) * n
    return product >> 32


@rule
def seed(rng: Cells, low: int, high: int) -> None:
    """Set a generator to the start of the stream of a 64-bit seed, given as two 32-bit words."""
    rng[0] = low
    rng[1] = high
    rng[2] = 0x2545F491
    rng[3] = 1
    for _ in range(12):
        word(rng)


@rule
def pick(weights: Cells, at: int) -> int:
    """The outcome that the number `at` (below the sum of the weights) falls on."""
    outcome = 0
    while at >= weights[outcome]:
        at -= weights[outcome]
        outcome += 1
    return outcome


# ------------------------------------------------------------------ sources of chance
class Chance(Protocol):
    """A source of chance. `draw` returns an outcome; `pool` is the number of the deck (a game's `pool`) or FRESH.

    A source whose draws are `pick(weights, below(sum(weights)))` may have this `below(total)` as a method: compiled
    rules then need no list of weights.
    """

    def draw(self, weights: list[int], pool: int) -> int: ...


def stream(key: str) -> list[int]:
    """A generator seeded with the hash of a text."""
    rng = [0] * RNG_WORDS
    digest = hashlib.sha256(key.encode()).digest()
    seed(rng, int.from_bytes(digest[:4], "little"), int.from_bytes(digest[4:8], "little"))
    return rng


class System:
    """The operating system's randomness, for every draw."""

    def draw(self, weights: list[int], pool: int) -> int:
        """An outcome, each as likely as its weight; from which `pool` does not matter."""
        return pick(weights, self.below(sum(weights)))

    def below(self, total: int) -> int:
        """A number below `total`."""
        return secrets.randbelow(total)


class Seeded:
    """The sfc32 stream of a 64-bit seed, its `number`; `rng` is the state of the stream."""

    def __init__(self, number: int) -> None:
        self.rng = [0] * RNG_WORDS
        seed(self.rng, number & 0xFFFFFFFF, (number >> 32) & 0xFFFFFFFF)

    def draw(self, weights: list[int], pool: int) -> int:
        """An outcome, each as likely as its weight; from which `pool` does not matter."""
        return pick(weights, self.below(sum(weights)))

    def below(self, total: int) -> int:
        """A number below `total`."""
        return below(self.rng, total)


class Paired:
    """A seeded order for every pool: a draw gives the first card in that order which is still in the pool.

    So the deck lies in the same order whatever the seats decide. A renewed pool (with a new number) has a new order.
    The seed is `number`. Draws from no pool use a stream of their own, `loose`, so that they do not change the decks.
    `orders` has the order of each pool that was drawn from. `draw` raises ValueError if cards came into a pool without
    a new number.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.loose = stream(f"{number} loose")
        self.orders: dict[int, list[int]] = {}

    def draw(self, weights: list[int], pool: int) -> int:
        """The first outcome in this pool's order that still has a weight."""
        if pool == FRESH:
            return pick(weights, below(self.loose, sum(weights)))
        if pool not in self.orders:
            self.orders[pool] = pool_order(self.number, weights, pool)
        return first_left(self.orders[pool], weights)


def first_left(order: Sequence[int], weights: Sequence[int]) -> int:
    """The first card of a pool's order that is still in the pool; ValueError if cards came into it meanwhile.

    >>> first_left([2, 0, 1, 0], [1, 1, 0])  # a 2 and the first 0 are gone
    1
    """
    # Of a kind with w copies left, the last w of its places in the order are the ones still in the pool.
    left = [0] * len(weights)
    first = -1
    for outcome in reversed(order):
        left[outcome] += 1
        if left[outcome] <= weights[outcome]:
            first = outcome
    if first < 0 or any(w > n for w, n in zip(weights, left, strict=True)):
        raise ValueError("Cards came into a pool that was not renamed: the game's `pool` is wrong.")
    return first


def pool_order(number: int, weights: Sequence[int], pool: int) -> list[int]:
    """The order in which `Paired(number)` deals a pool that holds these cards when it is first drawn from."""
    rng = stream(f"{number} pool {pool}")
    order = [outcome for outcome, weight in enumerate(weights) for _ in range(weight)]
    for i in range(len(order) - 1, 0, -1):
        j = below(rng, i + 1)
        order[i], order[j] = order[j], order[i]
    return order
