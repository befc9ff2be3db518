"""What a model was given and what it answered, in the shapes that LangChain and wrapped clients dump.

LangChain dumps messages as constructors with their ``kwargs`` or plain, and answers as generations. Clients of
providers are traced with requests and responses as they are: OpenAI's chat completions and responses, Anthropic's
messages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from adapters.assembly.messages import MAX_MESSAGES, Message, dumped, tool_call_of
from adapters.dialects.otel_genai.messages import messages_of, system_message
from adapters.schema import ToolCall
from adapters.values import text_of

_PLAIN_TYPES = ("human", "ai", "system", "tool", "function", "chat", "remove")
_CHUNK = "messagechunk"


def given(inputs: Any) -> tuple[Message, ...]:
    """Return the messages in what a model was given; none where it was a bare prompt.

    >>> given({"messages": [[{"type": "human", "content": "How much?"}]]})
    (Message(role='user', content='How much?', tool_calls=()),)
    >>> [message.role for message in given({"instructions": "Be brief.", "input": "How much?"})]
    ['system', 'user']
    """
    if not isinstance(inputs, dict):
        return ()
    listed = inputs.get("messages")
    if listed is None and ("instructions" in inputs or isinstance(inputs.get("input"), list)):
        listed = inputs.get("input")
    if listed is None:
        return ()
    system = system_message(inputs.get("system", inputs.get("instructions")))
    said = tuple(_messages(listed, "user"))
    return said if system is None else (system, *said)


def answered(outputs: Any) -> tuple[Message, ...]:
    """Return the messages in what a model answered; generations without messages, and bare texts, count as such.

    >>> answered({"generations": [[{"text": "180 EUR.", "type": "Generation"}]]})
    (Message(role='assistant', content='180 EUR.', tool_calls=()),)
    >>> answered({"choices": [{"message": {"role": "assistant", "content": "180 EUR."}}]})[0].content
    '180 EUR.'
    """
    if isinstance(outputs, str):
        return tuple(_messages(outputs, "assistant"))
    if not isinstance(outputs, dict):
        return ()
    if isinstance(listed := outputs.get("generations"), list):
        first = listed[0] if listed and isinstance(listed[0], list) else listed
        found = (generation.get("message", generation.get("text")) for generation in first if _is_object(generation))
        return tuple(message for item in found for message in _messages(item, "assistant"))
    if isinstance(listed := outputs.get("choices"), list):
        found = (choice.get("message", choice.get("text")) for choice in listed if _is_object(choice))
        return tuple(message for item in found for message in _messages(item, "assistant"))
    for key in ("messages", "message", "output", "output_text"):
        if outputs.get(key) is not None:
            return tuple(_messages(outputs[key], "assistant"))
    return tuple(_messages(outputs, "assistant")) if "content" in outputs else ()


def _messages(value: Any, role: str) -> Iterator[Message]:
    """Yield the messages of a list, of one batch of lists, or the one that ``value`` is."""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list) and not _is_pair(value[0]):
        value = value[0]
    for item in value[:MAX_MESSAGES] if isinstance(value, list) else (value,):
        if _is_langchains(item):
            message = dumped(item)
            if message is not None:
                yield replace(message, tool_calls=tuple(_tool_calls(item)))
        elif isinstance(item, dict) and item.get("type") == "function_call":
            if (call := tool_call_of(item)) is not None:
                yield Message(role=role, tool_calls=(call,))
        elif isinstance(item, dict) and item.get("type") == "function_call_output":
            yield Message(role="tool", content=text_of(item.get("output")))
        elif not (isinstance(item, dict) and item.get("type") == "reasoning"):
            yield from messages_of(item, role)


def _is_langchains(item: Any) -> bool:
    if _is_pair(item):
        return True
    if not isinstance(item, dict):
        return False
    kind = item.get("type")
    return kind in ("constructor", *_PLAIN_TYPES) or (isinstance(kind, str) and kind.lower().endswith(_CHUNK))


def _is_pair(item: Any) -> bool:
    """Tell whether ``item`` is a message as a role and its content."""
    return isinstance(item, list) and len(item) == 2 and isinstance(item[0], str)  # noqa: PLR2004


def _tool_calls(item: Any) -> Iterator[ToolCall]:
    inner = item.get("kwargs", item.get("data", item)) if isinstance(item, dict) else None
    for key in (inner, inner.get("additional_kwargs")) if isinstance(inner, dict) else ():
        listed = key.get("tool_calls") if isinstance(key, dict) else None
        if isinstance(listed, list) and listed:
            yield from (call for each in listed if (call := tool_call_of(each)) is not None)
            return


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)
