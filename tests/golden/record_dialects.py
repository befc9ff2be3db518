"""Record the golden traces of instrumentations that cannot be installed beside the others.

    PYTHON tests/golden/record_dialects.py openllmetry          # opentelemetry-instrumentation-langchain >= 0.60
    PYTHON tests/golden/record_dialects.py openllmetry-old      # the same <= 0.47, with OpenTelemetry 1.34
    PYTHON tests/golden/record_dialects.py openllmetry-llamaindex  # opentelemetry-instrumentation-llamaindex >= 0.60
    PYTHON tests/golden/record_dialects.py openllmetry-sdk      # traceloop-sdk, openai < 3, chromadb
    PYTHON tests/golden/record_dialects.py langsmith            # langsmith[otel]
    PYTHON tests/golden/record_dialects.py ownhaystack         # haystack-ai < 3, which traces by itself
    PYTHON tests/golden/record_dialects.py mixed-langsmith      # langsmith[otel] beside OpenInference for langchain

PYTHON is an interpreter of an environment with what is named on the right, openinference-instrumentation, and langchain
and openai, or llama-index-core where that is watched. Then `record.py --answers` writes the answers of these traces
too.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
HAYSTACK = ("basic", "streaming", "hybrid", "model-fails", "retriever-fails", "agent", "redacted", "cut")
LLAMAINDEX = ("basic", "reranked", "conversation", "agent")
OLD = ("basic", "conversation", "model-fails", "agent", "redacted")
LANGCHAIN = (
    "basic",
    "streaming",
    "conversation",
    "reranked",
    "model-fails",
    "retriever-falls-back",
    "retriever-fails",
    "nothing-found",
    "agent",
    "graph",
    "batch",
    "mapped",
    "abandoned",
    "retriever-only",
    "redacted",
    "cut",
)
NAMES = {"openllmetry-old": OLD, "mixed-langsmith": ("basic", "agent", "batch")}
Run = Callable[[], None]


@dataclass(frozen=True)
class Recording:
    """Where the spans of one scenario go."""

    scenario: str
    provider: Any
    exporter: Any


Watch = Callable[[Run, Recording], None]


def openllmetry(run: Run, to: Recording) -> None:
    from opentelemetry.instrumentation.langchain import LangchainInstrumentor

    os.environ["TRACELOOP_TRACE_CONTENT"] = "false" if to.scenario == "redacted" else "true"
    LangchainInstrumentor().instrument(tracer_provider=to.provider)
    run()


def openllmetry_llamaindex(run: Run, to: Recording) -> None:
    from opentelemetry.instrumentation.llamaindex import LlamaIndexInstrumentor

    LlamaIndexInstrumentor().instrument(tracer_provider=to.provider)
    run()


def langsmith(run: Run, to: Recording) -> None:
    from langsmith import Client, run_helpers

    # What is set here leaks into every run's metadata; without a revision it is that of the checkout.
    os.environ |= {"LANGSMITH_TRACING": "true", "LANGSMITH_REVISION_ID": "desk-7"}
    hidden = to.scenario == "redacted"
    client = Client(
        api_url="http://127.0.0.1:9",
        api_key="none",
        tracing_mode="otel",
        otel_tracer_provider=to.provider,
        hide_inputs=hidden,
        hide_outputs=hidden,
    )
    with run_helpers.tracing_context(enabled=True, client=client, project_name="desk"):
        run()
    client.flush()


def own_haystack(run: Run, to: Recording) -> None:
    from haystack import tracing
    from haystack.tracing.opentelemetry import OpenTelemetryTracer

    tracing.tracer.is_content_tracing_enabled = to.scenario != "redacted"
    tracing.enable_tracing(OpenTelemetryTracer(to.provider.get_tracer("haystack")))
    run()


def openllmetry_sdk(run: Run, to: Recording) -> None:
    from traceloop.sdk import Traceloop
    from traceloop.sdk.instruments import Instruments

    Traceloop.init(
        app_name=RESOURCE["service.name"],
        exporter=to.exporter,
        disable_batch=True,
        telemetry_enabled=False,
        resource_attributes=RESOURCE,
        instruments={Instruments.OPENAI, Instruments.CHROMA},
    )
    run()


def sdk_scenarios() -> dict[str, Run]:
    from apps import client_app
    from traceloop.sdk import Traceloop
    from traceloop.sdk.decorators import task, workflow

    return {"store": lambda: client_app.with_store(workflow, task, Traceloop.set_association_properties)}


def langsmith_scenarios() -> dict[str, Run]:
    from apps import client_app, dialect_apps
    from langsmith import traceable
    from langsmith.wrappers import wrap_openai

    def step(kind: str) -> Any:
        return traceable(run_type=kind, metadata=dialect_apps.VISIT if kind == "chain" else None)

    def decorated(**how: Any) -> Run:
        return lambda: client_app.decorated(wrap_openai, step, **how)

    usage = {"stream": True, "stream_options": {"include_usage": True}}
    return {
        **{name: dialect_apps.SCENARIOS[name] for name in LANGCHAIN},
        "traceable": decorated(),
        "traceable-streams": decorated(**usage),
        "traceable-fails": decorated(model="busy-1"),
    }


def mixed_langsmith(run: Run, to: Recording) -> None:
    """Two instrumentations side by side, below a span of the application: without one they have a trace each."""
    from openinference.instrumentation.langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument(tracer_provider=to.provider)

    def answered() -> None:
        with to.provider.get_tracer("desk").start_as_current_span("GET /ask"):
            run()

    langsmith(answered, to)


WATCHES: dict[str, Watch] = {
    "openllmetry": openllmetry,
    "openllmetry-old": openllmetry,
    "openllmetry-llamaindex": openllmetry_llamaindex,
    "openllmetry-sdk": openllmetry_sdk,
    "ownhaystack": own_haystack,
    "langsmith": langsmith,
    "mixed-langsmith": mixed_langsmith,
}


def record(watch: Watch, run: Run, scenario: str) -> bytes:
    """Run one application under its instrumentation and return what it exports."""
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import SpanLimits, TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    limits = SpanLimits(max_span_attribute_length=CUT_CHARS) if scenario == "cut" else SpanLimits()
    exporter = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource(RESOURCE), span_limits=limits, shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    watch(run, Recording(scenario, provider, exporter))
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
    for place, instead in ((GOLDEN.parents[1], "/srv/app"), (sys.prefix, "/usr"), (sys.base_prefix, "/usr")):
        text = text.replace(str(place), instead)
    return text


def scenarios_of(dialect: str) -> dict[str, Run]:
    if dialect == "openllmetry-llamaindex":
        from apps import llamaindex_app

        return {name: llamaindex_app.SCENARIOS[name] for name in LLAMAINDEX}
    if dialect == "ownhaystack":
        from apps import haystack_app

        return {name: haystack_app.SCENARIOS[name] for name in HAYSTACK}
    if dialect == "openllmetry-sdk":
        return sdk_scenarios()
    if dialect == "langsmith":
        return langsmith_scenarios()
    from apps import dialect_apps

    return {name: dialect_apps.SCENARIOS[name] for name in NAMES.get(dialect, LANGCHAIN)}


def main() -> None:
    dialect, out = sys.argv[1], Path(os.environ.get("GOLDEN_TRACES", TRACES))
    scenarios = scenarios_of(dialect)
    if len(sys.argv) == 2:  # an instrumentation that was taken off once does not come back in the same process
        for scenario in scenarios:
            subprocess.run([sys.executable, __file__, dialect, scenario], check=True)
        return
    scenario = sys.argv[2]
    random.seed(f"{dialect}-{scenario}")  # the SDK draws span ids from here
    data = record(WATCHES[dialect], scenarios[scenario], scenario)
    (out / f"{dialect}-{scenario}.otlp.pb").write_bytes(data)
    print(f"{dialect}-{scenario}: {len(data)} bytes")


if __name__ == "__main__":
    main()
