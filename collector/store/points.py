"""What pages draw: the newest values of a metric in a slice, and the documents that answers rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import sqlalchemy as sa

from collector.store.columns import EvaluationContext, ScoredColumns, label_of
from collector.store.connections import StorePart
from collector.store.statements import groups, newest_seq
from collector.store.tables import contexts, evaluations, scored
from gates.evidence.arrays import Floats, Integers
from gates.inputs.observations import label_code

SPAN = 300_000
"""Numbers of evaluations among which points are looked for; their compact rows take some 0.1 s."""
POINTS = 15_000
"""Points that are read at once, the newest; some 0.05 s."""
RESTED = 5_000
"""Evaluations whose document is counted, of the last `RESTED_SPAN` numbers; each is a page of disk."""
RESTED_SPAN = 10_000
DOCUMENTS = 100
"""Documents that are told of."""


@dataclass(frozen=True, slots=True, eq=False)
class MetricPoints:
    """Values of a metric, oldest first: ``at`` in microseconds since 1970, each drawn with its ``probability``.

    ``partial`` says that there are older ones which were not read.
    """

    at: Integers
    value: Floats
    probability: Floats
    partial: bool


@dataclass(frozen=True, slots=True)
class RestedDocument:
    """A document that answers rest on: how many of the newest, how many of them bad, and one of these."""

    document: str
    answers: int
    bad: int
    example: str | None


class PointStore(StorePart):
    """Values over time."""

    def points(
        self, metric: str, slice_: Mapping[str, str], *, since: int = 0, good_labels: tuple[str, ...] = ()
    ) -> MetricPoints:
        """Return the newest values of ``metric`` in slices that agree on every dimension named, from ``since`` (ns) on.

        With ``good_labels`` they are 1 where the score carries one of these, and 0 where it carries another. At most
        `POINTS` are read, of the last `SPAN` evaluations.
        """
        column = label_of(metric) if good_labels else metric
        with self._read() as connection:
            known = {
                row.id: context
                for row in connection.execute(sa.select(contexts.c.id, contexts.c.body))
                if column in (context := EvaluationContext.load(row.body)).metrics
                and slice_.items() <= dict(context.slice).items()
            }
            floor = newest_seq(connection) - SPAN
            rows: list[Any] = []
            for ids in groups(sorted(known)):
                newest = (
                    sa.select(scored)
                    .where(scored.c.seq > floor, scored.c.context.in_(ids), scored.c.at >= since)
                    .order_by(scored.c.seq.desc())
                    .limit(POINTS)
                )
                rows += connection.execute(newest).all()
            oldest = connection.execute(sa.select(sa.func.min(scored.c.seq))).scalar_one()
        rows.sort(key=lambda row: row[0])
        partial = len(rows) >= POINTS or (oldest is not None and oldest <= floor)
        columns = ScoredColumns.of(rows[-POINTS:], known)
        there, values = columns.values(column)
        if good_labels:
            codes = [float(label_code(label)) for label in good_labels]
            there, values = there[values != 0.0], np.isin(values[values != 0.0], codes).astype(np.float64)
        order = np.argsort(columns.at_us[there], kind="stable")
        return MetricPoints(columns.at_us[there][order], values[order], columns.probability[there][order], partial)

    def documents_rested_on(
        self, metric: str, slice_: Mapping[str, str], *, worse: str, than: float
    ) -> list[RestedDocument]:
        """Return the documents that the newest answers with a value of ``metric`` rest on, most bad ones first.

        An answer is bad where its value is ``worse`` (``lower`` or ``higher``) ``than`` that.
        """
        value = evaluations.c["values"][metric].as_float()
        newest = (
            sa.select(evaluations.c.seq, evaluations.c.answer_id, evaluations.c.document, value.label("value"))
            .where(evaluations.c.seq > sa.bindparam("floor"))
            .where(evaluations.c.document.is_not(None), value.is_not(None))
            .order_by(evaluations.c.seq.desc())
            .limit(RESTED)
        )
        for name, wanted in slice_.items():
            newest = newest.where(evaluations.c.slice[name].as_string() == wanted)
        found = newest.subquery("newest")
        bad = found.c.value < than if worse == "lower" else found.c.value > than
        counted = (
            sa.select(
                found.c.document,
                sa.func.count().label("answers"),
                sa.func.sum(sa.case((bad, 1), else_=0)).label("bad"),
                sa.func.max(sa.case((bad, found.c.seq))).label("newest_bad"),
            )
            .group_by(found.c.document)
            .subquery("counted")
        )
        statement = (
            sa.select(counted.c.document, counted.c.answers, counted.c.bad, evaluations.c.answer_id)
            .outerjoin(evaluations, evaluations.c.seq == counted.c.newest_bad)
            .order_by(counted.c.bad.desc(), counted.c.answers.desc(), counted.c.document)
        )
        with self._read() as connection:
            floor = {"floor": newest_seq(connection) - RESTED_SPAN}
            return [RestedDocument(*row) for row in connection.execute(statement.limit(DOCUMENTS), floor)]
