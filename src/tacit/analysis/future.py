"""What chance will do in a match, fixed in advance: the cards of every pool in order, and the words of a generator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tacit.core.chance import FRESH, Paired, pick, pool_order, stream, word
from tacit.core.game import Game, OptionValue
from tacit.core.keyed_chance import DealChance
from tacit.core.match import Match
from tacit.core.random_play import CHANCE

MASK = 0xFFFFFFFF


@dataclass(frozen=True)
class Future:
    """Chance as a clairvoyant knows it; the constructors are `Future.paired`, `Future.of` and `Future.dealt`.

    A draw from a pool is the first card of the pool's order that is still in it. A draw from no pool (Silencio's yellow
    duty, Silent Planet's first seat) takes the next of `words`, 32 random bits each, whatever it is drawn from: so
    every line of play meets the same words in the same order. After the given words those of a stream follow. Where
    `words` is None such draws are not known: lines that need one are left out, and nothing is called impossible.

    Attributes:
        number: The seed of what is not given.
        orders: The order of each pool that is known, by the pool's number.
        words: What draws from no pool take, one after the other.
    """

    number: int
    orders: Mapping[int, Sequence[int]] = field(default_factory=dict)
    words: Sequence[int] | None = ()

    @classmethod
    def paired(cls, number: int, game: Game, seats: int, options: Mapping[str, OptionValue] | None = None) -> Future:
        """The chance of `core.chance.Paired(number)`, which the arena plays with."""
        pool, weights = _first_pool(game, seats, options)
        return cls(number, {} if pool == FRESH else {pool: pool_order(number, weights, pool)})

    @classmethod
    def of(cls, match: Match, seed: int = 0) -> Future:
        """The chance that a match has met, as far as its record says; the rest follows from the seed."""
        game, state = match.game, match.begun()
        first, weights = _first_pool(game, match.seats, match.options)
        drawn: dict[int, list[int]] = {} if first == FRESH else {first: []}
        held = {first: weights}
        words: list[int] = []
        for who, action in match.steps:
            if who == CHANCE:
                weights, pool = game.chance(state), game.rules.pool(state)
                if pool == FRESH:  # the middle of the words that give this outcome
                    words.append(((2 * sum(weights[:action]) + weights[action]) << 31) // sum(weights))
                else:
                    held.setdefault(pool, weights)
                    drawn.setdefault(pool, []).append(action)
            game.rules.step(state, who, action)
        orders = {}
        for pool, cards in drawn.items():
            left = [weight - cards.count(outcome) for outcome, weight in enumerate(held[pool])]
            orders[pool] = [*cards, *pool_order(seed, left, pool)]
        return cls(seed, orders, words)

    @classmethod
    def dealt(cls, chance: DealChance) -> Future:
        """The chance of a deal, from the moment after its first cards: its pools so far.

        Its draws from no pool follow from what they are drawn from and are left unknown.
        """
        return cls(0, chance.orders, None)

    def stream(self) -> list[int]:
        """The generator of the words that follow the given ones."""
        return stream(f"{self.number} loose")

    def used(self, match: Match) -> int:
        """How many words a match has used up so far; ValueError if it has met another chance than this one."""
        game, source = match.game, Draws(self)
        state = match.begun()
        for number, (who, action) in enumerate(match.steps, 1):
            if who == CHANCE and source.draw(game.chance(state), game.rules.pool(state)) != action:
                raise ValueError(f"Step {number} of this match is not what this future draws.")
            game.rules.step(state, who, action)
        return source.used


def _first_pool(game: Game, seats: int, options: Mapping[str, OptionValue] | None) -> tuple[int, list[int]]:
    """The pool that the first draw of a match comes from, and what it holds; FRESH if there is none."""
    state = game.blank(seats, options)
    game.rules.start(state)
    return (game.rules.pool(state), game.chance(state)) if game.rules.due(state) == CHANCE else (FRESH, [])


class Draws:
    """A source of chance that draws what a future holds: `Match(game, seats, chance=Draws(future))`."""

    def __init__(self, future: Future, used: int = 0) -> None:
        self.future, self.used = future, used
        self.words, self.rng = list(future.words or ()), future.stream()
        self.paired = Paired(future.number)
        self.paired.orders.update({pool: list(order) for pool, order in future.orders.items()})

    def draw(self, weights: list[int], pool: int) -> int:
        """The next outcome."""
        if pool != FRESH:
            return self.paired.draw(weights, pool)
        n = sum(weights)
        least = (0x100000000 - n) % n
        while True:
            while len(self.words) <= self.used:
                self.words.append(word(self.rng))
            product = self.words[self.used] * n
            self.used += 1
            if product & MASK >= least:
                return pick(weights, product >> 32)
