"""The eight simulated configurations, with what PROBE's Table 5 printed of each, and how failures are drawn.

Nothing retrieves or generates here. Of each configuration the rates of Table 5 are given, and of unsafe answers the
shares of Table 8; with them each answer is drawn sound, blemished, short of something, or failing in one of nine ways,
and retrieval is drawn to match. So rates and shares are an input of the benchmark. What scorers find of it is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from scorers.diagnosis.failure_category import Category

AnswerOutcome = Category | Literal["sound", "minor_omission", "omission", "needless_deferral", "missing_citation"]
"""What became of an answer: a failure of Table 8, or one of what is less than that, or nothing."""
AnswerSeverity = Literal["none", "minor", "moderate", "severe"]

SHARES: Mapping[Category, float] = {
    "stale_source_acceptance": 0.26,
    "unresolved_source_conflict": 0.24,
    "wrong_chunk_citation": 0.21,
    "missing_governing_exception": 0.09,
    "numeric_transposition": 0.06,
    "policy_boundary_over_answer": 0.05,
    "protected_data_exposure": 0.04,
    "retrieval_silence_with_invented_answer": 0.03,
    "citation_coverage_gap": 0.02,
}
"""Of unsafe answers (PROBE, Table 8)."""
UNACCEPTABLE: Mapping[AnswerOutcome, float] = {"omission": 0.6, "needless_deferral": 0.2, "missing_citation": 0.2}
"""Of answers that are unacceptable and not unsafe. PROBE names omitted qualifications and citations (3.5), but no
shares; these are ours."""
BLEMISHED = 0.12
"""Of answers that are accepted, those with an omission that is not critical; PROBE says only "a subset" (3.5)."""
ODDS: Mapping[str, float] = {"direct": 0.85, "paraphrase": 0.95, "adversarial": 1.2}
"""How failures rise with the variant of a question; ours. They average to 1."""
SPREAD = 0.25
"""Deviation of the logarithm of latency: 1.9 s is then the median where the 95th percentile is 2.8 s, as in PROBE."""
FAILURES: frozenset[str] = frozenset(SHARES)
"""The nine ways of Table 8; `failure_category` knows further ones."""


class RagConfiguration(NamedTuple):
    """A configuration: its parts, the rates that its answers are drawn with, and how noisy its ranking is."""

    name: str
    retriever: str
    reranker: str | None
    rewriting: bool
    gate: str | None
    acceptable: float
    unsafe: float
    p95_seconds: float
    cost_usd: float
    noise: float

    def settings(self) -> dict[str, Any]:
        """Return the configuration as PROBE writes one down (4.1): each part with what it is."""
        return {
            "configuration": self.name,
            "simulated": True,
            "retriever": {"type": self.retriever, "top_k": 6},
            "reranker": self.reranker,
            "query_rewriting": self.rewriting,
            "context_packing": {"passages": 4},
            "generator": {"model": "simulated", "temperature": 0},
            "prompt": "cite-and-qualify-v1",
            "citations": "required",
            "gate": self.gate,
            "rates": {"acceptable": self.acceptable, "unsafe": self.unsafe},
        }


CONFIGURATIONS: tuple[RagConfiguration, ...] = (
    RagConfiguration("bm25", "bm25", None, False, None, 0.704, 0.168, 2.8, 0.014, 0.95),
    RagConfiguration("dense", "dense", None, False, None, 0.726, 0.153, 3.4, 0.015, 0.85),
    RagConfiguration("hybrid_rrf", "hybrid_rrf", None, False, None, 0.797, 0.112, 4.1, 0.016, 0.65),
    RagConfiguration("colbert", "late_interaction", None, False, None, 0.815, 0.104, 7.8, 0.019, 0.57),
    RagConfiguration("hybrid_reranked", "hybrid_rrf", "cross_encoder", False, None, 0.841, 0.087, 6.6, 0.020, 0.48),
    RagConfiguration("hybrid_rewritten", "hybrid_rrf", None, True, None, 0.823, 0.098, 5.5, 0.018, 0.54),
    RagConfiguration(
        "faithfulness_gated", "hybrid_rrf", "cross_encoder", False, "faithfulness", 0.849, 0.081, 6.2, 0.024, 0.51
    ),
    RagConfiguration("probe_gated", "hybrid_rrf", "cross_encoder", False, "probe", 0.878, 0.054, 6.8, 0.027, 0.45),
)  # fmt: skip
"""PROBE 5.1 and Table 5; ``noise`` is ours, so that NDCG comes in the order of the table."""


def severity_of(outcome: AnswerOutcome) -> AnswerSeverity:
    """Return how severe an outcome is: what Table 8 counts is severe, and unsafe.

    >>> severity_of("omission"), severity_of("wrong_chunk_citation")
    ('moderate', 'severe')
    """
    if outcome in FAILURES:
        return "severe"
    if outcome == "minor_omission":
        return "minor"
    return "none" if outcome == "sound" else "moderate"
