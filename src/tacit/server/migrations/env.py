"""What Alembic runs: the caller of the upgrade gives the connection."""

from __future__ import annotations

from alembic import context

from tacit.server.models import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
