"""A small builder of OpenInference traces, for what no recorded application shows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from adapters.detect import AdaptOptions, adapt_trace
from adapters.schema import Answer
from adapters.trace import Event, Span, Trace

TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
FIRST_NS = 1_760_000_000_000_000_000
STEP_NS = 1_000_000


class Application:
    """Spans in the order they are added; each lasts until after the last one added below it."""

    def __init__(self, framework: str = "langchain", resource: Mapping[str, Any] | None = None) -> None:
        self.scope = f"openinference.instrumentation.{framework}"
        self.resource = dict(resource or {})
        self.spans: list[dict[str, Any]] = []

    def span(self, name: str, kind: str | None, parent: str | None = None, **given: Any) -> str:
        """Add a span and return its id; ``input``, ``output``, ``error`` and raw ``attributes`` may be given."""
        number = len(self.spans) + 1
        attributes: dict[str, Any] = {} if kind is None else {"openinference.span.kind": kind}
        for side in ("input", "output"):
            if (value := given.get(side)) is not None:
                attributes[f"{side}.value"] = value if isinstance(value, str) else json.dumps(value)
                if not isinstance(value, str):
                    attributes[f"{side}.mime_type"] = "application/json"
        attributes |= given.get("attributes", {})
        error = given.get("error")
        events = given.get("events", ())
        if error is not None:
            kind_of, message = error
            events = (*events, Event("exception", 1, {"exception.type": kind_of, "exception.message": message}))
        self.spans.append(
            {
                "span_id": f"{number:016x}",
                "parent_id": parent,
                "name": name,
                "start_ns": FIRST_NS + number * STEP_NS,
                "attributes": attributes,
                "events": events,
                "status_code": 2 if error is not None else given.get("status", 1),
                "status_message": given.get("message", ""),
                "dropped_attributes": given.get("dropped", 0),
                "scope_name": given.get("scope", self.scope),
                "parent_remote": given.get("parent_remote"),
            }
        )
        return self.spans[-1]["span_id"]

    def retriever(
        self, parent: str | None = None, *documents: Mapping[str, Any], query: str = "Q?", **given: Any
    ) -> str:
        attributes = flat(documents, "retrieval.documents") | given.pop("attributes", {})
        name = given.pop("name", "Retriever")
        return self.span(name, given.pop("kind", "RETRIEVER"), parent, input=query, attributes=attributes, **given)

    def model(self, parent: str | None = None, *prompt: tuple[str, str], says: str | None = "A.", **given: Any) -> str:
        attributes: dict[str, Any] = {"llm.model_name": "m-1"}
        for i, (role, content) in enumerate(prompt):
            attributes |= {f"llm.input_messages.{i}.message.role": role}
            attributes |= {f"llm.input_messages.{i}.message.content": content}
        attributes["llm.output_messages.0.message.role"] = "assistant"
        if says is not None:
            attributes["llm.output_messages.0.message.content"] = says
        if (tokens := given.pop("tokens", None)) is not None:
            attributes |= {"llm.token_count.prompt": tokens[0], "llm.token_count.completion": tokens[1]}
        attributes |= given.pop("attributes", {})
        return self.span(given.pop("name", "Model"), given.pop("kind", "LLM"), parent, attributes=attributes, **given)

    def trace(self, *, complete: bool = True) -> Trace:
        ends = {}
        for number, span in reversed(list(enumerate(self.spans, start=1))):
            end = max(ends.get(span["span_id"], 0), span["start_ns"] + STEP_NS // 2)
            ends[span["span_id"]] = end
            parent = span["parent_id"]
            ends[parent] = max(ends.get(parent, 0), end + number)
        built = [Span(trace_id=TRACE_ID, end_ns=ends[s["span_id"]], resource=self.resource, **s) for s in self.spans]
        return Trace.of(TRACE_ID, built, complete=complete)

    def answers(self, *, complete: bool = True, **options: Any) -> tuple[Answer, ...]:
        return adapt_trace(self.trace(complete=complete), AdaptOptions(**options))

    def answer(self, **options: Any) -> Answer:
        (answer,) = self.answers(**options)
        return answer


def flat(documents: tuple[Mapping[str, Any], ...], prefix: str) -> dict[str, Any]:
    """Documents as OpenInference flattens them; ``index`` may be given."""
    attributes = {}
    for i, document in enumerate(documents):
        for key, value in document.items():
            if key != "index":
                raw = json.dumps(value) if key == "metadata" and not isinstance(value, str) else value
                attributes[f"{prefix}.{document.get('index', i)}.document.{key}"] = raw
    return attributes


@pytest.fixture
def app() -> Application:
    return Application()


@pytest.fixture
def llamaindex() -> Application:
    return Application("llama_index")


@pytest.fixture
def haystack() -> Application:
    return Application("haystack")


@pytest.fixture
def reranked() -> Any:
    """Attributes of a reranker: what goes in, what comes out."""

    def attributes(inputs: tuple[Mapping[str, Any], ...], outputs: tuple[Mapping[str, Any], ...]) -> dict[str, Any]:
        return flat(inputs, "reranker.input_documents") | flat(outputs, "reranker.output_documents")

    return attributes
