"""Records replayed compiled, many matches at a time: `build(game.module, "cpu", drivers=[replaying])`.

A line of a record is a number here, its *text*. What a text means may depend on the state: a game's `parse` reads a
few fields of it. `tacit.research.line_texts` finds out which, and writes them down as a tree of questions over the
bytes of a state; here the questions are asked.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tacit.core.bits import marked
from tacit.core.random_play import CHANCE, chance, clear, due, legal, observe, score, start, step
from tacit.core.rulekit import hook, inlined, rule
from tacit.core.workspace import ByteRows, Bytes, IntRows, Ints, States
from tacit.research.bot_matches import occasion, signallers
from tacit.research.stepping import unpack

SIGNAL = 2 * CHANCE  # in `who`: SIGNAL + seat gives a signal
READY, UNREAD, WRONG, OVER = range(4)  # in `status`; a match whose lines are all replayed is READY, or OVER
OFFSET, WIDTH, OPERAND, EDGE = range(4)  # the cells of a question: about which bytes, is it this (ANY: what is it)
ANSWER, TARGET, NEXT = range(3)  # the cells of an edge: another question, or -1 - the number of the decision
ANY = -(1 << 62)
NONE = -1  # no such edge, nothing found
SKIP, RESULT, UNKNOWN = -1, -2, -3  # in place of a text: an empty line or a comment; how the match ended; not known
LINE_FEED, FNV_BASIS, FNV_PRIME, LOW = 10, -3750763034362895579, 1099511628211, (1 << 32) - 1
HASH, TEXT, BEGIN, SIZE = range(4)  # the cells of a row of `Texts.slots`


class Workspace(NamedTuple):
    """The arrays of some matches of one game; row m of each is one match, unless it says otherwise."""

    states: States
    cells: ByteRows  # the same memory, byte by byte
    lines: Ints  # the texts of all matches, one after the other
    at: Ints  # the line that is next
    end: Ints  # the line after the last
    row: Ints  # the row of the next decision
    status: Ints
    found: Ints  # what the next line means, where it was looked up outside; or NONE
    occasion: Ints
    given: IntRows  # how many signals each seat has given on this occasion
    scores: IntRows
    who: Ints  # by text
    root: Ints  # by text: the edge to its first question, or NONE
    code: Ints  # by text: as `decode_text` reads it, or NONE
    questions: IntRows
    edges: IntRows
    weights: Ints  # scratch memory
    words: Ints  # scratch memory
    seat: Ints  # from here on a row for each decision
    action: Ints
    mask: ByteRows
    observation: ByteRows


# ------------------------------------------------------------------ texts
class Texts(NamedTuple):
    """The lines that have a number, as a hash table with open addressing."""

    slots: IntRows  # a power of two of them; TEXT is UNKNOWN in an empty one
    letters: Bytes  # the lines themselves


@rule
def home_slot(code: int, last: int) -> int:
    """Where the search for a line with this hash begins."""
    return (code ^ (code >> 29)) & last


@rule
def slot_of(letters: Bytes, begin: int, end: int, texts: Texts) -> tuple[int, int]:
    """The row of a line in the table, or the empty one where it belongs; and its hash (like FNV-1a, but of words)."""
    code = FNV_BASIS
    at = begin
    while at + 8 <= end:
        word = 0
        for byte in range(8):
            word |= (letters[at + byte] & 255) << (8 * byte)
        code = (code ^ word) * FNV_PRIME
        code ^= (code >> 32) & LOW
        at += 8
    while at < end:
        code = (code ^ letters[at]) * FNV_PRIME
        at += 1
    last = len(texts.slots) - 1
    slot = home_slot(code, last)
    while texts.slots[slot, TEXT] != UNKNOWN:
        if texts.slots[slot, HASH] == code and texts.slots[slot, SIZE] == end - begin:
            first = texts.slots[slot, BEGIN] + 0
            same = True
            for at in range(end - begin):
                same = same and texts.letters[first + at] == letters[begin + at]
            if same:
                break
        slot = (slot + 1) & last
    return slot, code


@rule
def number_lines(letters: Bytes, texts: Texts, out: Ints, ends: Ints) -> int:
    """Write the number of each line, UNKNOWN where it has none, and where it ends; how many lines there are.

    Every line, the last one too, ends with a line feed.
    """
    lines, begin = 0, 0
    for at in range(len(letters)):
        if letters[at] == LINE_FEED:
            out[lines] = SKIP if at == begin else texts.slots[slot_of(letters, begin, at, texts)[0], TEXT]
            ends[lines] = at
            lines += 1
            begin = at + 1
    return lines


@rule
def add_lines(letters: Bytes, begins: Ints, ends: Ints, numbers: Ints, used: int, texts: Texts) -> int:
    """Put lines into the table, which has room; `used` letters are there already. How many there are then."""
    for line in range(len(begins)):
        begin, end = begins[line], ends[line]
        slot, code = slot_of(letters, begin, end, texts)
        if texts.slots[slot, TEXT] == UNKNOWN:
            texts.slots[slot, HASH] = code
            texts.slots[slot, TEXT] = numbers[line]
            texts.slots[slot, BEGIN] = used
            texts.slots[slot, SIZE] = end - begin
            for at in range(begin, end):
                texts.letters[used] = letters[at]
                used += 1
    return used


@rule
def move_slots(old: IntRows, new: IntRows) -> None:
    """Put what is in one table into a larger one, which is empty."""
    last = len(new) - 1
    for row in range(len(old)):
        if old[row, TEXT] != UNKNOWN:
            slot = home_slot(old[row, HASH], last)
            while new[slot, TEXT] != UNKNOWN:
                slot = (slot + 1) & last
            for cell in range(4):
                new[slot, cell] = old[row, cell]


# ------------------------------------------------------------------ meaning
@hook
def decode_text(s: Any, seat: int, code: int) -> int:
    """The decision that the text of a code means; NONE if it means none."""
    return NONE


@inlined
def field(m: int, offset: int, width: int, w: Workspace) -> int:
    """A signed integer of so many bytes in the state of match m."""
    value = int(w.cells[m, offset + width - 1])
    for at in range(width - 2, -1, -1):
        value = (value << 8) | (int(w.cells[m, offset + at]) & 255)
    return value


@inlined
def meaning(m: int, text: int, w: Workspace) -> int:
    """The number of the decision or outcome that a text means in match m; NONE where that is not known yet."""
    if w.code[text] != NONE:
        return decode_text(w.states[m], w.who[text], w.code[text])
    if w.root[text] == NONE:
        return NONE
    target = w.edges[w.root[text], TARGET] + 0
    while target >= 0:
        answer = field(m, w.questions[target, OFFSET], w.questions[target, WIDTH], w)
        if w.questions[target, OPERAND] != ANY:
            answer = 1 if answer == w.questions[target, OPERAND] else 0
        edge = w.questions[target, EDGE] + 0
        while edge != NONE and w.edges[edge, ANSWER] != answer:
            edge = w.edges[edge, NEXT] + 0
        if edge == NONE:
            return NONE
        target = w.edges[edge, TARGET] + 0
    return int(-1 - target)


@inlined
def replay_signal(m: int, seat: int, limit: int, w: Workspace) -> int:
    """READY if the seat may give a signal; else WRONG."""
    if due(w.states[m]) == 0 or (signallers(w.states[m]) >> seat) & 1 == 0 or w.given[m, seat] >= limit:
        return WRONG
    w.given[m, seat] += 1
    return READY


@inlined
def replay_step(m: int, text: int, who: int, w: Workspace) -> int:
    """Make the step of a line: READY, or UNREAD if it is not known what it means, or WRONG."""
    now = due(w.states[m])
    if now == 0 or (who == CHANCE) != (now == CHANCE):
        return WRONG
    if who != CHANCE and (now >> who) & 1 == 0:
        return WRONG
    action = w.found[m] + 0
    w.found[m] = NONE
    if action == NONE:
        action = meaning(m, text, w)
        if action == NONE:
            return UNREAD
    if who == CHANCE:
        chance(w.states[m], w.weights)
        if w.weights[action] == 0:
            return WRONG
    else:
        row = w.row[m] + 0
        clear(w.words)
        legal(w.states[m], who, w.words)
        if action >= 64 * len(w.words) or not marked(w.words, action):
            return WRONG
        unpack(w.words, w.mask[row])
        observe(w.states[m], who, w.observation[row])
        w.seat[row] = who
        w.action[row] = action
        w.row[m] = row + 1
    step(w.states[m], who, action)
    about = occasion(w.states[m])
    if about != w.occasion[m]:
        w.occasion[m] = about
        clear(w.given[m])
    return READY


@rule
def begin_matches(w: Workspace) -> None:
    """Start all matches; their states are blank."""
    for m in range(len(w.states)):
        start(w.states[m])
        w.occasion[m] = occasion(w.states[m])


@rule
def replay_matches(limit: int, w: Workspace) -> int:
    """Replay the lines of all matches that are READY, each as far as its texts are known; how many stopped before."""
    stopped = 0
    for m in range(len(w.states)):
        while w.status[m] == READY and w.at[m] < w.end[m]:
            text = w.lines[w.at[m]] + 0
            who = w.who[text] + 0
            if who >= SIGNAL:
                w.status[m] = replay_signal(m, who - SIGNAL, limit, w)
            else:
                w.status[m] = replay_step(m, text, who, w)
            if w.status[m] == READY:
                w.at[m] += 1
        if w.status[m] == UNREAD or w.status[m] == WRONG:
            stopped += 1
        elif w.status[m] == READY and due(w.states[m]) == 0:
            clear(w.scores[m])
            score(w.states[m], w.scores[m])
            w.status[m] = OVER
    return stopped
