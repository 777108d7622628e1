"""The process that makes a review for a server: a record in, a line for each part out."""

from __future__ import annotations

import io
from collections.abc import Iterator
from types import SimpleNamespace

import msgspec
import pytest

from tacit.core.match import Match
from tacit.review import job
from tacit.review.model import Review
from tests.server.harness import ROOT
from tests.server.stub_review import made_up

RECORD = sorted((ROOT / "tests" / "golden" / "silencio").glob("*.tacit"))[0].read_text()


def test_lines_come_from_the_first_to_the_whole_and_not_too_often(monkeypatch: pytest.MonkeyPatch) -> None:
    part, whole = made_up(RECORD)
    between = [msgspec.structs.replace(part, progress=0.3 + n / 1000) for n in range(1, 500)]
    asked: list[str] = []

    def steps(match: Match) -> Iterator[Review]:
        asked.append(match.game.name)
        return iter([part, *between, whole])

    written = io.BytesIO()
    monkeypatch.setattr(job, "review_steps", steps)
    monkeypatch.setattr(job, "WRITE_EVERY", 1e9)  # as if no time passed
    monkeypatch.setattr("os.nice", lambda _: 0)
    monkeypatch.setattr("sys.stdin", io.StringIO(RECORD))
    monkeypatch.setattr("sys.stdout", SimpleNamespace(buffer=written))
    job.main()
    assert asked == ["silencio"]
    assert written.getvalue().splitlines() == [msgspec.json.encode(part), msgspec.json.encode(whole)]
