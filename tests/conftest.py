"""The toy fifth game is registered like any other; and the rule tests are traced where coverage is asked for."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator
from pathlib import Path

import coverage
import pytest

HERE = Path(__file__).parent
# The rules compile once for the whole suite, also with several workers and across runs.
os.environ.setdefault("TACIT_CACHE", str(HERE.parent / ".cache" / "tacit"))

# A run in the background ignores Ctrl-C, one under nohup a closed terminal, and so would every process that the tests
# start, and stop by it.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# TACIT_COVER=1: one run is both the tests and the coverage of the rules. Begun before the rules are imported.
TRACE = None
if "TACIT_COVER" in os.environ:
    TRACE = coverage.Coverage(config_file=str(HERE.parent / "pyproject.toml"), data_suffix=True)
    TRACE.start()

from tacit import GAMES, register  # noqa: E402
from tacit.core.rulekit import cache_home  # noqa: E402
from tests import compile_once  # noqa: E402

register("toy", "examples.toy.tacit_toy")
SLOWEST = ("test_ray.py", "test_wheel.py")  # a cluster; environments that pip fills
# Folders and files whose tests compile rules: half of the processor time of the tests in Python.
COMPILING = {"analysis", "arena", "benchmark", "bots", "learn", "research", "review"}
COMPILING |= {"test_core.py", "test_cuda.py", "test_docs.py", "test_laws.py", "test_notebook.py", "test_types.py"}
# Tracing takes three times as long as the test: not where whole matches are compared, drawn or told.
UNTRACED = {f"test_{name}.py" for name in ("deck", "reference", "signal_laws", "terminal", "words")}
RULE_TESTS = {HERE / name.replace("-", "_") for name in GAMES}


def covers(path: Path) -> bool:
    """Is coverage taken from this file? From the rules' own tests and a few whole matches: interpreted, and quick."""
    if path.parent in RULE_TESTS:
        return path.name not in UNTRACED
    return path.name in ("test_interpreted.py", "test_overhear.py")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is marked `long` is for `make test-long` alone. The slowest goes first: nobody waits for it at the end.

    Then whatever compiles, side by side: the first worker gets it, and the others have tests that wait for no compiler.
    """
    items.sort(key=lambda item: (item.path.name not in SLOWEST, COMPILING.isdisjoint(item.path.parts)))
    if "TACIT_LONG" not in os.environ:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("long")])
        items[:] = [item for item in items if not item.get_closest_marker("long")]


def pytest_collection_finish() -> None:
    """What is imported stays: the garbage collector need not look at it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    if TRACE is not None:
        TRACE.stop()
    if "numba" in sys.modules:  # interpreted tests need no compiler
        compile_once.install(cache_home() / "locks")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    traced = TRACE is not None and covers(item.path)
    if TRACE is not None and traced:
        TRACE.start()
    try:
        return (yield)
    finally:
        if TRACE is not None and traced:
            TRACE.stop()


def pytest_sessionfinish() -> None:
    if TRACE is not None:
        TRACE.stop()
        TRACE.save()
