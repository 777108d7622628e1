"""A bot that searches: the policy's decision, unless playouts in imagined worlds are sure of a better one."""

from __future__ import annotations

import math
import threading
import time
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from tacit.bots.driver import EVENTS
from tacit.bots.search import engine
from tacit.bots.turn import Turn
from tacit.core.bits import mark
from tacit.core.chance import RNG_WORDS
from tacit.core.game import Game
from tacit.core.registry import game_named
from tacit.core.rulekit import build

PLAYOUTS = 1000  # of a decision, where the budget says nothing
WORLDS = 128  # kept from one decision to the next
FEW = 12  # worlds that fit: with fewer, fresh ones are imagined besides
CHUNK = 4  # worlds between two looks at the clock
_kits: dict[tuple[str, str], Kit] = {}
_lock = threading.Lock()


class Kit:
    """The compiled rules of one game's search, and the arrays of one thread."""

    def __init__(self, game: Game, tuning: ModuleType) -> None:
        self.game, self.tuning = game, tuning
        self.rules: SimpleNamespace = build(game.module, "cpu", drivers=[tuning.POLICY, tuning, engine])
        self.hears = hasattr(game.module, "overhear")


def kit_for(game: Game, tuning: ModuleType) -> Kit:
    """One for each game (and deck)."""
    with _lock:
        key = (game.name, tuning.__name__)
        if key not in _kits:
            _kits[key] = Kit(game, tuning)
        return _kits[key]


class Desk:
    """The arrays that one searching seat works in."""

    def __init__(self, game: Game, seats: int) -> None:
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


class Searcher:
    """One seat's search through one match. Subclasses name the tuning: a module with POLICY, CAUTION and rules."""

    TUNING: ModuleType
    NAME = "search"

    def __init__(self) -> None:
        self.desk: Desk | None = None
        self.kit: Kit | None = None
        self.kept = 0  # worlds that live on from the last decision
        self.heard = 0  # events that they have lived through
        self.playouts = 0  # made for the last decision

    def decide(self, turn: Turn) -> str:
        """A decision within the budget; the same one for the same generator and number of playouts."""
        game = game_named(turn.game)
        if self.kit is None or self.desk is None:
            self.kit, self.desk = kit_for(game, self.TUNING), Desk(game, turn.seats)
        started = time.perf_counter()
        actions = game.legal(turn.k, turn.seat)
        if len(actions) == 1:
            return turn.legal[0]
        desk = self.desk
        turn.k.store(desk.known[0])
        desk.key[:] = [turn.rng.getrandbits(32), turn.rng.getrandbits(32)]
        desk.rng[:] = turn.rng.words
        n = min(len(turn.events), EVENTS)
        desk.events[:, :n] = turn.events[:n]
        if self.kit.hears:
            self._listen(turn.seat, n)
        moves = self._moves(turn, actions, n)
        best = self._search(turn, moves, n, started)
        return str(game.rules.show(turn.k, turn.seat, best))

    def _moves(self, turn: Turn, actions: list[int], n: int) -> list[int]:
        """The policy's decision first, then the others."""
        assert self.desk is not None and self.kit is not None
        desk = self.desk
        desk.mask[:] = 0
        for action in actions:
            mark(desk.mask, action)
        words = np.array(turn.rng.words, np.int64)
        desk.states[engine.KNOWN] = desk.known[0]
        first = int(self.kit.rules.choose_in(desk.states, turn.seat, desk.events[turn.seat], n, desk.mask, words))
        return [first, *(action for action in actions if action != first)]

    # -------------------------------------------------------------- worlds
    def _listen(self, seat: int, n: int) -> None:
        """Keep the worlds that fit what was heard since the last decision, the likelier ones more often."""
        assert self.desk is not None and self.kit is not None
        desk, rules = self.desk, self.kit.rules
        alive = np.zeros(0, np.int64)
        if self.kept:
            rules.follow_all(
                desk.states, desk.blank, desk.worlds, seat, desk.events[seat], self.heard, n, desk.mask, desk.weights,
                desk.rng, desk.fits, desk.seen,
            )  # fmt: skip
            size = desk.seen.dtype.itemsize
            same = (desk.seen.view(np.uint8).reshape(-1, size) == desk.known.view(np.uint8)).all(1)
            alive = np.flatnonzero(same & (desk.fits > 0))
        fresh = WORLDS - min(WORLDS, WORLDS * len(alive) // FEW)
        if len(alive):
            share = np.cumsum(desk.fits[alive].astype(float))
            points = (np.arange(WORLDS - fresh) + 0.5) * share[-1] / max(WORLDS - fresh, 1)
            desk.worlds[fresh:] = desk.worlds[alive[np.searchsorted(share, points)]].copy()
        rules.imagine_all(desk.worlds, desk.known, seat, 0, fresh, desk.rng)
        desk.worlds[:] = desk.worlds[_shuffled(desk.key)]
        self.kept, self.heard = WORLDS, n

    # -------------------------------------------------------------- playouts
    def _search(self, turn: Turn, moves: list[int], n: int, started: float) -> int:
        """Halve the decisions again and again (Karnin, Koren, Somekh 2013); the policy's own stays to the end."""
        assert self.desk is not None and self.kit is not None
        desk, rate = self.desk, self.kit.rules.rate
        numbers, live = np.array(moves, np.int64), np.ones(len(moves), np.int64)
        sums, squares = np.zeros(len(moves), np.int64), np.zeros(len(moves), np.int64)
        visits = np.zeros(len(moves), np.int64)
        budget = turn.budget
        limit = budget.playouts or (None if budget.milliseconds else PLAYOUTS)
        until = math.inf if budget.milliseconds is None else started + budget.milliseconds / 1000
        rounds = max(1, math.ceil(math.log2(len(moves))))
        made, world = 0, 0
        begun = time.perf_counter()
        for number in range(1, rounds + 1):
            by_count = math.inf if limit is None else limit * number / rounds
            by_clock = begun + (until - begun) * number / rounds
            first = True
            while first or (made < by_count and time.perf_counter() < by_clock):
                first = False
                made += int(rate(
                    desk.states, desk.blank, desk.known, desk.worlds, self.kept if self.kit.hears else 0, turn.seat,
                    world, CHUNK, numbers, live, desk.key, desk.events, desk.heard, n, desk.mask, desk.weights,
                    desk.out, desk.dice, desk.rng, self.TUNING.HORIZON, sums, squares,
                ))  # fmt: skip
                visits[live == 1] += CHUNK
                world += CHUNK
                if time.perf_counter() >= until:
                    break
            left = np.flatnonzero(live[1:]) + 1
            order = left[np.argsort(-(sums[left] / visits[left]), kind="stable")]
            live[order[max(1, len(order) // 2) :]] = 0
        self.playouts = made
        return moves[self._surest(sums, squares, visits, live)]

    def _surest(self, sums: Any, squares: Any, visits: Any, live: Any) -> int:
        """The best decision, if it is better than the policy's by CAUTION standard errors; else the policy's."""
        best, lead = 0, 0.0
        for c in np.flatnonzero(live):
            if c == 0:
                continue
            mean = sums[c] / visits[c]
            spread = math.sqrt(max(squares[c] / visits[c] - mean * mean, 0.0) / max(visits[c] - 1, 1))
            if mean > lead and mean > self.TUNING.CAUTION * spread:
                best, lead = int(c), mean
        return best


def _shuffled(key: Any) -> Any:
    """An order of the worlds, so that any first part of them is a fair sample."""
    return np.random.Generator(np.random.PCG64([int(key[0]), int(key[1])])).permutation(WORLDS)
