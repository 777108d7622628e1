"""Logging to standard error, as text or as JSON.

A line says what happened, not to whom or with what: no name, key, card or address. A table appears as a mark that
`tacit admin list` shows, too, because its real name lets people in. Of an error we log its kind and place; of
libraries' messages only the constant part, because their arguments may be anything.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

from tacit.server.config import LogFormat

PACKAGE = Path(__file__).resolve().parent.parent
FOLD_SECONDS = 10.0  # in which a repeated line is written once
MAX_FOLDED = 1000  # different lines counted at once
_log = logging.getLogger("tacit.server")


def mark(table: str) -> str:
    """A table's name in logs. It does not reveal the real name."""
    return hashlib.sha256(table.encode()).hexdigest()[:10]


def note(event: str, level: int = logging.INFO, **fields: str | int | float | None) -> None:
    """Log an event with its fields."""
    if _log.isEnabledFor(level):
        shown = " ".join(f"{name}={value}" for name, value in fields.items() if value is not None)
        _log.log(level, "%s %s" if shown else "%s%s", event, shown, extra={"event": event, "fields": fields})


def location(error: BaseException) -> str:
    """Where an error was raised: our own files and lines, the innermost first."""
    frames = traceback.extract_tb(error.__traceback__)
    files = [(Path(frame.filename).resolve(), frame.lineno) for frame in frames]
    lines = [f"{file.name}:{line}" for file, line in files if file.is_relative_to(PACKAGE)]
    return " < ".join(reversed(lines[-4:])) or "unknown"


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    """The fields of a log record that may be written."""
    ours = record.name.split(".")[0] == "tacit"
    known: dict[str, Any] = {
        "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
        "level": record.levelname.lower(),
        "from": record.name,
    }
    event = getattr(record, "event", None)
    if event is not None:
        known["event"] = event
        known |= {name: value for name, value in getattr(record, "fields", {}).items() if value is not None}
    else:
        known["event"] = record.getMessage() if ours else str(record.msg).strip().partition("\n")[0][:200]
    if record.exc_info and record.exc_info[1] is not None:
        known["error"], known["place"] = type(record.exc_info[1]).__name__, location(record.exc_info[1])
    repeated = getattr(record, "repeated", None)
    return known if repeated is None else known | {"repeated": repeated}


class TextFormatter(logging.Formatter):
    """Time, level, event and fields, for people."""

    def format(self, record: logging.LogRecord) -> str:
        known = fields_of(record)
        count = known.pop("repeated", None)
        repeated = "" if count is None else f" (repeated {count:,} times)" if count > 1 else " (repeated once)"
        rest = " ".join(f"{k}={v}" for k, v in known.items() if k not in ("at", "level", "from", "event"))
        return f"{known['at']} {known['level']} {known['event']}" + (f" {rest}" if rest else "") + repeated


class JsonFormatter(logging.Formatter):
    """One JSON object a line, for programs."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(fields_of(record), ensure_ascii=False)


class FoldingHandler(logging.StreamHandler[Any]):
    """Writes a new line at once, and a repeated one every FOLD_SECONDS with its count, so that a client that causes
    the same line again and again does not fill the disk.
    """

    def __init__(self, stream: Any = None) -> None:
        super().__init__(stream)
        self.counts: dict[tuple[Any, ...], tuple[int, logging.LogRecord]] = {}
        self.timer: threading.Timer | None = None

    def emit(self, record: logging.LogRecord) -> None:
        known = fields_of(record)
        key = tuple((name, str(value)) for name, value in known.items() if name != "at")
        if key in self.counts:
            self.counts[key] = self.counts[key][0] + 1, record
            return
        super().emit(record)
        if len(self.counts) < MAX_FOLDED:
            self.counts[key] = 0, record
            self._start_timer()

    def _start_timer(self) -> None:
        if self.timer is None:
            self.timer = threading.Timer(FOLD_SECONDS, self._on_timer)
            self.timer.daemon = True
            self.timer.start()

    def _on_timer(self) -> None:
        self.acquire()
        try:
            self.timer = None
            self.write_counts()
            if self.counts:
                self._start_timer()
        finally:
            self.release()

    def write_counts(self) -> None:
        """Write how often each line was repeated, and forget those that were not."""
        again = {key: found for key, found in self.counts.items() if found[0]}
        self.counts = {key: (0, record) for key, (_, record) in again.items()}
        for count, record in again.values():
            record.repeated = count
            super().emit(record)

    def close(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        self.write_counts()
        super().close()


def set_up(form: LogFormat) -> None:
    """Set up logging for this process: ours from `info` on, libraries' from `warning` on."""
    handler = FoldingHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("tacit").setLevel(logging.WARNING if form == "quiet" else logging.INFO)
    logging.captureWarnings(True)
