"""Golden records: whole matches that must always replay to the same text."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tacit import GAMES, BadRecord, Match, game_named
from tacit.core.messages import Message, render
from tacit.terminal import screen

NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"]
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


def ending(game: str, result: dict[str, Any]) -> str:
    """The sentence with which the page, too, says how a match ended."""
    winners = [NAMES[q] for q in result.get("winners", ())]
    match game:
        case "silencio":
            return render(Message(f"silencio.verdict.{result['verdict']}"))
        case "silent-planet":
            return render(Message(f"silent-planet.ask.{'won' if result['won'] else 'lost'}"))
        case "zombie-city":
            return render(Message(f"zombie-city.reason.{result['reason']}"))
    first, second = sorted(result["scores"], reverse=True)[:2]
    code = "shared" if len(winners) > 1 else "lost" if first > second else "tie"
    params = {"names": ", ".join(winners), "name": winners[0], "n": first - second}
    return render(Message(f"silver-and-gold.end.{code}", params))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_terminal_names_a_result_as_the_page_does(path: Path) -> None:
    played = Match.load(path.read_text(encoding="utf-8"))
    assert played.result is not None
    drawn = StringIO()
    Console(width=160, file=drawn).print(screen.table(played, played.see(0), NAMES[: played.seats]))
    said = " ".join(drawn.getvalue().replace("│", " ").split())
    assert ending(played.game.name, played.result) in said


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_golden_records(name: str) -> None:
    assert [path for path in RECORDS if path.parent.name == name]


@pytest.mark.parametrize("name", GAMES)
def test_every_rules_version_has_golden_records(name: str) -> None:
    versions = {Match.load(path.read_text()).rules_version for path in RECORDS if path.parent.name == name}
    assert sorted(versions) == list(game_named(name).rules_versions)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("reason", ["passed", "empty"])
@pytest.mark.parametrize(("version", "prefix"), [(1, ""), (2, "v2-")])
def test_silencio_has_a_golden_record_for_each_ending_and_seat_count(
    seats: int, reason: str, version: int, prefix: str
) -> None:
    match = Match.load((GOLDEN / "silencio" / f"{prefix}{reason}-{seats}-seats.tacit").read_text())
    assert (match.seats, match.rules_version) == (seats, version)
    assert match.result is not None
    assert match.result["reason"] == reason


@pytest.mark.parametrize("version", [1, 2])
def test_zombie_city_has_a_golden_record_for_each_ending(version: int) -> None:
    matches = [Match.load(path.read_text()) for path in RECORDS if path.parent.name == "zombie-city"]
    reasons = {match.result["reason"] for match in matches if match.result and match.rules_version == version}
    assert reasons == {"last-standing", "cleared", "cap"}


@pytest.mark.parametrize(
    ("name", "line"),
    [("silencio/v2-shrine-after-drawn-in-vain", "silencio"), ("zombie-city/v2-quiet-round", "zombie-city")],
)
def test_a_record_of_version_2_does_not_pass_for_one_of_version_1(name: str, line: str) -> None:
    """What changed is in it: read by the older rules it is wrong somewhere."""
    text = (GOLDEN / f"{name}.tacit").read_text()
    with pytest.raises(BadRecord):
        Match.load(text.replace(f"game {line} 2", f"game {line} 1"))
