"""`@rule` marks a function; `build` makes an interpreted, CPU or CUDA copy of every marked function a game needs.

The modules that hold rules stay plain Python: debuggers, coverage and mypy see ordinary functions. `build` clones each
rule (a new function over the same code object) into a fresh namespace in which every name that refers to a rule refers
to the compiled copy, across modules. Compiled code is cached on disk under a key made of the rules' byte code and of
every constant they read, so an edit anywhere gives a new key and nothing stale is ever run.
"""

from __future__ import annotations

import hashlib
import os
import threading
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np

Backend = Literal["py", "cpu", "cuda"]
F = TypeVar("F", bound=Callable[..., Any])
_cache_dir_lock = threading.Lock()


def rule(fn: F) -> F:
    """Mark `fn` as part of the rules: it may call other rules and primitives, read constants, and nothing else."""
    fn.__rule__ = True  # type: ignore[attr-defined]
    return fn


def primitive(cpu: Callable[[], Any], cuda: Callable[[], Any]) -> Callable[[F], F]:
    """Mark a rule that has a machine instruction of its own: `cpu()` and `cuda()` return the compiled versions."""

    def mark(fn: F) -> F:
        fn.__primitive__ = {"cpu": cpu, "cuda": cuda}  # type: ignore[attr-defined]
        return rule(fn)

    return mark


def hook(fn: F) -> F:
    """Mark a name in a driver that stands for a game's rule of the same name; `build` puts the game's rule there."""
    fn.__hook__ = True  # type: ignore[attr-defined]
    return rule(fn)


def is_rule(value: object) -> bool:
    return isinstance(value, types.FunctionType) and hasattr(value, "__rule__")


def build(module: Any, backend: Backend, drivers: Sequence[Any] = ()) -> types.SimpleNamespace:
    """The rules of `module` for one backend, and those of each driver module, whose hooks call the game's.

    "py" gives plain functions, "cpu" functions that Numba compiles when they are first called, "cuda" device functions.
    """
    rules = {name: value for name, value in vars(module).items() if is_rule(value)}
    wanted = dict(rules)
    for driver in drivers:
        wanted |= {n: v for n, v in vars(driver).items() if is_rule(v) and not hasattr(v, "__hook__")}
    rules = wanted | rules  # a hook is filled by the game's rule, or by another driver's of that name
    wrap = _wrapper(backend, _digest(wanted.values(), rules))
    namespaces: dict[int, dict[str, Any]] = {}
    built: dict[types.FunctionType, Any] = {}

    def namespace(fn: types.FunctionType) -> dict[str, Any]:
        key = id(fn.__globals__)
        if key not in namespaces:
            names = namespaces[key] = dict(fn.__globals__)
            for name, value in list(names.items()):
                if is_rule(value):
                    names[name] = make(value)
        return namespaces[key]

    def make(fn: types.FunctionType) -> Any:
        if hasattr(fn, "__hook__"):
            fn = rules.get(fn.__name__, fn)
        if hasattr(fn, "__primitive__"):
            return fn if backend == "py" else fn.__primitive__[backend]()
        if fn not in built:
            names = namespace(fn)
            if fn not in built:  # it may have been made while its namespace was filled
                clone = types.FunctionType(fn.__code__, names, fn.__name__, fn.__defaults__)
                clone.__module__, clone.__qualname__, clone.__doc__ = fn.__module__, fn.__qualname__, fn.__doc__
                built[fn] = wrap(clone)
        return built[fn]

    return types.SimpleNamespace(**{name: make(value) for name, value in wanted.items()})


def cache_home() -> Path:
    """Where compiled rules are kept: $TACIT_CACHE, or `tacit` in the user's cache folder."""
    if "TACIT_CACHE" in os.environ:
        return Path(os.environ["TACIT_CACHE"])
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tacit"


def _wrapper(backend: Backend, digest: str) -> Callable[[Any], Any]:
    if backend == "py":
        return lambda fn: fn
    if backend == "cpu":
        import numba

        def compiled(fn: Any) -> Any:
            # Numba keys its cache by file and line, which two games that share a driver have in common: give each
            # build a folder of its own. The setting is read once, while the dispatcher is made.
            with _cache_dir_lock:
                before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(cache_home() / digest)
                try:
                    return numba.njit(cache=True, nogil=True, error_model="numpy", boundscheck=False)(fn)
                finally:
                    numba.config.CACHE_DIR = before

        return compiled
    if backend == "cuda":
        from numba import cuda

        return lambda fn: cuda.jit(device=True)(fn)
    raise ValueError(f"There is no backend {backend!r}: choose py, cpu or cuda.")


def _digest(functions: Any, rules: dict[str, Any]) -> str:
    """A key for the code of these rules, of all rules they call, and of every constant any of them reads."""
    import importlib.metadata

    seen: dict[str, bytes] = {}
    todo = list(functions)
    while todo:
        fn = todo.pop()
        if hasattr(fn, "__hook__"):
            fn = rules.get(fn.__name__, fn)
        name = f"{fn.__module__}.{fn.__qualname__}"
        if name in seen:
            continue
        parts = [b"".join(_code(fn.__code__)), repr(fn.__defaults__).encode()]
        for used in sorted(_names(fn.__code__)):
            value = fn.__globals__.get(used)
            if is_rule(value):
                todo.append(value)
            elif isinstance(value, np.ndarray):
                parts.append(used.encode() + value.tobytes())
            else:
                parts.append(f"{used}={value!r}".encode())
        seen[name] = b"\0".join(parts)
    h = hashlib.sha256()
    for package in ("numba", "numpy"):
        h.update(f"{package} {importlib.metadata.version(package)}\0".encode())
    for name in sorted(seen):
        h.update(name.encode() + seen[name] + b"\0")
    return h.hexdigest()[:20]


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
