"""Recorded traces in which single values are of other types than their instrumentation writes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from adapters.trace import Nanoseconds, Span

_ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 7, 2**53 + 1, 2**64, 1_795_168_954_206_128_001, 0.5, -0.0, 1e300, float("nan"),
    float("inf"), "", " ", "7", "0.5", "true", "null", "user", "assistant", "Is it so?", "2025-03-04", "[", "{", "[]",
    "{}", '{"text": 7}', "x" * 64, b"", b"\xff", [], [None], [7], ["a"], ["a", "b"], [["a", "b"]], [{}], [[]],
    [{"text": "It is so."}], [{"text": "It is so."}, 0.5], [{"id": 7, "score": "high", "metadata": []}], {}, {"a": 1},
    {"text": 7}, {"text": "It is so.", "id": True}, {"content": [{"type": "text", "text": 7}], "role": 7},
    {"role": "user", "content": {"text": ["a"]}}, {"documents": 7}, {"documents": [7, "a", {"page_content": 7}]},
    {"messages": [[{"type": "ai", "data": {"content": None, "tool_calls": {"name": 7}}}]]},
    {"name": "search", "arguments": 7}, {"answer": {"answer": [1]}},
)  # fmt: skip
_TIMES = (0, 1, 999, 2**53 + 1, 2**62 + 1, 2**64 - 1)
_DEEPEST = 6


def with_odd_values(spans: Sequence[Span], random: Random) -> list[Span]:
    """Return ``spans`` with one to four values replaced, within JSON as well: of one span, or of all with that key."""
    changed = list(spans)
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(changed))
        told = changed[at].attributes
        if told and random.random() < 0.5:
            key = random.choice(sorted(told))
            held = {key: _odd(told[key], random, 0)}
            changed = [
                replace(one, attributes={**one.attributes, **held}) if key in one.attributes else one for one in changed
            ]
        else:
            changed[at] = _odd_span(changed[at], random)
    return changed


def _odd_span(span: Span, random: Random) -> Span:
    kind = random.random()
    if kind < 0.05:
        return replace(span, start_ns=Nanoseconds(random.choice(_TIMES)))
    if kind < 0.1:
        return replace(span, end_ns=Nanoseconds(random.choice(_TIMES)))
    if kind < 0.2:
        return replace(span, resource=_odd_within(span.resource, random))
    if kind < 0.3 and span.events:
        at = random.randrange(len(span.events))
        event = replace(span.events[at], attributes=_odd_within(span.events[at].attributes, random))
        return replace(span, events=(*span.events[:at], event, *span.events[at + 1 :]))
    return replace(span, attributes=_odd_within(span.attributes, random))


def _odd_within(values: Mapping[str, Any], random: Random) -> dict[str, Any]:
    if not values:
        return {}
    key, other = random.choice(sorted(values)), random.choice(sorted(values))
    return {**values, key: values[other] if random.random() < 0.2 else _odd(values[key], random, 0)}


def _odd(value: Any, random: Random, depth: int) -> Any:
    """Return another value in the place of ``value``, or of one within it."""
    if isinstance(value, str) and value[:1] in ("{", "[") and random.random() < 0.7:
        try:
            return json.dumps(_odd(json.loads(value), random, depth), default=repr)
        except ValueError:
            return random.choice(_ODD)
    if depth < _DEEPEST and random.random() < 0.8:
        if isinstance(value, dict) and value:
            key = random.choice(sorted(value))
            return {**value, key: _odd(value[key], random, depth + 1)}
        if isinstance(value, list) and value:
            at = random.randrange(len(value))
            return [*value[:at], _odd(value[at], random, depth + 1), *value[at + 1 :]]
    return random.choice(_ODD)
