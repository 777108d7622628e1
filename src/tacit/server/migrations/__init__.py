"""How the database came to its form, step by step (Alembic). `versions/` has one file a step."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa


def upgrade(connection: sa.Connection) -> None:
    """Take every step that this database has not taken yet."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
