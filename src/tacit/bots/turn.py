"""What a bot gets for one decision: `Turn`, with its budget and its random generator."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tacit.core.chance import RNG_WORDS, word
from tacit.core.chance import seed as begin
from tacit.core.rulekit import rule
from tacit.core.state_layout import Cells


class Dice(random.Random):
    """A random.Random over the sfc32 generator of the rules. `words` is its state, which compiled bots use."""

    words: list[int]

    def __new__(cls, words: Sequence[int]) -> Dice:
        return super().__new__(cls)

    def __init__(self, words: Sequence[int]) -> None:
        super().__init__(0)
        self.words = [int(w) for w in words]

    def random(self) -> float:
        return ((word(self.words) >> 5) * (1 << 26) + (word(self.words) >> 6)) / (1 << 53)

    def getrandbits(self, k: int, /) -> int:
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        n, value = (k + 31) // 32, 0
        for _ in range(n):
            value = value << 32 | word(self.words)
        return value >> (32 * n - k)

    def seed(self, *args: Any, **kwargs: Any) -> None:
        """Does nothing: a bot cannot reseed its generator."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Dice, (self.words,)


@rule
def own_stream(rng: Cells, key: Cells, step: int, seat: int) -> None:
    """Seed the generator for one decision, from the match's key, the number of steps made and the seat."""
    begin(rng, (key[0] + step * 0x9E3779B9) & 0xFFFFFFFF, (key[1] + seat * 0x85EBCA6B) & 0xFFFFFFFF)


def dice_for(key: Sequence[int], step: int, seat: int) -> Dice:
    """The same generator, for a bot in Python."""
    words = [0] * RNG_WORDS
    own_stream(words, list(key), step, seat)
    return Dice(words)


@dataclass(frozen=True, slots=True)
class Budget:
    """The limit for one decision: playouts or milliseconds; no limit if both are None."""

    playouts: int | None = None
    milliseconds: float | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """Everything a bot gets for one decision. All of it follows from what its seat knows and has heard."""

    game: str  # the game's name
    seats: int
    seat: int
    k: Any  # what the seat knows, a record with the fields of the game's State
    heard: tuple[str, ...]  # what it has heard, as lines
    events: Any  # the same as numbers (int64, core.events), for games with the rule `overhear`
    legal: tuple[str, ...]  # what it may decide
    rng: Dice  # its own generator: a random.Random
    budget: Budget
    signals: tuple[str, ...] = ()  # signals it may give first: it answers `! nod` and is asked again
    deck: str | None = None  # the text of a custom deck
