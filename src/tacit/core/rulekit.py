"""`@rule` marks a function as a rule; `build` compiles a game's rules for the CPU or CUDA, or leaves them interpreted.

Modules with rules stay plain Python: debuggers, coverage and mypy see ordinary functions. `build` clones each rule (a
new function over the same code object) into a new namespace, in which every name of a rule refers to the compiled copy,
across modules. Compiled code is cached on disk. A rule's key is made of its byte code, that of all rules it calls and
every constant any of them reads: an edit gives new keys to all it affects, stale code is never run, and builds that
share rules share their compiled copies.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import threading
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

Backend = Literal["py", "cpu", "cuda"]
F = TypeVar("F", bound=Callable[..., Any])
# How rules are compiled for the CPU. Unless they are marked with `allocates` they need no Numba runtime (`_nrt`, an
# option that Numba does not document): with it, every read of an array in a workspace counts a reference, atomically.
# Nobody calls a rule from C: without a wrapper for that, compiling takes less time.
FLAGS: dict[str, Any] = {
    "nogil": True, "_nrt": False, "error_model": "numpy", "boundscheck": False, "no_cfunc_wrapper": True,
}  # fmt: skip
Parts = dict[Any, tuple[bytes, list[Any]]]  # of each rule, its own key and the rules it names


class Copies(NamedTuple):
    """A rule of a build. What rules call has no wrapper for calls from Python: that takes a quarter of compiling."""

    for_python: Any
    for_rules: Any  # compiled for the CPU, it must not be called from Python


_lock = threading.RLock()
_compiled: dict[tuple[str, str], Copies] = {}  # by cache folder and key: the compiled rules of this process
# By cache folder, backend and the identity of the modules, which are kept: what `build` returned.
_built: dict[tuple[Any, ...], tuple[Any, types.SimpleNamespace]] = {}


def rule(fn: F) -> F:
    """Mark `fn` as a rule: it may call other rules and primitives and read constants, nothing else."""
    fn.__rule__ = True  # type: ignore[attr-defined]
    return fn


def primitive(cpu: Callable[[], Any], cuda: Callable[[], Any]) -> Callable[[F], F]:
    """Mark a rule with hand-written compiled versions, which `cpu()` and `cuda()` return; None: compile it as it is."""

    def mark(fn: F) -> F:
        fn.__primitive__ = {"cpu": cpu, "cuda": cuda}  # type: ignore[attr-defined]
        return rule(fn)

    return mark


def allocates(fn: F) -> F:
    """Mark a rule that makes arrays of its own; it is compiled with Numba's runtime, and not for CUDA."""
    fn.__allocates__ = True  # type: ignore[attr-defined]
    return rule(fn)


def inlined(fn: F) -> F:
    """Mark a rule that is compiled for the CPU into each rule that calls it.

    For what is called once a match with a workspace: a call would put every number of each of its arrays on the stack,
    some two hundred, which takes longer than most rules.
    """
    fn.__inlined__ = True  # type: ignore[attr-defined]
    return rule(fn)


def hook(fn: F) -> F:
    """Mark a driver's placeholder for the game's rule of the same name, which `build` puts there."""
    fn.__hook__ = True  # type: ignore[attr-defined]
    return rule(fn)


def is_rule(value: object) -> bool:
    """True for functions marked `@rule`, `@hook` or `@primitive`."""
    return isinstance(value, types.FunctionType) and hasattr(value, "__rule__")


def constant_array(values: Iterable[int]) -> memoryview:
    """A constant array for rules, read by index, `FITS[i]`: plain ints interpreted, a NumPy array when compiled."""
    numbers = np.array(list(values), np.int64)
    numbers.flags.writeable = False
    return memoryview(numbers)  # type: ignore[arg-type]


def with_constants(
    module: types.ModuleType, constants: Mapping[str, object], game: types.ModuleType | None = None
) -> types.ModuleType:
    """A copy of a game's module in which some of its constants have other values.

    Every function of the game's package that is reached from the module, rule or not, is cloned over the new values;
    one with a cache (`functools.lru_cache`) gets an empty cache of its own. A function may itself be a new value.
    The module itself is not changed. Compiled, the copy has cache keys of its own. With `game`, `module` is another
    module that reads the constants of that game: a bot's. Raises KeyError if the game has no such constant.
    """
    old = {name: vars(game or module)[name] for name in constants}
    namespaces: dict[int, dict[str, Any]] = {}
    made: dict[types.FunctionType, types.FunctionType] = {}
    caches: dict[Any, Any] = {}

    def namespace(names: dict[str, Any]) -> dict[str, Any]:
        key = id(names)
        if key not in namespaces:
            new = namespaces[key] = dict(names)
            for name, had in names.items():
                value: Any = constants[name] if name in constants and had is old[name] else had
                new[name] = clone(value) if is_mine(value) else with_cache(value) if is_cached(value) else value
        return namespaces[key]

    def is_mine(value: Any) -> bool:
        return isinstance(value, types.FunctionType) and f"{value.__module__}.".startswith(home)

    def is_cached(value: Any) -> bool:
        return hasattr(value, "cache_parameters") and is_mine(value.__wrapped__)

    def with_cache(cached: Any) -> Any:
        if cached not in caches:
            caches[cached] = lru_cache(**cached.cache_parameters())(clone(cached.__wrapped__))
        return caches[cached]

    def clone(fn: types.FunctionType) -> types.FunctionType:
        if fn not in made:
            names = namespace(fn.__globals__)
            if fn not in made:  # it may have been made while its namespace was filled
                new = types.FunctionType(fn.__code__, names, fn.__name__, fn.__defaults__, fn.__closure__)
                new.__dict__.update(fn.__dict__)
                new.__kwdefaults__, new.__doc__ = fn.__kwdefaults__, fn.__doc__
                new.__module__, new.__qualname__ = fn.__module__, fn.__qualname__
                made[fn] = new
        return made[fn]

    home = (f"{module.__name__}.",) if game is None else (f"{module.__package__}.", f"{game.__name__}.")
    copy = types.ModuleType(module.__name__, module.__doc__)
    copy.__dict__.update(namespace(vars(module)))
    return copy


def build(module: Any, backend: Backend, drivers: Sequence[Any] = ()) -> types.SimpleNamespace:
    """The rules of `module` for one backend, and those of each driver module, whose hooks call the game's.

    "py" gives plain functions, "cpu" functions that Numba compiles when they are first called, "cuda" device functions.
    The same modules give the same functions again; several threads may ask.
    """
    modules = (module, *drivers)
    key = (str(cache_home()), backend, *map(id, modules))
    with _lock:
        if key not in _built:
            _built[key] = (modules, _build(module, backend, drivers))
        return _built[key][1]


def _build(module: Any, backend: Backend, drivers: Sequence[Any]) -> types.SimpleNamespace:
    wanted, rules = _wanted(module, drivers)
    wrap = _wrapper(backend)
    known: Parts = {}
    namespaces: dict[int, dict[str, Any]] = {}
    built: dict[types.FunctionType, Copies] = {}

    def namespace(fn: types.FunctionType) -> dict[str, Any]:
        key = id(fn.__globals__)
        if key not in namespaces:
            names = namespaces[key] = dict(fn.__globals__)
            for name, value in list(names.items()):
                if is_rule(value):
                    names[name] = make(value).for_rules
                elif isinstance(value, memoryview) and backend != "py":
                    names[name] = np.asarray(value)
        return namespaces[key]

    def make(fn: types.FunctionType) -> Copies:
        if hasattr(fn, "__hook__"):
            fn = rules.get(fn.__name__, fn)
        if hasattr(fn, "__primitive__") and fn not in built:
            by_hand = fn if backend == "py" else fn.__primitive__[backend]()
            if by_hand is not None:
                built[fn] = Copies(by_hand, by_hand)
        if fn not in built:
            names = namespace(fn)
            if fn not in built:  # it may have been made while its namespace was filled
                clone = types.FunctionType(fn.__code__, names, fn.__name__, fn.__defaults__)
                clone.__module__, clone.__doc__, clone.__qualname__ = fn.__module__, fn.__doc__, fn.__qualname__
                clone.__dict__.update(fn.__dict__)
                built[fn] = wrap(clone, "" if backend == "py" else _digest([fn], rules, known))
        return built[fn]

    return types.SimpleNamespace(**{name: make(value).for_python for name, value in wanted.items()})


def key(module: Any, drivers: Sequence[Any] = ()) -> str:
    """A cache key for what `build` makes: it changes with every rule and constant."""
    wanted, rules = _wanted(module, drivers)
    return _digest(wanted.values(), rules)


def _wanted(module: Any, drivers: Sequence[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The rules to build, and the rules that replace hooks: the game's, or another driver's of that name."""
    rules = {name: value for name, value in vars(module).items() if is_rule(value)}
    wanted = dict(rules)
    for driver in drivers:
        wanted |= {n: v for n, v in vars(driver).items() if is_rule(v) and not hasattr(v, "__hook__")}
    return wanted, wanted | rules


def cache_home() -> Path:
    """The folder of compiled rules: $TACIT_CACHE, or `tacit` in the user's cache folder."""
    if "TACIT_CACHE" in os.environ:
        return Path(os.environ["TACIT_CACHE"])
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tacit"


def _wrapper(backend: Backend) -> Callable[[types.FunctionType, str], Copies]:
    if backend == "py":
        return lambda fn, digest: Copies(fn, fn)
    if backend == "cpu":
        return _compile_lazily
    if backend == "cuda":
        from numba import cuda

        def device(fn: types.FunctionType, digest: str) -> Copies:
            made = cuda.jit(device=True)(fn)
            return Copies(made, made)

        return device
    raise ValueError(f"There is no backend {backend!r}: choose py, cpu or cuda.")


def _compile_lazily(fn: types.FunctionType, digest: str) -> Copies:
    """Copies of a rule that Numba compiles, or loads from the cache, when they are first called."""
    home = str(cache_home() / "rules")
    if (home, digest) not in _compiled:
        within = types.FunctionType(fn.__code__, fn.__globals__, fn.__name__, fn.__defaults__)
        within.__module__, within.__doc__, within.__qualname__ = fn.__module__, fn.__doc__, f"{fn.__qualname__}_within"
        within.__dict__.update(fn.__dict__)
        _compiled[home, digest] = Copies(
            _dispatcher(fn, digest, home, no_cpython_wrapper=False),
            _dispatcher(within, digest, home, no_cpython_wrapper=True),
        )
    return _compiled[home, digest]


def _dispatcher(fn: types.FunctionType, digest: str, home: str, no_cpython_wrapper: bool) -> Any:
    import numba

    # Numba makes a rule's symbol and its file of its name. Two that were loaded from the cache must not
    # have the same symbol, unless they are the same: the second would silently run the code of the first.
    fn.__qualname__ = f"{fn.__qualname__}_{digest}"
    marks = {"_nrt": hasattr(fn, "__allocates__"), "forceinline": hasattr(fn, "__inlined__")}
    how = FLAGS | marks | {"no_cpython_wrapper": no_cpython_wrapper}
    # The setting is read once, while the dispatcher is made.
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, home
    try:
        return _take_wide_integers(numba.njit(cache=True, **how)(fn))
    finally:
        numba.config.CACHE_DIR = before


def _take_wide_integers(made: Any) -> Any:
    """Let other rules call a compiled rule with 64-bit integers only.

    Numba would compile it again for every constant and every width of integer that a caller passes, with the same
    results: two compilations in five. (LLVM still folds constants into what it inlines.)
    """
    from numba import types

    def widened(value: Any) -> Any:
        return types.int64 if isinstance(value, types.Integer) and value != types.uint64 else value

    exact = getattr(made, "get_call_template", None)
    if exact is None:  # it is not a documented part of Numba: without it rules are only compiled more often
        return made
    made.get_call_template = lambda args, kws: exact(
        tuple(map(widened, args)), {name: widened(value) for name, value in kws.items()}
    )
    return made


def machine_code(work: Any, w: Any) -> Any:
    """What Numba calls for these types (an attribute that it does not document); None where it is not to be had."""
    from numba import int64, typeof

    kind = typeof(w)
    for taken, made in getattr(work, "overloads", {}).items():
        if taken[-1] == kind and all(number == int64 for number in taken[:-1]):
            return getattr(made, "entry_point", None)
    return None


def _digest(functions: Iterable[Any], rules: dict[str, Any], known: Parts | None = None) -> str:
    """A key for the code of these rules, of all rules they call, and of every constant any of them reads."""
    known = {} if known is None else known
    seen: dict[Any, tuple[str, bytes]] = {}  # two networks' rules have the same name
    todo = list(functions)
    while todo:
        fn = todo.pop()
        if hasattr(fn, "__hook__"):
            fn = rules.get(fn.__name__, fn)
        if fn not in seen:
            if fn not in known:
                known[fn] = _part(fn)
            part, called = known[fn]
            seen[fn] = f"{fn.__module__}.{fn.__qualname__}", part
            todo += called
    h = hashlib.sha256(repr(FLAGS).encode())
    for primitives in (
        "bits_cpu.py",
        "bits_cuda.py",
        "products_cpu.py",
        "shared_cells_cpu.py",
    ):  # which are compiled into every rule that uses them
        h.update(Path(__file__).with_name(primitives).read_bytes())
    for package in ("numba", "numpy"):
        h.update(f"{package} {importlib.metadata.version(package)}\0".encode())
    for name, part in sorted(seen.values()):
        h.update(name.encode() + b"\0" + part)
    return h.hexdigest()[:20]


def _part(fn: Any) -> tuple[bytes, list[Any]]:
    """A key for a rule's own code and the constants it reads; and the rules it names."""
    marks = [mark for mark in ("__allocates__", "__inlined__") if hasattr(fn, mark)]  # how it is compiled
    parts, called = [b"".join(_code(fn.__code__)), repr((fn.__defaults__, marks)).encode()], []
    for used in sorted(_names(fn.__code__)):
        value = fn.__globals__.get(used)
        if is_rule(value):
            called.append(value)
        elif isinstance(value, np.ndarray | memoryview):
            parts.append(used.encode() + value.tobytes())
        elif hasattr(value, "__wrapped__"):  # a function with a cache, whose name has its address in this process
            parts.append(used.encode() + b"".join(_code(value.__wrapped__.__code__)))
        elif isinstance(value, types.FunctionType):  # no rule: only a field of the same name is meant, `k.said`
            parts.append(used.encode())
        else:
            parts.append(f"{used}={value!r}".encode())
    # Compiled code reads the fields of a NamedTuple by their places.
    named = [*fn.__annotations__.values(), *sorted(_names(fn.__code__))]
    classes = [fn.__globals__.get(name) if isinstance(name, str) else name for name in named]
    parts += [repr(c._fields).encode() for c in classes if isinstance(c, type) and hasattr(c, "_fields")]
    return hashlib.sha256(b"\0".join(parts)).digest(), called


def _code(code: types.CodeType) -> Iterator[bytes]:
    yield code.co_code
    yield repr(code.co_varnames).encode()
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _code(const)
        else:
            yield repr(const).encode()


def _names(code: types.CodeType) -> set[str]:
    names = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            names |= _names(const)
    return names
