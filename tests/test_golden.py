"""Golden records: whole matches that must replay for ever, text and all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit import GAMES, Match

GOLDEN = Path(__file__).parent / "golden"
RECORDS = sorted(GOLDEN.glob("*/*.tacit"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_golden_record_replays(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    match = Match.load(text)
    assert match.over
    plain = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    assert str(match).splitlines() == plain
    assert f"= {match.result}".replace("'", '"').replace("True", "true").replace("False", "false") == plain[-1]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_golden_records(name: str) -> None:
    assert [path for path in RECORDS if path.parent.name == name]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("reason", ["passed", "empty"])
def test_silencio_has_a_golden_record_for_each_ending_and_seat_count(seats: int, reason: str) -> None:
    match = Match.load((GOLDEN / "silencio" / f"{reason}-{seats}-seats.tacit").read_text())
    assert match.seats == seats
    assert match.result is not None
    assert match.result["reason"] == reason
