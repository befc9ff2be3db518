"""The tables."""

from __future__ import annotations

import sqlalchemy as sa

Seq = sa.Integer
"""A sequence number: of the type that makes a primary key the row id, so that rows lie in this order on disk."""

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s",
    }
)

books = sa.Table(
    "books",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False, comment="always 1"),
    *(
        sa.Column(name, sa.BigInteger, nullable=False, server_default="0")
        for name in (
            "chunk_seq",
            "answer_seq",
            "evaluation_seq",
            "decision_seq",
            "accepted",
            "spans_answer",
            "spans_not_an_answer",
            "spans_malformed",
            "spans_duplicate",
            "traces_answer",
            "traces_not_an_answer",
            "traces_malformed",
            "records",
            "records_answer",
            "records_repeated",
            "records_malformed",
        )
    ),
    comment="one row: the newest sequence numbers, never reused, and the totals, which outlive what is pruned",
)

chunks = sa.Table(
    "chunks",
    metadata,
    sa.Column("seq", Seq, primary_key=True, autoincrement=False),
    sa.Column("trace_id", sa.LargeBinary, nullable=False),
    sa.Column("arrived", sa.BigInteger, nullable=False),
    sa.Column("n_spans", sa.Integer, nullable=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
    sa.Index(None, "trace_id", "seq"),
)

traces = sa.Table(
    "traces",
    metadata,
    sa.Column("trace_id", sa.LargeBinary, primary_key=True),
    sa.Column("first_arrived", sa.BigInteger, nullable=False),
    sa.Column("last_arrived", sa.BigInteger, nullable=False),
    sa.Column("waiting_since", sa.BigInteger, nullable=True, comment="arrival of the oldest chunk not adapted"),
    sa.Column("has_root", sa.Boolean, nullable=False),
    sa.Column("last_seq", sa.BigInteger, nullable=False, comment="newest chunk"),
    sa.Column("adapted_seq", sa.BigInteger, nullable=False, server_default="0", comment="newest chunk adapted"),
    sa.Column("spans", sa.BigInteger, nullable=False, comment="spans in stored chunks, copies included"),
    sa.Column("bytes", sa.BigInteger, nullable=False, comment="size of stored chunks"),
    sa.Column("accounted", sa.BigInteger, nullable=False, server_default="0", comment="of spans, those adapted"),
    sa.Column("duplicates", sa.BigInteger, nullable=False, server_default="0", comment="of accounted, the copies"),
    sa.Column("adapted_spans", sa.BigInteger, nullable=False, server_default="0", comment="distinct spans adapted"),
    sa.Column("revision", sa.BigInteger, nullable=False, server_default="0", comment="of the next adaptation"),
    sa.Column("outcome", sa.String, nullable=True, comment="null: never adapted"),
    sa.Column("pruned", sa.Boolean, nullable=False, server_default=sa.false()),
    # Traces are found by id and by what is due; the row id would only be one more index to keep.
    sqlite_with_rowid=False,
)
_waiting = traces.c.last_seq > traces.c.adapted_seq
sa.Index("ix_traces_waiting", traces.c.has_root, traces.c.last_arrived, sqlite_where=_waiting)
sa.Index("ix_traces_waiting_since", traces.c.waiting_since, sqlite_where=_waiting)
# What retention looks for: traces that still hold chunks, and those of which only the row is left.
for _name, _part in (("ix_traces_stored", traces.c.spans > 0), ("ix_traces_emptied", traces.c.spans == 0)):
    sa.Index(_name, traces.c.last_arrived, sqlite_where=_part)

malformed = sa.Table(
    "malformed",
    metadata,
    sa.Column("trace_id", sa.LargeBinary, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False, index=True),
    sa.Column("reason", sa.Text, nullable=False),
)

answers = sa.Table(
    "answers",
    metadata,
    sa.Column("seq", Seq, primary_key=True, autoincrement=False),
    sa.Column("answer_id", sa.Text, nullable=False, unique=True),
    sa.Column("trace_id", sa.LargeBinary, nullable=False),
    sa.Column("revision", sa.BigInteger, nullable=False),
    sa.Column("arrived", sa.BigInteger, nullable=False, index=True),
    sa.Column("slice", sa.JSON, nullable=False),
    sa.Column("probability", sa.Float, nullable=False),
    sa.Column("sampled", sa.Boolean, nullable=False),
    sa.Column("pending", sa.Boolean, nullable=False, comment="sampled and not evaluated"),
    sa.Column("evaluation_seq", sa.BigInteger, nullable=True, comment="newest evaluation of this revision"),
    sa.Column("body", sa.LargeBinary, nullable=False, comment="Answer as JSON"),
    sa.Column("late", sa.Boolean, nullable=False, server_default=sa.false(), comment="drawn after it was stored"),
)
# Written as in queries, with "= 1": SQLite uses a partial index only where its condition stands in the query so.
sa.Index("ix_answers_pending", answers.c.arrived, answers.c.seq, sqlite_where=answers.c.pending == sa.true())
# What lists are made of, in the order of arrival: it is written at its end alone, so that it costs little to keep.
sa.Index("ix_answers_listed", answers.c.seq, answers.c.slice, answers.c.evaluation_seq)

evaluations = sa.Table(
    "evaluations",
    metadata,
    sa.Column("seq", Seq, primary_key=True, autoincrement=False),
    sa.Column("answer_id", sa.Text, nullable=False),
    sa.Column("revision", sa.BigInteger, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("scored_at", sa.BigInteger, nullable=False, index=True),
    sa.Column("first", sa.Boolean, nullable=False),
    sa.Column("slice", sa.JSON, nullable=False),
    sa.Column("probability", sa.Float, nullable=False),
    sa.Column("cluster", sa.Text, nullable=True),
    sa.Column("versions", sa.JSON, nullable=False),
    sa.Column("values", sa.JSON, nullable=False, comment="metric to value, of what was scored"),
    sa.Column("body", sa.LargeBinary, nullable=False, comment="Evaluation as JSON"),
    sa.Column("late", sa.Boolean, nullable=False, server_default=sa.false(), comment="of an answer drawn late"),
    sa.Column("arm", sa.Text, nullable=True),
    sa.Column("share", sa.Float, nullable=True),
    sa.Column("document", sa.Text, nullable=True, comment="the one it rests on"),
    sa.UniqueConstraint("answer_id", "revision", "scored_at"),
)

scored = sa.Table(
    "scored",
    metadata,
    sa.Column("seq", Seq, primary_key=True, autoincrement=False, comment="of the evaluation"),
    sa.Column("at", sa.BigInteger, nullable=False),
    # Its rows lie in the order of seq, so that those of one slice are found newest first.
    sa.Column("context", sa.BigInteger, nullable=False, index=True),
    sa.Column("probability", sa.Float, nullable=False),
    sa.Column("cluster", sa.BigInteger, nullable=False),
    sa.Column("arm", sa.Integer, nullable=False),
    sa.Column("share", sa.Float, nullable=False),
    sa.Column("values", sa.LargeBinary, nullable=False, comment="in the order of the context's metrics"),
    comment="what gates fold of evaluations, without their evidence",
)

contexts = sa.Table(
    "contexts",
    metadata,
    sa.Column("id", Seq, primary_key=True),
    sa.Column("digest", sa.LargeBinary, nullable=False, unique=True),
    sa.Column("body", sa.LargeBinary, nullable=False, comment="slice, versions and metrics as JSON"),
    sa.Column("last", sa.BigInteger, nullable=False, comment="number of the newest evaluation that has it"),
    comment="what evaluations have in common",
)

labels = sa.Table(
    "labels",
    metadata,
    sa.Column("seq", Seq, primary_key=True, autoincrement=False, comment="from the numbers of evaluations"),
    sa.Column("answer_id", sa.Text, nullable=False),
    sa.Column("metric", sa.Text, nullable=False),
    sa.Column("evaluation_seq", sa.BigInteger, nullable=False, index=True, comment="of the score it is of"),
    sa.Column("value", sa.Float, nullable=False, comment="what the metric should have been"),
    sa.Column("probability", sa.Float, nullable=False, comment="that the answer was labelled"),
    sa.Column("labeller", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("recorded_at", sa.BigInteger, nullable=False),
    sa.UniqueConstraint("answer_id", "metric"),
    comment="what people, gold answers or models found scores should have been",
)

external = sa.Table(
    "external",
    metadata,
    sa.Column("seq", Seq, primary_key=True, autoincrement=False, comment="from the numbers of evaluations"),
    sa.Column("answer_id", sa.Text, nullable=False),
    sa.Column("revision", sa.BigInteger, nullable=False),
    sa.Column("metric", sa.Text, nullable=False),
    sa.Column("value", sa.Float, nullable=False),
    sa.Column("label", sa.Text, nullable=True),
    sa.Column("explanation", sa.Text, nullable=True),
    sa.Column("evaluator", sa.Text, nullable=False, comment="name and version"),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("recorded_at", sa.BigInteger, nullable=False, index=True),
    sa.Column("answered_at", sa.BigInteger, nullable=False),
    sa.Column("slice", sa.JSON, nullable=False),
    sa.Column("probability", sa.Float, nullable=False, comment="that the answer was evaluated"),
    sa.Column("cluster", sa.Text, nullable=True),
    sa.Column("versions", sa.JSON, nullable=False),
    sa.Column("arm", sa.Text, nullable=True),
    sa.Column("share", sa.Float, nullable=True),
    sa.Column("document", sa.Text, nullable=True),
    sa.UniqueConstraint("answer_id", "metric"),
    sa.Index(None, "metric", "evaluator", "seq"),
    comment="scores by other evaluators",
)

external_waiting = sa.Table(
    "external_waiting",
    metadata,
    sa.Column("id", sa.LargeBinary, primary_key=True, comment="digest of what it says"),
    sa.Column("ref", sa.Text, nullable=False, index=True, comment="id of the answer or of its trace, or empty"),
    sa.Column("recorded_at", sa.BigInteger, nullable=False, index=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("response", sa.LargeBinary, nullable=True, index=True, comment="digest of the response it names"),
    comment="scores by other evaluators whose answers have not come",
)

external_unmatched = sa.Table(
    "external_unmatched",
    metadata,
    sa.Column("id", sa.LargeBinary, primary_key=True, comment="digest of what it says"),
    sa.Column("recorded_at", sa.BigInteger, nullable=False, index=True),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    comment="the newest scores by other evaluators that were given up",
)

responses = sa.Table(
    "responses",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("answer_seq", sa.BigInteger, nullable=False),
    sa.Column("response", sa.LargeBinary, nullable=False, comment="digest of the id that the provider gave it"),
    sa.UniqueConstraint("answer_seq", "response"),
    sa.Index(None, "response", "answer_seq"),
    comment="responses of models that answers were made from",
    sqlite_autoincrement=True,
)

changes = sa.Table(
    "changes",
    metadata,
    sa.Column("seq", Seq, primary_key=True, autoincrement=False, comment="from the numbers of evaluations"),
    sa.Column("change_id", sa.Text, nullable=False, unique=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("recorded_at", sa.BigInteger, nullable=False, index=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("component", sa.Text, nullable=False),
    sa.Column("scope", sa.JSON, nullable=False),
    sa.Column("version", sa.Text, nullable=True),
    sa.Column("previous", sa.Text, nullable=True),
    sa.Column("documents", sa.JSON, nullable=False),
    sa.Column("note", sa.Text, nullable=True),
    sa.Index(None, "component", "seq"),
)

seen = sa.Table(
    "seen",
    metadata,
    sa.Column("component", sa.Text, primary_key=True),
    sa.Column("scope", sa.Text, primary_key=True, comment="canonical JSON"),
    sa.Column("version", sa.Text, primary_key=True),
    sa.Column("count", sa.BigInteger, nullable=False, comment="answers that showed it"),
    sa.Column("first", sa.BigInteger, nullable=False, comment="number of the first of them"),
    sa.Column("last", sa.BigInteger, nullable=False, comment="number of the newest of them"),
    sa.Column("last_at", sa.BigInteger, nullable=False),
)

cursors = sa.Table(
    "cursors",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("state", sa.LargeBinary, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)

malformed_records = sa.Table(
    "malformed_records",
    metadata,
    sa.Column("id", sa.LargeBinary, primary_key=True, comment="digest of the rest but for the time"),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False, index=True),
    sa.Column("place", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
)

checkpoints = sa.Table(
    "checkpoints",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("seq", sa.BigInteger, nullable=False),
    sa.Column("state", sa.LargeBinary, nullable=False),
)

decisions = sa.Table(
    "decisions",
    metadata,
    sa.Column("seq", Seq, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("gate", sa.Text, nullable=False),
    sa.Column("slice", sa.Text, nullable=False, comment="canonical JSON"),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("previous_state", sa.Text, nullable=True),
    sa.Column("verdict", sa.Text, nullable=False),
    sa.Column("previous_hash", sa.Text, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
    sa.Column("record", sa.Text, nullable=True, comment="decision record as JSON"),
    sa.Index(None, "gate", "slice", "seq"),
)

canaries = sa.Table(
    "canaries",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("due_at", sa.BigInteger, nullable=False),
    sa.Column("body", sa.Text, nullable=False, comment="the canary as JSON"),
    sa.Column("asked_at", sa.BigInteger, nullable=True),
    sa.Column("outcome", sa.Text, nullable=True),
    sa.Column("detail", sa.Text, nullable=True),
    sa.Column("failing_since", sa.BigInteger, nullable=True),
)

canary_results = sa.Table(
    "canary_results",
    metadata,
    sa.Column("seq", Seq, primary_key=True),
    sa.Column("canary", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Column("trace_id", sa.Text, nullable=False),
    sa.Column("latency_ms", sa.Float, nullable=False),
    sa.Column("body", sa.Text, nullable=False, comment="the check as JSON"),
    sa.Index(None, "at"),
    sa.Index(None, "canary", "seq"),
    sqlite_autoincrement=True,
)
