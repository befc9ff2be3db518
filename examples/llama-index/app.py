"""A small LlamaIndex query engine whose answers Groundwire scores. It needs no network and no key.

Only the lines between the two markers have to do with Groundwire; everything else stands for your own application.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from llama_index.core import Document, PromptTemplate, VectorStoreIndex
from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.llms import CustomLLM
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.query_engine import CitationQueryEngine
from openinference.instrumentation import using_attributes

# --- groundwire: the ten lines
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider(resource=Resource.create({"service.name": "ferry-desk"}))
exporter = OTLPSpanExporter(endpoint="http://127.0.0.1:4318/v1/traces")
provider.add_span_processor(BatchSpanProcessor(exporter))
LlamaIndexInstrumentor().instrument(tracer_provider=provider)
# --- groundwire: end

DOCUMENTS = [
    Document(
        id_="FER-10@3",
        text="Bicycles travel free on every ferry. Motorcycles pay 9 euros a crossing.",
        metadata={"doc_id": "FER-10", "version": "3", "effective_from": "2025-04-01", "supersedes": "FER-10@2"},
    ),
    Document(
        id_="FER-11@1",
        text="Dogs stay on the open deck. Guide dogs may enter the saloon.",
        metadata={"doc_id": "FER-11", "version": "1", "effective_from": "2022-01-01"},
    ),
    Document(
        id_="FER-12@2",
        text="The last ferry leaves the island at 21:40. In storms the island ferry stays in port.",
        metadata={"doc_id": "FER-12", "version": "2", "effective_from": "2024-10-15"},
    ),
]
QUESTIONS = [
    ("vehicles", "What do motorcycles pay for a ferry crossing?"),
    ("animals", "Where do dogs stay on the ferry?"),
    ("timetable", "When does the last ferry leave the island?"),
]


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}", text.lower()))


class WordEmbedding(BaseEmbedding):
    """Stands for your embedding model: counts words in 256 bins."""

    model_name: str = "words-256"

    def _get_text_embedding(self, text: str) -> list[float]:
        bins = [0.0] * 256
        for word in words(text):
            bins[int(hashlib.sha256(word.encode()).hexdigest(), 16) % 256] += 1.0
        return bins

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


class LocalModel(CustomLLM):
    """Stands for your model: quotes the sentence of the numbered sources that shares most words with the question."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(model_name="local-1")

    @llm_completion_callback()
    def complete(self, prompt: str, **_: Any) -> CompletionResponse:
        sources, _, question = prompt.rpartition("Question:")
        quotes = [
            (number, sentence)
            for number, text in re.findall(r"^Source (\d+):\n(.*)$", sources, re.MULTILINE)
            for sentence in re.findall(r"[^.]+", text)
        ]
        number, sentence = max(quotes, key=lambda quote: len(words(question) & words(quote[1])))
        return CompletionResponse(text=f"{sentence.strip()} [{number}].")

    def stream_complete(self, prompt: str, **_: Any) -> CompletionResponseGen:
        yield self.complete(prompt)


index = VectorStoreIndex.from_documents(DOCUMENTS, embed_model=WordEmbedding())
engine = CitationQueryEngine.from_args(
    index,
    llm=LocalModel(),
    similarity_top_k=2,
    citation_qa_template=PromptTemplate("Answer from these sources:\n{context_str}\nQuestion: {query_str}"),
)

if __name__ == "__main__":
    for domain, question in QUESTIONS:
        # What stands in the metadata may become a slice of the scores: see the README beside this file.
        with using_attributes(metadata={"domain": domain}):
            print(f"{question}\n  {engine.query(question)}")
