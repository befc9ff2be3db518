"""Canaries and what came of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add two tables."""
    op.create_table(
        "canaries",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False, comment="the canary as JSON"),
        sa.Column("asked_at", sa.BigInteger(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("failing_since", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_canaries"),
    )
    op.create_table(
        "canary_results",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("canary", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("latency_ms", sa.Float(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False, comment="the check as JSON"),
        sa.PrimaryKeyConstraint("seq", name="pk_canary_results"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_canary_results_at", "canary_results", ["at"])
    op.create_index("ix_canary_results_canary_seq", "canary_results", ["canary", "seq"])
