"""The suites of other projects, in `make test-long`; their table is docs/suites.md."""

from __future__ import annotations

import pytest

from tacit import GAMES
from tests.research.suites import PAGE, SUITES, installed, run


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("project", SUITES)
def test_the_suite_passes(project: str, name: str) -> None:
    assert installed(project), f"{project} is not installed: pip install 'tacit-games[suites]'"
    assert run(project, name)


def test_the_table_has_every_suite_and_no_failure() -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows[1:]] == list(SUITES)
    assert [row for row in rows if "fails" in row] == []


def test_the_page_for_researchers_has_the_same_results() -> None:
    page = (PAGE.parent / "research.md").read_text().splitlines()
    for row in (line.split(" | ") for line in PAGE.read_text().splitlines() if line.startswith("| ")):
        assert " | ".join([row[0], *row[2:]]) in page
