"""Several test processes share one cache of compiled rules: no two of them compile the same rule at the same time.

And a compiler that looks up what an operator is for some types once, not every time: a tenth less time to compile.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any


def resolve_once() -> None:
    """From now on Numba tries the templates of a function of its own once for the same types and flags.

    It has no such memory, and tries some ten of them for each `a + b` of a rule. What it finds is the same.
    """
    from numba.core.targetconfig import ConfigStack
    from numba.core.types.functions import BaseFunction

    resolve = BaseFunction.get_call_type
    found: dict[Any, tuple[Any, Any]] = {}
    last: list[Any] = [None, None]  # the flags of the rule that is being compiled, and their summary

    def once(self: Any, context: Any, args: Any, kws: Any) -> Any:
        flags = ConfigStack.top_or_none()
        if flags is not last[0]:
            last[:] = flags, flags and flags.summary()
        key = (id(self), context, args, tuple(kws.items()), last[1])
        if key not in found:
            found[key] = (self, resolve(self, context, args, kws))  # kept, so that its id stays its own
        return found[key][1]

    BaseFunction.get_call_type = once  # type: ignore[method-assign]


def install(folder: Path) -> None:
    """From now on a process that needs a rule which another compiles waits for it, and finds it in the cache.

    A rule's lock is a file in `folder`, named by the rule and its key; it ends with the process that holds it.
    """
    if sys.platform == "win32":
        return
    import fcntl

    from llvmlite.binding import ffi
    from numba.core import event
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.dispatcher import Dispatcher

    # Each compilation within a compilation adds timers that hear of every call into LLVM; nor does anybody else listen.
    event.install_timer = lambda kind, callback: nullcontext()
    ffi.lib._lock._cblist.clear()
    resolve_once()
    compile_ = Dispatcher.compile
    held: set[str] = set()

    def compile_once(self: Any, sig: Any) -> Any:
        name = self.py_func.__qualname__
        # The compiler's own lock first: threads take both in one order, and `held` needs no lock of its own.
        with global_compiler_lock:
            if self._cache.cache_path is None or name in held:
                return compile_(self, sig)
            folder.mkdir(parents=True, exist_ok=True)
            held.add(name)
            try:
                with (folder / name).open("w") as lock:
                    fcntl.lockf(lock, fcntl.LOCK_EX)
                    return compile_(self, sig)
            finally:
                held.discard(name)

    Dispatcher.compile = compile_once  # type: ignore[method-assign]
