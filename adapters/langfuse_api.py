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
from adapters.decoded import Decoded, Found
from adapters.langfuse import keys
from adapters.langfuse.observed import nanoseconds_of, span_id_of, span_of, trace_id_of
from adapters.langfuse.records import Record

__all__ = [
    "LOST_BY_API",
    "is_observation",
    "is_record",
    "is_trace",
    "nanoseconds_of",
    "span_id_of",
    "spans_of",
    "spans_of_observations",
    "spans_of_trace",
    "trace_id_of",
]

LOST_BY_API: Mapping[str, str] = {
    "started_at": "the API rounds times to milliseconds",
    "ended_at": "the API rounds times to milliseconds",
    "usage.latency_ms": "the API rounds times to milliseconds",
    "usage.first_token_ms": "the API rounds times to milliseconds",
}
"""What pulled or exported observations tell less exactly than the same trace over OTLP, and why."""

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
    found = Found()
    about = None if trace is None else Record(trace)
    records = []
    for value in observations:
        if isinstance(value, dict):
            records.append(Record(value))
        else:
            found.spoil("not an object", "observation")
    siblings = {record.text("id") for record in records}
    resources: dict[str, Mapping[str, Any]] = {}
    for record in records:
        try:
            span = span_of(record, about, siblings)
        except MalformedRecord as error:
            found.malformed.append(error)
            continue
        # Spans of one process share their resource, which is then written once.
        shared = resources.setdefault(repr(span.resource), span.resource)
        found.spans.append(span if shared is span.resource else replace(span, resource=shared))
    return found.decoded()


def spans_of_trace(value: Mapping[str, Any]) -> Decoded:
    """Return the spans of a trace that holds its observations (`is_trace`).

    Before Langfuse spoke OpenTelemetry, a trace had the question and the answer, and no observation around the others:
    it becomes the root span then.
    """
    about = value["trace"] if isinstance(value.get("trace"), dict) else value
    observations = value["observations"]
    if not _holds_what_none_of(Record(about), [Record(item) for item in observations if isinstance(item, dict)]):
        return spans_of_observations(observations, trace=about)
    trace = Record(about)
    root = {
        "id": f"trace {trace.text('id')}",
        "traceId": trace.text("id"),
        "type": "SPAN",
        "name": trace.text("name"),
        "startTime": min((start for item in observations if (start := _start(item))), default=None)
        or trace.text("timestamp"),
        "endTime": max((end for item in observations if (end := _end(item))), default=None) or trace.text("timestamp"),
        "input": trace.get("input"),
        "output": trace.get("output"),
    }
    below = [
        item if not isinstance(item, dict) or Record(item).text("parentObservationId") else {**item, **_below(root)}
        for item in observations
    ]
    return spans_of_observations([root, *below], trace=about)


def spans_of(values: Iterable[Any]) -> Decoded:
    """Return the spans of a file's records: observations and traces, in any mixture.

    >>> spans_of([{"id": "a"}]).malformed[0].reason
    'neither an observation nor a trace with its observations'
    """
    found = Found()
    observations = []
    for value in values:
        if is_observation(value):
            observations.append(value)
        elif is_trace(value):
            decoded = spans_of_trace(value)
            found.spans.extend(decoded.spans)
            found.malformed.extend(decoded.malformed)
        else:
            found.spoil("neither an observation nor a trace with its observations", _where(value))
    rest = spans_of_observations(observations)
    return Decoded((*found.spans, *rest.spans), (*found.malformed, *rest.malformed))


def _holds_what_none_of(trace: Record, observations: list[Record]) -> bool:
    if trace.get("input") is None and trace.get("output") is None:
        return False
    roots = [record for record in observations if not record.text("parentObservationId")]
    if len(roots) == 1 and roots[0].get("input") == trace.get("input"):
        return False
    speaking = [record for record in roots if (record.text("type") or "").lower() in ("span", "chain", "agent")]
    return not any(record.get("input") is not None or record.get("output") is not None for record in speaking)


def _below(root: Mapping[str, Any]) -> dict[str, Any]:
    return {"parentObservationId": root["id"], "isRootObservation": False}


def _start(item: Any) -> str | None:
    return Record(item).text("startTime") if isinstance(item, dict) else None


def _end(item: Any) -> str | None:
    return Record(item).text("endTime") or _start(item) if isinstance(item, dict) else None


def _where(value: Any) -> str:
    identity = value.get("id") if isinstance(value, dict) else None
    return f"record {str(identity)[:64]}" if identity else "record"
