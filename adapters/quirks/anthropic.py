"""Anthropic: documents as parts of a message, and a client that writes spans of its own.

The client writes a span for each of its requests, without content unless it is told to, and never with documents.

Source: docs.claude.com, "Citations" and "Search results".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.values import dig, text_of

_SCOPE, _OWN = "com.anthropic.sdk.", "anthropic.message."
"""What the scope of its client's spans begins with, before the language, and the keys of its own."""
_WITHHELD = "anthropic_"
"""What its client puts before the type of a part of which it writes no content."""
DOCUMENT_PARTS = frozenset({"document", "search_result", f"{_WITHHELD}document", f"{_WITHHELD}search_result"})
"""The types of parts that are documents to answer from."""
_LABELS = ("title", "context")


def is_of_client(scope: str, attributes: Mapping[str, Any]) -> bool:
    """Tell whether its client wrote a span, by the scope or, where a server kept none, by keys of its own.

    >>> is_of_client("com.anthropic.sdk.python", {}), is_of_client("", {"anthropic.message.stop_reason": "end_turn"})
    (True, True)
    """
    return scope.startswith(_SCOPE) or (not scope and any(key.startswith(_OWN) for key in attributes))


def row_of(part: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the row that a document among the parts of a message is; ``None`` where its text is not there.

    >>> source = {"type": "text", "media_type": "text/plain", "data": "Up to 180 EUR."}
    >>> row_of({"type": "document", "source": source, "title": "Hotels"})
    {'text': 'Up to 180 EUR.', 'title': 'Hotels'}
    >>> content = [{"type": "text", "text": "Up to 180 EUR."}]
    >>> row_of({"type": "search_result", "source": "https://a.example", "title": "Hotels", "content": content})
    {'text': 'Up to 180 EUR.', 'title': 'Hotels', 'uri': 'https://a.example'}
    """
    source = part.get("source")
    if part.get("type") == "document":
        read = dig(source, "data") if dig(source, "type") == "text" else None
        content = dig(source, "content")
    else:
        read, content = None, part.get("content")
    blocks = [dig(each, "text") for each in content] if isinstance(content, list) else [content or read]
    text = "\n".join(block for block in blocks if isinstance(block, str) and block)
    if not text:
        return None
    row = {"text": text} | {key: told for key in _LABELS if (told := text_of(part.get(key))) is not None}
    return row | ({"uri": source} if isinstance(source, str) and source else {})
