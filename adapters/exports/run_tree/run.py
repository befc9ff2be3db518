"""One run as the span that the LangSmith SDK would have made of it. Bulk exports hold a run's objects as JSON text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from adapters.base import MalformedRecord
from adapters.dialects.langsmith import COMPLETION, KIND, METADATA, NEW_TOKEN, PROMPT, SCOPE, TOKENS, USAGE
from adapters.ids import span_id_of, trace_id_of
from adapters.trace import STATUS_ERROR, Event, Nanoseconds, Span
from adapters.values import count_of, dig, json_text, nanoseconds_of, number_of, parse_json, text_of

_STATUS_OK = 1
_DOTTED = re.compile(r"(\d{8}T\d{6})(\d{0,6})Z(.+)")
_MAX_JSON_CHARS = 16_000_000


@dataclass(frozen=True, slots=True)
class RunOrigin:
    """A run, where it stands, and what the tree around it says: the ids of its trace and of the span above it."""

    run: Any
    where: str
    trace_id: str | None = None
    parent_id: str | None = None


def span_of(origin: RunOrigin) -> Span:
    """Return the span of a run; its trace id is empty where only the run above can tell. Raises `MalformedRecord`."""
    run, where = origin.run, origin.where
    if not isinstance(run, dict):
        raise MalformedRecord("not a run: expected an object", where)
    identity = _text(run.get("id"))
    if identity is None:
        raise MalformedRecord("id: expected a string", where)
    kind = text_of(run.get("run_type"))
    if kind is None:
        raise MalformedRecord("run_type: expected a string", where)
    ancestry = ancestry_of(run.get("dotted_order"))
    start = nanoseconds_of(run.get("start_time")) or (ancestry[-1][0] if ancestry else None)
    if start is None:
        raise MalformedRecord("start_time: expected a time", where)
    above = parent_of(run)
    end = nanoseconds_of(run.get("end_time")) or Nanoseconds(0)
    failed = bool(run.get("error")) or run.get("status") == "error"
    return Span(
        trace_id=_trace_id(run, ancestry, origin) or ("" if above is not None else trace_id_of(identity)),
        span_id=span_id_of(identity),
        parent_id=origin.parent_id if above is None else span_id_of(above),
        name=_text(run.get("name")) or kind,
        start_ns=start,
        end_ns=end,
        attributes=_attributes(run, kind),
        events=tuple(_events(run, end)),
        status_code=STATUS_ERROR if failed else _STATUS_OK,
        scope_name=SCOPE,
    )


def parent_of(run: Mapping[str, Any]) -> str | None:
    """Return the id of the run above, wherever the run tells of it."""
    told = _text(run.get("parent_run_id"))
    if told is not None:
        return told
    above = run.get("parent_run_ids")
    if isinstance(above, list) and above and (last := _text(above[-1])) is not None:
        return last
    ancestry = ancestry_of(run.get("dotted_order"))
    return ancestry[-2][1] if len(ancestry) > 1 else None


def ancestry_of(dotted_order: Any) -> list[tuple[Nanoseconds, str]]:
    """Return the starts in Unix nanoseconds and the ids of a run's ancestors and, last, of itself.

    >>> ancestry_of("20261120T100234206128Zroot.20261120T100234206529Zchild")
    [(1795168954206128000, 'root'), (1795168954206529000, 'child')]
    """
    found = []
    for part in dotted_order.split(".") if isinstance(dotted_order, str) else ():
        match = _DOTTED.fullmatch(part)
        at = nanoseconds_of(f"{match[1]}.{match[2] or 0}Z") if match is not None else None
        if match is None or at is None:
            return []
        found.append((at, match[3]))
    return found


def _trace_id(run: Mapping[str, Any], ancestry: list[tuple[Nanoseconds, str]], origin: RunOrigin) -> str | None:
    told = _text(run.get("trace_id")) or (ancestry[0][1] if ancestry else None)
    return origin.trace_id if told is None else trace_id_of(told)


def _attributes(run: Mapping[str, Any], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        KIND: kind,
        "langsmith.trace.name": _text(run.get("name")),
        "langsmith.trace.session_name": _text(run.get("session_name")),
        "langsmith.trace.session_id": _text(run.get("session_id")),
        PROMPT: json_text(run.get("inputs")),
        COMPLETION: json_text(run.get("outputs")),
    }
    extra = _object(run.get("extra"))
    metadata = _object(extra.get("metadata"))
    if kind == "llm":
        found |= _model(run, metadata, _object(extra.get("invocation_params")))
        if (cost := number_of(run.get("total_cost"))) is not None:
            metadata = {**metadata, USAGE: {**_object(metadata.get(USAGE)), "total_cost": cost}}
    if kind == "tool":
        found["gen_ai.tool.name"] = _text(run.get("name"))
    if isinstance(tags := run.get("tags"), list):
        found["langsmith.span.tags"] = ", ".join(tag for tag in tags if isinstance(tag, str)) or None
    found |= {METADATA + key: _scalar(value) for key, value in metadata.items()}
    return {key: value for key, value in found.items() if value is not None}


def _model(run: Mapping[str, Any], metadata: Mapping[str, Any], params: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the SDK tells of a model: its name and its tokens."""
    inputs, outputs = _object(run.get("inputs")), _object(run.get("outputs"))
    asked = (metadata.get("ls_model_name"), inputs.get("model"), params.get("model"), params.get("model_name"))
    # LangSmith has 0 where nobody counted.
    counted = run if count_of(run.get("total_tokens")) else _usage(outputs)
    return {
        "gen_ai.request.model": next((name for name in asked if text_of(name) is not None), None),
        "gen_ai.response.model": text_of(outputs.get("model")),
        "gen_ai.response.id": text_of(outputs.get("id")),
        TOKENS["prompt"]: count_of(counted.get("prompt_tokens", counted.get("input_tokens"))),
        TOKENS["completion"]: count_of(counted.get("completion_tokens", counted.get("output_tokens"))),
        TOKENS["total"]: count_of(counted.get("total_tokens")),
    }


def _usage(outputs: Mapping[str, Any]) -> Mapping[str, Any]:
    """Find the tokens in a model's outputs: where the SDK does, or where older models of LangChain leave them."""
    message = dig(outputs, "generations", 0, 0, "message")
    choices = (
        outputs.get(USAGE),
        dig(message, "kwargs", USAGE),
        dig(message, "data", USAGE),
        dig(message, USAGE),
        dig(outputs, "llm_output", "token_usage"),
        outputs.get("usage"),
    )
    return next((choice for choice in choices if isinstance(choice, dict) and choice), {})


def _events(run: Mapping[str, Any], end: Nanoseconds) -> Iterator[Event]:
    listed = run.get("events")
    tokens = (event.get("time") for event in listed if _is_token(event)) if isinstance(listed, list) else ()
    times = (nanoseconds_of(time) for time in (*tokens, run.get("first_token_time")))
    first = min((at for at in times if at is not None), default=None)
    if first is not None:
        yield Event(NEW_TOKEN, first)
    if (error := text_of(run.get("error"))) is not None:
        yield Event("exception", end, {"exception.type": "Exception", "exception.message": error})


def _is_token(event: Any) -> bool:
    return isinstance(event, dict) and event.get("name") == NEW_TOKEN


def _object(value: Any) -> Mapping[str, Any]:
    found = parse_json(value, limit=_MAX_JSON_CHARS) if isinstance(value, str) else value
    return found if isinstance(found, dict) else {}


def _scalar(value: Any) -> Any:
    return value if value is None or isinstance(value, str | bool | int | float) else json_text(value)


def _text(value: Any) -> str | None:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else text_of(value)
