"""What seats see as JSON, and what they may decide, by compiled rules: for a server, where that takes the largest part
of a decision.

One call of compiled code works out what each seat knows, by the game's `know`, and from that alone the keys of its
view's fragments (core/fragments.py) and of its legal decisions. A table has a number for each key; the texts of these
numbers are made once, in Python; those of a view are joined.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping, Sequence
from sys import intern
from typing import Any, NamedTuple

import msgspec
import numpy as np

from tacit.core.bits import local_cells
from tacit.core.fragments import Fragments
from tacit.core.game import Game, Signal
from tacit.core.messages import Message
from tacit.core.random_play import NOBODY, S, due, know, legal
from tacit.core.rulekit import build, hook, machine_code, rule
from tacit.core.state_layout import Cells, PlainState
from tacit.core.workspace import IntRows, Ints, States

EYES = 7  # six seats, and last NOBODY, which is -1
TEXTS = (
    1 << 16
)  # in the table; when it is full it begins anew. Of Silencio 1.5 a decision are new at first, 0.6 when it is full
SLOTS, LONG = 2 * TEXTS, 8 * TEXTS
# What the plan says of each fragment: how many numbers its key has, whether it is a list, whether signals are a part of
# its key, of which objects the items of a list are (-1: of none), and the number of the text before these.
NUMBERS, IS_LIST, IS_SIGNALLED, INNER, OPENING = range(5)
# And of each kind of objects, of which the view is the first: its fragments, how many numbers come before its lists,
# the number of the text at its end.
BEGIN, END, SINGLES, CLOSING = range(4)
# The object that is being joined: its kind, its next fragment, where its next key is, where that of the next item of a
# list is, how many items are left (-1: it has not begun), whether one came before, whether an object came before.
KIND, FRAGMENT, SINGLE, LISTED, LEFT, BEGUN, FOLLOWS, FRAME = range(8)
# A slot of the table, half a cache line: the fragment with all that is a part of its key beside the numbers, and 1 (0:
# the slot is empty); its first two numbers, or of more of them their hash and where they are; the number of its text.
TAG, FIRST, SECOND, TEXT, SLOT = range(5)
INLINE = 2
USED, USED_LONG, NEW, COUNTS = range(4)  # how many texts and numbers of long keys there are, and how many texts are new


class Workspace(NamedTuple):
    """The arrays that views are made in."""

    states: States  # the whole state, and what one seat knows of it
    empty: States
    keys: IntRows  # of each seat's view
    parts: IntRows  # the numbers of the texts of each seat's view; the first says how many
    signalled: Ints  # for each seat, the number of the signals of its occasion
    mask: Ints  # of legal decisions
    actions: IntRows  # each seat's legal decisions; the first says how many
    decisions: IntRows  # the numbers of their texts
    plan: IntRows
    objects: IntRows
    slots: IntRows  # by hash
    long: Ints  # keys of more than two numbers
    new: IntRows  # of new texts: seat, fragment, where its key begins, its numbers, does it follow another
    counts: Ints


@hook
def view_keys(k: S, seat: int, keys: Cells) -> int:
    return 0


@hook
def decision_key(k: S, seat: int, action: int) -> int:
    return action


@rule
def mixed(x: int) -> int:
    """A number of 64 bits, mixed. Compiled only: it relies on their overflow."""
    x = (x ^ ((x >> 29) & 0x7FFFFFFFF)) * -7046029254386353131
    return (x ^ ((x >> 32) & 0xFFFFFFFF)) * -4658895280553007687


@rule
def text_of(eye: int, fragment: int, at: int, numbers: int, more: int, w: Workspace) -> int:
    """The number of the text of a fragment's key; a new one is noted. `more` is a part of the key, too: twice the
    number of the signals, and 1 if the text follows another of its list.
    """
    keys = w.keys[eye]
    tag = 1 + fragment + (numbers << 8) + (more << 24)
    first, second = keys[at] if numbers > 0 else 0, keys[at + 1] if numbers == INLINE else 0
    for i in range(numbers if numbers > INLINE else 0):
        first = mixed(first ^ (keys[at + i] + i))
    slot = (mixed(first ^ mixed(second ^ mixed(tag))) >> 40) & (SLOTS - 1)
    while w.slots[slot, TAG] != 0:
        if w.slots[slot, TAG] == tag and w.slots[slot, FIRST] == first:
            same, begin = numbers > INLINE or w.slots[slot, SECOND] == second, w.slots[slot, SECOND]
            for i in range(numbers if numbers > INLINE else 0):
                if w.long[begin + i] != keys[at + i]:
                    same = False
            if same:
                return int(w.slots[slot, TEXT])
        slot = (slot + 1) & (SLOTS - 1)
    text, n = int(w.counts[USED]), w.counts[NEW]
    if numbers > INLINE:
        second = w.counts[USED_LONG]
        for i in range(numbers):
            w.long[second + i] = keys[at + i]
        w.counts[USED_LONG] = second + numbers
    w.slots[slot, TAG], w.slots[slot, FIRST], w.slots[slot, SECOND], w.slots[slot, TEXT] = tag, first, second, text
    w.new[n, 0], w.new[n, 1], w.new[n, 2], w.new[n, 3], w.new[n, 4] = eye, fragment, at, numbers, more & 1
    w.counts[USED], w.counts[NEW] = text + 1, n + 1
    return text


@rule
def enter(frames: Cells, frame: int, kind: int, at: int, follows: int, w: Workspace) -> None:
    """Begin to join an object whose numbers begin at `at`."""
    frames[frame + KIND], frames[frame + FRAGMENT] = kind, w.objects[kind, BEGIN]
    frames[frame + SINGLE], frames[frame + LISTED] = at, at + w.objects[kind, SINGLES]
    frames[frame + LEFT], frames[frame + FOLLOWS] = -1, follows


@rule
def join(eye: int, w: Workspace) -> None:
    """Write the numbers of the texts of which a seat's view is joined, from its keys."""
    keys, parts, frames = w.keys[eye], w.parts[eye], local_cells()
    frame, end = 0, 1
    enter(frames, 0, 0, 0, 0, w)
    while frame >= 0:
        kind, fragment = frames[frame + KIND], frames[frame + FRAGMENT]
        if fragment == w.objects[kind, END]:
            parts[end] = w.objects[kind, CLOSING]
            end += 1
            frame -= FRAME
            if frame >= 0:
                frames[frame + LISTED] = frames[frame + FRAME + LISTED]
            continue
        numbers = w.plan[fragment, NUMBERS]
        more = 2 * w.signalled[eye] if w.plan[fragment, IS_SIGNALLED] == 1 else 0
        if w.plan[fragment, IS_LIST] == 0:
            if fragment == w.objects[kind, BEGIN]:
                more += frames[frame + FOLLOWS]
            parts[end] = text_of(eye, fragment, frames[frame + SINGLE], numbers, more, w)
            end += 1
            frames[frame + SINGLE] += numbers
            frames[frame + FRAGMENT] = fragment + 1
            continue
        if frames[frame + LEFT] < 0:
            parts[end] = w.plan[fragment, OPENING]
            end += 1
            frames[frame + LEFT], frames[frame + BEGUN] = keys[frames[frame + LISTED]], 0
            frames[frame + LISTED] += 1
        if frames[frame + LEFT] == 0:
            frames[frame + LEFT], frames[frame + FRAGMENT] = -1, fragment + 1
            continue
        at, begun = frames[frame + LISTED], frames[frame + BEGUN]
        frames[frame + LEFT], frames[frame + BEGUN] = frames[frame + LEFT] - 1, 1
        if w.plan[fragment, INNER] >= 0:
            frame += FRAME
            enter(frames, frame, w.plan[fragment, INNER], at, begun, w)
            continue
        if numbers == 0:
            numbers, at = keys[at], at + 1
        parts[end] = text_of(eye, fragment, at, numbers, more + begun, w)
        end += 1
        frames[frame + LISTED] = at + numbers
    parts[0] = end - 1


@rule
def list_decisions(eye: int, seat: int, at: int, w: Workspace) -> None:
    """Write the legal decisions of a seat and the numbers of their texts, whose keys begin at `at`."""
    k, actions, decisions, n = w.states[1], w.actions[eye], w.decisions[eye], 0
    if seat >= 0 and (due(k) >> seat) & 1:
        for word in range(len(w.mask)):
            w.mask[word] = 0
        legal(k, seat, w.mask)
        for action in range(64 * len(w.mask)):
            if (w.mask[action >> 6] >> (action & 63)) & 1:
                w.keys[eye, at + n] = decision_key(k, seat, action)
                n += 1
                actions[n], decisions[n] = action, text_of(eye, len(w.plan), at + n - 1, 1, 0, w)
    actions[0] = n


@rule
def join_all(eyes: int, w: Workspace) -> int:
    """Write all of this for a set of seats, the last bit NOBODY's, from the state; returns how many texts are new."""
    w.counts[NEW] = 0
    for eye in range(EYES):
        if (eyes >> eye) & 1:
            seat = eye if eye < EYES - 1 else NOBODY
            w.states[1] = w.empty[0]
            know(w.states[0], seat, w.states[1])
            at = view_keys(w.states[1], seat, w.keys[eye])
            join(eye, w)
            list_decisions(eye, seat, at, w)
    return int(w.counts[NEW])


class Seen(NamedTuple):
    """What one seat sees and may decide."""

    view: msgspec.Raw  # as JSON
    ask: Message | None  # what the view asks the seat
    decisions: dict[str, int]  # the numbers of its legal decisions by their texts


class CompiledViews:
    """The compiled views of one game with fragments. Compiles its rules, or loads them from the cache."""

    def __init__(self, game: Game) -> None:
        assert game.rules.fragments is not None  # `load` asks
        assert game.rules.decision_text is not None  # whoever has fragments has it
        self._view, self._decision_text = game.rules.fragments(), game.rules.decision_text
        most = game.rules.VIEW_KEYS + game.actions
        self._fragments: list[tuple[Fragments, int]] = []  # by number: of which object, and which of its fragments
        self._between: list[bytes] = []
        objects: list[list[int]] = []
        plan = self._planned(self._view, objects)
        most_new = EYES * most  # texts that one call may bring
        self._full, self._full_long = TEXTS - most_new, LONG - most_new
        w = self._work = Workspace(
            states=np.zeros(2, game.dtype),
            empty=np.zeros(1, game.dtype),
            keys=np.zeros((EYES, most), np.int64),
            parts=np.zeros((EYES, 3 * most + len(self._between) + 2), np.int64),
            signalled=np.zeros(EYES, np.int64),
            mask=np.zeros(game.words, np.int64),
            actions=np.zeros((EYES, game.actions + 1), np.int64),
            decisions=np.zeros((EYES, game.actions + 1), np.int64),
            plan=np.array(plan, np.int64),
            objects=np.array(objects, np.int64),
            slots=np.zeros((SLOTS, SLOT), np.int64),
            long=np.zeros(LONG, np.int64),
            new=np.zeros((most_new, 5), np.int64),
            counts=np.zeros(COUNTS, np.int64),
        )
        self._state: Any = memoryview(w.states.view(np.int8))
        self._keys, self._parts = [memoryview(row) for row in w.keys], [memoryview(row) for row in w.parts]
        self._actions = [memoryview(row) for row in w.actions]
        self._decisions = [memoryview(row) for row in w.decisions]
        self._signalled, self._counts = memoryview(w.signalled), memoryview(w.counts)
        self._new: Any = memoryview(w.new)
        self._signals: dict[tuple[Signal, ...], int] | None = {} if game.signals else None
        self._lock = threading.Lock()  # matches are replayed in threads
        self._begin()
        rules = build(game.module, "cpu", drivers=[sys.modules[__name__]])
        rules.join_all(0, w)
        self._join_all = machine_code(rules.join_all, w) or rules.join_all

    def of(self, state: PlainState, seats: Mapping[int, Sequence[Signal]]) -> dict[int, Seen]:
        """What these seats (NOBODY: a spectator) see in a state, each after the signals of its occasion, and what they
        may decide.
        """
        eyes, made, keys, parts, ask = 0, {}, self._keys, self._parts, self._view.ask
        with self._lock:
            state.pack(self._state)
            for seat, given in seats.items():
                eyes |= 1 << seat % EYES
                if self._signals is not None:
                    self._signalled[seat] = self._signals.setdefault(tuple(given), len(self._signals))
            if self._join_all(eyes, self._work):
                self._make_texts(seats)
            texts = self._texts
            for seat in seats:
                numbers = parts[seat]
                view = b"".join([texts[number] for number in numbers[1 : numbers[0] + 1]])
                end, decisions = self._actions[seat][0] + 1, {}
                if end > 1:
                    mine = [texts[number] for number in self._decisions[seat][1:end]]
                    decisions = dict(zip(mine, self._actions[seat][1:end], strict=True))
                made[seat] = Seen(msgspec.Raw(view), ask(keys[seat]), decisions)
            if len(texts) > self._full or self._counts[USED_LONG] > self._full_long:
                self._begin()
        return made

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
        """Begin with a table that has the texts between fragments alone."""
        self._texts: list[Any] = [*self._between]  # those of decisions are no bytes
        self._work.slots[:] = 0
        self._counts[USED], self._counts[USED_LONG] = len(self._texts), 0

    def _make_texts(self, seats: Mapping[int, Sequence[Signal]]) -> None:
        """Make the texts that are new."""
        for eye, fragment, at, numbers, follows in self._new[: self._counts[NEW]].tolist():
            key = self._keys[eye][at : at + numbers].tolist()
            if fragment == len(self._fragments):
                self._texts.append(intern(self._decision_text(*key)))
                continue
            made, number = self._fragments[fragment]
            if made.fragments[number].is_signalled:
                key.append(tuple(seats[eye if eye < EYES - 1 else NOBODY]))
            text = made.text(number, key)
            self._texts.append(b"," + text if follows else text)


_loaded: dict[Game, CompiledViews] = {}


def load(game: Game) -> None:
    """Compile a game's views, or load them from the cache, if it has fragments: from now on `loaded` has them."""
    if game.rules.fragments is not None and game not in _loaded:
        _loaded[game] = CompiledViews(game)


def loaded(game: Game) -> CompiledViews | None:
    """A game's compiled views, once they are loaded."""
    return _loaded.get(game)


def loaded_games() -> int:
    """Of how many games they are loaded."""
    return len(_loaded)
