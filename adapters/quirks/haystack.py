"""What is special about Haystack: pipelines of named components, wired by sockets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from adapters.values import count_of, is_repr, json_text, number_of, parse_literal, text_of

FRAMEWORK = "haystack"
LOST_BY_OPENINFERENCE: Mapping[str, str] = {
    "usage.first_token_ms": "the time of the first token is not recorded",
}

CLIENTS = "haystack.openai."
"""How the calls of OpenAI's generators begin under OpenLLMetry."""
REPLIES = "replies"
"""The socket of a generator's answers; OpenLLMetry takes its name for the answer."""

_SOCKETS = ("question", "query", "user_query", "user_input", "message", "input", "text", "prompt")
"""What components call the socket that the user's words go into."""


_TEXT = r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\""
_TOOL_RESULT = re.compile(rf"ToolCallResult\(result=(?P<result>{_TEXT}), origin=")
_TOOL_CALL = re.compile(
    rf"ToolCall\(tool_name=(?P<name>{_TEXT}), arguments=(?P<arguments>\{{[^{{}}]{{0,4000}}\}}), id=(?P<id>{_TEXT}|None)"
)
_ROLE = re.compile(r"ChatMessage\(_role=<ChatRole\.[A-Z]{1,20}: '(?P<role>[a-z]{1,20})'>")
_WORDS = re.compile(rf"TextContent\(text=(?P<text>{_TEXT})\)")
_MAX_PRINTED = 1_000_000
"""Longest printed message that is read."""


_TOOL = re.compile(rf"Tool\(name=(?P<name>{_TEXT}), description=(?P<description>{_TEXT})")


def printed_tools(tools: str) -> Mapping[str, str]:
    """Return what printed tools are for, by name.

    >>> printed_tools("[Tool(name='shelf', description='Search the shelf', parameters={})]")
    {'shelf': 'Search the shelf'}
    """
    if len(tools) > _MAX_PRINTED:
        return {}
    told = ((_literal(each["name"]), _literal(each["description"])) for each in _TOOL.finditer(tools))
    return {name: text for name, text in told if isinstance(name, str) and isinstance(text, str)}


class PrintedCall(NamedTuple):
    """A call of a tool in a printed message; ``result`` is ``None`` in the message that asks for it."""

    name: str
    arguments: str | None
    id: str | None
    result: str | None


def printed_calls(message: str) -> Iterator[PrintedCall]:
    """Yield the calls of tools in a printed ``ChatMessage``, or what one of them gave back.

    >>> next(printed_calls("ChatMessage(_content=[ToolCall(tool_name='shelf', arguments={'q': 1}, id='c-1')])"))
    PrintedCall(name='shelf', arguments='{"q":1}', id='c-1', result=None)
    """
    if len(message) > _MAX_PRINTED:
        return
    answered = _TOOL_RESULT.search(message)
    for call in _TOOL_CALL.finditer(message, answered.end() if answered else 0):
        name, identity = (_literal(call[part]) for part in ("name", "id"))
        if isinstance(name, str):
            result = _literal(answered["result"]) if answered else None
            yield PrintedCall(name, json_text(_literal(call["arguments"])), text_of(identity), text_of(result))


_MODEL = re.compile(rf"'model': (?P<model>{_TEXT})")
_USAGE = re.compile(r"'usage': (\{[^{}]{0,400}\})")
_TOKENS: Mapping[str, str] = {
    "prompt": "prompt_tokens",
    "completion": "completion_tokens",
    "total": "total_tokens",
}


def printed_usage(message: str) -> Mapping[str, int] | None:
    """Return what the call took that a printed ``ChatMessage`` came from; ``None`` where the message does not tell.

    >>> printed_usage("ChatMessage(_content=[], _meta={'usage': {'completion_tokens': 5, 'prompt_tokens': 8}})")
    {'prompt': 8, 'completion': 5}
    """
    start = message.rfind("_meta={") if len(message) <= _MAX_PRINTED else -1
    told = _USAGE.search(message, start) if start >= 0 else None
    usage = None if told is None else _literal(told[1])
    if not isinstance(usage, dict):
        return None
    return {which: count for which, key in _TOKENS.items() if (count := count_of(usage.get(key))) is not None}


def printed_model(message: Any) -> str | None:
    """Return the model that a printed ``ChatMessage`` says it is of.

    >>> printed_model("ChatMessage(_content=[], _meta={'model': 'm-1', 'index': 0})")
    'm-1'
    """
    start = message.rfind("_meta={") if isinstance(message, str) and len(message) <= _MAX_PRINTED else -1
    told = _MODEL.search(message, start) if start >= 0 else None
    return None if told is None else text_of(_literal(told["model"]))


def runs_an_agent(name: str) -> bool:
    """Tell whether the span called ``name`` runs an agent: Haystack 3 writes all of its messages on that one span."""
    return name in ("Agent.run", "Agent.run_async")


def printed_words(message: Any) -> tuple[str, str | None] | None:
    """Return the role and the words of a printed ``ChatMessage``; ``None`` where ``message`` is none.

    >>> printed_words("ChatMessage(_role=<ChatRole.USER: 'user'>, _content=[TextContent(text='How much?')])")
    ('user', 'How much?')
    """
    if not isinstance(message, str) or len(message) > _MAX_PRINTED or (role := _ROLE.match(message)) is None:
        return None
    end = message.rfind("_meta={")
    texts = [_literal(text["text"]) for text in _WORDS.finditer(message, role.end(), end if end > 0 else len(message))]
    return role["role"], text_of("".join(text for text in texts if isinstance(text, str)))


def _literal(text: str) -> Any:
    return parse_literal(text, limit=len(text))


def fills_a_template(name: str) -> bool:
    """Tell whether the span of kind LLM called ``name`` fills in a prompt, and asks no model."""
    return name.endswith("PromptBuilder.run")


def joins(name: str) -> bool:
    """Tell whether the step called ``name`` may be the one that fuses what parallel retrievers found."""
    return "Joiner" in name


def printed_document(text: str) -> tuple[str | None, float | None] | None:
    """Return the id and the score in a printed document; ``None`` where ``text`` is none.

    >>> printed_document("Document(id=b, content: 'Travel ...', meta: {}, score: 2.5, embedding: vector of 48)")
    ('b', 2.5)
    """
    if not text.startswith("Document(id="):
        return None
    identity, _, rest = text.removeprefix("Document(id=").partition(", ")
    score = number_of(rest.rpartition("score: ")[2].split(",", 1)[0].rstrip(") "))
    return identity.strip("'\"") or None, score


def pipeline_question(data: Any) -> str | None:
    """Read the input of a pipeline, ``{component: {socket: value}}``: the text most sockets were given.

    >>> pipeline_question({"retriever": {"query": "How much?"}, "builder": {"query": "How much?"}})
    'How much?'
    """
    if not isinstance(data, dict):
        return None
    inputs = [sockets for sockets in data.values() if isinstance(sockets, dict)]
    for socket in _SOCKETS:
        texts = Counter(text for sockets in inputs if (text := text_of(sockets.get(socket))) and not is_repr(text))
        if texts:
            return texts.most_common(1)[0][0]
    return None


def pipeline_answer(components: Mapping[str, Any]) -> str | None:
    """Read the output of a pipeline, ``{component: {"replies": [..]}}``, if one component replied in text."""
    replies = [
        sockets["replies"] for sockets in components.values() if isinstance(sockets, dict) and "replies" in sockets
    ]
    if len(replies) != 1 or not isinstance(replies[0], list) or not replies[0]:
        return None
    text = text_of(replies[0][-1])
    return None if text is None or is_repr(text) else text
