"""What runs hold beside the metrics of the panel on traffic: of references, of labels, of other answers."""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.consistency.citations import CITATION_AGREEMENT
from evaluation.reference.panel import REFERENCE_PANEL, RunMetric
from scorers.offline import OFFLINE_SCORERS

RUN_METRICS: Mapping[str, RunMetric] = {
    **REFERENCE_PANEL,
    CITATION_AGREEMENT: RunMetric(
        CITATION_AGREEMENT,
        "How much of the documents it cites an answer shares with answers to the same question: 0 none, 1 all.",
        family="consistency",
    ),
    **{
        each.metric.name: RunMetric(each.metric.name, each.metric.help, each.metric.better, family=each.metric.family)
        for each in OFFLINE_SCORERS
    },
}
"""By name, with their better end and their range."""
