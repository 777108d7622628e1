"""Lessons over HTTP: a position, a try, the table's answer. Nothing is stored: a request says what was done before."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from tacit.core.errors import UnknownGame
from tacit.core.lessons import Learner, Lesson, lesson_of
from tacit.core.match import Match, SeatView
from tacit.core.messages import Message
from tacit.server.errors import refuse
from tacit.server.protocol import Previewed, Seen, Text, Texts, Wire
from tacit.server.requests import answer, body

Few = Annotated[tuple[Text, ...], Meta(max_length=100)]


class Try(Wire, frozen=True, kw_only=True):
    """Decisions at a step of a lesson, all or none: `texts`, after those of `played`. A signal is written `! nod`."""

    played: Few = ()
    texts: Few = ()


class Look(Wire, frozen=True, kw_only=True):
    """Ask what you would see after these decisions at a step of a lesson."""

    played: Few = ()
    texts: Texts


class Tried(Wire, frozen=True, kw_only=True):
    """The table at a step of a lesson, and what the lesson says."""

    steps: list[str]  # the names of all steps
    seats: int
    moments: list[Seen]  # what was seen after the last decision and after each answer to it; the last one is now
    played: list[str]  # what the next try has to bring
    done: bool  # the step is
    ask: Message | None  # what to do; null when the step is done
    note: Message | None  # what the last decision brought
    reason: Message | None  # why this try was wrong; then nothing has changed


class LessonHandlers:
    """The handlers of lessons. They have no state."""

    async def lesson(self, request: Request) -> Response:
        """Try something at a step of a game's lesson; without decisions, see its position."""
        tried = await body(request, Try)
        lesson, number = _step(request)
        return answer(await asyncio.to_thread(_tried, lesson, number, tried))

    async def lesson_preview(self, request: Request) -> Response:
        """What a decision at a step of a lesson would bring."""
        look = await body(request, Look)
        lesson, number = _step(request)
        return answer(await asyncio.to_thread(_previewed, lesson, number, look))


def _step(request: Request) -> tuple[Lesson, int]:
    """The lesson and the step, counted from 0, that a request names."""
    try:
        lesson = lesson_of(request.path_params["game"])
    except UnknownGame:
        lesson = None
    if lesson is None:
        raise refuse("not-found", 404)
    return lesson, place_of(request.path_params["step"], len(lesson.steps))


def place_of(number: str, of: int) -> int:
    """The place, counted from 0, that a path names, counted from 1; there are `of` of them."""
    if not (number.isascii() and number.isdecimal()) or not 1 <= int(number[:4]) <= of or len(number) > 4:
        raise refuse("not-found", 404)
    return int(number) - 1


def _replayed(lesson: Lesson, number: int, played: Sequence[str]) -> Learner:
    learner = Learner(lesson, number)
    for text in played:
        if learner.done or learner.play(text) is not None:
            raise refuse("lesson.lost", 409)
    return learner


def _tried(lesson: Lesson, number: int, tried: Try) -> Tried:
    before = _replayed(lesson, number, tried.played)
    after, reason = _replayed(lesson, number, tried.played), None
    for text in tried.texts:
        if reason is None and not after.done:
            reason = after.play(text)
    learner = after if reason is None else before
    played = [*tried.played, *(tried.texts if reason is None else ())]
    moments = learner.moments[len(before.moments) :] or learner.moments[-1:]
    return Tried(
        steps=[step.name for step in lesson.steps], seats=learner.match.seats,
        moments=[_seen(learner, view, len(played) if view is moments[-1] else None) for view in moments],
        played=played, done=learner.done, ask=learner.ask, note=learner.note, reason=reason,
    )  # fmt: skip


def _seen(learner: Learner, view: SeatView, ask: int | None) -> Seen:
    """What a seat sees, as at a live table. `ask` is the number of the question; None: nothing is asked."""
    return seen_by(learner.match, learner.step.seat, view, None if learner.done else ask)


def seen_by(match: Match, seat: int, view: SeatView, ask: int | None) -> Seen:
    """What a seat sees outside of a live table. `ask` is the number of the question; None: nothing is asked."""
    rules = match.game.rules
    legal, signals = ([], []) if ask is None else (view.legal, view.signals)
    return Seen(
        seat=seat, ask=ask if legal else None, view=view.view, legal=legal,
        offers=[rules.offer(text) for text in legal], signals=signals,
        signal_offers=[rules.offer(text) for text in signals], keep=0, heard=view.heard,
        told=[rules.tell(line) for line in view.heard],
    )  # fmt: skip


def _previewed(lesson: Lesson, number: int, look: Look) -> Previewed:
    learner = _replayed(lesson, number, look.played)
    return previewed_by(learner.match, learner.step.seat, look.texts)


def previewed_by(match: Match, seat: int, texts: Sequence[str]) -> Previewed:
    """What a seat would see after decisions of its own, outside of a live table."""
    view, known = match.preview(seat, texts), len(match.see(seat).heard)
    rules, heard = match.game.rules, view.heard[known:]
    return Previewed(
        view=view.view, legal=view.legal, offers=[rules.offer(text) for text in view.legal], heard=heard,
        told=[rules.tell(line) for line in heard],
    )  # fmt: skip
