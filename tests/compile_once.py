"""Several test processes share one cache of compiled rules: no two of them compile the same rule at the same time.

And a compiler that does less: it looks up what an operator is for some types once, not every time; and it leaves what
only rules call to the rules that call it, where it is optimized as part of them. Other processes, among them all that
tests start, and the long run compile as everybody does; what either has in the cache the other reads.
"""

from __future__ import annotations

import os
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


def compare_flags_quickly() -> None:
    """From now on Numba compares two sets of flags by what is set in them, not by asking each for all its options."""
    from numba.core.targetconfig import TargetConfig

    compare = TargetConfig.__eq__

    def equal(self: Any, other: Any) -> Any:
        return self is other or (type(self) is type(other) and self._values == other._values) or compare(self, other)

    TargetConfig.__eq__ = equal
    # Numba's is one number for all of them, too, and takes as long as a comparison.
    TargetConfig.__hash__ = lambda self: hash(type(self))


def optimize_once() -> None:
    """From now on a rule that only rules call gets no machine code of its own, and is not optimized by itself.

    Numba does both for each rule with all that it calls, and links it into each caller, where it is optimized again;
    the machine code nobody runs. What Python calls is optimized as ever, with everything that it calls.
    """
    from numba.core.codegen import CPUCodeLibrary, JITCPUCodegen
    from numba.core.cpu import CPUContext
    from numba.core.environment import lookup_environment

    optimize, finish = CPUCodeLibrary._optimize_final_module, CPUCodeLibrary._finalize_final_module
    serialize, executable = CPUCodeLibrary.serialize_using_object_code, CPUContext.get_executable
    set_env = JITCPUCodegen.set_env

    def within(library: Any) -> bool:
        return "_within_" in library.name  # tacit.core.rulekit names them so

    def optimized(self: Any) -> None:
        if not within(self):
            optimize(self)

    def finished(self: Any) -> None:
        if within(self):
            self._finalize_dynamic_globals()
            self._verify_declare_only_symbols()
            self._finalized = True
        else:
            finish(self)

    def serialized(self: Any) -> Any:
        return self.serialize_using_bitcode() if within(self) else serialize(self)

    def made(self: Any, library: Any, fndesc: Any, env: Any) -> Any:
        """What a rule needs to raise an exception is told to the code that it was linked into."""
        found = executable(self, library, fndesc, env)
        if not within(library):
            for variable in library._final_module.global_variables:
                linked = lookup_environment(variable.name)
                if linked is not None:
                    library.codegen.set_env(variable.name, linked)
        return found

    def told(self: Any, name: str, env: Any) -> None:
        if self._engine.get_global_value_address(name):  # there is code that has it
            set_env(self, name, env)

    CPUCodeLibrary._optimize_final_module = optimized
    CPUCodeLibrary._finalize_final_module = finished
    CPUCodeLibrary.serialize_using_object_code = serialized
    CPUContext.get_executable = made
    JITCPUCodegen.set_env = told


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
    compare_flags_quickly()
    if "TACIT_LONG" not in os.environ:
        optimize_once()
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
