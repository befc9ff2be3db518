"""The composite without one of its parts, over the same answers (PROBE 5.3, Table 6).

What is varied is the composite with its threshold and its blocking failures; the unsafe probability, which knows of the
same failures once more, is left out of all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.fitting.release_rule import CAPPED, RuleVariant
from evaluation.fitting.rows import EXCEPTION_CAP

VARIANTS: Sequence[RuleVariant] = (
    RuleVariant(name="composite", unsafe=False),
    RuleVariant(
        name="without conflict checks",
        unsafe=False,
        metrics={"conflict_coverage": 0.0, "contradiction_absence": 0.0},
        caps=frozenset({"source_conflict", EXCEPTION_CAP, "contradiction"}),
    ),
    RuleVariant(
        name="without freshness checks",
        unsafe=False,
        metrics={"freshness_weighted_recall": 0.0, "temporal_validity": 0.0, "near_miss_suppression": 0.0},
        caps=frozenset({"stale_source", "expired_source"}),
    ),
    RuleVariant(
        name="without authority weights",
        unsafe=False,
        metrics={"authority_weighted_recall": 0.0, "source_authority_alignment": 0.0},
        ranked=False,
    ),
    RuleVariant(name="without severe-failure caps", unsafe=False, caps=CAPPED, blocking=()),
)
"""What each takes away is everything that knows of its subject: metrics and caps. Without authority, either
side of a conflict is as good, and an exception is a source like the rule (`evaluation.fitting.unranked`)."""
