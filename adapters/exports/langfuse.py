"""Observations of Langfuse's API and of its export files as the spans they were sent as.

One reader for all their shapes: pages of ``/api/public/v2/observations`` (input and output raw), traces of the older
API (parsed), rows of exports (``snake_case`` columns, everything a string in CSV). What becomes of a Langfuse
observation has the attributes its SDK writes; what another instrumentation sent to Langfuse gets its own ones back.

Source: langfuse 5.0.4 and 4.14.3, ``langfuse/api``; Langfuse's export field reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from adapters.base import MalformedRecord
from adapters.dialects.langfuse import keys
from adapters.dialects.langfuse.observed import span_of
from adapters.dialects.langfuse.records import LangfuseRecord
from adapters.wire.decoded import Decoded, Decoding

__all__ = [
    "LOST_BY_API",
    "is_observation",
    "is_record",
    "is_trace",
    "spans_of",
    "spans_of_observations",
    "spans_of_trace",
]

_TIMES = "times have millisecond precision"
_MESSAGES = "Langfuse does not keep individual messages of spans sent by another instrumentation"

LOST_BY_API: Mapping[str, str] = {
    "history": _MESSAGES,
    "context": f"{_MESSAGES}, so all retrieved passages count as context",
    "tool_calls": _MESSAGES,
    "started_at": _TIMES,
    "ended_at": _TIMES,
    "usage.latency_ms": _TIMES,
    "usage.first_token_ms": _TIMES,
}
"""What pulled or exported observations tell less of, or less exactly, than the same trace over OTLP, and why."""

TYPES = frozenset({*keys.KINDS})


def is_observation(value: Any) -> bool:
    """Tell whether ``value`` is an observation, of the API or of an export, or the header of a table of them.

    >>> is_observation({"id": "a", "trace_id": "b", "type": "SPAN", "start_time": "2026-11-20 10:00:00.000000"})
    True
    >>> is_observation({"id": "a", "question": "How much?"}), is_observation([])
    (False, False)
    """
    if not isinstance(value, dict):
        return False
    kind = value.get("type", "")
    return (
        (kind is None or (isinstance(kind, str) and kind.lower() in TYPES))
        and "id" in value
        and bool(value.keys() & {"traceId", "trace_id"})
        and bool(value.keys() & {"startTime", "start_time"})
    )


def is_trace(value: Any) -> bool:
    """Tell whether ``value`` is a trace with its observations: of the older API, or downloaded from the UI.

    >>> is_trace({"id": "b", "timestamp": "2026-11-20T10:00:00Z", "observations": []}), is_trace({"id": "b"})
    (True, False)
    """
    if not isinstance(value, dict) or not isinstance(value.get("observations"), list):
        return False
    about = value["trace"] if isinstance(value.get("trace"), dict) else value
    return "id" in about and "timestamp" in about and all(isinstance(item, dict) for item in value["observations"])


def is_record(value: Any) -> bool:
    """Tell whether ``value`` is anything that `spans_of` reads."""
    return is_observation(value) or is_trace(value)


def spans_of_observations(observations: Iterable[Any], *, trace: Mapping[str, Any] | None = None) -> Decoded:
    """Return the spans of ``observations``; what ``trace`` says of all of them holds where they do not say it.

    An observation that cannot be read is malformed, and hides no other.
    """
    decoding = Decoding()
    about = None if trace is None else LangfuseRecord(trace)
    records = []
    for value in observations:
        if isinstance(value, dict):
            records.append(LangfuseRecord(value))
        else:
            decoding.refuse("not an object", "observation")
    siblings = {record.text("id") for record in records}
    resources: dict[str, Mapping[str, Any]] = {}
    for record in records:
        try:
            span = span_of(record, about, siblings)
        except MalformedRecord as error:
            decoding.malformed.append(error)
            continue
        # Spans of one process share their resource, which is then written once.
        shared = resources.setdefault(repr(span.resource), span.resource)
        decoding.spans.append(span if shared is span.resource else replace(span, resource=shared))
    return decoding.decoded()


def spans_of_trace(value: Mapping[str, Any]) -> Decoded:
    """Return the spans of a trace that holds its observations (`is_trace`).

    A trace may have a question and an answer of its own. They are given to its root; before Langfuse spoke
    OpenTelemetry there was none above the other observations, and the trace becomes it.
    """
    about = value["trace"] if isinstance(value.get("trace"), dict) else value
    trace, observations = LangfuseRecord(about), list(value["observations"])
    known = {LangfuseRecord(item).text("id") for item in observations if isinstance(item, dict)}
    tops = [
        number
        for number, item in enumerate(observations)
        if isinstance(item, dict) and LangfuseRecord(item).text("parentObservationId") not in known
    ]
    for number in tops:  # all there is of the trace is here: what is above them is not to come
        observations[number] = {**observations[number], "isRootObservation": True}
    own = {"traceInput": trace.get("input"), "traceOutput": trace.get("output")}
    if len(tops) == 1:
        observations[tops[0]] |= {} if _tells(observations[tops[0]], own) else own
    elif tops and any(own.values()) and not any(_tells(observations[number], own) for number in tops):
        root = _root(trace, observations)
        below = {"parentObservationId": root["id"], "isRootObservation": False}
        observations = [root, *({**item, **below} if n in tops else item for n, item in enumerate(observations))]
    return spans_of_observations(observations, trace=about)


def spans_of(values: Iterable[Any]) -> Decoded:
    """Return the spans of a file's records: observations and traces, in any mixture.

    >>> spans_of([{"id": "a"}]).malformed[0].reason
    'neither an observation nor a trace with its observations'
    """
    decoding = Decoding()
    observations = []
    for value in values:
        if is_observation(value):
            observations.append(value)
        elif is_trace(value):
            decoded = spans_of_trace(value)
            decoding.spans.extend(decoded.spans)
            decoding.malformed.extend(decoded.malformed)
        else:
            decoding.refuse("neither an observation nor a trace with its observations", _where(value))
    rest = spans_of_observations(observations)
    return Decoded((*decoding.spans, *rest.spans), (*decoding.malformed, *rest.malformed))


def _tells(observation: Mapping[str, Any], own: Mapping[str, Any]) -> bool:
    """Tell whether an observation has the question and the answer that the trace has."""
    record = LangfuseRecord(observation)
    return (record.get("input"), record.get("output")) == (own["traceInput"], own["traceOutput"])


def _root(trace: LangfuseRecord, observations: Iterable[Any]) -> dict[str, Any]:
    records = [LangfuseRecord(item) for item in observations if isinstance(item, dict)]
    begun = trace.text("timestamp")
    starts = [start for record in records if (start := record.text("startTime"))]
    ends = [end for record in records if (end := record.text("endTime") or record.text("startTime"))]
    return {
        "id": f"trace {trace.text('id')}",
        "traceId": trace.text("id"),
        "type": "SPAN",
        "name": trace.text("name"),
        "startTime": min(starts, default=begun),
        "endTime": max(ends, default=begun),
        "input": trace.get("input"),
        "output": trace.get("output"),
        "isRootObservation": True,
    }


def _where(value: Any) -> str:
    identity = value.get("id") if isinstance(value, dict) else None
    return f"record {str(identity)[:64]}" if identity else "record"
