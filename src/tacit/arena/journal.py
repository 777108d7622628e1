"""The journal of a job: one line for the job, then one line a match, as JSON. What stands in it has been played.

Lines are synced to the disk in batches, before anybody is told of them. A line that a crash cut short is cut off when
the journal is opened again; anything else that is wrong is refused with a sentence, for no crash did it.
"""

from __future__ import annotations

import fcntl
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from tacit.arena.job import Job
from tacit.arena.played import Played

FORMAT = 1


class BadJournal(ValueError):
    """The journal cannot be gone on with; says why."""


class Header(msgspec.Struct, frozen=True):
    arena: int
    digest: str
    job: Job


def sealed_line(value: Any) -> bytes:
    """A struct as a line of JSON that carries a check sum of the rest."""
    body = msgspec.json.encode(value)
    return body[:-1] + b',"crc":"%08x"}\n' % zlib.crc32(body)


def opened_line(line: bytes) -> bytes:
    """The struct's JSON again; ValueError if the line is not what was written."""
    body, mark, tail = line.rstrip(b"\n").rpartition(b',"crc":"')
    if not mark or tail[8:] != b'"}' or b"%08x" % zlib.crc32(body + b"}") != tail[:8]:
        raise ValueError("the check sum is wrong")
    return body + b"}"


class Journal:
    """A job's journal, open for writing by this process alone."""

    def __init__(self, path: Path, job: Job) -> None:
        self.path, self.job = path, job
        self.played: dict[int, Played] = {}
        self.cut = 0  # bytes of a torn line that were cut off
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = open(path, "a+b")  # noqa: SIM115  # closed by close()
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self.file.close()
            raise BadJournal(f"{path}: another arena is writing this journal.") from error
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
            self.file.write(sealed_line(Header(FORMAT, self.job.digest(), self.job)))
            self.sync()
            return
        for number, line in enumerate(lines, 1):
            try:
                if number == 1:
                    header = msgspec.json.decode(opened_line(line), type=Header)
                    continue
                played = msgspec.json.decode(opened_line(line), type=Played)
            except ValueError as error:
                raise BadJournal(f"{self.path}, line {number}: {error}.") from error
            self._admit(played, number)
        if header.arena != FORMAT or header.digest != self.job.digest():
            raise BadJournal(f"{self.path}: this is the journal of another job.")

    def _admit(self, played: Played, number: int) -> None:
        job = self.job
        if played.match in self.played:
            raise BadJournal(f"{self.path}, line {number}: match {played.match} stands there twice.")
        expected = (job.deal(played.match), job.line_up(played.match), job.seating(played.match))
        if (played.deal, played.line_up, played.seats) != expected:
            raise BadJournal(f"{self.path}, line {number}: match {played.match} is not a match of this job.")
        self.played[played.match] = played

    def write(self, batch: Iterable[Played]) -> list[Played]:
        """Add matches and sync them to the disk; those that stand there already are left out. Returns the new ones."""
        new = []
        for played in batch:
            if played.match not in self.played:
                self.played[played.match] = played
                self.file.write(sealed_line(played))
                new.append(played)
        self.sync()
        return new

    def sync(self) -> None:
        self.file.flush()
        os.fsync(self.file.fileno())

    def close(self) -> None:
        self.sync()
        self.file.close()


def read_journal(path: Path) -> tuple[Job, Iterator[Played]]:
    """Somebody's finished journal, for looking at; a torn last line is passed over."""
    lines = path.read_bytes().splitlines(keepends=True)
    header = msgspec.json.decode(opened_line(lines[0]), type=Header)
    whole = [line for line in lines[1:] if line.endswith(b"\n")]
    return header.job, (msgspec.json.decode(opened_line(line), type=Played) for line in whole)
