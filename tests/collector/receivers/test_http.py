"""OTLP/HTTP as a sender sees it."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from google.rpc.status_pb2 import Status
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from collector.errors import ConfigError, Transient
from collector.receivers.server import HttpReceiver
from collector.receivers.settings import OtlpHttp
from tests.collector.receivers.conftest import Agent, Loop
from tests.collector.receivers.requests import make_request

PROTOBUF = {"content-type": "application/x-protobuf"}
JSON = {"content-type": "application/json; charset=utf-8"}
MIB = 1024 * 1024

JSON_REQUEST = b"""{"resourceSpans": [{"scopeSpans": [{"spans": [
    {"traceId": "5b8efff798038103d269b633813fc60c", "spanId": "eee19b7ec3c1b174", "name": "one",
     "startTimeUnixNano": "1", "endTimeUnixNano": "2"},
    {"traceId": "5b8efff798038103d269b633813fc60c", "spanId": "", "name": "two"}]}]}]}"""


def post(agent: Agent, content: Any, headers: dict[str, str] | None = None, **options: Any) -> httpx.Response:
    with httpx.Client(timeout=60) as client:
        return client.post(agent.url, content=content, headers=PROTOBUF if headers is None else headers, **options)


def problem(response: httpx.Response) -> str:
    """The message of the Status in the body, which must be in the encoding the answer says."""
    if response.headers["content-type"] == "application/json":
        return str(response.json()["message"])
    assert response.headers["content-type"] == "application/x-protobuf"
    status = Status.FromString(response.content)
    assert status.code > 0
    return status.message


def still_serving(agent: Agent) -> None:
    request = make_request()
    before = agent.store.totals().accepted
    assert post(agent, request.SerializeToString()).status_code == 200
    assert agent.store.totals().accepted == before + 3


def test_what_was_acknowledged_is_in_the_store(agent: Agent) -> None:
    request = make_request(n_traces=4, n_spans=5)
    response = post(agent, request.SerializeToString())
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["content-type"] == "application/x-protobuf"
    sent = request.resource_spans[0].scope_spans[0].spans
    assert sorted(map(str, agent.stored())) == sorted(map(str, sent))
    assert agent.reports.requests == [("http/protobuf", "200", 20, {}, len(request.SerializeToString()))]
    assert agent.reports.commits == [(1, 20)]


def test_an_empty_request_is_taken(agent: Agent) -> None:
    assert post(agent, b"").status_code == 200
    assert post(agent, b'{"resourceSpans":[]}', JSON).content == b"{}"
    assert agent.reports.commits == []


def test_json_is_answered_in_json_and_tells_of_rejected_spans(agent: Agent) -> None:
    response = post(agent, JSON_REQUEST, JSON)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    assert response.json()["partialSuccess"]["rejectedSpans"] == "1"
    assert "span id" in response.json()["partialSuccess"]["errorMessage"]
    assert [span.name for span in agent.stored()] == ["one"]
    [(protocol, code, spans, rejected, _)] = agent.reports.requests
    assert (protocol, code, spans, rejected) == ("http/json", "200", 1, {"invalid_span_id": 1})


def test_protobuf_tells_of_rejected_spans(agent: Agent) -> None:
    request = make_request(n_spans=3)
    request.resource_spans[0].scope_spans[0].spans[0].trace_id = bytes(16)
    request.resource_spans[0].scope_spans[0].spans[1].span_id = b"no"
    response = post(agent, request.SerializeToString())
    partial = ExportTraceServiceResponse.FromString(response.content).partial_success
    assert (response.status_code, partial.rejected_spans) == (200, 2)
    assert "1 spans rejected: trace id" in partial.error_message
    assert "1 spans rejected: span id" in partial.error_message
    assert len(agent.stored()) == 1


def test_thinned_spans_are_counted_but_not_told(start: Callable[..., Agent]) -> None:
    agent = start(keep=0.5)
    response = post(agent, make_request(n_traces=100, n_spans=1).SerializeToString())
    assert (response.status_code, response.content) == (200, b"")
    [(_, _, spans, rejected, _)] = agent.reports.requests
    assert spans + rejected["thinned"] == 100
    assert len(agent.stored()) == spans


@pytest.mark.parametrize(
    ("encoding", "encode"),
    [
        ("gzip", gzip.compress),
        ("GZIP", gzip.compress),
        ("deflate", zlib.compress),
        ("identity", bytes),
        ("gzip", lambda body: gzip.compress(body[:50]) + gzip.compress(body[50:])),
    ],
)
def test_compressed_bodies_are_read(agent: Agent, encoding: str, encode: Callable[[bytes], bytes]) -> None:
    body = make_request(text="text " * 10_000).SerializeToString()
    response = post(agent, encode(body), PROTOBUF | {"content-encoding": encoding})
    assert (response.status_code, len(agent.stored())) == (200, 3)


GZIPPED = gzip.compress(make_request().SerializeToString())


@pytest.mark.parametrize(
    ("content", "headers", "code", "message"),
    [
        (b"garbage", {}, 400, "not an OTLP trace message: wire type 7"),
        (b"\x0a\x05abc", {}, 400, "truncated: field 1"),
        (b'{"resourceSpans": []}', {}, 400, "this is JSON: send content-type application/json"),
        (b"\x1f\x8b\x08", {}, 400, "this is compressed: send content-encoding gzip"),
        (
            b"\n\x02\n\x00",
            {"content-type": "application/json"},
            400,
            "send protobuf with content-type",
        ),
        (b"{", {"content-type": "application/json"}, 400, "not OTLP/JSON"),
        (b"", {"content-type": "application/json"}, 400, "not OTLP/JSON"),
        (b"x" * 99, {"content-encoding": "gzip"}, 400, "invalid gzip body"),
        (GZIPPED[:-9], {"content-encoding": "gzip"}, 400, "truncated gzip body"),
        (GZIPPED + b"more", {"content-encoding": "gzip"}, 400, "invalid gzip body"),
        (zlib.compress(b"") + b"more", {"content-encoding": "deflate"}, 400, "data after the end"),
        (b"", {"content-type": "text/plain"}, 415, "text/plain"),
        (b"", {"content-type": ""}, 415, "content type ''"),
        (b"", {"content-type": "application/x-protobuf-but-not-quite"}, 415, "content type"),
        (b"", {"content-encoding": "br"}, 415, "'br'"),
        (b"", {"content-encoding": "gzip, gzip"}, 415, "'gzip, gzip'"),
    ],
)
def test_what_cannot_be_read_gets_a_clear_error(
    agent: Agent, content: bytes, headers: dict[str, str], code: int, message: str
) -> None:
    response = post(agent, content, PROTOBUF | headers)
    assert response.status_code == code
    assert message in problem(response)
    assert agent.reports.requests[0][1] == str(code)
    assert agent.store.totals().accepted == 0
    still_serving(agent)


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "HEAD", "OPTIONS"])
def test_other_methods_are_not_allowed(agent: Agent, method: str) -> None:
    response = httpx.request(method, agent.url)
    assert (response.status_code, response.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("path", ["/v1/metrics", "/", "/v1/traces/", "/v1/traces/more", "/v1/logs/", "/api"])
def test_other_paths_are_not_there(agent: Agent, path: str) -> None:
    response = httpx.post(f"http://127.0.0.1:{agent.http_port}{path}", headers=PROTOBUF)
    assert response.status_code == 404
    assert "/v1/traces" in problem(response)
    assert "/v1/traces" in problem(httpx.post(f"http://127.0.0.1:{agent.http_port}{path}", headers=JSON))


def test_a_token_is_asked_for_before_anything_is_read(start: Callable[..., Agent]) -> None:
    agent = start(token="s3cret")
    body = make_request().SerializeToString()
    for shown in ({}, {"authorization": "Bearer s3cre"}, {"authorization": "s3cret"}, {"authorization": "Bearer é"}):
        raw = {k: v.encode() for k, v in shown.items()}
        response = httpx.post(agent.url, content=body, headers={**{k: v.encode() for k, v in PROTOBUF.items()}, **raw})
        assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer")
    assert agent.store.totals().accepted == 0
    assert post(agent, body, PROTOBUF | {"authorization": "Bearer s3cret"}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:4318", "127.0.0.1.nip.io", "localhost.evil.example"])
@pytest.mark.parametrize("headers", [PROTOBUF, JSON])
def test_a_page_with_a_rebound_name_cannot_send(agent: Agent, host: str, headers: dict[str, str]) -> None:
    response = post(agent, make_request().SerializeToString(), headers | {"host": host})
    assert response.status_code == 421
    assert "receive.otlp_http.allowed_hosts" in problem(response)
    assert httpx.get(f"{agent.base}/api/public/projects", headers={"host": host}).status_code == 421
    assert agent.store.totals().accepted == 0
    still_serving(agent)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:9", "127.0.0.1:4318", "127.9.9.9", "[::1]:80", "localhost."])
def test_names_of_loopback_are_taken_with_any_port(agent: Agent, host: str) -> None:
    assert post(agent, b"", PROTOBUF | {"host": host}).status_code == 200


def test_a_name_of_the_configuration_is_taken_and_the_token_asks_for_none(start: Callable[..., Agent]) -> None:
    named = start(allowed_hosts=["Host.Docker.Internal"])
    assert post(named, b"", PROTOBUF | {"host": "host.docker.internal:4318"}).status_code == 200
    assert post(named, b"", PROTOBUF | {"host": "rag.example"}).status_code == 421
    guarded = start(token="s3cret")
    assert post(guarded, b"", PROTOBUF | {"host": "rag.example", "authorization": "Bearer s3cret"}).status_code == 200


def test_a_request_that_names_no_host_comes_from_no_browser_and_two_must_both_be_right(agent: Agent) -> None:
    for hosts, status in ((b"", b"200"), (b"host: localhost\r\nhost: evil.example\r\n", b"421")):
        with socket.create_connection(("127.0.0.1", agent.http_port)) as connection:
            head = b"POST /v1/traces HTTP/1.1\r\ncontent-type: application/x-protobuf\r\ncontent-length: 0\r\n"
            connection.sendall(head + hosts + b"connection: close\r\n\r\n")
            assert connection.makefile("rb").read().startswith(b"HTTP/1.1 " + status)


def test_a_body_that_is_too_large_is_refused_by_its_length_or_as_it_comes(start: Callable[..., Agent]) -> None:
    agent = start(max_body_bytes=100_000)
    assert post(agent, bytes(100_001)).status_code == 413

    def pieces() -> Any:
        for _ in range(200):
            yield bytes(1000)

    response = post(agent, pieces())
    assert response.status_code == 413
    assert "100000 bytes" in problem(response)
    assert agent.writer.queued_bytes == 0
    still_serving(agent)


@pytest.mark.parametrize("headers", [PROTOBUF, JSON])
def test_a_zip_bomb_is_refused(agent: Agent, headers: dict[str, str]) -> None:
    bomb = gzip.compress(bytes(100 * MIB))
    assert len(bomb) < 200_000
    response = post(agent, bomb, headers | {"content-encoding": "gzip"})
    assert response.status_code == 413
    assert "after decompression" in problem(response)
    assert agent.writer.queued_bytes == 0
    still_serving(agent)


def test_json_has_a_bound_of_its_own(start: Callable[..., Agent]) -> None:
    agent = start(max_json_bytes=1024)
    assert post(agent, b" " * 1025, JSON).status_code == 413
    assert post(agent, b" " * 1020 + b"{}", JSON).status_code == 200


def test_a_50_mb_attribute_is_refused_and_its_neighbours_are_not(start: Callable[..., Agent]) -> None:
    agent = start()
    huge = make_request(n_spans=1, text="x" * (50 * MIB)).SerializeToString()
    assert post(agent, huge).status_code == 413
    body = huge + make_request(n_spans=2).SerializeToString()
    response = post(agent, gzip.compress(body, 1), PROTOBUF | {"content-encoding": "gzip"})
    partial = ExportTraceServiceResponse.FromString(response.content).partial_success
    assert (response.status_code, partial.rejected_spans) == (200, 1)
    assert "max_span_bytes" in partial.error_message
    assert agent.store.totals().accepted == 2


def test_absurd_nesting_is_refused(agent: Agent) -> None:
    value = b"\x0a\x01x"
    for _ in range(20_000):
        value = b"\x2a" + _varint(len(value) + 1 + len(_varint(len(value)))) + b"\x0a" + _varint(len(value)) + value
    pair = b"\x0a\x01k\x12" + _varint(len(value)) + value
    span = make_request(n_spans=1).resource_spans[0].scope_spans[0].spans[0].SerializeToString()
    span += b"\x4a" + _varint(len(pair)) + pair
    scope = b"\x12" + _varint(len(span)) + span
    resource = b"\x12" + _varint(len(scope)) + scope
    response = post(agent, b"\x0a" + _varint(len(resource)) + resource)
    assert response.status_code == 400
    assert "resourceSpans[0].scopeSpans[0].spans[0]: not a valid protobuf Span" in problem(response)
    still_serving(agent)


def _varint(n: int) -> bytes:
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def test_a_full_queue_refuses_at_once_and_says_when_to_come_back(start: Callable[..., Agent]) -> None:
    agent = start(queue_bytes=100_000)
    agent.gate.open.clear()
    body = make_request(text="x" * 50_000, n_spans=1).SerializeToString()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(post, agent, body)
        agent.gate.arrived.acquire()
        refused = post(agent, body)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
        assert "waiting to be written" in problem(refused)
        agent.gate.open.set()
        assert waiting.result().status_code == 200
    assert post(agent, body).status_code == 200
    assert agent.store.totals().accepted == 2
    assert agent.writer.queued_bytes == 0


def test_a_single_request_larger_than_the_queue_is_taken_when_nothing_waits(start: Callable[..., Agent]) -> None:
    agent = start(queue_bytes=2000)
    assert post(agent, make_request(text="x" * 50_000).SerializeToString()).status_code == 200


def test_many_waiting_requests_share_a_commit(agent: Agent) -> None:
    agent.gate.open.clear()
    with ThreadPoolExecutor(9) as pool:
        first = pool.submit(post, agent, make_request().SerializeToString())
        agent.gate.arrived.acquire()
        others = [pool.submit(post, agent, make_request().SerializeToString()) for _ in range(8)]
        while len(agent.writer._waiting) < 8:
            assert not any(other.done() for other in others)
        agent.gate.open.set()
        assert {request.result().status_code for request in (first, *others)} == {200}
    assert agent.reports.commits == [(1, 3), (8, 24)]


@pytest.mark.parametrize(
    ("error", "message"),
    [(Transient("the store cannot be written: disk full"), "disk full"), (OSError("secret path"), "store failed")],
)
def test_a_store_that_cannot_be_written_is_never_acknowledged(agent: Agent, error: Exception, message: str) -> None:
    agent.gate.error = error
    response = post(agent, make_request().SerializeToString())
    assert (response.status_code, response.headers["retry-after"]) == (503, "1")
    assert message in problem(response)
    assert "secret" not in problem(response)
    agent.gate.error = None
    still_serving(agent)


def test_a_draining_agent_commits_what_it_has_and_refuses_what_is_new(agent: Agent) -> None:
    agent.gate.open.clear()
    with ThreadPoolExecutor(2) as pool:
        waiting = pool.submit(post, agent, make_request().SerializeToString())
        agent.gate.arrived.acquire()
        draining = pool.submit(agent.writer.drain, 30)
        while (response := post(agent, b"")).status_code == 200:
            pass
        assert (response.status_code, response.headers["retry-after"]) == (503, "1")
        agent.gate.open.set()
        assert waiting.result().status_code == 200
        assert draining.result() is True
    assert agent.store.totals().accepted == 3


def test_a_sender_that_goes_away_in_the_middle_leaves_nothing_behind(agent: Agent) -> None:
    body = make_request(text="x" * 500_000).SerializeToString()
    for cut in (0, 10, 200_000, len(body) - 1):
        with socket.create_connection(("127.0.0.1", agent.http_port)) as connection:
            connection.sendall(_head(len(body)) + body[:cut])
    still_serving(agent)
    _await(lambda: agent.writer.queued_bytes == 0)
    assert agent.store.totals().accepted == 3
    assert {code for _, code, *_ in agent.reports.requests} <= {"200", "408"}


def test_a_sender_that_is_too_slow_is_told_and_does_not_hold_up_others(start: Callable[..., Agent]) -> None:
    agent = start(body_seconds=0.3)
    with socket.create_connection(("127.0.0.1", agent.http_port)) as connection:
        connection.sendall(_head(1000) + b"x")
        still_serving(agent)
        assert connection.recv(100).startswith(b"HTTP/1.1 408 ")
    still_serving(agent)


def test_connections_that_say_nothing_or_never_end_their_head_are_cut(start: Callable[..., Agent]) -> None:
    agent = start(message_seconds=0.3)
    with (
        socket.create_connection(("127.0.0.1", agent.http_port)) as silent,
        socket.create_connection(("127.0.0.1", agent.http_port)) as slow,
    ):
        slow.sendall(b"POST /v1/traces HTTP/1.1\r\nx-")
        still_serving(agent)
        assert _gone(silent)
        assert _gone(slow)


def test_an_endless_head_is_cut(agent: Agent) -> None:
    with socket.create_connection(("127.0.0.1", agent.http_port)) as connection:
        connection.sendall(b"POST /v1/traces HTTP/1.1\r\n")
        assert _cut_while_sending(connection, b"x-header: " + b"y" * 4096 + b"\r\n")
    still_serving(agent)


def test_an_endless_body_is_cut_after_its_answer(start: Callable[..., Agent]) -> None:
    agent = start(max_body_bytes=2000)
    with socket.create_connection(("127.0.0.1", agent.http_port)) as connection:
        connection.sendall(b"POST /v1/traces HTTP/1.1\r\nHost: localhost\r\ncontent-type: application/x-protobuf\r\n")
        connection.sendall(b"transfer-encoding: chunked\r\n\r\n")
        piece = b"100000\r\n" + bytes(0x100000) + b"\r\n"
        assert _cut_while_sending(connection, piece)
    still_serving(agent)


def _cut_while_sending(connection: socket.socket, piece: bytes) -> bool:
    """Tell whether the agent ends a connection while more keeps coming, even where the host buffers all of it."""
    connection.settimeout(30)
    try:
        for _ in range(1000):
            connection.sendall(piece)
        while connection.recv(1000):
            pass
    except (ConnectionResetError, BrokenPipeError):
        return True
    except TimeoutError:
        return False
    return True


def _head(length: int) -> bytes:
    return (
        b"POST /v1/traces HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-protobuf\r\n"
        b"content-length: %d\r\n\r\n" % length
    )


def _gone(connection: socket.socket) -> bool:
    connection.settimeout(30)
    try:
        return connection.recv(1000) == b""
    except ConnectionResetError:
        return True


def _await(condition: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < give_up
        threading.Event().wait(0.01)


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    """One for all examples: making one takes longer than what is tested."""
    with httpx.Client(timeout=60) as made:
        yield made


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    content=st.one_of(st.binary(max_size=2000), st.binary(max_size=500).map(gzip.compress)),
    kind=st.sampled_from(["application/x-protobuf", "application/json", "text/html", "application/json;;;=", "a"]),
    encoding=st.sampled_from(["", "gzip", "deflate", "identity", "zstd", "gzip,deflate"]),
)
def test_random_requests_get_an_answer_of_the_protocol(
    agent: Agent, client: httpx.Client, content: bytes, kind: str, encoding: str
) -> None:
    response = client.post(agent.url, content=content, headers={"content-type": kind, "content-encoding": encoding})
    assert response.status_code in {200, 400, 415}
    if response.status_code != 200:
        assert problem(response)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(content=st.binary(min_size=1, max_size=300))
def test_random_bytes_on_the_connection_leave_the_agent_serving(
    agent: Agent, client: httpx.Client, content: bytes
) -> None:
    with socket.create_connection(("127.0.0.1", agent.http_port)) as connection:
        connection.sendall(content + b"\r\n\r\n")
        connection.shutdown(socket.SHUT_WR)
    assert client.post(agent.url, headers=PROTOBUF).status_code == 200


def test_a_port_that_is_taken_is_named(agent: Agent, loop: Loop) -> None:
    async def application(*_: object) -> None:
        raise AssertionError

    receiver = HttpReceiver(application, OtlpHttp(port=agent.http_port), where="receive.otlp_http")
    with pytest.raises(ConfigError, match=rf"receive\.otlp_http: .*port {agent.http_port}: Address already in use"):
        loop.run(receiver.start())
    nowhere = HttpReceiver(application, OtlpHttp(host="no such host"), where="receive.otlp_http")
    with pytest.raises(ConfigError, match=r"receive\.otlp_http: .*no such host"):
        loop.run(nowhere.start())


def test_json_bodies_of_errors_are_valid_json(agent: Agent) -> None:
    response = post(agent, b'{"resourceSpans": "\xe2\x82\xac"}', JSON)
    assert json.loads(response.content)["code"] == 3
