"""Match: what the design promises of it, and records line by line."""

from __future__ import annotations

import random
import types
from typing import Any

import numpy as np
import pytest
from examples.toy import tacit_toy as toy

from tacit import GAMES, BadOptions, BadRecord, IllegalDecision, Match, Seeded, UnknownGame, game_named
from tacit.core import laws
from tacit.core.buffers import buffers
from tacit.core.game import Game
from tacit.core.messages import render


def test_the_example_of_the_design() -> None:
    m = Match("silencio", seats=3, options={"tavern": True}, seed=7)
    assert m.due == frozenset({0, 1, 2})
    assert m.legal(0) == ["claim"]
    m.play(0, "claim")
    seen = m.see(0)
    assert seen.legal == m.legal(0)
    assert seen.view.you == 0
    assert m.see(None).view.you is None
    assert m.see(None).legal == []
    assert m.result is None
    m = Match("silencio", seats=3, settle=False)
    assert m.due == frozenset()
    assert m.chance()["deal 0 r5"] == 1
    m.play("*", "deal 0 r5", settle=False)
    assert "deal 0 r5" not in m.chance()
    m.settle()
    assert m.chance() == {}
    assert Match.load(str(m)).state == m.state


def test_the_same_seed_gives_the_same_match_and_fresh_chance_does_not() -> None:
    assert Match("silencio", 3, seed=7).lines == Match("silencio", 3, seed=7).lines
    assert len({tuple(Match("silencio", 3).lines) for _ in range(3)}) == 3


def test_seeded_chance_is_what_compiled_play_draws() -> None:
    """A Match with a seed deals what the compiled driver deals from the same seed."""
    game = game_named("silencio")
    b = buffers(game, 3, None)
    rules = game.build("cpu")
    b.states[0] = b.blank[0]
    rules.start_at(b.states)
    b.rng[:] = Seeded(9).rng
    while rules.due_at(b.states) == 64:
        rules.random_step_at(b.states, b.rng, b.mask, b.weights)
    assert game.State().load(b.states[0]) == Match(game, 3, seed=9).state


@pytest.mark.parametrize(
    ("seats", "options", "says"),
    [
        (1, {}, "Silencio is played with 2 to 4 seats, not 1"),
        (5, {}, "not 5"),
        ("3", {}, "a whole number"),
        (True, {}, "a whole number"),
        (3, {"taverne": True}, "no option “taverne”. It has: tavern, unlit"),
        (3, {"tavern": 1}, "can be false or true, not “1”"),
        (3, {"tavern": "true"}, "can be false or true"),
        (3, {"unlit": "some"}, "can be “none” or “large” or “small” or “all”, not “some”"),
        (3, [1], "names with values"),
    ],
)
def test_wrong_seats_and_options_are_refused(seats: object, options: object, says: str) -> None:
    with pytest.raises(BadOptions, match=says):
        Match("silencio", seats, options)  # type: ignore[call-overload]


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGame, match="There is no game “chess”. There are: silencio"):
        Match("chess", 2)


def test_decisions_of_the_wrong_seat_at_the_wrong_time_are_refused() -> None:
    m = Match("silencio", 3, seed=1)
    for who, text, says in (
        (3, "claim", "no seat 3"),
        (-1, "claim", "no seat -1"),
        (0, "pass", "not the moment to pass"),
        (0, "play r5", "not the moment to play"),
        (0, "play r99", "There is no card “r99”"),
        (0, "choose 7", "There is no seat “7”"),
        (0, "choose 1", "Nobody is chosen"),
        (0, "send r5 1", "No Oracle card is given away"),
        (0, "dance", "“dance” is not a decision in Silencio"),
        (0, "CLAIM", "not a decision"),
        (0, " claim", "not a decision"),
        ("*", "deal 0 r5", "Chance is not asked now"),
    ):
        with pytest.raises(IllegalDecision, match=says):
            m.play(who, text)  # type: ignore[arg-type]
    with pytest.raises(IllegalDecision, match="one line of text"):
        m.play(0, None)  # type: ignore[arg-type]
    waiting = Match("silencio", 3, settle=False)
    with pytest.raises(IllegalDecision, match="Chance acts now"):
        waiting.play(0, "claim")
    with pytest.raises(IllegalDecision, match="“deal 0 r99” cannot happen now"):
        waiting.play("*", "deal 0 r99")
    over = laws.random_match(game_named("silencio"), 2, None, 3)
    for who in (0, "*"):
        with pytest.raises(IllegalDecision, match="The match is over"):
            over.play(who, "pass")  # type: ignore[arg-type]


def test_numpys_integers_are_seats() -> None:
    """As `Batch` gives them."""
    match = Match("silencio", np.int64(3), seed=np.int32(1))  # type: ignore[call-overload]
    assert (match.seats, match.see(np.int8(2))) == (3, match.see(2))
    assert "seats 3" in str(match)
    with pytest.raises(BadOptions, match="whole number"):
        Match("silencio", 3.0)  # type: ignore[call-overload]
    with pytest.raises(IllegalDecision, match="no seat True"):
        match.see(True)


def test_see_needs_a_seat_of_the_match() -> None:
    with pytest.raises(IllegalDecision, match="There is no seat 4"):
        Match("silencio", 3, seed=1).see(4)


def test_preview_shows_a_run_of_own_decisions_and_commits_nothing() -> None:
    m = Match("silencio", 2, {"unlit": "all"}, seed=1)
    m.play(0, "claim")
    before = str(m)
    card = m.legal(0)[0]
    seen = m.preview(0, [card])
    assert str(m) == before
    assert card.split()[1] in {stone for seat in seen.view.table for stone in seat.known}
    assert seen.heard[-1] == f"0 {card}"
    assert m.preview(0, [card, "play r2"]).heard[-1] == f"0 {card}"  # seat 1 is needed before it could go on
    with pytest.raises(IllegalDecision, match="not the moment to pass"):
        m.preview(0, ["pass"])


def test_preview_stops_before_what_cannot_be_foreseen() -> None:
    toy = Match("toy", 2, seed=1)
    first = toy.legal(0)[0]
    toy.play(1, toy.legal(1)[0])
    seen = toy.preview(0, [first])  # would show the other's sealed bid
    assert seen.view.played == []
    assert toy.see(0).heard == seen.heard


def test_tags_come_back_with_the_record() -> None:
    m = Match("silencio", 2, seed=1, tags={"seat0": 'Ada "the # one"', "bot": "steady"})
    assert Match.load(str(m)).tags == m.tags
    assert str(Match.load(str(m))) == str(m)


def test_a_record_with_comments_blank_lines_and_defaults() -> None:
    m = Match("silencio", 2, seed=1)
    lines = [line for line in str(m).splitlines() if not line.startswith("options")]
    lines = [f"{line}   # said" if not line.startswith("tag") else line for line in lines]
    text = "\r\n".join(["# a match", "", *lines, "", "  # the end"])
    assert Match.load(text).lines == m.lines


HEAD = "tacit 1\ngame silencio 1\nseats 2\n"


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "The record is empty"),
        ("# nothing\n\n", 3, "The record is empty"),
        ("hello", 1, "begins with the line “tacit 1”"),
        ("tacit 2", 1, "format 2; this program reads format 1"),
        ("tacit 1\nseats 2", 2, "“game <name> <rules version>” is expected"),
        ("tacit 1", 1, "“game <name> <rules version>” is expected"),
        ("tacit 1\ngame chess 1", 2, "no game “chess”"),
        ("tacit 1\ngame silencio 9", 2, "does not know version 9 of the rules of Silencio. It knows: 1, 2."),
        ("tacit 1\ngame silencio 1\nseats two", 3, "“seats <number>” is expected"),
        ("tacit 1\ngame silencio 1\n\nseats 7", 4, "2 to 4 seats, not 7"),
        (HEAD + "options {", 4, "cannot be read as JSON"),
        (HEAD + 'options {"tavern": 3}', 4, "can be false or true"),
        (HEAD + "options []", 4, "names with values"),
        (HEAD + 'options {"tavern": true} x', 4, "cannot be read as JSON"),
        (HEAD + "tag a b", 4, "cannot be read as JSON"),
        (HEAD + "tag a 5", 4, "A tag is"),
        (HEAD + 'tag "a"', 4, "A tag is"),
        (HEAD + "* deal 0 r2\n* deal 0 r2", 5, "“deal 0 r2” cannot happen now"),
        (HEAD + "* deal 1 r2", 4, "“deal 1 r2” cannot happen now"),
        (HEAD + "0 claim", 4, "Chance acts now"),
        (HEAD + "zero claim", 4, "is no line of a record"),
        (HEAD + "! 0 nod", 4, "Silencio has no signals"),
        (HEAD + '= {"left": 0}', 4, "the match is not over"),
    ],
)
def test_the_first_wrong_line_is_named(text: str, line: int, says: str) -> None:
    with pytest.raises(BadRecord, match=says) as error:
        Match.load(text)
    assert error.value.line == line
    assert str(error.value).startswith(f"Line {line}: ")


def test_a_wrong_result_or_anything_behind_it_is_refused() -> None:
    text = str(laws.random_match(game_named("silencio"), 2, None, 3))
    with pytest.raises(BadRecord, match="Nothing can follow the result"):
        Match.load(text + "0 pass\n")
    with pytest.raises(BadRecord, match=r'The result is .*, not \{"left": 99\}'):
        Match.load("\n".join(text.splitlines()[:-1]) + '\n= {"left": 99}\n')
    with pytest.raises(BadRecord, match="A record is text"):
        Match.load(None)  # type: ignore[arg-type]


def test_a_game_that_does_not_keep_the_contract_is_named() -> None:
    import types

    from tacit import Game

    with pytest.raises(
        TypeError, match="empty does not keep the contract of a game:\n- NAME is missing: the game's name"
    ):
        Game(types.ModuleType("empty"))


# ------------------------------------------------------------------ rules versions
def test_a_match_is_played_by_the_newest_rules_unless_told_otherwise() -> None:
    assert Match("silencio", 3).rules_version == 2
    old = Match("silencio", 3, seed=1, rules_version=1)
    assert old.rules_version == old.state.rules == old.know(1).rules == 1
    assert str(old).splitlines()[1] == "game silencio 1"
    again = Match.load(str(old))
    assert (again.rules_version, again.state) == (1, old.state)
    assert again.copy().rules_version == 1


def test_a_game_with_one_version_needs_no_field_for_it() -> None:
    match = Match("toy", 2, seed=1, rules_version=1)
    assert (match.rules_version, match.game.rules_versions) == (1, (1,))
    assert not hasattr(match.state, "rules")


@pytest.mark.parametrize("version", [0, 3, -1, True, "2", 2.0])
def test_an_unknown_rules_version_is_refused(version: Any) -> None:
    with pytest.raises(BadOptions, match=f"does not know version {version} of the rules of Silencio. It knows: 1, 2."):
        Match("silencio", 3, rules_version=version)


@pytest.mark.parametrize("given", ["3", "02", "x", "9" * 400])
def test_a_record_of_unknown_rules_is_refused_where_it_names_them(given: str) -> None:
    with pytest.raises(BadRecord, match="does not know version .* of the rules of Silencio") as error:
        Match.load(f"tacit 1\ngame silencio {given}\nseats 3\n")
    assert error.value.line == 2
    for language, words in (("de", "Dieses Programm kennt Fassung"), ("nl", "Dit programma kent versie")):
        assert words in render(error.value.message, language)


def test_several_versions_need_the_field_rules() -> None:
    module = types.SimpleNamespace(**{name: getattr(toy, name) for name in dir(toy) if name != "RULES_VERSIONS"})
    module.RULES_VERSIONS = (1, 2)
    with pytest.raises(TypeError, match="no field `rules`"):
        Game(module)


@pytest.mark.parametrize("name", [*GAMES, "toy"])
def test_what_is_no_news_to_a_seat_looks_the_same_to_it(name: str) -> None:
    """In whole random matches with signals and undos; seats that heard nothing of a sealed choice are among them."""
    rng, spared = random.Random(f"news {name}"), 0
    match = Match(name, 3, seed=6)
    eyes = (None, 0, 1, 2)
    for who in eyes:
        match.see(who)
    while not match.over:
        before = match.copy()
        seat = rng.choice(sorted(match.due))
        signals, undoable = match.signals(seat), match.undoable(seat)
        if signals and rng.random() < 0.2:
            match.signal(seat, rng.choice(signals))
        elif undoable is not None and rng.random() < 0.2:
            match.undo(seat)
        else:
            match.play(seat, rng.choice(match.legal(seat)))
        for who in eyes:
            if not match.is_news(who, before):
                spared += 1
                assert match.see(who) == before.see(who)
            match.see(who)
            assert not match.is_news(who, match.copy())
    assert (spared > 0) == (name in ("silver-and-gold", "silent-planet"))
    assert match.is_news(0, Match(name, 3, seed=6))
