"""What pages draw: the newest values of a metric in a slice, and the documents that answers rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import sqlalchemy as sa

from collector.store.columns import VALUE, EvaluationContext, label_of
from collector.store.connections import StorePart
from collector.store.statements import groups, newest_seq
from collector.store.tables import contexts, evaluations, scored
from gates.evidence.arrays import Floats, Integers
from gates.inputs.observations import label_code

POINTS = 10_000
"""Points that are read at once, the newest; some 0.03 s."""
LEAST_SPAN, FIRST_SPAN, MAX_SPAN = 1_000, 10_000, 60_000
"""Numbers of evaluations that are looked through at least, first, and at most in one query; each span is twice the one
before, where few of them have a value."""
REACH = 3_000_000
"""Numbers of evaluations among which points are looked for."""
SKEW = 3_600 * 10**9
"""How much later than it was scored an answer may say that it was given, in nanoseconds."""
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


_OLDEST = sa.select(sa.func.min(scored.c.seq))
_SCORED_BEFORE = (
    sa.select(evaluations.c.seq)
    .where(evaluations.c.scored_at < sa.bindparam("at"))
    .order_by(evaluations.c.scored_at.desc())
    .limit(1)
)
"""The newest evaluation that was made before an instant: those of lower numbers were made before it, too."""
_POINTS = (
    sa.select(
        scored.c.seq,
        scored.c.at,
        scored.c.probability,
        # One value of each row: all of them together are twenty times as much.
        sa.func.substr(scored.c["values"], sa.bindparam("place"), VALUE.itemsize),
    )
    .where(scored.c.context.in_(sa.bindparam("ids", expanding=True)))
    .where(scored.c.seq > sa.bindparam("bottom"), scored.c.seq <= sa.bindparam("top"))
    .where(scored.c.at >= sa.bindparam("since"))
)
_FURTHER = _POINTS.with_hint(scored, "INDEXED BY ix_scored_context", "sqlite")
_POINTS = _POINTS.with_hint(scored, "NOT INDEXED", "sqlite")


class PointStore(StorePart):
    """Values over time."""

    def points(
        self, metric: str, slice_: Mapping[str, str], *, since: int = 0, good_labels: tuple[str, ...] = ()
    ) -> MetricPoints:
        """Return the newest values of ``metric`` in slices that agree on every dimension named, from ``since`` (ns) on.

        With ``good_labels`` they are 1 where the score carries one of these, and 0 where it carries another. At most
        `POINTS` are read, of the last `REACH` evaluations.
        """
        column = label_of(metric) if good_labels else metric
        with self._read() as connection:
            layouts: dict[int, list[int]] = {}
            for row in connection.execute(sa.select(contexts.c.id, contexts.c.body)):
                context = EvaluationContext.load(row.body)
                if column in context.metrics and slice_.items() <= dict(context.slice).items():
                    layouts.setdefault(context.metrics.index(column), []).append(row.id)
            newest, oldest = newest_seq(connection), connection.execute(_OLDEST).scalar_one() or 0
            floor = max(
                oldest - 1, newest - REACH, connection.execute(_SCORED_BEFORE, {"at": since - SKEW}).scalar() or 0
            )
            rows: list[Any] = []
            top, span = newest, FIRST_SPAN
            while layouts and top > floor and len(rows) < POINTS:
                # Where most of the numbers have a value, a few more of them have what is still missing.
                dense = top == newest or 2 * len(rows) >= newest - top
                lacking = max(LEAST_SPAN, 2 * (POINTS - len(rows)))
                bottom = max(floor, top - (min(span, lacking) if dense else span))
                for place, ids in layouts.items():
                    given = {"bottom": bottom, "top": top, "since": since, "place": 1 + place * VALUE.itemsize}
                    # Where most are asked for, all rows are looked at, as they lie side by side; else those asked for.
                    statement = _POINTS if dense else _FURTHER
                    for some in groups(sorted(ids)):
                        rows += connection.execute(statement, given | {"ids": some}).all()
                top, span = bottom, min(2 * span, MAX_SPAN)
        partial = len(rows) > POINTS or top > floor or newest - REACH == floor
        seq, at, probability, packed_values = zip(*rows, strict=True) if rows else [()] * 4
        kept = np.sort(np.argsort(np.array(seq, np.int64))[-POINTS:])
        values = np.frombuffer(b"".join(packed_values), VALUE).astype(np.float64)[kept]
        at_us, drawn = np.array(at, np.int64)[kept] // 1000, np.array(probability, np.float64)[kept]
        there = np.flatnonzero(~np.isnan(values))
        if good_labels:
            there = there[values[there] != 0.0]
            codes = [float(label_code(label)) for label in good_labels]
            values = np.isin(values, codes).astype(np.float64)
        order = there[np.lexsort((np.array(seq, np.int64)[kept][there], at_us[there]))]
        return MetricPoints(at_us[order], values[order], drawn[order], partial)

    def documents_rested_on(
        self, metric: str, slice_: Mapping[str, str], *, worse: str, than: float
    ) -> list[RestedDocument]:
        """Return the documents that the newest answers with a value of ``metric`` rest on, most bad ones first.

        An answer is bad where its value is ``worse`` (``lower`` or ``higher``) ``than`` that. Of an answer that was
        scored again, as after late spans, its newest evaluation counts.
        """
        again = sa.alias(evaluations, "again")
        later = sa.exists().where(again.c.answer_id == evaluations.c.answer_id, again.c.seq > evaluations.c.seq)
        value = evaluations.c["values"][metric].as_float()
        newest = (
            sa.select(evaluations.c.seq, evaluations.c.answer_id, evaluations.c.document, value.label("value"))
            .where(evaluations.c.seq > sa.bindparam("floor"))
            .where(evaluations.c.document.is_not(None), value.is_not(None), sa.not_(later))
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
