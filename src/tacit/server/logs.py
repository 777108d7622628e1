"""What the server writes down for its host, as lines of text or of JSON, on standard error.

A line says what happened, never to whom or with what: no name, no key, no card, no address. A table is named by a mark
that `tacit admin list` shows too, because its real name lets people in. Of an error, its kind and place; of what
libraries say, only the sentence they wrote in their source, because what they fill in may be anything.
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
FOLD = 10.0  # seconds in which a line is written once, however often it comes
MOST_FOLDED = 1000  # different lines that are counted
_log = logging.getLogger("tacit.server")


def mark(table: str) -> str:
    """What logs call a table. From it nobody finds the table."""
    return hashlib.sha256(table.encode()).hexdigest()[:10]


def note(event: str, level: int = logging.INFO, **fields: str | int | float | None) -> None:
    """Log an event with its fields."""
    if _log.isEnabledFor(level):
        shown = " ".join(f"{name}={value}" for name, value in fields.items() if value is not None)
        _log.log(level, "%s %s" if shown else "%s%s", event, shown, extra={"event": event, "fields": fields})


def place(error: BaseException) -> str:
    """Where an error came from: our own files and lines, the innermost first."""
    frames = traceback.extract_tb(error.__traceback__)
    files = [(Path(frame.filename).resolve(), frame.lineno) for frame in frames]
    places = [f"{file.name}:{line}" for file, line in files if file.is_relative_to(PACKAGE)]
    return " < ".join(reversed(places[-4:])) or "unknown"


def said(record: logging.LogRecord) -> dict[str, Any]:
    """What may be told of a log record."""
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
        known["error"], known["place"] = type(record.exc_info[1]).__name__, place(record.exc_info[1])
    repeated = getattr(record, "repeated", None)
    return known if repeated is None else known | {"repeated": repeated}


class Lines(logging.Formatter):
    """For people: time, level, what happened."""

    def format(self, record: logging.LogRecord) -> str:
        known = said(record)
        count = known.pop("repeated", None)
        repeated = "" if count is None else f" (repeated {count:,} times)" if count > 1 else " (repeated once)"
        rest = " ".join(f"{k}={v}" for k, v in known.items() if k not in ("at", "level", "from", "event"))
        return f"{known['at']} {known['level']} {known['event']}" + (f" {rest}" if rest else "") + repeated


class Json(logging.Formatter):
    """For machines: one object a line."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(said(record), ensure_ascii=False)


class Folded(logging.StreamHandler[Any]):
    """Writes a line at once when it is new, and again every FOLD seconds, with how often it came meanwhile: whoever
    can cause a line could else fill the disk with it.
    """

    def __init__(self, stream: Any = None) -> None:
        super().__init__(stream)
        self.counted: dict[tuple[Any, ...], tuple[int, logging.LogRecord]] = {}
        self.timer: threading.Timer | None = None

    def emit(self, record: logging.LogRecord) -> None:
        known = said(record)
        key = tuple((name, str(value)) for name, value in known.items() if name != "at")
        if key in self.counted:
            self.counted[key] = self.counted[key][0] + 1, record
            return
        super().emit(record)
        if len(self.counted) < MOST_FOLDED:
            self.counted[key] = 0, record
            self._start()

    def _start(self) -> None:
        if self.timer is None:
            self.timer = threading.Timer(FOLD, self._again)
            self.timer.daemon = True
            self.timer.start()

    def _again(self) -> None:
        self.acquire()
        try:
            self.timer = None
            self.write_counts()
            if self.counted:
                self._start()
        finally:
            self.release()

    def write_counts(self) -> None:
        """Say how often lines came since they were written; those that came no more are forgotten."""
        again = {key: found for key, found in self.counted.items() if found[0]}
        self.counted = {key: (0, record) for key, (_, record) in again.items()}
        for count, record in again.values():
            record.repeated = count
            super().emit(record)

    def close(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        self.write_counts()
        super().close()


def set_up(form: LogFormat) -> None:
    """All logging of this process goes through here: ours from `info` on, the libraries' from `warning` on."""
    handler = Folded(sys.stderr)
    handler.setFormatter(Json() if form == "json" else Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("tacit").setLevel(logging.WARNING if form == "quiet" else logging.INFO)
    logging.captureWarnings(True)
