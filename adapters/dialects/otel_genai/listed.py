"""What a model was given and what it answered, where one attribute lists both: Pydantic AI's and Logfire's own forms.

Pydantic AI wrote the events of older conventions into one attribute (``events``; of an agent ``all_messages_events``)
before it wrote messages, and does so still where it is told to. Logfire does the same for responses of OpenAI, and has
what a client of a model sent and received beside it (``request_data``, ``response_data``); what was streamed it logs
beside the span of the call.

Source: github.com/pydantic/pydantic-ai, pydantic_ai_slim/pydantic_ai/models/instrumented.py (0.2 to 1.x, version 1);
github.com/pydantic/logfire, logfire/_internal/integrations/openai_agents.py and llm_providers (3.x to 5.x).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.assembly.exchanges import messages_answered, messages_asked
from adapters.assembly.messages import MAX_MESSAGES, Message, messages_of
from adapters.dialects.otel_genai.events import Parse, divided
from adapters.values import count_of, dig, text_of
from adapters.vocabulary import TokenCount

EVENTS = "events"
AGENT_EVENTS = "all_messages_events"
REQUEST, RESPONSE = "request_data", "response_data"
_TOKENS: Mapping[TokenCount, tuple[str, ...]] = {
    "prompt": ("prompt_tokens", "input_tokens"),
    "completion": ("completion_tokens", "output_tokens"),
    "total": ("total_tokens",),
}
_NONE: tuple[tuple[Message, ...], tuple[Message, ...]] = ((), ())


def exchanged(attributes: Mapping[str, Any], parse: Parse) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """Return the messages a model was given and those that it answered with, as far as such an attribute tells.

    >>> said = [{"role": "user", "content": "Why?"}, {"index": 0, "message": {"role": "assistant", "content": "So."}}]
    >>> [[message.content for message in each] for each in exchanged({"events": said}, str)]
    [['Why?'], ['So.']]
    """
    if EVENTS in attributes and (found := _of_events(_read(attributes[EVENTS], parse))) != _NONE:
        return found
    if REQUEST not in attributes:
        return _NONE
    asked = messages_asked(_read(attributes[REQUEST], parse))
    if RESPONSE in attributes:
        return asked, _answered(_read(attributes[RESPONSE], parse))
    return divided(asked)


def is_opened_stream(attributes: Mapping[str, Any], parse: Parse) -> bool:
    """Tell whether a span is of no more than the request for a stream: what came of it is logged beside it."""
    if REQUEST not in attributes or RESPONSE in attributes:
        return False
    request = _read(attributes[REQUEST], parse)
    return isinstance(request, dict) and request.get("stream") is True


def usage_in(attributes: Mapping[str, Any], parse: Parse, which: TokenCount) -> int | None:
    """Return a token count of the response that a client of a model received.

    >>> usage_in({"response_data": {"usage": {"prompt_tokens": 100}}}, str, "prompt")
    100
    """
    if RESPONSE not in attributes:
        return None
    usage = dig(_read(attributes[RESPONSE], parse), "usage")
    held = (usage.get(key) for key in _TOKENS[which]) if isinstance(usage, dict) else ()
    return next((count for each in held if (count := count_of(each)) is not None), None)


def _read(value: Any, parse: Parse) -> Any:
    return parse(value) if isinstance(value, str) else value


def _answered(response: Any) -> tuple[Message, ...]:
    streamed = text_of(dig(response, "combined_chunk_content"))
    return messages_answered(response) if streamed is None else (Message("assistant", streamed),)


def _of_events(events: Any) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """Divide events by their form: a choice holds a message, any other event is one."""
    if not isinstance(events, list):
        return _NONE
    listed = [event for event in events[:MAX_MESSAGES] if isinstance(event, dict)]
    choices = [event["message"] for event in listed if isinstance(event.get("message"), dict)]
    asked = messages_of([event for event in listed if "message" not in event])
    return (asked, messages_of(choices, "assistant")) if choices else divided(asked)
