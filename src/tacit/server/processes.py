"""Work that is too long for the event loop: a process of its own, which is asked through its standard input."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence

KILL_WITHIN = 5.0  # seconds
MAX_LINE = 16 * 1024 * 1024  # bytes of one line of an answer


class ProcessFailed(Exception):
    """A process ended without a whole answer."""


async def lines_of(command: Sequence[str], question: bytes, within: float) -> AsyncGenerator[bytes, None]:
    """The lines that a process answers to a question, as they come. Close the iterator to stop the process.

    Raises:
        ProcessFailed: if it ended with an error, or took longer than `within` seconds.
    """
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        limit=MAX_LINE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    until = asyncio.get_running_loop().time() + within
    try:
        with contextlib.suppress(ConnectionError):  # it ended already: its status says why
            process.stdin.write(question)
            await process.stdin.drain()
            process.stdin.close()
        while True:
            async with asyncio.timeout_at(until):
                line = await process.stdout.readline()
            if not line:
                break
            yield line
        async with asyncio.timeout_at(until):
            status = await process.wait()
    except (TimeoutError, ValueError) as error:  # too late, or a line without an end
        raise ProcessFailed from error
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(KILL_WITHIN):
                await process.wait()
    if status:
        raise ProcessFailed


async def last_line_of(command: Sequence[str], question: bytes, within: float) -> bytes:
    """The last line that a process answers; empty if there is none. Raises ProcessFailed as `lines_of` does."""
    last = b""
    async with contextlib.aclosing(lines_of(command, question, within)) as lines:
        async for line in lines:
            last = line
    return last
