"""The documents in what an observed function returned as retriever or reranker, whatever its author called their parts.

LangChain's handlers dump its documents; hand-written code returns what its index gives: rows of its own, or the answer
of a vector store. The names looked for are those of LangChain, LlamaIndex, Haystack and of the common stores.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from adapters.documents.passages import Document
from adapters.values import is_repr, number_of, text_of

RERANKS = re.compile(r"re[-_ ]?rank", re.IGNORECASE)
RETRIEVES = re.compile(r"retriev|search|look[-_ ]?up|fetch[-_ ]?(?:doc|passage|chunk|context)|similar", re.IGNORECASE)
"""What functions that rerank or retrieve are called, where nothing but their name and result tells what they are."""

_LISTS = (
    "documents", "docs", "passages", "chunks", "results", "matches", "hits", "nodes", "source_nodes", "sources",
    "points", "items", "records", "context", "contexts", "source_documents", "retrieved", "retrieved_documents",
    "retrievalResults", "data", "objects", "value", "rows", "articles", "snippets",
)  # fmt: skip
_TEXT = (
    "page_content", "pageContent", "content", "text", "document", "chunk", "passage", "body", "chunk_text", "snippet",
    "excerpt", "passage_text", "doc_text",
)  # fmt: skip
_ID = ("id", "chunk_id", "passage_id", "node_id", "id_", "_id", "uuid", "point_id", "chunkId", "key")
_DOC_ID = ("doc_id", "document_id", "docId", "documentId", "file_id")
_VERSION = ("version", "doc_version", "document_version")
_SCORE = (
    "score", "similarity", "relevance_score", "relevanceScore", "relevance", "similarity_score", "rerank_score",
    "_score", "@search.score", "@search.rerankerScore", "certainty",
)  # fmt: skip
_METADATA = ("metadata", "meta", "payload", "_source", "properties", "attributes", "extra_info", "fields")
_FACTS = (
    "doc_id", "document_id", "version", "doc_version", "section", "heading", "uri", "url", "source", "title",
    "file_path", "effective_from", "effective_to", "valid_from", "valid_to", "published_at", "authority", "role",
    "supersedes", "permitted", "checksum", "distance",
)  # fmt: skip
"""What is taken from beside a metadata object that lacks it."""
_UNTOLD = frozenset({"type", "embedding", "vector", "values", "lc", "rank", "index", "blob", "mimetype", "score_set"})
_INNER = ("node", "document", "doc", "kwargs", "item", "object", "chunk")
_MAX_DEPTH = 4


def documents_in(value: Any, *, most: int) -> tuple[Document, ...] | None:
    """Return the first ``most`` documents of what a step returned; ``None`` where it holds no list of them.

    >>> documents_in([{"chunk": "Up to 180 EUR.", "chunk_id": "T-1", "similarity": 0.8}], most=10)
    (Document(index=0, id='T-1', text='Up to 180 EUR.', score=0.8, metadata=None, known=None),)
    >>> documents_in({"results": []}, most=10), documents_in({"count": 3}, most=10)
    ((), None)
    """
    if isinstance(value, str):
        # A context that was joined into one text is one passage.
        return None if text_of(value) is None or is_repr(value) else (Document(0, text=value),)
    items = _items(value, 0)
    if items is None:
        return None
    found = list(_documents(items[:most]))
    if items and not found:
        return None
    return tuple(_without_distances(found, items))


def lists_documents(value: Any) -> bool:
    """Tell whether ``value`` holds a list of documents; a mere text is none here.

    >>> lists_documents([{"text": "Up to 180 EUR."}]), lists_documents("Up to 180 EUR."), lists_documents([])
    (True, False, False)
    """
    return isinstance(value, dict | list) and bool(documents_in(value, most=1))


def reranked_in(value: Any, inputs: tuple[Document, ...], *, most: int) -> tuple[Document, ...] | None:
    """Return what a reranker returned; places in its input, as reranking services give them, stand for what is there.

    >>> reranked_in({"results": [{"index": 1, "relevance_score": 0.9}]}, (Document(0, "a"), Document(1, "b")), most=5)
    (Document(index=0, id='b', text=None, score=0.9, metadata=None, known=None),)
    """
    items = _items(value, 0)
    if items and inputs and all(_place(item, len(inputs)) is not None for item in items):
        found = []
        for index, item in enumerate(items[:most]):
            place, score = _place(item, len(inputs)) or (0, None)
            found.append(replace(inputs[place], index=index, score=score))
        return tuple(found)
    return documents_in(value, most=most)


def _place(item: Any, size: int) -> tuple[int, float | None] | None:
    if not isinstance(item, dict) or not 0 <= (place := item.get("index", -1) if _is_index(item) else -1) < size:
        return None
    return place, _first_number(item, _SCORE)


def _is_index(item: Mapping[str, Any]) -> bool:
    return type(item.get("index")) is int and not any(text_of(item.get(key)) for key in (*_TEXT, *_ID))


def _items(value: Any, depth: int) -> list[Any] | None:
    """Find the list of documents: ``value`` itself, or under one of the names such lists bear."""
    if isinstance(value, list):
        # One list in another: the answers to one query of a batch.
        inner = len(value) == 1 and isinstance(value[0], list) and all(isinstance(item, dict) for item in value[0])
        return value[0] if inner and value[0] else value
    if not isinstance(value, dict) or depth >= _MAX_DEPTH:
        return None
    if (columns := _columns(value)) is not None:
        return columns
    for key in _LISTS:
        if key in value and (found := _items(value[key], depth + 1)) is not None:
            return found
    return None


def _columns(value: Mapping[str, Any]) -> list[Any] | None:
    """Turn columns into rows: ``{"ids": [[..]], "documents": [[..]], "metadatas": [[..]]}``, as Chroma answers."""
    ids = value.get("ids")
    if not isinstance(ids, list):
        return None
    nested = bool(ids) and isinstance(ids[0], list)
    columns: dict[str, list[Any]] = {}
    for name, key in (("id", "ids"), ("text", "documents"), ("metadata", "metadatas"), ("distance", "distances")):
        column = value.get(key)
        column = column[0] if nested and isinstance(column, list) and column else column
        if isinstance(column, list):
            columns[name] = column
    rows = len(columns.get("id", ()))
    return [{name: column[i] for name, column in columns.items() if i < len(column)} for i in range(rows)]


def _documents(items: Iterable[Any]) -> Iterator[Document]:
    for index, item in enumerate(items):
        found = _document(index, item)
        if found is not None:
            yield found


def _document(index: int, item: Any, depth: int = 0) -> Document | None:
    if isinstance(item, str):
        return None if text_of(item) is None or is_repr(item) else Document(index, text=item)
    if isinstance(item, list) and (pair := _pair(item)) is not None and depth < _MAX_DEPTH:
        found = _document(index, pair[0], depth + 1)
        return found if found is None or found.score is not None else replace(found, score=pair[1])
    if not isinstance(item, dict):
        return None
    for key in _INNER:
        if isinstance(item.get(key), dict) and depth < _MAX_DEPTH:
            found = _document(index, item[key], depth + 1)
            if found is not None and (found.text is not None or found.id is not None):
                score = _first_number(item, _SCORE)
                return replace(found, score=found.score if score is None else score, id=found.id or _identity(item))
    return _row(index, item)


def _row(index: int, item: Mapping[str, Any]) -> Document | None:
    given = next((item[key] for key in _METADATA if key in item and isinstance(item[key], dict)), None)
    text_key = next((key for key in _TEXT if key in item and _text(item[key]) is not None), None)
    text = None if text_key is None else _text(item[text_key])
    facts: dict[str, Any]
    if given is None:
        facts = {key: value for key, value in item.items() if key not in _OWN and key != text_key}
    else:
        facts = dict(given)
        if text is None and (inner := next((key for key in _TEXT if text_of(given.get(key))), None)) is not None:
            # Stores without a column for the text keep it among the metadata.
            text = text_of(facts.pop(inner))
        facts |= {key: item[key] for key in _FACTS if item.get(key) is not None and key not in facts}
    identity, score = _identity(item), _first_number(item, _SCORE)
    if text is None and identity is None and not any(facts.get(key) for key in _DOC_ID):
        return None
    if identity is None and not any(facts.get(key) for key in _VERSION):
        identity = next((str(item[key]) for key in _DOC_ID if _is_name(item.get(key))), None)
    return Document(index, id=identity, text=text, score=score, metadata=facts if facts or given == {} else None)


_OWN = frozenset({*_ID, *_SCORE, *_METADATA, *_UNTOLD})


def _text(value: Any) -> str | None:
    """Return a text, given plain, as ``{"text": ..}`` or as a list of such parts."""
    if isinstance(value, str):
        return text_of(value)
    if isinstance(value, dict):
        return text_of(value.get("text"))
    if isinstance(value, list):
        parts = [part["text"] for part in value if isinstance(part, dict) and isinstance(part.get("text"), str)]
        return text_of("\n".join(parts))
    return None


def _identity(item: Mapping[str, Any]) -> str | None:
    return next((str(item[key]) for key in _ID if key in item and _is_name(item[key])), None)


def _is_name(value: Any) -> bool:
    return (isinstance(value, str) and bool(value)) or (isinstance(value, int) and not isinstance(value, bool))


def _first_number(item: Mapping[str, Any], keys: tuple[str, ...]) -> float | None:
    return next((number for key in keys if key in item and (number := number_of(item[key])) is not None), None)


def _pair(item: list[Any]) -> tuple[Any, float] | None:
    """Read (document, number), or (number, document)."""
    if len(item) != 2:  # noqa: PLR2004 - a pair
        return None
    for document, number in (item, item[::-1]):
        if isinstance(number, int | float) and not isinstance(number, bool) and isinstance(document, dict | str):
            read = number_of(number)
            return None if read is None else (document, read)
    return None


def _without_distances(found: list[Document], items: list[Any]) -> list[Document]:
    """Take the numbers off documents paired with them that rise from the best to the worst: they are distances."""
    if not items or not all(isinstance(item, list) for item in items):
        return found
    scores = [document.score for document in found]
    rising = all(a is not None and b is not None and a <= b for a, b in pairwise(scores))
    if len(scores) > 1 and rising and scores[0] != scores[-1]:
        return [replace(document, score=None) for document in found]
    return found
