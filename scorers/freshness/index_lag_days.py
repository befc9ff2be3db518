"""Index lag: for how long the index has served what the catalog had replaced."""

from __future__ import annotations

from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Evidence, Measured, Metric, Scorer, missing_input, not_applicable
from scorers.freshness.source_age_days import BUCKETS, CENTURY, age
from scorers.lineage import Lineage, PassageStatus, lineage_of
from scorers.text.excerpt import excerpt

LISTED = 5


class IndexLagDays(Scorer):
    """Days for which a retrieved passage had been out of date by the catalog: 0 the index is current, 7 a week late.

    Every retrieved passage of a document that the catalog lists is held against the version that governed when the
    question was asked. The lag of one that was replaced runs from its own end, or, if the catalog does not tell that,
    from the start of what governs in its place; the largest counts. A passage of a version that governs has lag 0.
    What is not in the catalog says nothing, nor does an entry without window and links of a passage that is not of its
    very version; without a catalog, or if it says nothing of any passage, the answer is unscored.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> from scorers.catalog import Catalog, Document
    >>> newer = datetime(2025, 12, 25, tzinfo=UTC)
    >>> old, new = Document(id="T", version="2"), Document(id="T", version="3", effective_from=newer, supersedes=("2",))
    >>> catalog = Catalog([old, new])
    >>> answer = Answer(id="a", passages=(Passage(id="p", doc_id="T", version="2"),))
    >>> IndexLagDays().score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC), catalog=catalog)).value
    7.0
    """

    metric: ClassVar[Metric] = Metric(
        name="index_lag_days",
        family="freshness",
        languages="any",
        unit="days",
        upper=CENTURY,
        better="lower",
        help="Days since a retrieved version was replaced in the catalog: 0 the index is current, 36525 it is a "
        "century behind or more.",
        formula="max over retrieved passages p that the catalog lists of asked - end of p, or start of its "
        "replacement, in days; 0 where p governs; at most 36525",
        source="PROBE 3.3 (superseding notices respected); the form is ours.",
        bases=("catalog",),
        cost="fields",
        limits="Blind to documents that the catalog does not list and to those that were never indexed.",
        buckets=BUCKETS,
        version="3",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"passages"})
    type: Literal["index_lag_days"] = "index_lag_days"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return how far the index is behind the catalog, or why that cannot be said."""
        if env.catalog is None:
            return missing_input("catalog")
        if not answer.passages:
            return not_applicable("nothing was retrieved")
        lineage = lineage_of(answer, env)
        lags: list[tuple[float, Evidence]] = []
        listed = 0
        for passage in answer.passages:
            status = lineage.status(passage)
            if status is None or not status.settled:
                continue
            listed += 1
            behind = _lag(status, lineage)
            if behind is not None:
                lags.append((behind, _evidence(passage.id, status, behind)))
        if not listed:
            detail = f"passages whose version the catalog tells{lineage.unclear(answer.passages)}"
            return missing_input(detail)
        lags.sort(key=lambda lag: -lag[0])
        return Measured(
            value=lags[0][0] if lags else 0.0,
            basis="catalog",
            explanation=f"{len(lags)} of {listed} passages had been replaced",
            evidence=tuple(evidence for _, evidence in lags[:LISTED]),
        )


def _lag(status: PassageStatus, lineage: Lineage) -> float | None:
    """Return for how many days a passage had been replaced; ``None`` if it had not been, or if nothing dates it."""
    if status.replacement is None or not status.stale:
        return None
    since = status.document.effective_to or status.replacement.effective_from
    return None if since is None else age(since, lineage.at)


def _evidence(passage_id: str, status: PassageStatus, behind: float) -> Evidence:
    document, replacement = status.document, status.replacement
    assert replacement is not None
    current = replacement.section(document.section)
    replaced = f"{excerpt(document.reference)} was replaced by {excerpt(current.reference)}"
    detail = f"{replaced} {behind:.0f} days before the question"
    return Evidence.of_document(document, detail, passage_id)
