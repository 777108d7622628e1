"""Where chance comes from. It is never part of a state: no state knows its future.

`System` asks the operating system afresh each time (live tables), `Seeded` is sfc32 (reproducible work, and the very
stream that compiled play uses), `Paired` lets different line-ups meet the same deal.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Protocol

from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells

RNG_WORDS = 4
FRESH = -1  # what a game's `pool` says when chance does not draw from a deck: such draws have no order to keep


# ------------------------------------------------------------------ sfc32, as rules
@rule
def word(rng: Cells) -> int:
    """The next 32 random bits. sfc32 on four 32-bit words kept in 64 bits: nothing can overflow."""
    a, b, c, n = rng[0], rng[1], rng[2], rng[3]
    out = (a + b + n) & 0xFFFFFFFF
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + (c << 3)) & 0xFFFFFFFF
    rng[2] = ((((c << 21) & 0xFFFFFFFF) | (c >> 11)) + out) & 0xFFFFFFFF
    rng[3] = (n + 1) & 0xFFFFFFFF
    return out


@rule
def below(rng: Cells, n: int) -> int:
    """A whole number from 0 to n-1, each exactly as likely (Lemire's method), for n up to 2**31."""
    product = word(rng) * n
    if product & 0xFFFFFFFF < n:
        least = (0x100000000 - n) % n
        while product & 0xFFFFFFFF < least:
            product = word(rng) * n
    return product >> 32


@rule
def seed(rng: Cells, low: int, high: int) -> None:
    """Begin the stream of a 64-bit seed given as two 32-bit words."""
    rng[0] = low
    rng[1] = high
    rng[2] = 0x2545F491
    rng[3] = 1
    for _ in range(12):
        word(rng)


@rule
def pick(weights: Cells, at: int) -> int:
    """The outcome in whose share of the weights the number `at` falls."""
    outcome = 0
    while at >= weights[outcome]:
        at -= weights[outcome]
        outcome += 1
    return outcome


# ------------------------------------------------------------------ the sources
class Chance(Protocol):
    """Draws outcomes. `pool` names the deck the weights are of (a game's `pool`), or is FRESH."""

    def draw(self, weights: list[int], pool: int) -> int: ...


def stream(key: str) -> list[int]:
    """A generator for a key of any kind: the same key, the same stream."""
    rng = [0] * RNG_WORDS
    digest = hashlib.sha256(key.encode()).digest()
    seed(rng, int.from_bytes(digest[:4], "little"), int.from_bytes(digest[4:8], "little"))
    return rng


class System:
    """Fresh randomness of the operating system for every draw."""

    def draw(self, weights: list[int], pool: int) -> int:
        return pick(weights, secrets.randbelow(sum(weights)))


class Seeded:
    """The sfc32 stream of a 64-bit seed."""

    def __init__(self, number: int) -> None:
        self.rng = [0] * RNG_WORDS
        seed(self.rng, number & 0xFFFFFFFF, (number >> 32) & 0xFFFFFFFF)

    def draw(self, weights: list[int], pool: int) -> int:
        return pick(weights, below(self.rng, sum(weights)))


class Paired:
    """A seeded order of every pool: the next draw is the first card in that order which is still in the pool.

    So whatever the seats decide, the same deck lies in the same order. A renewed pool (a game names it anew) has a
    new order. Draws from no pool come from a stream of their own, so that they do not disturb the decks.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.loose = stream(f"{number} loose")
        self.orders: dict[int, list[int]] = {}

    def draw(self, weights: list[int], pool: int) -> int:
        if pool == FRESH:
            return pick(weights, below(self.loose, sum(weights)))
        if pool not in self.orders:
            self.orders[pool] = pool_order(self.number, weights, pool)
        order = self.orders[pool]
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
