"""`Batch`: many matches of one game, side by side, one decision each in one compiled call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.bits import marks
from tacit.core.chance import RNG_WORDS
from tacit.core.game import Game, OptionValue, whole
from tacit.core.registry import game_named
from tacit.research import signal_play, snapshot
from tacit.research.central import Central
from tacit.research.device import Device, DeviceName
from tacit.research.histories import need_history
from tacit.research.seeds import DICE, LARGEST_SEED, first_seed
from tacit.research.signals import actions_of, cells_of, need_signals
from tacit.research.stepping import ASK, BEGIN, PLAY, Workspace

# The arrays that a caller may bring.
SHARED = {
    "observation": np.int8,
    "mask": np.bool_,
    "reward": np.float32,
    "done": np.bool_,
    "seat": np.int64,
    "history": np.int32,
}
# What a copy shares with its original: scratch memory and constants. All other arrays are its own.
SCRATCH = ("weights", "scores", "offered", "spare")
COMMON = ("blank", "worlds", "watchers", "known", *SCRATCH)


class Batch:
    """n matches of a game. `reset` and `step` write all arrays in place; copy what you keep.

    Match i is, with the same decisions, `Match(game, seats, options, seed=batch.seeds[i])`. Batches of different seeds
    play different matches (`tacit.research.seeds`). On a GPU the arrays are CuPy's, of the same shapes and types.

    With `history=H` a decision that a seat heard is the code
    `1 + relative_seat * (actions + 1) + (action + 1, or 0 where the action is hidden)`, `relative_seat` counted
    clockwise from the seat that decides now. What a seat hears is what `Match.see` lets it hear: of decisions hidden
    from it there is no action, and of sealed ones nothing. Chance is left out.

    Args:
        game: The game's name, or a `Game`.
        n: How many matches, 1 or more.
        seats: How many seats each match has.
        options: The game's options by name; what is left out has its default.
        device: `"cpu"`, or `"cuda"` for a GPU.
        seed: From 0 to 2**62 - 1: what the seeds of all matches are derived from.
        threads: On the CPU; by default one for each core. The number changes no result.
        mask: Keep `mask` up to date. With False it is empty; `legal` gives it when asked.
        observation: Keep `observation` up to date. With False it is empty; `observe` gives it when asked.
        history: Keep the last so many decisions that each seat heard.
        skip_forced: Decisions with a single legal answer are made inside (and heard).
        shuffle_due: Where several seats may decide at once, ask a random one instead of the lowest.
        check: Refuse illegal decisions before anything changes. With False an illegal decision leaves its own match
            unchanged and is marked in `illegal`.
        penalty: An illegal decision ends its match, and the seat that decided gets this reward.
        partners: Bots that have all seats but one in every match: the names of compiled bots, or files of networks. The
            seats of each match are drawn from them anew; `step` asks for the learner's decisions alone. On a GPU only
            bots of rules can be partners.
        learner: The learner's seat, with partners; None: drawn anew for each match.
        signals: Whether signals are decisions too (`tacit.research.signals`); on the CPU, without partners.
        out: Arrays of the caller's, by name, to be used in place of new ones.
        kernels: A folder of kernels that `tacit.research.cuda.write_kernels` compiled, for a GPU without a compiler;
            with partners `tacit.research.partner_kernels.write_partner_kernels`, too.

    Raises:
        UnknownGame: No game has this name.
        BadOptions: The seats or an option are not possible.
        ValueError: Another argument is not possible.

    Examples:
        >>> batch = Batch("silencio", n=4, seats=3, seed=7)
        >>> batch.seat
        array([0, 0, 0, 0])
        >>> for _ in range(200):
        ...     batch.step(batch.random())
        >>> batch.observation.shape == (4, batch.game.observation), batch.mask.shape == (4, batch.game.actions)
        (True, True)
    """

    game: Game
    """The game."""
    n: int
    """How many matches."""
    seats: int
    """How many seats each match has."""
    options: dict[str, OptionValue]
    """Every option with its value, defaults filled in."""
    signals: bool
    """Whether signals are decisions too."""
    actions: int
    """Decisions are numbers below this, signals included where they are decisions."""
    cells: int
    """The length of an observation."""
    seat: NDArray[np.int64]
    """(n): who decides next; where several may, the lowest of them (with `shuffle_due` a random one)."""
    mask: NDArray[np.bool_]
    """(n, actions): what that seat may decide."""
    words: NDArray[np.int64]
    """(n, words): the same as sets of 64 bits."""
    observation: NDArray[np.int8]
    """(n, cells): what that seat observes; `Game.fields` names the cells."""
    history: NDArray[np.int32]
    """(n, H): the last H decisions of seats that it heard of, newest first; 0 where there was none."""
    history_vocabulary: int
    """Codes in `history` are below this."""
    reward: NDArray[np.float32]
    """(n, seats): every seat's score where the match just ended, else 0."""
    done: NDArray[np.bool_]
    """(n): the match ended, and a new one began in its place."""
    seeds: NDArray[np.int64]
    """(n): the seed of the match."""
    illegal: NDArray[np.bool_]
    """(n): the last decision was illegal (with `check=False` or a `penalty`)."""
    partners: tuple[str, ...]
    """The bots that have the other seats; () without partners."""
    learner: int | None
    """The learner's seat; None: drawn anew for each match."""
    partner: NDArray[np.int64]
    """(n, seats): which of the `partners` has each seat, -1 for the learner's; empty without partners. For the host: a
    learner that should get along with strangers does not read it."""
    _work: Workspace

    def __init__(
        self,
        game: str | Game,
        n: int,
        seats: int,
        options: Mapping[str, OptionValue] | None = None,
        device: DeviceName = "cpu",
        *,
        seed: int = 0,
        threads: int | None = None,
        mask: bool = True,
        observation: bool = True,
        history: int = 0,
        skip_forced: bool = False,
        shuffle_due: bool = False,
        check: bool = True,
        penalty: float | None = None,
        partners: Sequence[str] = (),
        learner: int | None = 0,
        signals: bool = False,
        out: Mapping[str, Any] | None = None,
        kernels: Path | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else game_named(game)
        n, seats, threads, history = whole(n), whole(seats), whole(threads), need_history(history)
        self.options = self.game.check(seats, options)
        if type(n) is not int or n < 1:
            raise ValueError(f"A batch has at least one match, not {n!r}.")
        if threads is not None and (type(threads) is not int or threads < 1):
            raise ValueError(f"A batch runs in at least one thread, not {threads!r}.")
        self.n, self.seats, self.check, self.penalty, self.learner = n, seats, check, penalty, learner
        self.signals = need_signals(self.game, signals)
        if signals and (device != "cpu" or len(partners)):
            raise ValueError("Signals are decisions on the CPU only, and without partners.")
        self.actions, self.cells = actions_of(self.game, signals), cells_of(self.game, signals)
        self.history_vocabulary = 1 + self.game.max_seats * (self.actions + 1)
        self.device: Device = _device(self.game, n, device, threads, kernels, [signal_play] if signals else [])
        shapes = {
            "observation": (n if observation else 0, self.cells),
            "mask": (n if mask else 0, self.actions),
            "reward": (n, seats),
            "done": (n,),
            "seat": (n,),
            "history": (n, history),
        }
        given = dict(out or {})
        if unknown := given.keys() - SHARED.keys():
            raise ValueError(f"A batch has no array {sorted(unknown)[0]!r}: it has {', '.join(SHARED)}.")
        shared = {
            name: self._array(name, shapes[name], np.dtype(kind), given.get(name)) for name, kind in SHARED.items()
        }
        blank = np.zeros(2, self.game.dtype)
        self.game.blank(seats, self.options).store(blank[0])
        zeros, rows = self.device.zeros, self.device.rows
        work = Workspace(
            states=self.device.states(n),
            worlds=self.device.states(0),
            blank=self.device.put(blank),
            rngs=zeros((n, RNG_WORDS), np.int64),
            dice=zeros((n, RNG_WORDS), np.int64),
            seeds=zeros((n,), np.int64),
            actions=zeros((n,), np.int64),
            watchers=shared["seat"],
            words=zeros((n, (self.actions + 63) // 64), np.int64),
            illegal=zeros((n,), np.int8),
            log=zeros((n, seats * history), np.int32),
            heard=zeros((n, seats if history else 0), np.int64),
            weights=zeros((rows, self.game.outcomes), np.int64),
            scores=zeros((rows, self.game.max_seats), np.int64),
            codes=self.actions + 1,
            stride=n,
            forfeit=int(penalty is not None),
            penalty=float(penalty or 0),
            skip_forced=int(skip_forced),
            shuffle_due=int(shuffle_due),
            **shared,
        )
        if isinstance(partners, str):
            raise ValueError("Partners are a list of the names of bots, not one name.")
        self.partners = tuple(partners)
        self._play: Callable[[int, Any], None] = partial(self.device.run, "play")
        if len(partners):
            work = self._with_partners(work, kernels)
        if signals:
            work = signal_play.workspace(work, self.game, self.device)
        self._use(work)
        self.reset(seed)

    def __repr__(self) -> str:
        return f"Batch({self.game.name!r}, n={self.n}, seats={self.seats}, device={self.device.name!r})"

    def _repr_html_(self) -> str:
        """For notebooks: what is played, and who decides next in how many matches."""
        from tacit.core.notebook import of_facts

        seats = np.bincount(self.device.fetch(self.seat), minlength=self.seats)
        facts = {
            "matches": f"{self.n:,}",
            "seats": self.seats,
            "options": ", ".join(f"{name}={value}" for name, value in self.options.items()) or "–",
            "device": self.device.name,
            "observation": f"{tuple(self.observation.shape)} {self.observation.dtype}",
            "mask": f"{tuple(self.mask.shape)} {self.mask.dtype}",
            "decides next": ", ".join(f"seat {seat}: {n:,}" for seat, n in enumerate(seats)),
            "just over": f"{int(self.done.sum()):,}",
        }
        return of_facts(self.game.title, facts)

    # -------------------------------------------------------------- play
    def reset(self, seed: int = 0) -> None:
        """Begin every match anew, with the seeds that follow from `seed` (`tacit.research.seeds`)."""
        first = first_seed(self._number(seed))
        self._begin(first, DICE + first)

    def _begin(self, first: int, dice: int) -> None:
        """Begin match i anew with seed first + i, and its dice with stream dice + i."""
        self.seeds[:] = self.device.xp.arange(first, first + self.n)
        self.device.run("seed_streams", dice, self._work)
        self._play(BEGIN, self._work)

    def step(self, actions: Any) -> None:
        """Play actions[i], a decision of seat[i], in match i; then chance acts, and the next seat is asked."""
        if actions is not self._work.actions:
            self._work.actions[:] = self._decisions(actions)
        if self.check and self.penalty is None:
            wrong = self.device.first_illegal(self._work)
            if wrong >= 0:
                self._refuse(wrong)
        self._play(PLAY, self._work)

    def random(self) -> NDArray[np.int64]:
        """A random legal decision for each match (in an array that the next call writes again); seeded by `reset`."""
        self.device.run("sample_actions", 0, self._work)
        return self._work.actions  # type: ignore[no-any-return]

    # -------------------------------------------------------------- looking
    def legal(self, out: Any = None) -> NDArray[np.bool_]:
        """The mask (n, actions) of the seats that decide, as a new array or in `out`."""
        w = self._work
        mask = self._array("mask", (self.n, self.actions), np.dtype(np.bool_), out)
        kept = {name: getattr(w, name).copy() for name in ("reward", "done", "illegal")}  # of the last step
        empty = self.device.zeros((0, self.cells), np.int8)
        self.device.run("play", ASK, w._replace(mask=mask, observation=empty, **kept))
        return mask.view(np.bool_)  # type: ignore[no-any-return]

    def observe(self, seats: Any = None, out: Any = None) -> NDArray[np.int8]:
        """What these seats observe (one number for all matches or one each; None: who decides), as a new array or in
        `out`. Any seat may be observed, due or not."""
        tensor = self._array("observation", (self.n, self.cells), np.dtype(np.int8), out)
        if not len(self._work.worlds):
            self._work = self._work._replace(worlds=self.device.states(self.n))
        self.device.run("observe", 0, self._work._replace(watchers=self._watchers(seats), observation=tensor))
        return tensor  # type: ignore[no-any-return]

    def state(self, i: int) -> Any:
        """Match i's whole state, secrets and all, as a plain record: for the host, not for a policy."""
        states = self.device.fetch(self._work.states[i : i + 1])
        return self.game.State().load(states.view(self.game.dtype).reshape(-1)[0])

    @property
    def central(self) -> Central:
        """What all seats know together, as an object of its own: for a critic, not for a policy."""
        return Central(self)

    def secret(self, name: str) -> Any:
        """A field of every match's whole state, secrets and all, as a new array: for a critic, not for a policy."""
        if name not in (self.game.dtype.names or ()):
            raise ValueError(f"The state of {self.game.title} has no field {name!r}.")
        return self.device.field(self._work.states, name)

    # -------------------------------------------------------------- other batches
    def save(self, file: Path | str) -> None:
        """Write the batch to a file; `Batch.load` gives one that goes on bit by bit alike."""
        snapshot.save(self, file)

    @classmethod
    def load(
        cls, file: Path | str, *, device: DeviceName = "cpu", threads: int | None = None, kernels: Path | None = None
    ) -> Batch:  # fmt: skip
        """The batch that `save` wrote, on a device of your choice. Raises ValueError if it cannot go on here.

        Examples:
            >>> import tempfile
            >>> batch = Batch("silencio", n=4, seats=3, seed=7)
            >>> with tempfile.NamedTemporaryFile() as file:
            ...     batch.save(file.name)
            ...     again = Batch.load(file.name)
            >>> batch.step(batch.random()); again.step(again.random())
            >>> bool((again.observation == batch.observation).all())
            True
        """
        return snapshot.load(file, device=device, threads=threads, kernels=kernels)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.game, *snapshot.taken(self), self.device.name, self.device.threads)

    def __deepcopy__(self, memo: dict[int, Any]) -> Batch:
        return self.copy()

    def copy(self) -> Batch:
        """Another batch at the same point: it goes on in the same way."""
        new = self._twin()
        for name, array in self._own():
            getattr(new._work, name)[...] = array
        return new

    def imagine(self, seats: Any = None, *, seed: int = 0) -> Batch:
        """Another batch, in which match i is one that these seats (None: who decides) could be in, for all they know.

        What they know stays; `imagine` draws the rest from a stream of match i's that follows from `seed`, and chance
        goes on with that stream. Every seat is taken to have heard what the imagining seat heard.
        """
        return self._imagine(seats, DICE + first_seed(-1 - self._number(seed)))

    def _imagine(self, seats: Any, first: int) -> Batch:
        """The batch in which match i is imagined from stream first + i."""
        if self.partners:
            raise ValueError("A batch with partners imagines nothing: what they heard is not known.")
        new = self._twin()
        for name in ("seeds", "dice", "log", "heard", "seat", *(("given", "about") if self.signals else ())):
            getattr(new._work, name)[...] = getattr(self._work, name)
        worlds = new._work._replace(
            states=self._work.states, worlds=new._work.states, watchers=self._watchers(seats)
        )  # fmt: skip
        self.device.run("determinize", first, worlds)
        self.device.run("play", ASK, new._work)
        return new

    # -------------------------------------------------------------- inside
    def _with_partners(self, w: Workspace, kernels: Path | None) -> Any:
        """The workspace with what partners need; from now on they play too."""
        from tacit.research import partners

        if self.device.name == "cpu":
            self._play = partners.PartnerPlay(self.game, self.partners, self.device).play
        else:
            from tacit.research.partner_kernels import CudaPartnerPlay

            self._play = CudaPartnerPlay(self.game, self.partners, self.device, kernels).play  # type: ignore[arg-type]
        seat = partners.learner_seat(self.learner, self.seats)
        return partners.workspace(w, self.game, self.device, self.partners, seat)

    def _use(self, w: Workspace) -> None:
        """Work in these arrays."""
        self._work = w
        self.observation, self.reward, self.seat, self.history = w.observation, w.reward, w.seat, w.history
        self.seeds, self.words = w.seeds, w.words
        self.partner = getattr(w, "partner", self.device.zeros((0, self.seats), np.int64))
        self.mask, self.done, self.illegal = (array.view(np.bool_) for array in (w.mask, w.done, w.illegal))

    def _own(self) -> list[tuple[str, Any]]:
        """The arrays that a copy does not share, with their names."""
        return [
            (name, array) for name, array in self._work._asdict().items() if name not in COMMON and _is_array(array)
        ]

    def _twin(self) -> Batch:
        """A batch like this one, its arrays still to be filled."""
        new = object.__new__(Batch)
        new.__dict__ |= self.__dict__
        own = {name: self.device.zeros(array.shape, array.dtype) for name, array in self._own() if name != "states"}
        rows = {
            name: self.device.xp.zeros_like(getattr(self._work, name)) for name in SCRATCH if hasattr(self._work, name)
        }
        if self.partners:
            rows["known"] = self.device.states(self.device.rows)
        new._use(
            self._work._replace(
                states=self.device.states(self.n), worlds=self.device.states(0), watchers=own["seat"], **own, **rows
            )
        )
        return new

    def _array(self, name: str, shape: tuple[int, ...], dtype: np.dtype[Any], given: Any) -> Any:
        cells = np.dtype(np.int8) if dtype == np.bool_ else dtype
        if given is None:
            return self.device.zeros(shape, cells)
        fits = getattr(given, "shape", None) == shape and getattr(given, "dtype", None) == dtype
        if not fits or not isinstance(given, self.device.xp.ndarray) or not given.flags.c_contiguous:
            raise ValueError(f"The array for {name} must be a contiguous one of {dtype} with the shape {shape}.")
        if self.device.xp is np and not given.flags.writeable:
            raise ValueError(f"The array for {name} must be one that can be written.")
        return given.view(cells)

    def _number(self, seed: int) -> int:
        number = whole(seed)
        if type(number) is not int or not 0 <= number <= LARGEST_SEED:
            raise ValueError(f"A seed is a whole number from 0 to 2**62 - 1, not {seed!r}.")
        return number

    def _decisions(self, actions: Any) -> Any:
        found = actions if isinstance(actions, self.device.xp.ndarray) else self.device.xp.asarray(actions)
        if found.shape != (self.n,) or found.dtype.kind not in "iu":
            raise ValueError(f"A step wants {self.n} whole numbers, not {found.dtype} with the shape {found.shape}.")
        return found

    def _watchers(self, seats: Any) -> Any:
        if seats is None:
            return self.seat
        found = self.device.xp.zeros(self.n, np.int64)
        found[:] = self.device.xp.asarray(seats)
        if bool(((found < 0) | (found >= self.seats)).any()):
            raise ValueError(f"There are seats 0 to {self.seats - 1}.")
        return found

    def _refuse(self, i: int) -> None:
        seat, action = int(self.seat[i]), int(self._work.actions[i])
        legal = marks(self.device.fetch(self.words[i]), self.words.shape[1])
        raise ValueError(
            f"Match {i}: seat {seat} may not decide {action}; its legal decisions are "
            f"{', '.join(map(str, legal))}. Nothing has changed in any match."
        )


def _unpickled(game: Game, header: Any, arrays: Any, device: DeviceName, threads: int) -> Batch:
    return snapshot.restored(game, header, arrays, device=device, threads=threads)


def _is_array(value: Any) -> bool:
    return not isinstance(value, int | float)


def _device(game: Game, n: int, name: str, threads: int | None, kernels: Path | None, drivers: Sequence[Any]) -> Device:
    if name == "cpu":
        from tacit.research.cpu import Cpu

        return Cpu(game, n, threads, drivers)
    if name == "cuda":
        from tacit.research.cuda import device

        return device(game, n, kernels)
    raise ValueError(f"There is no device {name!r}: choose cpu or cuda.")
