"""Lessons: prepared positions of a game, which decisions are right there, and why the others are not.

A game brings a lesson in its folder `lessons/`: `lesson.json` names the steps, `STEP.tacit` is the record that leads to
a step's position, and the catalogues beside them have its sentences (docs/writing-a-game.md).
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Annotated

import msgspec
from msgspec import Meta

from tacit.core.match import Match, SeatView
from tacit.core.messages import Message, catalogue, catalogue_home, seat_words
from tacit.core.registry import game_named

FOLDER = "lessons"


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One decision of the learner. Patterns are those of `fnmatch`; a signal is written `! nod`."""

    right: list[str]
    """Patterns of the decisions that the lesson wants."""
    wrong: dict[str, str] = {}
    """Patterns of all others, each with the name of a reason. The first that fits counts."""
    answer: list[str] = []
    """The lines of the record that follow a right decision: what the other seats and chance do then."""

    def reason(self, text: str) -> str | None:
        """The reason why a decision is wrong; None if it is right. KeyError if the lesson says nothing of it."""
        if any(fnmatchcase(text, pattern) for pattern in self.right):
            return None
        for pattern, reason in self.wrong.items():
            if fnmatchcase(text, pattern):
                return reason
        raise KeyError(text)


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One idea of a game, at one position."""

    name: str
    tasks: Annotated[list[Task], Meta(min_length=1)]
    seat: int = 0
    """Where the learner sits."""


class Lesson:
    """The lesson of a game.

    Attributes:
        game: The game's name.
        prefix: Of the lesson's sentences: `silencio-lesson`. A step's sentences are `STEP.title`, for its first task
            `STEP.ask1` and `STEP.right1`, and `STEP.wrong.REASON`; a task without an `ask` goes on with the one before.
        steps: The steps, in their order.
    """

    def __init__(self, game: str, package: str) -> None:
        self.game, self.prefix, self._package = game, f"{game}-lesson", package
        self.steps: list[Step] = msgspec.json.decode(self._file("lesson.json"), type=list[Step])
        catalogue_home(self.prefix, f"{package}.{FOLDER}")

    def _file(self, name: str) -> bytes:
        return resources.files(self._package).joinpath(FOLDER, name).read_bytes()

    def position(self, number: int) -> Match:
        """The match at the beginning of a step, counted from 0. Raises IndexError if there is no such step."""
        step = self.steps[number]
        match = Match.load(self._file(f"{step.name}.tacit").decode())
        match.hearing(step.seat)  # from here on copies keep what the learner hears
        return match


class Learner:
    """Somebody at one step of a lesson.

    Attributes:
        match: The match as it stands. It is the host's: what the learner may be told is in `moments`.
        at: How many of the step's tasks are done.
        moments: What the learner's seat saw, at first and after each line since; the last one is now.
    """

    def __init__(self, lesson: Lesson, number: int) -> None:
        self.lesson, self.step = lesson, lesson.steps[number]
        self.match = _position(lesson.game, number).copy()
        self.at = 0
        self.moments: list[SeatView] = [self.match.see(self.step.seat)]

    @property
    def done(self) -> bool:
        """Whether all tasks of the step are done."""
        return self.at == len(self.step.tasks)

    def play(self, text: str) -> Message | None:
        """Try a decision, or a signal (`! nod`). A right one is made, and the table answers; returns None.

        For a wrong one the reason is returned and nothing changes. Raises IllegalDecision for what the rules refuse.
        """
        seat, task = self.step.seat, self.step.tasks[self.at]
        trial = self.match.copy()
        trial.replay(f"! {seat} {text[2:]}" if text.startswith("! ") else f"{seat} {text}")
        reason = task.reason(text)
        if reason is not None:
            return self._say(f"wrong.{reason}")
        moments = [trial.see(seat)]
        for line in task.answer:
            trial.replay(line)
            moments.append(trial.see(seat))
        self.match, self.at, self.moments = trial, self.at + 1, self.moments + moments
        return None

    @property
    def ask(self) -> Message | None:
        """What is asked now; None when the step is done."""
        asked = (self._say(f"ask{n}") for n in range(self.at + 1, 0, -1))
        return None if self.done else next((one for one in asked if one is not None), None)

    @property
    def note(self) -> Message | None:
        """What the last right decision brought; None where the lesson says nothing of it."""
        return self._say(f"right{self.at}")

    def _say(self, part: str) -> Message | None:
        """One of the step's sentences; None if it has none. `a`, `b`, … in it are the other seats, clockwise."""
        code, seats = f"{self.step.name}.{part}", self.match.seats
        if code not in catalogue(self.lesson.prefix):
            return None
        others = {letter: seat_words((self.step.seat + i) % seats) for i, letter in enumerate("abcde"[: seats - 1], 1)}
        return Message(f"{self.lesson.prefix}.{code}", others)


@cache
def lesson_of(game: str) -> Lesson | None:
    """The lesson of a game; None if it brings none. Raises UnknownGame."""
    package = game_named(game).module.__name__
    try:
        return Lesson(game, package)
    except (FileNotFoundError, ModuleNotFoundError, TypeError):  # TypeError: a game in one file has no folder
        return None


@cache
def _position(game: str, number: int) -> Match:
    lesson = lesson_of(game)
    assert lesson is not None
    return lesson.position(number)
