"""`Batch`: many matches of one game, side by side, one decision each in one compiled call."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np

from tacit.core.chance import RNG_WORDS
from tacit.core.game import Game, OptionValue
from tacit.core.registry import game_named
from tacit.research.stepping import ASK, BEGIN, FORFEIT, LEAVE, PLAY

Device = Literal["cpu", "cuda"]
# The arrays that a caller may bring: their cells, and their shape for n matches.
SHARED = {"observation": np.int8, "mask": np.bool_, "reward": np.float32, "done": np.bool_, "seat": np.int64}
LARGEST_SEED = (1 << 63) - 1


class Batch:
    """n matches of a game. All arrays are written in place by `reset` and `step`:

    - `seat` (n): who decides next; where several may, the lowest of them;
    - `mask` (n, actions), bool: what it may decide (`words` has the same as sets of 64 bits);
    - `observation` (n, cells), int8: what it observes;
    - `reward` (n, seats), float32: every seat's score where the match was just over, else 0;
    - `done` (n), bool: the match was over, and a new one was begun in its place; `seeds` (n) has its seed.

    Match i is, with the same decisions, `Match(game, seats, options, seed=batch.seeds[i])`: at first seed + i, and n
    more each time it is begun anew. Signals are not part of it.

    An illegal decision is refused with a ValueError, and nothing has changed in any match. With `check=False` nobody
    looks beforehand: it leaves its own match unchanged and is marked in `illegal`. With a `penalty` it ends its match,
    which counts as over: the seat that decided gets the penalty.

    `out` names arrays of the caller's to be used in place of new ones. `mask=False` or `observation=False` leaves that
    array out; `legal` and `observe` give it when asked. `threads` (on the CPU) are as many as there are cores.
    """

    def __init__(
        self,
        game: str | Game,
        n: int,
        seats: int,
        options: Mapping[str, OptionValue] | None = None,
        device: Device = "cpu",
        *,
        seed: int = 0,
        threads: int | None = None,
        mask: bool = True,
        observation: bool = True,
        check: bool = True,
        penalty: float | None = None,
        out: Mapping[str, Any] | None = None,
        kernels: Path | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else game_named(game)
        self.options = self.game.check(seats, options)
        if type(n) is not int or n < 1:
            raise ValueError(f"A batch has at least one match, not {n!r}.")
        if threads is not None and (type(threads) is not int or threads < 1):
            raise ValueError(f"A batch runs in at least one thread, not {threads!r}.")
        self.n, self.seats, self.check, self.penalty = n, seats, check, penalty
        self.place: Any = _place(self.game, n, device, threads, kernels)
        blank = np.zeros(2, self.game.dtype)  # a match that has not begun, and a record in which nothing is known
        self.game.blank(seats, self.options).store(blank[0])
        self._blank = self.place.put(blank)
        self._states = self.place.states(blank, n)
        self._worlds: Any = None
        zeros = self.place.zeros
        self._rngs = zeros((n, RNG_WORDS), np.int64)
        self._dice = zeros((n, RNG_WORDS), np.int64)
        self._weights = zeros((self.place.rows, self.game.outcomes), np.int64)
        self._scores = zeros((self.place.rows, self.game.max_seats), np.int64)
        self.seeds = zeros((n,), np.int64)
        self.words = zeros((n, self.game.words), np.int64)
        self._illegal = zeros((n,), np.int8)
        self._actions = zeros((n,), np.int64)
        given = dict(out or {})
        shapes = {
            "observation": (n if observation else 0, self.game.observation),
            "mask": (n if mask else 0, self.game.actions),
            "reward": (n, seats),
            "done": (n,),
            "seat": (n,),
        }
        if unknown := given.keys() - SHARED.keys():
            raise ValueError(f"A batch has no array {sorted(unknown)[0]!r}: it has {', '.join(SHARED)}.")
        self._arrays = {
            name: self._array(name, shapes[name], np.dtype(kind), given.get(name)) for name, kind in SHARED.items()
        }
        self.observation, self._mask, self.reward, self._done, self.seat = self._arrays.values()
        self.mask, self.done, self.illegal = (a.view(np.bool_) for a in (self._mask, self._done, self._illegal))
        self.reset(seed)

    def __repr__(self) -> str:
        return f"Batch({self.game.name!r}, n={self.n}, seats={self.seats}, device={self.place.device!r})"

    # -------------------------------------------------------------- play
    def reset(self, seed: int = 0) -> None:
        """Begin every match anew: match i with seed + i."""
        self._check_seed(seed)
        self.seeds[:] = self.place.xp.arange(seed, seed + self.n)
        self.place.run("seed_streams", (seed ^ 0x5DEECE66D) & 0xFFFFFFFF | 1 << 62, self._dice)
        self._run(BEGIN)

    def step(self, actions: Any) -> None:
        """Play actions[i], a decision of seat[i], in match i; then chance acts, and who is next is asked."""
        if actions is not self._actions:
            self._actions[:] = self._decisions(actions)
        if self.check and self.penalty is None:
            wrong = self.place.first_illegal(self._actions, self.words)
            if wrong >= 0:
                self._refuse(wrong)
        self._run(PLAY)

    def random(self) -> Any:
        """A random legal decision for each match (in an array that the next call writes again); seeded by `reset`."""
        self.place.run("sample_actions", self.words, self._dice, self._actions)
        return self._actions

    # -------------------------------------------------------------- looking
    def legal(self, out: Any = None) -> Any:
        """The mask (n, actions) of the seats that decide, as a new array or in `out`."""
        mask = self._array("mask", (self.n, self.game.actions), np.dtype(np.bool_), out)
        empty = self.place.zeros((0, self.game.observation), np.int8)
        self._run(ASK, mask=mask, observation=empty, quiet=True)
        return mask.view(np.bool_)

    def observe(self, seats: Any = None, out: Any = None) -> Any:
        """What these seats observe (one number for all matches or one each; None: who decides), as a new array or in
        `out`. Any seat may be looked at, due or not."""
        watchers = self._watchers(seats)
        if self._worlds is None:
            self._worlds = self.place.states(np.zeros(1, self.game.dtype), self.n)
        tensor = self._array("observation", (self.n, self.game.observation), np.dtype(np.int8), out)
        self.place.run("look", watchers, self._states, self._worlds, self._blank, tensor)
        return tensor

    def state(self, i: int) -> Any:
        """Match i's whole state, secrets and all, as a plain record: for the host, not for a policy."""
        return self.game.State().load(self.place.fetch(self._states[i : i + 1]).view(self.game.dtype).reshape(-1)[0])

    # -------------------------------------------------------------- other worlds
    def copy(self) -> Batch:
        """Another batch at the same point: it goes on in the same way."""
        new = self._twin()
        for name in ("_states", "_rngs", "_dice", "seeds", "words", "_illegal", "_actions"):
            getattr(new, name)[...] = getattr(self, name)
        for name, array in self._arrays.items():
            new._arrays[name][...] = array
        return new

    def imagine(self, seats: Any = None, *, seed: int = 0) -> Batch:
        """Another batch, in which match i is one that these seats (None: who decides) could be in, for all they know.

        What they know stays, the rest is drawn anew by `imagine` from stream seed + i; chance goes on with that stream.
        """
        self._check_seed(seed)
        watchers = self._watchers(seats)
        new = self._twin()
        new.seeds[...], new._dice[...] = self.seeds, self._dice
        self.place.run("determinize", seed, watchers, self._states, new._states, self._blank, new._rngs)
        new._run(ASK)
        return new

    # -------------------------------------------------------------- inside
    def _run(self, mode: int, mask: Any = None, observation: Any = None, quiet: bool = False) -> None:
        reward, done, illegal = self.reward, self._done, self._illegal
        if quiet:  # only looking: what the last step brought stays as it is
            reward, done, illegal = reward.copy(), done.copy(), illegal.copy()
        self.place.run(
            "play", mode, LEAVE if self.penalty is None else FORFEIT, float(self.penalty or 0), self.n, self._actions,
            self._weights, self._scores, self._states, self._blank, self.seeds, self._rngs, self.seat, self.words,
            reward, done, illegal, self._mask if mask is None else mask,
            self.observation if observation is None else observation,
        )  # fmt: skip

    def _twin(self) -> Batch:
        """A batch of the same make, its arrays still to be filled."""
        new = object.__new__(Batch)
        new.__dict__ |= self.__dict__
        names = ("_rngs", "_dice", "seeds", "words", "_illegal", "_actions", "_weights", "_scores")
        for name in names:
            setattr(new, name, self.place.xp.zeros_like(getattr(self, name)))
        new._states = self.place.states(np.zeros(1, self.game.dtype), self.n)
        new._worlds = None
        new._arrays = {name: self.place.zeros(array.shape, array.dtype) for name, array in self._arrays.items()}
        new.observation, new._mask, new.reward, new._done, new.seat = new._arrays.values()
        new.mask, new.done, new.illegal = (a.view(np.bool_) for a in (new._mask, new._done, new._illegal))
        return new

    def _array(self, name: str, shape: tuple[int, ...], dtype: np.dtype[Any], given: Any) -> Any:
        cells = np.dtype(np.int8) if dtype == np.bool_ else dtype
        if given is None:
            return self.place.zeros(shape, cells)
        fits = getattr(given, "shape", None) == shape and getattr(given, "dtype", None) == dtype
        if not fits or not isinstance(given, self.place.xp.ndarray) or not given.flags.c_contiguous:
            raise ValueError(f"The array for {name} must be a contiguous one of {dtype} with the shape {shape}.")
        if self.place.xp is np and not given.flags.writeable:
            raise ValueError(f"The array for {name} must be one that can be written.")
        return given.view(cells)

    def _check_seed(self, seed: int) -> None:
        if type(seed) is not int or not 0 <= seed <= LARGEST_SEED - self.n:
            raise ValueError(f"A seed is a whole number from 0 to 2**63 - 1 - {self.n}, not {seed!r}.")

    def _decisions(self, actions: Any) -> Any:
        found = actions if isinstance(actions, self.place.xp.ndarray) else self.place.xp.asarray(actions)
        if found.shape != (self.n,) or found.dtype.kind not in "iu":
            raise ValueError(f"A step wants {self.n} whole numbers, not {found.dtype} with the shape {found.shape}.")
        return found

    def _watchers(self, seats: Any) -> Any:
        if seats is None:
            return self.seat
        found = self.place.xp.zeros(self.n, np.int64)
        found[:] = self.place.xp.asarray(seats)
        if bool(((found < 0) | (found >= self.seats)).any()):
            raise ValueError(f"There are seats 0 to {self.seats - 1}.")
        return found

    def _refuse(self, i: int) -> None:
        seat, action = int(self.seat[i]), int(self._actions[i])
        k = self.game.know(self.state(i), seat)
        legal = self.game.legal(k, seat)
        raise ValueError(
            f"Match {i}: seat {seat} may not decide {action}; its legal decisions are "
            f"{', '.join(map(str, legal))}. Nothing has changed in any match."
        )


def _place(game: Game, n: int, device: str, threads: int | None, kernels: Path | None) -> Any:
    if device == "cpu":
        from tacit.research.cpu import Cpu

        return Cpu(game, n, threads)
    if device == "cuda":
        from tacit.research.cuda import place

        return place(game, n, kernels)
    raise ValueError(f"There is no device {device!r}: choose cpu or cuda.")
