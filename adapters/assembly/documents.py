"""Documents as frameworks dump them into what a step put out: as JSON objects, or as Python reprs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adapters.documents.passages import Document
from adapters.values import number_of, text_of

_MAX_DEPTH = 4  # root > component > socket > list


def documents_in(output: Any, *, most: int) -> dict[int, Document] | None:
    """Read the documents a step put out, by index: a list of them, or an object that holds one under ``documents``.

    ``{}`` for a list of none; ``None`` where ``output`` is no list of documents.

    >>> documents_in({"documents": [{"page_content": "Up to 180 EUR.", "metadata": {"doc_id": "T-1"}}]}, most=10)
    {0: Document(index=0, id=None, text='Up to 180 EUR.', score=None, metadata={'doc_id': 'T-1'}, known=None)}
    """
    items = output.get("documents") if isinstance(output, dict) else output
    if not isinstance(items, list):
        return None
    found = documents_of_items(items, most=most)
    return found if found or not items else None


def documents_of_items(items: list[Any], *, most: int) -> dict[int, Document]:
    """Return the documents among the first ``most`` of ``items``, by index."""
    found = {}
    for index, item in enumerate(items[:most]):
        document = document_of(index, item)
        if document is not None:
            found[index] = document
    return found


def document_of(index: int, item: Any) -> Document | None:
    """Read one document, an object or a repr; ``None`` where ``item`` is neither.

    >>> document_of(0, "<NodeWithScore(node=TextNode(id_=a#1), score=0.5)>")
    Document(index=0, id='a#1', text=None, score=0.5, metadata=None, known=None)
    >>> document_of(1, "Document(id=b, content: 'Travel ...', meta: {}, score: 2.5, embedding: vector of 48)").score
    2.5
    """
    return _from_repr(index, item) if isinstance(item, str) else _from_json(index, item)


def lists_in(value: Any, depth: int = 0) -> Iterator[list[Any]]:
    """Yield the lists in ``value`` that may be of documents."""
    if isinstance(value, list):
        yield value
    elif isinstance(value, dict) and depth < _MAX_DEPTH:
        for item in value.values():
            yield from lists_in(item, depth + 1)


def _from_json(index: int, item: Any) -> Document | None:
    """Read a document dumped to JSON, as LangChain writes it plain or as a constructor with its ``kwargs``."""
    if not isinstance(item, dict):
        return None
    if item.get("type") == "constructor" and isinstance(item.get("kwargs"), dict):
        item = item["kwargs"]
    identity = item.get("id")
    metadata = item.get("metadata", item.get("meta"))
    return Document(
        index=index,
        id=str(identity) if identity not in (None, "") else None,
        text=text_of(item.get("page_content", item.get("content"))),
        score=number_of(item.get("score")),
        metadata=metadata if isinstance(metadata, dict) else None,
    )


def _from_repr(index: int, text: str) -> Document | None:
    """Read id and score from the repr of a document; its text is cut there, and is never taken from it."""
    if text.startswith("Document(id="):
        identity, _, rest = text.removeprefix("Document(id=").partition(", ")
        score = number_of(rest.rpartition("score: ")[2].split(",", 1)[0].rstrip(") "))
    elif (at := text.find("id_=")) >= 0:
        identity, _, rest = text[at + len("id_=") :].partition("), score=")
        score = number_of(rest.split(")", 1)[0])
    else:
        return None
    return Document(index=index, id=identity.strip("'\"") or None, score=score)
