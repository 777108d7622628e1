"""How the database came to its form, step by step (Alembic). `versions/` has one file a step, named by its number."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

HERE = Path(__file__).parent


def newest() -> str:
    """The number of the last step."""
    return max(file.name for file in (HERE / "versions").glob("[0-9]*.py")).partition("_")[0]


def is_newest(connection: sa.Connection) -> bool:
    """Has this database taken every step? Asks without Alembic, which takes 0.1 s to load."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return False
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalars().all() == [newest()]


def upgrade(connection: sa.Connection) -> None:
    """Take every step that this database has not taken yet."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
