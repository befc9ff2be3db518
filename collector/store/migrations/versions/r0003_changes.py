"""The change ledger, what was seen of versions, answers drawn late, arms, and decision records."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_SEQ = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add two tables, and columns to the tables beside them."""
    op.create_table(
        "changes",
        sa.Column("seq", _SEQ, autoincrement=False, nullable=False, comment="from the numbers of evaluations"),
        sa.Column("change_id", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("component", sa.Text(), nullable=False),
        sa.Column("scope", sa.JSON(), nullable=False),
        sa.Column("version", sa.Text(), nullable=True),
        sa.Column("previous", sa.Text(), nullable=True),
        sa.Column("documents", sa.JSON(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("seq", name="pk_changes"),
        sa.UniqueConstraint("change_id", name="uq_changes"),
    )
    op.create_index("ix_changes_recorded_at", "changes", ["recorded_at"])
    op.create_index("ix_changes_component_seq", "changes", ["component", "seq"])
    op.create_table(
        "seen",
        sa.Column("component", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False, comment="canonical JSON"),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False, comment="answers that showed it"),
        sa.Column("first", sa.BigInteger(), nullable=False, comment="number of the first of them"),
        sa.Column("last", sa.BigInteger(), nullable=False, comment="number of the newest of them"),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("component", "scope", "version", name="pk_seen"),
    )
    late = {
        "answers": "drawn after it was stored",
        "evaluations": "of an answer drawn late",
    }
    for table, comment in late.items():
        op.add_column(
            table, sa.Column("late", sa.Boolean(), server_default=sa.text("0"), nullable=False, comment=comment)
        )
    op.add_column("evaluations", sa.Column("arm", sa.Text(), nullable=True))
    op.add_column("evaluations", sa.Column("share", sa.Float(), nullable=True))
    op.add_column("decisions", sa.Column("record", sa.Text(), nullable=True, comment="decision record as JSON"))
