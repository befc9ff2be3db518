"""OTLP/gRPC as a sender sees it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from collector.errors import ConfigError, Transient
from collector.receivers.grpc import GrpcReceiver
from collector.receivers.intake import Intake
from collector.receivers.settings import Limits, OtlpGrpc
from collector.receivers.signals import TRACES
from tests.collector.receivers.conftest import Agent
from tests.collector.receivers.requests import make_request

MIB = 1024 * 1024


def call(agent: Agent, body: bytes, method: str = TRACES.method, **options: Any) -> ExportTraceServiceResponse:
    unlimited = [("grpc.max_send_message_length", -1)]
    with grpc.insecure_channel(agent.target, options=unlimited) as channel:
        return ExportTraceServiceResponse.FromString(channel.unary_unary(method)(body, timeout=60, **options))


def refused(agent: Agent, body: bytes, **options: Any) -> grpc.RpcError:
    with pytest.raises(grpc.RpcError) as caught:
        call(agent, body, **options)
    return caught.value


def retry_delay(error: grpc.RpcError) -> int:
    """The seconds in the RetryInfo of the status details, which must agree with the status."""
    trailers = dict(error.trailing_metadata())
    status = Status.FromString(trailers["grpc-status-details-bin"])
    assert (status.code, status.message) == (error.code().value[0], error.details())
    [detail] = status.details
    info = RetryInfo()
    assert detail.Unpack(info)
    assert RetryInfo.FromString(trailers["google.rpc.retryinfo-bin"]) == info
    return int(info.retry_delay.seconds)


def test_what_was_acknowledged_is_in_the_store(agent: Agent) -> None:
    request = make_request(n_traces=4, n_spans=5)
    assert call(agent, request.SerializeToString()) == ExportTraceServiceResponse()
    assert sorted(map(str, agent.stored())) == sorted(map(str, request.resource_spans[0].scope_spans[0].spans))
    assert agent.reports.requests == [("grpc", "OK", 20, {}, len(request.SerializeToString()))]


def test_a_compressed_request_is_taken(agent: Agent) -> None:
    call(agent, make_request(text="x" * 100_000).SerializeToString(), compression=grpc.Compression.Gzip)
    assert len(agent.stored()) == 3


def test_rejected_spans_are_told(agent: Agent) -> None:
    request = make_request(n_spans=2)
    request.resource_spans[0].scope_spans[0].spans[0].span_id = b"no"
    partial = call(agent, request.SerializeToString()).partial_success
    assert partial.rejected_spans == 1
    assert "span id" in partial.error_message


@pytest.mark.parametrize("body", [b"garbage", b"\x0a\x05abc", b"\x0a\x00" * 20_000])
def test_garbage_is_an_invalid_argument(agent: Agent, body: bytes) -> None:
    error = refused(agent, body)
    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert error.details()
    assert agent.reports.requests == [("grpc", "INVALID_ARGUMENT", 0, {}, len(body))]
    assert call(agent, make_request().SerializeToString()) == ExportTraceServiceResponse()


def test_a_message_beyond_the_bound_is_refused_before_it_is_read(start: Callable[..., Agent]) -> None:
    agent = start(max_body_bytes=MIB)
    error = refused(agent, bytes(20 * MIB))
    assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert "larger than max" in error.details()
    assert call(agent, make_request().SerializeToString()) == ExportTraceServiceResponse()
    assert agent.reports.requests[0] == ("grpc", "CANCELLED", 0, {}, 0)


@pytest.mark.parametrize("compression", [grpc.Compression.Gzip, grpc.Compression.Deflate])
def test_a_compressed_message_is_unpacked_up_to_the_bound(
    start: Callable[..., Agent], compression: grpc.Compression
) -> None:
    agent = start(max_body_bytes=MIB, max_decompressed_bytes=10 * MIB)
    call(agent, make_request(n_spans=3, text="x" * 3 * MIB).SerializeToString(), compression=compression)
    assert agent.store.totals().accepted == 3
    error = refused(agent, bytes(100 * MIB), compression=compression)
    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert "body exceeds 10485760 bytes after decompression" in error.details()
    assert agent.writer.queued_bytes == 0


def test_a_large_message_within_the_bound_is_taken(agent: Agent) -> None:
    call(agent, make_request(n_spans=3, text="x" * 5 * MIB).SerializeToString())
    assert agent.store.totals().accepted == 3


def test_a_call_without_a_message_is_over(agent: Agent) -> None:
    with grpc.insecure_channel(agent.target) as channel, pytest.raises(grpc.RpcError) as caught:
        channel.stream_unary(TRACES.method)(iter(()), timeout=60)
    assert caught.value.code() == grpc.StatusCode.CANCELLED
    assert caught.value.details() == "call ended before a message was received"


def test_a_slow_sender_is_given_up_when_others_wait(start: Callable[..., Agent]) -> None:
    agent = start(queue_bytes=MIB, max_body_bytes=MIB, body_seconds=0.1)
    body = make_request().SerializeToString()
    send = threading.Event()
    with grpc.insecure_channel(agent.target) as channel, ThreadPoolExecutor(1) as pool:
        slow = pool.submit(channel.stream_unary(TRACES.method), held_back(send, body), timeout=60)
        while not slow.done():
            assert call(agent, body) == ExportTraceServiceResponse()
        with pytest.raises(grpc.RpcError) as caught:
            slow.result()
        assert caught.value.code() == grpc.StatusCode.CANCELLED
        send.set()
    assert {code for _, code, *_ in agent.reports.requests} == {"OK", "CANCELLED"}


def held_back(send: threading.Event, body: bytes) -> Iterator[bytes]:
    """A client's messages that do not come until they may."""
    assert send.wait(60)
    yield body


def test_metrics_are_not_implemented(agent: Agent) -> None:
    error = refused(agent, b"", method="/opentelemetry.proto.collector.metrics.v1.MetricsService/Export")
    assert error.code() == grpc.StatusCode.UNIMPLEMENTED


def test_a_token_is_asked_for(start: Callable[..., Agent]) -> None:
    agent = start(token="s3cret")
    body = make_request().SerializeToString()
    for metadata in ((), (("authorization", "Bearer s3cre"),), (("authorization", "s3cret"),)):
        assert refused(agent, body, metadata=metadata).code() == grpc.StatusCode.UNAUTHENTICATED
    assert agent.store.totals().accepted == 0
    call(agent, body, metadata=(("authorization", "Bearer s3cret"),))
    assert agent.store.totals().accepted == 3


def test_who_shows_no_token_is_refused_before_a_message_is_read(start: Callable[..., Agent]) -> None:
    agent = start(token="s3cret")
    send = threading.Event()
    with grpc.insecure_channel(agent.target) as channel:
        messages = held_back(send, b"")
        with pytest.raises(grpc.RpcError) as caught:
            channel.stream_unary(TRACES.method)(messages, timeout=60)
        assert caught.value.code() == grpc.StatusCode.UNAUTHENTICATED
        send.set()
    assert agent.reports.requests == [("grpc", "UNAUTHENTICATED", 0, {}, 0)]


def test_a_full_queue_refuses_at_once_and_says_when_to_come_back(start: Callable[..., Agent]) -> None:
    agent = start(queue_bytes=100_000)
    agent.gate.open.clear()
    body = make_request(text="x" * 60_000, n_spans=1).SerializeToString()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(call, agent, body)
        agent.gate.arrived.acquire()
        error = refused(agent, body)
        assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert retry_delay(error) == 1
        agent.gate.open.set()
        waiting.result()
    call(agent, body)
    assert agent.store.totals().accepted == 2


def test_a_store_that_cannot_be_written_is_never_acknowledged(agent: Agent) -> None:
    agent.gate.error = Transient("the store cannot be written: disk full")
    error = refused(agent, make_request().SerializeToString())
    assert error.code() == grpc.StatusCode.UNAVAILABLE
    assert "disk full" in error.details()
    assert retry_delay(error) == 1
    agent.gate.error = None
    call(agent, make_request().SerializeToString())


def test_a_draining_agent_is_unavailable(agent: Agent) -> None:
    assert agent.writer.drain(30)
    error = refused(agent, make_request().SerializeToString())
    assert error.code() == grpc.StatusCode.UNAVAILABLE
    assert retry_delay(error) == 1


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(body=st.binary(max_size=500))
def test_random_messages_get_an_answer_of_the_protocol(agent: Agent, body: bytes) -> None:
    codes = set()
    try:
        call(agent, body)
    except grpc.RpcError as error:
        codes.add(error.code())
    assert codes <= {grpc.StatusCode.INVALID_ARGUMENT}


def test_a_port_that_is_taken_is_named(agent: Agent) -> None:
    intake = Intake(writer=agent.writer, telemetry=agent.reports, limits=Limits(), clock=lambda: 0)
    second = GrpcReceiver(intake, OtlpGrpc(port=agent.grpc_port), where="receive.otlp_grpc", token=None)
    with pytest.raises(ConfigError, match=rf"receive\.otlp_grpc: cannot listen on 127\.0\.0\.1:{agent.grpc_port}"):
        second.start()
