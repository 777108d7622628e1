"""Logging of unexpected exceptions: kind and place only. Their messages may name cards, keys or people."""

from __future__ import annotations

import logging
from collections import Counter

from tacit.server.logs import location

_log = logging.getLogger("tacit.server")
counted: Counter[str] = Counter()  # by kind, in this process


def note(doing: str, error: BaseException) -> None:
    """Log a fault without its message."""
    kind = type(error).__name__
    counted[kind] += 1
    fields = {"doing": doing, "error": kind, "place": location(error)}
    _log.error("%s failed: %s at %s.", doing, kind, fields["place"], extra={"event": "fault", "fields": fields})
