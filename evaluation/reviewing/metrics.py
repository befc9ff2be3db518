"""How far metrics and judges agree with people: each one's yes or no beside what most reviewers say.

Source: "Case-Aware LLM-as-a-Judge Evaluation for Enterprise-Scale RAG Systems", 8.7 (agreement with the majority vote).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from evaluation.reviewing.adjudication import SettledLabels
from evaluation.reviewing.labels import NOT_APPLICABLE
from evaluation.statistics.agreement import cohen_kappa

PASSING = 0.60
"""A judge's score above this is at most a minor issue."""


class ReviewedMetric(NamedTuple):
    """A metric that says yes or no of what an axis asks: by a label, or by a value above `PASSING`.

    ``good`` are the levels that mean yes; an answer that the axis does not apply to is not counted.
    """

    metric: str
    axis: str
    good: frozenset[str]
    label: str | None = None


GROUNDED = frozenset({"fully_grounded", "partially_grounded"})
ACCEPTABLE = frozenset({"acceptable"})
INTACT = frozenset({"intact"})
REVIEWED = (
    ReviewedMetric("faithfulness", "grounding", GROUNDED, "supported"),
    ReviewedMetric("external.hallucination", "grounding", GROUNDED),
    ReviewedMetric("external.context_sufficiency", "evidence_sufficiency", frozenset({"sufficient"})),
    ReviewedMetric("first_failed_stage", "acceptability", ACCEPTABLE, "pass"),
    ReviewedMetric("failure_category", "acceptability", ACCEPTABLE, "none"),
    ReviewedMetric("case_composite", "acceptability", ACCEPTABLE),
    ReviewedMetric("external.answer_helpfulness", "acceptability", ACCEPTABLE),
    ReviewedMetric("external.case_resolution_alignment", "acceptability", ACCEPTABLE),
    ReviewedMetric("external.case_resolution_alignment", "resolution_alignment", frozenset({"aligned"})),
    ReviewedMetric("identifier_integrity", "identifier_integrity", INTACT, "intact"),
    ReviewedMetric("external.identifier_integrity", "identifier_integrity", INTACT),
)
MetricScores = Mapping[str, tuple[float, str | None]]
"""Value and label of each metric of one answer."""


class MetricAgreement(NamedTuple):
    """How often a metric and the reviewers say the same of an axis, with the exact 95 % interval, and kappa."""

    metric: str
    axis: str
    answers: int
    same: int
    low: float
    high: float
    kappa: float | None


def metric_agreements(reviewed: Sequence[tuple[SettledLabels, MetricScores]]) -> Iterator[MetricAgreement]:
    """Yield the agreement of each metric that has values with settled labels of the same answers."""
    from scipy.stats import binomtest

    for measured in REVIEWED:
        pairs = [
            (said, settled.level in measured.good)
            for labels, scores in reviewed
            if (settled := labels.axes.get(measured.axis)) is not None
            and settled.level != NOT_APPLICABLE
            and measured.metric in scores
            and (said := _says(measured, *scores[measured.metric])) is not None
        ]
        if not pairs:
            continue
        same = sum(one == other for one, other in pairs)
        low, high = binomtest(same, len(pairs)).proportion_ci(0.95, "exact")
        kappa = cohen_kappa([one for one, _ in pairs], [other for _, other in pairs])
        yield MetricAgreement(measured.metric, measured.axis, len(pairs), same, float(low), float(high), kappa)


def _says(measured: ReviewedMetric, value: float, label: str | None) -> bool | None:
    if measured.label is None:
        return value > PASSING
    return None if label is None else label == measured.label
