"""Silent Planet's golden records show what they say, by the second writing of the page too."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tacit import Match
from tests.silent_planet.reference import Reference

FOLDER = Path(__file__).parent.parent / "golden" / "silent-planet"
RECORDS = sorted(FOLDER.glob("*.tacit"))


def whole(name: str) -> Match:
    return Match.load((FOLDER / f"{name}.tacit").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_records_p01_to_p10_are_legal_by_the_reference(path: Path) -> None:
    match = Match.load(path.read_text(encoding="utf-8"))
    reference = Reference(match.seats)
    for line in match.lines:
        who, _, text = line.partition(" ")
        if who != "!":
            assert text in (reference.chance() if who == "*" else reference.legal(int(who)))
            reference.play(who, text)
    assert reference.result == match.result


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("name", ["won", "lost"])
def test_records_p10_each_ending_with_each_number_of_seats(name: str, seats: int) -> None:
    match = whole(f"{name}-{seats}-seats")
    assert match.result is not None
    assert (match.seats, match.result["won"]) == (seats, name == "won")


def test_records_p10_lost_before_anybody_is_first() -> None:
    match = whole("lost-before-start")
    assert match.lines[-1].endswith("ready")


def test_records_p08_broken_teams() -> None:
    assert [team.complete for team in whole("break").see(None).view.past].count(False) >= 2


def test_records_p08_machines_read_both_ways() -> None:
    teams = ["".join(card.card for card in team.cards) for team in whole("machines-both-ways").see(None).view.past]
    assert {"2x134", "x22xx"} <= set(teams)


@pytest.mark.parametrize(("name", "tied"), [("plurality", False), ("tie-break", True)])
def test_records_p07_third_rounds_without_agreement(name: str, tied: bool) -> None:
    """The line that the comment names ends a third round; where it is a tie, the left neighbour's card is not in it."""
    lines = (FOLDER / f"{name}.tacit").read_text(encoding="utf-8").splitlines()
    number = int(lines[1].partition("line ")[2].split(" ")[0].strip(":"))
    match = Match.load("\n".join(lines[: number - 1]))
    before = match.see(None).view
    assert (before.round, len(before.due)) == (3, 1)
    match.replay(lines[number - 1])
    settled = {pointer.seat: pointer.position for pointer in match.see(None).view.settled}
    votes = Counter(settled.values())
    equals = [position for position, n in votes.items() if n == max(votes.values())]
    assert (len(equals) > 1) == tied
    turned = next(line for line in reversed(match.see(None).heard) if line.startswith("up ")).split(" ")
    assert turned[:2] == ["up", str(before.turn)]
    assert int(turned[2]) in equals
    if tied:
        clockwise = [settled[(before.turn + i) % match.seats] for i in range(1, match.seats)]
        assert clockwise[0] not in equals
        assert int(turned[2]) == next(position for position in clockwise if position in equals)


def test_records_p06_the_drawn_first_seat_is_skipped() -> None:
    match = whole("skipped-seats")
    at = next(i for i, line in enumerate(match.lines) if line.startswith("* start"))
    early = Match("silent-planet", match.seats, settle=False)
    for line in match.lines[: at + 1]:
        early.replay(line)
    view = early.see(None).view
    assert view.first is not None
    assert view.rows[view.first].down == 0
    assert view.turn != view.first


def test_records_p11_signals() -> None:
    match = whole("signals")
    signals = [line for line in match.lines if line.startswith("!")]
    assert len(signals) > 12
    silent = Match("silent-planet", match.seats, settle=False)
    for line in match.lines:
        if not line.startswith("!"):
            silent.replay(line)
    assert silent.state == match.state
    assert [line for line in match.see(0).heard if line.startswith("!")] == signals
