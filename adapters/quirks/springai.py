"""What is special about Spring AI: steps that name their kind, and lists of texts put together without escapes.

Source: github.com/spring-projects/spring-ai, the conventions of its observations (1.0) and TracingHelper.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from adapters.values import text_of

SpringSpanKind = Literal["CHAIN", "RETRIEVER", "TOOL", "OTHER"]

FRAMEWORK = "springai"
KIND = "spring.ai.kind"
USER_TEXT = "spring.ai.chat.client.user.text"
CONVERSATION = "spring.ai.chat.client.conversation.id"
TOOL, TOOL_DESCRIPTION = "spring.ai.tool.definition.name", "spring.ai.tool.definition.description"
ARGUMENTS, RESULT = "spring.ai.tool.call.arguments", "spring.ai.tool.call.result"
QUERY, DOCUMENTS = "db.vector.query.content", "db.vector.query.response.documents"

_KINDS: Mapping[str, SpringSpanKind] = {"chat_client": "CHAIN", "advisor": "CHAIN", "tool_call": "TOOL"}
_OPENING, _BETWEEN, _CLOSING = '["', '", "', '"]'
_MAX_CHARS = 1_000_000


def kind_of(attributes: Mapping[str, Any]) -> SpringSpanKind | None:
    """Return the kind of a step of Spring AI's own; ``None`` for any other.

    >>> kind_of({"spring.ai.kind": "vector_store", "db.operation.name": "query"}), kind_of({})
    ('RETRIEVER', None)
    """
    told = attributes.get(KIND)
    if not isinstance(told, str):
        return None
    if told == "vector_store":
        return "RETRIEVER" if attributes.get("db.operation.name") == "query" else "OTHER"
    return _KINDS.get(told, "OTHER")


def listed(value: Any) -> list[str] | None:
    r"""Return the texts that were put together as ``["..", ".."]`` with their line breaks as they are.

    >>> listed('["Up to 180 EUR.\nBy train.", "150 EUR."]'), listed("Up to 180 EUR.")
    (['Up to 180 EUR.\nBy train.', '150 EUR.'], None)
    """
    text = text_of(value)
    if text is None or len(text) > _MAX_CHARS or not (text.startswith(_OPENING) and text.endswith(_CLOSING)):
        return None
    return text[len(_OPENING) : -len(_CLOSING)].split(_BETWEEN)
