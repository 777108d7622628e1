"""A line that repeats is written once, and then counted, so that a client cannot fill the disk."""

from __future__ import annotations

import io
import json
import logging

import pytest

from tacit.server import logs


@pytest.fixture
def folded() -> logs.FoldingHandler:
    handler = logs.FoldingHandler(io.StringIO())
    handler.setFormatter(logs.TextFormatter())
    return handler


def write(handler: logs.FoldingHandler, event: str, **fields: object) -> None:
    record = logging.LogRecord("tacit.server", logging.WARNING, "x.py", 1, event, None, None)
    record.event, record.fields = event, fields
    handler.handle(record)


def lines(handler: logs.FoldingHandler) -> list[str]:
    return [line.partition(" ")[2] for line in handler.stream.getvalue().splitlines()]


def test_repeated_lines_are_counted(folded: logs.FoldingHandler) -> None:
    for _ in range(1205):
        write(folded, "connections.full", limit="all")
    write(folded, "connections.full", limit="address")
    assert lines(folded) == ["warning connections.full limit=all", "warning connections.full limit=address"]
    folded._on_timer()
    assert lines(folded)[2:] == ["warning connections.full limit=all (repeated 1,204 times)"]
    write(folded, "connections.full", limit="all")  # it goes on
    folded._on_timer()
    assert lines(folded)[3:] == ["warning connections.full limit=all (repeated once)"]
    folded._on_timer()  # quiet again: forgotten
    write(folded, "connections.full", limit="all")
    assert lines(folded)[4:] == ["warning connections.full limit=all"]
    folded.close()


def test_the_last_count_is_written_when_the_server_stops(folded: logs.FoldingHandler) -> None:
    folded.setFormatter(logs.JsonFormatter())
    for _ in range(3):
        write(folded, "socket.slow")
    folded.close()
    assert [json.loads(line).get("repeated") for line in folded.stream.getvalue().splitlines()] == [None, 2]


def test_many_different_lines_are_not_remembered(folded: logs.FoldingHandler) -> None:
    for number in range(logs.MAX_FOLDED * 2):
        write(folded, "table.made", table=number)
    assert len(folded.counts) == logs.MAX_FOLDED
    assert len(lines(folded)) == logs.MAX_FOLDED * 2
    folded.close()
