"""Chat messages flattened into span attributes, one for each of their fields.

OpenInference writes ``<prefix>0.message.content`` and ``<prefix>0.message.tool_calls.0.tool_call.function.name``,
OpenLLMetry before 0.55 ``<prefix>0.content`` and ``<prefix>0.tool_calls.0.name``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from adapters.assembly.messages import MAX_MESSAGES, Message, joined
from adapters.quirks.anthropic import DOCUMENT_PARTS
from adapters.schema import ToolCall
from adapters.values import parse_json, text_of
from adapters.vocabulary import ROLES

_KEY = re.compile(
    r"(?P<index>\d{1,6})\.(?:message\.)?(?:(?P<field>role|content|user|name|tool_call_id)"
    r"|contents\.(?P<part>\d{1,6})\.message_content\.(?P<of_part>text|type)"
    r"|tool_calls\.(?P<call>\d{1,6})\.(?:tool_call\.)?(?:function\.)?(?P<of_call>id|name|arguments))"
)
"""Haystack's messages under OpenLLMetry stand under ``user``, the texts of all in one list."""
_CONTENT = ("content", "user")
_MAX_DOCUMENT = 1_000_000


@dataclass(slots=True)
class _Draft:
    role: str | None = None
    content: str | None = None
    tool: str | None = None
    call_id: str | None = None
    parts: dict[int, dict[str, str]] = field(default_factory=dict)
    calls: dict[int, dict[str, str]] = field(default_factory=dict)

    def message(self) -> Message:
        content = self.content
        parts = [self.parts[i] for i in sorted(self.parts)] if self.parts else []
        given = tuple(_document(part) for part in parts if part.get("type") in DOCUMENT_PARTS)
        texts = [part["text"] for part in parts if "text" in part and part.get("type") not in DOCUMENT_PARTS]
        if content is None and texts:
            content = joined(texts, self.role)
        calls = (self.calls[i] for i in sorted(self.calls)) if self.calls else ()
        asked = tuple(ToolCall(**{"arguments": None, "id": None, **call}) for call in calls if "name" in call)
        role = None if self.role is None else ROLES.get(self.role, self.role)
        if self.call_id is not None and role == "user" and not asked:
            role = "tool"  # Anthropic and Bedrock have users hand on what tools gave back
        return Message(role, content, asked, self.tool, self.call_id, given)


def _document(part: Mapping[str, str]) -> Mapping[str, Any]:
    """Return a part that is a document, which is dumped to JSON."""
    read = parse_json(part.get("text", ""), limit=_MAX_DOCUMENT)
    return read if isinstance(read, dict) else part


def flattened(
    attributes: Mapping[str, Any], prefix: str, read: Callable[[Any], str | None] = text_of
) -> tuple[Message, ...]:
    """Collect the messages under ``prefix``, in order of their index; ``read`` returns the text of a content.

    >>> flattened({"m.0.message.role": "user", "m.0.message.content": "Hi"}, "m.")
    (Message(role='user', content='Hi', tool_calls=()),)
    >>> flattened({"p.0.tool_calls.0.name": "search", "p.0.role": "assistant"}, "p.")[0].tool_calls[0].name
    'search'
    """
    drafts: dict[int, _Draft] = {}
    start = len(prefix)
    for key, value in attributes.items():
        if not key.startswith(prefix) or (match := _KEY.fullmatch(key, start)) is None:
            continue
        index, name, part, of_part, call, of_call = match.groups()
        if (number := int(index)) not in drafts and len(drafts) >= MAX_MESSAGES:
            continue
        draft = drafts.setdefault(number, _Draft())
        if name in _CONTENT:
            draft.content = read(value)
        elif (text := text_of(value)) is None:
            continue
        elif name == "role":
            draft.role = text
        elif name == "name":
            draft.tool = text
        elif name is not None:
            draft.call_id = text
        elif part is not None:
            draft.parts.setdefault(int(part), {})[of_part] = text
        else:
            draft.calls.setdefault(int(call), {})[of_call] = text
    return tuple(drafts[i].message() for i in sorted(drafts))
