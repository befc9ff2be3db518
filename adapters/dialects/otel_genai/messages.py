"""Messages of parts, as the GenAI conventions have them, and as the APIs of providers have them that some pass on.

Source: github.com/open-telemetry/semantic-conventions-genai, model/gen-ai/gen-ai-input-messages.json,
gen-ai-output-messages.json and gen-ai-system-instructions.json.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adapters.assembly.messages import MAX_MESSAGES, Message, joined, role_of, tool_call_of
from adapters.values import json_text, text_of

_REDACTED = "[REDACTED]"
"""What Strands Agents writes in place of text that it was not told to show."""

_MESSAGE_KEYS = frozenset({"parts", "content", "tool_calls"})
_TEXT_PARTS = ("text", "input_text", "output_text", "refusal")
_CALL_PARTS = ("tool_call", "server_tool_call", "tool_use")
_RESPONSE_PARTS = ("tool_call_response", "server_tool_call_response", "tool_result")
# Parts of Bedrock's and Google's APIs, which some instrumentations pass on, have a key instead of a type.
_KEYED_PARTS = {
    "toolUse": "tool_call",
    "functionCall": "tool_call",
    "function_call": "tool_call",
    "toolResult": "tool_call_response",
    "functionResponse": "tool_call_response",
    "function_response": "tool_call_response",
}
_RESPONSES = ("response", "result", "server_tool_call_response", "content")
_MAX_DEPTH = 4  # content > parts > text: the deepest any provider nests a message's text


def messages_of(value: Any, role: str) -> tuple[Message, ...]:
    """Read a conversation: messages of parts, as the conventions have it, or with a ``content`` as OpenAI has it.

    ``role`` is whose words they are where a message does not say. What a tool answered is a message of its own; what
    a model only thought, pictures, and sound are nobody's words.

    >>> thought = {"type": "reasoning", "content": "180 or 150?"}
    >>> messages_of([{"role": "assistant", "parts": [thought, {"type": "text", "content": "180 EUR."}]}], "assistant")
    (Message(role='assistant', content='180 EUR.', tool_calls=()),)
    >>> messages_of("How much?", "user")
    (Message(role='user', content='How much?', tool_calls=()),)
    """
    if value is None:
        return ()
    items = value if isinstance(value, list) else [value]
    return tuple(message for item in items[:MAX_MESSAGES] for message in _messages(item, role))


def system_message(value: Any) -> Message | None:
    """Return system instructions (text, parts, or messages of parts) as one message; ``None`` where there are none.

    >>> parts = [{"type": "text", "content": "Be brief."}, {"type": "text", "content": "Cite."}]
    >>> system_message(parts).content.splitlines()
    ['Be brief.', 'Cite.']
    """
    text = text_of("\n".join(_texts(value)))
    return None if text is None else Message(role="system", content=text)


def _messages(item: Any, role: str) -> Iterator[Message]:
    if isinstance(item, str):
        if (text := text_of(item)) is not None and text != _REDACTED:
            yield Message(role=role, content=text)
        return
    if not isinstance(item, dict) or ((said := role_of(item.get("role"))) is None and _MESSAGE_KEYS.isdisjoint(item)):
        return
    speaker = role if said is None else "assistant" if said == "model" else said
    parts = item.get("parts", item.get("content"))
    texts: list[str] = []
    calls = [tool_call_of(call) for call in asked] if isinstance(asked := item.get("tool_calls"), list) else []
    answered = False
    for each in parts if isinstance(parts, list) else (parts,):
        kind, part = _part(each)
        if kind in _RESPONSE_PARTS:
            answered = True
            yield Message(role="tool", content=_first_json(part, _RESPONSES))
        elif kind in _CALL_PARTS:
            calls.append(tool_call_of(part))
        else:
            texts += _texts(part)
    content, asked_for = text_of(joined(texts, speaker)), tuple(call for call in calls if call is not None)
    if content is not None or asked_for or not answered:
        yield Message(role=speaker, content=content, tool_calls=asked_for)


def _part(part: Any) -> tuple[Any, Any]:
    """Return the type of a part, and what is to be read of it."""
    if not isinstance(part, dict):
        return None, part
    kind = part.get("type")
    if kind is not None:
        return kind, part
    return next(((kind, part[key]) for key, kind in _KEYED_PARTS.items() if key in part), (None, part))


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the texts of a message's content, however its provider nests them."""
    if isinstance(value, str):
        if value != _REDACTED:
            yield value
    elif depth >= _MAX_DEPTH:
        return
    elif isinstance(value, list):
        for item in value[:MAX_MESSAGES]:
            yield from _texts(item, depth + 1)
    elif isinstance(value, dict) and value.get("type", "text") in _TEXT_PARTS and value.get("thought") is not True:
        said = (value.get(key) for key in ("content", "text", "parts", "refusal"))
        yield from _texts(next((found for found in said if found is not None), None), depth + 1)


def _first_json(part: Any, keys: tuple[str, ...]) -> str | None:
    """Return what stands under the first of ``keys`` that has something, as text."""
    values = (part.get(key) for key in keys) if isinstance(part, dict) else ()
    found = next((value for value in values if value is not None), None)
    return None if found is None else text_of(json_text(found))
