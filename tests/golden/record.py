"""Record the golden traces, and the answers they must give.

    python tests/golden/record.py             # run every example application again, then write its trace and answers
    python tests/golden/record.py --answers   # keep the traces, write only the answers

The applications are real; their models are deterministic. What they export is written to traces/<framework>-<scenario>
.otlp.pb as the OTLP exporter encodes it, and what the adapter makes of it to .answers.jsonl beside it. Recording again
changes times and ids; the diff of the answers is the review.
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

GOLDEN = Path(__file__).parent
TRACES = GOLDEN / "traces"
sys.path[:0] = [str(GOLDEN), str(GOLDEN.parents[1])]

from adapters.detect import AdaptOptions
from adapters.files.read import read
from adapters.schema import Answer

FRAMEWORKS = ("langchain", "llamaindex", "haystack")
OPTIONS = AdaptOptions(attributes={"tenant": "tenant", "region": "deployment.region"})
CUT_CHARS = 96
RESOURCE = {
    "service.name": "library-desk",
    "service.version": "2.1.0",
    "deployment.environment.name": "test",
    "deployment.region": "eu-north",
}


def answers(data: bytes) -> str:
    """The answers of one golden trace, as JSON lines."""
    records = list(read(data, OPTIONS))
    assert all(isinstance(record, Answer) for record in records), records
    return "".join(record.model_dump_json(exclude_defaults=True) + "\n" for record in records)


def record(framework: str, scenario: str, run: Callable[[], None]) -> bytes:
    """Run one application under its instrumentation and return what it exports."""
    from openinference.instrumentation import TraceConfig
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import SpanLimits, TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    limits = SpanLimits(max_span_attribute_length=CUT_CHARS) if scenario == "cut" else SpanLimits()
    hidden = scenario == "redacted"
    exporter = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource(RESOURCE), span_limits=limits, shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    config = TraceConfig(hide_inputs=hidden, hide_outputs=hidden, enable_genai_semconv=scenario == "dual")
    module = "llama_index" if framework == "llamaindex" else framework
    name = {"langchain": "LangChain", "llamaindex": "LlamaIndex", "haystack": "Haystack"}[framework]
    instrumentor = getattr(importlib.import_module(f"openinference.instrumentation.{module}"), f"{name}Instrumentor")()
    instrumentor.instrument(tracer_provider=provider, config=config)
    try:
        run()
    finally:
        instrumentor.uninstrument()
    provider.force_flush()
    request = encode_spans(exporter.get_finished_spans())
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
    return text.replace(str(GOLDEN.parents[1]), "/srv/app").replace(sys.base_prefix, "/usr")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", action="store_true", help="keep the traces, write only the answers")
    only_answers = parser.parse_args().answers
    os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
    random.seed(20_261_120)  # the SDK draws span ids from here
    TRACES.mkdir(exist_ok=True)
    if not only_answers:
        for framework in FRAMEWORKS:
            scenarios = importlib.import_module(f"apps.{framework}_app").SCENARIOS
            for scenario, run in scenarios.items():
                path = TRACES / f"{framework}-{scenario}.otlp.pb"
                path.write_bytes(record(framework, scenario, run))
    for path in sorted(TRACES.glob("*.otlp.pb")):
        written = answers(path.read_bytes())
        path.with_name(path.name.replace(".otlp.pb", ".answers.jsonl")).write_text(written)
        print(f"{path.name:44} {written.count(chr(10))} answers")


if __name__ == "__main__":
    main()
