"""Record the golden traces of the official GenAI instrumentations, which no other environment here can hold.

    PYTHON tests/golden/record_genai.py

PYTHON is an interpreter of an environment with opentelemetry-sdk >= 1.45, opentelemetry-exporter-otlp-proto-common,
opentelemetry-instrumentation-genai-openai and -genai-langchain >= 1.3b0, openai, langchain, and
openinference-instrumentation. Then `record.py --answers` writes the answers of these traces too.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

GOLDEN = Path(__file__).parent
TRACES = GOLDEN / "traces"
sys.path.insert(0, str(GOLDEN))

CUT_CHARS = 96
RESOURCE = {
    "service.name": "library-desk",
    "service.version": "2.1.0",
    "deployment.environment.name": "test",
    "deployment.region": "eu-north",
}


def record(scenario: str) -> bytes:
    """Run one application under its instrumentations and return what it exports: spans, and what logs tell of them."""
    from apps import genai_app
    from opentelemetry import _logs, trace
    from opentelemetry.exporter.otlp.proto.common._log_encoder import encode_logs
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.instrumentation.genai.langchain import LangChainInstrumentor
    from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import SpanLimits, TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    run, mode = genai_app.SCENARIOS[scenario]
    os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = mode
    os.environ["OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT"] = str("EVENT" in mode).lower()
    limits = SpanLimits(max_span_attribute_length=CUT_CHARS) if scenario == "cut" else SpanLimits()
    exporter, logged = InMemorySpanExporter(), InMemoryLogRecordExporter()
    resource = Resource(RESOURCE)
    provider = TracerProvider(resource=resource, span_limits=limits, shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    logs = LoggerProvider(resource=resource, shutdown_on_exit=False)
    logs.add_log_record_processor(SimpleLogRecordProcessor(logged))
    trace.set_tracer_provider(provider)
    _logs.set_logger_provider(logs)
    OpenAIInstrumentor().instrument()
    LangChainInstrumentor().instrument()
    run()
    request = encode_spans(exporter.get_finished_spans())
    records = logged.get_finished_logs()
    for block in encode_logs(records).resource_logs if records else ():
        told = request.resource_spans.add(resource=block.resource)
        for scoped in block.scope_logs:
            spans = told.scope_spans.add(scope=scoped.scope)
            for each in scoped.log_records:  # as the receiver makes of log records what it stores
                span = spans.spans.add(trace_id=each.trace_id, span_id=each.span_id)
                at = each.time_unix_nano or each.observed_time_unix_nano
                event = span.events.add(name=each.event_name, time_unix_nano=at, attributes=each.attributes)
                if each.body.WhichOneof("value") is not None:
                    event.attributes.add(key="body", value=each.body)
    for block in request.resource_spans:
        for scoped in block.scope_spans:
            for span in scoped.spans:
                span.status.message = placeless(span.status.message)
                for pair in (*span.attributes, *(pair for event in span.events for pair in event.attributes)):
                    if pair.value.HasField("string_value"):
                        pair.value.string_value = placeless(pair.value.string_value)
    return request.SerializeToString(deterministic=True)


def placeless(text: str) -> str:
    """Tracebacks name files: say where those of an installed application would be, not where this one is."""
    for place, instead in ((GOLDEN.parents[1], "/srv/app"), (sys.prefix, "/usr"), (sys.base_prefix, "/usr")):
        text = text.replace(str(place), instead)
    return text


def main() -> None:
    from apps import genai_app

    if len(sys.argv) == 1:  # what is captured is decided once a process
        for scenario in genai_app.SCENARIOS:
            subprocess.run([sys.executable, __file__, scenario], check=True)
        return
    scenario = sys.argv[1]
    random.seed(f"genai-{scenario}")  # the SDK draws span ids from here
    data = record(scenario)
    (TRACES / f"genai-{scenario}.otlp.pb").write_bytes(data)
    print(f"genai-{scenario}: {len(data)} bytes")


if __name__ == "__main__":
    main()
