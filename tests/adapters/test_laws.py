"""Laws over recorded traces of every dialect: damage to one span is its own, and what nobody reads changes nothing."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.proto.trace.v1 import trace_pb2

from adapters import ADAPTERS
from adapters.assembly.view import Reading, View
from adapters.base import AdaptOptions, MalformedRecord
from adapters.detect import adapt_trace, dialect_of, read_trace
from adapters.dialects.base import Carrier
from adapters.files.read import records
from adapters.schema import Answer
from adapters.trace import Span, Trace
from adapters.wire.otlp import decode_traces, group
from docs.makers.carried import CARRIERS, FIELDS, arrived

TRACES = Path(__file__).parents[1] / "golden" / "traces"
NAMES = sorted(p.name.removesuffix(".otlp.pb") for p in TRACES.glob("*.otlp.pb") if ".logs." not in p.name)
OPTIONS = AdaptOptions()
HOSTILE = (
    None,
    "",
    " ",
    "[" * 3000,
    '{"a":' * 300 + "1" + "}" * 300,
    '{"role": "assistant", "tool_calls": [{"name": "f", "args": ' + '{"a":' * 300 + "1" + "}" * 301 + "]}",
    '[{}, 1, null, [], {"role": 7, "parts": {"type": 1}}]',
    '{"documents": [1, null, {"id": {}, "score": "x"}], "messages": [[[]]], "generations": [[{"text": 1}]]}',
    "\x00\ud800",
    -1,
    2**63,
    float("nan"),
    float("inf"),
    True,
    b"\xff\xfe",
    [None, {}, []],
    {"role": None, "parts": [{"content": {}}]},
)


@cache
def spans_of(name: str) -> tuple[Span, ...]:
    paths = [TRACES / f"{name}.otlp.pb", TRACES / f"{name}.logs.otlp.pb"]
    found = [record for path in paths if path.exists() for record in records(path.read_bytes())]
    return tuple(record for record in found if isinstance(record, Span))


@cache
def answers_of(name: str) -> tuple[Answer, ...]:
    return tuple(answer for trace in group(spans_of(name)) for answer in adapt_trace(trace, OPTIONS))


@pytest.mark.parametrize("name", NAMES)
def test_plain_spans_of_the_application_change_nothing_and_are_counted(name: str) -> None:
    for trace in group(spans_of(name)):
        first = trace.spans[0]
        plain = [
            Span(
                trace.trace_id,
                f"{n:016x}",
                parent,
                "GET /search",
                first.start_ns + 1,
                first.start_ns + 2,
                {"http.route": "/"},
            )
            for n, parent in enumerate([span.span_id for span in trace.spans], start=1)
        ]
        found = read_trace(Trace.of(trace.trace_id, [*trace.spans, *plain]), OPTIONS)
        alone = read_trace(trace, OPTIONS)
        assert found.answers == alone.answers
        assert found.dialects["none"] == alone.dialects["none"] + len(plain)


def views_in_memory() -> int:
    return sum(issubclass(type(each), View) for each in gc.get_objects())


def test_the_memory_of_a_trace_comes_back_though_no_garbage_is_collected() -> None:
    traces = [trace for name in NAMES for trace in group(spans_of(name))]
    gc.collect()
    gc.disable()
    try:
        before = views_in_memory()
        for trace in traces:
            adapt_trace(trace, OPTIONS)
        assert views_in_memory() == before
    finally:
        gc.enable()


KEYS_OF = {
    "session": "session_keys",
    "user": "user_keys",
    "template": "template_keys",
    "template_version": "template_keys",
}


class AllBut(dict[str, Any]):
    """The attributes of a span that has every attribute, but for those under some keys."""

    def __init__(self, keys: Sequence[str]) -> None:
        super().__init__()
        self.lacking = keys

    def get(self, key: str, default: Any = None) -> Any:
        return default if key in self.lacking else "x"


@pytest.mark.parametrize("fact", KEYS_OF)
def test_an_answer_loses_no_session_user_or_prompt_to_an_attribute_that_its_dialect_does_not_name(fact: str) -> None:
    for adapter in ADAPTERS:
        attributes = AllBut(getattr(adapter.view, KEYS_OF[fact]))
        for scope in {span.scope_name for name in NAMES for span in spans_of(name)}:
            view = adapter.view(Span("t", "s", None, "ask", 1, 2, attributes, scope_name=scope), Reading(None, 1_000))
            view.kind = "PROMPT"  # the one kind of which LangSmith tells a version
            assert getattr(view, fact) is None, (adapter.dialect, scope)


@pytest.mark.parametrize("name", NAMES)
def test_a_span_that_cannot_be_read_hides_none_that_can(name: str) -> None:
    message = trace_pb2.TracesData.FromString((TRACES / f"{name}.otlp.pb").read_bytes())
    broken = message.resource_spans[0].scope_spans[0].spans.add(name="broken", trace_id=b"short", span_id=b"12345678")
    broken.attributes.add(key="x").value.string_value = "y"
    bad_text = trace_pb2.ResourceSpans.FromString(message.resource_spans[0].SerializeToString())
    del bad_text.scope_spans[:]
    scope = bad_text.scope_spans.add()
    scope.spans.add(name="@@@", trace_id=b"0123456789abcdef", span_id=b"12345678")
    data = message.SerializeToString() + trace_pb2.TracesData(resource_spans=[bad_text]).SerializeToString().replace(
        b"@@@", b"\xff\xff\xff"
    )
    decoded = decode_traces(data)
    assert len(decoded.malformed) == 2
    good = decode_traces((TRACES / f"{name}.otlp.pb").read_bytes()).spans
    assert Counter(span.span_id for span in decoded.spans) == Counter(span.span_id for span in good)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_damage_to_attributes_never_raises_and_never_reaches_another_trace(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(NAMES))
    spans = list(spans_of(name))
    hit = set()
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(spans) - 1))
        span = spans[place]
        if not span.attributes:
            continue
        key = data.draw(st.sampled_from(sorted(span.attributes)))
        spans[place] = replace(span, attributes={**span.attributes, key: data.draw(st.sampled_from(HOSTILE))})
        hit.add(span.trace_id)
    untouched = [answer for answer in answers_of(name) if answer.trace_id not in hit]
    found = []
    for trace in group(spans):
        try:
            found += [answer for answer in adapt_trace(trace, OPTIONS) if trace.trace_id not in hit]
        except MalformedRecord:
            assert trace.trace_id in hit
    assert found == untouched


DIALECTS = [adapter.dialect for adapter in ADAPTERS]
STEPS: dict[str, dict[str, Any]] = {
    "langfuse": {
        "langfuse.observation.type": "span",
        "langfuse.observation.output": '[{"id": "a", "text": "Up to 180 EUR."}]',
    },
    "openinference": {"openinference.span.kind": "LLM", "llm.output_messages.0.message.content": "180 EUR."},
    "langsmith": {"langsmith.span.kind": "llm", "gen_ai.completion": '{"output": "180 EUR."}'},
    "openllmetry": {"traceloop.span.kind": "task", "db.system": "chroma", "db.operation": "query"},
    "otel_genai": {"gen_ai.operation.name": "invoke_agent", "gen_ai.usage.output_tokens": 3},
}


@cache
def step(dialect: str) -> Mapping[str, Any]:
    """A step that is worth looking into, else the first recorded one."""
    spans = (span for name in NAMES for span in spans_of(name))
    return STEPS.get(dialect) or next(span.attributes for span in spans if dialect_of(span) == dialect)


@pytest.mark.slow
@pytest.mark.parametrize("outer", [*DIALECTS, None])
@pytest.mark.parametrize("inner", DIALECTS)
def test_a_trace_may_be_as_deep_as_it_is_long(outer: str | None, inner: str) -> None:
    depth = 1_100  # deeper than Python recurses
    spans = [
        Span(
            "0af7651916cd43dd8448eb211c80319c",
            f"{n + 1:016x}",
            f"{min(n, depth):016x}" if n else None,
            "search",
            1 + n,
            10_000 - min(n, depth),
            step(inner) if n >= depth else {} if outer is None else step(outer),
        )
        for n in range(2 * depth)
    ]
    assert sum(read_trace(Trace.of(spans[0].trace_id, spans), OPTIONS).dialects.values()) == len(spans)


def recorded(carrier: Carrier) -> list[Answer]:
    return [answer for name in NAMES if name.split("-")[0] == carrier.name for answer in answers_of(name)]


@pytest.mark.parametrize("carrier", CARRIERS, ids=lambda carrier: carrier.name)
def test_what_a_source_is_said_to_lose_never_arrives_and_all_else_does(carrier: Carrier) -> None:
    came = frozenset[str]().union(*(arrived(answer) for answer in recorded(carrier)))
    assert set(carrier.lost) | set(carrier.seldom) <= set(FIELDS)
    assert not came & set(carrier.lost)
    assert set(FIELDS) - came <= set(carrier.lost) | set(carrier.seldom)


def test_every_dialect_has_recorded_traces() -> None:
    read: Counter[str] = Counter()
    for name in NAMES:
        for trace in group(spans_of(name)):
            read += read_trace(trace, OPTIONS).dialects
    assert {adapter.dialect for adapter in ADAPTERS} <= set(read)


def test_dialects_have_names_of_their_own() -> None:
    names: list[Any] = [adapter.dialect for adapter in ADAPTERS]
    assert len(set(names)) == len(names)
