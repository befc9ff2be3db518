"""Where a claim stands, how long it and the context are, and what the question asks."""

from __future__ import annotations

import math

from scorers.support.alignment import Alignment

NAMES = (
    "place", "claims", "terms", "rarity", "bullet", "lead_in", "answer_terms", "passages", "context_terms",
    "context_sentences", "structured", "question_overlap", "unseen_unasked",
)  # fmt: skip


def features(a: Alignment) -> tuple[float, ...]:
    """Return the values of `NAMES`."""
    claim = a.claim
    total = a.total or 1.0
    asked = sum([a.weight[t] for t in a.unique if t in claim.question], 0.0)
    unasked = sum([a.weight[t] * (1 - a.match[t]) for t in a.unique if t not in claim.question], 0.0)
    return (
        claim.index / (claim.total - 1) if claim.total > 1 else 0.0,
        float(claim.total),
        float(len(claim.terms.items)),
        total / (len(a.unique) or 1),
        float(claim.bullet),
        float(claim.sentence.kind == "lead_in"),
        float(claim.answer_terms),
        float(min(len(a.context.sources), 10)),
        math.log1p(a.context.length),
        math.log1p(a.context.sentences),
        float(a.context.structured),
        asked / total,
        unasked / total,
    )
