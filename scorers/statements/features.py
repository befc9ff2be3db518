"""The comparison of a claim as features for a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from scorers.statements.base import DifferenceKind
from scorers.statements.comparison import Examination, examine
from scorers.statements.gating import normative

KINDS: tuple[DifferenceKind, ...] = get_args(DifferenceKind)

NAMES: tuple[str, ...] = (
    *(f"statement_{kind}" for kind in KINDS), "statement_strength", "statement_agrees", "statement_contradicts",
    "statement_near", "statement_covered", "statement_used", "statement_gate", "statement_source_normative",
    "statement_claim_normative", "statement_claim_words", "statement_source_words", "statement_missing_words",
    "statement_differences", "statement_source_conditions", "statement_claim_conditions",
)  # fmt: skip


def features(claim: str, sources: Sequence[str], question: str | None = None) -> tuple[float, ...]:
    """Return the values of `NAMES` for a claim; all 0 where no source sentence is near it.

    >>> row = dict(zip(NAMES, features("Pets may enter.", ["Pets may not enter."]), strict=True))
    >>> row["statement_polarity"], row["statement_contradicts"], row["statement_covered"]
    (0.95, 1.0, 1.0)
    """
    return features_of(examine(claim, sources, question))


def features_of(found: Examination) -> tuple[float, ...]:
    """Return the values of `NAMES` for a claim that has been examined."""
    comparison, judgement, a = found.comparison, found.judgement, found.alignment
    kinds = tuple(found.strengths.get(kind, 0.0) for kind in KINDS)
    if judgement is None or a is None:
        return (*kinds, *(0.0 for _ in NAMES[len(KINDS) :]))
    return (
        *kinds,
        judgement.strength,
        float(comparison.outcome == "agrees"),
        float(comparison.outcome == "contradicts"),
        judgement.near,
        a.covered,
        a.used,
        judgement.gate,
        float(normative(a.source)),
        float(normative(a.claim)),
        float(len(a.claim.items)),
        float(len(a.source.items)),
        float(sum(len(slot.claim) for slot in a.slots)),
        float(len(judgement.differences)),
        float(len(a.source.segments) - 1),
        float(len(a.claim.segments) - 1),
    )
