"""A small Haystack pipeline whose answers Groundwire scores. It needs no network and no key.

Only the lines between the two markers have to do with Groundwire; everything else stands for your own application.
"""

from __future__ import annotations

import os
import re
from typing import Any

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # Haystack reports its use to its makers unless told otherwise

from haystack import Document, Pipeline, component
from haystack.components.builders import ChatPromptBuilder
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore
from openinference.instrumentation import using_attributes

# --- groundwire: the ten lines
from openinference.instrumentation.haystack import HaystackInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider(resource=Resource.create({"service.name": "bicycle-workshop"}))
exporter = OTLPSpanExporter(endpoint="http://127.0.0.1:4318/v1/traces")
provider.add_span_processor(BatchSpanProcessor(exporter))
HaystackInstrumentor().instrument(tracer_provider=provider)
# --- groundwire: end

DOCUMENTS = [
    Document(
        id="BIK-1@4",
        content="Chains are replaced at 0.75 percent wear. Worn chains ruin the cassette.",
        meta={"doc_id": "BIK-1", "version": "4", "effective_from": "2025-02-01", "supersedes": "BIK-1@3"},
    ),
    Document(
        id="BIK-2@1",
        content="Carbon seatposts are tightened to 5 newton metres. Grease is kept off carbon seatposts.",
        meta={"doc_id": "BIK-2", "version": "1", "effective_from": "2023-09-01"},
    ),
    Document(
        id="BIK-3@1",
        content="Brake pads are replaced below 2 millimetres. Brake discs are cleaned with alcohol.",
        meta={"doc_id": "BIK-3", "version": "1", "effective_from": "2021-01-01", "effective_to": "2025-06-30"},
    ),
]
QUESTIONS = [
    ("drivetrain", "At which wear are chains replaced?"),
    ("frame", "How far are carbon seatposts tightened?"),
    ("brakes", "When are brake pads replaced?"),
]
TEMPLATE = """Answer from these passages:
{% for document in documents %}[{{ loop.index }}] {{ document.content }}
{% endfor %}Question: {{ question }}"""


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}", text.lower()))


@component
class LocalChatGenerator:
    """Stands for your model: quotes the sentence of the numbered passages that shares most words with the question."""

    @component.output_types(replies=list[ChatMessage])
    def run(self, messages: list[ChatMessage]) -> dict[str, Any]:
        prompt = messages[-1].text or ""
        asked = words(prompt.rpartition("Question:")[2])
        passages = re.findall(r"^\[(\d+)\] (.*)$", prompt, re.MULTILINE)
        quotes = [(number, sentence) for number, text in passages for sentence in re.split(r"\.(?: |$)", text)]
        number, sentence = max(quotes, key=lambda quote: len(asked & words(quote[1])))
        text = f"{sentence} [{number}]."
        usage = {"prompt_tokens": len(prompt.split()), "completion_tokens": len(text.split())}
        usage["total_tokens"] = sum(usage.values())
        return {"replies": [ChatMessage.from_assistant(text, meta={"model": "local-1", "usage": usage})]}


store = InMemoryDocumentStore()
store.write_documents(DOCUMENTS)
pipeline = Pipeline()
pipeline.add_component("retriever", InMemoryBM25Retriever(store, top_k=2))
pipeline.add_component(
    "prompt", ChatPromptBuilder([ChatMessage.from_user(TEMPLATE)], required_variables=["documents", "question"])
)
pipeline.add_component("llm", LocalChatGenerator())
pipeline.connect("retriever.documents", "prompt.documents")
pipeline.connect("prompt.prompt", "llm.messages")

if __name__ == "__main__":
    for domain, question in QUESTIONS:
        # What stands in the metadata may become a slice of the scores: see the README beside this file.
        with using_attributes(metadata={"domain": domain}):
            result = pipeline.run({"retriever": {"query": question}, "prompt": {"question": question}})
        print(f"{question}\n  {result['llm']['replies'][0].text}")
