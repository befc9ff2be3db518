"""The exporters people use, as they come, against the receivers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter as GrpcExporter
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter as HttpExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter

from collector.errors import Transient
from tests.collector.receivers.conftest import Agent

Make = Callable[..., SpanExporter]


def over_http(agent: Agent, **options: Any) -> SpanExporter:
    return HttpExporter(agent.url, **options)


def over_grpc(agent: Agent, **options: Any) -> SpanExporter:
    return GrpcExporter(agent.target, insecure=True, **options)


EXPORTERS = [
    pytest.param(over_http, {}, id="http"),
    pytest.param(over_http, {"compression": Compression.Gzip}, id="http-gzip"),
    pytest.param(over_http, {"compression": Compression.Deflate}, id="http-deflate"),
    pytest.param(over_grpc, {}, id="grpc"),
    pytest.param(over_grpc, {"compression": grpc.Compression.Gzip}, id="grpc-gzip"),
]


def answer(exporter: SpanExporter, n_traces: int = 5) -> set[str]:
    """Trace a few answers through an SDK set up as its documentation says; return the span ids."""
    provider = TracerProvider(resource=Resource({"service.name": "shop"}))
    provider.add_span_processor(BatchSpanProcessor(exporter, max_export_batch_size=4))
    tracer = provider.get_tracer("tests")
    ids = set()
    for _ in range(n_traces):
        with (
            tracer.start_as_current_span("chain", attributes={"input.value": "Wie hoch?"}) as chain,
            tracer.start_as_current_span("retriever") as retriever,
        ):
            ids |= {f"{span.get_span_context().span_id:016x}" for span in (chain, retriever)}
    provider.shutdown()
    return ids


@pytest.mark.parametrize(("make", "options"), EXPORTERS)
def test_the_sdk_delivers_its_spans(agent: Agent, make: Make, options: dict[str, Any]) -> None:
    sent = answer(make(agent, **options))
    stored = agent.stored()
    assert {span.span_id.hex() for span in stored} == sent
    assert len(stored) == len(sent) == 10
    due = agent.store.due(now=1 << 62, idle=0, timeout=1 << 61, limit=100, limit_bytes=1 << 30)
    assert [trace.complete for trace in due] == [True] * 5


@pytest.mark.parametrize("make", [over_http, over_grpc])
def test_the_sdk_delivers_with_a_token(start: Callable[..., Agent], make: Make) -> None:
    agent = start(token="s3cret")
    answer(make(agent, headers={"authorization": "Bearer s3cret"}))
    assert agent.store.totals().accepted == 10


@pytest.mark.parametrize("make", [over_http, over_grpc])
def test_the_sdk_tries_again_while_the_store_cannot_be_written(agent: Agent, make: Make) -> None:
    agent.gate.error = Transient("the store cannot be written: disk full")

    def recover() -> None:
        agent.gate.arrived.acquire()
        agent.gate.error = None

    repair = threading.Thread(target=recover)
    repair.start()
    sent = answer(make(agent), n_traces=2)
    repair.join()
    assert {span.span_id.hex() for span in agent.stored()} == sent
    assert {code for _, code, *_ in agent.reports.requests} in ({"503", "200"}, {"UNAVAILABLE", "OK"})


@pytest.mark.parametrize("make", [over_http, over_grpc])
def test_the_sdk_tries_again_while_the_queue_is_full(start: Callable[..., Agent], make: Make) -> None:
    agent = start(queue_bytes=1024)
    reservation = agent.writer.reserve()
    reservation.grow(1024)
    refused = threading.Event()
    count = agent.reports.request

    def watch(*arguments: Any, **fields: Any) -> None:
        count(*arguments, **fields)
        refused.set()

    agent.reports.request = watch

    def make_room() -> None:
        assert refused.wait(60)
        reservation.__exit__()

    clear = threading.Thread(target=make_room)
    clear.start()
    sent = answer(make(agent), n_traces=2)
    clear.join()
    assert {span.span_id.hex() for span in agent.stored()} == sent
    assert {code for _, code, *_ in agent.reports.requests} in ({"429", "200"}, {"RESOURCE_EXHAUSTED", "OK"})
