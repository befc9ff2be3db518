"""A small LangChain assistant traced by OpenLLMetry, whose answers Groundwire scores. It needs no network and no key.

Only the lines between the two markers have to do with Groundwire; everything else stands for your own application.
"""

from __future__ import annotations

import re
from typing import Any

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore

# --- groundwire: the ten lines
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.langchain import LangchainInstrumentor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider(resource=Resource.create({"service.name": "swimming-pool"}))
exporter = OTLPSpanExporter(endpoint="http://127.0.0.1:4318/v1/traces")
provider.add_span_processor(BatchSpanProcessor(exporter))
LangchainInstrumentor().instrument(tracer_provider=provider)
# --- groundwire: end

DOCUMENTS = [
    Document(
        id="POOL-1@6",
        page_content="Day tickets cost 6 euros. Children under 4 swim free.",
        metadata={"doc_id": "POOL-1", "version": "6", "effective_from": "2026-01-01", "supersedes": "POOL-1@5"},
    ),
    Document(
        id="POOL-2@2",
        page_content="Lockers take a coin of 1 euro. Lost locker keys cost 20 euros.",
        metadata={"doc_id": "POOL-2", "version": "2", "effective_from": "2023-04-01"},
    ),
    Document(
        id="POOL-3@1",
        page_content="Swimming courses start in October. Courses are booked at the front desk.",
        metadata={"doc_id": "POOL-3", "version": "1", "effective_from": "2025-08-15"},
    ),
]
QUESTIONS = [
    ("tickets", "What do day tickets cost?"),
    ("lockers", "What do lost locker keys cost?"),
    ("courses", "When do swimming courses start?"),
]


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]{3,}", text.lower()))


VOCABULARY = sorted(words(" ".join(document.page_content for document in DOCUMENTS)))


class WordEmbeddings(Embeddings):
    """Stands for your embedding model: one dimension a word."""

    def embed_query(self, text: str) -> list[float]:
        return [float(word in words(text)) for word in VOCABULARY]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]


class LocalChatModel(BaseChatModel):
    """Stands for your model: quotes the sentence of the numbered passages that shares most words with the question."""

    @property
    def _llm_type(self) -> str:
        return "local"

    def _generate(self, messages: Any, *_: Any, **__: Any) -> ChatResult:
        asked = words(messages[-1].text)
        passages = re.findall(r"^\[(\d+)\] (.*)$", messages[0].text, re.MULTILINE)
        quotes = [(number, sentence) for number, text in passages for sentence in re.findall(r"[^.]+", text)]
        number, sentence = max(quotes, key=lambda quote: len(asked & words(quote[1])))
        text = f"{sentence.strip()} [{number}]."
        read, wrote = sum(len(message.text.split()) for message in messages), len(text.split())
        usage = {"input_tokens": read, "output_tokens": wrote, "total_tokens": read + wrote}
        said = AIMessage(content=text, usage_metadata=usage)
        return ChatResult(generations=[ChatGeneration(message=said)], llm_output={"model_name": "local-1"})


def numbered(documents: list[Document]) -> str:
    return "\n".join(f"[{i}] {document.page_content}" for i, document in enumerate(documents, start=1))


store = InMemoryVectorStore(WordEmbeddings())
store.add_documents(DOCUMENTS)
prompt = ChatPromptTemplate.from_messages(
    [("system", "Answer from these passages:\n{context}"), ("human", "{question}")]
)
chain = (
    {"context": store.as_retriever(search_kwargs={"k": 2}) | numbered, "question": RunnablePassthrough()}
    | prompt
    | LocalChatModel()
    | StrOutputParser()
)

if __name__ == "__main__":
    for domain, question in QUESTIONS:
        # What stands in the metadata may become a slice of the scores: see the README beside this file.
        answer = chain.invoke(question, config={"metadata": {"domain": domain}})
        print(f"{question}\n  {answer}")
