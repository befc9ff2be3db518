"""The library's desk in plain functions around a client of OpenAI's, under tools that watch clients and functions."""

# ruff: noqa: ARG001 - what a function is asked stands in its span

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from apps.agent_server import MODEL
from apps.agents_app import QUESTION, ROWS, TOLD

TOOL = {
    "type": "function",
    "function": {
        "name": "search_handbook",
        "description": "Search the handbook.",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    },
}


def prompted(client: Any, documents: list[dict[str, Any]]) -> str:
    """Ask with the context in the prompt."""
    context = "\n".join(row["content"] for row in documents)
    told = {"role": "system", "content": f"Answer from the context.\n\nContext:\n{context}"}
    asked = {"role": "user", "content": QUESTION}
    return str(client.chat.completions.create(model=MODEL, messages=[told, asked]).choices[0].message.content)


def acting(client: Any, search: Callable[..., Any]) -> str:
    """Ask with a tool, and run what the model asks for."""
    messages: list[Any] = [{"role": "system", "content": TOLD}, {"role": "user", "content": QUESTION}]
    reply = client.chat.completions.create(model=MODEL, messages=messages, tools=[TOOL]).choices[0].message
    for call in reply.tool_calls or ():
        messages.append(reply.model_dump(exclude_none=True))
        found = search(**json.loads(call.function.arguments))
        messages.append({"role": "tool", "tool_call_id": call.id, "content": json.dumps(found)})
    return str(client.chat.completions.create(model=MODEL, messages=messages, tools=[TOOL]).choices[0].message.content)


def _client(url: str) -> Any:
    from openai import OpenAI

    return OpenAI(base_url=url, api_key="none", max_retries=0)


def search_handbook(query: str) -> list[dict[str, Any]]:
    """Search the handbook."""
    return ROWS if query else []


def openlit(url: str) -> None:
    """OpenLIT: the client is watched, and functions are traced."""
    import openlit as library

    library.init(service_name="library-desk", disable_metrics=True)

    @library.trace
    def ask(question: str) -> str:
        return prompted(_client(url), search_handbook(question))

    ask(QUESTION)


def openlit_tool(url: str) -> None:
    """OpenLIT around a client that asks for a tool."""
    import openlit as library

    library.init(service_name="library-desk", disable_metrics=True)
    search = library.trace(search_handbook)

    @library.trace
    def ask(question: str) -> str:
        return acting(_client(url), search)

    ask(QUESTION)


def _laminar() -> None:
    from lmnr import Laminar

    port = int(os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"].rsplit(":", 1)[1].split("/")[0])
    Laminar.initialize(
        project_api_key="none", base_url="http://127.0.0.1", http_port=port, force_http=True, disable_batch=True
    )


def laminar(url: str) -> None:
    """Laminar: functions are observed, one of them as a tool."""
    from lmnr import Laminar, observe

    _laminar()
    search = observe(name="search_handbook", span_type="TOOL")(search_handbook)

    @observe(name="ask", session_id="s-1", user_id="u-1")
    def ask(question: str) -> str:
        return acting(_client(url), search)

    ask(QUESTION)
    Laminar.flush()


def laminar_retriever(url: str) -> None:
    """Laminar around a function that retrieves."""
    from lmnr import Laminar, observe

    _laminar()
    retrieve = observe(name="retrieve")(search_handbook)

    @observe(name="ask", session_id="s-1", user_id="u-1")
    def ask(question: str) -> str:
        return prompted(_client(url), retrieve(question))

    ask(QUESTION)
    Laminar.flush()


def logfire(url: str) -> None:
    """Logfire: the client is watched, and functions are spans."""
    import logfire as library
    from opentelemetry import trace

    tracing = trace.get_tracer_provider()
    processor = tracing._active_span_processor  # type: ignore[attr-defined]
    library.configure(
        send_to_logfire=False, console=False, service_name="library-desk", additional_span_processors=[processor]
    )
    client = _client(url)
    library.instrument_openai(client)

    @library.instrument("ask", record_return=True)
    def ask(question: str) -> str:
        return prompted(client, library.instrument("retrieve", record_return=True)(search_handbook)(question))

    ask(QUESTION)


SCENARIOS: dict[str, Callable[[str], None]] = {
    "openlit-prompt": openlit,
    "openlit-tool": openlit_tool,
    "laminar-tool": laminar,
    "laminar-retriever": laminar_retriever,
    "logfire-prompt": logfire,
}
