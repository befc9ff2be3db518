"""Record the golden traces of frameworks that search with tools, each in an environment of its own.

    PYTHON tests/golden/record_agents.py SCENARIO ...

PYTHON is an interpreter of an environment with the framework of the scenario (`apps/agents_app.py`), the OpenInference
instrumentation that the scenario imports, opentelemetry-sdk and opentelemetry-exporter-otlp-proto-common. Scenarios of
Vercel's need Node, and NODE_APP, a folder with the packages that `apps/vercel_app.mjs` imports. Nothing
outside the machine is asked: the model is `apps/agent_server.py`. Then `record.py --answers` writes the answers.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parent
TRACES = GOLDEN / "traces"
sys.path.insert(0, str(GOLDEN))
from record_genai import placeless, tell

RESOURCE = {
    "service.name": "library-desk",
    "service.version": "2.1.0",
    "deployment.environment.name": "test",
    "deployment.region": "eu-north",
}

SESSIONS = (
    "adk",
    "agno",
    "langgraph-team",
    "langchain-typed",
    "mlflow-langchain-typed",
    "strands-rows",
    "laminar",
    "vercel-tool",
    "vercel-prompt",
    "vercel-streaming",
)
"""Applications that say which conversation an answer belongs to."""


def record(scenario: str) -> bytes:
    """Run one application and return what it exports."""
    from apps.agent_server import provider
    from opentelemetry import _logs, trace
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk._logs import LoggerProvider, export
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    tracing = TracerProvider(resource=Resource(RESOURCE), shutdown_on_exit=False)
    tracing.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(tracing)
    logged = export.InMemoryLogRecordExporter()
    logging = LoggerProvider(resource=Resource(RESOURCE), shutdown_on_exit=False)
    logging.add_log_record_processor(export.SimpleLogRecordProcessor(logged))
    _logs.set_logger_provider(logging)
    with provider() as url:
        scenarios()[scenario](url)
        tracing.force_flush()
    request = encode_spans(exporter.get_finished_spans())
    for block in request.resource_spans:
        block.resource.CopyFrom(encode_resource())
    tell(request, [each for each in logged.get_finished_logs() if is_content(each)])
    for block in request.resource_spans:
        for scoped in block.scope_spans:
            for span in scoped.spans:
                span.status.message = placeless(span.status.message)
                for pair in (*span.attributes, *(pair for event in span.events for pair in event.attributes)):
                    if pair.value.HasField("string_value"):
                        told = pair.value.string_value.replace(url, "http://127.0.0.1/v1")
                        pair.value.string_value = placeless(told)
    data: bytes = request.SerializeToString(deterministic=True)
    return data


def encode_resource() -> Any:
    """Return the resource of the application: some tools put the machine, the process and the checkout there."""
    from opentelemetry.exporter.otlp.proto.common._internal import _encode_resource
    from opentelemetry.sdk.resources import Resource

    return _encode_resource(Resource(RESOURCE))


def is_content(record: Any) -> bool:
    """Tell whether a log record is an event of the GenAI conventions; nothing else is kept of logs."""
    told = record.log_record
    return str(told.event_name or (told.attributes or {}).get("event.name", "")).startswith("gen_ai.")


def scenarios() -> dict[str, Any]:
    """All applications, by scenario."""
    from apps import agents_app, agents_now_app, frameworks_app, observers_app, stores_app

    return {
        **agents_app.SCENARIOS,
        **agents_now_app.SCENARIOS,
        **frameworks_app.SCENARIOS,
        **observers_app.SCENARIOS,
        **stores_app.SCENARIOS,
    }


def known(scenario: str) -> dict[str, Any]:
    """Return what the application knew: what was asked, found, called and answered."""
    from apps.agent_server import CALLS, SAID, SERVED
    from apps.agents_app import QUESTION, ROWS

    found = {
        "question": QUESTION,
        "answer": SAID,
        "passages": _rows(scenario, ROWS),
        "model": SERVED,
        "llm_calls": len(CALLS),
        "prompt_tokens": sum(call["prompt_tokens"] for call in CALLS),
        "completion_tokens": sum(call["completion_tokens"] for call in CALLS),
        "tools": [call["tool"] for call in CALLS if call["tool"]],
    }
    return found | ({"session": "s-1"} if scenario.startswith(SESSIONS) else {})


def _rows(scenario: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if scenario == "openllmetry-milvus":
        scored = zip(rows, (0.9701425433158875, 0.8320503234863281), strict=True)
        return [
            {**row, "score": score, "metadata": {"effective_from": None, **row["metadata"]}} for row, score in scored
        ]
    if scenario.startswith("openllmetry"):  # a store has scores of its own
        return [{key: value for key, value in row.items() if key != "score"} for row in rows]
    if scenario.startswith("vercel"):  # its rows have no dates, and one of them is in its prompt
        rows = [{**row, "metadata": {**row["metadata"], "effective_from": None}} for row in rows]
        return [] if scenario.endswith("streaming") else rows[:1] if scenario.endswith("prompt") else rows
    return rows


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """Take in what is exported over HTTP, and give the endpoint and the requests."""
    requests: list[bytes] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self._body()
            if self.path.endswith("/v1/traces"):
                zipped = self.headers["Content-Encoding"] == "gzip"
                requests.append(gzip.decompress(body) if zipped else body)
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def _body(self) -> bytes:
            if (length := self.headers["Content-Length"]) is not None:
                return self.rfile.read(int(length))
            body = b""
            while size := int(self.rfile.readline(), 16):  # Node sends in chunks
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return body

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1/traces", requests
    finally:
        server.shutdown()
        server.server_close()


def exported(scenario: str) -> bytes:
    """Run an application that exports by itself: MLflow, and those of Node."""
    from apps.agent_server import provider

    with provider() as url, collector() as (endpoint, requests):
        environment = {
            **os.environ,
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": endpoint,
            "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/protobuf",
            "OTEL_SERVICE_NAME": "library-desk",
            "OTEL_RESOURCE_ATTRIBUTES": "service.version=2.1.0,deployment.environment.name=test,"
            "deployment.region=eu-north",
        }
        if scenario.startswith("vercel"):
            script = Path(os.environ["NODE_APP"]) / "vercel_app.mjs"
            script.write_bytes((GOLDEN / "apps" / "vercel_app.mjs").read_bytes())
            command = ["node", str(script), scenario.removeprefix("vercel-"), url]
        else:
            run = f"import sys; sys.path.insert(0, {str(GOLDEN)!r}); from record_agents import scenarios; "
            command = [sys.executable, "-c", f"{run}scenarios()[{scenario!r}]({url!r})"]
        subprocess.run(command, env=environment, check=True, timeout=300)
        return b"".join(requests)


def main() -> None:
    """Record each scenario in a process of its own: what is instrumented stays so."""
    names = sys.argv[1:]
    if len(names) == 1 and os.environ.get("RECORDING"):
        random.seed(names[0])
        run = exported if names[0].startswith(("mlflow", "vercel", "laminar")) else record
        (TRACES / f"{names[0]}.otlp.pb").write_bytes(run(names[0]))
        (TRACES / f"{names[0]}.known.json").write_text(json.dumps(known(names[0]), indent=1) + "\n")
        return
    for name in names:
        subprocess.run([sys.executable, __file__, name], env={**os.environ, "RECORDING": "1"}, check=True, timeout=300)
        print(f"recorded {name}")


if __name__ == "__main__":
    main()
