"""Tasks of a service: those that are never cancelled, and those that end with it."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, TypeVar

from tacit.core.errors import TacitError
from tacit.server import faults

T = TypeVar("T")
P = ParamSpec("P")
S = TypeVar("S", bound="Tasks")
CLOSE_WITHIN = 5.0  # seconds that unfinished work has when the server stops


def uninterrupted(
    method: Callable[Concatenate[S, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Let a method finish even if its caller is cancelled: what is stored must also be published."""

    @functools.wraps(method)
    async def whole(owner: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        work = method(owner, *args, **kwargs)
        if asyncio.current_task() in owner._uninterrupted:
            return await work
        return await asyncio.shield(owner.run_to_completion(work))

    return whole


def try_acquire(lock: asyncio.Lock) -> bool:
    """Acquire a lock if nobody has to wait for it; else False."""
    acquiring = lock.acquire()
    try:
        acquiring.send(None)
    except StopIteration:
        return True
    acquiring.close()
    return False


def run_at_once(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that waits for nothing, without a task; returns what it returns. Raises RuntimeError if it does
    wait for something.
    """
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    raise RuntimeError("it waits")


class Tasks:
    """The tasks of a service."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._uninterrupted: set[asyncio.Future[Any]] = set()  # tasks that `end_tasks` waits for

    async def end_tasks(self) -> None:
        """Wait a while for what must be finished, and cancel the rest; a task that does not end holds nothing up."""
        if self._uninterrupted:
            await asyncio.wait(self._uninterrupted, timeout=CLOSE_WITHIN)
        for task in list(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=CLOSE_WITHIN)

    def run_to_completion(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """A task that is never cancelled, and that `close` waits for."""
        task = asyncio.create_task(work)
        self._uninterrupted.add(task)
        task.add_done_callback(self._completed)
        return task

    def _completed(self, task: asyncio.Task[Any]) -> None:
        self._uninterrupted.discard(task)
        if not task.cancelled():
            task.exception()  # mark it as retrieved: the caller may have been cancelled

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """A task that `close` cancels. If it fails, the fault is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._spawned_ended)
        return task

    def _spawned_ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None and not isinstance(task.exception(), TacitError):
            faults.note("a task", task.exception() or RuntimeError())
