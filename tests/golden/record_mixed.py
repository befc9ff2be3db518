"""Record golden traces of an application that two instrumentations watch at once, below a span of its own.

    python tests/golden/record_mixed.py

Writes mixed-<other>-<scenario>.otlp.pb: OpenInference beside the Langfuse handler, and beside OpenLLMetry. Then
`record.py --answers` writes the answers of these traces too.
"""

from __future__ import annotations

import multiprocessing
import random
import sys
from contextvars import ContextVar
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parent
sys.path[:0] = [str(GOLDEN), str(GOLDEN.parents[1])]

SCENARIOS = ("basic", "agent", "batch")


def langfuse(provider: Any) -> None:
    from langchain_core.tracers.context import register_configure_hook
    from langfuse import Langfuse
    from langfuse.langchain import CallbackHandler

    # Everything is recorded by the provider; the client's own exporter has nowhere to send to.
    Langfuse(public_key="pk-lf-1", secret_key="sk-lf-1", base_url="http://127.0.0.1:9", tracer_provider=provider)
    handler: ContextVar[Any] = ContextVar("handler", default=None)
    register_configure_hook(handler, inheritable=True)
    handler.set(CallbackHandler())


def openllmetry(provider: Any) -> None:
    from opentelemetry.instrumentation.langchain import LangchainInstrumentor

    LangchainInstrumentor().instrument(tracer_provider=provider)


OTHERS = {"langfuse": langfuse, "openllmetry": openllmetry}


def record(other: str, scenario: str) -> None:
    """Run one application in a process of its own: instrumentations are not taken off again."""
    from apps import langchain_app
    from openinference.instrumentation.langchain import LangChainInstrumentor
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    random.seed(20_261_121)
    exporter = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource({"service.name": "library-desk", "service.version": "2.1.0"}))
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    LangChainInstrumentor().instrument(tracer_provider=provider)
    OTHERS[other](provider)
    with provider.get_tracer("desk").start_as_current_span("GET /ask"):
        langchain_app.SCENARIOS[scenario]()
    data = encode_spans(exporter.get_finished_spans()).SerializeToString(deterministic=True)
    (GOLDEN / "traces" / f"mixed-{other}-{scenario}.otlp.pb").write_bytes(data)


if __name__ == "__main__":
    for other_ in OTHERS:
        for scenario_ in SCENARIOS:
            process = multiprocessing.get_context("spawn").Process(target=record, args=(other_, scenario_))
            process.start()
            process.join(60)
            # The Langfuse client waits for its own exporter, which has nowhere to send to.
            process.kill()
