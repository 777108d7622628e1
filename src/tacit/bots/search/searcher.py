"""A bot that searches: the policy's decision, unless playouts in imagined worlds are sure of a better one."""

from __future__ import annotations

import math
import threading
import time
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from tacit.bots.bot_play import EVENTS
from tacit.bots.compiled import CompiledBot
from tacit.bots.registry import bot_named
from tacit.bots.search import engine
from tacit.bots.turn import Turn
from tacit.core.bits import mark
from tacit.core.chance import RNG_WORDS
from tacit.core.game import Game
from tacit.core.registry import game_named
from tacit.core.rulekit import build

PLAYOUTS = 1000  # of a decision, where the budget says nothing
WORLDS = 256  # kept from one decision to the next
FEW = 12  # worlds that fit: with fewer, fresh ones are imagined besides
CHUNK = 4  # worlds between two looks at the clock
ENOUGH = 32  # worlds before a decision is dropped, or taken, for good
NO_DOUBT = 3.0  # standard errors by which it must be worse than the policy's, or better than needed
_built: dict[tuple[str, str | None], SimpleNamespace] = {}  # by tuning and deck
_lock = threading.Lock()


def rules_for(game: Game, tuning: ModuleType) -> SimpleNamespace:
    """The compiled rules of one game's search; compiled when first called, cached on disk."""
    with _lock:
        key = (tuning.__name__, game.deck)
        if key not in _built:
            _built[key] = build(game.module, "cpu", drivers=drivers(game, tuning))
        return _built[key]


def drivers(game: Game, tuning: ModuleType) -> list[ModuleType]:
    """The modules beside the game's that a search is built of."""
    return [game.of_deck(tuning.POLICY), game.of_deck(tuning), engine]


def game_of(turn: Turn) -> Game:
    """The game that is played, with its deck."""
    game = game_named(turn.game)
    return game if turn.deck is None else game.with_deck(turn.deck)


class Searcher:
    """A bot for one seat of one match. Subclasses name the tuning: a module with POLICY, MIN_Z, HORIZON, MAX_PLAYOUTS,
    REUSE (where a game has `overhear`), `thinks` and rules."""

    TUNING: ClassVar[ModuleType]
    NAME = "search"
    warm: ClassVar[frozenset[str | None]] = frozenset()  # the decks for which its rules are compiled in this process

    def __init__(self) -> None:
        self.game: Game | None = None
        self.search: Search | None = None

    @classmethod
    def warm_up(cls, turn: Turn) -> None:
        """Compile the search, by thoughts that do not count."""
        trial = Search(game_of(turn), cls.TUNING, turn.seats)
        trial.rehearse(turn)
        cls.warm |= {turn.deck}

    def decide(self, turn: Turn) -> str:
        """A decision within the budget, the same one for the same generator and number of playouts; or first a signal,
        where the policy would give one.

        With a budget of time it does not wait for a compiler: until it is warm, the policy decides, interpreted.
        """
        if self.game is None:
            self.game = game_of(turn)
        policy = bot_named(self.game, self.TUNING.POLICY.NAME)
        if turn.signals and isinstance(policy, CompiledBot) and (signal := policy.signal(turn)) is not None:
            return f"! {signal}"
        if turn.deck not in self.warm and turn.budget.milliseconds is not None:
            return policy.decide(turn)
        if self.search is None:
            self.search = Search(self.game, self.TUNING, turn.seats)
        return self.search.decide(turn)


class Search:
    """A seat's search through one match: the arrays it works in, and the worlds that live from decision to decision."""

    def __init__(self, game: Game, tuning: ModuleType, seats: int) -> None:
        self.game, self.tuning = game, tuning
        self.rules = rules_for(game, tuning)
        self.hears = game.rules.overhear is not None
        self.kept = 0  # worlds that live on from the last decision
        self.lived = 0  # events that they have lived through
        self.playouts = 0  # made for the last decision
        self.states = np.zeros(3, game.dtype)
        self.blank = np.zeros(1, game.dtype)
        self.known = np.zeros(1, game.dtype)
        self.worlds = np.zeros(WORLDS, game.dtype)
        self.seen = np.zeros(WORLDS, game.dtype)
        self.fits = np.zeros(WORLDS, np.int64)
        self.events = np.zeros((seats, EVENTS), np.int64)
        self.heard = np.zeros(seats, np.int64)
        self.mask = np.zeros(game.words, np.int64)
        self.weights = np.zeros(game.outcomes, np.int64)
        self.out = np.zeros(seats, np.int64)
        self.dice = np.zeros(RNG_WORDS, np.int64)
        self.rng = np.zeros(RNG_WORDS, np.int64)
        self.key = np.zeros(2, np.int64)

    def decide(self, turn: Turn) -> str:
        """The best decision found within the budget."""
        actions = self.game.legal(turn.k, turn.seat)
        if len(actions) == 1:
            return turn.legal[0]
        return str(self.game.rules.show(turn.k, turn.seat, self._best(turn, actions)))

    def rehearse(self, turn: Turn) -> None:
        """Everything once, whatever there is to decide."""
        for _ in range(2):  # worlds are kept from the first time to the second
            self._best(turn, self.game.legal(turn.k, turn.seat) * 2)

    def _best(self, turn: Turn, actions: list[int]) -> int:
        started = time.perf_counter()
        turn.k.store(self.known[0])
        self.key[:] = [turn.rng.getrandbits(32), turn.rng.getrandbits(32)]
        self.rng[:] = turn.rng.words
        n = min(len(turn.events), EVENTS)
        self.events[:, :n] = turn.events[:n]
        if self.hears:
            self._listen(turn.seat, n)
        moves = self._moves(turn, actions, n)
        self.playouts = 0
        return self._search(turn, moves, n, started) if self.tuning.thinks(turn.k) else moves[0]

    def _moves(self, turn: Turn, actions: list[int], n: int) -> list[int]:
        """The policy's decision first, then the others."""
        self.mask[:] = 0
        for action in actions:
            mark(self.mask, action)
        words = np.array(turn.rng.words, np.int64)
        self.states[engine.KNOWN] = self.known[0]
        first = int(self.rules.choose_in(self.states, turn.seat, self.events[turn.seat], n, self.mask, words))
        return [first, *(action for action in actions if action != first)]

    # -------------------------------------------------------------- worlds
    def _listen(self, seat: int, n: int) -> None:
        """Keep the worlds that fit what was heard since the last decision, the likelier ones more often."""
        rules = self.rules
        alive = np.zeros(0, np.int64)
        if self.kept:
            rules.follow_all(
                self.states, self.blank, self.worlds, seat, self.events[seat], self.lived, n, self.mask, self.weights,
                self.rng, self.fits, self.seen,
            )  # fmt: skip
            size = self.seen.dtype.itemsize
            same = (self.seen.view(np.uint8).reshape(-1, size) == self.known.view(np.uint8)).all(1)
            alive = np.flatnonzero(same & (self.fits > 0))
        fresh = WORLDS - min(WORLDS, WORLDS * len(alive) // FEW)
        if len(alive):
            share = np.cumsum(self.fits[alive].astype(float))
            points = (np.arange(WORLDS - fresh) + 0.5) * share[-1] / max(WORLDS - fresh, 1)
            self.worlds[fresh:] = self.worlds[alive[np.searchsorted(share, points)]].copy()
        rules.imagine_all(self.worlds, self.known, seat, 0, fresh, self.rng)
        self.worlds[:] = self.worlds[_shuffled(self.key)]
        self.kept, self.lived = WORLDS, n

    # -------------------------------------------------------------- playouts
    def _search(self, turn: Turn, moves: list[int], n: int, started: float) -> int:
        """Halve the decisions again and again (Karnin, Koren, Somekh 2013); the policy's own stays to the end."""
        rate, heard = self.rules.rate, n if self.hears else 0  # signals are about this decision alone
        numbers, live = np.array(moves, np.int64), np.ones(len(moves), np.int64)
        sums, squares = np.zeros(len(moves), np.int64), np.zeros(len(moves), np.int64)
        budget = turn.budget
        limit = min(budget.playouts or (math.inf if budget.milliseconds else PLAYOUTS), self.tuning.MAX_PLAYOUTS)
        until = math.inf if budget.milliseconds is None else started + budget.milliseconds / 1000
        rounds = max(1, math.ceil(math.log2(max(len(moves), 2))))
        made, world = 0, 0
        most = self.kept * self.tuning.REUSE if self.hears else math.inf
        begun = time.perf_counter()
        for number in range(1, rounds + 1):
            by_count = limit * number / rounds
            by_clock = begun + (until - begun) * number / rounds
            first = True
            while first or (made < by_count and time.perf_counter() < by_clock):
                first = False
                made += int(rate(
                    self.states, self.blank, self.known, self.worlds, self.kept if self.hears else 0, turn.seat,
                    world, CHUNK, numbers, live, self.key, self.events, self.heard, heard, self.mask, self.weights,
                    self.out, self.dice, self.rng, self.tuning.HORIZON, sums, squares,
                ))  # fmt: skip
                world += CHUNK
                lead, spread = _leads(sums, squares, world)
                if world >= ENOUGH:
                    live[1:][lead[1:] + NO_DOUBT * spread[1:] <= 0] = 0
                settled = world >= most or self._settled(live, lead, spread, world)
                if settled or time.perf_counter() >= until:
                    break
            if settled:
                break
            left = np.flatnonzero(live[1:]) + 1
            live[left[np.argsort(-lead[left], kind="stable")][max(1, len(left) // 2) :]] = 0
        self.playouts = made
        sure = (live == 1) & (lead > self.tuning.MIN_Z * spread)
        sure[0] = False
        return moves[int(np.argmax(np.where(sure, lead, -math.inf)))] if sure.any() else moves[0]

    def _settled(self, live: Any, lead: Any, spread: Any, worlds: int) -> bool:
        """Whether more playouts would hardly matter: only the policy's decision is left, or one that is far better."""
        left = np.flatnonzero(live[1:]) + 1
        if not len(left):
            return True
        margin = (self.tuning.MIN_Z + NO_DOUBT) * spread[left[0]]
        return worlds >= ENOUGH and len(left) == 1 and bool(lead[left[0]] > margin)


def _leads(sums: Any, squares: Any, worlds: int) -> tuple[Any, Any]:
    """By how much each decision is better than the policy's, on average, and the standard error of that."""
    mean = sums / worlds
    return mean, np.sqrt(np.maximum(squares / worlds - mean * mean, 0.0) / max(worlds - 1, 1))


def _shuffled(key: Any) -> Any:
    """An order of the worlds, so that any first part of them is a fair sample."""
    return np.random.Generator(np.random.PCG64([int(key[0]), int(key[1])])).permutation(WORLDS)
