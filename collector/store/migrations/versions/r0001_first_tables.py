"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_SEQ = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create everything."""
    op.create_table(
        "answers",
        sa.Column("seq", _SEQ, autoincrement=False, nullable=False),
        sa.Column("answer_id", sa.Text(), nullable=False),
        sa.Column("trace_id", sa.LargeBinary(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("arrived", sa.BigInteger(), nullable=False),
        sa.Column("slice", sa.JSON(), nullable=False),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.Column("sampled", sa.Boolean(), nullable=False),
        sa.Column("pending", sa.Boolean(), nullable=False, comment="sampled and not evaluated"),
        sa.Column("evaluation_seq", sa.BigInteger(), nullable=True, comment="newest evaluation of this revision"),
        sa.Column("body", sa.LargeBinary(), nullable=False, comment="Answer as JSON"),
        sa.PrimaryKeyConstraint("seq", name="pk_answers"),
        sa.UniqueConstraint("answer_id", name="uq_answers"),
    )
    op.create_index("ix_answers_arrived", "answers", ["arrived"])
    op.create_index(
        "ix_answers_pending",
        "answers",
        ["arrived", "seq"],
        sqlite_where=sa.text("pending"),
        postgresql_where=sa.text("pending"),
    )
    op.create_table(
        "books",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False, comment="always 1"),
        sa.Column("chunk_seq", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("answer_seq", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("evaluation_seq", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("decision_seq", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("accepted", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("spans_answer", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("spans_not_an_answer", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("spans_malformed", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("spans_duplicate", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("traces_answer", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("traces_not_an_answer", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("traces_malformed", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_books"),
        comment="one row: the newest sequence numbers, never reused, and the totals, which outlive what is pruned",
    )
    op.create_table(
        "checkpoints",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_checkpoints"),
    )
    op.create_table(
        "chunks",
        sa.Column("seq", _SEQ, autoincrement=False, nullable=False),
        sa.Column("trace_id", sa.LargeBinary(), nullable=False),
        sa.Column("arrived", sa.BigInteger(), nullable=False),
        sa.Column("n_spans", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_chunks"),
    )
    op.create_index("ix_chunks_trace_id_seq", "chunks", ["trace_id", "seq"])
    op.create_table(
        "decisions",
        sa.Column("seq", _SEQ, autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("gate", sa.Text(), nullable=False),
        sa.Column("slice", sa.Text(), nullable=False, comment="canonical JSON"),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("previous_state", sa.Text(), nullable=True),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("previous_hash", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_decisions"),
    )
    op.create_index("ix_decisions_gate_slice_seq", "decisions", ["gate", "slice", "seq"])
    op.create_table(
        "evaluations",
        sa.Column("seq", _SEQ, autoincrement=False, nullable=False),
        sa.Column("answer_id", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("scored_at", sa.BigInteger(), nullable=False),
        sa.Column("first", sa.Boolean(), nullable=False),
        sa.Column("slice", sa.JSON(), nullable=False),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.Column("cluster", sa.Text(), nullable=True),
        sa.Column("versions", sa.JSON(), nullable=False),
        sa.Column("values", sa.JSON(), nullable=False, comment="metric to value, of what was scored"),
        sa.Column("body", sa.LargeBinary(), nullable=False, comment="Evaluation as JSON"),
        sa.PrimaryKeyConstraint("seq", name="pk_evaluations"),
        sa.UniqueConstraint("answer_id", "revision", "scored_at", name="uq_evaluations"),
    )
    op.create_index("ix_evaluations_scored_at", "evaluations", ["scored_at"])
    op.create_table(
        "malformed",
        sa.Column("trace_id", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("trace_id", name="pk_malformed"),
    )
    op.create_index("ix_malformed_at", "malformed", ["at"])
    op.create_table(
        "traces",
        sa.Column("trace_id", sa.LargeBinary(), nullable=False),
        sa.Column("first_arrived", sa.BigInteger(), nullable=False),
        sa.Column("last_arrived", sa.BigInteger(), nullable=False),
        sa.Column("waiting_since", sa.BigInteger(), nullable=True, comment="arrival of the oldest chunk not adapted"),
        sa.Column("has_root", sa.Boolean(), nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False, comment="newest chunk"),
        sa.Column("adapted_seq", sa.BigInteger(), server_default="0", nullable=False, comment="newest chunk adapted"),
        sa.Column("spans", sa.BigInteger(), nullable=False, comment="spans in stored chunks, copies included"),
        sa.Column("bytes", sa.BigInteger(), nullable=False, comment="size of stored chunks"),
        sa.Column("accounted", sa.BigInteger(), server_default="0", nullable=False, comment="of spans, those adapted"),
        sa.Column(
            "duplicates", sa.BigInteger(), server_default="0", nullable=False, comment="of accounted, the copies"
        ),
        sa.Column(
            "adapted_spans", sa.BigInteger(), server_default="0", nullable=False, comment="distinct spans adapted"
        ),
        sa.Column("revision", sa.BigInteger(), server_default="0", nullable=False, comment="of the next adaptation"),
        sa.Column("outcome", sa.String(), nullable=True, comment="null: never adapted"),
        sa.Column("pruned", sa.Boolean(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("trace_id", name="pk_traces"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_traces_emptied",
        "traces",
        ["last_arrived"],
        sqlite_where=sa.text("spans = 0"),
        postgresql_where=sa.text("spans = 0"),
    )
    op.create_index(
        "ix_traces_stored",
        "traces",
        ["last_arrived"],
        sqlite_where=sa.text("spans > 0"),
        postgresql_where=sa.text("spans > 0"),
    )
    op.create_index(
        "ix_traces_waiting",
        "traces",
        ["has_root", "last_arrived"],
        sqlite_where=sa.text("last_seq > adapted_seq"),
        postgresql_where=sa.text("last_seq > adapted_seq"),
    )
    op.create_index(
        "ix_traces_waiting_since",
        "traces",
        ["waiting_since"],
        sqlite_where=sa.text("last_seq > adapted_seq"),
        postgresql_where=sa.text("last_seq > adapted_seq"),
    )
    op.execute("INSERT INTO books (id) VALUES (1)")
