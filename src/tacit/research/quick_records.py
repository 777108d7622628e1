"""Records read at compiled speed, for `tacit.research.datasets`: each distinct line is parsed about once."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tacit.core.errors import TacitError
from tacit.core.game import Game
from tacit.core.match import Match
from tacit.core.rulekit import build
from tacit.research import replaying
from tacit.research.line_texts import RESULT, SKIP, Columns, LineTexts
from tacit.research.replaying import NONE, OVER, READY, UNREAD, WRONG

STEPS = frozenset("0123456789*!=")  # how a line after the head begins
PLAIN_TAG = re.compile(r'tag ([^\s"#]+) "([ !#-\[\]-~]*)"')  # without escapes


MOST_TEXTS = 1 << 18  # of a game: so many are kept for the next call
MOST_GAMES = 8  # with decks of one's own there may be many

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
        lines: The texts of all steps and signals.
    """

    def __init__(self, deck: object = None) -> None:
        self.deck = deck
        self.texts: LineTexts | None = None
        self.names: list[str] = []
        self.bots: list[list[str]] = []
        self.lines: list[int] = []
        self._ends: list[int] = []
        self._results: list[str | None] = []
        self._heads: list[Head] = []
        self._known_heads: dict[str, Head] = {}

    def add(self, name: str, text: str) -> None:
        """Read one more record. Raises Doubtful, or what the record's head raises."""
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        lines = text.split("\n")
        head, tags, at = self._head(lines)
        if self.texts is None:
            self.texts = _known.pop(head.game, None) or LineTexts(head.game)
        elif head.game is not self.texts.game:
            raise Doubtful
        numbers, result = self._steps(self.texts, lines[at:])
        self.lines += numbers
        self._results.append(result)
        self._ends.append(len(self.lines))
        self._heads.append(head)
        self.names.append(name)
        self.bots.append([tags[f"seat{q}"] for q in range(head.seats) if f"seat{q}" in tags])

    @staticmethod
    def _steps(texts: LineTexts, lines: list[str]) -> tuple[list[int], str | None]:
        """The numbers of the steps in a record's lines, and the line that says how it ended."""
        stop = len(lines)
        while stop and not lines[stop - 1]:
            stop -= 1
        result = lines[stop - 1] if stop and lines[stop - 1].startswith("=") else None
        lines = lines[: stop if result is None else stop - 1]
        numbers: list[Any] = list(map(texts.numbers.get, lines))
        if None in numbers or SKIP in numbers:
            numbers = [number for number in map(texts.number, lines) if number != SKIP]
            if RESULT in numbers:
                raise Doubtful
        return numbers, result

    def _head(self, lines: Sequence[str]) -> tuple[Head, dict[str, str], int]:
        """The head, the tags, and the number of the first line after them."""
        kept: list[str] = []
        tags: dict[str, str] = {}
        at = next((at for at, line in enumerate(lines) if line.lstrip(" \t")[:1] in STEPS), len(lines))
        for line in lines[:at]:
            if line.startswith("tag"):
                plain = PLAIN_TAG.fullmatch(line)
                tags |= {plain[1]: plain[2]} if plain else self._match("\n".join([*kept, line])).tags
            elif line and not line.startswith("#"):
                if tags:
                    raise Doubtful
                kept.append(line)
        key = "\n".join(kept)
        if key not in self._known_heads:
            match = self._match(key)
            blank = np.zeros(1, match.game.dtype)
            match.game.blank(match.seats, match.options, match.rules_version).store(blank[0])
            self._known_heads[key] = Head(match.game, match.seats, blank.tobytes())
        return self._known_heads[key], tags, at

    def _match(self, text: str) -> Match:
        match = Match.load(text, deck=self.deck)
        if match.lines or match.annulled:
            raise Doubtful
        return match

    def replay(self) -> dict[str, Any]:
        """The arrays of a `Dataset`. Raises Doubtful, or whatever a line raises that means nothing."""
        assert self.texts is not None
        texts, game, n = self.texts, self.texts.game, len(self.names)
        who = texts.who
        lines, ends = np.array(self.lines, np.int64), np.array(self._ends, np.int64)
        decided = np.concatenate([[0], np.cumsum(who[lines] < game.max_seats)])
        begins = np.concatenate([[0], ends[:-1]])
        rows, states = int(decided[-1]), np.frombuffer(b"".join(h.blank for h in self._heads), game.dtype).copy()
        zeros = np.zeros
        w = replaying.Workspace(
            states=states, cells=states.view(np.int8).reshape(n, game.dtype.itemsize), lines=lines,
            at=begins.copy(), end=ends, row=decided[begins], status=zeros(n, np.int64), found=np.full(n, NONE),
            occasion=zeros(n, np.int64), given=zeros((n, game.max_seats), np.int64),
            scores=zeros((n, game.max_seats), np.int64), who=who, root=texts.root, questions=texts.questions,
            edges=texts.edges, weights=zeros(game.outcomes, np.int64), words=zeros(game.words, np.int64),
            seat=zeros(rows, np.int64), action=zeros(rows, np.int64), mask=zeros((rows, game.actions), np.int8),
            observation=zeros((rows, game.observation), np.int8),
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
        columns.forget()
        finished = w.status == OVER
        for m, line in enumerate(self._results):
            if line is not None and (not finished[m] or json.loads(line[1:]) != game.rules.result(columns.state(m))):
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


def quick_arrays(folder: Path, names: Sequence[str], deck: object = None) -> dict[str, Any] | None:
    """The arrays of a `Dataset` of records; None if one needs the reader that knows every error."""
    records = QuickRecords(deck)
    try:
        for name in names:
            with open(os.path.join(folder, name), "rb", buffering=0) as file:
                records.add(name, file.read().decode())
        return records.replay()
    except (Doubtful, TacitError, OSError, ValueError, LookupError, TypeError, AttributeError):
        return None
