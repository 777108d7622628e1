"""A bot that searches: the policy's decision, unless playouts in determinized worlds are sure of a better one."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from tacit.bots.compiled import CompiledBot
from tacit.bots.registry import bot_named
from tacit.bots.search import engine
from tacit.bots.turn import Turn
from tacit.core.bits import mark
from tacit.core.chance import RNG_WORDS
from tacit.core.events import EVENT_CAPACITY
from tacit.core.game import Game
from tacit.core.registry import game_named
from tacit.core.rulekit import build

PLAYOUTS = 1000  # of a decision, where the budget says nothing
WORLDS = 256  # kept from one decision to the next
MIN_FITTING = 12  # worlds that fit: with fewer, fresh ones are determinized too
CHUNK = 4  # worlds between two looks at the clock
MIN_WORLDS = 32  # before a decision is dropped, or taken, for good
DROP_Z = 3.0  # standard errors by which it must then be worse than the policy's, or better than needed


@dataclass(frozen=True, slots=True)
class SearchParameters:
    """How a game is searched."""

    min_z: float  # standard errors by which another decision must be better than the policy's
    horizon: int = 0  # turns that a playout goes on for; 0: to the end
    max_playouts: float = math.inf  # beyond which the bot grows no stronger
    reuse: int = 0  # how often a world that fits what was heard is played out; 0: determinize a new one each time
    margin: float = 0.0  # what another decision must be worth more, beyond `min_z`


@cache
def drivers(game: Game, tuning: ModuleType) -> list[ModuleType]:
    """The modules beside the game's that a search is built of."""
    return [game.of_deck(tuning.POLICY), game.of_deck(tuning), engine]


def game_of(turn: Turn) -> Game:
    """The game that is played, with its deck."""
    game = game_named(turn.game)
    return game if turn.deck is None else game.with_deck(turn.deck)


class Searcher:
    """A bot for one seat of one match. Subclasses name the tuning: a module with POLICY, SEARCH (its parameters),
    `thinks` and rules."""

    TUNING: ClassVar[ModuleType]
    NAME = "search"
    warm: ClassVar[frozenset[str | None]] = frozenset()  # the decks for which its rules are compiled in this process

    def __init__(self) -> None:
        self.game: Game | None = None
        self.search: Search | None = None

    @classmethod
    def policy(cls) -> str:
        """The bot whose decisions it departs from."""
        return str(cls.TUNING.POLICY.NAME)

    @classmethod
    def searching(cls, game: Game, seats: int) -> Search:
        """A search for one seat of one match."""
        return Search(game, cls.TUNING, seats)

    @classmethod
    def warm_up(cls, turn: Turn) -> None:
        """Compile the search, by a decision that does not count."""
        trial = cls.searching(game_of(turn), turn.seats)
        trial.rehearse(turn)
        cls.warm |= {turn.deck}

    def decide(self, turn: Turn) -> str:
        """A decision within the budget, the same one for the same generator and number of playouts; or first a signal,
        where the policy would give one.

        With a budget of time it does not wait for a compiler: until it is warm, the policy decides, interpreted.
        """
        if self.game is None:
            self.game = game_of(turn)
        policy = bot_named(self.game, self.policy())
        if turn.signals and isinstance(policy, CompiledBot) and (signal := policy.signal(turn)) is not None:
            return f"! {signal}"
        if turn.deck not in self.warm and turn.budget.milliseconds is not None:
            return policy.decide(turn)
        if self.search is None:
            self.search = self.searching(self.game, turn.seats)
        return self.search.decide(turn)


class Search:
    """A seat's search through one match: its workspace, with the worlds that are kept from decision to decision."""

    def __init__(self, game: Game, tuning: ModuleType, seats: int) -> None:
        self.game, self.tuning = game, tuning
        self.parameters: SearchParameters = tuning.SEARCH
        self.rules: SimpleNamespace = build(game.module, "cpu", drivers=self.drivers())
        self.kept = 0  # worlds of the last decision
        self.followed = 0  # events that they were played through
        self.playouts = 0  # made for the last decision
        self.work = engine.Workspace(
            states=np.zeros(3, game.dtype),
            blank=np.zeros(1, game.dtype),
            known=np.zeros(1, game.dtype),
            worlds=np.zeros(WORLDS, game.dtype),
            seen=np.zeros(WORLDS, game.dtype),
            beliefs=np.zeros(WORLDS, np.int64),
            moves=np.zeros(1, np.int64),
            live=np.zeros(1, np.int64),
            sums=np.zeros(1, np.int64),
            squares=np.zeros(1, np.int64),
            events=np.zeros((seats, EVENT_CAPACITY), np.int64),
            heard=np.zeros(seats, np.int64),
            mask=np.zeros(game.words, np.int64),
            weights=np.zeros(game.outcomes, np.int64),
            out=np.zeros(seats, np.int64),
            key=np.zeros(2, np.int64),
            dice=np.zeros(RNG_WORDS, np.int64),
            rng=np.zeros(RNG_WORDS, np.int64),
        )

    def drivers(self) -> list[ModuleType]:
        """What it is built of beside the game's module."""
        return drivers(self.game, self.tuning)

    def decide(self, turn: Turn) -> str:
        """The best decision found within the budget."""
        actions = self.game.legal(turn.k, turn.seat)
        if len(actions) == 1:
            return turn.legal[0]
        return str(self.game.rules.show(turn.k, turn.seat, self._best(turn, actions)))

    def rehearse(self, turn: Turn) -> None:
        """Run every compiled function once."""
        for _ in range(2):  # worlds are kept from the first time to the second
            self._best(turn, self.game.legal(turn.k, turn.seat) * 2, always=True)

    def _best(self, turn: Turn, actions: list[int], always: bool = False) -> int:
        started = time.perf_counter()
        w = self.work
        turn.k.store(w.known[0])
        w.key[:] = [turn.rng.getrandbits(32), turn.rng.getrandbits(32)]
        w.rng[:] = turn.rng.words
        n = min(len(turn.events), EVENT_CAPACITY)
        w.events[:, :n] = turn.events[:n]
        if self.parameters.reuse:
            self._follow(turn.seat, n)
        moves = self._moves(turn, actions, n)
        self.playouts = 0
        searched = len(moves) > 1 and (always or self.tuning.thinks(turn.k))
        return self._search(turn, moves, n, started) if searched else moves[0]

    def _moves(self, turn: Turn, actions: list[int], n: int) -> list[int]:
        """The policy's decision first, then the others."""
        w = self.work
        w.mask[:] = 0
        for action in actions:
            mark(w.mask, action)
        words = np.array(turn.rng.words, np.int64)
        w.states[engine.KNOWN] = w.known[0]
        first = int(self.rules.choose_in(w.states, turn.seat, w.events[turn.seat], n, w.mask, words))
        return [first, *(action for action in actions if action != first)]

    # -------------------------------------------------------------- worlds
    def _follow(self, seat: int, n: int) -> None:
        """Keep the worlds that fit what was heard since the last decision, the likelier ones more often."""
        w = self.work
        fitting = np.zeros(0, np.int64)
        if self.kept:
            self.rules.follow_all(w, seat, self.followed, n)
            size = w.seen.dtype.itemsize
            same = (w.seen.view(np.uint8).reshape(-1, size) == w.known.view(np.uint8)).all(1)
            fitting = np.flatnonzero(same & (w.beliefs > 0))
        fresh = WORLDS - min(WORLDS, WORLDS * len(fitting) // MIN_FITTING)
        if len(fitting):
            share = np.cumsum(w.beliefs[fitting].astype(float))
            points = (np.arange(WORLDS - fresh) + 0.5) * share[-1] / max(WORLDS - fresh, 1)
            w.worlds[fresh:] = w.worlds[fitting[np.searchsorted(share, points)]].copy()
        self.rules.imagine_all(w, seat, 0, fresh)
        w.worlds[:] = w.worlds[_shuffled(w.key)]
        self.kept, self.followed = WORLDS, n

    # -------------------------------------------------------------- playouts
    def _search(self, turn: Turn, moves: list[int], n: int, started: float) -> int:
        """Halve the decisions again and again (Karnin, Koren, Somekh 2013); the policy's own stays to the end."""
        live = np.ones(len(moves), np.int64)
        sums, squares = np.zeros(len(moves), np.int64), np.zeros(len(moves), np.int64)
        w = self.work._replace(moves=np.array(moves, np.int64), live=live, sums=sums, squares=squares)
        hears = self.parameters.reuse > 0
        budget = turn.budget
        limit = min(budget.playouts or (math.inf if budget.milliseconds else PLAYOUTS), self.parameters.max_playouts)
        until = math.inf if budget.milliseconds is None else started + budget.milliseconds / 1000
        rounds = max(1, math.ceil(math.log2(max(len(moves), 2))))
        made, world = 0, 0
        most = self.kept * self.parameters.reuse if hears else math.inf
        begun = time.perf_counter()
        for number in range(1, rounds + 1):
            by_count = limit * number / rounds
            by_clock = begun + (until - begun) * number / rounds
            first = True
            while first or (made < by_count and time.perf_counter() < by_clock):
                first = False
                playouts, worlds = self._rate(w, turn.seat, world, n)
                made, world = made + playouts, world + worlds
                lead, spread = _leads(sums, squares, world)
                if world >= MIN_WORLDS:
                    live[1:][lead[1:] + DROP_Z * spread[1:] <= 0] = 0
                settled = world >= most or self._settled(live, lead, spread, world)
                if settled or time.perf_counter() >= until:
                    break
            if settled:
                break
            left = np.flatnonzero(live[1:]) + 1
            live[left[np.argsort(-lead[left], kind="stable")][max(1, len(left) // 2) :]] = 0
        self.playouts = made
        sure = (live == 1) & (lead > self.parameters.margin + self.parameters.min_z * spread)
        sure[0] = False
        return moves[int(np.argmax(np.where(sure, lead, -math.inf)))] if sure.any() else moves[0]

    def _rate(self, w: engine.Workspace, seat: int, world: int, n: int) -> tuple[int, int]:
        """Play the live decisions out in the next worlds; the playouts made, and in how many worlds."""
        hears, horizon = self.parameters.reuse > 0, self.parameters.horizon
        kept, heard = (self.kept, n) if hears else (0, -1)  # signals are about this decision alone
        return int(self.rules.rate(w, seat, world, CHUNK, kept, heard, horizon)), CHUNK

    def _settled(self, live: Any, lead: Any, spread: Any, worlds: int) -> bool:
        """Whether more playouts would hardly matter: only the policy's decision is left, or one that is far better."""
        left = np.flatnonzero(live[1:]) + 1
        if not len(left):
            return True
        margin = self.parameters.margin + (self.parameters.min_z + DROP_Z) * spread[left[0]]
        return worlds >= MIN_WORLDS and len(left) == 1 and bool(lead[left[0]] > margin)


def _leads(sums: Any, squares: Any, worlds: int) -> tuple[Any, Any]:
    """By how much each decision is better than the policy's, on average, and the standard error of that."""
    mean = sums / worlds
    return mean, np.sqrt(np.maximum(squares / worlds - mean * mean, 0.0) / max(worlds - 1, 1))


def _shuffled(key: Any) -> Any:
    """An order of the worlds, so that any first part of them is a fair sample."""
    return np.random.Generator(np.random.PCG64([int(key[0]), int(key[1])])).permutation(WORLDS)
