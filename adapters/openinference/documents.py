"""The documents a retriever or reranker span reports.

They stand in flattened attributes, ``retrieval.documents.<i>.document.*``. The SDK's limit of 128 attributes drops the
oldest, so the best-ranked documents may be gone or in parts: indexes are kept as they are, never renumbered, and what
``output.value`` still says fills the holes. LangChain writes a document's id there only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from adapters.openinference.view import REDACTED, View
from adapters.passages import Document
from adapters.values import number_of, salvage_json, shallow, text_of

RETRIEVED = "retrieval.documents."
RERANKED_IN = "reranker.input_documents."
RERANKED_OUT = "reranker.output_documents."

_MAX_DEPTH = 4  # root > component > socket > list
_KEY = re.compile(r"(\d{1,6})\.document\.(id|content|score|metadata)")


def documents_of(view: View, prefix: str, *, most: int) -> tuple[Document, ...] | None:
    """Return the documents of ``view``, in order of index; ``()`` if it reported none, ``None`` if it did not say."""
    flat = _flattened(view, prefix, most)
    if prefix == RERANKED_IN:
        return _merged(view, flat, {}) or None
    whole = bool(flat) and len(flat) == max(flat) + 1 and all("id" in fields for fields in flat.values())
    dumped = None if whole else _dumped(view, most)
    if dumped is None and flat and view.span.dropped_attributes and not view.redacted:
        dumped = _handed_on(view, flat, most)
    if not flat and dumped is None:
        return None
    return _merged(view, flat, dumped or {})


def _flattened(view: View, prefix: str, most: int) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    start = len(prefix)
    for key, value in view.span.attributes.items():
        if not key.startswith(prefix) or (match := _KEY.fullmatch(key, start)) is None:
            continue
        index = int(match[1])
        if index < most:
            # A redacted text still tells that there was a document.
            found.setdefault(index, {})[match[2]] = None if value == REDACTED else value
    return found


def _merged(view: View, flat: dict[int, dict[str, Any]], dumped: dict[int, Document]) -> tuple[Document, ...]:
    return tuple(
        _document(view, index, flat.get(index, {}), dumped.get(index)) for index in sorted(flat.keys() | dumped.keys())
    )


def _document(view: View, index: int, fields: Mapping[str, Any], dumped: Document | None) -> Document:
    raw = fields.get("metadata")
    metadata = known = None
    if isinstance(raw, str) and view.is_cut(raw):
        cut = salvage_json(raw, limit=view.json_limit)
        known = cut if isinstance(cut, dict) else None
    elif raw is not None:
        parsed = view.parsed(raw)
        metadata = shallow(parsed) if isinstance(parsed, dict) else None
    text, score = text_of(fields.get("content")), number_of(fields.get("score"))
    identity = fields.get("id")
    found = None if identity is None or identity == "" else str(identity)
    if dumped is None:
        return Document(index, found, text, score, metadata, known)
    return Document(
        index=index,
        id=found or dumped.id,
        # A text that was redacted here is not to be found elsewhere.
        text=text if "content" in fields else dumped.text,
        score=score if score is not None else dumped.score,
        metadata=metadata if "metadata" in fields else dumped.metadata,
        known=known,
    )


def _dumped(view: View, most: int) -> dict[int, Document] | None:
    """Read the documents of ``output.value``: JSON objects (LangChain) or Python reprs (LlamaIndex, Haystack)."""
    output = view.output
    listed = output.get("documents") if isinstance(output, dict) else output
    if not isinstance(listed, list):
        return None
    found = _listed(listed, most)
    return found if found or not listed else None


def _listed(listed: list[Any], most: int) -> dict[int, Document]:
    found = {}
    for index, item in enumerate(listed[:most]):
        document = from_repr(index, item) if isinstance(item, str) else _from_json(index, item)
        if document is not None:
            found[index] = document
    return found


def _handed_on(view: View, flat: Mapping[int, Mapping[str, Any]], most: int) -> dict[int, Document] | None:
    """Find the documents that ``view`` lost in what spans around it were handed: the list that agrees with the rest.

    The SDK drops the best-ranked documents first, and ``output.value`` before them; a formatter, a prompt builder or
    the root itself may still hold the whole list.
    """
    top = view
    for top in view.ancestors():  # noqa: B007 - the last one is what is asked for
        pass
    around = sorted(top.subtree(), key=lambda other: (other.span.start_ns, other.span.span_id))
    for other in around:
        for listed in (*_lists(other.input, 0), *_lists(other.output, 0)) if other is not view else ():
            if len(listed) == max(flat) + 1 and _agrees(found := _listed(listed, most), flat):
                return found
    return None


def _lists(value: Any, depth: int) -> Iterator[list[Any]]:
    """Yield the lists in ``value`` that may be of documents."""
    if isinstance(value, list):
        yield value
    elif isinstance(value, dict) and depth < _MAX_DEPTH:
        for item in value.values():
            yield from _lists(item, depth + 1)


def _agrees(found: Mapping[int, Document], flat: Mapping[int, Mapping[str, Any]]) -> bool:
    """Tell whether each document that is known is the one found in its place, by its id or else by its text."""
    same = []
    for index, fields in flat.items():
        document = found.get(index)
        if document is None:
            return False
        if fields.get("id") is not None:
            same.append(document.id == str(fields["id"]))
        elif fields.get("content") is not None:
            same.append(document.text == fields["content"])
    return bool(same) and all(same)


def _from_json(index: int, item: Any) -> Document | None:
    if not isinstance(item, dict):
        return None
    identity = item.get("id")
    metadata = item.get("metadata", item.get("meta"))
    return Document(
        index=index,
        id=str(identity) if identity not in (None, "") else None,
        text=text_of(item.get("page_content", item.get("content"))),
        score=number_of(item.get("score")),
        metadata=shallow(metadata) if isinstance(metadata, dict) else None,
    )


def from_repr(index: int, text: str) -> Document | None:
    """Read id and score from the repr of a document; its text is cut there, and is never taken from it.

    >>> from_repr(0, "<NodeWithScore(node=TextNode(id_=a#1), score=0.5)>")
    Document(index=0, id='a#1', text=None, score=0.5, metadata=None, known=None)
    >>> from_repr(1, "Document(id=b, content: 'Travel ...', meta: {}, score: 2.5, embedding: vector of size 48)").score
    2.5
    """
    if text.startswith("Document(id="):
        identity, _, rest = text.removeprefix("Document(id=").partition(", ")
        score = number_of(rest.rpartition("score: ")[2].split(",", 1)[0].rstrip(") "))
    elif (at := text.find("id_=")) >= 0:
        identity, _, rest = text[at + len("id_=") :].partition("), score=")
        score = number_of(rest.split(")", 1)[0])
    else:
        return None
    return Document(index=index, id=identity.strip("'\"") or None, score=score)
