"""Chat messages, as the JSON that frameworks dump."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.schema import ToolCall
from adapters.values import is_repr, json_text, text_of

MAX_MESSAGES = 2_000
_ROLES = {"human": "user", "ai": "assistant", "aimessagechunk": "assistant", "humanmessagechunk": "user"}
_KNOWN_ROLES = ("user", "assistant", "system", "developer", "tool", "function", "placeholder")
_ARGUMENTS = ("arguments", "args", "input", "server_tool_call")
_CALL_IDS = ("call_id", "id", "toolUseId")
"""An item of OpenAI's responses has an id of its own too."""
_NESTED = ("data", "kwargs", "message")


@dataclass(frozen=True, slots=True)
class Message:
    """One message; ``content`` is ``None`` where there is no text (a tool call, a redacted or unreported one)."""

    role: str | None = None
    content: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()


def dumped(value: Any) -> Message | None:
    """Read one message as a framework dumps it to JSON; ``None`` where ``value`` is no message.

    >>> dumped({"type": "human", "data": {"content": "Hi", "type": "human"}})
    Message(role='user', content='Hi', tool_calls=())
    >>> dumped(["user", "Hi"]).content, dumped({"role": "user", "content": [{"type": "text", "text": "Hi"}]}).content
    ('Hi', 'Hi')
    """
    if isinstance(value, list | tuple):
        if _are_two_texts(value) and (role := role_of(value[0])) in _KNOWN_ROLES:
            return Message(role=role, content=text_of(value[1]))
        return None
    if not isinstance(value, dict):
        return None
    inner: dict[str, Any] = next((value[key] for key in _NESTED if isinstance(value.get(key), dict)), value)
    content = inner.get("content", inner.get("blocks"))
    role = role_of(inner.get("role") or inner.get("type") or value.get("role") or value.get("type"))
    if role == "constructor" and isinstance(value.get("id"), list) and value["id"]:
        role = role_of(str(value["id"][-1]).removesuffix("Chunk").removesuffix("Message"))
    if role is None or (content is None and "tool_calls" not in inner):
        return None
    return Message(role=role, content=content_text(content, role))


def conversation(value: Any) -> tuple[Message, ...] | None:
    """Read a list of dumped messages, or one batch of them; ``None`` where ``value`` is no such list.

    >>> [message.role for message in conversation([["How much?", "180 EUR."]])]
    ['user', 'assistant']
    """
    if not isinstance(value, list):
        return None
    if len(value) == 1 and isinstance(value[0], list) and value[0] and isinstance(value[0][0], dict):
        value = value[0]
    found = tuple(message for item in value[:MAX_MESSAGES] for message in _messages(item))
    return found if found or not value else None


def _messages(item: Any) -> Iterator[Message]:
    """Yield the message ``item`` is, or the two of a (question, answer) pair, as chat histories once were passed."""
    message = dumped(item)
    if message is not None:
        yield message
    elif isinstance(item, list | tuple) and _are_two_texts(item):
        yield Message(role="user", content=text_of(item[0]))
        yield Message(role="assistant", content=text_of(item[1]))


def _are_two_texts(value: Sequence[Any]) -> bool:
    return len(value) == 2 and all(isinstance(item, str) for item in value)  # noqa: PLR2004 - a pair


def content_text(content: Any, role: str | None) -> str | None:
    """Return the text of a message's content: a string, or the text parts of a list of parts."""
    if isinstance(content, str):
        return None if is_repr(content) else text_of(content)
    if isinstance(content, list):
        return text_of(joined(list(_part_texts(content)), role))
    return None


def joined(parts: Sequence[str], role: str | None) -> str:
    """Join the parts of a message: a model's go on where the last one ended (each citation begins a new part)."""
    return ("" if role == "assistant" else "\n").join(parts)


def _part_texts(parts: Sequence[Any]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            yield part["text"]


def tool_call_of(value: Any) -> ToolCall | None:
    """Read one tool call as a model asks for it, whatever its API; ``None`` where ``value`` is none.

    >>> tool_call_of({"id": "c-1", "function": {"name": "search", "arguments": '{"q": 1}'}})
    ToolCall(name='search', arguments='{"q": 1}', id='c-1')
    >>> tool_call_of({"type": "tool_use", "name": "search", "input": {"q": 1}}).arguments
    '{"q":1}'
    """
    if not isinstance(value, dict):
        return None
    inner = value["function"] if isinstance(value.get("function"), dict) else value
    name = text_of(inner.get("name"))
    if name is None:
        return None
    given = next((found for key in _ARGUMENTS if (found := inner.get(key)) is not None), None)
    identity = next((found for key in _CALL_IDS if (found := text_of(value.get(key))) is not None), None)
    return ToolCall(name=name, arguments=text_of(json_text(given)), id=identity)


def role_of(value: Any) -> str | None:
    """Return a role in OpenAI's words; ``None`` where there is none."""
    if not isinstance(value, str) or not value:
        return None
    lowered = value.lower()
    return _ROLES.get(lowered, lowered)
