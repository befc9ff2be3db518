"""Law: receivers and the reader of files find the same spans in a request, and refuse the same for the same reason."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adapters.base import MalformedRecord
from adapters.dialects.otel_genai.events import CONTENT_EVENTS
from adapters.files.read import records
from adapters.trace import Span
from adapters.wire.ids import InvalidId
from adapters.wire.otlp import decode_json, decode_logs, decode_traces
from collector.receivers.signals import LOGS, TRACES, Signal
from collector.security.decompress import MalformedBody, TooLarge
from tests.collector.receivers.requests import make_logs, make_request, split_request

ID_FLAWS = ("invalid_trace_id", "invalid_span_id")
WRONG = [None, True, 1, -1, 1.5, 2**63, "", "text", [], [1], {}, {"a": 1}, "1_0", " 1", "NaN"]


def field(*right: Any) -> st.SearchStrategy[Any]:
    """A value of the right type three times of four, else any."""
    return st.one_of(*([st.sampled_from(right)] * 3), st.sampled_from(WRONG))


def message(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    optional = {**fields, "aFieldOfTheFuture": st.sampled_from(WRONG)}
    return st.fixed_dictionaries({}, optional=optional) | st.sampled_from(WRONG)


def many(items: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(items, max_size=2)


number = field(0, 3, "5", 7.0, str(2**63), 2**64 - 1, None, "")
text = field("a", "é😀", "", None)
trace_id = field("5b8efff798038103d269b633813fc60c", "5B8EFFF798038103D269B633813FC60C", "0" * 32, "abcd", "no hex")
span_id = field("eee19b7ec3c1b174", "EEE19B7EC3C1B173", "0" * 16, "abcd", "xyz")
value = st.recursive(
    message(
        stringValue=text,
        intValue=field(1, "-9223372036854775808", 2**63, "9", 4.0, ""),
        boolValue=field(True, False),
        doubleValue=field(0.5, "Infinity", "1e3", 2),
        bytesValue=field("aGk=", "aGk", "_-8=", "?"),
    ),
    lambda inner: (
        st.fixed_dictionaries({"arrayValue": message(values=many(inner))})
        | st.fixed_dictionaries({"kvlistValue": message(values=many(message(key=text, value=inner)))})
    ),
    max_leaves=4,
)
pairs = many(message(key=field("input.value", "event.name", "", None), value=value))
attributed = {"attributes": pairs, "droppedAttributesCount": number}
span = message(
    traceId=trace_id,
    spanId=span_id,
    parentSpanId=span_id,
    traceState=text,
    flags=number,
    name=text,
    kind=field(1, "SPAN_KIND_CLIENT", "3", 99, "SPAN_KIND_ODD"),
    startTimeUnixNano=number,
    endTimeUnixNano=number,
    events=many(message(name=text, timeUnixNano=number, **attributed)),
    links=many(message(traceId=trace_id, spanId=span_id, traceState=text, flags=number, **attributed)),
    droppedEventsCount=number,
    droppedLinksCount=number,
    status=message(code=field(0, 2, "STATUS_CODE_ERROR", "1", "STATUS_CODE_ODD"), message=text),
    **attributed,
)
good = st.fixed_dictionaries(
    {"traceId": st.just("5b8efff798038103d269b633813fc60c"), "spanId": st.just("eee19b7ec3c1b174")},
    optional={"name": st.just("good"), "attributes": pairs, "status": field({"code": "STATUS_CODE_OK"}, [])},
)
record = message(
    traceId=trace_id,
    spanId=span_id,
    eventName=field(*sorted(CONTENT_EVENTS), "other", ""),
    timeUnixNano=number,
    observedTimeUnixNano=number,
    body=value,
    **attributed,
)
head = message(**attributed)
scope = message(name=text, version=text, **attributed)
spans = message(scope=scope, spans=many(span | good), schemaUrl=text)
logs = message(scope=scope, logRecords=many(record), schemaUrl=text)
traces_request = st.fixed_dictionaries(
    {"resourceSpans": many(message(resource=head, scopeSpans=many(spans), schemaUrl=text)) | st.sampled_from(WRONG)}
)
logs_request = st.fixed_dictionaries(
    {"resourceLogs": many(message(resource=head, scopeLogs=many(logs), schemaUrl=text)) | st.sampled_from(WRONG)}
)


def in_a_file(data: bytes) -> tuple[Counter[str], list[MalformedRecord]]:
    found = list(records(data))
    return (
        Counter(repr(span) for span in found if isinstance(span, Span)),
        [error for error in found if isinstance(error, MalformedRecord)],
    )


def sent(data: bytes, signal: Signal, *, as_json: bool) -> tuple[Counter[str], int]:
    """The spans that come out of the store, and how many items were refused one by one."""
    found = split_request(data, signal, as_json=as_json)
    decoded = [decode_traces(chunk.data) for chunk in found.chunks]
    refused = sum(found.dropped[flaw] for flaw in ID_FLAWS) + sum(len(part.malformed) for part in decoded)
    return Counter(repr(span) for part in decoded for span in part.spans), refused


def check_json(request: Any, signal: Signal) -> None:
    data = json.dumps(request).encode()
    spans_found, malformed = in_a_file(data)
    try:
        spans_sent, refused = sent(data, signal, as_json=True)
    except MalformedBody as error:
        told = str(error).removeprefix("not OTLP/JSON: ")
        # Of two faults in one container each names the one it meets first.
        containers = [re.match(r"(.*\])?", each.where or "")[0] for each in malformed]
        assert told in {str(each) for each in malformed} or any(map(told.startswith, containers))
        return
    assert spans_sent == spans_found
    assert refused == len(malformed)


IDS = {"traceId": "5b8efff798038103d269b633813fc60c", "spanId": "eee19b7ec3c1b174"}
VALUES = [
    {"stringValue": "x"},
    {"intValue": "1"},
    {"boolValue": True},
    {"doubleValue": 0.5},
    {"bytesValue": "aGk="},
    {"arrayValue": {"values": [{"stringValue": "x"}]}},
    {"kvlistValue": {"values": [{"key": "k", "value": {"intValue": 1}}]}},
]
HOLDER = {"attributes": [{"key": "k", "value": value} for value in VALUES], "droppedAttributesCount": 1}
WHOLE_SPAN = (
    IDS
    | HOLDER
    | {
        "parentSpanId": "eee19b7ec3c1b173",
        "traceState": "a=b",
        "flags": 257,
        "name": "answer",
        "kind": 2,
        "startTimeUnixNano": "5",
        "endTimeUnixNano": 6,
        "events": [{"name": "e", "timeUnixNano": 5, **HOLDER}],
        "links": [IDS | {"traceState": "", "flags": 1} | HOLDER],
        "droppedEventsCount": 1,
        "droppedLinksCount": 1,
        "status": {"code": 2, "message": "no"},
    }
)
WHOLE_RECORD = (
    IDS | HOLDER | {"eventName": "gen_ai.choice", "timeUnixNano": 5, "observedTimeUnixNano": 6, "body": VALUES[6]}
)
SCOPE = {"name": "s", "version": "1", **HOLDER}
WHOLE = [
    (
        TRACES,
        {
            "resourceSpans": [
                {
                    "resource": HOLDER,
                    "schemaUrl": "u",
                    "scopeSpans": [{"scope": SCOPE, "schemaUrl": "u", "spans": [WHOLE_SPAN]}],
                }
            ]
        },
    ),
    (
        LOGS,
        {
            "resourceLogs": [
                {
                    "resource": HOLDER,
                    "schemaUrl": "u",
                    "scopeLogs": [{"scope": SCOPE, "schemaUrl": "u", "logRecords": [WHOLE_RECORD]}],
                }
            ]
        },
    ),
]


def with_fault(value: Any, fault: Any) -> Iterator[Any]:
    """``value`` again and again, each time with ``fault`` at another of its places."""
    members = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    for key, held in members:
        for changed in (fault, *with_fault(held, fault)):
            copy = value.copy()
            copy[key] = changed
            yield copy


@pytest.mark.parametrize(("signal", "whole"), WHOLE, ids=["traces", "logs"])
@pytest.mark.parametrize("fault", WRONG, ids=repr)
def test_a_wrong_value_at_any_place_is_refused_alike_or_taken_alike(signal: Signal, whole: Any, fault: Any) -> None:
    for request in with_fault(whole, fault):
        data = json.dumps(request).encode()
        spans_found, malformed = in_a_file(data)
        refusals = {f"not OTLP/JSON: {error}" for error in malformed}
        try:
            assert sent(data, signal, as_json=True) == (spans_found, len(malformed))
        except MalformedBody as error:
            refusals.remove(str(error))
            assert not refusals


@settings(max_examples=500, deadline=None)
@given(traces_request)
@example({"resourceSpans": [{"scopeSpans": [{"spans": [{"status": {"code": "STATUS_CODE_ERROR"}}]}]}]})
@example({"resourceSpans": None})
def test_traces_in_json_are_read_alike_at_the_door_and_in_a_file(request: Any) -> None:
    check_json(request, TRACES)


@settings(max_examples=300, deadline=None)
@given(logs_request)
def test_log_records_in_json_are_read_alike_at_the_door_and_in_a_file(request: Any) -> None:
    check_json(request, LOGS)


@settings(max_examples=300, deadline=None)
@given(traces_request)
def test_a_request_refused_in_a_file_for_more_than_ids_is_refused_at_the_door(request: Any) -> None:
    try:
        malformed = decode_json(request).malformed
    except MalformedRecord as error:
        malformed = (error,)
    if all(isinstance(error, InvalidId) for error in malformed):
        return
    try:
        _, refused = sent(json.dumps(request).encode(), TRACES, as_json=True)
    except MalformedBody:
        return
    assert refused == len(malformed)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_protobuf_is_read_alike_at_the_door_and_in_a_file(data: st.DataObject) -> None:
    signal = data.draw(st.sampled_from([TRACES, LOGS]))
    request = make_request(n_traces=2) if signal is TRACES else make_logs(3)
    body = bytearray(request.SerializeToString())
    for _ in range(data.draw(st.integers(0, 3))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    decode = decode_traces if signal is TRACES else decode_logs
    try:
        decoded = decode(bytes(body))
        spans_found, malformed = Counter(map(repr, decoded.spans)), len(decoded.malformed)
    except MalformedRecord:  # no block of a resource at all: nothing is found, at the door either
        spans_found, malformed = Counter(), 0
    try:
        spans_sent, refused = sent(bytes(body), signal, as_json=False)
    except (MalformedBody, TooLarge):
        return
    assert spans_sent == spans_found
    assert refused >= malformed
