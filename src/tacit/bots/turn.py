"""All that a bot gets for one decision, and nothing else."""

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
    """Python's `random` over the sfc32 stream that the rules use; a compiled bot draws from its `words`."""

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
        """A bot's dice are the host's: they cannot be begun anew."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Dice, (self.words,)


@rule
def own_stream(rng: Cells, key: Cells, step: int, seat: int) -> None:
    """Begin the generator for one decision: the match's key, how many steps were made, and the seat."""
    begin(rng, (key[0] + step * 0x9E3779B9) & 0xFFFFFFFF, (key[1] + seat * 0x85EBCA6B) & 0xFFFFFFFF)


def dice_for(key: Sequence[int], step: int, seat: int) -> Dice:
    """The same generator as a bot in Python gets it."""
    words = [0] * RNG_WORDS
    own_stream(words, list(key), step, seat)
    return Dice(words)


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a bot may think about one decision: playouts, or milliseconds, or (both None) as it likes."""

    playouts: int | None = None
    milliseconds: float | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision as a bot gets it: everything in it follows from what its seat knows and has heard."""

    game: str  # the game's name
    seats: int
    seat: int
    k: Any  # what the seat knows, a record with the fields of the game's State
    heard: tuple[str, ...]  # what it has heard, as lines
    events: Any  # the same as numbers (int64, core.events), for games with the rule `overhear`
    legal: tuple[str, ...]  # what it may decide
    rng: Dice  # its own generator: a random.Random
    budget: Budget
    signals: tuple[str, ...] = ()  # what it may signal first: `! nod` in place of a decision, and it is asked again
    deck: str | None = None  # the deck's text, where another than the game's own is played with
