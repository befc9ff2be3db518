"""Chat messages as OpenInference flattens them into span attributes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from adapters.assembly.messages import MAX_MESSAGES, Message, joined
from adapters.schema import ToolCall
from adapters.values import text_of

_KEY = re.compile(r"(\d{1,6})\.message\.(.+)")
_CONTENT_PART = re.compile(r"contents\.(\d{1,6})\.message_content\.text")
_TOOL_CALL = re.compile(r"tool_calls\.(\d{1,6})\.tool_call\.(id|function\.name|function\.arguments)")


@dataclass(slots=True)
class _Draft:
    role: str | None = None
    content: str | None = None
    parts: dict[int, str] = field(default_factory=dict)
    calls: dict[int, dict[str, str]] = field(default_factory=dict)

    def message(self) -> Message:
        content = self.content
        if content is None and self.parts:
            content = joined([self.parts[i] for i in sorted(self.parts)], self.role)
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
