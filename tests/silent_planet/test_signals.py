"""Silent Planet: signals (P11), and how the core carries them."""

from __future__ import annotations

import pytest

from tacit import BadRecord, IllegalDecision, Match, render
from tests.silent_planet.positions import agree, dealt, ready, run, seen, table

THREE = ["111112222", "1111x2222", "333344445"]
ALL = ["nod", "shake", "shrug", *(f"fingers {k}" for k in "12345x")]


def refused(match: Match, seat: int, text: str, why: str) -> None:
    before, record = match.state.copy(), str(match)
    with pytest.raises(IllegalDecision, match=why):
        match.signal(seat, text)
    assert (match.state, str(match)) == (before, record)


def test_p11_the_deciders_may_signal_while_pointing_goes_on() -> None:
    match = table(THREE, first=0)
    assert match.signals(1) == match.signals(2) == ALL
    assert match.see(1).signals == ALL
    match.signal(2, "fingers 3")
    assert match.lines[-1] == "! 2 fingers 3"
    run(match, "2 point 4")
    assert match.signals(2) == ALL  # who has pointed may still signal


def test_p11_signals_change_nothing_in_the_state() -> None:
    match = table(THREE, first=0)
    before, due, legal = match.state.copy(), match.due, match.legal(1)
    for signal in ALL[:3]:
        match.signal(1, signal)
    assert (match.state, match.due, match.legal(1)) == (before, due, legal)


def test_p11_everyone_hears_signals() -> None:
    match = table(THREE, first=0)
    match.see(0)  # this one listens from now on, the others are asked later
    match.signal(2, "nod")
    run(match, "1 point 3")
    match.signal(1, "fingers x")
    for watcher in (None, 0, 1, 2):
        assert match.see(watcher).heard[-3:] == ["! 2 nod", "1 point 3", "! 1 fingers x"]
        given = match.see(watcher).view.signals
        assert [(g.seat, g.signal) for g in given] == [(2, "nod"), (1, "fingers x")]
        assert render(given[0].words) == "Seat 2 nods."


def test_p11_at_most_three_a_decider_and_decision() -> None:
    match = table(THREE, first=0)
    for signal in ("nod", "nod", "fingers 1"):
        match.signal(1, signal)
    assert match.signals(1) == match.see(1).signals == []
    refused(match, 1, "shrug", "You have given your 3 signals about this decision")
    assert match.see(1).view.signals_left == 0
    assert match.see(2).view.signals_left == 3
    assert match.signals(2) == ALL
    run(match, "1 point 3", "2 point 4")  # a second round is the same decision
    assert match.signals(1) == []
    run(match, "1 point 4", "2 point 4")  # the card is turned up; seat 1's row is next
    assert match.signals(2) == match.signals(0) == ALL
    run(match, "0 point 1", "2 point 1")  # seat 2's row
    assert match.signals(1) == ALL
    assert match.see(1).view.signals == []
    assert match.see(1).view.signals_left == 3


def test_p11_the_rows_owner_gives_none_in_its_own_turn() -> None:
    match = table(THREE, first=0)
    assert match.signals(0) == match.see(0).signals == []
    refused(match, 0, "nod", "about your own row")
    assert render(match.see(0).view.why_no_signal) == "This is about your own row: give no signal now."
    agree(match, 1)
    assert match.signals(0) == ALL
    refused(match, 1, "nod", "your own row")


def test_p11_with_two_seats_there_are_none() -> None:
    match = table(THREE[:2], first=0)
    assert match.signals(0) == match.signals(1) == []
    refused(match, 1, "nod", "With two of you there is nobody to signal to")


def test_p11_only_while_pointing_is_going_on() -> None:
    match = Match("silent-planet", 3, settle=False)
    refused(match, 0, "nod", "only while you all point at somebody else’s row")
    match = dealt(THREE)
    assert match.signals(0) == []
    refused(match, 0, "nod", "only while you all point at somebody else’s row")
    refused(ready(THREE), 0, "nod", "only while you all point")
    over = ready(THREE, ["123456789", "1234", ""])
    assert over.over
    refused(over, 0, "nod", "The match is over")


@pytest.mark.parametrize("text", ["fingers 6", "fingers", "wink", "", "nod ", "Nod", "point 3"])
def test_p11_other_signals_are_refused(text: str) -> None:
    refused(table(THREE), 1, text, "is no signal of Silent Planet. There are: nod, shake, shrug, fingers 1")


def test_p11_signals_of_nobody_are_refused() -> None:
    match = table(THREE)
    refused(match, 3, "nod", "There is no seat 3")
    with pytest.raises(IllegalDecision, match="is no signal"):
        match.signal(1, 7)  # type: ignore[arg-type]
    assert match.see(None).signals == []


def test_p11_a_record_with_signals_replays() -> None:
    match = run(table(THREE), "! 1 fingers 1", "2 point 3", "! 1 shake", "1 point 2", "! 2 shrug")
    again = Match.load(str(match))
    assert str(again) == str(match)
    assert again.state == match.state
    for watcher in (None, 0, 1, 2):
        assert again.see(watcher) == match.see(watcher)
    again.signal(1, "nod")
    with pytest.raises(IllegalDecision, match="your 3 signals"):
        again.signal(1, "nod")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("! 0 nod", "your own row"),
        ("! 1 wink", "no signal of Silent Planet"),
        ("! 5 nod", "There is no seat 5"),
        ("! nod", "is no line of a record"),
        ("!1 nod", "is no line of a record"),
        ("! 01 nod", "is no line of a record"),
        ("!", "is no line of a record"),
    ],
)
def test_p11_a_record_with_a_wrong_signal_is_refused(line: str, why: str) -> None:
    record = str(table(THREE))
    with pytest.raises(BadRecord, match=why) as refusal:
        Match.load(record + line + "\n")
    assert refusal.value.line == len(record.splitlines()) + 1


def test_p11_signals_in_a_record_may_have_a_comment() -> None:
    record = str(table(THREE))
    assert Match.load(record + "! 1 nod   # agreed\n").lines[-1] == "! 1 nod"


def test_p11_copies_and_previews_keep_the_signals_apart() -> None:
    match = run(table(THREE), "! 1 nod")
    other = run(match.copy(), "! 1 shrug")
    assert [g.signal for g in match.see(0).view.signals] == ["nod"]
    assert [g.signal for g in other.see(0).view.signals] == ["nod", "shrug"]
    assert match.preview(1, ["point 4"]).view.signals == match.see(1).view.signals
    assert seen(match, 1).signals == []  # knowledge alone has none: they are no part of the state


def test_p11_a_game_without_signals_does_not_notice() -> None:
    match = Match("silencio", 3, seed=1)
    assert match.signals(0) == match.see(0).signals == match.see(None).signals == []
    with pytest.raises(IllegalDecision, match=r"^Silencio has no signals\.$"):
        match.signal(0, "nod")
    with pytest.raises(BadRecord, match=r"Silencio has no signals\."):
        Match.load(str(match) + "! 0 nod\n")
