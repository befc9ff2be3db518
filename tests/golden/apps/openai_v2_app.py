"""Example applications on the OpenAI client, under its instrumentation of before the GenAI conventions had messages."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import openai
from apps.corpus import search
from apps.model_server import MODEL, client
from opentelemetry import trace

QUESTION = "For how long are books lent?"
CONTEXT = "\n".join(f"[{i}] {rule.text}" for i, (rule, _) in enumerate(search(QUESTION, 2), start=1))


def basic(*, model: str = MODEL, **how: Any) -> None:
    messages = [
        {"role": "system", "content": "Answer from the context and cite it."},
        {"role": "user", "content": f"Context:\n{CONTEXT}\nQuestion: {QUESTION}"},
    ]
    with client() as asked, suppress(openai.RateLimitError):
        answer = asked.chat.completions.create(model=model, messages=messages, **how)  # type: ignore[call-overload]
        for _ in answer if how.get("stream") else ():
            pass


def streaming() -> None:
    basic(stream=True, stream_options={"include_usage": True})


def model_fails() -> None:
    basic(model="busy-1")


def agent() -> None:
    """Two calls of a model, and a tool of the application between them, under a span of the application."""
    function = {"name": "handbook", "parameters": {"type": "object", "properties": {"query": {"type": "string"}}}}
    messages: list[Any] = [{"role": "user", "content": QUESTION}]
    with client() as asked, trace.get_tracer("desk").start_as_current_span("POST /ask"):
        while True:
            answer = asked.chat.completions.create(
                model=MODEL, messages=messages, tools=[{"type": "function", "function": function}]
            )
            message = answer.choices[0].message
            if not message.tool_calls:
                break
            messages.append(message.model_dump(exclude_none=True))
            for call in message.tool_calls:
                found = search(json.loads(call.function.arguments)["query"], 2)
                content = "\n".join(rule.text for rule, _ in found)
                messages.append({"role": "tool", "tool_call_id": call.id, "content": content})


SCENARIOS: dict[str, tuple[Callable[[], None], bool]] = {
    "basic": (basic, True),
    "off": (basic, False),
    "streaming": (streaming, True),
    "model-fails": (model_fails, True),
    "agent": (agent, True),
}
"""Each application, and whether its content is captured."""
