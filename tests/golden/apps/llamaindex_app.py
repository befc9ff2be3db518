"""Example RAG applications on llama-index-core, each one scenario of the golden traces."""

# ruff: noqa: ARG002, FBT001, FBT002 - the signatures are the framework's

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import suppress
from typing import Any

from apps.corpus import RULES, reply, search
from llama_index.core import QueryBundle
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    CompletionResponse,
    CompletionResponseGen,
    LLMMetadata,
    MessageRole,
)
from llama_index.core.chat_engine import CondensePlusContextChatEngine
from llama_index.core.llms import CustomLLM
from llama_index.core.llms.callbacks import llm_chat_callback, llm_completion_callback
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import ResponseMode, get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever, QueryFusionRetriever
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.core.tools import FunctionTool
from openinference.instrumentation import using_attributes

QUESTION = "What does an overdue book cost?"


class Completer(CustomLLM):
    """A completion model without token counts."""

    fails: bool = False

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(model_name="completer-1")

    def _text(self, prompt: str) -> str:
        if self.fails:
            raise TimeoutError("the model took too long")
        if "standalone question" in prompt:
            return "What does an overdue film cost?"
        refined = prompt.partition("original query is as follows:")[2].partition("\n")[0]
        return reply(refined or prompt.rsplit("Query:", 1)[-1])

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text=self._text(prompt))

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        def words() -> CompletionResponseGen:
            said = ""
            for word in self._text(prompt).split(" "):
                said += word if not said else " " + word
                yield CompletionResponse(text=said, delta=word)

        return words()


class Caller(FunctionCallingLLM):
    """A chat model that calls its tool once, then answers."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(model_name="caller-1", is_chat_model=True, is_function_calling_model=True)

    def _response(self, messages: Sequence[ChatMessage]) -> ChatResponse:
        called = any(message.role == MessageRole.TOOL for message in messages)
        question = next(str(m.content) for m in messages if m.role == MessageRole.USER)
        message = ChatMessage(role=MessageRole.ASSISTANT, content=reply(question) if called else "")
        if not called:
            message.additional_kwargs["tool_calls"] = [{"id": "call_1", "name": "handbook", "query": "overdue cost"}]
        return ChatResponse(
            message=message, raw={"usage": {"prompt_tokens": 21, "completion_tokens": 9, "total_tokens": 30}}
        )

    @llm_chat_callback()
    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return self._response(messages)

    @llm_chat_callback()
    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return self._response(messages)

    @llm_chat_callback()
    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> Generator[ChatResponse, None, None]:
        def once() -> Generator[ChatResponse, None, None]:
            yield self._response(messages)

        return once()

    @llm_chat_callback()
    async def astream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> AsyncGenerator[ChatResponse, None]:
        async def once() -> AsyncGenerator[ChatResponse, None]:
            yield self._response(messages)

        return once()

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        raise NotImplementedError

    async def acomplete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        raise NotImplementedError

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        raise NotImplementedError

    async def astream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> Any:
        raise NotImplementedError

    def _prepare_chat_with_tools(
        self, tools: Sequence[Any], user_msg: Any = None, chat_history: Any = None, **kwargs: Any
    ) -> dict[str, Any]:
        return {"messages": list(chat_history or [])}

    def get_tool_calls_from_response(
        self, response: ChatResponse, error_on_no_tool_call: bool = True, **kwargs: Any
    ) -> list[ToolSelection]:
        return [
            ToolSelection(tool_id=call["id"], tool_name=call["name"], tool_kwargs={"query": call["query"]})
            for call in response.message.additional_kwargs.get("tool_calls", [])
        ]


class Shelf(BaseRetriever):
    """Retrieves by shared words."""

    def __init__(self, k: int = 2, *, fails: bool = False) -> None:
        self.k, self.fails = k, fails
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if self.fails:
            raise ConnectionError("index unreachable")
        return [
            NodeWithScore(
                node=TextNode(
                    id_=rule.id,
                    text=rule.text,
                    metadata=rule.metadata,
                    excluded_llm_metadata_keys=list(rule.metadata),
                    excluded_embed_metadata_keys=list(rule.metadata),
                ),
                score=score,
            )
            for rule, score in search(query_bundle.query_str, self.k, RULES)
        ]


class Newest(BaseNodePostprocessor):
    """Keeps the passage in force for longest of each rule, and says it reranked."""

    model: str = "newest-first"
    top_n: int = 1

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        from llama_index.core.instrumentation import get_dispatcher
        from llama_index.core.instrumentation.events.rerank import ReRankEndEvent, ReRankStartEvent

        dispatcher = get_dispatcher(__name__)
        dispatcher.event(ReRankStartEvent(query=query_bundle, nodes=nodes, top_n=self.top_n, model_name=self.model))
        kept = sorted(nodes, key=lambda n: n.node.metadata["effective_from"], reverse=True)[: self.top_n]
        kept = [NodeWithScore(node=node.node, score=0.8) for node in kept]
        dispatcher.event(ReRankEndEvent(nodes=kept))
        return kept


def engine(retriever: BaseRetriever | None = None, *, streaming: bool = False, **options: Any) -> RetrieverQueryEngine:
    llm = options.pop("llm", Completer())
    return RetrieverQueryEngine(
        retriever=retriever or Shelf(),
        response_synthesizer=get_response_synthesizer(llm=llm, streaming=streaming),
        **options,
    )


def basic() -> None:
    engine().query(QUESTION)


def refined() -> None:
    """A model call a passage, each refining the answer of the last."""
    refine = get_response_synthesizer(llm=Completer(), response_mode=ResponseMode.REFINE)
    RetrieverQueryEngine(retriever=Shelf(3), response_synthesizer=refine).query(QUESTION)


def streaming() -> None:
    for _ in engine(streaming=True).query(QUESTION).response_gen:
        pass


def reranked() -> None:
    fusion = QueryFusionRetriever(
        [Shelf(3), Shelf(2)],
        llm=Completer(),
        num_queries=1,
        mode="reciprocal_rerank",
        use_async=False,
        similarity_top_k=3,
    )
    engine(fusion, node_postprocessors=[Newest()]).query(QUESTION)


def conversation() -> None:
    chat = CondensePlusContextChatEngine.from_defaults(retriever=Shelf(), llm=Completer())
    with using_attributes(session_id="visit-8", user_id="reader-13"):
        chat.chat("What does an overdue book cost?")
        chat.chat("And an overdue film?")


def model_fails() -> None:
    with suppress(TimeoutError):
        engine(llm=Completer(fails=True)).query(QUESTION)


def retriever_fails() -> None:
    with suppress(ConnectionError):
        engine(Shelf(fails=True)).query(QUESTION)


def agent() -> None:
    shelf = Shelf()

    def handbook(query: str) -> str:
        """Search the handbook."""
        return "\n".join(node.text for node in shelf.retrieve(query))

    async def run() -> None:
        worker = FunctionAgent(tools=[FunctionTool.from_defaults(handbook)], llm=Caller(), streaming=False)
        await worker.run(user_msg=QUESTION)

    asyncio.run(run())


SCENARIOS = {
    "basic": basic,
    "refined": refined,
    "streaming": streaming,
    "reranked": reranked,
    "conversation": conversation,
    "model-fails": model_fails,
    "retriever-fails": retriever_fails,
    "agent": agent,
    "redacted": basic,
    "cut": basic,
}
