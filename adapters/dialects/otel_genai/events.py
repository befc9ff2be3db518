"""Content that stands in events: of a span, or log records that became such.

The conventions have one event with all details of a call now. Before 1.37 they had one for each message, and before
that one for the prompt and one for the completion; frameworks put what such an event tells into its body, into one
attribute, or into several.

Source: https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/; for the generations before it
github.com/open-telemetry/semantic-conventions v1.36.0 and v1.27.0, docs/gen-ai.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from adapters.assembly.exchanges import messages_answered, messages_asked
from adapters.assembly.messages import Message, messages_of
from adapters.quirks import springai
from adapters.trace import Event, Span

_DETAILS = "gen_ai.client.inference.operation.details"
_CHOICE = "gen_ai.choice"
_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_PROMPT, _COMPLETION = "gen_ai.prompt", "gen_ai.completion"
_PROMPT_EVENT, _COMPLETION_EVENT = "gen_ai.content.prompt", "gen_ai.content.completion"

CONTENT_EVENTS = frozenset({_DETAILS, _CHOICE, *_ROLES, _PROMPT_EVENT, _COMPLETION_EVENT})
"""The events that hold what a model was given and what it answered; results of evaluations are not among them."""

_BODY = "body"
"""The attribute of an event that holds the body of the log record it was."""
_EVENT_CONTENT = "gen_ai.event.content"
"""Where Semantic Kernel and Azure put a message of an event, as JSON text."""

Parse = Callable[[str], Any]
"""Returns the parsed JSON of a text that is JSON, and any other text as it is."""


def call_details(events: Sequence[Event]) -> Mapping[str, Any]:
    """Return the attributes of a call that the events with its details hold.

    >>> call_details([Event("gen_ai.client.inference.operation.details", 1, {"gen_ai.output.messages": []})])
    {'gen_ai.output.messages': []}
    """
    found: dict[str, Any] = {}
    for event in events:
        if event.name == _DETAILS:
            body = event.attributes.get(_BODY)
            found |= {**event.attributes, **(body if isinstance(body, dict) else {})}
    return found


def prompt_messages(span: Span, parse: Parse) -> tuple[Message, ...]:
    """Return what a model was given, by events of one message each, else by a prompt that is one value."""
    if not span.events and _PROMPT not in span.attributes:
        return ()
    found = tuple(_said(span.events, parse, asked=True))
    if not found:
        return _older(span, parse, (_PROMPT_EVENT, _PROMPT), "user")
    return found if _chooses(span) else divided(found)[0]


def completion_messages(span: Span, parse: Parse) -> tuple[Message, ...]:
    """Return what a model answered, by events of one choice each, else by a completion that is one value."""
    if not span.events and _COMPLETION not in span.attributes:
        return ()
    if _chooses(span):
        found = tuple(_said(span.events, parse, asked=False))
    else:
        found = divided(tuple(_said(span.events, parse, asked=True)))[1]
    return found or _older(span, parse, (_COMPLETION_EVENT, _COMPLETION), "assistant")


def divided(messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """Divide a conversation before the words of the assistant that it ends with.

    >>> [len(part) for part in divided((Message("user", "Why?"), Message("assistant", "So.")))]
    [1, 1]
    """
    at = len(messages)
    while at and messages[at - 1].role == "assistant":
        at -= 1
    return messages[:at], messages[at:]


def _chooses(span: Span) -> bool:
    """Tell whether a choice has an event; where none has, as of Azure's agents, the last messages are the answer."""
    return any(event.name == _CHOICE for event in span.events)


def _said(events: Sequence[Event], parse: Parse, *, asked: bool) -> Iterator[Message]:
    """Yield the messages that were given an event each, in order of time."""
    wanted = [event for event in events if (event.name in _ROLES if asked else event.name == _CHOICE)]
    for event in sorted(wanted, key=lambda event: event.time_ns):
        payload = _payload(event, parse)
        message = payload if asked else payload.get("message", payload)
        yield from messages_of(_whole(message, parse), _ROLES.get(event.name, "assistant"))


def _payload(event: Event, parse: Parse) -> Mapping[str, Any]:
    """Return what an event holds: its body, its one attribute of JSON, or else its attributes."""
    for key in (_BODY, _EVENT_CONTENT):
        found = event.attributes.get(key)
        found = parse(found) if isinstance(found, str) else found
        if isinstance(found, dict):
            return found
        if isinstance(found, str):
            return {"content": found}
    return event.attributes


def _whole(message: Any, parse: Parse) -> Any:
    """Parse the parts of a message that are JSON text themselves, as Strands Agents writes them."""
    if isinstance(message, str):
        parts = parse(message)
        if isinstance(parts, dict) and "content" in parts:
            return _whole(parts, parse)
        return {"content": parts if isinstance(parts, list) else message}
    if isinstance(message, Mapping) and isinstance(content := message.get("content"), str):
        parts = parse(content)
        return {**message, "content": parts} if _are_parts(parts) else message
    return message


def _are_parts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(part, dict) for part in value)


def _older(span: Span, parse: Parse, names: tuple[str, str], role: str) -> tuple[Message, ...]:
    """Read a prompt or completion that is one value: a conversation as JSON, or plain text."""
    name, key = names
    values = [event.attributes.get(key) for event in span.events if event.name == name]
    for value in (*values, span.attributes.get(key)):
        held = _parsed(value, parse) if isinstance(value, str) else value
        whole = messages_asked if role == "user" else messages_answered
        found = whole(held) if isinstance(held, dict) else messages_of(held, role)
        if any(message.content for message in found):
            return found
    return ()


def _parsed(text: str, parse: Parse) -> Any:
    """Parse JSON, or a list of texts as Spring AI puts it together."""
    found = parse(text)
    return springai.listed(text) or text if found == text else found
