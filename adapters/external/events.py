"""Results of evaluations in spans: `gen_ai.evaluation.result`, on a span, in a log record, or as a span of its own.

The conventions say that the event is a child of the operation that was evaluated, so the span that holds it, or the
parent of a span that is one, says which answer it is of; where the evaluator does not know the span, it names the
response of the model by ``gen_ai.response.id``. They have no name for the evaluator; where no attribute names
one, it is the scope of a log record or of a span of its own, but never that of an event on the application's span: with
that, each release of the application would pass for another judge.

Source: github.com/open-telemetry/semantic-conventions-genai, model/gen-ai/events.yaml.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from adapters.external.score import OURS, ExternalScore, number_or_text
from adapters.ids import names_a_response
from adapters.schema import MAX_RESPONSE_ID
from adapters.trace import Span

EVENT = "gen_ai.evaluation.result"
NAME = "gen_ai.evaluation.name"
VALUE = "gen_ai.evaluation.score.value"
LABEL = "gen_ai.evaluation.score.label"
EXPLANATION = "gen_ai.evaluation.explanation"
RESPONSE = "gen_ai.response.id"
CALL = ("gen_ai.operation.name", "gen_ai.request.model")
"""Keys of a span that is a call of the judge's model itself: the response that it names is the judge's own."""
EVALUATORS = ("gen_ai.evaluation.evaluator.name", "gen_ai.evaluation.evaluator", "evaluator.name", "evaluator")
VERSIONS = (
    "gen_ai.evaluation.evaluator.version",
    "gen_ai.evaluation.version",
    "evaluator.version",
    "gen_ai.request.model",
)
"""Keys under which evaluators name themselves; the model that judges is a version of its judge."""
MAX_SCORES = 1_000
"""Scores that are read of one trace."""


def is_result(span: Span) -> bool:
    """Whether a span is nothing but results of evaluations: a span of its own, or what log records told of one."""
    if span.is_fragment:
        return all(event.name == EVENT for event in span.events)
    return span.name == EVENT or (NAME in span.attributes and (VALUE in span.attributes or LABEL in span.attributes))


def scores_in(spans: Iterable[Span]) -> tuple[list[ExternalScore], int]:
    """Return the scores that spans hold, each once, in an order that does not depend on theirs; and how many are bad.

    >>> from adapters.trace import Event
    >>> event = Event(EVENT, 0, {NAME: "tone", VALUE: 4})
    >>> held = Span("t" * 32, "s" * 16, None, "ask", 1, 2, events=(event,))
    >>> [(each.name, each.value, each.span_id) for each in scores_in([held])[0]]
    [('tone', 4.0, 'ssssssssssssssss')]
    """
    found: dict[str, ExternalScore] = {}
    bad = 0
    for span in spans:
        for fields in _told(span):
            if len(found) >= MAX_SCORES:
                return _ordered(found), bad
            try:
                score = ExternalScore(**fields)
            except ValidationError:
                bad += 1
                continue
            found[score.model_dump_json()] = score
    return _ordered(found), bad


def _ordered(found: Mapping[str, ExternalScore]) -> list[ExternalScore]:
    return [found[text] for text in sorted(found)]


def _told(span: Span) -> Iterator[dict[str, Any]]:
    own = is_result(span)
    scope = (span.scope_name, span.scope_version) if own else ("", "")
    if scope[0] == OURS:
        return
    if own and not span.is_fragment:
        calls = any(key in span.attributes for key in CALL)
        told = {key: value for key, value in span.attributes.items() if key != RESPONSE} if calls else span.attributes
        yield _fields(told, scope, span.trace_id, span.parent_id, span.end_ns or span.start_ns)
    for event in span.events:
        if event.name == EVENT:
            body = event.attributes.get("body")
            attributes = {**(body if isinstance(body, dict) else {}), **event.attributes}
            yield _fields(attributes, scope, span.trace_id, span.span_id, event.time_ns)


def _fields(
    attributes: Mapping[str, Any], scope: tuple[str, str], trace_id: str, span_id: str | None, at: int
) -> dict[str, Any]:
    nowhere = names_a_response(trace_id)
    evaluator, version = (_first(attributes, keys) for keys in (EVALUATORS, VERSIONS))
    response = _text(attributes.get(RESPONSE))
    value = {"value": attributes.get(VALUE)} if attributes.get(VALUE) is not None else {}
    label = number_or_text(attributes.get(LABEL)) if isinstance(attributes.get(LABEL), str) else {}
    return {
        "name": attributes.get(NAME),
        **value,
        **label,
        "explanation": _text(attributes.get(EXPLANATION)),
        "trace_id": None if nowhere else trace_id,
        "span_id": None if nowhere else span_id or None,
        "response_id": response if response and len(response) <= MAX_RESPONSE_ID else None,
        "evaluator": evaluator or scope[0] or None,
        "version": version or (scope[1] if not evaluator else None) or None,
        "at": datetime.fromtimestamp(at / 1e9, UTC) if 0 < at < 2**62 else None,
    }


def _first(attributes: Mapping[str, Any], keys: Iterable[str]) -> str | None:
    return next((text for text in (_text(attributes.get(key)) for key in keys) if text), None)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
