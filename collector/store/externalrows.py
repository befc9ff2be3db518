"""Rows of scores by other evaluators, and how their metrics are told from those of the panel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from collector.store.rows import ExternalRow
from collector.store.statements import groups
from collector.store.tables import external

PREFIX = "external."
"""How the names of their metrics begin."""


def is_external(metric: str) -> bool:
    """Whether the values of a metric come from another evaluator.

    >>> is_external("external.tone"), is_external("claim_support")
    (True, False)
    """
    return metric.startswith(PREFIX)


def scores_of(connection: sa.Connection, ids: Sequence[str]) -> dict[str, tuple[ExternalRow, ...]]:
    """Return the scores of answers by their ids, in the order in which they came."""
    found: dict[str, tuple[ExternalRow, ...]] = {}
    for group in groups(ids):
        chosen = sa.select(external).where(external.c.answer_id.in_(group)).order_by(external.c.seq)
        for row in connection.execute(chosen):
            found[row.answer_id] = (*found.get(row.answer_id, ()), row_of(row))
    return found


def row_of(row: sa.Row[Any]) -> ExternalRow:
    """Return a row of the table as others know it."""
    return ExternalRow(
        answer_id=row.answer_id,
        metric=row.metric,
        value=row.value,
        label=row.label,
        explanation=row.explanation,
        evaluator=row.evaluator,
        probability=row.probability,
        source=row.source,
        at=row.at,
        recorded_at=row.recorded_at,
        seq=row.seq,
    )
