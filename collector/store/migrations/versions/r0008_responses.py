"""The responses of models that answers were made from, scores that name one, and scores that were given up."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add two tables and a column; what is there names no response yet."""
    op.create_table(
        "responses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("answer_seq", sa.BigInteger(), nullable=False),
        sa.Column("response", sa.LargeBinary(), nullable=False, comment="digest of the id that the provider gave it"),
        sa.PrimaryKeyConstraint("id", name="pk_responses"),
        sa.UniqueConstraint("answer_seq", "response", name="uq_responses"),
        comment="responses of models that answers were made from",
        sqlite_autoincrement=True,
    )
    op.create_index("ix_responses_response_answer_seq", "responses", ["response", "answer_seq"])
    op.create_table(
        "external_unmatched",
        sa.Column("id", sa.LargeBinary(), nullable=False, comment="digest of what it says"),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_external_unmatched"),
        comment="the newest scores by other evaluators that were given up",
    )
    op.create_index("ix_external_unmatched_recorded_at", "external_unmatched", ["recorded_at"])
    # SQLite would put a new column behind the constraints: what waits is copied, so that every store has one layout.
    copied = op.get_context().dialect.name == "sqlite"
    with op.batch_alter_table("external_waiting", recreate="always" if copied else "never") as waiting:
        waiting.add_column(
            sa.Column("response", sa.LargeBinary(), nullable=True, comment="digest of the response it names")
        )
    op.create_index("ix_external_waiting_response", "external_waiting", ["response"])
