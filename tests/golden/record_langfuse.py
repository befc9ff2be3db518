"""Record the golden traces of Langfuse's SDK, of two generations that write metadata differently.

    PYTHON tests/golden/record_langfuse.py

PYTHON is an interpreter of an environment with langfuse >= 5, langchain-core, openai and openinference-instrumentation;
with langfuse 4 it records what that generation is tested with. Then `record.py --answers` writes the answers of these
traces too.
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

RESOURCE = "service.name=library-desk,service.version=2.1.0,deployment.environment.name=test,deployment.region=eu-north"


def record(scenario: str) -> bytes:
    """Run one application and return what Langfuse's span processor lets through to its exporter."""
    from apps import langfuse_app
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    client = langfuse_app.client_of(scenario, span_exporter=exporter)
    langfuse_app.SCENARIOS[scenario]()
    client.flush()
    request = encode_spans(exporter.get_finished_spans())
    for block in request.resource_spans:
        for attribute in list(block.resource.attributes):
            if attribute.key == "service.instance.id":  # drawn anew in every process
                block.resource.attributes.remove(attribute)
    return request.SerializeToString(deterministic=True)


def main() -> None:
    import langfuse
    from apps import langfuse_app

    older = langfuse.__version__.startswith("4.")
    name = "langfuse4" if older else "langfuse"
    if len(sys.argv) == 1:  # a process has one client
        for scenario in langfuse_app.OLDER if older else langfuse_app.SCENARIOS:
            subprocess.run([sys.executable, __file__, scenario], check=True)
        return
    scenario = sys.argv[1]
    os.environ["OTEL_RESOURCE_ATTRIBUTES"] = RESOURCE
    random.seed(f"langfuse-{scenario}")  # the SDK draws span ids from here
    data = record(scenario)
    (TRACES / f"{name}-{scenario}.otlp.pb").write_bytes(data)
    print(f"{name}-{scenario}: {len(data)} bytes")


if __name__ == "__main__":
    main()
