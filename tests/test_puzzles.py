"""Every shipped puzzle, held against the rules; and what is told of one before and after its decision."""

from __future__ import annotations

import gzip
from itertools import islice, permutations
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from tacit import GAMES, Match
from tacit.analysis.puzzle_mining import keep_best
from tacit.bots.silencio import search
from tacit.cli import main
from tacit.core.messages import Message, render
from tacit.core.puzzles import Puzzle, puzzles_of, read_puzzles, write_puzzles
from tacit.games.silencio.notation import CARD_NAMES

LANGUAGES = ("en", "de", "nl")


@pytest.mark.parametrize("game", GAMES)
def test_every_shipped_puzzle_is_one(game: str) -> None:
    """Its record replays, its seat is due and named, its answer is legal and better than all else, it has words."""
    puzzles = puzzles_of(game)
    assert [puzzle.missed for puzzle in puzzles] == sorted(puzzle.missed for puzzle in puzzles)
    assert len({(puzzle.record, puzzle.seat) for puzzle in puzzles}) == len(puzzles)
    for puzzle in puzzles:
        match = Match.load(puzzle.record)
        assert str(match) == puzzle.record
        assert match.game.name == game
        assert puzzle.seat in match.due
        legal = match.see(puzzle.seat).legal
        assert puzzle.answer in legal
        assert set(puzzle.costs) == set(legal) - {puzzle.answer}
        assert puzzle.costs
        assert min(puzzle.costs.values()) > 0
        assert 0 < puzzle.missed <= 1000
        question = puzzle.question(match.see(puzzle.seat).view.ask)
        names = [f"Name {seat}" for seat in range(match.seats)]
        for language in LANGUAGES:
            assert render(question, language, names)
            assert render(puzzle.why(next(iter(puzzle.costs))), language, names)


def made(game: str = "silencio", costs: dict[str, int] | None = None, missed: int = 500) -> Puzzle:
    match = Match(game, 2, seed=missed)
    seat = min(match.due)
    first, *others = match.see(seat).legal
    return Puzzle(str(match), seat, first, costs or dict.fromkeys(others, 1234), missed)


def test_the_reason_names_what_was_tried_and_what_it_costs() -> None:
    puzzle = Puzzle(str(Match("silencio", 2, seed=1)), 0, "play r5", {"play g7": 1260, "pass": 800}, 1)
    both = puzzle.why("play g7")  # what it costs, and what the game says
    assert both.code == "core.puzzle.why.both"
    assert both.params["cost"].code == "silencio.better.average"
    assert render(both.params["cost"], "de").startswith("Rot 5 spielen: im Schnitt rund 1,3 Karten besser")
    assert puzzle.why("play r5").params["cost"].params["other"] == puzzle.match.game.rules.offer(
        "pass"
    )  # the next best one
    chance = Puzzle(str(Match("silent-planet", 3, seed=1)), 0, "ready", {"ready": 0, "reveal 1": 123}, 1)
    assert chance.why("ready").params["cost"].params["n"] == 12
    asked = Message("silencio.ask.over")
    assert puzzle.question(asked).params == {"what": asked}
    assert chance.question(asked).params == {"what": asked, "by": Message("silent-planet.puzzle")}  # what is agreed on


@pytest.mark.parametrize(
    ("better", "worse", "code", "n"),
    [
        ("play g2", "play r5", "silencio.better.own", 2),  # r3 and r4 are the seat's own
        ("play r3", "play y5", "silencio.better.ranks", 3),
        ("pass", "play r3", "silencio.better.ranks", 1),  # r2 may be anybody's
        ("play g2", "pass", "silencio.hint.follows", 0),  # nothing is left behind: it is good by itself
        ("play r4", "play r5", "silencio.better.own", 2),
    ],
)
def test_silencio_says_what_a_play_leaves_behind(better: str, worse: str, code: str, n: int) -> None:
    match = Match("silencio", 3, settle=False)
    state = match.state
    state.hand[0] = sum(1 << CARD_NAMES.index(name) for name in ("r3", "r4", "r5", "g2", "y5"))
    view, why = match.game.rules.view(state, 0), match.game.rules.why
    assert why is not None
    said = why(view, lambda _: view, better, worse)
    assert said is not None
    assert (said.code, said.params.get("n", 0)) == (code, n)


def test_every_game_tells_two_decisions_apart() -> None:
    """At moments of random matches: what is said is a sentence in every language, and each kind of it comes up."""
    said = set()
    for game in ("silver-and-gold", "zombie-city"):
        match, rng = Match(game, 3, seed=5), Random(1)
        while not match.over and len(match.steps) < 200:
            seat = min(match.due)
            legal = match.see(seat).legal
            for better, worse in islice(permutations(legal[:: max(1, len(legal) // 3)], 2), 6):
                message = match.why(seat, better, worse)
                if message is not None and message.code not in said:
                    assert all(render(message, language) for language in LANGUAGES)
                    said.add(message.code)
            match.play(seat, rng.choice(legal))
    assert said >= {
        *(f"silver-and-gold.better.{name}" for name in ("finishes", "coins", "palms", "cells")),
        *(f"zombie-city.better.{name}" for name in ("noise", "kills")),
    }


def test_a_file_of_puzzles_is_read_as_it_was_written(tmp_path: Path) -> None:
    hard, easy = made(missed=900), made(missed=100)
    path = tmp_path / "puzzles.json.gz"
    write_puzzles(path, [hard, easy])
    assert read_puzzles(path.read_bytes()) == [easy, hard]
    first = path.read_bytes()
    write_puzzles(path, [easy, hard])
    assert path.read_bytes() == first
    for broken in (b"nonsense", first[:-9], gzip.compress(b"nonsense"), gzip.compress(b'[{"seat": 1}]')):
        with pytest.raises(ValueError, match="no file of puzzles"):
            read_puzzles(broken)


def test_the_hardest_are_kept_and_no_match_fills_the_file() -> None:
    match = str(Match("silencio", 2, seed=1))
    same = [Puzzle(f"{match}0 {i}\n", 0, "a", {"b": 1}, 990 - i) for i in range(5)]
    others = [made(missed=100 + i) for i in range(2)]
    kept = keep_best([*others, *same], 6)
    assert [puzzle.missed for puzzle in kept] == [990, 989, 988, 101, 100, 987]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("chess",), "chess"),
        (("silencio", "--seats", "9"), "--seats must be numbers between 2 and 4"),
        (("silencio", "--seats", "x"), "--seats must be numbers"),
        (("silencio", "--seats", "2", "--out", "nonsense"), "nonsense"),
    ],
)
def test_the_command_refuses_what_it_cannot_do(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nonsense").write_bytes(b"no puzzles")
    result = CliRunner().invoke(main, ["puzzles", *words])
    assert result.exit_code == 1
    assert said in result.output
    assert (tmp_path / "nonsense").read_bytes() == b"no puzzles"


def test_a_game_without_a_search_has_no_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(search, "CLEAR")
    result = CliRunner().invoke(main, ["puzzles", "silencio"])
    assert "The search of Silencio does not say what is clearly better." in result.output


@pytest.mark.long  # it compiles the search under two styles
def test_what_is_mined_is_a_puzzle_and_found_again(tmp_path: Path) -> None:
    out = tmp_path / "puzzles.json.gz"
    for _ in range(2):  # what a file has is kept; the same match brings the same
        result = CliRunner().invoke(
            main, ["puzzles", "zombie-city", "--matches", "2", "--seats", "3", "--seed", "3", "--out", str(out)]
        )
        assert result.exit_code == 0, result.output
        found = read_puzzles(out.read_bytes())
        assert found
        assert len({(puzzle.record, puzzle.seat) for puzzle in found}) == len(found)
    for puzzle in found:
        assert puzzle.seat in puzzle.match.due
        assert set(puzzle.costs) == set(puzzle.match.legal(puzzle.seat)) - {puzzle.answer}
        assert min(puzzle.costs.values()) > 0
