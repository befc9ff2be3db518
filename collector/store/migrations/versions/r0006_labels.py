"""Labels of scored answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_SEQ = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add a table; no answer has a label yet."""
    op.create_table(
        "labels",
        sa.Column("seq", _SEQ, autoincrement=False, nullable=False, comment="from the numbers of evaluations"),
        sa.Column("answer_id", sa.Text(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("evaluation_seq", sa.BigInteger(), nullable=False, comment="of the score it is of"),
        sa.Column("value", sa.Float(), nullable=False, comment="what the metric should have been"),
        sa.Column("probability", sa.Float(), nullable=False, comment="that the answer was labelled"),
        sa.Column("labeller", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_labels"),
        sa.UniqueConstraint("answer_id", "metric", name="uq_labels"),
        comment="what people, gold answers or models found scores should have been",
    )
    op.create_index("ix_labels_evaluation_seq", "labels", ["evaluation_seq"])
