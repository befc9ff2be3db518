"""Where sources stand, and the records they bring."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_COUNTS = ("records", "records_answer", "records_repeated", "records_malformed")


def upgrade() -> None:
    """Add the tables of sources, and the books of their records."""
    op.create_table(
        "cursors",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_cursors"),
    )
    op.create_table(
        "malformed_records",
        sa.Column("id", sa.LargeBinary(), nullable=False, comment="digest of the rest but for the time"),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_malformed_records"),
    )
    op.create_index("ix_malformed_records_at", "malformed_records", ["at"])
    # SQLite would put new columns behind the constraints: the one row is copied, so that every store has one layout.
    copied = op.get_context().dialect.name == "sqlite"
    with op.batch_alter_table("books", recreate="always" if copied else "never") as books:
        for name in _COUNTS:
            books.add_column(sa.Column(name, sa.BigInteger(), server_default="0", nullable=False))
