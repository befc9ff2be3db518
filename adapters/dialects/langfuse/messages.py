"""What a model was given and said, as Langfuse's wrappers and hand-written code log it.

LangChain's handler writes OpenAI's messages with LangChain's tool calls, and lists the definitions of tools as messages
of role tool; the OpenAI wrapper writes what the API was given, of chats, completions and responses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from adapters.assembly.messages import MAX_MESSAGES, Message, dumped, role_of, tool_call_of
from adapters.schema import ToolCall
from adapters.values import text_of

_CONVERSATIONS = ("messages", "input", "prompt", "chat", "conversation", "history")
_ANSWERS = ("content", "answer", "text", "output", "output_text", "response", "result", "completion", "generated_text")
_MAX_DEPTH = 3
_MAX_TOOL_CALLS = 200


def messages_of(value: Any, depth: int = 0) -> tuple[Message, ...]:
    """Return the messages in an input; ``()`` where it holds none.

    >>> [message.content for message in messages_of({"messages": [{"role": "user", "content": "Hi"}], "tools": []})]
    ['Hi']
    """
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], list) and depth < _MAX_DEPTH:
            return messages_of(value[0], depth + 1)
        return tuple(_messages(value))
    if not isinstance(value, dict) or depth >= _MAX_DEPTH:
        return ()
    if (single := message_of(value)) is not None:
        return (single,)
    found = next((got for key in _CONVERSATIONS if (got := messages_of(value.get(key), depth + 1))), ())
    told = [
        Message(role="system", content=text)
        for key in ("instructions", "system")
        if isinstance(text := value.get(key), str) and text_of(text)
    ]
    return (*told, *found) if found else ()


def answers_of(value: Any) -> tuple[Message, ...]:
    """Return the messages a model answered with; ``()`` where the output is no message.

    >>> answers_of({"role": "assistant", "content": "180 EUR."})
    (Message(role='assistant', content='180 EUR.', tool_calls=()),)
    """
    if isinstance(value, dict):
        choices = value.get("choices")
        if isinstance(choices, list):
            return tuple(_messages([c.get("message") for c in choices[:MAX_MESSAGES] if isinstance(c, dict)]))
        if isinstance(value.get("output"), list) and (found := tuple(_messages(value["output"]))):
            return found
        single = message_of({"role": "assistant", **value} if value.get("role") is None else value)
        return () if single is None or (single.content is None and not single.tool_calls) else (single,)
    return tuple(_messages(value)) if isinstance(value, list) else ()


def text_in(value: Any, depth: int = 0) -> str | None:
    """Return the text of an output that is no message: plain, or under a key that names an answer."""
    if isinstance(value, str):
        return text_of(value)
    if isinstance(value, list) and value and depth < _MAX_DEPTH:
        # Functions return their answer first, and what else they know after it.
        return text_in(value[0], depth + 1)
    if isinstance(value, dict) and depth < _MAX_DEPTH:
        return next((text for key in _ANSWERS if (text := text_in(value.get(key), depth + 1)) is not None), None)
    return None


def message_of(item: Any) -> Message | None:
    """Return one message, with the tools it asks for; ``None`` for anything else, and for the definition of a tool."""
    if not isinstance(item, dict):
        return None
    if item.get("type") == "function_call" and (call := tool_call_of(item)) is not None:
        return Message(role="assistant", tool_calls=(call,))
    if item.get("type") == "function_call_output":
        return Message(role="tool", content=text_of(item.get("output")))
    if role_of(item.get("role")) == "tool" and isinstance(item.get("content"), dict):
        return None
    calls = _tool_calls(item)
    found = dumped(item)
    if found is None and calls and role_of(item.get("role")) is not None:
        found = Message(role=role_of(item.get("role")))
    return replace(found, tool_calls=calls) if found is not None and calls else found


def _messages(items: Sequence[Any]) -> Iterator[Message]:
    for item in items[:MAX_MESSAGES]:
        if (found := message_of(item)) is not None:
            yield found


def _tool_calls(item: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    """Return the tool calls of a message, as OpenAI, LangChain or Anthropic write them."""
    listed = item.get("tool_calls")
    raw = list(listed[:_MAX_TOOL_CALLS]) if isinstance(listed, list) else []
    if not raw and isinstance(item.get("function_call"), dict):
        raw = [item["function_call"]]
    content = item.get("content")
    if not raw and isinstance(content, list):
        raw = [part for part in content[:_MAX_TOOL_CALLS] if isinstance(part, dict) and part.get("type") == "tool_use"]
    return tuple(call for one in raw if (call := tool_call_of(one)) is not None)
