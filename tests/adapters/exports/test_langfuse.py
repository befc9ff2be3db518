"""Observations of Langfuse's API and exports: the same answers as the spans they were sent as."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.assembly.view import Reading
from adapters.detect import AdaptOptions, adapt_trace, dialect_of
from adapters.dialects.langfuse.adapter import Langfuse
from adapters.exports.langfuse import (
    LOST_BY_API,
    is_observation,
    is_record,
    is_trace,
    spans_of,
    spans_of_observations,
    spans_of_trace,
)
from adapters.files.read import read
from adapters.schema import Answer
from adapters.trace import Span
from adapters.wire.otlp import decode_traces, group

GOLDEN = Path(__file__).parents[2] / "golden" / "traces"
REFERENCE = Path(__file__).parents[3].parent / "shared" / "data" / "traces"
OPTIONS = AdaptOptions(attributes={"tenant": "tenant", "floor": "shop.floor"})
NAMES = sorted(path.name.removesuffix(".otlp.pb") for path in GOLDEN.glob("langfuse*-*.otlp.pb"))
O = "langfuse.observation."  # noqa: E741 - the prefix of most keys here
MS = 1_000_000


def iso(ns: int) -> str:
    from datetime import UTC, datetime, timedelta

    at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ns // MS)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def observed(span: Span) -> dict[str, Any]:
    """What Langfuse's current API tells of a span that its SDK sent."""
    given = span.attributes
    encoded = span.scope_version.startswith("5")
    metadata: dict[str, Any] = {
        "resourceAttributes": dict(span.resource),
        "scope": {"name": span.scope_name, "version": span.scope_version, "attributes": {}},
    }
    for prefix in ("langfuse.trace.metadata.", f"{O}metadata."):
        for key, value in given.items():
            if key.startswith(prefix):
                metadata[key.removeprefix(prefix)] = json.loads(value) if encoded else value
    model = given.get(f"{O}model.parameters")
    return {
        "id": span.span_id,
        "traceId": span.trace_id,
        "startTime": iso(span.start_ns),
        "endTime": iso(span.end_ns),
        "projectId": "project",
        "parentObservationId": span.parent_id,
        "isRootObservation": span.parent_id is None or given.get("langfuse.internal.is_app_root") is True,
        "type": given[f"{O}type"].upper(),
        "name": span.name,
        "level": given.get(f"{O}level", "DEFAULT"),
        "statusMessage": given.get(f"{O}status_message"),
        "version": given.get("langfuse.version"),
        "environment": given.get("langfuse.environment", "default"),
        "userId": given.get("user.id"),
        "sessionId": given.get("session.id"),
        "completionStartTime": json.loads(given.get(f"{O}completion_start_time", "null")),
        "input": given.get(f"{O}input"),
        "output": given.get(f"{O}output"),
        "metadata": metadata,
        "model": given.get(f"{O}model.name"),
        "modelParameters": None if model is None else json.loads(model),
        "usageDetails": usage_details(json.loads(given.get(f"{O}usage_details", "{}"))),
        "costDetails": json.loads(given.get(f"{O}cost_details", "{}")),
        "promptName": given.get(f"{O}prompt.name"),
        "promptVersion": given.get(f"{O}prompt.version"),
        "traceName": given.get("langfuse.trace.name"),
        "tags": given.get("langfuse.trace.tags", []),
        "release": given.get("langfuse.release"),
    }


def usage_details(sent: dict[str, Any]) -> dict[str, int]:
    """The token counts as the server keeps them: a provider's names become Langfuse's own."""
    names = {"prompt_tokens": "input", "completion_tokens": "output", "total_tokens": "total"}
    return {names.get(name, name): count for name, count in sent.items() if isinstance(count, int)}


def snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name)


def exported(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the blob storage's export."""
    found = {snake(name): value for name, value in row.items()}
    found["provided_model_name"] = found.pop("model")
    for name in ("start_time", "end_time", "completion_start_time"):
        if found[name]:
            found[name] = found[name].replace("T", " ").removesuffix("Z") + ("" if "." not in found[name] else "000")
            found[name] = found[name][:26]
    return found


def table(rows: list[dict[str, Any]]) -> str:
    written = io.StringIO()
    writer = csv.DictWriter(written, list(rows[0]))
    writer.writeheader()
    for row in rows:
        writer.writerow({k: json.dumps(v) if isinstance(v, dict | list | bool) else v for k, v in row.items()})
    return written.getvalue()


def parsed(text: str | None) -> Any:
    try:
        return json.loads(text) if text is not None and text.startswith(("{", "[")) else text
    except json.JSONDecodeError:
        return text


def legacy(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The trace as the older API tells it: what all observations share stands above them."""
    root = next(row for row in rows if row["isRootObservation"])
    dropped = ("userId", "sessionId", "release", "tags", "traceName", "isRootObservation")
    below = [
        {key: value for key, value in row.items() if key not in dropped}
        | {"input": parsed(row["input"]), "output": parsed(row["output"])}
        for row in rows
    ]
    about = {key: root[key] for key in ("userId", "sessionId", "release", "tags", "environment", "metadata")}
    about |= {"input": parsed(root["input"]), "output": parsed(root["output"]), "observations": below, "scores": []}
    return about | {"id": root["traceId"], "timestamp": root["startTime"], "name": root["name"]}


def golden(name: str) -> tuple[Span, ...]:
    return decode_traces((GOLDEN / f"{name}.otlp.pb").read_bytes()).spans


def answers(spans: Iterable[Span]) -> list[Answer]:
    return [answer for trace in group(spans) for answer in adapt_trace(trace, OPTIONS)]


def comparable(answer: Answer) -> dict[str, Any]:
    """An answer without what the API tells less exactly."""
    found = answer.model_dump()
    for name in ("started_at", "ended_at"):
        found.pop(name)
    for name in ("latency_ms", "first_token_ms"):
        found["usage"].pop(name)
    return found


def close(ours: Answer, theirs: Answer) -> bool:
    for name in ("started_at", "ended_at"):
        if abs((getattr(ours, name) - getattr(theirs, name)).total_seconds()) > 0.001:
            return False
    for name in ("latency_ms", "first_token_ms"):
        a, b = getattr(ours.usage, name), getattr(theirs.usage, name)
        if a != b and (a is None or b is None or abs(a - b) > 1):
            return False
    return True


FORMS = ["page", "list", "lines", "rows", "csv", "legacy"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
def test_a_pulled_or_exported_trace_gives_the_answer_it_gives_over_otlp(name: str, form: str) -> None:
    spans = golden(name)
    rows = [observed(span) for span in spans]
    text = {
        "page": lambda: json.dumps({"data": rows, "meta": {}}),
        "list": lambda: json.dumps(rows),
        "lines": lambda: "\n".join(json.dumps(row) for row in rows),
        "rows": lambda: json.dumps([exported(row) for row in rows]),
        "csv": lambda: table([exported(row) for row in rows]),
        "legacy": lambda: json.dumps(legacy(rows)),
    }[form]()
    expected, found = answers(spans), list(read(text.encode(), OPTIONS))
    assert [comparable(answer) for answer in found] == [comparable(answer) for answer in expected]
    assert all(map(close, found, expected))


def test_what_the_api_tells_less_of_is_named() -> None:
    assert LOST_BY_API.keys() >= {"started_at", "ended_at", "usage.latency_ms", "usage.first_token_ms"}
    assert all(name.split(".")[0] in Answer.model_fields for name in LOST_BY_API)


@pytest.mark.skipif(not REFERENCE.exists(), reason="reference traces are not beside the repository")
@pytest.mark.parametrize("form", ["observations-v2-trace", "legacy-trace"])
@pytest.mark.parametrize("name", ["observe", "observe-error", "langchain"])
def test_the_reference_pages_give_what_the_reference_traces_give(name: str, form: str) -> None:
    body = json.loads((REFERENCE / "langfuse-api" / f"{form}-{name}.json").read_text())["body"]
    spans = decode_traces((REFERENCE / f"langfuse-{name}.otlp.pb").read_bytes()).spans
    (expected,), (found,) = answers(spans), list(read(json.dumps(body).encode(), OPTIONS))
    assert comparable(found) == comparable(expected)
    assert close(found, expected)


@pytest.mark.skipif(not REFERENCE.exists(), reason="reference traces are not beside the repository")
def test_openinference_spans_get_their_own_attributes_back() -> None:
    body = json.loads((REFERENCE / "langfuse-api" / "observations-v2-openinference.json").read_text())["body"]
    spans = spans_of_observations(body["data"]).spans
    assert {dialect_of(span) for span in spans} == {"openinference"}
    (answer,) = answers(spans)
    assert (answer.source, answer.framework, answer.service) == ("openinference", "haystack", "policy-rag-haystack")
    assert answer.question == "What is the hotel limit per night for domestic travel?"
    assert [passage.id for passage in answer.passages] == ["TRV-001@2.0", "TRV-001@3.0", "TRV-002@1.1"]
    assert answer.passages[0].metadata["effective_to"] == "2024-12-31"
    assert answer.usage.total_tokens == 189


def row(**given: Any) -> dict[str, Any]:
    return {
        "id": "a" * 16,
        "traceId": "b" * 32,
        "type": "SPAN",
        "startTime": "2026-11-20T10:00:00.000Z",
        "endTime": "2026-11-20T10:00:01.000Z",
    } | given


def only(**given: Any) -> Span:
    (span,) = spans_of_observations([row(**given)]).spans
    return span


def forwarded(own: dict[str, Any], scope: str = "some.scope", **given: Any) -> Span:
    return only(metadata={"attributes": own, "scope": {"name": scope, "version": "1"}}, **given)


def test_gen_ai_spans_get_their_messages_back() -> None:
    messages = json.dumps([{"role": "user", "parts": [{"type": "text", "content": "How much?"}]}])
    span = forwarded(
        {"gen_ai.operation.name": "chat"},
        type="GENERATION",
        input=messages,
        model="m-1",
        usageDetails={"input": 5, "output": 2},
    )
    assert span.attributes["gen_ai.input.messages"] == messages
    assert span.attributes["gen_ai.usage.input_tokens"] == 5
    assert dialect_of(span) == "otel_genai"


def test_what_langfuse_kept_in_another_form_than_it_came_is_read_as_its_observation() -> None:
    span = forwarded({"gen_ai.operation.name": "chat"}, type="GENERATION", input='[{"role": "user", "content": "Hi"}]')
    assert dialect_of(span) == "langfuse"


def test_a_step_of_the_application_itself_gives_structure_only() -> None:
    assert dialect_of(forwarded({"http.route": "/ask"})) is None


@pytest.mark.parametrize(
    "metadata",
    [
        {
            "resourceAttributes": {"service.name": "desk"},
            "scope": {"name": "langfuse-sdk", "version": "5.0.4"},
            "k": "v",
        },
        {
            "resourceAttributes": '{"service.name": "desk"}',
            "scope": '{"name": "langfuse-sdk", "version": "5.0.4"}',
            "k": "v",
        },
        {"resourceAttributes.service.name": "desk", "scope.name": "langfuse-sdk", "scope.version": "5.0.4", "k": "v"},
        '{"resourceAttributes":{"service.name":"desk"},"scope":{"name":"langfuse-sdk","version":"5.0.4"},"k":"v"}',
    ],
    ids=["object", "json-in-object", "dotted", "json"],
)
def test_metadata_is_read_in_every_shape(metadata: Any) -> None:
    span = only(metadata=metadata)
    assert (span.resource, span.scope_name, span.scope_version) == ({"service.name": "desk"}, "langfuse-sdk", "5.0.4")
    assert span.attributes[f"{O}metadata.k"] == '"v"'


@pytest.mark.parametrize("version", ["5.0.4", "4.14.3", ""])
@pytest.mark.parametrize("shop", [{"floor": 2}, '{"floor": 2}'], ids=["object", "json"])
def test_nested_metadata_is_found_by_its_path(version: str, shop: Any) -> None:
    metadata = {"scope": {"name": "langfuse-sdk", "version": version}, "shop": shop, "build": 123, "text": "123"}
    view = Langfuse().view(only(metadata=metadata), Reading(None, 1_000))
    assert (view.metadata["shop.floor"], view.metadata["build"], view.metadata["text"]) == (2, 123, "123")


def test_a_forwarded_span_is_known_without_its_scope() -> None:
    assert dialect_of(only(metadata={"attributes": {"openinference.span.kind": "LLM"}})) == "openinference"


def test_metadata_that_was_cut_is_salvaged_and_told() -> None:
    own = json.dumps({"openinference.span.kind": "RETRIEVER", "retrieval.documents.0.document.content": "x" * 300})
    span = only(metadata={"attributes": own[:200], "scope": {"name": "openinference.instrumentation.haystack"}})
    assert span.attributes["openinference.span.kind"] == "RETRIEVER"
    assert span.dropped_attributes == 1


@pytest.mark.parametrize(
    ("identity", "trace", "expected"),
    [
        (
            "B7AD6B7169203331",
            "0AF7651916CD43DD8448EB211C80319C",
            ("b7ad6b7169203331", "0af7651916cd43dd8448eb211c80319c"),
        ),
        ("x", "0af76519-16cd-43dd-8448-eb211c80319c", ("ee1e7d0f2a4b1c3d", "0af7651916cd43dd8448eb211c80319c")),
    ],
)
def test_ids_are_kept_where_they_are_hex_and_hashed_where_not(
    identity: str, trace: str, expected: tuple[str, str]
) -> None:
    span = only(id=identity, traceId=trace)
    assert span.trace_id == expected[1]
    assert len(span.span_id) == 16
    assert span.span_id == expected[0] or identity == "x"
    assert span == only(id=identity, traceId=trace)


def test_a_trace_from_before_opentelemetry_has_its_question_and_answer_above_its_observations() -> None:
    identity = "0af76519-16cd-43dd-8448-eb211c80319c"
    retrieval = row(
        id="r", traceId=identity, name="retrieve", input="How much?", output=[{"content": "180 EUR a night."}]
    )
    usage = {"input": 9, "output": 4, "total": 13}
    trace = {
        "id": identity,
        "timestamp": "2024-01-01T10:00:00.000Z",
        "name": "desk",
        "input": "How much?",
        "output": "It is 180 EUR.",
        "userId": "u-1",
        "sessionId": "s-1",
        "observations": [
            retrieval,
            row(id="g", traceId=identity, type="GENERATION", name="llm", model="m-1", usage=usage),
        ],
    }
    spans = spans_of_trace(trace).spans
    (answer,) = answers(spans)
    assert (answer.question, answer.answer) == ("How much?", "It is 180 EUR.")
    assert (answer.session_id, answer.user_id, answer.usage.total_tokens) == ("s-1", "u-1", 13)
    assert [passage.text for passage in answer.passages] == ["180 EUR a night."]


def test_an_observation_without_an_end_is_one_that_goes_on_unless_it_is_an_event() -> None:
    assert only(endTime=None).end_ns == 0
    event = only(endTime=None, type="EVENT")
    assert event.end_ns == event.start_ns


def test_a_root_whose_parent_never_comes_stands_at_the_top() -> None:
    assert only(parentObservationId="c" * 16, isRootObservation=True).parent_id is None
    assert only(parentObservationId="c" * 16, isRootObservation=False).parent_id == "c" * 16


def test_the_environment_nobody_named_is_none() -> None:
    assert "langfuse.environment" not in only(environment="default").attributes
    assert only(environment="staging").attributes["langfuse.environment"] == "staging"


def test_content_nested_deeper_than_json_is_written_is_absent() -> None:
    deep = json.loads('{"a":' * 900 + "1" + "}" * 900)
    span = only(input=deep, output="A.")
    assert f"{O}input" not in span.attributes
    assert span.attributes[f"{O}output"] == "A."


def test_spans_of_one_process_share_their_resource() -> None:
    rows = [row(id=f"{n:016x}", metadata={"resourceAttributes": {"service.name": "desk"}}) for n in range(1, 4)]
    assert len({id(span.resource) for span in spans_of_observations(rows).spans}) == 1


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "not an object"),
        (row(id=None), "id: missing or unreadable"),
        (row(traceId=""), "traceId: missing or unreadable"),
        (row(startTime="soon"), "startTime: missing or unreadable"),
    ],
)
def test_what_cannot_be_read_is_malformed_and_hides_no_other(value: Any, reason: str) -> None:
    decoded = spans_of_observations([value, row()])
    assert len(decoded.spans) == 1
    assert [error.reason for error in decoded.malformed] == [reason]


@pytest.mark.parametrize(
    "value",
    [
        {},
        [],
        None,
        "SPAN",
        {"id": "a"},
        {"id": "a", "type": "answer", "traceId": "b", "startTime": "c"},
        {"id": "a", "observations": ["b"], "timestamp": "c"},
    ],
)
def test_other_records_are_not_taken_for_langfuses(value: Any) -> None:
    assert not is_record(value)


def test_records_are_told_by_their_shape() -> None:
    assert is_observation(row())
    assert is_trace({"trace": {"id": "a", "timestamp": "b"}, "observations": [row()]})


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = [*row(), "name", "input", "output", "metadata", "usageDetails", "costDetails", "tags", "level", "environment"]
FIELDS += ["parentObservationId", "isRootObservation", "model", "usage", "completionStartTime", "promptVersion"]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=6).map(lambda given: row() | given), max_size=4),
    st.dictionaries(st.sampled_from(["id", "timestamp", "input", "output", "metadata", "tags"]), VALUES),
)
def test_any_records_become_spans_that_can_be_read_or_are_malformed(
    rows: list[dict[str, Any]], about: dict[str, Any]
) -> None:
    for decoded in (spans_of(rows), spans_of_trace({"id": "t", "timestamp": "x", **about, "observations": rows})):
        assert len(decoded.spans) + len(decoded.malformed) >= len(rows)
        for answer in answers(decoded.spans):
            assert Answer.model_validate_json(answer.model_dump_json()) == answer
