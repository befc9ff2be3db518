"""What a retriever or a vector store found: JSON of LangChain's or LlamaIndex's making, or an event each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.assembly.documents import documents_in
from adapters.dialects.openllmetry.keys import RESULT_EVENTS
from adapters.documents.passages import Document
from adapters.trace import Event
from adapters.values import number_of, parse_json, parse_literal, text_of

_TEXT_KEYS = ("text", "page_content", "content", "document", "chunk")
"""Where those who fill a store that keeps vectors and metadata only put the text."""
_MAX_REPR_CHARS = 200_000


def documents_of_output(output: Any, *, most: int, json_limit: int) -> tuple[Document, ...] | None:
    """Return the documents in a step's output: LangChain's, or LlamaIndex's nodes, each dumped to a text of JSON."""
    if isinstance(output, list) and output and all(isinstance(item, str | dict) for item in output[:most]):
        parsed = [parse_json(item, limit=json_limit) if isinstance(item, str) else item for item in output[:most]]
        if all(isinstance(item, dict) and isinstance(item.get("node"), dict) for item in parsed):
            return tuple(_node(index, item) for index, item in enumerate(parsed))
    found = documents_in(output, most=most)
    return None if found is None else tuple(found[index] for index in sorted(found))


def _node(index: int, item: Mapping[str, Any]) -> Document:
    node = item["node"]
    metadata = node.get("metadata")
    return Document(
        index=index,
        id=text_of(node.get("id_")) or text_of(node.get("id")),
        text=text_of(node.get("text")),
        score=number_of(item.get("score")),
        metadata=metadata if isinstance(metadata, dict) else None,
    )


def documents_of_events(events: tuple[Event, ...], *, most: int, json_limit: int) -> tuple[Document, ...] | None:
    """Return the matches that a vector store's client was given; ``None`` where there is no event of a match.

    A distance is no score: the smaller, the nearer.
    """
    matches = [event for event in events if event.name in RESULT_EVENTS][:most]
    return tuple(_match(index, event, json_limit) for index, event in enumerate(matches)) or None


def _match(index: int, event: Event, json_limit: int) -> Document:
    told: Mapping[str, Any] = {key[len(event.name) + 1 :]: value for key, value in event.attributes.items()}
    metadata = _object(told.get("metadata", told.get("entity")), json_limit)
    text = text_of(told.get("document"))
    if text is None and metadata is not None:
        text = next((found for key in _TEXT_KEYS if (found := text_of(metadata.get(key))) is not None), None)
        # What is the text is not repeated as metadata.
        metadata = {key: value for key, value in metadata.items() if text is None or value != text}
    return Document(
        index=index,
        id=str(told["id"]) if told.get("id") not in (None, "") else None,
        text=text,
        score=number_of(told.get("score")),
        metadata=metadata,
    )


def _object(value: Any, json_limit: int) -> Mapping[str, Any] | None:
    """Read an object written as JSON, or as Python prints it."""
    if not isinstance(value, str):
        return value if isinstance(value, dict) else None
    found = parse_json(value, limit=json_limit)
    if found is None and value.startswith("{'"):
        found = parse_literal(value, limit=_MAX_REPR_CHARS)
    return found if isinstance(found, dict) else None
