"""Adapting a trace in a worker process: plain data in and out, so that the worker may be killed at any moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from adapters.base import MalformedRecord
from adapters.canary import is_canary_trace
from adapters.detect import AdaptOptions, read_trace
from adapters.external.events import is_result, scores_in
from adapters.external.score import ExternalScore
from adapters.schema import Answer
from adapters.trace import Span, Trace
from adapters.wire.otlp import decode_traces
from collector.store.outcomes import TraceOutcome
from scorers.catalog import Catalog, looked_up

DETAIL_CHARACTERS = 500
"""How much of an error's text is kept with the trace."""


@dataclass(frozen=True, slots=True)
class TraceTask:
    """One trace to adapt: all of its chunks."""

    trace_id: bytes
    chunks: tuple[bytes, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class AdaptRequest:
    """Traces to adapt."""

    traces: tuple[TraceTask, ...]


@dataclass(frozen=True, slots=True)
class AdaptedTrace:
    """What came of one trace. ``answers`` are JSON; ``malformed`` are the reasons of spans that could not be read.

    ``n_spans`` counts distinct spans and, beside them, distinct log records about spans, known or not; ``dialects``
    the distinct spans by what read them, ``unread`` those of a model or a search that nothing read, by scope.
    ``external`` are scores by other evaluators, as JSON: the spans and records that hold nothing else count in neither,
    so that a judge that comes late makes no new revision of an answer. A trace of a ``canary`` has no answers and no
    scores: it is no user's.
    """

    trace_id: bytes
    n_spans: int
    n_duplicates: int
    outcome: TraceOutcome
    answers: tuple[str, ...] = ()
    reason: str | None = None
    malformed: tuple[str, ...] = ()
    dialects: Mapping[str, int] = field(default_factory=dict)
    external: tuple[str, ...] = ()
    unread: Mapping[str, int] = field(default_factory=dict)
    canary: bool = False


def adapt(task: TraceTask, options: AdaptOptions, catalog: Catalog | None = None) -> AdaptedTrace:
    """Decode, deduplicate and adapt one trace; what cannot be read is reported, never raised.

    What log records told of spans counts by itself, so that a late one is news and a second copy is none.
    """
    spans: list[Span] = []
    malformed: list[str] = []
    for chunk in task.chunks:
        try:
            decoded = decode_traces(chunk)
        except MalformedRecord as error:
            malformed.append(str(error))
            continue
        spans.extend(decoded.spans)
        malformed.extend(str(error) for error in decoded.malformed)
    scores, unread_scores = scores_in(spans)
    results = {repr(span) for span in spans if is_result(span)}
    trace = Trace.of(task.trace_id.hex(), (span for span in spans if not is_result(span)), complete=task.complete)
    if is_canary_trace(trace):
        told = {(span.span_id, repr(span.events)) for span in spans if span.is_fragment and not is_result(span)}
        read = len(trace.spans) + len(told) + len(malformed)
        return AdaptedTrace(
            task.trace_id, read, len(spans) + len(malformed) - read - len(results), "not_an_answer", canary=True
        )
    unread = len(malformed)
    malformed.extend(["a result of an evaluation without a name, or without a value and a label"] * unread_scores)
    told = {(span.span_id, repr(span.events)) for span in spans if span.is_fragment and not is_result(span)}
    read = len(trace.spans) + len(told)
    dialects: Mapping[str, int] = {}
    unread_spans: Mapping[str, int] = {}
    made: Sequence[Answer] = ()
    try:
        found = read_trace(trace, options)
        dialects, unread_spans, made = found.dialects, found.unread, found.answers
        answers = tuple(
            _completed(answer, catalog, options).model_dump_json(exclude_defaults=True) for answer in found.answers
        )
    except MalformedRecord as error:
        malformed.append(str(error))
        answers = ()
    except Exception as error:  # noqa: BLE001 - the frame: a bug over one trace must not hold up the others
        malformed.append(f"{type(error).__name__}: {error}"[:DETAIL_CHARACTERS])
        answers = ()
    outcome: TraceOutcome = "answer" if answers else "malformed" if malformed else "not_an_answer"
    return AdaptedTrace(
        trace_id=task.trace_id,
        n_spans=read + unread,
        n_duplicates=len(spans) - read - len(results),
        outcome=outcome,
        answers=answers,
        reason=malformed[0] if outcome == "malformed" else None,
        malformed=tuple(malformed),
        dialects=dialects,
        external=tuple(_placed(score, made).model_dump_json(exclude_defaults=True) for score in scores),
        unread=unread_spans,
    )


def _placed(score: ExternalScore, answers: Sequence[Answer]) -> ExternalScore:
    """Return a score of this trace with the span of the answer whose response it names, if that is one of these.

    Caches and simulated models give one id to many responses: the one in the trace of the result is meant.
    """
    if score.response_id is None or score.trace_id is None:
        return score
    holder = next((each for each in answers if score.response_id in (each.response_ids or ())), None)
    return score if holder is None else score.model_copy(update={"response_id": None, "span_id": holder.span_id})


def _completed(answer: Answer, catalog: Catalog | None, options: AdaptOptions) -> Answer:
    return answer if catalog is None else looked_up(answer, catalog, max_text_chars=options.max_text_chars)
