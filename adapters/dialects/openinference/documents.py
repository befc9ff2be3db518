"""The documents a retriever or reranker span reports.

They stand in flattened attributes, ``retrieval.documents.<i>.document.*``. The SDK's limit of 128 attributes drops the
oldest, so the best-ranked documents may be gone or in parts: indexes are kept as they are, never renumbered, and what
``output.value`` still says fills the holes. LangChain writes a document's id there only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from adapters.assembly.view import View
from adapters.dialects.openinference.keys import DOCUMENTS, REDACTED
from adapters.documents.passages import Documents, RetrievedDocument
from adapters.documents.shapes import document_of, documents_among, documents_in
from adapters.values import number_of, salvage_json, text_of
from adapters.vocabulary import DocumentList

_MOST_LISTS = 100
"""Lists of the right length that are compared; in what one chain hands on there are few."""
_KEY = re.compile(r"(\d{1,6})\.document\.(id|content|score|metadata)")


def documents_of(view: View, listing: DocumentList, *, most: int) -> Documents | None:
    """Return the documents of ``view``, in order of index; ``()`` if it reported none, ``None`` if it did not say."""
    flat = _flattened(view, DOCUMENTS[listing], most)
    if listing == "rerank_input":
        return _merged(view, flat, ()) or None
    whole = bool(flat) and len(flat) == max(flat) + 1 and all("id" in fields for fields in flat.values())
    dumped = None if whole else documents_in(view.output, most=most)
    if dumped is None and flat and view.span.dropped_attributes and not view.redacted:
        dumped = _handed_on(view, flat, most)
    if not flat and dumped is None:
        return None
    return _merged(view, flat, dumped or ())


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


def _merged(view: View, flat: Mapping[int, Mapping[str, Any]], dumped: Documents) -> Documents:
    there = {document.index: document for document in dumped}
    return tuple(
        _document(view, index, flat.get(index, {}), there.get(index)) for index in sorted(flat.keys() | there.keys())
    )


def _document(view: View, index: int, fields: Mapping[str, Any], dumped: RetrievedDocument | None) -> RetrievedDocument:
    raw = fields.get("metadata")
    metadata = known = None
    if isinstance(raw, str) and view.is_cut(raw):
        cut = salvage_json(raw, limit=view.reading.json_limit)
        known = cut if isinstance(cut, dict) else None
    elif raw is not None:
        parsed = view.parsed(raw)
        metadata = parsed if isinstance(parsed, dict) else None
    text, score = text_of(fields.get("content")), number_of(fields.get("score"))
    identity = fields.get("id")
    found = None if identity is None or identity == "" else str(identity)
    if dumped is None:
        return RetrievedDocument(index, found, text, score, metadata, known)
    return RetrievedDocument(
        index=index,
        id=found or dumped.id,
        # A text that was redacted here is not to be found elsewhere.
        text=text if "content" in fields else dumped.text,
        score=score if score is not None else dumped.score,
        metadata=metadata if "metadata" in fields else dumped.metadata,
        known=known,
    )


def _handed_on(view: View, flat: Mapping[int, Mapping[str, Any]], most: int) -> Documents | None:
    """Find the documents that ``view`` lost in what spans around it were handed: the list that agrees with the rest.

    The SDK drops the best-ranked documents first, and ``output.value`` before them; a formatter, a prompt builder or
    the root itself may still hold the whole list.
    """
    *_, top = (view, *view.ancestors())
    for items in top.lists.get(max(flat) + 1, ())[:_MOST_LISTS]:
        if _agrees(items, flat):
            return documents_among(items, most=most)
    return None


def _agrees(items: Sequence[Any], flat: Mapping[int, Mapping[str, Any]]) -> bool:
    """Tell whether each document that is known is the one in its place, by its id or else by its text."""
    told = False
    for index, fields in flat.items():
        document = document_of(index, items[index])
        if document is None:
            return False
        for known, there in ((fields.get("id"), document.id), (fields.get("content"), document.text)):
            if known is not None:
                if str(known) != there:
                    return False
                told = True
                break
    return told
