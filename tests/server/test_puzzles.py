"""Puzzles over HTTP: before the decision what the seat sees and nothing else, after it the answer."""

from __future__ import annotations

import json
from typing import Any

import httpx
import msgspec
import pytest

from tacit import GAMES
from tacit.core.puzzles import Puzzle, puzzles_of
from tacit.server.lessons import Look, Try
from tacit.server.puzzles import _previewed, _tried
from tests.server.harness import TRUST, Server

GAME = next(game for game in GAMES if puzzles_of(game))


def post(server: Server, path: str, **body: Any) -> httpx.Response:
    return httpx.post(f"{server.url}/api/puzzles/{path}", json=body, verify=TRUST, timeout=60)


def as_json(value: Any) -> Any:
    """A value as a client reads it."""
    return json.loads(msgspec.json.encode(value))


@pytest.mark.parametrize("game", [game for game in GAMES if puzzles_of(game)])
def test_a_puzzle_before_and_after_its_decision(server: Server, game: str) -> None:
    puzzle = puzzles_of(game)[0]
    view = puzzle.match.copy().see(puzzle.seat)
    before = post(server, f"{game}/1").json()
    [seen] = before["moments"]
    assert (seen["seat"], seen["legal"]) == (puzzle.seat, view.legal)
    assert (seen["view"], seen["heard"]) == (as_json(view.view), view.heard)
    assert (before["done"], before["note"], before["reason"]) == (False, None, None)
    assert before["ask"] == as_json(puzzle.question(view.view.ask))
    previewed = post(server, f"{game}/1/preview", texts=[puzzle.answer])
    assert previewed.status_code == 200
    wrong = post(server, f"{game}/1", texts=[next(iter(puzzle.costs))]).json()
    right = post(server, f"{game}/1", texts=[puzzle.answer]).json()
    assert (wrong["done"], wrong["reason"]["code"]) == (True, "core.puzzle.missed")
    assert (right["done"], right["reason"]) == (True, None)
    after = puzzle.match.copy()
    after.play(puzzle.seat, puzzle.answer, settle=False)
    shown = after.see(puzzle.seat)
    for answered in (wrong, right):
        said = answered["note"]["params"]
        assert said.get("cost", {"params": said})["params"]["answer"] == as_json(after.game.rules.offer(puzzle.answer))
        [moment] = answered["moments"]
        assert (moment["view"], moment["heard"]) == (as_json(shown.view), shown.heard)
        assert (moment["legal"], moment["ask"]) == ([], None)


def test_the_position_does_not_depend_on_the_answer() -> None:
    """Two puzzles that differ in nothing but their answer look alike until somebody has decided; so do previews."""
    puzzle = puzzles_of(GAME)[0]
    others = [Puzzle(puzzle.record, puzzle.seat, text, {puzzle.answer: 1}, 1) for text in puzzle.costs]
    shown = {msgspec.json.encode(_tried([one], 0, Try())) for one in [puzzle, *others]}
    assert len(shown) == 1
    look = Look(texts=[puzzle.answer])
    looked = {msgspec.json.encode(_previewed(one, look)) for one in [puzzle, *others]}
    assert len(looked) == 1
    hidden = json.loads(shown.pop())
    assert set(hidden) == {"steps", "seats", "moments", "played", "done", "ask", "note", "reason"}


BAD: list[tuple[str, dict[str, Any], int]] = [
    (f"{GAME}/9999", {}, 404),
    (f"{GAME}/99999", {}, 404),
    (f"{GAME}/0", {}, 404),
    (f"{GAME}/x", {}, 404),
    ("nothing/1", {}, 404),
    (f"{GAME}/1", {"texts": ["nonsense"]}, 409),
    (f"{GAME}/1", {"played": ["done"]}, 409),
    (f"{GAME}/1", {"texts": "done"}, 400),
    (f"{GAME}/1/preview", {}, 400),
]


def test_bad_decisions_get_a_sentence(server: Server) -> None:
    for path, body, status in BAD:
        answer = post(server, path, **body)
        assert answer.status_code == status, (path, body, answer.text)
        assert answer.json()["sentence"]
