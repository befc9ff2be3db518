"""The text of passages that a source reports by id alone, taken from the catalog."""

from __future__ import annotations

from typing import Any

from adapters.schema import Answer, Passage
from scorers.catalog.document import Document, split_reference
from scorers.catalog.graph import Catalog

_WINDOW = ("effective_from", "effective_to")
_TAKEN = ("text", "version", "section", "uri", *_WINDOW, "authority", "role", "permitted", "checksum")
"""What is taken over where the passage does not say it; the entry's id and links too."""


def looked_up(answer: Answer, catalog: Catalog, *, max_text_chars: int) -> Answer:
    """Return ``answer`` with the text, and what else the catalog knows, of passages that came without a text.

    A passage is a document's where its id is the reference ``id@version``, or its document id and version are the
    document's, and where exactly one entry with a text is that document. Nothing that the source said is replaced. A
    text is cut at ``max_text_chars`` and the answer flagged then, as with texts of the source.

    >>> answer = Answer(id="a-1", passages=(Passage(id="HR-010@4", score=0.8), Passage(id="HR-011@2")))
    >>> catalog = Catalog([Document(id="HR-010", version="4", text="The limit is 180 EUR.")])
    >>> [passage.text for passage in looked_up(answer, catalog, max_text_chars=1000).passages]
    ['The limit is 180 EUR.', None]
    """
    if not any(passage.text is None for passage in answer.passages or ()):
        return answer
    passages, cut = [], False
    for passage in answer.passages or ():
        document = _source(passage, catalog) if passage.text is None else None
        if document is not None:
            added = _missing(passage, document)
            cut = cut or len(added["text"]) > max_text_chars
            added["text"] = added["text"][:max_text_chars]
            passage = passage.model_copy(update=added)  # noqa: PLW2901 - the same passage, completed
        passages.append(passage)
    changes: dict[str, Any] = {"passages": tuple(passages)}
    if cut:
        changes["flags"] = answer.flags | {"content_truncated"}
    return answer.model_copy(update=changes)


def _source(passage: Passage, catalog: Catalog) -> Document | None:
    """Return the one entry with a text that the passage names; ``None`` where none or several do."""
    editions = {edition.key: edition for key in _keys(passage) if (edition := catalog.edition(*key)) is not None}
    found = [
        document
        for edition in editions.values()
        for document in edition.sections
        if document.text and _agree(passage, document)
    ]
    return found[0] if len(found) == 1 else None


def _keys(passage: Passage) -> set[tuple[str, str]]:
    """Return the document ids and versions (empty for none) that a passage may mean."""
    if passage.doc_id is None:
        return _either(passage.id)
    if passage.version is not None:
        return {(passage.doc_id, passage.version)}
    return _either(passage.doc_id) | {key for key in _either(passage.id) if key[0] == passage.doc_id}


def _either(name: str) -> set[tuple[str, str]]:
    """Return what a name may mean: the reference of a version, or the id of a document without versions."""
    doc_id, version = split_reference(name)
    return {(name, ""), (doc_id, version or "")}


def _agree(passage: Passage, document: Document) -> bool:
    """Tell whether nothing that the passage says of itself speaks against the entry."""
    return (
        passage.version in (None, document.version)
        and passage.section in (None, document.section)
        and (passage.checksum is None or document.checksum is None or passage.checksum == document.checksum)
    )


def _missing(passage: Passage, document: Document) -> dict[str, Any]:
    # Half a window of one source and half of another would be a window nobody ever stated.
    said = frozenset(_WINDOW) if any(getattr(passage, name) is not None for name in _WINDOW) else frozenset()
    found: dict[str, Any] = {
        name: value
        for name in _TAKEN
        if name not in said and getattr(passage, name) is None and (value := getattr(document, name)) is not None
    }
    if passage.doc_id is None:
        found["doc_id"] = document.id
    if passage.supersedes is None and document.supersedes:
        found["supersedes"] = document.supersedes
    return found
