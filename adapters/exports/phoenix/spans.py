"""Spans as Phoenix lists them: one JSON object a span, its attributes one level deep under dotted keys.

What a span loses in Phoenix: the resource, the instrumentation scope, links, the counts of what was dropped, and
nanoseconds. Sources: phoenix/server/api/routers/v1/spans.py and phoenix/trace/gen_ai/conversion.py of arize-phoenix
20.26.1, and the data frames of arize-phoenix-client 3.5.0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from adapters.base import MalformedRecord
from adapters.detect import dialect_of
from adapters.dialects.openinference.keys import KIND_BY_KEY, SCOPE
from adapters.exports.phoenix.attributes import renumbered, restored
from adapters.exports.phoenix.scopes import of_logfire, of_openinference, of_openllmetry
from adapters.ids import span_id_of, trace_id_of
from adapters.trace import Event, Nanoseconds, Span
from adapters.values import nanoseconds_of
from adapters.wire.decoded import Decoded

_RESOURCE = "Phoenix does not store the resource; the source's `resource` option can supply one"
_TIMES = "microsecond precision only"
LOST_BY_API: Mapping[str, str] = {
    "service": _RESOURCE,
    "release": f"{_RESOURCE}. Langfuse's SDK also writes it on spans, and that arrives",
    "environment": f"{_RESOURCE}. Langfuse's SDK also writes it on spans, and that arrives",
    "versions": "`app` is read from the resource, which Phoenix does not store",
    "framework": "Phoenix does not store the instrumentation scope; it is known where spans reveal it by other means",
    "passages": "where the SDK's attribute limit dropped the first passages and the retriever's output, the others "
    "move up; such an answer is flagged `attributes_dropped`",
    "passages.metadata": "nulls, empty objects and dots in keys are lost, unless the retriever's output lists them too",
    "question": "content in OTLP log records is lost: Phoenix accepts none. The same applies to every text of such a "
    "call",
    "started_at": _TIMES,
    "ended_at": _TIMES,
    "usage.latency_ms": _TIMES,
    "usage.first_token_ms": _TIMES,
}
"""Fields of an answer that do not, or not quite, come through Phoenix, with the reason."""

PROJECT = "openinference.project.name"
_KIND = "openinference.span.kind"
_UNKNOWN = "UNKNOWN"
_TRACE_ID, _SPAN_ID = "context.trace_id", "context.span_id"
_ATTRIBUTES = "attributes."
_STATUS = {"UNSET": 0, "OK": 1, "ERROR": 2}
_UINT64 = 2**64
_NUMERIC_UNITS = ((10**17, 1), (10**14, 1_000), (10**11, 1_000_000), (0, 1_000_000_000))
"""Nanoseconds a unit by size: a time of this century in ns, us, ms or s; pandas writes milliseconds."""

_CONVERTED = "gen_ai."
_SYNTHESIZED = frozenset({"LLM", "EMBEDDING", "TOOL", "AGENT", "RETRIEVER"})
"""The kinds that Phoenix gives to spans of the GenAI conventions, with OpenInference attributes made up from theirs."""
_SDK_LIMIT = 128
"""Attributes of a span beyond which its SDK drops the oldest (OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT). Phoenix forgets it."""
_TELLING = tuple(prefix for prefix, kind in KIND_BY_KEY if kind in {"RETRIEVER", "RERANKER", "LLM"})


def is_span(value: Any) -> bool:
    """Tell whether a JSON value is a span as Phoenix's API lists it, or a row of its client's data frame.

    >>> is_span({"context": {"trace_id": "0a", "span_id": "0b"}, "span_kind": "LLM"}), is_span({"question": "Q?"})
    (True, False)
    """
    if not isinstance(value, dict) or "span_kind" not in value:
        return False
    context = value.get("context")
    if isinstance(context, dict):
        return "trace_id" in context and "span_id" in context
    return _TRACE_ID in value and _SPAN_ID in value


def spans_of_rows(rows: Iterable[Any], *, project: str | None = None) -> Decoded:
    """Convert spans as `is_span` knows them; ``project`` is the Phoenix project they come from, where it is known.

    >>> row = {"context": {"trace_id": "0a" * 16, "span_id": "0b" * 8}, "span_kind": "LLM", "name": "chat",
    ...        "start_time": "2026-01-01T00:00:00.000001+00:00", "attributes": {"metadata.tenant": "acme"}}
    >>> (span,) = spans_of_rows([row], project="desk").spans
    >>> span.start_ns, span.attributes["openinference.span.kind"], span.attributes["metadata"]
    (1767225600000001000, 'LLM', '{"tenant":"acme"}')
    """
    # One object for all: encoders tell resources apart by identity.
    resource = {} if project is None else {PROJECT: project}
    spans: list[Span] = []
    malformed: list[MalformedRecord] = []
    for number, row in enumerate(rows):
        try:
            spans.append(_span(row, resource))
        except MalformedRecord as error:
            where = str(row["id"])[:80] if isinstance(row, dict) and row.get("id") else str(number)
            malformed.append(MalformedRecord(error.reason, f"span {where}"))
    return Decoded(tuple(spans), tuple(malformed))


def _span(row: Any, resource: Mapping[str, Any]) -> Span:
    if not is_span(row):
        raise MalformedRecord("not a Phoenix span: context.trace_id, context.span_id and span_kind are required")
    context = row.get("context")
    if isinstance(context, dict):
        trace_id, span_id, given = context["trace_id"], context["span_id"], row.get("attributes")
    else:
        trace_id, span_id, given = row[_TRACE_ID], row[_SPAN_ID], None
    if not isinstance(given, dict):
        start = len(_ATTRIBUTES)
        given = {key[start:]: value for key, value in row.items() if key.startswith(_ATTRIBUTES)}
    attributes = restored(given)
    attributes.pop(_KIND, None)
    for side in ("input", "output"):
        # LangChain writes what a run never produced as a bare null, which its scope would tell from a text.
        if attributes.get(f"{side}.value") == "null" and f"{side}.mime_type" not in attributes:
            del attributes[f"{side}.value"]
    parent, name = row.get("parent_id"), _string(row.get("name"))
    span = Span(
        trace_id=_id(trace_id, trace_id_of, "trace_id"),
        span_id=_id(span_id, span_id_of, "span_id"),
        parent_id=_id(parent, span_id_of, "parent_id") if isinstance(parent, str) and parent.strip("0") else None,
        name=name,
        start_ns=_time(row.get("start_time"), "start_time"),
        end_ns=_time(row.get("end_time"), "end_time"),
        attributes=attributes,
        events=_events(row.get("events")),
        status_code=_STATUS.get(_string(row.get("status_code")).upper(), 0),
        status_message=_string(row.get("status_message")),
        scope_name=of_openllmetry(name, attributes) or of_logfire(attributes),
        resource=resource,
    )
    return _with_kind(span, attributes, _string(row.get("span_kind")).upper())


def _with_kind(span: Span, attributes: dict[str, Any], kind: str) -> Span:
    """Give the span the kind Phoenix lists, unless its own dialect knows it without: that reads it better."""
    if not kind or kind == _UNKNOWN:
        if any(key.startswith(_TELLING) for key in attributes) and dialect_of(span) is None:
            # OpenInference, but for the kind, which the exporter's limit on attributes may have dropped.
            return replace(span, scope_name=SCOPE)
        return span
    if kind in _SYNTHESIZED and any(key.startswith(_CONVERTED) for key in attributes):
        # OpenInference writes both sides of every step; what Phoenix makes up has one of them.
        written = ("output.value" if kind == "RETRIEVER" else "input.value") in attributes
        if not written and dialect_of(span) is not None:
            return span
    attributes[_KIND] = kind
    if len(attributes) == _SDK_LIMIT:
        span = replace(span, attributes=renumbered(attributes), dropped_attributes=1)
    return replace(span, scope_name=scope) if (scope := of_openinference(attributes)) else span


def _id(value: Any, read: Callable[[str], str], what: str) -> str:
    text = value.strip() if isinstance(value, str) else ""
    if not text.strip("0-"):
        raise MalformedRecord("missing or all zero", what)
    return read(text)


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _time(value: Any, what: str) -> Nanoseconds:
    """Return Unix nanoseconds of an ISO 8601 text (UTC without a zone) or a number; 0 where there is none."""
    if value is None or value == "":
        return Nanoseconds(0)
    ns = -1
    if isinstance(value, str):
        ns = nanoseconds_of(value) or ns
    elif isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _UINT64:
        ns = next(int(value * unit) for least, unit in _NUMERIC_UNITS if value >= least)
    if not 0 <= ns < _UINT64:
        raise MalformedRecord(f"{str(value)[:40]!r} is not a valid time", what)
    return Nanoseconds(ns)


def _events(value: Any) -> tuple[Event, ...]:
    return tuple(_event(item) for item in value if isinstance(item, dict)) if isinstance(value, list) else ()


def _event(item: Mapping[str, Any]) -> Event:
    attributes = item.get("attributes")
    try:
        at = _time(item.get("timestamp"), "timestamp")
    except MalformedRecord:
        at = Nanoseconds(0)
    return Event(_string(item.get("name")), at, dict(attributes) if isinstance(attributes, dict) else {})
