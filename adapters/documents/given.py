"""Passages as people and programs write them down: as a `Passage`, as a framework's document, as a mere text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.base import PassageKeys
from adapters.documents.facts import facts_told
from adapters.documents.identity import is_random
from adapters.documents.passages import NO_KEYS, Identities
from adapters.documents.shapes import documents_in
from adapters.schema import Answer, Passage
from adapters.vocabulary import METADATA, TEXT

_FOREIGN = frozenset((*TEXT, *METADATA)) - {"text", "metadata"}
"""What frameworks call a document's text and metadata, and a `Passage` does not."""


def is_document(given: Any) -> bool:
    """Tell whether a value is a document as frameworks or people write one, and no `Passage`.

    >>> is_document("180 EUR."), is_document({"page_content": "180 EUR."}), is_document({"id": "p", "text": "180 EUR."})
    (True, True, False)
    """
    return isinstance(given, str) or (
        isinstance(given, Mapping) and ("id" not in given or not _FOREIGN.isdisjoint(given))
    )


def documented(given: Any, place: int, identities: Identities) -> Passage:
    """Return the passage of a document at a place of a list, with its metadata for `described` to read.

    Raises `ValueError` for a document without a text.

    >>> made = documented({"page_content": "180 EUR.", "metadata": {"source": "a.pdf"}}, 0, Identities("r"))
    >>> made.text, made.rank, dict(made.metadata)
    ('180 EUR.', 0, {'source': 'a.pdf'})
    """
    documents = documents_in([given], most=1)
    if not documents:
        raise ValueError("no text in it: give it as `text`, `page_content` or `content`")
    [document] = documents
    return Passage(
        id=identities.of(document),
        text=document.text_by(identities.keys),
        score=document.best_score,
        rank=place,
        doc_id=None if document.part_of is None or is_random(document.part_of) else document.part_of,
        metadata=document.metadata or None,
    )


def described(answer: Answer, keys: PassageKeys = NO_KEYS) -> Answer:
    """Return ``answer`` with what metadata of its passages tells of their documents, where they do not say it.

    >>> passage = Passage(id="c-1", version="4", metadata={"source": "a.pdf", "version": "3"})
    >>> [found] = described(Answer(id="a", passages=[passage])).passages
    >>> found.doc_id, found.version
    ('a.pdf', '4')
    """
    passages = answer.passages or ()
    found = tuple(_described(each, keys) for each in passages)
    changed = any(new is not old for new, old in zip(found, passages, strict=True))
    return answer.model_copy(update={"passages": found}) if changed else answer


def _described(passage: Passage, keys: PassageKeys) -> Passage:
    if not passage.metadata:
        return passage
    told = facts_told(passage.metadata, keys, own_id=passage.id, part_of=None)
    missing = {name: value for name, value in told.items() if getattr(passage, name) is None}
    return passage.model_copy(update=missing) if missing else passage
