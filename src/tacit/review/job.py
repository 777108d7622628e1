"""A review for a server, in a process of its own: `python -m tacit.review.job` reads a record and writes reviews.

Each line is the review so far as JSON, the last one is whole. Lines come at most every WRITE_EVERY seconds.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import time
from collections.abc import Iterator

import msgspec

from tacit.core.match import Match
from tacit.review import review_steps
from tacit.review.model import Review

NICE = 15  # players come first
WRITE_EVERY = 0.5


def spaced(steps: Iterator[Review]) -> Iterator[Review]:
    """Some of the reviews, the first and the last among them."""
    written, waiting = -math.inf, None
    for waiting in steps:
        if time.monotonic() - written > WRITE_EVERY:
            yield waiting
            written, waiting = time.monotonic(), None
    if waiting is not None:
        yield waiting


def main() -> None:
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)
    match = Match.load(sys.stdin.read())
    for found in spaced(review_steps(match)):
        sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
