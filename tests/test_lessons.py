"""Every step of every lesson, held against the rules: its position, what is right there, and a reason for the rest."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import tacit
from tacit import GAMES, IllegalDecision
from tacit.core.lessons import Learner, Lesson, lesson_of
from tacit.core.match import Match
from tacit.core.messages import render

SOURCE = Path(tacit.__file__).parent
NAMES = ["Kestrel", "Alder", "Heron"]
LANGUAGES = ("en", "de", "nl")
# What the rulebooks' hardest ideas are called in each lesson.
IDEAS = {
    "silencio": ["row", "dark", "light", "oracle", "passing", "shrine", "exchange", "silence"],
    "silver-and-gold": ["shape", "turning", "cross", "coins", "palms", "finish", "count"],
    "zombie-city": ["rescue", "noise", "attack", "barrier", "neighbour", "horde", "final"],
    "silent-planet": ["row", "pointing", "team", "machine", "signals"],
}


def lesson(game: str) -> Lesson:
    found = lesson_of(game)
    assert found is not None
    return found


def tries(match: Match, seat: int) -> list[str]:
    return [*match.legal(seat), *(f"! {text}" for text in match.signals(seat))]


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_has_its_ideas(game: str) -> None:
    assert [step.name for step in lesson(game).steps] == IDEAS[game]
    records = {path.stem for path in (SOURCE / "games" / game.replace("-", "_") / "lessons").glob("*.tacit")}
    assert records == set(IDEAS[game])


@pytest.mark.parametrize(("game", "number"), [(game, n) for game in GAMES for n in range(len(IDEAS[game]))])
def test_a_step_answers_every_decision(game: str, number: int) -> None:
    """Each legal decision is right or has a reason; after each right one the table answers and the next task stands."""
    beginning = Learner(lesson(game), number)
    seat, used = beginning.step.seat, {"title"}
    assert beginning.note is None
    assert str(Match.load(str(beginning.match))) == str(beginning.match)
    line: list[str] = []
    for n, task in enumerate(beginning.step.tasks, 1):
        here = replayed(game, number, line)
        assert here.ask is not None
        used |= {f"ask{n}", here.ask.code.rpartition(".")[2]}
        rights = []
        for text in tries(here.match, seat):
            before = len(here.moments), str(here.match)
            reason = task.reason(text)
            if reason is None:
                learner = replayed(game, number, [*line, text])
                assert learner.at == n
                assert learner.done or tries(learner.match, seat), text
                rights.append(text)
            else:
                said = here.play(text)
                assert said is not None
                assert said.code.endswith(f".wrong.{reason}")
                assert (len(here.moments), str(here.match)) == before
                used.add(f"wrong.{reason}")
                assert all(render(said, language, NAMES) for language in LANGUAGES)
        assert rights, f"{game} {beginning.step.name}: task {n} has no right decision"
        line.append(rights[0])
    done = replayed(game, number, line)
    assert done.done
    assert done.ask is None
    assert done.note is not None
    used |= {f"right{n}" for n in range(1, len(beginning.step.tasks) + 1)}
    for language in LANGUAGES:
        assert render(done.note, language, NAMES)
    words = json.loads((SOURCE / "games" / game.replace("-", "_") / "lessons" / "en.json").read_text())
    written = {code.partition(".")[2] for code in words if code.startswith(f"{beginning.step.name}.")}
    assert "title" in written
    assert "ask1" in written
    assert written <= used  # no sentence that is never said


def replayed(game: str, number: int, texts: list[str]) -> Learner:
    learner = Learner(lesson(game), number)
    for text in texts:
        assert learner.play(text) is None, text
    return learner


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_says_the_same_in_every_language(game: str) -> None:
    """The same sentences with the same seats; short enough for the dock of a phone."""
    folder = SOURCE / "games" / game.replace("-", "_") / "lessons"
    found = {language: json.loads((folder / f"{language}.json").read_text()) for language in LANGUAGES}
    for language, words in found.items():
        assert list(words) == list(found["en"]), language
        for code, text in words.items():
            assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", found["en"][code])), code
            assert len(text) <= 120, f"{language} {code}: {len(text)}"


def test_what_the_rules_refuse_a_lesson_refuses_too() -> None:
    learner = Learner(lesson("silencio"), 0)
    with pytest.raises(IllegalDecision):
        learner.play("play r3")  # below the row's last card
    assert learner.at == 0


def test_a_lesson_tells_what_its_seat_sees() -> None:
    """One way out: each moment is what `see` gives the learner's seat at that line."""
    learner = Learner(lesson("silencio"), 0)
    start = len(learner.match.lines)
    assert learner.play("play r6") is None
    match = Match.load(str(learner.match))
    for line, moment in zip(range(start, len(match.lines) + 1), learner.moments, strict=True):
        again = Match(match.game, match.seats, match.options, settle=False, rules_version=match.rules_version)
        for text in match.lines[:line]:
            again.replay(text)
        assert again.see(learner.step.seat) == moment
