"""Sources of chance that are functions of a secret key, so that a record can be checked once the key is known.

`DealChance` gives every table of a deal the same cards, as `Paired` does in the arena: for each pool a secret order, of
which a draw gives the first card still in the pool. `MatchChance` is for one table alone: each draw is a function of
the key and of the whole record before it. Both keep nothing that the record does not tell: a server that restarts, or
another process, goes on with the same chance. docs/fair-deals.md proves what they promise.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from tacit.core.chance import FRESH, Chance, first_left
from tacit.core.match import Match
from tacit.core.random_play import CHANCE

KEY_BYTES = 32
Contents = tuple[int, ...]  # how many cards of each kind


def derive(key: bytes, *parts: str | bytes) -> bytes:
    """32 bytes that tell nothing about the key: keyed BLAKE2b of the parts, each with its length before it."""
    digest = hashlib.blake2b(key=key, digest_size=KEY_BYTES)
    _add(digest, parts)
    return digest.digest()


def _add(digest: hashlib.blake2b, parts: Iterable[str | bytes]) -> None:
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big") + data)


def commitment(key: bytes, salt: bytes) -> str:
    """What is published of a key before it is used: it fixes the key, and tells nothing about it."""
    return derive(b"", "tacit commitment 1", key, salt).hex()


NAMED = "name "  # in a record's tag `deal`: what follows is the name of a deal that everybody can deal


def named_deal_key(name: str, game: str) -> bytes:
    """The key of a deal by its name. It is no secret: whoever knows the name knows the cards."""
    return derive(b"", "tacit deal by name 1", game, name)


def deal_name(tags: Mapping[str, str]) -> str | None:
    """The name of the deal that a record was played on, if it has one that everybody can deal."""
    deal = tags.get("deal", "")
    return deal.removeprefix(NAMED) if deal.startswith(NAMED) else None


class Draw(NamedTuple):
    """What chance did in one step: the pool, what it held, and the outcome."""

    pool: int
    weights: Contents
    outcome: int


def draws(match: Match) -> Iterator[Draw]:
    """All that chance has done in a match."""
    state, rules = match.begun(), match.game.rules
    for who, action in match.steps:
        if who == CHANCE:
            yield Draw(rules.pool(state), tuple(match.game.chance(state)), action)
        rules.step(state, who, action)


class Beginning(NamedTuple):
    """What chance did in a match that was not played on a deal: the beginning of the deal that is made of it."""

    pools: Mapping[int, Sequence[int]]
    fresh: Mapping[tuple[Contents, int], int]

    @classmethod
    def of(cls, match: Match) -> Beginning:
        pools: dict[int, list[int]] = {}
        fresh: dict[tuple[Contents, int], int] = {}
        counts: dict[Contents, int] = {}
        for draw in draws(match):
            if draw.pool == FRESH:
                number = counts[draw.weights] = counts.get(draw.weights, -1) + 1
                fresh[draw.weights, number] = draw.outcome
            else:
                pools.setdefault(draw.pool, []).append(draw.outcome)
        return cls(pools, fresh)


class DealChance:
    """The chance of a deal, for one match on it.

    A pool's cards lie in an order that follows from the key, the pool's number and each card alone, so cards that are
    missing at one table do not move the others. A draw from no pool follows from what there is to draw from and from
    how often just that was drawn from: the same hand gives the same card, and each such draw is independent of all
    others. With a `beginning`, pools and draws begin as they did there; what was not seen there follows from the key.

    `match` is where earlier draws are looked up, at the first draw; without one the match begins here. `draw` raises
    ValueError if cards came into a pool without a new number.
    """

    def __init__(self, key: bytes, match: Match | None = None, beginning: Beginning | None = None) -> None:
        self.key, self.match, self.beginning = key, match, beginning or Beginning({}, {})
        self.orders: dict[int, list[int]] = {}
        self.fresh: dict[Contents, int] = {}  # how often was drawn from these cards

    def draw(self, weights: list[int], pool: int) -> int:
        if self.match is not None:
            before, self.match = draws(self.match), None
            for draw in before:
                self._note(draw)
        outcome = self._fresh(tuple(weights)) if pool == FRESH else self._next(weights, pool)
        self._note(Draw(pool, tuple(weights), outcome))
        return outcome

    def _note(self, draw: Draw) -> None:
        if draw.pool == FRESH:
            self.fresh[draw.weights] = self.fresh.get(draw.weights, 0) + 1
        elif draw.pool not in self.orders:
            self.orders[draw.pool] = self._order(draw.weights, draw.pool)

    def _fresh(self, weights: Contents) -> int:
        number = self.fresh.get(weights, 0)
        given = self.beginning.fresh.get((weights, number))
        if given is not None:
            return given
        cards = [(kind, copy) for kind, weight in enumerate(weights) for copy in range(weight)]
        return min(cards, key=lambda card: self._rank(f"fresh {number} {weights}", card))[0]

    def _next(self, weights: list[int], pool: int) -> int:
        return first_left(self.orders.get(pool) or self._order(tuple(weights), pool), weights)

    def _order(self, weights: Contents, pool: int) -> list[int]:
        """The order of a pool that held these cards when it was first drawn from."""
        seen: dict[int, int] = {}
        begun: list[tuple[int, int]] = []
        for kind in self.beginning.pools.get(pool, ()):
            begun.append((kind, seen.get(kind, 0)))
            seen[kind] = begun[-1][1] + 1
        others = [(kind, copy) for kind, weight in enumerate(weights) for copy in range(seen.get(kind, 0), weight)]
        others.sort(key=lambda card: self._rank(f"pool {pool}", card))
        return [kind for kind, copy in begun + others if copy < weights[kind]]

    def _rank(self, where: str, card: tuple[int, int]) -> bytes:
        return derive(self.key, where, f"{card[0]} {card[1]}")


class MatchChance:
    """Chance for one match: each draw follows from the key and from every line of the record before it.

    So the key alone does not tell the next card: it also depends on what the seats decide until then. The digest of
    the lines so far is kept: a match that goes on, or a copy of it given as `match`, adds only its new lines.
    """

    def __init__(self, key: bytes, match: Match) -> None:
        self.key = key
        self.follow(match)
        self._begin()

    def follow(self, match: Match) -> None:
        """Draw for this match from now on: the one it was made for, or a copy of it that went on."""
        self.lines = match.lines  # not the match, which refers to its chance: only the garbage collector would end that

    def _begin(self) -> None:
        self._digest, self._added, self._of = hashlib.blake2b(key=self.key, digest_size=KEY_BYTES), 0, self.lines
        _add(self._digest, ["draw"])

    def draw(self, weights: list[int], pool: int) -> int:
        ends = [*accumulate(weights)]
        return bisect_right(ends, self.below(ends[-1]))  # as `pick` does

    def below(self, total: int) -> int:
        """The number that decides the next draw, from weights of this sum."""
        lines, n = self.lines, self._added
        if lines is not self._of:  # a list of lines only grows; a copy has its own
            if lines[:n] != self._of[:n]:
                self._begin()  # a decision was taken back, or refused after chance had acted
            self._of = lines
        _add(self._digest, lines[self._added :])
        self._added = len(lines)
        # `derive(key, "draw", *lines)`; 256 bits: the bias of the remainder is below 2**-220.
        return int.from_bytes(self._digest.digest(), "big") % total


def stirred_key(key: bytes, stirred: Mapping[int, str]) -> bytes:
    """The key of a match, with what the people on its seats added before the start."""
    return derive(key, "stirred", *(f"{seat} {text}" for seat, text in sorted(stirred.items())))


Source = Callable[[Match], Chance]


def first_foreign_draw(match: Match, source: Source, begins: int = 0) -> int | None:
    """The number of the first line that chance did not decide as this source does; None if it decided all of them.

    Lines up to number `begins` are not looked at: the match was played on from there.
    """
    played = Match(match.game, match.seats, match.options, settle=False, rules_version=match.rules_version)
    chance: Chance | None = None
    for number, line in enumerate(match.lines, 1):
        if number > begins and line.startswith("* "):
            chance = chance or source(played)
            state = played.state
            outcome = chance.draw(played.game.chance(state), played.game.rules.pool(state))
            if f"* {played.game.rules.show(state, CHANCE, outcome)}" != line:
                return number
        played.replay(line)
    return None
