"""How far the values of a metric can lie apart."""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.consistency.metrics import RUN_METRICS
from scorers import SCORERS

SPANS: Mapping[str, float] = {
    scorer.metric.name: scorer.metric.upper - scorer.metric.lower
    for scorer in SCORERS
    if scorer.metric.upper is not None and scorer.metric.lower is not None
} | {metric.name: metric.high - metric.low for metric in RUN_METRICS.values() if metric.high is not None}
"""By name, of the metrics that have bounds."""
