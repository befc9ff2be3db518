"""Scores by other evaluators."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_SEQ = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add two tables; no answer has such a score yet."""
    op.create_table(
        "external",
        sa.Column("seq", _SEQ, autoincrement=False, nullable=False, comment="from the numbers of evaluations"),
        sa.Column("answer_id", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("label", sa.Text(), nullable=True),
        sa.Column("explanation", sa.Text(), nullable=True),
        sa.Column("evaluator", sa.Text(), nullable=False, comment="name and version"),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.Column("answered_at", sa.BigInteger(), nullable=False),
        sa.Column("slice", sa.JSON(), nullable=False),
        sa.Column("probability", sa.Float(), nullable=False, comment="that the answer was evaluated"),
        sa.Column("cluster", sa.Text(), nullable=True),
        sa.Column("versions", sa.JSON(), nullable=False),
        sa.Column("arm", sa.Text(), nullable=True),
        sa.Column("share", sa.Float(), nullable=True),
        sa.Column("document", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("seq", name="pk_external"),
        sa.UniqueConstraint("answer_id", "metric", name="uq_external"),
        comment="scores by other evaluators",
    )
    op.create_index("ix_external_metric_evaluator_seq", "external", ["metric", "evaluator", "seq"])
    op.create_index("ix_external_recorded_at", "external", ["recorded_at"])
    op.create_table(
        "external_waiting",
        sa.Column("id", sa.LargeBinary(), nullable=False, comment="digest of what it says"),
        sa.Column("ref", sa.Text(), nullable=False, comment="id of the answer or of its trace"),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_external_waiting"),
        comment="scores by other evaluators whose answers have not come",
    )
    op.create_index("ix_external_waiting_ref", "external_waiting", ["ref"])
    op.create_index("ix_external_waiting_recorded_at", "external_waiting", ["recorded_at"])
