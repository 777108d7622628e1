"""What the lines of records mean, found out once: numbers instead of texts, for `tacit.research.replaying`.

A game's `parse` is given a state that notes what is asked of it. The same answers give the same decision: so a text
becomes a tree of questions about the state's bytes, and is parsed anew only where an answer is new.
"""

from __future__ import annotations

import operator
import re
from typing import Any

import numpy as np

from tacit.core.game import Game
from tacit.core.random_play import CHANCE
from tacit.core.rulekit import build
from tacit.research import replaying
from tacit.research.replaying import ANY, EDGE, NONE, RESULT, SIGNAL, SKIP, TARGET, TEXT, UNKNOWN, Texts

STEP = re.compile(r"(\*|(?:! )?(?:0|[1-9][0-9]?))(?: (.*))?")
FEWEST_SLOTS = 1 << 12  # of the table of lines
MOST_ANSWERS = 48  # to one question: a set of cards has too many
MOST_PLAIN = 255  # of a number that is no set of cards
Question = tuple[int, int, int]
Asked = dict[Question, int]  # the answers, in the order of the questions


class Cell:
    """A number of a state; what is asked of it is noted: is it this, or what is it."""

    __slots__ = ("asked", "place", "value")

    def __init__(self, value: int, place: tuple[int, int], asked: Asked) -> None:
        self.value, self.place, self.asked = value, place, asked

    def whole(self) -> int:
        self.asked[(*self.place, ANY)] = self.value
        return self.value

    def __eq__(self, other: object) -> bool:
        if type(other) is not int:
            return self.whole() == other
        self.asked[(*self.place, other)] = int(self.value == other)
        return self.value == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return self != 0

    def __hash__(self) -> int:
        return hash(self.whole())

    def __format__(self, spec: str) -> str:
        return format(self.whole(), spec)

    def __getattr__(self, name: str) -> Any:  # bit_length, bit_count
        return getattr(self.whole(), name)


def _asks_whole(operation: Any) -> Any:
    def method(self: Cell, *others: Any) -> Any:
        return operation(self.whole(), *(o.whole() if isinstance(o, Cell) else o for o in others))

    return method


def _asks_whole_reflected(operation: Any) -> Any:
    return lambda self, other: operation(other, self.whole())


for _name in ("index", "int", "neg", "invert", "str", "lt", "le", "gt", "ge"):
    setattr(Cell, f"__{_name}__", _asks_whole({"int": int, "str": str}.get(_name) or getattr(operator, _name)))
for _name in ("add", "sub", "mul", "floordiv", "mod", "and_", "or_", "xor", "lshift", "rshift"):
    _operation, _bare = getattr(operator, _name), _name.rstrip("_")
    setattr(Cell, f"__{_bare}__", _asks_whole(_operation))
    setattr(Cell, f"__r{_bare}__", _asks_whole_reflected(_operation))


class Columns:
    """The states in an array, for interpreted rules that only read: a state's fields are converted when they are read.

    Args:
        game: The game.
        states: The array.
        lists: Arrays in the states are converted for all states at once, which is faster if most of them are read.
    """

    def __init__(self, game: Game, states: Any, lists: bool = False) -> None:
        self.lists = lists
        self.states, self.bytes = states, memoryview(states.view(np.uint8))
        self.places: dict[str, Any] = dict(game.dtype.fields or {})
        self.numbers: dict[str, list[int]] = {}

    def forget(self) -> None:
        """The states have changed."""
        self.numbers = {}

    def state(self, m: int) -> Any:
        """The state number m."""
        return _Row(self, m)

    def read(self, m: int, name: str) -> Any:
        """A number, or a sequence of numbers."""
        dtype, offset, *_ = self.places[name]
        if dtype.shape and not (self.lists and len(dtype.shape) == 1):
            begin = m * self.states.itemsize + offset
            return self.bytes[begin : begin + dtype.itemsize].cast(dtype.base.char, dtype.shape)
        if name not in self.numbers:
            self.numbers[name] = self.states[name].tolist()
        return self.numbers[name][m]


class _Row:
    """One of the states of `Columns`."""

    def __init__(self, columns: Columns, m: int) -> None:
        self._columns, self._m = columns, m

    def __getattr__(self, name: str) -> Any:
        value = self._columns.read(self._m, name)
        setattr(self, name, value)
        return value


class _NotedRow(_Row):
    """One of the states of `Columns`, whose numbers are `Cell`s."""

    def __init__(self, columns: Columns, m: int, asked: Asked) -> None:
        super().__init__(columns, m)
        self._asked = asked

    def __getattr__(self, name: str) -> Any:
        value = self._columns.read(self._m, name)
        dtype, offset, *_ = self._columns.places[name]
        if dtype.shape:
            return _NotedArray(value, offset, self._asked)
        return Cell(value, (offset, dtype.itemsize), self._asked)


class _NotedArray:
    """An array in a state."""

    def __init__(self, array: memoryview, offset: int, asked: Asked) -> None:
        self._array, self._offset, self._asked = array, offset, asked

    def __getitem__(self, at: Any) -> Cell:
        place = 0
        index = tuple(map(operator.index, at)) if isinstance(at, tuple) else (operator.index(at),)
        value = self._array[index if len(index) > 1 else index[0]]
        for number, size in zip(index, self._array.shape or (), strict=True):
            place = place * size + number % size
        width = self._array.itemsize
        return Cell(value, (self._offset + width * place, width), self._asked)

    def __len__(self) -> int:
        return len(self._array)


class LineTexts:
    """The texts of a game's lines by number, and what is known of their meaning.

    Args:
        game: The game.

    Attributes:
        numbers: The text of each line as it was read: its number, or SKIP.
        who: By text: a seat, CHANCE, or SIGNAL + seat.
        root: By text: the edge to its first question, or NONE.
        code: By text: what the game's `encode_text` makes of it, or NONE.
        table: The lines of `numbers`, for compiled rules.
        questions: See `replaying`.
        edges: See `replaying`.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.numbers: dict[str, int] = {}
        self._texts: list[str] = []
        self.who = np.full(256, NONE, np.int64)
        self.root = np.full(256, NONE, np.int64)
        self.code = np.full(256, NONE, np.int64)
        self.table = Texts(_empty_slots(FEWEST_SLOTS), np.zeros(1 << 16, np.int8))
        self._letters, self._rows = 0, 0  # of the table: how many are in use
        self._compiled = build(game.module, "cpu", drivers=[replaying])
        self.questions = np.zeros((1024, 4), np.int64)
        self.edges = np.zeros((1024, 3), np.int64)
        self._edges = 0  # how many there are
        self._questions: list[Question] = []
        self._answers: list[dict[int, int]] = []  # by question: the edge of each answer
        self._targets: dict[int, int] = {}  # by edge
        self._varied: set[int] = set()  # texts whose meaning depends on a set of cards, which is hardly ever the same

    def number(self, line: str) -> int:
        """The number of a line; SKIP or RESULT. Raises ValueError if no record has such a line."""
        if line in self.numbers:
            return self.numbers[line]
        bare = line.strip(" \t")
        if bare.startswith("="):
            return RESULT
        if not bare or bare.startswith("#"):
            self.numbers[line] = SKIP
            return SKIP
        bare = bare.partition("#")[0].rstrip(" \t")
        if bare != line:
            self.numbers[line] = self.number(bare)
            return self.numbers[line]
        found = STEP.fullmatch(line)
        if found is None:
            raise ValueError(line)
        seat, text = found[1], found[2] or ""
        if seat.startswith("!"):
            signal, _, text = line[2:].partition(" ")
            if text not in self.game.signals or int(signal) >= self.game.max_seats:
                raise ValueError(line)
            who = SIGNAL + int(signal)
        else:
            who = CHANCE if seat == "*" else int(seat)
            if who != CHANCE and who >= self.game.max_seats:
                raise ValueError(line)
        number = self.numbers[line] = len(self._texts)
        self._texts.append(text)
        self.root, self.who, self.code = (_with_room(a, number + 1) for a in (self.root, self.who, self.code))
        self.who[number] = who
        if self.game.rules.encode_text is not None and who < self.game.max_seats:
            self.code[number] = self.game.rules.encode_text(text)
        return number

    def number_all(self, letters: bytes) -> tuple[Any, Any]:
        """The number of each line, and where it ends; every line ends with a line feed.

        Raises ValueError if no record has such a line.
        """
        cells, most = np.frombuffer(letters, np.int8), letters.count(b"\n")
        numbers, ends = np.zeros(most, np.int64), np.zeros(most, np.int64)
        self._compiled.number_lines(cells, self.table, numbers, ends)
        unknown = np.flatnonzero(numbers == UNKNOWN)
        if len(unknown):
            begins = np.where(unknown > 0, ends[unknown - 1] + 1, 0)
            found: dict[bytes, int] = {}
            places: list[int] = []  # where each was first found
            for at, begin, end in zip(unknown.tolist(), begins.tolist(), ends[unknown].tolist(), strict=True):
                line = letters[begin:end]
                if line not in found:
                    found[line] = self.number(line.decode())
                    places.append(at)
                numbers[at] = found[line]
            first = np.isin(unknown, places, assume_unique=True)
            self._add(cells, begins[first], ends[places], numbers[places])
        return numbers, ends

    def _add(self, cells: Any, begins: Any, ends: Any, numbers: Any) -> None:
        """Put lines into the table."""
        self._rows += len(begins)
        slots, letters = self.table
        if 2 * self._rows > len(slots):
            slots = _empty_slots(1 << (2 * self._rows).bit_length())
            self._compiled.move_slots(self.table.slots, slots)
        needed = self._letters + int((ends - begins).sum())
        if needed > len(letters):
            letters = np.zeros(2 * needed, np.int8)
            letters[: self._letters] = self.table.letters[: self._letters]
        self.table = Texts(slots, letters)
        self._letters = self._compiled.add_lines(cells, begins, ends, numbers, self._letters, self.table)

    def meaning(self, text: int, columns: Columns, m: int) -> tuple[int, bool]:
        """The decision or outcome that a text means in states[m], and whether that is kept for the next time.

        Raises an exception if it means none there.
        """
        asked: Asked = {}
        noted: Any = _NotedRow(columns, m, asked)
        rules, who = self.game.rules, int(self.who[text])
        if text in self._varied:
            return int(rules.parse(columns.state(m), who, self._texts[text])), False
        if who != CHANCE:
            action = int(rules.parse(noted, who, self._texts[text]))
        else:
            state = columns.state(m)
            shown = {rules.show(state, CHANCE, o): o for o, weight in enumerate(self.game.chance(state)) if weight}
            action = shown[self._texts[text]]
            rules.show(noted, CHANCE, action)
            return action, self._keep(text, asked, action)
        if any(question[2] == ANY and not -1 <= answer <= MOST_PLAIN for question, answer in asked.items()):
            self._varied.add(text)
            return action, False
        return action, self._keep(text, asked, action)

    def _keep(self, text: int, asked: Asked, action: int) -> bool:
        """Write questions and answers into the tree of a text; False if one has too many answers."""
        if self.root[text] == NONE:
            self.root[text] = self._new_edge(0, NONE)
        edge = int(self.root[text])
        for question, answer in asked.items():
            if edge not in self._targets:
                self._targets[edge] = self._new_question(question)
                self.edges[edge, TARGET] = self._targets[edge]
            number = self._targets[edge]
            if number < 0 or self._questions[number] != question:
                return False  # a text with two meanings asks other questions for each; one of them is kept
            answers = self._answers[number]
            if answer not in answers:
                if len(answers) == MOST_ANSWERS:
                    return False
                answers[answer] = self._new_edge(answer, int(self.questions[number, EDGE]))
                self.questions[number, EDGE] = answers[answer]
            edge = answers[answer]
        if edge not in self._targets:
            self._targets[edge] = -1 - action
            self.edges[edge, TARGET] = -1 - action
        return True

    def _new_question(self, question: Question) -> int:
        self._questions.append(question)
        self._answers.append({})
        self.questions = _with_room(self.questions, len(self._questions))
        self.questions[len(self._questions) - 1] = (*question, NONE)
        return len(self._questions) - 1

    def _new_edge(self, answer: int, after: int) -> int:
        self._edges += 1
        self.edges = _with_room(self.edges, self._edges)
        self.edges[self._edges - 1] = (answer, NONE, after)
        return self._edges - 1


def _empty_slots(n: int) -> Any:
    slots = np.zeros((n, 4), np.int64)
    slots[:, TEXT] = UNKNOWN
    return slots


def _with_room(rows: Any, n: int) -> Any:
    """An array with room for n rows: the same, or a larger copy; what is new is NONE."""
    if n <= len(rows):
        return rows
    larger = np.full((2 * len(rows), *rows.shape[1:]), NONE, np.int64)
    larger[: len(rows)] = rows
    return larger
