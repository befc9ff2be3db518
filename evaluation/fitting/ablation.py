"""The rule without one of its parts, over the same answers (PROBE 5.3, Table 6)."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.fitting.fit import FULL
from evaluation.fitting.release_rule import CAPPED, RuleVariant

VARIANTS: Sequence[RuleVariant] = (
    FULL,
    RuleVariant(
        name="without conflict checks",
        metrics={"conflict_coverage": 0.0, "contradiction_absence": 0.0},
        caps=frozenset({"source_conflict", "contradiction"}),
        failures=frozenset({"conflict ignored", "contradicted"}),
        unasked=frozenset({"conflict"}),
    ),
    RuleVariant(
        name="without freshness checks",
        metrics={"freshness_weighted_recall": 0.0, "temporal_validity": 0.0, "near_miss_suppression": 0.0},
        caps=frozenset({"stale_source", "expired_source"}),
        failures=frozenset({"stale source"}),
    ),
    RuleVariant(
        name="without authority weights",
        metrics={"authority_weighted_recall": 0.0, "source_authority_alignment": 0.0},
        caps=frozenset({"missing_exception"}),
        unasked=frozenset({"authority"}),
    ),
    RuleVariant(name="without severe-failure caps", caps=CAPPED, blocking=()),
)
"""What each takes away is everything that knows of its subject: metrics, caps, kinds of failure, thresholds."""
