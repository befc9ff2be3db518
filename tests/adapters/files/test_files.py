"""Files of any known format, whole and broken, and answers as JSON lines."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from google.protobuf.json_format import MessageToJson
from hypothesis import given, settings
from hypothesis import strategies as st
from opentelemetry.proto.logs.v1.logs_pb2 import LogsData
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

from adapters.base import AdaptOptions, MalformedRecord
from adapters.files.cut import whole_records
from adapters.files.jsonl import MAX_LINE_BYTES, answer_of, parsed_line
from adapters.files.read import detect_format, read, records
from adapters.schema import Answer
from adapters.trace import Span
from adapters.wire.otlp import decode_json, decode_traces

PUBLISHED = Path(__file__).parents[3] / "docs" / "reference" / "answer.schema.json"
GOLDEN = Path(__file__).parents[2] / "golden" / "traces" / "langchain-basic.otlp.pb"


def answer_in(line: bytes) -> Answer:
    return answer_of(parsed_line(line, "line 1"), "line 1")


def any_value(value: object) -> dict:
    kinds = {str: "stringValue", bool: "boolValue", int: "intValue", float: "doubleValue"}
    if isinstance(value, list | tuple):
        return {"arrayValue": {"values": [any_value(item) for item in value]}}
    return {kinds[type(value)]: value}


def as_json(spans: tuple[Span, ...]) -> dict:
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": [{"key": k, "value": any_value(v)} for k, v in span.resource.items()]},
                "scopeSpans": [
                    {
                        "scope": {"name": span.scope_name, "version": span.scope_version},
                        "spans": [
                            {
                                "traceId": span.trace_id,
                                "spanId": span.span_id,
                                "parentSpanId": span.parent_id or "",
                                "name": span.name,
                                "startTimeUnixNano": str(span.start_ns),
                                "endTimeUnixNano": str(span.end_ns),
                                "status": {"code": span.status_code},
                                "attributes": [{"key": k, "value": any_value(v)} for k, v in span.attributes.items()],
                            }
                        ],
                    }
                ],
            }
            for span in spans
        ]
    }


def json_spans(golden: bytes) -> tuple[Span, ...]:
    """Return the spans of a trace, as far as `as_json` writes them."""
    return decode_json(as_json(decode_traces(golden).spans)).spans


@pytest.fixture
def golden() -> bytes:
    return GOLDEN.read_bytes()


@pytest.fixture
def answer(golden: bytes) -> Answer:
    (found,) = read(golden, AdaptOptions())
    return found


def test_one_trace_gives_one_answer_in_every_format(golden: bytes, answer: Answer) -> None:
    whole = as_json(decode_traces(golden).spans)
    lines = b"\n".join(json.dumps({"resourceSpans": [block]}).encode() for block in whole["resourceSpans"])
    for name, data in {
        "protobuf": golden,
        "json": json.dumps(whole).encode(),
        "lines": answer.model_dump_json().encode() + b"\n\n" + lines.split(b"\n")[0],
    }.items():
        assert detect_format(data) == name
        assert next(read(data, AdaptOptions())) == answer
    for data in (json.dumps(whole, indent=1).encode(), lines, b"\xef\xbb\xbf" + lines + b"\n\n"):
        assert list(read(data, AdaptOptions())) == [answer]
    alone = answer.model_dump_json().encode()
    assert list(read(alone, AdaptOptions())) == [answer]
    assert list(read(json.dumps([json.loads(alone)], indent=1).encode(), AdaptOptions())) == [answer]


PHOENIX = """name,span_kind,start_time,end_time,context.trace_id,context.span_id,parent_id,attributes.input.value,\
attributes.output.value
ask,CHAIN,2026-11-20 10:00:00.000001+00:00,2026-11-20 10:00:01+00:00,%s,2271fb414973df9f,,"Is it, ""really"",
so?",It is.
broken,CHAIN,soon,,no id,,,,
"""
LANGFUSE = """id,trace_id,type,name,start_time,end_time,parent_observation_id,input,output
o,%s,CHAIN,ask,2026-11-20 10:00:00.000000,2026-11-20 10:00:01.000000,,"Is it, ""really"",
so?",It is.
"""
TRACE_ID = "2271fb414973df9f217bd7c8c0b3d497"


@pytest.mark.parametrize(
    ("text", "key", "refused"), [(PHOENIX, "input.value", 1), (LANGFUSE, "langfuse.observation.input", 0)]
)
def test_tables_that_other_tools_export_are_told_by_their_header(text: str, key: str, refused: int) -> None:
    data = (text % TRACE_ID).encode()
    for export in (data, b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n")):
        assert detect_format(export) == "csv"
        found = list(records(export))
        (span,) = [record for record in found if isinstance(record, Span)]
        assert (span.trace_id, span.name, span.parent_id) == (TRACE_ID, "ask", None)
        assert span.attributes[key].split() == ["Is", "it,", '"really",', "so?"]
        assert sum(isinstance(record, MalformedRecord) for record in found) == refused


def test_a_table_of_something_else_is_no_export() -> None:
    assert detect_format(b"id,name\n1,x\n") == "lines"


def test_a_cell_larger_than_the_library_expects_is_read() -> None:
    data = (LANGFUSE % TRACE_ID).replace("It is.", "x" * 300_000).encode()
    (span,) = records(data)
    assert isinstance(span, Span)
    assert span.attributes["langfuse.observation.output"] == "x" * 300_000


def test_a_page_of_an_api_and_a_list_are_read_like_lines(golden: bytes, answer: Answer) -> None:
    requests = [as_json((span,)) for span in decode_traces(golden).spans]
    for document in (requests, {"data": requests, "next_cursor": None}):
        assert list(read(json.dumps(document).encode(), AdaptOptions())) == [answer]
        assert list(read(json.dumps(document, indent=1).encode(), AdaptOptions())) == [answer]
    (error,) = read(b'{"data": [{"question": 1}]}', AdaptOptions())
    assert str(error) == "data[0]: answer: missing"


def test_log_records_give_the_same_fragments_in_both_encodings() -> None:
    record = {
        "traceId": TRACE_ID,
        "spanId": "2271fb414973df9f",
        "timeUnixNano": "7",
        "attributes": [{"key": "event.name", "value": {"stringValue": "gen_ai.choice"}}],
        "body": {"kvlistValue": {"values": [{"key": "index", "value": {"intValue": "0"}}]}},
    }
    plain = {**record, "attributes": [], "body": {"stringValue": "GET /"}}
    foreign = {**record, "spanId": ""}
    broken = {**record, "traceId": "abc"}
    request = {"resourceLogs": [{"scopeLogs": [{"logRecords": [record, plain, foreign, broken]}]}]}
    span, error = records(json.dumps(request).encode())
    assert isinstance(span, Span)
    assert (span.trace_id, span.name, span.start_ns, span.end_ns) == (TRACE_ID, "", 0, 0)
    event = span.events[0]
    assert (event.name, event.time_ns, event.attributes["body"]) == ("gen_ai.choice", 7, {"index": 0})
    assert str(error).startswith("resourceLogs[0].scopeLogs[0].logRecords[3]")
    message = LogsData()
    log = message.resource_logs.add().scope_logs.add().log_records.add()
    log.trace_id, log.span_id, log.time_unix_nano = bytes.fromhex(TRACE_ID), bytes.fromhex("2271fb414973df9f"), 7
    log.attributes.add(key="event.name").value.string_value = "gen_ai.choice"
    log.body.kvlist_value.values.add(key="index").value.int_value = 0
    assert list(records(message.SerializeToString())) == [span]


def test_what_protobufs_own_json_makes_of_traces_is_read(golden: bytes, answer: Answer) -> None:
    """Ids in base64, and the names of fields as they were or as the .proto file has them."""
    data = TracesData.FromString(golden)
    for written in (MessageToJson(data), MessageToJson(data, preserving_proto_field_name=True, indent=None)):
        assert list(read(written.encode(), AdaptOptions())) == [answer]


def test_an_answer_that_quotes_a_trace_is_still_an_answer() -> None:
    data = json.dumps({"question": "What is resourceSpans?", "answer": '{"resourceSpans": []}', "id": "a"}).encode()
    assert [type(record) for record in read(data, AdaptOptions())] == [Answer]
    data = json.dumps({"question": "x", "answer": "y", "attributes": {"resourceSpans": "z"}}).encode()
    assert [type(record) for record in read(data, AdaptOptions())] == [Answer]


def test_a_broken_line_hides_no_other() -> None:
    lines = [b'{"resourceSpans": []}', b"{broken", b'{"resourceSpans": [7]}']
    wheres = [record.where for record in read(b"\n".join(lines), AdaptOptions())]
    assert wheres == ["line 2", "line 3: resourceSpans[0]"]


@pytest.mark.parametrize("data", [b"", b"\n"])
def test_an_empty_file_holds_nothing(data: bytes) -> None:
    assert list(read(data, AdaptOptions())) == []


def test_what_is_no_trace_is_refused_with_a_reason() -> None:
    (error,) = read(b"\x00\x01\x02", AdaptOptions())
    assert isinstance(error, MalformedRecord)
    assert "not an OTLP trace message" in str(error)
    (error,) = read(b"hello", AdaptOptions())
    assert "line 1: not JSON" in str(error)


def test_a_trace_that_cannot_be_adapted_is_told_and_hides_no_other(golden: bytes, monkeypatch) -> None:
    def refuse(trace, _options):
        raise MalformedRecord("no", f"trace {trace.trace_id}")

    monkeypatch.setattr("adapters.files.read.read_trace", refuse)
    (error,) = read(golden, AdaptOptions())
    assert error.reason == "no"


def test_an_answer_needs_its_question_and_its_answer_only() -> None:
    found = answer_in(b'{"question": "Q?", "answer": null}')
    assert (found.question, found.answer, found.usage.total_tokens) == ("Q?", None, None)


def test_names_of_documents_in_brackets_are_citations_of_their_first_passage() -> None:
    line = (
        b'{"question": "Q?", "answer": "A [POL-12]. B [travel.md; p2]. C [Source: Travel policy]. [sic], [9].",'
        b' "passages": [{"id": "p1", "doc_id": "POL-12", "text": "A."}, {"id": "p2", "text": "B.", "doc_id": "POL-12",'
        b' "uri": "https://intra.example/docs/travel.md", "metadata": {"title": "Travel policy"}}]}'
    )
    answer = answer_in(line)
    found = [(each.marker, each.passage_id) for each in answer.citations or ()]
    assert found == [
        ("[POL-12]", "p1"),
        ("travel.md", "p2"),
        ("p2", "p2"),
        ("[Source: Travel policy]", "p2"),
        ("[9]", None),
    ]
    assert answer.answer is not None
    assert all(answer.answer[each.start : each.end] == each.marker for each in answer.citations or ())


def test_a_word_in_brackets_within_a_sentence_is_no_title() -> None:
    line = (
        b'{"question": "Q?", "answer": "Click [Save] in the bar [Settings].", "passages": [{"id": "p1", "text": "A",'
        b' "metadata": {"title": "Settings"}}, {"id": "p2", "text": "B.", "metadata": {"title": "Save"}}]}'
    )
    assert [(each.marker, each.passage_id) for each in answer_in(line).citations or ()] == [("[Settings]", "p1")]


def test_ids_of_passages_are_citations_of_the_whole_answer() -> None:
    line = b'{"question": "Q?", "answer": "A. B.", "passages": [{"id": "7", "text": "A."}], "citations": ["x", 7]}'
    found = answer_in(line).citations
    assert [(each.start, each.end, each.marker, each.passage_id) for each in found] == [
        (5, 5, "", "x"),
        (5, 5, "", "7"),
    ]


def test_the_derived_id_is_that_of_the_content() -> None:
    lines = (
        b'{"question": "Q?", "answer": "A."}',
        b'{"answer":"A.","id":null,"question":"Q?"}',
        b'{"question": "Q?", "answer": "B."}',
    )
    first, second, other = map(answer_in, lines)
    assert first.id == second.id
    assert first.id.startswith("sha256-")
    assert other.id != first.id


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "line 1: not JSON"),
        (b"[]", "line 1: not an object"),
        (b'{"answer": "A."}', "line 1: question: missing"),
        (b'{"question": "Q?"}', "line 1: answer: missing"),
        (b'{"question": "Q?", "status": "ok"}', "line 1: answer: missing"),
        (b'{"id": "a", "question": "Q?", "attributes": {"status": "error"}}', "line 1: answer: missing"),
        (b'{"question": "Q?", "answer": "A.", "anwser": 1}', "line 1: anwser: "),
        (b'{"question": "Q?", "answer": "A.", "passages": [{"id": "a"}, {"page": 3}]}', "line 1: passages[1]: "),
        (b'{"question": "Q?", "answer": "A.", "started_at": "2025-01-01T00:00:00"}', "line 1: started_at: "),
        (b'{"question": "Q?", "answer": "A.", "usage": {"prompt_tokens": 1e300}}', "line 1: usage.prompt_tokens: "),
        (
            b'{"question": "Q?", "answer": "A.", "usage": {"total_tokens": 9007199254740993}}',
            "line 1: usage.total_tokens: Input should be less than or equal to 9007199254740992",
        ),
        (
            b'{"question": "Q?", "answer": "A.", "usage": {"cost_usd": 1.7e308}}',
            "line 1: usage.cost_usd: Input should be less than or equal to 1000000000000000",
        ),
        (b'{"question": "\xff"}', "line 1: not UTF-8, at byte 15"),
        (b'"' + b"x" * MAX_LINE_BYTES + b'"', "line 1: longer than"),
        (
            b'{"question": "Q?", "answer": "A.", "case": ' + b"[" * 400 + b"]" * 400 + b"}",
            "line 1: cannot be serialized",
        ),
    ],
)
def test_a_bad_line_is_named_with_its_field(line: bytes, message: str) -> None:
    with pytest.raises(MalformedRecord) as error:
        answer_in(line)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(id="a", question="Q?", status="error", error="rate limit"),
        Answer(id="a", question="Q?", flags=frozenset({"answer_missing"})),
        Answer(id="a", question="Q?"),
        Answer(id="a", answer="A.", citations=()),
        Answer(id="a", status="error"),
    ],
)
def test_an_answer_that_lacks_its_text_or_question_reads_back_as_it_was_written(answer: Answer) -> None:
    assert answer_in(json.dumps(answer.told()).encode()) == answer
    assert answer_in(answer.model_dump_json(exclude_defaults=True).encode()) == answer


def test_a_row_that_ended_in_an_error_needs_no_answer() -> None:
    assert answer_in(b'{"question": "Q?", "status": "error"}').answer is None


def test_numbers_name_slices_and_answers_as_they_do_in_traces() -> None:
    row = {"id": 17, "question": "q", "answer": "a", "session_id": 4, "attributes": {"site": 7, "vip": True, "r": "x"}}
    found = answer_of(row, "line 1")
    assert (found.id, found.session_id, found.attributes) == ("17", "4", {"site": "7", "vip": "true", "r": "x"})
    with pytest.raises(MalformedRecord, match=r"release: must be text, not a number"):
        answer_of({**row, "release": 2.1}, "line 1")
    with pytest.raises(MalformedRecord, match=r"attributes\.site: must be text, not a list"):
        answer_of({**row, "attributes": {"site": [7]}}, "line 1")


def test_metadata_of_any_depth_can_be_written_again() -> None:
    nested = b'{"a": ' * 400 + b"1" + b"}" * 400
    passages = b'"passages": [{"id": "p", "metadata": ' + nested + b"}]}"
    found = answer_in(b'{"id": "x", "question": "Q?", "answer": "A.", ' + passages)
    assert answer_in(found.model_dump_json().encode()) == found


def test_answers_are_described_by_the_published_schema(answer: Answer) -> None:
    schema = jsonschema.Draft202012Validator(json.loads(PUBLISHED.read_bytes()))
    schema.validate(json.loads(answer.model_dump_json()))
    schema.validate({"id": "a"})
    assert not schema.is_valid({"id": "a", "question": "Q?", "anwser": "A."})


def test_a_cell_that_no_json_could_hold_stays_text() -> None:
    cell = "[{'message': {'content': '\\ud800'}}]"
    header = "context.trace_id,context.span_id,span_kind,start_time,attributes.llm.output_messages"
    row = f"{'0a' * 16},{'0b' * 8},LLM,2026-01-01T00:00:00,{cell}"
    (span,) = records(f"{header}\n{row}".encode())
    assert isinstance(span, Span)
    assert span.attributes["llm.output_messages"] == cell


def test_what_is_written_is_read_back(answer: Answer) -> None:
    assert answer_in(answer.model_dump_json().encode()) == answer


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=100).map(lambda text: ("{" + text).encode()))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for record in read(data, AdaptOptions()):
        assert isinstance(record, Answer | MalformedRecord)


def test_a_document_cut_anywhere_gives_the_spans_that_are_whole_and_one_reason(golden: bytes) -> None:
    spans = json_spans(golden)
    whole = json.dumps(as_json(spans)).encode()

    for cut in (*range(len(whole) // 3, len(whole), 997), len(whole) - 1):
        found = list(records(whole[:cut]))
        read_spans = [record for record in found if isinstance(record, Span)]
        (reason,) = [str(record) for record in found if isinstance(record, MalformedRecord)]
        assert read_spans == list(spans[: len(read_spans)])
        assert f"ends early, at byte {cut}: " in reason
        if cut < len(whole) - 10:
            assert f"resourceSpans[{len(read_spans)}]" in reason


@pytest.mark.parametrize("indent", [None, 2])
def test_a_document_cut_within_its_last_span_loses_that_span_alone(golden: bytes, indent: int | None) -> None:
    spans = json_spans(golden)
    whole = json.dumps(as_json(spans), indent=indent)
    found = list(records(whole[: whole.rindex("attributes")].encode()))
    assert [record for record in found if isinstance(record, Span)] == list(spans[:-1])
    (reason,) = [str(record) for record in found if isinstance(record, MalformedRecord)]
    assert f"resourceSpans[{len(spans) - 1}].scopeSpans[0].spans[0] is lost" in reason


def test_a_cut_page_or_list_gives_its_whole_records() -> None:
    rows = [{"id": f"a{n}", "question": "q", "answer": "a", "passages": [{"id": "p"}]} for n in range(3)]
    for text, place in ((json.dumps(rows), "[2]"), (json.dumps({"data": rows}), "data[2]")):
        *found, error = read(text[: text.rindex("passages")].encode(), AdaptOptions())
        assert [record.id for record in found if isinstance(record, Answer)] == ["a0", "a1"]
        assert str(error).endswith(f"{place} is lost")


def test_lists_within_a_record_are_no_records_of_their_own() -> None:
    row = {"id": "a", "question": "q", "answer": "a", "passages": [{"id": "p"}]}
    for name in ("data", "spans", "resourceSpans"):
        text = json.dumps([row, {**row, "passages": [{"id": "p", "metadata": {name: [{"id": "b"}, {"id": "c"}]}}]}])
        *found, error = read(text[: text.rindex('{"id": "c"')].encode(), AdaptOptions())
        assert [record.id for record in found if isinstance(record, Answer)] == ["a"]
        assert str(error).endswith("[1] is lost")


def test_a_line_cut_short_gives_its_whole_spans_and_hides_no_other_line(golden: bytes) -> None:
    spans = json_spans(golden)
    line = json.dumps(as_json(spans)).encode()
    cut = line[: line.rindex(b"attributes")]
    other = b'{"question": "q", "answer": "a", "id": "other"}'
    for lines, place in (([other, cut], "line 2"), ([cut, other], "line 1")):
        found = list(records(b"\n".join(lines)))
        assert [record for record in found if isinstance(record, Span)] == list(spans[:-1])
        assert [record.id for record in found if isinstance(record, Answer)] == ["other"]
        (error,) = [record for record in found if isinstance(record, MalformedRecord)]
        assert str(error).startswith(f"{place}: ends early, at byte {len(cut)}: ")


@pytest.mark.parametrize(
    "text", ['"' + '\\"' * 200_000, "[" * 200_000, '{"data":[' * 50_000, '{"data":[{"a":"' + "{}," * 200_000]
)
def test_hostile_text_that_ends_early_holds_nothing(text: str) -> None:
    assert whole_records(text.encode()) is None
