"""Puzzles over HTTP: a position, one decision, then the answer and why. Nothing is stored.

A puzzle speaks as a step of a lesson does (`Try`, `Tried`), but takes one decision: the step is done with it.
"""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from tacit.core.errors import UnknownGame
from tacit.core.messages import Message
from tacit.core.puzzles import Puzzle, puzzles_of
from tacit.server.errors import refuse
from tacit.server.lessons import Look, Tried, Try, place_of, previewed_by, seen_by
from tacit.server.protocol import Previewed
from tacit.server.requests import answer, body


class PuzzleHandlers:
    """The handlers of puzzles. They have no state."""

    async def puzzle(self, request: Request) -> Response:
        """Decide at a puzzle of a game: the first of `texts` counts. Without a decision, see its position."""
        tried = await body(request, Try)
        return answer(await asyncio.to_thread(_tried, *_named(request), tried))

    async def puzzle_preview(self, request: Request) -> Response:
        """What a decision at a puzzle would bring."""
        look = await body(request, Look)
        puzzles, place = _named(request)
        return answer(await asyncio.to_thread(_previewed, puzzles[place], look))


def _named(request: Request) -> tuple[list[Puzzle], int]:
    """The puzzles of the game that a request names, and the place of the one it asks for."""
    try:
        puzzles = puzzles_of(request.path_params["game"])
    except UnknownGame:
        puzzles = []
    return puzzles, place_of(request.path_params["number"], len(puzzles))


def _tried(puzzles: list[Puzzle], place: int, tried: Try) -> Tried:
    """The position; or, after a decision, what the seat sees once the best one is played, and why it is."""
    puzzle = puzzles[place]
    if tried.played:
        raise refuse("lesson.lost", 409)  # after its one decision a puzzle is done
    match, seat, text = puzzle.match.copy(), puzzle.seat, next(iter(tried.texts), None)
    ask: Message | None = puzzle.question(match.see(seat).view.ask)
    note = reason = None
    if text is not None:
        match.copy().play(seat, text, settle=False)  # what the rules refuse is refused
        match.play(seat, puzzle.answer, settle=False)
        ask, note = None, puzzle.why(text)
        reason = None if text == puzzle.answer else Message("core.puzzle.missed")
    return Tried(
        steps=[str(number) for number in range(1, len(puzzles) + 1)], seats=match.seats,
        moments=[seen_by(match, seat, match.see(seat), 0 if text is None else None)], played=list(tried.texts[:1]),
        done=text is not None, ask=ask, note=note, reason=reason,
    )  # fmt: skip


def _previewed(puzzle: Puzzle, look: Look) -> Previewed:
    return previewed_by(puzzle.match.copy(), puzzle.seat, look.texts)
