"""Records read at compiled speed, for `tacit.research.datasets`: each distinct line is parsed about once."""

from __future__ import annotations

import gc
import json
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tacit.core.errors import TacitError
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.core.rulekit import build
from tacit.research import replaying
from tacit.research.line_texts import Columns, LineTexts
from tacit.research.replaying import NONE, OVER, READY, RESULT, SKIP, UNREAD, WRONG

FIRST_STEP = re.compile(rb"^[ \t]*[0-9*!=]", re.MULTILINE)  # how the first line after the head begins
IDLE = re.compile(rb"^(?:#.*)?\n", re.MULTILINE)  # a comment or an empty line
NO_TAG = re.compile(rb"^(?!tag |#|$)", re.MULTILINE)  # another line among the tags
PLAIN_TAG = re.compile(rb'^tag ([^\s"#]+) "([ !#-\[\]-~]*)"\n', re.MULTILINE)  # without escapes
SEAT_TAGS = tuple(b"seat%d" % seat for seat in range(6))  # who sat there
# A head as it is written, then its tags.
USUAL = re.compile(rb'((?:(?!tag )[a-z][^\n]*\n)*)((?:tag [^\s"#]+ "[ !#-\[\]-~]*"\n)*)(?=[0-9*!=])')

MOST_TEXTS = 1 << 18  # of a game: so many are kept for the next call
MOST_GAMES = 8  # with decks of one's own there may be many
PART = 1 << 16  # bytes of a file that are read at a time

UNUSED = 3  # references to memory that only `_rows` knows
MOST_SPARE = 1 << 30  # bytes that are kept for the next call

_spare: list[Any] = []  # the memory of earlier calls' largest arrays
_known: dict[Game, LineTexts] = {}  # what earlier calls found out; a call takes it out while it adds to it


class Doubtful(Exception):
    """Something that is not read here: the reader of `core.match_record` knows what it is."""


class Head(NamedTuple):
    """What stands before a record's steps, but for the tags."""

    game: Game
    seats: int
    blank: bytes  # the state before `start`


class QuickRecords:
    """Records of one game, read into numbers and then replayed.

    Args:
        deck: The deck of a game with a deck of one's own.

    Attributes:
        texts: What the lines mean.
        names: The names of the records.
        bots: Who sat where in each, where the tags say so.
    """

    def __init__(self, deck: object = None) -> None:
        self.deck = deck
        self.texts: LineTexts | None = None
        self.names: list[str] = []
        self.bots: list[list[str]] = []
        self._steps: list[bytes] = []  # the lines of each record's steps and signals
        self._results: list[bytes] = []  # the line that says how it ended, if there is one
        self._heads: list[Head] = []
        self._known_heads: dict[bytes, Head] = {}

    def add(self, name: str, text: bytes) -> None:
        """Read one more record. Raises Doubtful, or what the record's head raises."""
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        text = text.rstrip(b"\n") + b"\n"
        usual = USUAL.match(text)
        known = None if usual is None else self._known_heads.get(usual[1])
        if usual is not None and known is not None:
            at, head, tags = usual.end(), known, dict(PLAIN_TAG.findall(usual[2]))
        else:
            first = FIRST_STEP.search(text)
            at = len(text) if first is None else first.start()
            head, tags = self._head(text[:at])
        if self.texts is None:
            self.texts = _known.pop(head.game, None) or LineTexts(head.game)
        elif head.game is not self.texts.game:
            raise Doubtful
        last = max(at, text.rfind(b"\n", 0, -1) + 1)
        if text[last : last + 1] != b"=":
            last = len(text)
        self._steps.append(text[at:last])
        self._results.append(text[last:])
        self._heads.append(head)
        self.names.append(name)
        self.bots.append([tags[seat].decode() for seat in SEAT_TAGS[: head.seats] if seat in tags])

    def _head(self, text: bytes) -> tuple[Head, dict[bytes, bytes]]:
        """The head and the tags."""
        at = text.find(b"\ntag ") + 1 or len(text)
        kept = IDLE.sub(b"", text[:at])
        if NO_TAG.search(text, at):
            raise Doubtful
        tags = PLAIN_TAG.findall(text, at)
        if len(tags) != text.count(b"\ntag "):
            tags = [(tag.encode(), value.encode()) for tag, value in self._match(text).tags.items()]
        if kept not in self._known_heads:
            match = self._match(kept)
            if match.tags:
                raise Doubtful
            blank = np.zeros(1, match.game.dtype)
            match.game.blank(match.seats, match.options, match.rules_version).store(blank[0])
            self._known_heads[kept] = Head(match.game, match.seats, blank.tobytes())
        return self._known_heads[kept], dict(tags)

    def _match(self, text: bytes) -> Match:
        match = Match.load(text.decode(), deck=self.deck)
        if match.lines or match.annulled:
            raise Doubtful
        return match

    def replay(self) -> dict[str, Any]:
        """The arrays of a `Dataset`. Raises Doubtful, or whatever a line raises that means nothing."""
        assert self.texts is not None
        texts, game, n = self.texts, self.texts.game, len(self.names)
        numbers, places = texts.number_all(b"".join(self._steps))
        if (numbers == RESULT).any():
            raise Doubtful
        ends = np.searchsorted(places, np.cumsum([len(steps) for steps in self._steps]))
        used = numbers != SKIP
        lines, ends = numbers[used], np.concatenate([[0], np.cumsum(used)])[ends]
        who = texts.who
        decided = np.concatenate([[0], np.cumsum(who[lines] < game.max_seats)])
        begins = np.concatenate([[0], ends[:-1]])
        rows, states = int(decided[-1]), np.frombuffer(b"".join(h.blank for h in self._heads), game.dtype).copy()
        zeros, spare = np.zeros, 1 if not _spare else 0
        w = replaying.Workspace(
            states=states, cells=states.view(np.int8).reshape(n, game.dtype.itemsize), lines=lines,
            at=begins.copy(), end=ends, row=decided[begins], status=zeros(n, np.int64), found=np.full(n, NONE),
            occasion=zeros(n, np.int64), given=zeros((n, game.max_seats), np.int64),
            scores=zeros((n, game.max_seats), np.int64), who=who, root=texts.root, code=texts.code,
            questions=texts.questions, edges=texts.edges, weights=zeros(game.outcomes, np.int64),
            words=zeros(game.words, np.int64), seat=zeros(rows, np.int64), action=zeros(rows, np.int64),
            mask=_rows(rows, game.actions, spare), observation=_rows(rows, game.observation, spare),
        )  # fmt: skip
        columns = Columns(game, states)
        rules = build(game.module, "cpu", drivers=[replaying])
        rules.begin_matches(w)
        while rules.replay_matches(game.signal_limit, w):
            columns.forget()
            if (w.status == WRONG).any():
                raise Doubtful
            learnt: set[int] = set()
            unread = np.flatnonzero(w.status == UNREAD)
            for m, text in zip(unread.tolist(), lines[w.at[unread]].tolist(), strict=True):
                if text not in learnt:  # else it is known by now, or asked again in the next round
                    w.found[m], kept = texts.meaning(text, columns, m)
                    if kept:
                        learnt.add(text)
            w.status[unread] = READY
            w = w._replace(root=texts.root, questions=texts.questions, edges=texts.edges)
        finished = w.status == OVER
        columns = Columns(game, states, lists=True)
        given: dict[bytes, Any] = {b"": None}
        for m, (line, over) in enumerate(zip(self._results, finished.tolist(), strict=True)):
            if line not in given:
                given[line] = json.loads(line[1:].decode())
            if line and (not over or given[line] != game.rules.result(columns.state(m))):
                raise Doubtful
        if len(texts.numbers) <= MOST_TEXTS and len(_known) < MOST_GAMES:
            _known[game] = texts
        seats = np.array([head.seats for head in self._heads])
        scores = np.where(finished[:, None] & (np.arange(game.max_seats) < seats[:, None]), w.scores, 0)
        return {
            "game": game.name,
            "names": self.names,
            "bots": self.bots,
            "scores": scores.astype(np.float32),
            "finished": finished,
            "match": np.repeat(np.arange(n), np.diff(decided[np.concatenate([begins, ends[-1:]])])),
            "seat": w.seat,
            "action": w.action,
            "mask": w.mask.view(np.bool_),
            "observation": w.observation,
        }


def _rows(n: int, width: int, spare: int) -> Any:
    """An array (n, width) of bytes, still to be written: memory of an earlier call that nobody has any more, if there
    is enough. To touch new pages takes the kernel up to three times as long as it takes to replay into them: so the
    first call, which has the rules to load anyway, touches so much `spare` memory for a caller who keeps the arrays."""
    size = n * width
    for memory in _spare:
        if memory.size >= size and sys.getrefcount(memory) == UNUSED:
            return memory[:size].reshape(n, width)
    _spare[:] = [memory for memory in _spare if sys.getrefcount(memory) > UNUSED]  # the others are too small
    room = size + size // 8  # the next call may have a few more; pages that nobody touches cost nothing
    made = np.empty(room, np.int8)
    kept = sum(other.size for other in _spare)
    if kept + room <= MOST_SPARE:
        _spare.append(made)
    if spare and kept + 2 * room <= MOST_SPARE:
        _spare.append(np.ones(room, np.int8))
    return made[:size].reshape(n, width)


def quick_arrays(folder: Path, names: Sequence[str], deck: object = None) -> dict[str, Any] | None:
    """The arrays of a `Dataset` of records; None if one needs the reader that knows every error."""
    records, home = QuickRecords(deck), os.path.join(folder, "")
    # What is made here has no cycles, but there is much of it: it would set off collections, and one of all objects
    # takes longer (a tenth of a second where Numba is loaded) than two thousand records.
    collecting = gc.isenabled()
    gc.disable()
    try:
        for name in names:
            records.add(name, _content(home + name))
        return records.replay()
    except (Doubtful, TacitError, OSError, ValueError, LookupError, TypeError, AttributeError):
        return None
    finally:
        if collecting:
            gc.enable()


def _content(path: str) -> bytes:
    """What is in a file; without a file object, which would take longer than the rest."""
    file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        parts = [os.read(file, PART)]
        while len(parts[-1]) == PART:
            parts.append(os.read(file, PART))
    finally:
        os.close(file)
    return parts[0] if len(parts) == 1 else b"".join(parts)
