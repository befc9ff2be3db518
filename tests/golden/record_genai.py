"""Record the golden traces of the official GenAI instrumentations, which no other environment here can hold.

    PYTHON tests/golden/record_genai.py
    OLDER tests/golden/record_genai.py older
    NATIVE tests/golden/record_genai.py native

PYTHON is an interpreter of an environment with opentelemetry-sdk >= 1.45, opentelemetry-exporter-otlp-proto-common,
opentelemetry-instrumentation-genai-openai and -genai-langchain >= 1.3b0, openai, langchain, openinference-
instrumentation. OLDER is one with opentelemetry-sdk 1.35, its exporter, opentelemetry-instrumentation-openai-v2 2.1b0,
openai < 2 and httpx; NATIVE one with opentelemetry-sdk >= 1.45, its exporter, pydantic-ai-slim and strands-agents.
Then `record.py --answers` writes the answers of these traces too.
"""

from __future__ import annotations

import importlib
import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parent
TRACES = GOLDEN / "traces"
sys.path.insert(0, str(GOLDEN))

APPLICATIONS = {"": "genai_app", "older": "openai_v2_app", "native": "native_app"}
CUT_CHARS = 96
RESOURCE = {
    "service.name": "library-desk",
    "service.version": "2.1.0",
    "deployment.environment.name": "test",
    "deployment.region": "eu-north",
}


def instrumented(scenario: str) -> Callable[[], None]:
    """Instrument what an application uses, capturing what its scenario says, and return the application."""
    from apps import genai_app
    from opentelemetry.instrumentation.genai.langchain import LangChainInstrumentor
    from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor

    run, mode = genai_app.SCENARIOS[scenario]
    os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = mode
    os.environ["OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT"] = str("EVENT" in mode).lower()
    OpenAIInstrumentor().instrument()
    LangChainInstrumentor().instrument()
    return run


def instrumented_before(scenario: str, logs: Any) -> Callable[[], None]:
    """The same with the instrumentation that preceded them, which logs each message as an event."""
    from apps import openai_v2_app
    from opentelemetry._events import set_event_logger_provider
    from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor
    from opentelemetry.sdk._events import EventLoggerProvider

    run, captured = openai_v2_app.SCENARIOS[scenario]
    os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = str(captured).lower()
    set_event_logger_provider(EventLoggerProvider(logs))
    OpenAIInstrumentor().instrument()
    return run


def native(scenario: str) -> Callable[[], None]:
    """An application whose framework needs no instrumentation."""
    from apps import native_app

    return native_app.SCENARIOS[scenario]


def record(scenario: str, group: str) -> bytes:
    """Run one application under its instrumentations and return what it exports: spans, and what logs tell of them."""
    from opentelemetry import _logs, trace
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk._logs import LoggerProvider, export
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import SpanLimits, TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    limits = SpanLimits(max_span_attribute_length=CUT_CHARS) if scenario == "cut" else SpanLimits()
    exporter = InMemorySpanExporter()
    logged = getattr(export, "InMemoryLogExporter" if group == "older" else "InMemoryLogRecordExporter")()
    resource = Resource(RESOURCE)
    provider = TracerProvider(resource=resource, span_limits=limits, shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    logs = LoggerProvider(resource=resource, shutdown_on_exit=False)
    logs.add_log_record_processor(export.SimpleLogRecordProcessor(logged))
    trace.set_tracer_provider(provider)
    _logs.set_logger_provider(logs)
    if group == "older":
        instrumented_before(scenario, logs)()
    else:
        (native if group == "native" else instrumented)(scenario)()
    request = encode_spans(exporter.get_finished_spans())
    tell(request, logged.get_finished_logs())
    for block in request.resource_spans:
        for scoped in block.scope_spans:
            for span in scoped.spans:
                span.status.message = placeless(span.status.message)
                for pair in (*span.attributes, *(pair for event in span.events for pair in event.attributes)):
                    if pair.value.HasField("string_value"):
                        pair.value.string_value = placeless(pair.value.string_value)
    return request.SerializeToString(deterministic=True)


def tell(request: Any, records: Sequence[Any]) -> None:
    """Add log records as the receiver stores them: each an event of a fragment of its span."""
    from opentelemetry.exporter.otlp.proto.common._log_encoder import encode_logs

    for block in encode_logs(records).resource_logs if records else ():
        told = request.resource_spans.add(resource=block.resource)
        for scoped in block.scope_logs:
            spans = told.scope_spans.add(scope=scoped.scope)
            for each in scoped.log_records:
                names = [pair.value.string_value for pair in each.attributes if pair.key == "event.name"]
                span = spans.spans.add(trace_id=each.trace_id, span_id=each.span_id)
                event = span.events.add(
                    name=each.event_name or names[0],
                    time_unix_nano=each.time_unix_nano or each.observed_time_unix_nano,
                    attributes=each.attributes,
                )
                if each.body.WhichOneof("value") is not None:
                    event.attributes.add(key="body", value=each.body)


def placeless(text: str) -> str:
    """Tracebacks name files: say where those of an installed application would be, not where this one is."""
    for place, instead in ((GOLDEN.parents[1], "/srv/app"), (sys.prefix, "/usr"), (sys.base_prefix, "/usr")):
        text = text.replace(str(place), instead)
    return text


def main() -> None:
    group, *named = sys.argv[1:] if sys.argv[1:2] in (["older"], ["native"]) else ["", *sys.argv[1:]]
    if not named:  # what is captured is decided once a process
        scenarios = importlib.import_module(f"apps.{APPLICATIONS[group]}").SCENARIOS
        for scenario in scenarios:
            subprocess.run([sys.executable, __file__, *([group] if group else []), scenario], check=True)
        return
    name = f"genai-{group}-{named[0]}" if group else f"genai-{named[0]}"
    random.seed(name)  # the SDK draws span ids from here
    data = record(named[0], group)
    (TRACES / f"{name}.otlp.pb").write_bytes(data)
    print(f"{name}: {len(data)} bytes")


if __name__ == "__main__":
    main()
