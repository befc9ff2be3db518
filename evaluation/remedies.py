"""What to repair, by the category of a failure, by the stage that failed first, and by the metric that loses points.

Sources: PROBE 3.4 (remedies of components) and Table 8 (categories); "Executable gates for RAG", production checklist.
"""

from __future__ import annotations

from collections.abc import Mapping

CATEGORY_REMEDIES: Mapping[str, str] = {
    "stale_source_acceptance": "index lag and retirement of old versions",
    "unresolved_source_conflict": "metadata of authority, and a prompt that names conflicts",
    "wrong_chunk_citation": "chunking, and how citations are rendered",
    "missing_governing_exception": "retrieval of exceptions: metadata and near-miss tuning",
    "numeric_transposition": "copying of figures: a check before the answer is shown",
    "policy_boundary_over_answer": "guardrails, and who reviews",
    "protected_data_exposure": "filters on what is retrieved and on what is shown",
    "retrieval_silence_with_invented_answer": "abstention where nothing was found",
    "citation_coverage_gap": "a prompt that asks for a citation of each claim",
    "identifier_corruption": "copying of identifiers: a check before the answer is shown",
}
STAGE_REMEDIES: Mapping[str, str] = {
    "admissibility": "filters of evidence: rights, versions and dates",
    "candidate retrieval": "chunking, the query, or how candidates are found",
    "context selection": "the reranker, or what admits passages to the context",
    "answer faithfulness": "the prompt, abstention, or the model",
    "citation support": "how citations are attached, or a check of them",
    "answer completeness": "a prompt that asks for each point",
}
METRIC_REMEDIES: Mapping[str, str] = {
    "citation_precision": CATEGORY_REMEDIES["wrong_chunk_citation"],
    "citation_recall": CATEGORY_REMEDIES["citation_coverage_gap"],
    "claim_support": STAGE_REMEDIES["answer faithfulness"],
    "contradiction_absence": CATEGORY_REMEDIES["unresolved_source_conflict"],
    "source_authority_alignment": "metadata of authority, and the prompt",
    "temporal_validity": CATEGORY_REMEDIES["stale_source_acceptance"],
    "answer_completeness": STAGE_REMEDIES["answer completeness"],
    "ndcg": "ranking: the retriever, or a reranker",
    "recall": STAGE_REMEDIES["candidate retrieval"],
    "authority_weighted_recall": "metadata of authority, and retrieval by it",
    "freshness_weighted_recall": CATEGORY_REMEDIES["stale_source_acceptance"],
    "conflict_coverage": "retrieval of both sides of a conflict",
    "near_miss_suppression": "retrieval: near-miss tuning",
    "answerable_evidence_coverage": STAGE_REMEDIES["candidate retrieval"],
    "protected_data_control": CATEGORY_REMEDIES["protected_data_exposure"],
    "policy_boundary_handling": CATEGORY_REMEDIES["policy_boundary_over_answer"],
    "refusal_appropriateness": "the rules of when to refuse, and the prompt",
    "regulated_advice_control": CATEGORY_REMEDIES["policy_boundary_over_answer"],
    "latency": "slow steps: reranking, rewriting, the model",
    "tokens": "the length of the context",
    "cost": "the model, and the length of the context",
}
"""By the metrics of the composite."""
CAP_REMEDIES: Mapping[str, str] = {
    "protected_data": CATEGORY_REMEDIES["protected_data_exposure"],
    "regulated_advice": CATEGORY_REMEDIES["policy_boundary_over_answer"],
    "stale_source": CATEGORY_REMEDIES["stale_source_acceptance"],
    "expired_source": CATEGORY_REMEDIES["stale_source_acceptance"],
    "source_conflict": CATEGORY_REMEDIES["unresolved_source_conflict"],
    "missing_exception": CATEGORY_REMEDIES["missing_governing_exception"],
    "injection": "what may enter the index, and a prompt that takes passages for data",
    "restricted_source": "filters of what the asker may see",
    "contradiction": CATEGORY_REMEDIES["numeric_transposition"],
    "identifier": CATEGORY_REMEDIES["identifier_corruption"],
}
"""By the caps of the composite."""


def remedy_of(taking: str) -> str:
    """Return what to repair where a metric of the composite, or a cap, takes points.

    >>> remedy_of("near_miss_suppression"), remedy_of("regulated_advice cap")
    ('retrieval: near-miss tuning', 'guardrails, and who reviews')
    """
    return METRIC_REMEDIES.get(taking) or CAP_REMEDIES[taking.removesuffix(" cap")]
