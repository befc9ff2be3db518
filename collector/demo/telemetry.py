"""How the application is instrumented: OpenInference for LangChain, exported over OTLP/HTTP in the background."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import requests
from langchain_core._api.deprecation import LangChainDeprecationWarning
from langsmith.run_helpers import tracing_context
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_ON


def otlp_exporter(endpoint: str) -> SpanExporter:
    """Return an exporter to ``endpoint`` that ignores proxies of the environment: the agent is on this machine."""
    session = requests.Session()
    session.trust_env = False
    return OTLPSpanExporter(endpoint=endpoint, session=session)


@contextmanager
def instrumented(exporter: SpanExporter, *, service: str = "policy-assistant") -> Iterator[TracerProvider]:
    """Trace every LangChain run to ``exporter`` until the block ends; what is still queued is then sent.

    LangSmith tracing is off inside, whatever the environment says: the demo speaks to the agent alone.
    """
    provider = TracerProvider(
        sampler=ALWAYS_ON, resource=Resource.create({SERVICE_NAME: service, SERVICE_VERSION: "1.0.0"})
    )
    provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=200))
    instrumentor = LangChainInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    try:
        with tracing_context(enabled=False), warnings.catch_warnings():
            # langchain-core 1.x strings may be called, and the instrumentation calls whatever can be called.
            warnings.filterwarnings("ignore", r"Calling \.text\(\) as a method", LangChainDeprecationWarning)
            yield provider
    finally:
        instrumentor.uninstrument()
        provider.shutdown()
