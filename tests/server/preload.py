"""What the helper of forked.py imports before it forks: all that a server needs, also after its start."""

import aiosqlite
import asyncpg

from tacit.server import app
from tests.server import forked

__all__ = ["aiosqlite", "asyncpg", "forked"]
app.load_rest()
