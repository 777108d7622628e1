"""Matches of people for research: only where everybody agreed, and nothing in them leads back to a person."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tacit import Match
from tacit.research.datasets import read_records
from tacit.server.models import SeatRow, TableRow
from tacit.server.people_dataset import all_agreed
from tests.server.harness import Api, config, serving
from tests.test_cli import tacit


def played(api: Api, **more: Any) -> tuple[str, list[str]]:
    """A finished match of the toy game: its table, and the keys of Ada and Ben."""
    table, keys = api.make("toy", 2, people=2, **more)
    api.start(table, keys[0])
    for _ in range(2):  # tricks
        for key in keys:
            seen = api.get(f"/api/tables/{table}/seen", key).json()
            api.post(f"/api/tables/{table}/act", key, ask=seen["ask"], texts=seen["legal"][:1])
    assert api.get(f"/api/tables/{table}", keys[0]).json()["phase"] == "over"
    return table, keys


def test_a_match_is_exported_only_if_all_agreed_and_nobody_is_named(database: str, tmp_path: Path) -> None:
    """One match that both gave, one that one gave, one that was taken back, one that nobody was asked about."""
    with serving(config(database)) as server:
        check_export(Api(server.url), database, tmp_path / "people")


def check_export(api: Api, database: str, folder: Path) -> None:
    tables = [played(api) for _ in range(4)]

    def contribute(number: int, seat: int, answer: str) -> None:
        table, keys = tables[number]
        before = api.get(f"/api/tables/{table}/seen", keys[1 - seat]).content
        public = api.get(f"/api/tables/{table}").content
        assert api.post(f"/api/tables/{table}/contribute", keys[seat], answer=answer).status_code == 200
        assert api.get(f"/api/tables/{table}/seen", keys[seat]).json()["contributes"] is (answer == "yes")
        assert api.get(f"/api/tables/{table}/seen", keys[1 - seat]).content == before  # the other is not told
        assert api.get(f"/api/tables/{table}").content == public

    for number, seat, answer in (
        (0, 0, "yes"),
        (0, 1, "yes"),
        (1, 1, "yes"),
        (2, 0, "yes"),
        (2, 1, "yes"),
        (2, 0, "no"),
    ):
        contribute(number, seat, answer)
    assert api.post(f"/api/tables/{tables[0][0]}/contribute", None, answer="yes").status_code == 403
    done = tacit("dataset", "people", str(folder), "--database", database)
    assert (done.exit_code, f"1 matches are in {folder}" in " ".join(done.output.split())) == (0, True), done.output
    assert sorted(path.name for path in folder.iterdir()) == ["00000.tacit", "people.json"]
    (about,) = json.loads((folder / "people.json").read_text())["matches"]
    text = (folder / "00000.tacit").read_text()
    match = Match.load(text)
    assert set(match.tags) == {"seat0", "seat1", "played0", "played1"}
    assert (match.tags["seat0"], match.tags["seat1"]) == ("person", "person")
    assert len(about["seconds"]) == len(match.lines)
    assert about["seconds"] == sorted(about["seconds"])
    table, keys = tables[0]
    row = api.get(f"/api/tables/{table}", keys[0]).json()
    whole = text + (folder / "people.json").read_text()
    secrets = [table, *keys, row["commitment"], *(seat[name] for seat in row["seats"] for name in ("name", "person"))]
    assert [secret for secret in secrets if secret in whole] == []
    assert len(read_records(folder)) == 4
    again = tacit("dataset", "people", str(folder), "--database", database)
    assert (again.exit_code, "has a dataset already" in " ".join(again.output.split())) == (1, True)


def test_who_has_to_agree() -> None:
    def row(*seats: SeatRow, **more: Any) -> TableRow:
        return TableRow("t", "toy", 1, {}, "private", "none", None, "over", "", 0.0, list(seats), **more)

    yes, no, bot = SeatRow("person", contributes=True), SeatRow("person"), SeatRow("bot", bot="random")
    assert all_agreed(row(yes, bot))
    assert all_agreed(row(yes, yes))
    assert not all_agreed(row(yes, no))
    assert not all_agreed(row(bot, bot))
    assert not all_agreed(row(yes, bot, deal="daily"))  # others may still play its cards
    assert not all_agreed(row(yes, bot, branched={"table": None, "lines": []}))  # people of another match
    left = SeatRow("person", contributes=False, left=True)
    assert not all_agreed(row(yes, left))
