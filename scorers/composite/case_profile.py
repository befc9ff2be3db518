"""The profiles of the case-aware composite: how much each of its eight inputs weighs, and bands of severity.

Source: "Case-Aware LLM-as-a-Judge Evaluation for Enterprise-Scale RAG Systems", 5.2 (weights), 6 (profiles for
robustness), B.1 (bands).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from adapters.external.case_record import CASE_INPUTS, CaseInput

CaseProfileName = Literal["case-aware", "uniform", "retrieval-heavy"]
SeverityBand = Literal["no_issue", "minor", "moderate", "severe"]

CASE_AWARE: Mapping[CaseInput, float] = {
    "hallucination": 0.20,
    "retrieval_correctness": 0.15,
    "context_sufficiency": 0.10,
    "answer_helpfulness": 0.15,
    "answer_type_fit": 0.10,
    "identifier_integrity": 0.10,
    "case_issue_identification": 0.10,
    "case_resolution_alignment": 0.10,
}
RETRIEVAL = frozenset({"retrieval_correctness", "context_sufficiency"})
HEAVY = 0.20
"""What each metric of retrieval weighs in the retrieval-heavy profile; the others share the rest as they stand."""


def _retrieval_heavy() -> Mapping[CaseInput, float]:
    rest = sum(weight for name, weight in CASE_AWARE.items() if name not in RETRIEVAL)
    scale = (1.0 - HEAVY * len(RETRIEVAL)) / rest
    return {name: HEAVY if name in RETRIEVAL else weight * scale for name, weight in CASE_AWARE.items()}


PROFILES: Mapping[CaseProfileName, Mapping[CaseInput, float]] = {
    "case-aware": CASE_AWARE,
    "uniform": dict.fromkeys(CASE_INPUTS, 1.0 / len(CASE_INPUTS)),
    "retrieval-heavy": _retrieval_heavy(),
}
"""The weights of each profile; they sum to 1."""

BANDS: tuple[tuple[float, SeverityBand], ...] = ((0.30, "severe"), (0.60, "moderate"), (0.85, "minor"))
"""The highest score of each band; what is above the last has no meaningful issue."""


def band_of(score: float) -> SeverityBand:
    """Return the band of severity that a score from 0 to 1 is in. Scores go by two decimals, as bands do.

    >>> [band_of(score) for score in (0.0, 0.30, 0.31, 0.60, 0.61, 0.85, 0.86, 1.0)]
    ['severe', 'severe', 'moderate', 'moderate', 'minor', 'minor', 'no_issue', 'no_issue']
    """
    return next((band for highest, band in BANDS if round(score, 2) <= highest), "no_issue")


def weighted_sum(scores: Mapping[CaseInput, float], weights: Mapping[CaseInput, float]) -> float:
    """Return the sum of weight times score (eq. 1), over the inputs that have a score, as a share of their weights.

    Raises `ZeroDivisionError` where nothing that weighs has a score.

    >>> round(weighted_sum(dict.fromkeys(CASE_INPUTS, 0.5), PROFILES["retrieval-heavy"]), 12)
    0.5
    """
    known = {name: weights[name] for name in CASE_INPUTS if name in scores and weights.get(name, 0.0) > 0.0}
    return sum(weight * scores[name] for name, weight in known.items()) / sum(known.values())
