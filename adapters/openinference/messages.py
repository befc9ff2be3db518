"""Chat messages: flattened into span attributes, or as the JSON that frameworks dump."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adapters.schema import ToolCall
from adapters.values import is_repr, text_of

MAX_MESSAGES = 2_000
_KEY = re.compile(r"(\d{1,6})\.message\.(.+)")
_CONTENT_PART = re.compile(r"contents\.(\d{1,6})\.message_content\.text")
_TOOL_CALL = re.compile(r"tool_calls\.(\d{1,6})\.tool_call\.(id|function\.name|function\.arguments)")
_ROLES = {"human": "user", "ai": "assistant", "aimessagechunk": "assistant", "humanmessagechunk": "user"}
_KNOWN_ROLES = ("user", "assistant", "system", "developer", "tool", "function", "placeholder")
_NESTED = ("data", "kwargs", "message")


@dataclass(frozen=True, slots=True)
class Message:
    """One message; ``content`` is ``None`` where there is no text (a tool call, a redacted or unreported one)."""

    role: str | None = None
    content: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()


@dataclass(slots=True)
class _Draft:
    role: str | None = None
    content: str | None = None
    parts: dict[int, str] = field(default_factory=dict)
    calls: dict[int, dict[str, str]] = field(default_factory=dict)

    def message(self) -> Message:
        content = self.content
        if content is None and self.parts:
            content = _joined([self.parts[i] for i in sorted(self.parts)], self.role)
        calls = (self.calls[i] for i in sorted(self.calls))
        return Message(
            role=self.role,
            content=content,
            tool_calls=tuple(
                ToolCall(name=call["function.name"], arguments=call.get("function.arguments"), id=call.get("id"))
                for call in calls
                if "function.name" in call
            ),
        )


def flattened(attributes: Mapping[str, Any], prefix: str) -> tuple[Message, ...]:
    """Collect the messages written as ``<prefix><i>.message.*``, in order of their index.

    >>> flattened({"m.0.message.role": "user", "m.0.message.content": "Hi"}, "m.")
    (Message(role='user', content='Hi', tool_calls=()),)
    """
    drafts: dict[int, _Draft] = {}
    start = len(prefix)
    for key, value in attributes.items():
        if not key.startswith(prefix) or (match := _KEY.fullmatch(key, start)) is None:
            continue
        index, rest = int(match[1]), match[2]
        if index not in drafts and len(drafts) >= MAX_MESSAGES:
            continue
        draft = drafts.setdefault(index, _Draft())
        text = text_of(value)
        if text is None:
            continue
        if rest == "role":
            draft.role = text
        elif rest == "content":
            draft.content = text
        elif (part := _CONTENT_PART.fullmatch(rest)) is not None:
            draft.parts[int(part[1])] = text
        elif (call := _TOOL_CALL.fullmatch(rest)) is not None:
            draft.calls.setdefault(int(call[1]), {})[call[2]] = text
    return tuple(drafts[i].message() for i in sorted(drafts))


def dumped(value: Any) -> Message | None:
    """Read one message as a framework dumps it to JSON; ``None`` where ``value`` is no message.

    >>> dumped({"type": "human", "data": {"content": "Hi", "type": "human"}})
    Message(role='user', content='Hi', tool_calls=())
    >>> dumped(["user", "Hi"]).content, dumped({"role": "user", "content": [{"type": "text", "text": "Hi"}]}).content
    ('Hi', 'Hi')
    """
    if isinstance(value, list | tuple):
        if _are_two_texts(value) and (role := _role(value[0])) in _KNOWN_ROLES:
            return Message(role=role, content=text_of(value[1]))
        return None
    if not isinstance(value, dict):
        return None
    inner: dict[str, Any] = next((value[key] for key in _NESTED if isinstance(value.get(key), dict)), value)
    content = inner.get("content", inner.get("blocks"))
    role = _role(inner.get("role") or inner.get("type") or value.get("role") or value.get("type"))
    if role == "constructor" and isinstance(value.get("id"), list) and value["id"]:
        role = _role(str(value["id"][-1]).removesuffix("Chunk").removesuffix("Message"))
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
        return text_of(_joined(list(_part_texts(content)), role))
    return None


def _joined(parts: Sequence[str], role: str | None) -> str:
    """Join the parts of a message: a model's go on where the last one ended (each citation begins a new part)."""
    return ("" if role == "assistant" else "\n").join(parts)


def _part_texts(parts: Sequence[Any]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            yield part["text"]


def _role(value: Any) -> str | None:
    if not isinstance(value, str) or not value:
        return None
    lowered = value.lower()
    return _ROLES.get(lowered, lowered)
