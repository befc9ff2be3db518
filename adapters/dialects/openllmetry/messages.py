"""Messages as OpenLLMetry flattened them before 0.55: ``gen_ai.prompt.<i>.content``, ``gen_ai.completion.<i>.role``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from adapters.assembly.messages import MAX_MESSAGES, Message, content_text, role_of
from adapters.schema import ToolCall
from adapters.values import parse_json, text_of

_KEY = re.compile(r"(\d{1,6})\.(role|content|user|tool_calls\.(\d{1,6})\.(id|name|arguments))")
_EMPTY = '""'
"""What stands for the content of a message without text (a tool call)."""


@dataclass(slots=True)
class _Draft:
    role: str | None = None
    content: str | None = None
    calls: dict[int, dict[str, str]] = field(default_factory=dict)


def messages_under(attributes: Mapping[str, Any], prefix: str, role: str, *, json_limit: int) -> tuple[Message, ...]:
    """Collect the messages under ``prefix``, in order of their index; ``role`` is whose they are if none is told.

    >>> messages_under({"p.0.role": "unknown", "p.0.content": "180 EUR."}, "p.", "assistant", json_limit=100)
    (Message(role='assistant', content='180 EUR.', tool_calls=()),)
    """
    drafts: dict[int, _Draft] = {}
    start = len(prefix)
    for key, value in attributes.items():
        if not key.startswith(prefix) or (match := _KEY.fullmatch(key, start)) is None:
            continue
        index, name = int(match[1]), match[2]
        if index not in drafts and len(drafts) >= MAX_MESSAGES:
            continue
        draft = drafts.setdefault(index, _Draft())
        if name == "role":
            draft.role = text_of(value)
        elif match[4] is not None:
            if (text := text_of(value)) is not None:
                draft.calls.setdefault(int(match[3]), {})[match[4]] = text
        else:  # Haystack's has the texts of all messages under the one key "user"
            draft.content = _content(value, role, json_limit)
    return tuple(_message(drafts[index], role) for index in sorted(drafts))


def whose(told: str | None, role: str) -> str:
    """Return the role of a message; the parts of a stream have none that OpenLLMetry knows."""
    return role if told is None or told == "unknown" else role_of(told) or role


def _content(value: Any, role: str, json_limit: int) -> str | None:
    if isinstance(value, list):
        return content_text(value, role)
    if value == _EMPTY or not isinstance(value, str):
        return None
    if value.startswith('[{"'):
        parts = parse_json(value, limit=json_limit)
        if isinstance(parts, list) and all(isinstance(part, dict) and "type" in part for part in parts):
            return content_text(parts, role)
    return text_of(value)


def _message(draft: _Draft, role: str) -> Message:
    calls = (draft.calls[i] for i in sorted(draft.calls))
    return Message(
        role=whose(draft.role, role),
        content=draft.content,
        tool_calls=tuple(
            ToolCall(name=call["name"], arguments=call.get("arguments"), id=call.get("id"))
            for call in calls
            if "name" in call
        ),
    )
