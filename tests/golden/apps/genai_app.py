"""Example applications under the official GenAI instrumentations: the OpenAI client, LangChain, and spans by hand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import openai
from apps import langchain_app as desk
from apps.corpus import Rule, reply, search
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

MODEL = "librarian-1"
QUESTION = desk.QUESTION


class _Provider(BaseHTTPRequestHandler):
    """A model behind an API of the usual shape; it searches first where it is given a tool."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if asked["model"] == "busy-1":
            self._send(429, {"error": {"message": "too many questions today", "type": "rate_limit"}})
            return
        if self.path.endswith("/embeddings"):
            vectors = [{"object": "embedding", "index": 0, "embedding": [0.5, 0.25]}]
            usage = {"prompt_tokens": 6, "total_tokens": 6}
            self._send(200, {"object": "list", "data": vectors, "model": asked["model"], "usage": usage})
            return
        messages = asked["messages"]
        question = next(m["content"] for m in reversed(messages) if m["role"] == "user").rpartition("Question:")[2]
        message: dict[str, Any] = {"role": "assistant", "content": reply(question)}
        reason = "stop"
        if asked.get("tools") and messages[-1]["role"] != "tool":
            function = {"name": "handbook", "arguments": '{"query": "books lent weeks"}'}
            message = {"role": "assistant", "content": None}
            message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
            reason = "tool_calls"
        text = message["content"] or ""
        used = sum(len(str(m["content"]).split()) for m in messages)
        usage = {"prompt_tokens": used, "completion_tokens": len(text.split()) or 5}
        usage["total_tokens"] = sum(usage.values())
        head = {"id": "chat-1", "created": 1, "model": "librarian-1-0424"}
        if asked.get("stream"):
            self._stream(head, text, usage)
            return
        choice = {"index": 0, "message": message, "finish_reason": reason}
        self._send(200, head | {"object": "chat.completion", "choices": [choice], "usage": usage})

    def _stream(self, head: dict[str, Any], text: str, usage: dict[str, int]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        words = [word if i == 0 else " " + word for i, word in enumerate(text.split(" "))]
        deltas = [{"role": "assistant", "content": ""}, *({"content": word} for word in words)]
        choices: list[list[dict[str, Any]]] = [[{"index": 0, "delta": d, "finish_reason": None}] for d in deltas]
        choices.append([{"index": 0, "delta": {}, "finish_reason": "stop"}])
        for choice in [*choices, []]:
            chunk = head | {"object": "chat.completion.chunk", "choices": choice}
            chunk |= {} if choice else {"usage": usage}
            self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
        self.wfile.write(b"data: [DONE]\n\n")

    def _send(self, status: int, body: dict[str, Any]) -> None:
        payload = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def client() -> Iterator[openai.OpenAI]:
    """A client of the model, which is served meanwhile."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield openai.OpenAI(base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="none", max_retries=0)
    finally:
        server.shutdown()


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
