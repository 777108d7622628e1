"""What is noted of a fault of our own: its kind and its place. What it says may name cards, keys or people."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

_log = logging.getLogger("tacit.server")


def note(doing: str, error: BaseException) -> None:
    """Log a fault without its message."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames if "tacit" in frame.filename]
    _log.error("%s failed: %s at %s.", doing, type(error).__name__, " < ".join(reversed(places[-4:])) or "unknown")
