"""The rules that `CompiledPlay` calls (core/compiled_play.py): steps, what seats hear of them, and what seats see.

What a seat sees and hears is written as numbers of texts, which are looked up in a table by keys: of the fragments of a
view (core/fragments.py), of legal decisions, of heard lines. Compiled only.
"""

from __future__ import annotations

from typing import NamedTuple

from tacit.core.bits import local_cells
from tacit.core.chance import pick
from tacit.core.random_play import CHANCE, NOBODY, S, chance, clear, due, know, legal, pool, step
from tacit.core.rulekit import hook, inlined, rule
from tacit.core.state_layout import Cells
from tacit.core.workspace import ByteRows, Bytes, IntRows, Ints, States

EYES = 7  # six seats, and last NOBODY, which is -1
TEXTS = 1 << 16  # in the table; when it is full it begins anew. After a hundred matches 0.1 to 0.8 a decision are new
SLOTS, LONG = 2 * TEXTS, 8 * TEXTS
BLOCK = 64  # bytes that are copied together; so many behind a text or a view may be overwritten
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
STATE, KNOWN, BEFORE, STATES = 0, 1, 2, 2 + EYES  # the whole state, what a seat knows of it, what each knew before
# Of a state, for everyone; the sum of the weights of what chance may do, where it is due; the last step and its text;
# and must what seats heard be read before the next one?
DUE, MOMENT, OCCASION, POOL, TOTAL, ACTION, TEXT_OF_STEP, MUST_HEAR, FACTS = range(9)
# Of what one seat hears of steps: is it new to the seat, how many lines came before the last step; if its curtain fell,
# one more than how many lines came before that. And of what it sees: may it signal, is it the occasion that all signals
# were given on.
IS_NEWS, LAST, FALLEN, MAY_SIGNAL, IS_OCCASION, TOLD = range(6)
LINES = 256  # that are kept of steps for each seat until they are read


class Table(NamedTuple):
    """Where the numbers of texts are looked up."""

    keys: IntRows  # of each seat's view and decisions; then of the lines that each hears
    slots: IntRows  # by hash
    long: Ints  # keys of more than two numbers
    new: IntRows  # of new texts: row and fragment, where its key begins, its numbers, does it follow another
    counts: Ints


class Workspace(NamedTuple):
    """The arrays of compiled play."""

    states: States
    raw: ByteRows  # the same, byte by byte
    empty: States
    table: Table
    facts: Ints
    told: IntRows
    heard: IntRows  # the numbers of the lines that each seat hears of steps; the first says how many
    weights: Ints  # of what chance may do
    parts: IntRows  # the numbers of the texts of each seat's view; the first says how many
    mask: Ints  # of legal decisions
    actions: IntRows  # each seat's legal decisions; the first says how many
    decisions: IntRows  # the numbers of their texts
    plan: IntRows
    objects: IntRows
    text: Bytes  # all texts of fragments
    spans: IntRows  # where each of them begins and ends
    views: ByteRows  # of each seat, as JSON
    sizes: Ints  # how long they are


@hook
def view_keys(k: S, seat: int, keys: Cells) -> int:
    return 0


@hook
def decision_key(s: S, who: int, action: int) -> int:
    return action


@hook
def hear_keys(before: S, who: int, action: int, after: S, keys: Cells) -> int:
    return 0


@hook
def curtain_falls(before: S, after: S) -> int:
    return 0


@hook
def sealed(s: S) -> int:
    return 0


@hook
def signallers(s: S) -> int:
    return 0


@hook
def occasion(s: S) -> int:
    return 0


@rule
def mixed(x: int) -> int:
    """A number of 64 bits, mixed. Compiled only: it relies on their overflow."""
    x = (x ^ ((x >> 29) & 0x7FFFFFFFF)) * -7046029254386353131
    return (x ^ ((x >> 32) & 0xFFFFFFFF)) * -4658895280553007687


@rule
def text_of(eye: int, fragment: int, at: int, numbers: int, more: int, t: Table) -> int:
    """The number of the text of a fragment's key; a new one is noted. `more` is a part of the key, too: twice the
    number of the signals, and 1 if the text follows another of its list.
    """
    keys = t.keys[eye]
    tag = 1 + fragment + (numbers << 8) + (more << 24)
    first, second = keys[at] if numbers > 0 else 0, keys[at + 1] if numbers == INLINE else 0
    for i in range(numbers if numbers > INLINE else 0):
        first = mixed(first ^ (keys[at + i] + i))
    slot = (mixed(first ^ mixed(second ^ mixed(tag))) >> 40) & (SLOTS - 1)
    while t.slots[slot, TAG] != 0:
        if t.slots[slot, TAG] == tag and t.slots[slot, FIRST] == first:
            same, begin = numbers > INLINE or t.slots[slot, SECOND] == second, t.slots[slot, SECOND]
            for i in range(numbers if numbers > INLINE else 0):
                if t.long[begin + i] != keys[at + i]:
                    same = False
            if same:
                return int(t.slots[slot, TEXT])
        slot = (slot + 1) & (SLOTS - 1)
    text, n = int(t.counts[USED]), t.counts[NEW]
    if numbers > INLINE:
        second = t.counts[USED_LONG]
        for i in range(numbers):
            t.long[second + i] = keys[at + i]
        t.counts[USED_LONG] = second + numbers
    t.slots[slot, TAG], t.slots[slot, FIRST], t.slots[slot, SECOND], t.slots[slot, TEXT] = tag, first, second, text
    t.new[n, 0], t.new[n, 1], t.new[n, 2], t.new[n, 3], t.new[n, 4] = eye, fragment, at, numbers, more & 1
    t.counts[USED], t.counts[NEW] = text + 1, n + 1
    return text


@rule
def enter(frames: Cells, frame: int, kind: int, at: int, follows: int, objects: IntRows) -> None:
    """Begin to join an object whose numbers begin at `at`."""
    frames[frame + KIND], frames[frame + FRAGMENT] = kind, objects[kind, BEGIN]
    frames[frame + SINGLE], frames[frame + LISTED] = at, at + objects[kind, SINGLES]
    frames[frame + LEFT], frames[frame + FOLLOWS] = -1, follows


@inlined
def join(eye: int, signals: int, w: Workspace) -> None:
    """Write the numbers of the texts of which a seat's view is joined, from its keys and the number of the signals."""
    keys, parts, frames = w.table.keys[eye], w.parts[eye], local_cells()
    frame, end = 0, 1
    enter(frames, 0, 0, 0, 0, w.objects)
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
        more = 2 * signals if w.plan[fragment, IS_SIGNALLED] == 1 else 0
        if w.plan[fragment, IS_LIST] == 0:
            if fragment == w.objects[kind, BEGIN]:
                more += frames[frame + FOLLOWS]
            parts[end] = text_of(eye, fragment, frames[frame + SINGLE], numbers, more, w.table)
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
            enter(frames, frame, w.plan[fragment, INNER], at, begun, w.objects)
            continue
        if numbers == 0:
            numbers, at = keys[at], at + 1
        parts[end] = text_of(eye, fragment, at, numbers, more + begun, w.table)
        end += 1
        frames[frame + LISTED] = at + numbers
    parts[0] = end - 1


@inlined
def list_decisions(eye: int, seat: int, at: int, w: Workspace) -> None:
    """Write the legal decisions of a seat and the numbers of their texts, whose keys begin at `at`."""
    k, actions, decisions, n = w.states[KNOWN], w.actions[eye], w.decisions[eye], 0
    if seat >= 0 and (due(k) >> seat) & 1:
        for word in range(len(w.mask)):
            w.mask[word] = 0
        legal(k, seat, w.mask)
        for action in range(64 * len(w.mask)):
            if (w.mask[action >> 6] >> (action & 63)) & 1:
                w.table.keys[eye, at + n] = decision_key(k, seat, action)
                n += 1
                actions[n], decisions[n] = action, text_of(eye, len(w.plan), at + n - 1, 1, 0, w.table)
    actions[0] = n


@rule
def write_views(eyes: int, w: Workspace) -> int:
    """Write the view of each of a set of seats, joined of its texts; returns 0, or -1 if there is no room for one."""
    room = 0
    for eye in range(EYES):
        if (eyes >> eye) & 1:
            parts, view, size = w.parts[eye], w.views[eye], 0
            for part in range(1, parts[0] + 1):
                begin, end = w.spans[parts[part], 0], w.spans[parts[part], 1]
                if size + end - begin + BLOCK > len(view):
                    room = -1
                    break
                to, of, at = view[size:], w.text[begin:], 0
                while at < end - begin:
                    for i in range(BLOCK):  # which processors copy at once
                        to[at + i] = of[at + i]
                    at += BLOCK
                size += end - begin
            w.sizes[eye] = size
    return room


@rule
def seat_of(eye: int) -> int:
    """The seat that an eye is of; the last is NOBODY's."""
    return eye if eye < EYES - 1 else NOBODY


@inlined
def know_as(eye: int, at: int, w: Workspace) -> None:
    """Fill states[at] with what a seat knows."""
    w.states[at] = w.empty[0]
    know(w.states[STATE], seat_of(eye), w.states[at])


@rule
def look(eyes: int, signals: int, w: Workspace) -> int:
    """Write what each of a set of seats, the last bit NOBODY's, sees of the state after these signals, by their number,
    and what it may decide; returns how many texts are new: once they are made, views are to be written. Without any
    returns what `write_views` does.
    """
    w.table.counts[NEW] = 0
    now = occasion(w.states[STATE])
    for eye in range(EYES):
        if (eyes >> eye) & 1:
            seat = seat_of(eye)
            know_as(eye, KNOWN, w)
            k = w.states[KNOWN]
            is_occasion = 1 if occasion(k) == now else 0
            w.told[eye, IS_OCCASION] = is_occasion
            w.told[eye, MAY_SIGNAL] = (signallers(k) >> seat) & 1 if seat >= 0 else 0
            at = view_keys(k, seat, w.table.keys[eye])
            join(eye, signals * is_occasion, w)
            list_decisions(eye, seat, at, w)
    new = w.table.counts[NEW]
    return int(new) if new > 0 else write_views(eyes, w)


@rule
def differ(one: int, other: int, w: Workspace) -> int:
    """1 if two states differ, else 0."""
    different = 0
    for i in range(len(w.raw[0])):
        different |= w.raw[one, i] ^ w.raw[other, i]
    return 1 if different != 0 else 0


@rule
def make_step(who: int, action: int, eyes: int, w: Workspace) -> int:
    """Make a step, and add what each of a set of seats hears of it to what it heard of those before; write who is due
    then, and what chance may do. Returns how many texts are new. A step of NOBODY is none. An action -1 - n is the
    outcome that the number n falls on, of those that chance could have after the step before.
    """
    w.table.counts[NEW] = 0
    if who < 0:
        return 0
    s = w.states[STATE]
    if action < 0:
        action = pick(w.weights, -1 - action)
    w.facts[ACTION] = action
    w.table.keys[0, 0] = decision_key(s, who, action)
    w.facts[TEXT_OF_STEP] = text_of(0, len(w.plan), 0, 1, 0, w.table)
    for eye in range(EYES):
        if (eyes >> eye) & 1:
            know_as(eye, BEFORE + eye, w)
    step(s, who, action)
    for eye in range(EYES):
        if (eyes >> eye) & 1:
            know_as(eye, KNOWN, w)
            before, after = w.states[BEFORE + eye], w.states[KNOWN]
            n, begin = hear_keys(before, who, action, after, w.table.keys[EYES + eye]), w.heard[eye, 0]
            for i in range(n):
                w.heard[eye, 1 + begin + i] = text_of(EYES + eye, len(w.plan) + 1, i, 1, 0, w.table)
            w.heard[eye, 0] = begin + n
            w.told[eye, LAST] = begin
            if n > 0 or differ(BEFORE + eye, KNOWN, w) == 1:
                w.told[eye, IS_NEWS] = 1
            if curtain_falls(before, after) != 0:
                w.told[eye, FALLEN] = 1 + begin
            if w.told[eye, FALLEN] != 0 or begin + n > LINES:
                w.facts[MUST_HEAR] = 1
    now = due(s)
    w.facts[DUE], w.facts[MOMENT], w.facts[OCCASION] = now, sealed(s), occasion(s)
    if now == CHANCE:
        clear(w.weights)
        w.facts[POOL], w.facts[TOTAL] = pool(s), chance(s, w.weights)
    return int(w.table.counts[NEW])
