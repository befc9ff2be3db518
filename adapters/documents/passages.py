"""From a retrieved document, as instrumentations report it, to a `Passage`.

Identity: the framework's id, else ``doc_id@version`` from metadata, else a hash of the text. Metadata is read by
`adapters.documents.facts`; whatever is read stays in `Passage.metadata` as it came.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from adapters.base import PassageKeys
from adapters.documents.facts import facts_told, named_fact, text_told
from adapters.frozen import frozen
from adapters.schema import Passage
from adapters.values import number_of
from adapters.vocabulary import SCORE

NO_KEYS = PassageKeys()


@frozen(frozen=True, slots=True)
class RetrievedDocument:
    """A document as reported. ``known`` is what metadata says where the metadata itself was cut and is not kept.

    ``part_of`` is the id of the document that it was cut from, where a framework tells that beside the metadata.
    """

    index: int
    id: str | None = None
    text: str | None = None
    score: float | None = None
    metadata: Mapping[str, Any] | None = None
    known: Mapping[str, Any] | None = None
    part_of: str | None = field(default=None, repr=False)

    @property
    def facts(self) -> Mapping[str, Any]:
        """What is known about the document, wherever from."""
        return self.metadata or self.known or {}

    @property
    def best_score(self) -> float | None:
        """The reported score, else the one in metadata; ``None``, not 0, where there is none."""
        if self.score is not None:
            return self.score
        return SCORE.first(self.facts, number_of)

    def text_by(self, keys: PassageKeys) -> str | None:
        """Return the text: what ``keys`` say that it is, else what was read as such."""
        return (text_told(self.facts, keys) if keys.text else None) or self.text


Documents = tuple[RetrievedDocument, ...]


def numbered(documents: Iterable[RetrievedDocument]) -> Documents:
    """Return ``documents``, each with its place among them.

    >>> [each.index for each in numbered([RetrievedDocument(7, "a"), RetrievedDocument(1, "b")])]
    [0, 1]
    """
    placed = enumerate(documents)
    return tuple([each if each.index == index else replace(each, index=index) for index, each in placed])


@dataclass(slots=True)
class Identities:
    """Gives each passage of one trace its id, the same one wherever it appears. ``keys`` are a user's own.

    Two different texts under one id (chunks of a document that carry its id only) stay two passages: the first keeps
    the id, the others get a hash of their text appended.
    """

    scope: str
    keys: PassageKeys = NO_KEYS
    _texts: dict[str, str | None] = field(default_factory=dict)
    _known: dict[int, tuple[RetrievedDocument, str]] = field(default_factory=dict)
    """By `id`: a document is asked for by its passage and by each stage that reports it."""

    def of(self, document: RetrievedDocument) -> str:
        """Return the id of ``document``."""
        if (known := self._known.get(id(document))) is not None:
            return known[1]
        identity = self._identity(document)
        self._known[id(document)] = document, identity
        return identity

    def _identity(self, document: RetrievedDocument) -> str:
        text = document.text_by(self.keys)
        base = self._base(document, text)
        known = self._texts.setdefault(base, text)
        if known is None:
            self._texts[base] = text
        if text is None or known is None or known == text:
            return base
        return f"{base}#{_digest(text)[:8]}"

    def _base(self, document: RetrievedDocument, text: str | None) -> str:
        if document.id:
            return document.id
        doc_id, version = self._named(document)
        if doc_id and version:
            return f"{doc_id}@{version}"
        if text is None:
            return f"{doc_id or self.scope}#{document.index}"
        digest = _digest(text)[:16]
        return f"{doc_id}#{digest}" if doc_id else f"text-{digest}"

    def _named(self, document: RetrievedDocument) -> tuple[str | None, str | None]:
        """Return the document id and version that metadata gives by name."""
        facts, keys = document.facts, self.keys
        if not (keys.doc_id or keys.version):
            return named_fact(facts, "doc_id"), named_fact(facts, "version")
        told = facts_told(facts, keys, own_id=None, part_of=None)
        doc_id = told.get("doc_id") if keys.doc_id else named_fact(facts, "doc_id")
        return doc_id, told.get("version")


def passage_of(
    document: RetrievedDocument,
    *,
    id: str,  # noqa: A002 - the field's name
    stage: str | None,
    rank: int | None,
    keys: PassageKeys = NO_KEYS,
) -> Passage:
    """Build the passage of ``document``; what metadata does not say, or says unreadably, is ``None``."""
    facts = document.facts
    told = facts_told(facts, keys, own_id=document.id, part_of=document.part_of)
    return Passage(
        id=id,
        text=document.text_by(keys),
        score=document.best_score,
        rank=rank,
        stage=stage,
        metadata=document.metadata if facts else None,
        **told,
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
