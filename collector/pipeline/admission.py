"""What happens to every answer, wherever it comes from: it is cut into its slice, drawn or not, and counted."""

from __future__ import annotations

from adapters.schema import Answer
from collector.pipeline.sampling import Sampling, drawn
from collector.pipeline.slicing import SliceBook
from collector.store.base import StoredAnswer
from collector.telemetry import Telemetry
from dashboards import instruments


def admitted(answer: Answer, slices: SliceBook, sampling: Sampling) -> StoredAnswer:
    """Return ``answer`` with its slice and its place in or out of the sample."""
    slice_ = slices.cut(answer)
    probability = sampling.probability_of(slice_)
    return StoredAnswer(answer, slice_, probability, sampled=drawn(answer.id, probability))


def count_answer(stored: StoredAnswer, telemetry: Telemetry) -> None:
    """Count an answer that was not there before."""
    answer, cut = stored.answer, stored.slice
    telemetry.add(instruments.ANSWERS, 1, slice_=cut)
    telemetry.add(instruments.ANSWERS_SAMPLED, 1 if stored.sampled else 0, slice_=cut)
    telemetry.add(instruments.ANSWERS_FAILED, 1 if answer.status == "error" else 0, slice_=cut)
    telemetry.add(instruments.ANSWERS_SCORED, 0, slice_=cut)
    if answer.usage.latency_ms is not None:
        seconds = answer.usage.latency_ms / 1000
        telemetry.observe(instruments.ANSWER_LATENCY, seconds, slice_=cut, trace_id=answer.trace_id)
    if answer.usage.total_tokens is not None:
        telemetry.observe(instruments.ANSWER_TOKENS, answer.usage.total_tokens, slice_=cut)
