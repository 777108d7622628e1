"""Lessons over HTTP: nothing is stored, and whatever is sent gets an answer."""

from __future__ import annotations

from typing import Any

import httpx
import msgspec

from tacit.core.lessons import Learner, lesson_of
from tests.server.harness import TRUST, Server


def post(server: Server, path: str, **body: Any) -> httpx.Response:
    return httpx.post(f"{server.url}/api/lessons/{path}", json=body, verify=TRUST, timeout=60)


def test_a_step_from_its_position_to_its_end(server: Server) -> None:
    first = post(server, "silencio/2").json()
    assert first["played"] == []
    assert not first["done"]
    assert len(first["moments"]) == 1
    [seen] = first["moments"]
    assert seen["seat"] == 0
    assert seen["ask"] == 0
    assert "play r5" in seen["legal"]
    wrong = post(server, "silencio/2", texts=["play r9"]).json()
    assert wrong["reason"]["code"] == "silencio-lesson.dark.wrong.gap"
    assert wrong["moments"] == [seen]
    assert wrong["played"] == []
    right = post(server, "silencio/2", texts=["play r5"]).json()
    assert right["reason"] is None
    assert right["played"] == ["play r5"]
    assert [one["ask"] for one in right["moments"]] == [None, None, None, 1]  # yours, then three answers
    done = post(server, "silencio/2", played=right["played"], texts=["play y5"]).json()
    assert done["done"]
    assert done["ask"] is None
    assert done["moments"][-1]["legal"] == []
    previewed = post(server, "silencio/2/preview", texts=["play r5"])
    assert previewed.status_code == 200
    assert previewed.json()["heard"] == ["0 play r5"]


BAD: list[tuple[str, dict[str, Any], int]] = [
    ("silencio/99", {}, 404),
    ("silencio/0", {}, 404),
    ("silencio/x", {}, 404),
    ("silencio/²", {}, 404),
    ("nothing/1", {}, 404),
    ("toy/1", {}, 404),
    ("silencio/1", {"texts": ["play r3"]}, 409),  # the rules refuse it
    ("silencio/1", {"texts": ["nonsense"]}, 409),
    ("silencio/1", {"texts": ["! nod"]}, 409),  # a game without signals
    ("silencio/1", {"played": ["play r9"]}, 409),  # what was never right
    ("silencio/1", {"played": ["play r6", "play r9"]}, 409),
    ("silencio/1", {"texts": "play r6"}, 400),
    ("silencio/1", {"texts": ["play r6"] * 101}, 400),
    ("silencio/1/preview", {"texts": ["play r3"]}, 409),
    ("silencio/1/preview", {}, 400),
]


def test_bad_tries_get_a_sentence(server: Server) -> None:
    for path, body, status in BAD:
        answer = post(server, path, **body)
        assert answer.status_code == status, (path, body, answer.text)
        assert answer.json()["sentence"]


def test_an_answer_is_what_the_seat_sees(server: Server) -> None:
    """Of the position and of what follows the learner gets what `see` gives its seat, and nothing else."""
    learner = Learner(lesson_of("silencio"), 0)  # type: ignore[arg-type]
    learner.play("play r6")
    answered = post(server, "silencio/1", texts=["play r6"]).json()
    seen = [(one["view"], one["heard"]) for one in answered["moments"]]
    assert seen == [(msgspec.to_builtins(one.view), one.heard) for one in learner.moments[1:]]
    assert set(answered) == {"steps", "seats", "moments", "played", "done", "ask", "note", "reason"}
