"""What gates fold of evaluations in a table of its own, and the document that an answer rests on."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

import numpy as np
import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_SEQ = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_PAGE = 5000
_ARMS = {None: 0, "baseline": 1, "candidate": 2}


def upgrade() -> None:
    """Add two tables and fill them from the evaluations that are there."""
    op.add_column("evaluations", sa.Column("document", sa.Text(), nullable=True, comment="the one it rests on"))
    scored = op.create_table(
        "scored",
        sa.Column("seq", _SEQ, autoincrement=False, nullable=False, comment="of the evaluation"),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("context", sa.BigInteger(), nullable=False),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.Column("cluster", sa.BigInteger(), nullable=False),
        sa.Column("arm", sa.Integer(), nullable=False),
        sa.Column("share", sa.Float(), nullable=False),
        sa.Column("values", sa.LargeBinary(), nullable=False, comment="in the order of the context's metrics"),
        sa.PrimaryKeyConstraint("seq", name="pk_scored"),
        comment="what gates fold of evaluations, without their evidence",
    )
    contexts = op.create_table(
        "contexts",
        sa.Column("id", _SEQ, nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False, comment="slice, versions and metrics as JSON"),
        sa.Column("last", sa.BigInteger(), nullable=False, comment="number of the newest evaluation that has it"),
        sa.PrimaryKeyConstraint("id", name="pk_contexts"),
        sa.UniqueConstraint("digest", name="uq_contexts"),
        comment="what evaluations have in common",
    )
    connection = op.get_bind()
    known: dict[bytes, dict[str, Any]] = {}
    seq = 0
    names = ("seq", "at", "slice", "probability", "cluster", "versions", "values", "arm", "share")
    types = {"slice": sa.JSON, "versions": sa.JSON, "values": sa.JSON, "probability": sa.Float, "share": sa.Float}
    columns: list[sa.ColumnClause[Any]] = [sa.column(name, types.get(name)) for name in names]
    kept = sa.and_(sa.column("first", sa.Boolean), sa.not_(sa.column("late", sa.Boolean)))
    while True:
        page = sa.select(*columns).select_from(sa.table("evaluations")).where(columns[0] > seq, kept)
        rows = connection.execute(page.order_by(columns[0]).limit(_PAGE)).all()
        if not rows:
            break
        metrics = sorted({name for row in rows for name in row[6]})
        found = []
        for number, at, slice_, probability, cluster, versions, values, arm, share in rows:
            body = json.dumps(
                [sorted(slice_.items()), sorted(versions.items()), metrics], separators=(",", ":"), ensure_ascii=False
            ).encode()
            digest = blake2b(body, digest_size=16).digest()
            context = known.setdefault(digest, {"id": len(known) + 1, "digest": digest, "body": body})
            context["last"] = number
            found.append(
                {
                    "seq": number,
                    "at": at,
                    "context": context["id"],
                    "probability": probability,
                    "cluster": _code(cluster),
                    "arm": _ARMS[arm],
                    "share": share or 0.0,
                    "values": np.array([values.get(name, np.nan) for name in metrics], "<f8").tobytes(),
                }
            )
        connection.execute(sa.insert(scored), found)
        seq = rows[-1][0]
    if known:
        connection.execute(sa.insert(contexts), list(known.values()))


def _code(cluster: str | None) -> int:
    if cluster is None:
        return 0
    digest = blake2b(cluster.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> 1) or 1
