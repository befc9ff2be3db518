"""A small application traced by hand, whose answers Groundwire scores. It needs no network and no key.

Only the lines between the markers have to do with Groundwire; everything else stands for your own application.
"""

from __future__ import annotations

import json
import re
from typing import Any

# --- groundwire: the exporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider(resource=Resource.create({"service.name": "lost-and-found"}))
exporter = OTLPSpanExporter(endpoint="http://127.0.0.1:4318/v1/traces")
provider.add_span_processor(BatchSpanProcessor(exporter))
tracer = provider.get_tracer("lost-and-found")
# --- groundwire: end

DOCUMENTS: list[dict[str, Any]] = [
    {
        "id": "LOST-1@2",
        "content": "Found umbrellas are kept for 30 days. Unclaimed umbrellas are given to charity.",
        "metadata": {"doc_id": "LOST-1", "version": "2", "effective_from": "2025-11-01", "supersedes": "LOST-1@1"},
    },
    {
        "id": "LOST-2@1",
        "content": "Found wallets are handed to the police. Wallets are returned against a passport.",
        "metadata": {"doc_id": "LOST-2", "version": "1", "effective_from": "2020-01-01"},
    },
    {
        "id": "LOST-3@3",
        "content": "The office opens at 08:30. A search costs 4 euros.",
        "metadata": {"doc_id": "LOST-3", "version": "3", "effective_from": "2024-07-01"},
    },
]
QUESTIONS = [
    ("items", "For how many days are found umbrellas kept?"),
    ("valuables", "Who gets found wallets?"),
    ("office", "What does a search cost?"),
]


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}", text.lower()))


def find(question: str) -> list[dict[str, Any]]:
    """Stands for your retriever: ranks documents by the words they share with the question."""
    found = [{**document, "score": len(words(question) & words(document["content"]))} for document in DOCUMENTS]
    return sorted(found, key=lambda document: -document["score"])[:2]


def ask_model(system: str, question: str) -> tuple[str, dict[str, int]]:
    """Stands for your model: quotes the sentence of the numbered passages that shares most words with the question."""
    passages = re.findall(r"^\[(\d+)\] (.*)$", system, re.MULTILINE)
    quotes = [(number, sentence) for number, text in passages for sentence in re.findall(r"[^.]+", text)]
    number, sentence = max(quotes, key=lambda quote: len(words(question) & words(quote[1])))
    text = f"{sentence.strip()} [{number}]."
    return text, {"input": len(f"{system} {question}".split()), "output": len(text.split())}


# --- groundwire: the spans
def answer(question: str, domain: str) -> str:
    with tracer.start_as_current_span("invoke_workflow lost-and-found") as span:
        span.set_attribute("gen_ai.operation.name", "invoke_workflow")
        span.set_attribute("gen_ai.input.messages", messages("user", question))
        span.set_attribute("domain", domain)
        text = write(question, search(question))
        span.set_attribute("gen_ai.output.messages", messages("assistant", text))
    return text


def search(question: str) -> list[dict[str, Any]]:
    with tracer.start_as_current_span("retrieval handbook") as span:
        span.set_attribute("gen_ai.operation.name", "retrieval")
        span.set_attribute("gen_ai.retrieval.query.text", question)
        documents = find(question)
        span.set_attribute("gen_ai.retrieval.documents", json.dumps(documents))
    return documents


def write(question: str, documents: list[dict[str, Any]]) -> str:
    passages = "\n".join(f"[{i}] {document['content']}" for i, document in enumerate(documents, start=1))
    system = f"Answer from these passages:\n{passages}"
    with tracer.start_as_current_span("chat local-1") as span:
        span.set_attribute("gen_ai.operation.name", "chat")
        span.set_attribute("gen_ai.request.model", "local-1")
        span.set_attribute("gen_ai.system_instructions", json.dumps([{"type": "text", "content": system}]))
        span.set_attribute("gen_ai.input.messages", messages("user", question))
        text, usage = ask_model(system, question)
        span.set_attribute("gen_ai.output.messages", messages("assistant", text))
        span.set_attribute("gen_ai.usage.input_tokens", usage["input"])
        span.set_attribute("gen_ai.usage.output_tokens", usage["output"])
    return text


def messages(role: str, text: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


# --- groundwire: end

if __name__ == "__main__":
    for domain, question in QUESTIONS:
        print(f"{question}\n  {answer(question, domain)}")
