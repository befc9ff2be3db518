"""Attributes a fall of quality by the evaluations in the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from collector.changes.panel import COMPONENT, known_panel
from collector.changes.served import bounded
from collector.clock import instant
from collector.judging.cases import LOOKED, distinct
from collector.store.entries import Entry
from collector.store.rows import JudgedRow, ScoredRow
from collector.store.store import Store
from gates.attribution.attribute import ALPHA, MAX_SUSPECTS, attribute
from gates.attribution.causes import CAUSES
from gates.attribution.drilldown import DOCUMENT
from gates.attribution.effects import Worse
from gates.attribution.report import Attribution
from gates.attribution.sample import Sample, SampledAnswer, Suspect
from gates.base.gate import JUDGE
from gates.decisions.record import AnswerEvidence
from gates.evidence.arrays import Bools
from gates.inputs.changes import INSTRUMENTS
from scorers.base import Metric

ROWS = 10_000
"""Evaluations of a slice that are compared, on either side of the oldest change looked at: the newest."""
SCANNED = 100_000
"""Evaluations on either side among which those of a slice are looked for."""
READ = 3_000
"""Answers on either side that are read for the documents they were given."""
BLUR = 60_000_000
"""How long before the first answer that was read to show a change, in microseconds, others may have it already."""
MAX_ATTRIBUTED = 5
"""Attributions of one tick; a gate that fails everywhere at once is explained by the first."""
MAX_CUTS = 20
"""Failing slices that are looked at together."""


class AttributedFall(NamedTuple):
    """An attribution, and the worst answers of what it blames."""

    attribution: Attribution
    answers: tuple[AnswerEvidence, ...]

    def of_slice(self, slice_: Mapping[str, str]) -> AttributedFall:
        """Return what one slice shows as what a gate over several says: it tells which slice it is."""
        named = ", ".join(f"{name}={value}" for name, value in slice_.items())
        shown = self.attribution.model_copy(update={"summary": f"in {named}: {self.attribution.summary}"})
        return self._replace(attribution=shown)


MOST_TOLD = 3
"""Of an attribution that says what a fall comes from."""


def told(attribution: Attribution) -> int:
    """Return how much an attribution says: what explains a fall, between what it cannot tell, how it fell, or nothing.

    >>> told(Attribution(metric="m", kind="not told", summary="", alpha=0.05, answers=0))
    0
    """
    if attribution.findings("carries") or attribution.kind in ("mix", "scorer version"):
        return MOST_TOLD
    return 2 if attribution.findings("not told apart") else int(attribution.kind != "not told")


@dataclass(kw_only=True)
class Attributor:
    """Makes the attributions of one tick, each only once. ``metrics`` say which values are bad."""

    store: Store
    metrics: Mapping[str, Metric]
    limit: int
    _made: dict[str, AttributedFall | None] = field(default_factory=dict)

    @property
    def exhausted(self) -> bool:
        """Whether no more can be made in this tick."""
        return len(self._made) >= MAX_ATTRIBUTED

    def attributed(
        self, metric: str, cuts: Sequence[Mapping[str, str]], changes: Sequence[Entry]
    ) -> AttributedFall | None:
        """Return what a fall of ``metric`` in these slices is attributed to, ``None`` if that cannot be said.

        ``changes`` are those that touch one of them. If the metric itself changed, that is the cause.
        """
        known = self.metrics.get(metric)
        if known is None or (known.lower, known.upper) != (0.0, 1.0) or known.better is None:
            return None
        measured = [row for row in changes if row.kind == "scorer" and row.component in (metric, JUDGE)]
        if measured:
            return AttributedFall(_measured(metric, measured[-1]), ())
        key = repr((metric, sorted(sorted(cut.items()) for cut in cuts), [row.seq for row in changes]))
        if key not in self._made:
            if self.exhausted:
                return None
            suspects = [_suspect(row) for row in changes if row.kind != "scorer"]
            self._made[key] = self._attribute(known, cuts, suspects)
        return self._made[key]

    def _attribute(
        self, metric: Metric, cuts: Sequence[Mapping[str, str]], suspects: Sequence[Suspect]
    ) -> AttributedFall | None:
        rows = self._epoch(metric.name, self._rows(metric.name, cuts, suspects))
        documents = self._documents(rows, min((each.seq for each in suspects[-MAX_SUSPECTS:]), default=0))
        # In one order, whatever order they were read in: the sample keeps it.
        rows.sort(key=lambda row: (row.at, row.answer_id))
        answers = [
            SampledAnswer(
                at=row.at // 1000,
                value=row.value,
                probability=row.probability,
                cluster=row.cluster,
                slice=row.slice,
                versions=row.versions,
                documents=documents.get(row.answer_id),
            )
            for row in rows
        ]
        sample = Sample.of(answers, higher_is_worse=metric.better == "lower")
        worse: Worse = "higher" if metric.better == "lower" else "lower"
        attribution = attribute(sample, suspects, metric=metric.name, worse=worse)
        blamed = _touched(attribution, sample, suspects)
        return AttributedFall(attribution, self._worst(metric.name, rows, sample, blamed))

    def _rows(self, metric: str, cuts: Sequence[Mapping[str, str]], suspects: Sequence[Suspect]) -> list[JudgedRow]:
        only = cuts[0] if len(cuts) == 1 else {}
        pivot = min((each.seq for each in suspects[-MAX_SUSPECTS:]), default=None)
        spans = [(0, None)] if pivot is None else [(0, pivot), (pivot, None)]
        rows = [
            row
            for after, before in spans
            for row in self.store.judged(metric, only, after=after, before=before, rows=SCANNED, limit=ROWS)
        ]
        if only or not any(cuts):
            return rows
        # One mapping stands for many rows: each is held against the slices once.
        kinds = {id(row.slice): row.slice for row in rows}
        inside = {key for key, cut in kinds.items() if any(each.items() <= cut.items() for each in cuts[:MAX_CUTS])}
        return [row for row in rows if id(row.slice) in inside]

    def _epoch(self, metric: str, rows: Sequence[JudgedRow]) -> list[JudgedRow]:
        """Return the rows that were measured as the newest one was; values of another scorer are never compared."""
        kinds = {id(row.versions): row.versions for row in rows}
        measure = {key: self._measure(metric, versions) for key, versions in kinds.items()}
        if not rows:
            return []
        newest = measure[id(max(rows, key=lambda row: (row.at, row.answer_id)).versions)]
        plain = {
            key: {name: version for name, version in versions.items() if name not in (COMPONENT, *INSTRUMENTS)}
            for key, versions in kinds.items()
        }
        return [row._replace(versions=plain[id(row.versions)]) for row in rows if measure[id(row.versions)] == newest]

    def _measure(self, metric: str, versions: Mapping[str, str]) -> tuple[str | None, str | None]:
        digest = versions.get(COMPONENT)
        panel = {} if digest is None else known_panel(self.store, digest)
        return panel.get(metric), versions.get(JUDGE, panel.get(JUDGE))

    def _documents(self, rows: Sequence[JudgedRow], pivot: int) -> dict[str, tuple[str, ...]]:
        """Return the documents of the newest answers on both sides."""
        half = len(rows) if not pivot else next((i for i, row in enumerate(rows) if row.seq > pivot), len(rows))
        sides = [rows[:half], rows[half:]]
        ids = [row.answer_id for side in sides for row in side[:READ]]
        return {
            name: tuple(bounded(document) for document in documents)
            for name, documents in self.store.documents_given(ids).items()
        }

    def _worst(
        self, metric: str, rows: Sequence[JudgedRow], sample: Sample, among: Bools
    ) -> tuple[AnswerEvidence, ...]:
        places = np.flatnonzero(among)
        # The newest of those that are equally bad.
        order = places[np.lexsort((-places, -sample.loss[places]))][: LOOKED * self.limit]
        return distinct((answer_evidence(rows[place], metric) for place in order.tolist()), self.store, self.limit)


def answer_evidence(row: JudgedRow | ScoredRow, metric: str) -> AnswerEvidence:
    """Return a scored answer as a record names it."""
    return AnswerEvidence(answer_id=row.answer_id, at=instant(row.at), metric=metric, value=row.value, slice=row.slice)


def _touched(attribution: Attribution, sample: Sample, suspects: Sequence[Suspect]) -> Bools:
    """Return the answers that what is blamed has touched; none where nothing is."""
    blamed = {each.seq for each in (attribution.findings("carries") or attribution.findings("not told apart"))}
    some = np.zeros(len(sample), dtype=np.bool_)
    for each in suspects:
        if each.seq in blamed:
            some |= sample.touched(each)
    if some.any() or attribution.since is None or attribution.kind == "not told":
        return some
    since: Bools = sample.at >= int(attribution.since.timestamp() * 1e6)
    worse = [part for part in attribution.parts if part.worse or attribution.kind == "mix"]
    for part in worse[:1]:
        column = sample.slices.get(part.dimension, sample.versions.get(part.dimension))
        since &= (
            sample.with_documents([part.value])
            if part.dimension == DOCUMENT or column is None
            else column.where(part.value)
        )
    return since


def _suspect(row: Entry) -> Suspect:
    return Suspect(
        seq=row.seq,
        cause=CAUSES[row.kind],
        at=row.at // 1000,
        component=row.component,
        scope=row.scope,
        version=row.version,
        documents=row.documents,
        blur=BLUR if row.source == "observed" else 0,
    )


def _measured(metric: str, row: Entry) -> Attribution:
    return Attribution(
        metric=metric,
        kind="scorer version",
        summary=f"{row.component} changed at {instant(row.at).isoformat()}: values before and after are not comparable",
        alpha=ALPHA,
        answers=0,
    )
