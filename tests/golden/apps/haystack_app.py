"""Example RAG applications on haystack-ai, each one scenario of the golden traces."""

# ruff: noqa: ARG002 - the sockets are the component's signature

from __future__ import annotations

from contextlib import suppress
from typing import Any

from apps.corpus import RULES, reply
from haystack import Document, Pipeline, component
from haystack.components.agents import Agent
from haystack.components.builders import ChatPromptBuilder, PromptBuilder
from haystack.components.joiners import DocumentJoiner
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.core.errors import PipelineRuntimeError
from haystack.dataclasses import ChatMessage, StreamingChunk, ToolCall
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.tools import Tool
from openinference.instrumentation import using_attributes

QUESTION = "For how long are books lent?"
TEMPLATE = (
    "Context:\n{% for d in documents %}[{{ loop.index }}] {{ d.content }}\n{% endfor %}\nQuestion: {{ question }}"
)


@component
class WordGenerator:
    """A completion model."""

    @component.output_types(replies=list[str], meta=list[dict[str, Any]])
    def run(self, prompt: str) -> dict[str, Any]:
        text = reply(prompt.rsplit("Question:", 1)[-1])
        tokens = {"prompt_tokens": len(prompt.split()), "completion_tokens": len(text.split())}
        tokens["total_tokens"] = sum(tokens.values())
        return {"replies": [text], "meta": [{"model": "words-1", "usage": tokens}]}


@component
class WordChatGenerator:
    """A chat model; with a tool it calls the tool first."""

    def __init__(self, fails: bool = False) -> None:  # noqa: FBT001, FBT002 - a component's option
        self.fails = fails

    @component.output_types(replies=list[ChatMessage])
    def run(
        self, messages: list[ChatMessage], tools: list[Tool] | None = None, streaming_callback: Any = None
    ) -> dict[str, Any]:
        if self.fails:
            raise TimeoutError("the model took too long")
        meta = {
            "model": "words-chat-1",
            "usage": {"prompt_tokens": 30, "completion_tokens": 7, "total_tokens": 37},
            "finish_reason": "stop",
        }
        if tools and not any(message.tool_call_results for message in messages):
            call = ToolCall(tool_name=tools[0].name, arguments={"query": "books lent weeks"}, id="call_1")
            return {"replies": [ChatMessage.from_assistant(tool_calls=[call], meta=meta)]}
        question = next(m.text or "" for m in reversed(messages) if m.is_from("user"))
        text = reply(question.rsplit("Question:", 1)[-1])
        if streaming_callback is not None:
            for word in text.split(" "):
                streaming_callback(StreamingChunk(content=word + " "))
        return {"replies": [ChatMessage.from_assistant(text, meta=meta)]}


@component
class NewestRanker:
    """Keeps the newest documents."""

    def __init__(self) -> None:
        self.model_name = "newest-first"

    @component.output_types(documents=list[Document])
    def run(self, query: str, documents: list[Document], top_k: int = 2) -> dict[str, Any]:
        best = sorted(documents, key=lambda d: d.meta["effective_from"], reverse=True)[:top_k]
        return {"documents": [Document(id=d.id, content=d.content, meta=d.meta, score=0.7) for d in best]}


@component
class FailingRetriever:
    """An index that is down."""

    @component.output_types(documents=list[Document])
    def run(self, query: str) -> dict[str, Any]:
        raise ConnectionError("index unreachable")


def store() -> InMemoryDocumentStore:
    filled = InMemoryDocumentStore()
    filled.write_documents([Document(id=rule.id, content=rule.text, meta=rule.metadata) for rule in RULES])
    return filled


def chat_pipeline(*, fails: bool = False) -> Pipeline:
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(store(), top_k=2))
    pipeline.add_component(
        "prompt", ChatPromptBuilder([ChatMessage.from_user(TEMPLATE)], required_variables=["documents", "question"])
    )
    pipeline.add_component("llm", WordChatGenerator(fails=fails))
    pipeline.connect("retriever.documents", "prompt.documents")
    pipeline.connect("prompt.prompt", "llm.messages")
    return pipeline


def inputs(question: str) -> dict[str, dict[str, Any]]:
    return {"retriever": {"query": question}, "prompt": {"question": question}}


def basic() -> None:
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(store(), top_k=2))
    pipeline.add_component("prompt", PromptBuilder(TEMPLATE, required_variables=["documents", "question"]))
    pipeline.add_component("llm", WordGenerator())
    pipeline.connect("retriever.documents", "prompt.documents")
    pipeline.connect("prompt.prompt", "llm.prompt")
    pipeline.run(inputs(QUESTION))


def session() -> None:
    with using_attributes(session_id="visit-9", user_id="reader-14"):
        chat_pipeline().run(inputs("Is the card free for children?"))


def streaming() -> None:
    given = inputs(QUESTION)
    given["llm"] = {"streaming_callback": lambda _chunk: None}
    chat_pipeline().run(given)


def hybrid() -> None:
    pipeline = Pipeline()
    pipeline.add_component("words", InMemoryBM25Retriever(store(), top_k=2))
    pipeline.add_component("more", InMemoryBM25Retriever(store(), top_k=3, scale_score=True))
    pipeline.add_component("joiner", DocumentJoiner(join_mode="reciprocal_rank_fusion"))
    pipeline.add_component("ranker", NewestRanker())
    pipeline.add_component(
        "prompt", ChatPromptBuilder([ChatMessage.from_user(TEMPLATE)], required_variables=["documents", "question"])
    )
    pipeline.add_component("llm", WordChatGenerator())
    for name in ("words", "more"):
        pipeline.connect(f"{name}.documents", "joiner.documents")
    pipeline.connect("joiner.documents", "ranker.documents")
    pipeline.connect("ranker.documents", "prompt.documents")
    pipeline.connect("prompt.prompt", "llm.messages")
    query = {"query": QUESTION}
    pipeline.run({"words": query, "more": query, "ranker": query, "prompt": {"question": QUESTION}})


def model_fails() -> None:
    with suppress(PipelineRuntimeError):
        chat_pipeline(fails=True).run(inputs(QUESTION))


def retriever_fails() -> None:
    pipeline = Pipeline()
    pipeline.add_component("retriever", FailingRetriever())
    pipeline.add_component("prompt", PromptBuilder(TEMPLATE, required_variables=["documents", "question"]))
    pipeline.add_component("llm", WordGenerator())
    pipeline.connect("retriever.documents", "prompt.documents")
    pipeline.connect("prompt.prompt", "llm.prompt")
    with suppress(PipelineRuntimeError):
        pipeline.run(inputs(QUESTION))


def agent() -> None:
    retriever = InMemoryBM25Retriever(store(), top_k=2)

    def search(query: str) -> str:
        return "\n".join(document.content or "" for document in retriever.run(query=query)["documents"])

    handbook = Tool(
        name="handbook",
        description="Search the handbook",
        parameters={"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
        function=search,
    )
    pipeline = Pipeline()
    pipeline.add_component("agent", Agent(chat_generator=WordChatGenerator(), tools=[handbook]))
    pipeline.run({"agent": {"messages": [ChatMessage.from_user(QUESTION)]}})


SCENARIOS = {
    "basic": basic,
    "session": session,
    "streaming": streaming,
    "hybrid": hybrid,
    "model-fails": model_fails,
    "retriever-fails": retriever_fails,
    "agent": agent,
    "redacted": session,
    "cut": session,
}
