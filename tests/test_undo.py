"""Taking back: random undos in whole matches of every game, the record, and what a silent game allows."""

from __future__ import annotations

import random

import pytest
from rich.console import Console

from tacit import GAMES, IllegalDecision, Match
from tacit.bots.heard_events import HeardEvents
from tacit.terminal.play import Stopped, TerminalSession

UNDOABLE = {"silver-and-gold", "silent-planet", "zombie-city", "toy"}  # of Silencio every decision is told to all


@pytest.mark.parametrize("name", [*GAMES, "toy"])
def test_a_match_with_random_undos_is_the_match_without_them(name: str) -> None:
    rng = random.Random(f"undo {name}")
    match = Match(name, 3, seed=5)
    listener = HeardEvents(match)  # as the terminal's bots follow it
    told: list[str] = []  # the record as a server would store it, undo by undo
    while not match.over and len(told) < 400:
        before = len(match.lines)
        seat = rng.choice(sorted(match.due))
        match.play(seat, rng.choice(match.legal(seat)))
        told += match.lines[before:]
        for q in range(match.seats):
            text = match.undoable(q)
            assert match.see(q).undo == text
            if text is not None and rng.random() < 0.4:
                told.append(f"- {q} {text}")
                match.undo(q)
                listener.events(q)
    assert bool(match.annulled) == (name in UNDOABLE)
    plain, stored = (Match(name, 3, settle=False) for _ in range(2))
    for line in match.lines:
        plain.replay(line)
    for line in [*Match(name, 3, seed=5).lines, *told]:
        stored.replay(line)
    again = Match.load(str(match))
    for other in (plain, stored, again):
        assert (other.state, other.lines, other.steps) == (match.state, match.lines, match.steps)
        for who in (None, 0, 1, 2):
            assert other.see(who) == match.see(who)
    assert str(stored) == str(again) == str(match)
    assert str(match).count("# annulled ") == len(match.annulled) == sum(line.startswith("- ") for line in told)
    for q in range(3):
        assert list(listener.events(q)) == list(HeardEvents(match).events(q))


def sealed_match(name: str) -> Match:
    """A match in a sealed moment in which all seats choose."""
    match = Match(name, 3, seed=1)
    while match.moment_began is None:
        match.play(min(match.due), match.legal(min(match.due))[0])
    return match


def finish(match: Match, seat: int) -> None:
    """A seat makes all its choices of the moment."""
    while seat in match.due:
        texts = match.legal(seat)
        match.play(seat, "ready" if "ready" in texts else texts[0])


def test_a_choice_can_be_changed_until_the_last_seat_has_sealed() -> None:
    match = sealed_match("toy")
    first = match.legal(0)
    match.play(0, first[0])
    match.play(1, match.legal(1)[0])
    for other in first[1:]:  # as often as one likes: people may talk here
        match.undo(0)
        match.play(0, other)
    with pytest.raises(IllegalDecision, match="taken back"):
        match.undo(2)  # it has decided nothing
    match.play(2, match.legal(2)[0])
    for seat in range(3):
        assert match.undoable(seat) is None
        with pytest.raises(IllegalDecision, match="taken back"):
            match.undo(seat)


def test_in_a_silent_game_done_is_taken_back_once_in_a_moment() -> None:
    match = sealed_match("silent-planet")
    finish(match, 0)
    match.undo(0)
    assert 0 in match.due
    finish(match, 0)
    assert match.undoable(0) is None
    finish(match, 1)
    assert match.undoable(1) == "ready"  # another seat may still
    with pytest.raises(IllegalDecision):
        match.undo(0)


def test_the_terminal_takes_back(capsys: pytest.CaptureFixture[str]) -> None:
    match = Match("toy", 2, seed=3)
    first, *_ = match.legal(0)
    answers = iter(["u", "1", "", "u", "", "2", "", "q"])  # "" is Enter: the other person is at the keyboard
    session = TerminalSession(match, [0, 1], Console(width=100), lambda _: next(answers))
    with pytest.raises(Stopped):
        session.run()
    assert match.annulled == [(len(match.lines) - 1, f"0 {first}")]
    assert "nothing that can be taken back" in capsys.readouterr().out
