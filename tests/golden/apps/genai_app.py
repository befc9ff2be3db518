"""Example applications under the official GenAI instrumentations: the OpenAI client, LangChain, and spans by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import openai
from apps import langchain_app as desk
from apps.corpus import Rule, reply, search
from apps.model_server import MODEL, client
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.tools import tool
from opentelemetry.util.genai.handler import get_telemetry_handler
from opentelemetry.util.genai.types import (
    InputMessage,
    OutputMessage,
    ReasoningPart,
    RetrievalDocument,
    TextPart,
    UriPart,
)

QUESTION = desk.QUESTION


def retrieve(query: str, k: int = 2) -> list[Rule]:
    with get_telemetry_handler().retrieval(data_source_id="handbook-2026", provider="shelf") as retrieval:
        found = search(query, k)
        retrieval.top_k = k
        retrieval.query_text = query
        retrieval.documents = [RetrievalDocument(id=rule.id, score=score) for rule, score in found]
        return [rule for rule, _ in found]


def numbered(rules: list[Rule]) -> str:
    return "\n".join(f"[{i}] {rule.text}" for i, rule in enumerate(rules, start=1))


def labelled(rules: list[Rule]) -> str:
    return "\n\n".join(f"[{rule.id}] {rule.text}" for rule in rules)


def rag(*, model: str = MODEL, block: Callable[[list[Rule]], str] = numbered, **how: Any) -> None:
    """One message for context and question, as most examples of the client have it."""
    with client() as asked, suppress(openai.RateLimitError), get_telemetry_handler().workflow("desk"):
        prompt = f"Context:\n{block(retrieve(QUESTION))}\nQuestion: {QUESTION}"
        messages = [{"role": "system", "content": "Answer from the context and cite it."}]
        messages.append({"role": "user", "content": prompt})
        answer = asked.chat.completions.create(model=model, messages=messages, **how)  # type: ignore[call-overload]
        for _ in answer if how.get("stream") else ():
            pass


def basic() -> None:
    rag()


def labelled_blocks() -> None:
    rag(block=labelled)


def streaming() -> None:
    rag(stream=True, stream_options={"include_usage": True})


def model_fails() -> None:
    rag(model="busy-1")


def conversation() -> None:
    """Earlier turns, a conversation's id, and a workflow that says what it was asked and what it answered."""
    said = "And how long are books lent?"
    with client() as asked, get_telemetry_handler().workflow("desk", conversation_id="visit-7") as workflow:
        asked.embeddings.create(model="embed-2", input=said)
        messages = [
            {"role": "system", "content": f"Answer from the context.\n\n{numbered(retrieve(said))}"},
            {"role": "user", "content": "Do you lend films?"},
            {"role": "assistant", "content": "Yes, for one week."},
            {"role": "user", "content": said},
        ]
        answer = asked.chat.completions.create(model=MODEL, messages=messages)  # type: ignore[arg-type]
        text = str(answer.choices[0].message.content)
        workflow.input_messages = [InputMessage(role="user", parts=[TextPart(content=said)])]
        workflow.output_messages = [OutputMessage(role="assistant", parts=[TextPart(content=text)])]


def agent() -> None:
    handler = get_telemetry_handler()
    function = {"name": "handbook", "parameters": {"type": "object", "properties": {"query": {"type": "string"}}}}
    messages: list[Any] = [{"role": "user", "content": QUESTION}]
    with client() as asked, handler.invoke_local_agent(request_model=MODEL, agent_name="clerk") as run:
        while True:
            answer = asked.chat.completions.create(
                model=MODEL, messages=messages, tools=[{"type": "function", "function": function}]
            )
            message = answer.choices[0].message
            messages.append(message.model_dump(exclude_none=True) | {"content": message.content})
            if not message.tool_calls:
                break
            for call in message.tool_calls:
                with handler.tool(call.function.name) as used:
                    used.tool_call_id = call.id
                    used.arguments = json.loads(call.function.arguments)
                    used.tool_result = numbered(retrieve(used.arguments["query"]))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": used.tool_result})
        run.input_messages = [InputMessage(role="user", parts=[TextPart(content=QUESTION)])]
        run.output_messages = [OutputMessage(role="assistant", parts=[TextPart(content=str(message.content))])]


def remote_agent() -> None:
    """An agent that runs at its provider's: one span, which has asked a model."""
    with get_telemetry_handler().invoke_remote_agent("aws.bedrock", request_model=MODEL, agent_name="clerk") as run:
        run.input_messages = [InputMessage(role="user", parts=[TextPart(content=QUESTION)])]
        run.output_messages = [OutputMessage(role="assistant", parts=[TextPart(content=reply(QUESTION))])]
        run.input_tokens, run.output_tokens = 12, 7


def by_hand() -> None:
    """A model that no instrumentation knows: it thinks before it answers, and is shown a picture."""
    with get_telemetry_handler().inference("shelf", request_model=MODEL, conversation_id="visit-7") as call:
        call.prompt_name, call.prompt_version = "desk", "2026-11"
        call.system_instruction = [TextPart(content="Answer from the context."), TextPart(content="Be brief.")]
        picture = UriPart(mime_type="image/png", modality="image", uri="https://library.example/card.png")
        call.input_messages = [InputMessage(role="user", parts=[TextPart(content=QUESTION), picture])]
        thought = ReasoningPart(content="Four weeks, or three as it once was?")
        answer = OutputMessage(role="assistant", parts=[thought, TextPart(content=reply(QUESTION))])
        call.output_messages, call.response_model_name = [answer], "librarian-1-0424"
        call.input_tokens, call.output_tokens = 12, 7


def retriever_only() -> None:
    retrieve(QUESTION)


def chain() -> None:
    desk.rag(desk.Shelf()).with_config(run_name="desk").invoke(
        QUESTION, config={"metadata": {"thread_id": "visit-7", "tenant": "branch-north"}}
    )


def chain_streams() -> None:
    desk.streaming()


def chain_fails() -> None:
    desk.model_fails()


def chain_history() -> None:
    prompt = ChatPromptTemplate.from_messages(
        [("system", desk.SYSTEM), MessagesPlaceholder("chat_history"), ("human", "{input}")]
    )
    history = [HumanMessage("Do you lend films?"), AIMessage("Yes, for one week.")]
    context = desk.numbered(desk.Shelf().invoke("books lent"))
    given = {"context": context, "chat_history": history, "input": "And how long are books lent?"}
    (prompt | desk.Librarian()).with_config(run_name="desk").invoke(given)


class Bound(desk.Librarian):
    """A model that tools can be bound to."""

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        return self.bind(tools=[{"name": each.name} for each in tools])


def graph() -> None:
    from langchain.agents import create_agent

    shelf = desk.Shelf()

    @tool
    def handbook(query: str) -> str:
        """Search the handbook."""
        return desk.numbered(shelf.invoke(query))

    clerk = create_agent(Bound(tool_name="handbook"), tools=[handbook], system_prompt="Help the reader.", name="clerk")
    clerk.invoke({"messages": [HumanMessage(QUESTION)]}, config={"configurable": {"thread_id": "visit-7"}})


SCENARIOS: dict[str, tuple[Callable[[], None], str]] = {
    "basic": (basic, "SPAN_ONLY"),
    "both": (basic, "SPAN_AND_EVENT"),
    "events": (basic, "EVENT_ONLY"),
    "off": (basic, "NO_CONTENT"),
    "cut": (basic, "SPAN_ONLY"),
    "labelled": (labelled_blocks, "SPAN_ONLY"),
    "streaming": (streaming, "SPAN_ONLY"),
    "model-fails": (model_fails, "SPAN_ONLY"),
    "conversation": (conversation, "SPAN_ONLY"),
    "agent": (agent, "SPAN_ONLY"),
    "agent-events": (agent, "EVENT_ONLY"),
    "by-hand": (by_hand, "SPAN_ONLY"),
    "remote-agent": (remote_agent, "SPAN_ONLY"),
    "retriever-only": (retriever_only, "SPAN_ONLY"),
    "chain": (chain, "SPAN_ONLY"),
    "chain-events": (chain, "EVENT_ONLY"),
    "chain-off": (chain, "NO_CONTENT"),
    "chain-streams": (chain_streams, "SPAN_ONLY"),
    "chain-fails": (chain_fails, "SPAN_ONLY"),
    "chain-history": (chain_history, "SPAN_ONLY"),
    "graph": (graph, "SPAN_ONLY"),
}
"""Each application, and where its content is captured."""
