"""The toy fifth game is registered like any other."""

from __future__ import annotations

import os
from pathlib import Path

# The rules compile once for the whole suite, also with several workers and across runs.
os.environ.setdefault("TACIT_CACHE", str(Path(__file__).parent.parent / ".cache" / "tacit"))

from tacit import register

register("toy", "tests.toy")
