"""What a model was asked and what it answered, in the requests and responses that are traced as they are.

LangChain dumps batches of messages and generations; wrapped clients are traced with what OpenAI's chat completions,
completions and responses, Anthropic's messages and Google's contents exchange; hand-written code logs what it likes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adapters.assembly.messages import MAX_MESSAGES, Message, messages_of, system_message
from adapters.values import dig, text_of
from adapters.vocabulary import ANSWER, MESSAGES, SYSTEM

_MAX_DEPTH = 3
_GOOGLES = "contents"
"""What Google's APIs call the conversation; a mere text in it is the user's."""
_SAID_UNDER = ("messages", "message", "output", "replies")
"""What holds the messages of an answer; the last is Haystack's name."""
_BARE = ("text", "message")
"""What may be an answer in bare text, and is read as such."""
_ALTERNATIVES = ("generations", "choices", "candidates")
"""What LangChain, OpenAI and Google call the answers of a model."""


def messages_asked(request: Any, depth: int = 0) -> tuple[Message, ...]:
    """Return the messages that a model was given; none where it was a bare prompt.

    >>> messages_asked({"messages": [[{"type": "human", "content": "How much?"}]]})
    (Message(role='user', content='How much?', tool_calls=()),)
    >>> [message.role for message in messages_asked({"instructions": "Be brief.", "input": "How much?"})]
    ['system', 'user']
    """
    single = messages_of(request)
    if single or not isinstance(request, dict) or depth >= _MAX_DEPTH:
        return single
    told = _instructions(request)
    if found := messages_of(request.get(_GOOGLES), "user"):
        return (*told, *found)
    for held in MESSAGES.within(request):
        found = messages_of(held, "user") if told and isinstance(held, str) else messages_asked(held, depth + 1)
        if found:
            return (*told, *found)
    return ()


def _instructions(request: dict[str, Any]) -> tuple[Message, ...]:
    """Return the message of the system that stands beside a conversation, or in its configuration as Google has it."""
    config = request.get("config")
    holders = (request, config) if isinstance(config, dict) else (request,)
    told = (SYSTEM.first(holder, system_message) for holder in holders)
    return next(((found,) for found in told if found is not None), ())


def messages_answered(response: Any) -> tuple[Message, ...]:
    """Return the messages that a model answered with; none where it answered in bare text.

    >>> messages_answered({"generations": [[{"text": "180 EUR.", "type": "Generation"}]]})
    (Message(role='assistant', content='180 EUR.', tool_calls=()),)
    >>> messages_answered({"choices": [{"message": {"role": "assistant", "content": "180 EUR."}}]})[0].content
    '180 EUR.'
    """
    if not isinstance(response, dict):
        return messages_of(response)
    for key in _ALTERNATIVES:
        if isinstance(listed := response.get(key), list):
            first = listed[0] if listed and isinstance(listed[0], list) else listed
            return messages_of([_said(each) for each in first[:MAX_MESSAGES] if isinstance(each, dict)], "assistant")
    held = (value for key in _SAID_UNDER if isinstance(value := response.get(key), dict | list))
    read = (messages_of(value, "assistant") for value in held)
    whole = {"role": "assistant", **{key: value for key, value in response.items() if value and key not in _BARE}}
    return next((found for found in (*read, messages_of(whole)) if _say_something(found)), ())


def _said(alternative: dict[str, Any]) -> Any:
    """Return the message or the text of one of several answers of a model."""
    return next((alternative[key] for key in ("message", "text", "content") if key in alternative), None)


def _say_something(messages: Sequence[Message]) -> bool:
    return any(message.content or message.tool_calls for message in messages)


def text_answered(response: Any, depth: int = 0) -> str | None:
    """Return the text that a model answered in: plain, or under a name that answers bear.

    >>> text_answered({"generations": [[{"text": "180 EUR."}]]}), text_answered(["180 EUR.", {"cost": 1}])
    ('180 EUR.', '180 EUR.')
    """
    if isinstance(response, str):
        return text_of(response)
    if depth >= _MAX_DEPTH:
        return None
    if isinstance(response, list):
        # Functions return their answer first, and what else they know after it.
        return text_answered(response[0], depth + 1) if response else None
    if not isinstance(response, dict):
        return None
    dumped = (
        dig(response, "generations", 0, 0, "text"),
        dig(response, "replies", 0),
        dig(response, "message", "content"),
        dig(response, "message", "blocks", 0, "text"),
        *ANSWER.within(response),
    )
    for held in dumped:
        if held is not None and (text := text_answered(held, depth + 1)) is not None:
            return text
    return None
