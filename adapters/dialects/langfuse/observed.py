"""One observation as the span it was sent as."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any

from adapters.base import MalformedRecord
from adapters.dialects.langfuse import keys
from adapters.dialects.langfuse.forwarded import restored_attributes
from adapters.dialects.langfuse.records import LangfuseRecord, Metadata
from adapters.ids import span_id_of, trace_id_of
from adapters.trace import STATUS_ERROR, Nanoseconds, Span
from adapters.values import json_text, nanoseconds_of

_NO_ENVIRONMENT = "default"
"""What Langfuse calls the environment of those who named none."""


def span_of(record: LangfuseRecord, trace: LangfuseRecord | None, siblings: AbstractSet[str | None]) -> Span:
    """Return the span of an observation; ``siblings`` are the ids of all that came with it.

    What ``trace`` says holds where the observation does not say it. Raises `MalformedRecord` without ids or a start.
    """
    identity = record.text("id")
    trace_id = record.text("traceId") or (None if trace is None else trace.text("id"))
    start = nanoseconds_of(record.get("startTime"))
    if identity is None or trace_id is None or start is None:
        missing = "id" if identity is None else "traceId" if trace_id is None else "startTime"
        raise MalformedRecord(f"{missing}: missing or unreadable", f"observation {identity or '?'}"[:100])
    metadata = Metadata.of(record.get("metadata"), None if trace is None else trace.get("metadata"))
    parent = record.text("parentObservationId")
    is_root = record.get("isRootObservation") is True or record.text("isRootObservation") == "true"
    if is_root and parent not in siblings:
        parent = None  # what is above an application's root is never sent to Langfuse
    kind = (record.text("type") or "span").lower()
    end = start if kind == "event" else nanoseconds_of(record.get("endTime")) or Nanoseconds(0)
    failed = record.text("level") == keys.ERROR
    own = _attributes(record, trace, metadata, kind)
    if metadata.forwarded:
        own = restored_attributes(metadata, own)
    return Span(
        trace_id=trace_id_of(trace_id),
        span_id=span_id_of(identity),
        parent_id=None if parent is None or parent == identity else span_id_of(parent),
        name=record.text("name") or "",
        start_ns=start,
        end_ns=end,
        attributes=own,
        status_code=STATUS_ERROR if failed else 0,
        status_message=(record.text("statusMessage") or "") if failed else "",
        dropped_attributes=1 if metadata.cut else 0,
        scope_name=metadata.scope_name or ("" if metadata.forwarded else keys.SCOPE),
        scope_version=metadata.scope_version,
        resource=metadata.resource,
    )


def _attributes(record: LangfuseRecord, trace: LangfuseRecord | None, metadata: Metadata, kind: str) -> dict[str, Any]:
    """Return what the SDK would have written."""

    def told(*names: str) -> str | None:
        sources = (record,) if trace is None else (record, trace)
        return next((text for source in sources for name in names if (text := source.text(name)) is not None), None)

    environment = told("environment")
    cost = record.numbers("costDetails")
    total = record.number("totalCost") or record.number("calculatedTotalCost")
    found = {
        keys.TYPE: kind,
        keys.INPUT: json_text(record.get("input")),
        keys.OUTPUT: json_text(record.get("output")),
        keys.TRACE_INPUT: json_text(record.get("traceInput")),
        keys.TRACE_OUTPUT: json_text(record.get("traceOutput")),
        keys.LEVEL: level if (level := record.text("level")) != "DEFAULT" else None,
        keys.STATUS_MESSAGE: record.text("statusMessage"),
        keys.MODEL: record.text("model") or record.text("providedModelName"),
        keys.PARAMETERS: json_text(record.get("modelParameters") or None),
        keys.USAGE: json_text(record.usage() or None),
        keys.COST: json_text(cost or ({"total": total} if total else None)),
        keys.FIRST_TOKEN: None if (at := record.text("completionStartTime")) is None else f'"{at}"',
        keys.PROMPT_NAME: record.text("promptName"),
        keys.PROMPT_VERSION: record.get("promptVersion"),
        keys.SESSION: told("sessionId"),
        keys.USER: told("userId"),
        keys.TRACE_NAME: record.text("traceName") or (None if trace is None else trace.text("name")),
        keys.TRACE_TAGS: record.texts("tags") or record.texts("traceTags") or (trace.texts("tags") if trace else None),
        keys.ENVIRONMENT: None if environment == _NO_ENVIRONMENT else environment,
        keys.RELEASE: told("release"),
        keys.VERSION: told("version"),
        keys.APP_ROOT: True if record.get("isRootObservation") is True else None,
        **metadata.attributes(),
    }
    return {key: value for key, value in found.items() if value is not None}
