"""Runs the steps on the connection that `collector.store.migrate` hands over."""

from __future__ import annotations

from alembic import context

from collector.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite cannot alter most of a table in place; batch mode copies it.
    render_as_batch=True,
)
context.run_migrations()
