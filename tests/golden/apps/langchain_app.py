"""Example RAG applications on langchain-core, each one scenario of the golden traces."""

# ruff: noqa: ARG002 - the signatures are the framework's

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from apps.corpus import RULES, Rule, reply, search
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, ToolMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough, chain
from langchain_core.tools import tool
from openinference.instrumentation import using_attributes

QUESTION = "For how long are books lent?"
SYSTEM = "Answer from the numbered context and cite it like [1].\n\nContext:\n{context}"


class RateLimitError(Exception):
    """What a provider says when it has had enough."""


class Librarian(BaseChatModel):
    """A chat model that knows its answers by heart, counts words as tokens, and calls a tool when it has one."""

    fails: bool = False
    rewrites: bool = False
    tool_name: str | None = None

    @property
    def _llm_type(self) -> str:
        return "librarian"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model": "librarian-1"}

    def _message(self, messages: list[BaseMessage]) -> AIMessage:
        if self.fails:
            raise RateLimitError("Error code: 429 - too many questions today")
        prompt = sum(len(str(message.content).split()) for message in messages)
        question = next(str(m.content) for m in reversed(messages) if isinstance(m, HumanMessage))
        text, calls = reply(question), []
        if self.rewrites:
            text = "For how long are films and books lent?"
        if self.tool_name and not isinstance(messages[-1], ToolMessage):
            text, calls = "", [{"name": self.tool_name, "args": {"query": "books lent weeks"}, "id": "call_1"}]
        usage = {"input_tokens": prompt, "output_tokens": len(text.split()), "total_tokens": prompt + len(text.split())}
        return AIMessage(
            content=text, tool_calls=calls, usage_metadata=usage, response_metadata={"model_name": "librarian-1-0424"}
        )

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        message = self._message(messages)
        return ChatResult(
            generations=[ChatGeneration(message=message)],
            llm_output={"model_name": "librarian-1-0424", "token_usage": {}},
        )

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        message = self._message(messages)
        for i, word in enumerate(str(message.content).split(" ")):
            text = word if i == 0 else " " + word
            yield ChatGenerationChunk(message=AIMessageChunk(content=text))
        yield ChatGenerationChunk(message=AIMessageChunk(content="", usage_metadata=message.usage_metadata))


class Shelf(BaseRetriever):
    """Retrieves by shared words."""

    k: int = 2
    ids: bool = True
    fails: bool = False
    empty: bool = False
    rules: tuple[Rule, ...] = RULES

    def _get_relevant_documents(self, query: str, **_: Any) -> list[Document]:
        if self.fails:
            raise ConnectionError("index unreachable")
        found = [] if self.empty else search(query, self.k, self.rules)
        return [
            Document(page_content=rule.text, metadata=rule.metadata, id=rule.id if self.ids else None)
            for rule, _ in found
        ]


class Reordering(BaseRetriever):
    """Asks another retriever, scores what it found, and keeps the best two."""

    inner: BaseRetriever

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        found = self.inner.invoke(query, config={"callbacks": run_manager.get_child()})
        best = sorted(found, key=lambda d: d.metadata["effective_from"], reverse=True)[:2]
        return [
            document.model_copy(update={"metadata": {**document.metadata, "relevance_score": 0.9 - i / 10}})
            for i, document in enumerate(best)
        ]


def numbered(documents: list[Document]) -> str:
    return "\n".join(f"[{i}] {document.page_content}" for i, document in enumerate(documents, start=1))


def rag(retriever: Runnable, model: BaseChatModel | None = None) -> Runnable:
    prompt = ChatPromptTemplate.from_messages([("system", SYSTEM), ("human", "{question}")])
    return (
        {"context": retriever | numbered, "question": RunnablePassthrough()}
        | prompt
        | (model or Librarian())
        | StrOutputParser()
    )


def basic() -> None:
    rag(Shelf(ids=False)).invoke(QUESTION)


def streaming() -> None:
    for _ in rag(Shelf()).stream("What does an overdue book cost?"):
        pass


def conversation() -> None:
    prompt = ChatPromptTemplate.from_messages(
        [("system", SYSTEM), MessagesPlaceholder("chat_history"), ("human", "{input}")]
    )
    condense = (
        ChatPromptTemplate.from_messages(
            [("system", "Rewrite as a standalone question."), MessagesPlaceholder("chat_history"), ("human", "{input}")]
        )
        | Librarian(rewrites=True)
        | StrOutputParser()
    )
    answering = (
        RunnablePassthrough.assign(context=condense | Shelf())
        | RunnablePassthrough.assign(answer=prompt | Librarian() | StrOutputParser())
    ).with_config(run_name="conversation")
    history = [HumanMessage("Do you lend films?"), AIMessage("Yes, for one week.")]
    with using_attributes(session_id="visit-7", user_id="reader-12", metadata={"tenant": "branch-north"}):
        answering.invoke({"input": "And how long are books lent?", "chat_history": history})


def reranked() -> None:
    rag(Reordering(inner=Shelf(k=4))).invoke(QUESTION)


def model_fails() -> None:
    with suppress(RateLimitError):
        rag(Shelf(), Librarian(fails=True)).invoke(QUESTION)


def retriever_falls_back() -> None:
    rag(Shelf(fails=True).with_fallbacks([Shelf(k=1)])).invoke(QUESTION)


def retriever_fails() -> None:
    with suppress(ConnectionError):
        rag(Shelf(fails=True)).invoke(QUESTION)


def nothing_found() -> None:
    rag(Shelf(empty=True)).invoke("Where do whales sleep?")


def agent() -> None:
    shelf = Shelf()

    @tool
    def handbook(query: str) -> str:
        """Search the handbook."""
        return numbered(shelf.invoke(query))

    model = Librarian(tool_name="handbook")

    @chain
    def library_agent(state: dict[str, Any]) -> dict[str, Any]:
        messages = list(state["messages"])
        while True:
            answer = model.invoke(messages)
            messages.append(answer)
            if not answer.tool_calls:
                return {"messages": messages}
            messages += [handbook.invoke(call) for call in answer.tool_calls]

    library_agent.invoke({"messages": [HumanMessage(QUESTION)]})


def batch() -> None:
    questions = [QUESTION, "What does an overdue book cost?", "Is the card free?"]
    asyncio.run(rag(Shelf()).abatch(questions))


def context_lost() -> None:
    """A thread pool forgets the context, so the retriever's span starts a trace of its own."""
    shelf = Shelf()

    def elsewhere(question: str) -> list[Document]:
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(lambda: shelf.invoke(question, config={"callbacks": []})).result()

    rag(RunnableLambda(elsewhere)).invoke(QUESTION)


def many_passages() -> None:
    """Seventy passages take 140 attributes, and the SDK keeps 128."""
    rules = tuple(
        Rule("SHELF", str(n), f"Books on shelf {n} are lent for four weeks.", "2024-07-01") for n in range(1, 71)
    )
    rag(Shelf(k=70, rules=rules)).invoke(QUESTION)


def misnamed() -> None:
    """A name with "agent" in it makes an AGENT of whatever bears it."""
    rag(
        Shelf().with_config(run_name="agent_shelf"),
        Librarian().with_config(run_name="agent_model"),  # type: ignore[arg-type]
    ).invoke(QUESTION)


def mapped() -> None:
    rag(Shelf()).map().invoke([QUESTION, "Is the card free?"])


def abandoned() -> None:
    """A user who closes the page before the answer is there."""
    words = rag(Shelf()).stream(QUESTION)
    next(words)
    words.close()


def retriever_only() -> None:
    Shelf().invoke(QUESTION)


def formatter_only() -> None:
    (Shelf() | numbered).invoke(QUESTION)


SCENARIOS = {
    "basic": basic,
    "streaming": streaming,
    "conversation": conversation,
    "reranked": reranked,
    "model-fails": model_fails,
    "retriever-falls-back": retriever_falls_back,
    "retriever-fails": retriever_fails,
    "nothing-found": nothing_found,
    "agent": agent,
    "batch": batch,
    "context-lost": context_lost,
    "many-passages": many_passages,
    "misnamed": misnamed,
    "mapped": mapped,
    "abandoned": abandoned,
    "retriever-only": retriever_only,
    "formatter-only": formatter_only,
    "redacted": conversation,
    "cut": conversation,
    "dual": basic,
}
