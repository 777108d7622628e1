"""What a bot gets for one decision: `Turn`, with its budget and its random generator."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from tacit.core.chance import RNG_WORDS, word
from tacit.core.chance import seed as begin
from tacit.core.match import State
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
    """The limit for one decision; no limit if both are None."""

    playouts: int | None = None
    """How many matches a search may play out."""
    milliseconds: float | None = None
    """How long a bot may think."""


@dataclass(frozen=True, slots=True)
class Turn(Generic[State]):
    """Everything a bot gets for one decision. All of it follows from what its seat knows and has heard.

    For a type checker `Turn[tacit.games.silencio.model.State]` is a turn of Silencio; `Turn` alone is of any game.
    """

    game: str
    """The game's name."""
    seats: int
    """How many seats the match has."""
    seat: int
    """The seat that decides."""
    k: State
    """What the seat knows: a record with the fields of the game's `State`, what is hidden left empty."""
    heard: tuple[str, ...]
    """Every line that the seat was told, in order."""
    events: Any
    """The same as numbers (int64, `tacit.core.events`), in games with the rule `overhear`."""
    legal: tuple[str, ...]
    """What it may decide: the bot answers one of these."""
    rng: Dice
    """The bot's own generator, a `random.Random`, so that a match can be played again."""
    budget: Budget
    """How much the bot may think."""
    signals: tuple[str, ...] = ()
    """The signals that it may give first: it answers `! nod` and is asked again."""
    deck: str | None = None
    """The text of the deck, where it is not the game's own."""
