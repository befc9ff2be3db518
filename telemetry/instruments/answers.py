"""Answers: how many there were, how many were scored, and what their scores weigh."""

from __future__ import annotations

from telemetry.exposure import TRAFFIC
from telemetry.instrument import SECONDS, TOKENS, counter, histogram

FAILURES = "error|timeout|over_budget|judge_unavailable|judge_unparseable"
"""Reasons for a missing value that are failures of scoring, not facts about the answer."""

ANSWERS = counter("rag_answers_total", "Answers found in traces, before sampling.", sliced=True)
ANSWERS_SAMPLED = counter(
    "rag_answers_sampled_total", "Answers selected for scoring by the sampling policy.", sliced=True
)
ANSWERS_SCORED = counter("rag_answers_scored_total", "Answers that have been scored.", sliced=True)
ANSWERS_FAILED = counter("rag_answers_failed_total", "Answers whose request failed.", sliced=True)
UNSCORED = counter(
    "rag_unscored_total",
    "Scored answers without a value for a metric, by reason. Scoring failures carry no slice labels.",
    "metric",
    "reason",
    sliced=True,
)
WEIGHTED_SCORES = counter(
    "rag_weighted_scores_total",
    "Sum of value / inclusion probability. Divided by rag_weighted_answers_total it is the mean over all traffic.",
    "metric",
    sliced=True,
)
WEIGHTED_ANSWERS = counter(
    "rag_weighted_answers_total", "Sum of 1 / inclusion probability over scored answers.", "metric", sliced=True
)
ANSWER_LATENCY = histogram("rag_answer_duration_seconds", "Time from request to complete answer.", buckets=SECONDS)
ANSWER_TOKENS = histogram(
    "rag_answer_tokens", "Tokens used by all model calls of an answer, where reported.", buckets=TOKENS
)

DISTRIBUTIONS = dict(zip(TRAFFIC, (ANSWER_LATENCY, ANSWER_TOKENS), strict=True))
"""Of all answers, by the name under which the configuration chooses them."""
