"""Spans of Phoenix's API and exports, against the same traces by OTLP. The rows were recorded from a real server."""

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.detect import AdaptOptions, adapt_trace, dialect_of
from adapters.exports.phoenix import LOST_BY_API, is_record, is_span, spans_of_records, spans_of_rows
from adapters.exports.phoenix.attributes import nested, restored
from adapters.files.read import read
from adapters.schema import Answer
from adapters.wire.otlp import decode_traces, group
from tests.phoenix.same import LOST, assert_same
from tests.phoenix.traces import GOLDEN

ROWS = Path(__file__).parents[2] / "golden" / "phoenix"
NAMES = sorted(path.stem for path in ROWS.glob("*.json"))
OPTIONS = AdaptOptions()
TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


def rows(name):
    return [json.loads(line) for line in (ROWS / f"{name}.json").read_text().splitlines()]


def answers(spans):
    return {answer.id: answer for trace in group(spans) for answer in adapt_trace(trace, OPTIONS)}


def row(**given):
    return {"context": {"trace_id": TRACE, "span_id": SPAN}, "span_kind": "CHAIN", "name": "step"} | given


def span_of(**given):
    decoded = spans_of_rows([row(**given)])
    assert not decoded.malformed
    return decoded.spans[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_trace_taken_from_the_api_gives_the_answers_of_otlp(name):
    decoded = spans_of_rows(rows(name), project="desk")
    assert not decoded.malformed
    expected = answers(decode_traces((GOLDEN / f"{name}.otlp.pb").read_bytes()).spans)
    found = answers(decoded.spans)
    assert found.keys() == expected.keys()
    assert found
    for id_, answer in found.items():
        assert_same(expected[id_], answer)


@pytest.mark.parametrize("name", NAMES)
def test_a_data_frame_written_as_csv_gives_the_answers_of_the_api(name):
    frame = [framed(one) for one in rows(name)]
    text = io.StringIO()
    writer = csv.DictWriter(text, dict.fromkeys(column for one in frame for column in one))
    writer.writeheader()
    writer.writerows(frame)
    expected = answers(spans_of_rows(rows(name)).spans)
    found = {answer.id: answer for answer in read(text.getvalue().encode(), OPTIONS)}
    assert found.keys() == expected.keys()
    for id_, answer in found.items():
        assert_same(expected[id_], answer)


def framed(one):
    """A row of a data frame: attributes by their first two names, and what is below them nested."""
    found = {key: value for key, value in one.items() if key not in ("context", "attributes")}
    found |= {f"context.{key}": value for key, value in one["context"].items()}
    for first, value in nested(list(one["attributes"].items())).items():
        if first == "metadata" or not isinstance(value, dict):
            found[f"attributes.{first}"] = value
        else:
            found |= {f"attributes.{first}.{second}": below for second, below in value.items()}
    return found


def test_what_is_lost_is_said_of_fields_there_are():
    assert LOST_BY_API.keys() >= LOST
    assert all(name.split(".")[0] in Answer.model_fields for name in LOST_BY_API)


def test_nulls_of_metadata_come_back_from_the_retrievers_output():
    (retriever,) = [span for span in spans_of_rows(rows("langchain-dual")).spans if span.name == "Shelf"]
    metadata = json.loads(retriever.attributes["retrieval.documents.0.document.metadata"])
    assert "effective_to" in metadata
    assert metadata["effective_to"] is None


def test_what_dots_and_empty_objects_meant_comes_back_with_them():
    metadata = {
        "file.path": "a.md",
        "tags": [],
        "extra": {},
        "pages": [1, 2],
        "parts": [{"n": 1}, {"n": 2}],
        "at": None,
    }
    left = {"file.path": "a.md", "tags": [], "pages": [1, 2], "parts.0.n": 1, "parts.1.n": 2}
    prefix = "retrieval.documents.0.document"
    output = json.dumps({"documents": [{"id": None, "metadata": metadata, "page_content": "text"}]})
    attributes = {f"{prefix}.metadata.{key}": value for key, value in left.items()} | {"output.value": output}
    found = restored(attributes | {f"{prefix}.content": "text"})
    assert json.loads(found[f"{prefix}.metadata"]) == metadata
    assert f"{prefix}.metadata.file.path" not in found
    # Without the output a dot is nesting, and what was empty is nowhere.
    found = restored({key: value for key, value in attributes.items() if key != "output.value"})
    assert json.loads(found[f"{prefix}.metadata"]) == {
        "file": {"path": "a.md"},
        "tags": [],
        "pages": [1, 2],
        "parts": [{"n": 1}, {"n": 2}],
    }


@pytest.mark.parametrize(
    "output",
    [
        '{"documents": [{"metadata": {"version": "3", "until": null}}]}',
        '{"documents": {"0": 1}}',
        '{"documents": [7]}',
        '[{"metadata": "text"}]',
        '{"documents": [',
        "no JSON",
        "",
    ],
)
def test_an_output_that_does_not_agree_with_what_is_left_is_not_believed(output):
    key = "retrieval.documents.0.document.metadata"
    found = restored({f"{key}.version": "2", "output.value": output})
    assert json.loads(found[key]) == {"version": "2"}


def test_metadata_that_was_no_json_stays_the_text_it_was():
    assert restored({"metadata": '{"tenant": "ac', "metadata.tenant": "acme"}) == {
        "metadata": '{"tenant": "ac',
        "metadata.tenant": "acme",
    }


def test_structured_messages_of_the_genai_conventions_are_folded_back():
    listed = {"gen_ai.input.messages.0.role": "user", "gen_ai.input.messages.0.parts.0.content": "Limit?"}
    assert restored(listed) == {"gen_ai.input.messages": [{"role": "user", "parts": [{"content": "Limit?"}]}]}


def test_metadata_of_any_other_name_is_folded_back():
    listed = {"langsmith.metadata.usage_metadata.input_tokens": 19, "langsmith.metadata.tenant": "acme"}
    assert restored(listed) == {
        "langsmith.metadata.tenant": "acme",
        "langsmith.metadata.usage_metadata": '{"input_tokens":19}',
    }


def test_the_scope_is_given_back_where_a_span_shows_what_wrote_it():
    assert (
        span_of(attributes={"metadata.ls_provider": "openai"}).scope_name == "openinference.instrumentation.langchain"
    )
    assert span_of(attributes={"metadata.tenant": "acme"}).scope_name == ""
    chat = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": "langchain"}
    assert dialect_of(span_of(span_kind="LLM", attributes=chat)) == "openllmetry"
    for told in (
        {"traceloop.association.properties.ls_provider": "x"},
        {"traceloop.a": 1, "gen_ai.system": "Langchain"},
    ):
        assert span_of(span_kind="LLM", attributes=told).scope_name == "opentelemetry.instrumentation.langchain"
    node = span_of(name="Shelf.task", span_kind="UNKNOWN", attributes={"traceloop.entity.name": "Shelf.task"})
    assert node.scope_name == "opentelemetry.instrumentation.llamaindex"
    assert span_of(span_kind="UNKNOWN", attributes={"traceloop.workflow.name": "desk"}).scope_name == "traceloop.tracer"


def test_a_name_that_is_a_leaf_and_a_branch_keeps_the_leaf():
    assert nested([("a", 1), ("a.b", 2)]) == {"a": 1}
    assert nested([("a.b", 2), ("a", 1)]) == {"a": {"b": 2}}
    assert nested([("0", {"x": 1}), ("2.y", 2)]) == {"0": {"x": 1}, "2": {"y": 2}}


def test_the_kind_is_given_back_and_made_up_attributes_leave_the_span_to_its_own_dialect():
    assert dialect_of(span_of(attributes={"input.value": "Q?"})) == "openinference"
    chat = {"gen_ai.operation.name": "chat", "llm.model_name": "m-1", "llm.input_messages.0.message.role": "user"}
    assert dialect_of(span_of(span_kind="LLM", attributes=chat)) == "otel_genai"
    assert (
        dialect_of(span_of(span_kind="LLM", attributes=chat | {"input.value": "both were written"})) == "openinference"
    )
    search = {"gen_ai.operation.name": "retrieval", "input.value": "Q?", "retrieval.documents.0.document.id": "a"}
    assert dialect_of(span_of(span_kind="RETRIEVER", attributes=search)) == "otel_genai"
    assert dialect_of(span_of(span_kind="RETRIEVER", attributes=search | {"output.value": "[]"})) == "openinference"
    langfuse = {"langfuse.observation.type": "retriever", "langfuse.observation.output": "[]"}
    assert dialect_of(span_of(span_kind="UNKNOWN", attributes=langfuse)) == "langfuse"
    assert dialect_of(span_of(span_kind="UNKNOWN", attributes={"http.route": "/"})) is None
    assert dialect_of(span_of(span_kind="LLM", attributes={"gen_ai.request.model": "m-1"})) == "openinference"


def test_a_span_that_lost_its_kind_but_not_its_documents_is_still_openinference():
    span = span_of(span_kind="UNKNOWN", attributes={"retrieval.documents.0.document.id": "a"})
    assert dialect_of(span) == "openinference"


def test_documents_left_of_a_span_at_the_sdks_limit_keep_their_own_numbers():
    documents = {f"retrieval.documents.{i}.document.id": f"d{i + 3}" for i in range(126)}
    output = json.dumps([f"<NodeWithScore(node=TextNode(id_=d{i}))>" for i in range(129)])
    span = span_of(span_kind="RETRIEVER", attributes=documents | {"output.value": output})
    assert span.dropped_attributes == 1
    assert span.attributes["retrieval.documents.3.document.id"] == "d3"
    assert span.attributes["retrieval.documents.128.document.id"] == "d128"
    assert "retrieval.documents.0.document.id" not in span.attributes


def test_a_bare_null_is_no_output():
    assert "output.value" not in span_of(attributes={"output.value": "null"}).attributes
    typed = {"output.value": "null", "output.mime_type": "application/json"}
    assert span_of(attributes=typed).attributes["output.value"] == "null"


@pytest.mark.parametrize(
    ("written", "ns"),
    [
        ("2026-01-01T00:00:00.000001+00:00", 1767225600000001000),
        ("2026-01-01 01:00:00+01:00", 1767225600000000000),
        ("2026-01-01T00:00:00", 1767225600000000000),
        (1767225600000, 1767225600000000000),
        (1767225600000001, 1767225600000001000),
        (1767225600.5, 1767225600500000000),
        (None, 0),
        ("", 0),
    ],
)
def test_times_are_read_as_pandas_and_the_api_write_them(written, ns):
    assert span_of(start_time=written).start_ns == ns


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"start_time": "soon"}, "'soon' is not a valid time"),
        ({"end_time": -1}, "'-1' is not a valid time"),
        ({"end_time": True}, "'True' is not a valid time"),
        ({"end_time": "1969-01-01T00:00:00Z"}, "is not a valid time"),
        ({"context": {"trace_id": "0" * 32, "span_id": SPAN}}, "missing or all zero"),
        ({"context": {"trace_id": TRACE, "span_id": None}}, "missing or all zero"),
        ({"context": {}}, "not a Phoenix span"),
    ],
)
def test_a_row_that_cannot_be_read_is_told_and_does_not_hide_the_others(given, says):
    decoded = spans_of_rows([row(id="U3Bhbjox", **given), row(), 7])
    assert len(decoded.spans) == 1
    first, second = decoded.malformed
    assert first.where == "span U3Bhbjox"
    assert says in first.reason
    assert second.where == "span 2"


def test_ids_that_are_no_hex_become_some():
    uuid = "6fa459ea-ee8a-3ca4-894e-db77e160355e"
    span = span_of(context={"trace_id": uuid, "span_id": uuid}, parent_id="root")
    assert span.trace_id == uuid.replace("-", "")
    assert len(bytes.fromhex(span.span_id)) == len(bytes.fromhex(span.parent_id)) == 8


def test_parents_that_are_none_in_any_way_are_none():
    assert [span_of(parent_id=parent).parent_id for parent in (None, "", "0" * 16, float("nan"))] == [None] * 4


def test_events_and_status_come_along():
    event = {"name": "exception", "timestamp": "2026-01-01T00:00:00+00:00", "attributes": {"exception.type": "E"}}
    span = span_of(status_code="ERROR", status_message="E: no", events=[event, 7, {"timestamp": "x"}])
    assert (span.failed, span.status_message) == (True, "E: no")
    assert [(found.name, found.time_ns) for found in span.events] == [("exception", 1767225600000000000), ("", 0)]
    assert span.events[0].attributes == {"exception.type": "E"}


def test_a_data_frame_by_column_is_many_spans():
    table = {
        "context.trace_id": {"0": TRACE, "1": TRACE},
        "context.span_id": {"0": SPAN, "1": "0b" * 8},
        "span_kind": {"0": "LLM", "1": None},
        "attributes.metadata": {"0": {"tenant": None, "domain": "desk"}, "1": None},
        "attributes.llm.input_messages": {"0": [{"message.role": "user", "message.content": "Q?"}], "1": None},
    }
    assert is_record(table)
    first, second = spans_of_records([table]).spans
    assert first.attributes == {
        "metadata": '{"tenant":null,"domain":"desk"}',
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": "Q?",
        "openinference.span.kind": "LLM",
    }
    assert second.attributes == {}


def test_texts_that_look_nested_stay_text_in_a_csv():
    cells = {"attributes.output.value": "['a']", "attributes.llm.prompts": "['a']", "attributes.metadata": "{'a': "}
    frame = {"context.trace_id": TRACE, "context.span_id": SPAN, "span_kind": "LLM"} | cells
    (span,) = spans_of_records([frame]).spans
    assert span.attributes["output.value"] == "['a']"
    assert span.attributes["llm.prompts"] == ["a"]
    assert span.attributes["metadata"] == "{'a': "
    long = "[" + " " * 1_000_000 + "]"
    (span,) = spans_of_records([frame | {"attributes.llm.prompts": long}]).spans
    assert span.attributes["llm.prompts"] == long


def test_parquet_is_refused_with_how_to_convert_it():
    (error,) = read(b"PAR1\x15\x04", OPTIONS)
    assert "pandas.read_parquet" in str(error)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=12,
)
KEYS = (
    "metadata",
    "metadata.a",
    "metadata.a.b",
    "metadata..",
    "input.value",
    "output.value",
    "gen_ai.input.messages.0",
    "llm.token_count.total",
    "retrieval.documents.0.document.metadata.x",
    "retrieval.documents.0.document.content",
)
FIELDS = ("name", "span_kind", "parent_id", "start_time", "end_time", "events", "status_code")


@given(
    st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=8), json_values, max_size=8),
    st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, json_values)),
)
def test_any_row_is_a_span_or_told_as_malformed(attributes, fields):
    flat = {f"attributes.{key}": value for key, value in attributes.items()}
    for value in (row(attributes=attributes, **fields), row(**fields) | flat):
        decoded = spans_of_rows([value])
        assert len(decoded.spans) + len(decoded.malformed) == 1
        for trace in group(decoded.spans):
            adapt_trace(trace, OPTIONS)


@given(json_values)
def test_any_json_value_can_be_asked_about(value):
    assert is_span(value) in (True, False)
    assert is_record(value) in (True, False)
    if isinstance(value, dict):
        spans_of_records([value, value | {"context.trace_id": value, "context.span_id": value, "span_kind": value}])


names = st.text("xyz", min_size=1, max_size=2)
metadata_values = st.recursive(
    st.booleans() | st.integers(-(2**53), 2**53) | st.text("ab", max_size=3),
    lambda inner: (
        st.dictionaries(names, inner, min_size=1, max_size=3)
        | st.lists(st.dictionaries(names, inner, min_size=1, max_size=2), min_size=1, max_size=3)
    ),
    max_leaves=8,
)


def unfolded(prefix, value):
    """What Phoenix lists of a JSON value."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from unfolded(f"{prefix}.{key}", item)
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for index, item in enumerate(value):
            yield from unfolded(f"{prefix}.{index}", item)
    else:
        yield prefix, value


@given(st.dictionaries(names, metadata_values, min_size=1, max_size=3))
def test_metadata_without_nulls_and_dots_survives_phoenix(metadata):
    found = restored(dict(unfolded("metadata", metadata)))
    assert json.loads(found["metadata"]) == metadata
