"""Steps, what seats hear of them, what seats see as JSON and what they may decide, by compiled rules: for a server,
where interpreted rules take most of a decision.

One call of compiled code makes a step and works out what each seat knew before it and knows after it, by the game's
`know`, and from these two alone the keys of the lines that it hears. Another works out the keys of its view's fragments
(core/fragments.py) and of its legal decisions, from what it knows alone. A table has a number for each key; the texts
of these numbers are made once, in Python; those of a view are joined by compiled code again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from sys import intern
from typing import Any

import msgspec
import numpy as np

from tacit.core import compiled_steps
from tacit.core.compiled_steps import (
    BLOCK,
    COUNTS,
    EYES,
    FACTS,
    FALLEN,
    IS_NEWS,
    IS_OCCASION,
    LAST,
    LINES,
    LONG,
    MAY_SIGNAL,
    MUST_HEAR,
    NEW,
    POOL,
    SLOT,
    SLOTS,
    STATE,
    STATES,
    TEXT_OF_STEP,
    TEXTS,
    TOLD,
    TOTAL,
    USED,
    USED_LONG,
    Table,
    Workspace,
)
from tacit.core.fragments import Fragments
from tacit.core.game import Game, Signal
from tacit.core.random_play import NOBODY
from tacit.core.rulekit import build, machine_code

MOST_BYTES = 1 << 24  # of the texts of fragments; then the table begins anew, as it does when it is full


class Seen(msgspec.Struct, frozen=True, gc=False):
    """What one seat sees and may decide."""

    view: msgspec.Raw  # as JSON
    asked: str | None  # the code of what the view asks the seat
    decisions: dict[str, int]  # the numbers of its legal decisions by their texts
    may_signal: bool
    is_occasion: bool  # of the signals: it knows that they are about what is to be decided now


class CompiledPlay:
    """Compiled play of one game with fragments. Compiles its rules, or loads them from the cache."""

    def __init__(self, game: Game) -> None:
        c = game.rules
        assert c.fragments is not None  # `load` asks
        assert c.decision_text is not None  # whoever has fragments has these
        assert c.line_text is not None
        self._view = c.fragments()
        self._fragments: list[tuple[Fragments, int]] = []  # by number: of which object, and which of its fragments
        self._between: list[bytes] = []
        objects: list[list[int]] = []
        plan = self._planned(self._view, objects)
        self._one_number: list[Callable[[int], str]] = [c.decision_text, c.line_text]  # after the fragments
        most = max(c.VIEW_KEYS + game.actions, c.HEAR_KEYS)
        most_new = EYES * most + 1  # texts that one call may bring
        self._full, self._full_long = TEXTS - most_new, LONG - most_new
        states = np.zeros(STATES, game.dtype)
        table = Table(
            keys=np.zeros((2 * EYES, most), np.int64),
            slots=np.zeros((SLOTS, SLOT), np.int64),
            long=np.zeros(LONG, np.int64),
            new=np.zeros((most_new, 5), np.int64),
            counts=np.zeros(COUNTS, np.int64),
        )
        w = self._work = Workspace(
            states=states,
            raw=states.view(np.int8).reshape(STATES, -1),
            empty=np.zeros(1, game.dtype),
            table=table,
            facts=np.zeros(FACTS, np.int64),
            told=np.zeros((EYES, TOLD), np.int64),
            heard=np.zeros((EYES, 1 + LINES + c.HEAR_KEYS), np.int64),
            weights=np.zeros(game.outcomes, np.int64),
            parts=np.zeros((EYES, 3 * most + len(self._between) + 2), np.int64),
            mask=np.zeros(game.words, np.int64),
            actions=np.zeros((EYES, game.actions + 1), np.int64),
            decisions=np.zeros((EYES, game.actions + 1), np.int64),
            plan=np.array(plan, np.int64),
            objects=np.array(objects, np.int64),
            text=np.zeros(1 << 16, np.int8),
            spans=np.zeros((TEXTS, 2), np.int64),
            views=np.zeros((EYES, 1 << 12), np.int8),
            sizes=np.zeros(EYES, np.int64),
        )
        self._state = memoryview(w.raw[STATE]).cast("B")
        self._keys = [memoryview(row) for row in table.keys]
        self._view_keys = self._keys[:EYES]  # the last, NOBODY's, is at -1, as in the others
        self._heard, self._told = [memoryview(row) for row in w.heard], [memoryview(row) for row in w.told]
        self._actions = [memoryview(row) for row in w.actions]
        self._decisions = [memoryview(row) for row in w.decisions]
        self.facts: Any = memoryview(w.facts)
        self._counts, self._weights = memoryview(table.counts), memoryview(w.weights)
        self._new: Any = memoryview(table.new)
        self._spans: Any = memoryview(w.spans)
        self._sizes = memoryview(w.sizes)
        self._views = [memoryview(row) for row in w.views]
        self._text: Any = memoryview(w.text).cast("B")
        self.lock = threading.Lock()  # matches are played in threads, too
        self._eyes = 0  # who hears of steps
        self._begin()
        rules = build(game.module, "cpu", drivers=[compiled_steps])
        rules.look(0, 0, w)
        rules.make_step(NOBODY, 0, 0, w)
        rules.write_views(0, w)
        self._look = machine_code(rules.look, w) or rules.look
        self._make_step = machine_code(rules.make_step, w) or rules.make_step
        self._write_views = machine_code(rules.write_views, w) or rules.write_views

    def begin(self, record: bytes, seats: Iterable[int]) -> None:
        """Begin with a state to make steps of which these seats (NOBODY: a spectator) hear. The caller holds `lock`,
        and asks at the end what they have `heard`.
        """
        self._state[:], self._eyes, self.facts[TOTAL] = record, 0, 0
        for seat in seats:
            self._eyes |= 1 << seat % EYES

    def step(self, who: int, action: int) -> str:
        """Make a step: its text. Then `facts` tells of it and of the state after it. After another step an `action` of
        chance may be -1 - n: what the number n, below the sum of the weights, falls on.
        """
        if self._make_step(who, action, self._eyes, self._work):
            self._make_texts(())
            if self._is_full():
                self.facts[MUST_HEAR] = 1
        text: str = self._texts[self.facts[TEXT_OF_STEP]]
        return text

    def draw(self) -> tuple[list[int], int]:
        """What chance may do now, and the pool."""
        return self._weights.tolist(), self.facts[POOL]

    def record(self) -> bytes:
        """The state after the steps."""
        return self._state.tobytes()

    def heard(self, seats: Iterable[int]) -> Iterator[tuple[int, list[str], int, int, bool]]:
        """Of each seat the lines that it has heard; how many of them before the last step, and before its curtain fell
        (-1: it did not); and is there any news? From now on they hear anew.
        """
        texts = self._texts
        for seat in seats:
            numbers, told = self._heard[seat], self._told[seat]
            lines = [texts[number] for number in numbers[1 : numbers[0] + 1].tolist()]
            yield seat, lines, told[LAST], told[FALLEN] - 1, told[IS_NEWS] == 1
            numbers[0] = told[IS_NEWS] = told[FALLEN] = 0
        self.facts[MUST_HEAR] = 0
        self._begin_if_full()

    def look(self, record: bytes, seats: Iterable[int], given: Sequence[Signal]) -> dict[int, Seen]:
        """What these seats (NOBODY: a spectator) see in a state, after the signals given in it, and what they may
        decide.
        """
        eyes, made, keys, asked = 0, {}, self._view_keys, self._view.asked
        for seat in seats:
            eyes |= 1 << seat % EYES
        with self.lock:
            self._state[:] = record
            number = self._signals.setdefault(tuple(given), len(self._signals)) if given else 0
            left = new = self._look(eyes, number, self._work)
            while left:
                if left > 0:
                    self._make_texts(given)
                else:
                    self._make_room()
                left = self._write_views(eyes, self._work)
            texts, sizes, views = self._texts, self._sizes, self._views
            for seat in seats:
                view, told = views[seat][: sizes[seat]].tobytes(), self._told[seat]
                end, decisions = self._actions[seat][0] + 1, {}
                if end > 1:
                    mine = [texts[number] for number in self._decisions[seat][1:end].tolist()]
                    decisions = dict(zip(mine, self._actions[seat][1:end].tolist(), strict=True))
                may_signal, is_occasion = told[MAY_SIGNAL] == 1, told[IS_OCCASION] == 1
                made[seat] = Seen(msgspec.Raw(view), asked(keys[seat]), decisions, may_signal, is_occasion)
            if new:
                self._begin_if_full()
        return made

    def _is_full(self) -> bool:
        """May the texts of another call find no room?"""
        return (
            len(self._texts) > self._full
            or self._counts[USED_LONG] > self._full_long
            or self._size > MOST_BYTES
            or len(self._signals) > TEXTS
        )

    def _begin_if_full(self) -> None:
        if self._is_full():
            self._begin()

    def _make_room(self) -> None:
        """Make room for views that are twice as long."""
        views = np.zeros((EYES, 2 * self._work.views.shape[1]), np.int8)
        self._work = self._work._replace(views=views)
        self._views = [memoryview(row) for row in views]

    def _planned(self, made: Fragments, objects: list[list[int]]) -> list[list[int]]:
        """The plan of objects, a row for each fragment, and of those that they are made of; adds to `objects`."""
        begin, count = len(self._fragments), len(made.fragments)
        self._fragments += [(made, number) for number in range(count)]
        objects.append([begin, begin + count, made.singles, self._text_between(made.end)])
        rows: list[list[int]] = []
        inner_rows: list[list[int]] = []
        for number, one in enumerate(made.fragments):
            opening, inner = self._text_between(made.before(number)) if one.is_list else -1, -1
            if isinstance(one.make, Fragments):
                inner = len(objects)
                inner_rows += self._planned(one.make, objects)
            rows.append([one.key, int(one.is_list), int(one.is_signalled), inner, opening])
        return rows + inner_rows

    def _text_between(self, text: bytes) -> int:
        """The number of a text that stands between fragments."""
        self._between.append(text)
        return len(self._between) - 1

    def _begin(self) -> None:
        """Begin with a table that has the texts between fragments alone. Nobody has heard anything yet."""
        self._signals: dict[tuple[Signal, ...], int] = {(): 0}
        self._work.heard[:, 0] = 0
        self._texts: list[str] = []  # of decisions and lines, by number; nothing for those of fragments
        self._size = 0  # of the texts of fragments
        for text in self._between:
            self._add(text)
        self._work.table.slots[:] = 0
        self._counts[USED], self._counts[USED_LONG] = len(self._texts), 0

    def _add(self, text: bytes) -> None:
        """Add a fragment's text."""
        begin, end = self._size, self._size + len(text)
        while end + BLOCK > len(self._text):
            self._work = self._work._replace(text=np.append(self._work.text, np.zeros_like(self._work.text)))
            self._text = memoryview(self._work.text).cast("B")
        self._text[begin:end] = text
        number = len(self._texts)
        self._spans[number, 0], self._spans[number, 1], self._size = begin, end, end
        self._texts.append("")

    def _make_texts(self, given: Sequence[Signal]) -> None:
        """Make the texts that are new; `given` are the signals."""
        try:
            self._add_texts(given)
        except Exception:
            self._begin()  # else numbers would be given away that have no text
            raise

    def _add_texts(self, given: Sequence[Signal]) -> None:
        for row, fragment, at, numbers, follows in self._new[: self._counts[NEW]].tolist():
            key = self._keys[row][at : at + numbers].tolist()
            if fragment >= len(self._fragments):
                self._texts.append(intern(self._one_number[fragment - len(self._fragments)](*key)))
                continue
            made, number = self._fragments[fragment]
            if made.fragments[number].is_signalled:
                key.append(tuple(given) if self._told[row][IS_OCCASION] else ())
            text = made.text(number, key)
            self._add(b"," + text if follows else text)


_loaded: dict[Game, CompiledPlay] = {}


def load(game: Game) -> None:
    """Compile a game, or load it from the cache, if it has fragments: from now on `loaded` has it."""
    if game.rules.fragments is not None and game not in _loaded:
        _loaded[game] = CompiledPlay(game)


def loaded(game: Game) -> CompiledPlay | None:
    """The compiled play of a game, once it is loaded."""
    return _loaded.get(game)


def loaded_games() -> int:
    """Of how many games it is loaded."""
    return len(_loaded)
