"""Example applications under Langfuse's SDK: decorated functions, observations by hand, its handler and wrapper."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from apps.client_app import QUESTION, SYSTEM, provider
from apps.corpus import Rule, reply, search
from langfuse import Langfuse, get_client, observe, propagate_attributes
from langfuse.api import Prompt_Text
from langfuse.model import TextPromptClient

Run = Callable[[], None]


class RateLimitError(Exception):
    """What a provider says when it has had enough."""


def numbered(texts: list[str]) -> str:
    return "\n".join(f"[{i}] {text}" for i, text in enumerate(texts, start=1))


def asked(question: str, texts: list[str]) -> list[dict[str, str]]:
    return [
        {"role": "system", "content": SYSTEM.format(context=numbered(texts))},
        {"role": "user", "content": question},
    ]


def row(rule: Rule, score: float) -> dict[str, Any]:
    return {"id": rule.id, "content": rule.text, "score": score, "metadata": rule.metadata}


@observe(as_type="retriever")
def shelf(question: str, k: int = 2) -> list[dict[str, Any]]:
    return [row(rule, score) for rule, score in search(question, k)]


@observe(as_type="generation")
def librarian(messages: list[dict[str, str]], *, fails: bool = False) -> str:
    if fails:
        raise RateLimitError("Error code: 429 - too many questions today")
    text = reply(messages[-1]["content"])
    used = sum(len(message["content"].split()) for message in messages)
    get_client().update_current_generation(
        model="librarian-1-0424",
        model_parameters={"temperature": 0},
        usage_details={"input": used, "output": len(text.split()), "total": used + len(text.split())},
    )
    return text


@observe()
def desk(question: str, *, fails: bool = False) -> str:
    found = shelf(question)
    return librarian(asked(question, [each["content"] for each in found]), fails=fails)


def basic() -> None:
    visit = {"session_id": "visit-7", "user_id": "reader-12", "tags": ["desk"], "trace_name": "desk", "version": "7"}
    with propagate_attributes(**visit, metadata={"tenant": "branch-north", "floor": "2"}):
        desk(QUESTION)


def model_fails() -> None:
    with suppress(RateLimitError):
        desk(QUESTION, fails=True)


def managed() -> TextPromptClient:
    """A prompt as Langfuse's prompt management hands it out."""
    return TextPromptClient(
        Prompt_Text(
            name="desk-answer", version=3, prompt=SYSTEM, config={}, labels=["production"], tags=[], type="text"
        )
    )


def by_hand() -> None:
    """Observations that code opens itself, with names of its own for what a passage has, and nested metadata."""
    client = get_client()
    opened = {"name": "desk", "as_type": "chain", "input": {"question": QUESTION, "language": "en"}}
    with client.start_as_current_observation(
        **opened, metadata={"tenant": "branch-north", "shop": {"floor": 2}}
    ) as root:
        with client.start_as_current_observation(name="bm25", as_type="retriever", input=QUESTION) as retriever:
            found = search(QUESTION, 2)
            retriever.update(
                output={
                    "matches": [
                        {
                            "chunk_id": rule.id,
                            "chunk_text": rule.text,
                            "similarity": score,
                            "doc_id": rule.doc_id,
                            "version": rule.version,
                            "url": rule.metadata["url"],
                        }
                        for rule, score in found
                    ]
                }
            )
        messages = asked(QUESTION, [rule.text for rule, _ in found])
        with client.start_as_current_observation(
            name="answer", as_type="generation", model="librarian-1", input=messages, prompt=managed()
        ) as generation:
            text = reply(QUESTION)
            generation.update(
                output={"role": "assistant", "content": text},
                completion_start_time=datetime.now(UTC),
                usage_details={"input": 20, "input_cached_tokens": 12, "output": 8},
                cost_details={"input": 0.00002, "output": 0.00001},
            )
        root.update(output={"answer": text, "sources": [rule.id for rule, _ in found]})


@observe(name="retrieve_candidates")
def untyped_search(question: str) -> list[list[Any]]:
    return [[{"page_content": rule.text, "metadata": rule.metadata}, score] for rule, score in search(question, 4)]


@observe(name="rerank")
def rerank(question: str, documents: list[Any]) -> list[dict[str, Any]]:
    assert question
    get_client().update_current_span(metadata={"model": "reranker-1"})
    best = sorted(range(len(documents)), key=lambda i: documents[i][0]["metadata"]["effective_from"], reverse=True)[:2]
    return [{"index": i, "relevance_score": 0.9 - place / 10} for place, i in enumerate(best)]


@observe(name="desk")
def reranking(question: str) -> str:
    """Steps that nobody gave a type: their names and what they return tell what they are."""
    found = untyped_search(question)
    kept = [found[each["index"]][0]["page_content"] for each in rerank(question, found)]
    return librarian(asked(question, kept))


@observe(name="desk")
def streaming_desk(question: str) -> Iterator[str]:
    found = shelf(question)
    text = librarian(asked(question, [each["content"] for each in found]))
    yield from (word if i == 0 else " " + word for i, word in enumerate(text.split(" ")))


def streaming() -> None:
    assert "".join(streaming_desk(QUESTION))


@observe(name="desk")
async def asynchronous_desk(question: str) -> AsyncIterator[str]:
    for word in librarian(asked(question, [each["content"] for each in shelf(question)])).split(" "):
        yield word + " "


def asynchronous() -> None:
    async def run() -> None:
        assert [word async for word in asynchronous_desk(QUESTION)]

    asyncio.run(run())


def all_kinds() -> None:
    """Every type of observation in one trace: only what answers counts as a model call of the answer."""
    client = get_client()
    with client.start_as_current_observation(name="desk", as_type="agent", input=QUESTION) as root:
        with client.start_as_current_observation(name="polite", as_type="guardrail", input=QUESTION) as guardrail:
            guardrail.update(output={"passed": True})
        with client.start_as_current_observation(
            name="embed", as_type="embedding", model="embedder-1", input=QUESTION
        ) as embedding:
            embedding.update(output={"dimensions": 2}, usage_details={"input": 6})
        found = [each["content"] for each in shelf(QUESTION)]
        client.create_event(name="found", input={"n": len(found)})
        with client.start_as_current_observation(name="clock", as_type="tool", input={"zone": "UTC"}) as tool:
            tool.update(output="noon")
        text = librarian(asked(QUESTION, found))
        with client.start_as_current_observation(name="judge", as_type="evaluator", input=text) as evaluator:
            with client.start_as_current_observation(
                name="judge-model", as_type="generation", model="judge-1", input="Is it kind?"
            ) as judge:
                judge.update(output="yes", usage_details={"input": 3, "output": 1})
            evaluator.update(output={"score": 1})
        root.update(output=text)


def below_a_span_that_is_not_exported() -> None:
    """The web framework's span is no business of Langfuse: the trace's root has a parent that never comes."""
    from opentelemetry import trace

    with trace.get_tracer("web").start_as_current_span("POST /ask"):
        desk(QUESTION)


def retriever_only() -> None:
    shelf(QUESTION)


def nothing_found() -> None:
    @observe(as_type="retriever")
    def empty_shelf(question: str) -> list[dict[str, Any]]:
        return search(question, 0)

    @observe(name="desk")
    def unhelpful(question: str) -> str:
        empty_shelf(question)
        return librarian(asked(question, []))

    unhelpful("Where do whales sleep?")


def openai_client(**how: Any) -> Run:
    def run() -> None:
        from langfuse.openai import OpenAI

        @observe(name="desk")
        def answered(question: str) -> str:
            found = [each["content"] for each in shelf(question)]
            chat = client.chat.completions
            given = chat.create(model="librarian-1", messages=asked(question, found), **how)
            if not how.get("stream"):
                return given.choices[0].message.content
            return "".join(chunk.choices[0].delta.content or "" for chunk in given if chunk.choices)

        with provider() as url, OpenAI(base_url=url, api_key="none", max_retries=0) as client:
            answered(QUESTION)

    return run


def langchain(build: str) -> Run:
    def run() -> None:
        from apps import langchain_app as chains
        from langchain_core.messages import AIMessage, HumanMessage
        from langchain_core.tools import tool
        from langfuse.langchain import CallbackHandler

        visit = {"langfuse_session_id": "visit-7", "langfuse_user_id": "reader-12", "tenant": "branch-north"}
        config: Any = {"callbacks": [CallbackHandler()], "metadata": visit}
        kept = chains.Shelf()
        if build == "agent":
            from langchain_core.runnables import chain

            @tool
            def handbook(query: str) -> str:
                """Search the handbook."""
                return chains.numbered(kept.invoke(query))

            model = chains.Librarian(tool_name="handbook")

            @chain
            def library_agent(state: dict[str, Any]) -> dict[str, Any]:
                messages = list(state["messages"])
                while True:
                    messages.append(model.invoke(messages, tools=[{"name": "handbook", "description": "Search."}]))
                    if not messages[-1].tool_calls:
                        return {"messages": messages}
                    messages += [handbook.invoke(call) for call in messages[-1].tool_calls]

            library_agent.invoke({"messages": [HumanMessage(QUESTION)]}, config=config)
        elif build == "history":
            prompt = chains.ChatPromptTemplate.from_messages(
                [("system", SYSTEM), chains.MessagesPlaceholder("chat_history"), ("human", "{input}")]
            )
            answering = chains.RunnablePassthrough.assign(
                context=lambda given: chains.numbered(kept.invoke(given["input"]))
            ) | chains.RunnablePassthrough.assign(answer=prompt | chains.Librarian() | chains.StrOutputParser())
            past = [HumanMessage("Do you lend films?"), AIMessage("Yes, for one week.")]
            answering.invoke({"input": QUESTION, "chat_history": past}, config=config)
        else:
            with suppress(chains.RateLimitError):
                chains.rag(kept, chains.Librarian(fails=build == "fails")).invoke(QUESTION, config=config)

    return run


def masked(*, data: Any, **_: Any) -> Any:
    return "[REDACTED]" if isinstance(data, str | dict | list) else data


def without_content() -> None:
    os.environ["LANGFUSE_OBSERVE_DECORATOR_IO_CAPTURE_ENABLED"] = "false"

    @observe(as_type="generation")
    def quiet(messages: list[dict[str, str]]) -> str:
        get_client().update_current_generation(model="librarian-1-0424", usage_details={"input": 9, "output": 8})
        return reply(messages[-1]["content"])

    @observe(name="desk")
    def quiet_desk(question: str) -> str:
        return quiet([{"role": "user", "content": question}])

    quiet_desk(QUESTION)


SCENARIOS: dict[str, Run] = {
    "basic": basic,
    "model-fails": model_fails,
    "by-hand": by_hand,
    "reranked": lambda: reranking(QUESTION),
    "streaming": streaming,
    "asynchronous": asynchronous,
    "all-kinds": all_kinds,
    "below-a-span": below_a_span_that_is_not_exported,
    "retriever-only": retriever_only,
    "nothing-found": nothing_found,
    "openai": openai_client(),
    "openai-streams": openai_client(stream=True, stream_options={"include_usage": True}),
    "masked": basic,
    "without-content": without_content,
    "langchain": langchain("basic"),
    "langchain-agent": langchain("agent"),
    "langchain-fails": langchain("fails"),
    "langchain-history": langchain("history"),
}
OLDER = ("basic", "model-fails", "by-hand", "reranked", "all-kinds", "openai", "masked")
"""What the SDK before 5 is recorded with: it writes metadata in another way."""


def client_of(scenario: str, **given: Any) -> Langfuse:
    """Return the client that the application of ``scenario`` makes at its start."""
    return Langfuse(
        public_key="pk-lf-library",
        secret_key="sk-lf-library",
        base_url="http://127.0.0.1:9",
        environment="test",
        release="2.1.0",
        mask=masked if scenario == "masked" else None,
        **given,
    )
