"""The journal of a job: JSON lines, first the job, then one line for each match played.

Lines are synced to disk in batches before they are reported. An incomplete last line (after a crash) is removed when
the journal is opened again; any other damage raises JournalError.
"""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

import msgspec

from tacit.arena.job import Job
from tacit.arena.match_result import MatchResult

FORMAT = 1
LOCKED = 1 << 40  # the byte that is locked on Windows, where locked bytes cannot be read: far behind the end


class JournalError(ValueError):
    """The journal cannot be continued; the message says why."""


class Header(msgspec.Struct, frozen=True):
    arena: int
    digest: str
    job: Job


def with_checksum(value: Any) -> bytes:
    """A struct as a line of JSON with a CRC-32 of the rest."""
    body = msgspec.json.encode(value)
    return body[:-1] + b',"crc":"%08x"}\n' % zlib.crc32(body)


def without_checksum(line: bytes) -> bytes:
    """The line's JSON without its checksum; ValueError if the checksum is wrong."""
    body, mark, tail = line.rstrip(b"\n").rpartition(b',"crc":"')
    if not mark or tail[8:] != b'"}' or b"%08x" % zlib.crc32(body + b"}") != tail[:8]:
        raise ValueError("the checksum is wrong")
    return body + b"}"


def _lock(file: IO[bytes]) -> None:
    """Lock a file until it is closed; OSError if another process holds the lock."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(LOCKED)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Journal:
    """A job's journal, locked by this process."""

    def __init__(self, path: Path, job: Job) -> None:
        self.path, self.job = path, job
        self.results: dict[int, MatchResult] = {}
        self.cut = 0  # bytes of an incomplete last line that were removed
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = open(path, "a+b")  # noqa: SIM115  # closed by close()
        try:
            _lock(self.file)
        except OSError as error:
            self.file.close()
            raise JournalError(f"{path}: another arena is writing this journal.") from error
        try:
            self._read()
        except BaseException:
            self.file.close()
            raise

    def _read(self) -> None:
        self.file.seek(0)
        whole = self.file.read()
        end = whole.rfind(b"\n") + 1
        if end < len(whole):
            self.cut = len(whole) - end
            self.file.truncate(end)
            os.fsync(self.file.fileno())
        lines = whole[:end].splitlines(keepends=True)
        if not lines:
            self.file.write(with_checksum(Header(FORMAT, self.job.digest(), self.job)))
            self.sync()
            return
        for number, line in enumerate(lines, 1):
            try:
                if number == 1:
                    header = msgspec.json.decode(without_checksum(line), type=Header)
                    continue
                played = msgspec.json.decode(without_checksum(line), type=MatchResult)
            except ValueError as error:
                raise JournalError(f"{self.path}, line {number}: {error}.") from error
            self._add(played, number)
        if header.arena != FORMAT or header.digest != self.job.digest():
            raise JournalError(f"{self.path}: this is the journal of another job.")

    def _add(self, played: MatchResult, number: int) -> None:
        job = self.job
        if played.match in self.results:
            raise JournalError(f"{self.path}, line {number}: match {played.match} appears twice.")
        expected = (job.deal(played.match), job.line_up(played.match), job.seating(played.match))
        if (played.deal, played.line_up, played.seats) != expected:
            raise JournalError(f"{self.path}, line {number}: match {played.match} is not a match of this job.")
        self.results[played.match] = played

    def write(self, batch: Iterable[MatchResult]) -> list[MatchResult]:
        """Append results that are not yet in the journal and sync them to disk; returns these."""
        new = []
        for played in batch:
            if played.match not in self.results:
                self.results[played.match] = played
                self.file.write(with_checksum(played))
                new.append(played)
        self.sync()
        return new

    def sync(self) -> None:
        self.file.flush()
        os.fsync(self.file.fileno())

    def close(self) -> None:
        self.sync()
        self.file.close()
