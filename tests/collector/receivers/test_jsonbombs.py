"""A JSON request takes a small multiple of its bytes, whatever it holds."""

from __future__ import annotations

import gzip
import json
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from collector.receivers import intake as receiving
from collector.receivers.intake import Intake
from collector.receivers.settings import Limits
from collector.receivers.signals import LOGS, TRACES, Signal
from collector.security.decompress import TooLarge
from collector.security.jsonbounds import has_more_objects, most_objects
from tests.collector.receivers.conftest import Agent
from tests.collector.receivers.requests import make_request

MIB = 1024 * 1024
MOST = most_objects(16 * MIB)
JSON = {"content-type": "application/json"}


@pytest.fixture
def intake(agent: Agent) -> Iterator[Intake]:
    made = Intake(writer=agent.writer, telemetry=agent.reports, limits=Limits(), clock=time.time_ns)
    yield made
    made.close()


ATTRIBUTES = b'{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[%s]}]}]}]}'
BOMBS = [
    (TRACES, b'{"resourceSpans":[%s]}', b"{}"),
    (TRACES, b'{"resourceSpans":[{"scopeSpans":[%s]}]}', b"{}"),
    (TRACES, b'{"resourceSpans":[{"scopeSpans":[{"spans":[%s]}]}]}', b"{}"),
    (TRACES, ATTRIBUTES, b"{}"),
    (TRACES, ATTRIBUTES, b'{"key":"k","value":{}}'),
    (TRACES, ATTRIBUTES % b'{"value":{"arrayValue":{"values":[%s]}}}', b"{}"),
    (TRACES, b'{"resourceSpans":[{"scopeSpans":[{"spans":[{"events":[%s]}]}]}]}', b'{"attributes":[]}'),
    (LOGS, b'{"resourceLogs":[%s]}', b"{}"),
    (LOGS, b'{"resourceLogs":[{"scopeLogs":[{"logRecords":[%s]}]}]}', b"{}"),
]


@pytest.mark.parametrize(("signal", "around", "each"), BOMBS)
def test_a_bomb_of_objects_is_refused_before_any_is_made(
    intake: Intake, signal: Signal, around: bytes, each: bytes
) -> None:
    body = around % b",".join([each] * MOST)
    assert len(body) <= 16 * MIB
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge, match="JSON objects"):
            intake.split_json(signal, body)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 * MIB


@pytest.mark.parametrize(
    ("signal", "around"),
    [
        (TRACES, b'{"resourceSpans":[%s]}'),
        (TRACES, b'{"resourceSpans":[{"scopeSpans":[%s]}]}'),
        (TRACES, b'{"resourceSpans":[{"scopeSpans":[{"spans":[%s]}]}]}'),
        (LOGS, b'{"resourceLogs":[{"scopeLogs":[{"logRecords":[%s]}]}]}'),
    ],
)
def test_too_many_spans_or_groups_in_json_are_refused_as_in_protobuf(
    intake: Intake, signal: Signal, around: bytes
) -> None:
    with pytest.raises(TooLarge, match="too many spans, log records, scopes or resources"):
        intake.split_json(signal, around % b",".join([b"{}"] * 100_001))


def test_a_batch_as_dense_as_real_ones_get_is_within_the_bound(intake: Intake) -> None:
    usage = [{"key": f"gen_ai.usage.output_tokens.{i}", "value": {"intValue": str(i)}} for i in range(10)]
    ids = {"traceId": "5b8efff798038103d269b633813fc60c", "spanId": "eee19b7ec3c1b174"}
    times = {"startTimeUnixNano": "1544712660000000000", "endTimeUnixNano": "1544712661000000000"}
    span = {**ids, **times, "name": "chat", "attributes": usage, "events": [], "links": [], "status": {}}
    text = json.dumps(span, separators=(",", ":")).encode()
    n_spans = 15 * MIB // len(text)
    body = b'{"resourceSpans":[{"scopeSpans":[{"spans":[%s]}]}]}' % b",".join([text] * n_spans)
    assert intake.split_json(TRACES, body).n_items == n_spans


@pytest.mark.parametrize("path", ["/v1/traces", "/api/public/otel/v1/traces"])
def test_twenty_bombs_at_once_are_refused_and_leave_nothing_behind(agent: Agent, path: str) -> None:
    bomb = gzip.compress(b'{"resourceSpans":[%s]}' % b",".join([b"{}"] * (5 * MIB)))
    assert len(bomb) < 20_000
    headers = JSON | {"content-encoding": "gzip"}

    def post(_: int) -> httpx.Response:
        return httpx.post(f"{agent.base}{path}", content=bomb, headers=headers, timeout=60)

    with ThreadPoolExecutor(20) as pool:
        responses = list(pool.map(post, range(20)))
    assert {response.status_code for response in responses} == {413}
    assert "JSON objects" in responses[0].json()["message"]
    assert agent.writer.queued_bytes == 0
    protobuf = {"content-type": "application/x-protobuf"}
    assert httpx.post(agent.url, content=make_request().SerializeToString(), headers=protobuf).status_code == 200


def test_one_json_request_is_decoded_at_a_time_and_holds_up_no_protobuf(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered, go_on = threading.Event(), threading.Event()
    inside: list[int] = []
    most: list[int] = []

    def counting(text: bytes, limit: int) -> bool:
        inside.append(1)
        most.append(len(inside))
        entered.set()
        assert go_on.wait(60)
        inside.pop()
        return has_more_objects(text, limit)

    monkeypatch.setattr(receiving, "has_more_objects", counting)
    post: Callable[..., httpx.Response] = httpx.post
    with ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(post, agent.url, content=b"{}", headers=JSON, timeout=60) for _ in range(4)]
        assert entered.wait(60)
        body = gzip.compress(make_request().SerializeToString())
        packed = {"content-type": "application/x-protobuf", "content-encoding": "gzip"}
        assert post(agent.url, content=body, headers=packed).status_code == 200
        go_on.set()
        assert {each.result().status_code for each in waiting} == {200}
    assert most == [1, 1, 1, 1]
