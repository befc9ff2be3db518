"""From a retrieved document, as instrumentations report it, to a `Passage`.

Identity: the framework's id, else ``doc_id@version`` from metadata, else a hash of the text. The metadata keys read
here are conventions of the field; whatever is read stays in `Passage.metadata` as it came.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from adapters.schema import Passage
from adapters.values import instant_of, number_of, text_of

_DOC_ID = ("doc_id", "document_id")
_VERSION = ("version", "doc_version", "document_version")
_SECTION = ("section", "section_id", "heading")
_URI = ("uri", "url", "source", "source_url", "file_path")
_FROM = ("effective_from", "effective_date", "valid_from")
_TO = ("effective_to", "valid_to", "valid_until", "expires_at")
_PUBLISHED = ("published_at", "publication_date", "published")
_SUPERSEDES = ("supersedes",)
_PERMITTED = ("permitted", "permitted_for", "allowed_groups")
_CHECKSUM = ("checksum", "content_hash", "sha256")
_SCORE = ("relevance_score", "score", "_score")
"""A reranker adds ``relevance_score`` after the retriever's ``score``, so the former is the newer."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document as reported. ``known`` is what metadata says where the metadata itself was cut and is not kept."""

    index: int
    id: str | None = None
    text: str | None = None
    score: float | None = None
    metadata: Mapping[str, Any] | None = None
    known: Mapping[str, Any] | None = None

    @property
    def facts(self) -> Mapping[str, Any]:
        """What is known about the document, wherever from."""
        return self.metadata or self.known or {}

    @property
    def best_score(self) -> float | None:
        """The reported score, else the one in metadata; ``None``, not 0, where there is none."""
        if self.score is not None:
            return self.score
        facts = self.facts
        for key in _SCORE if facts else ():
            if (value := facts.get(key)) is not None and (score := number_of(value)) is not None:
                return score
        return None


@dataclass(slots=True)
class Identities:
    """Gives each passage of one trace its id, the same one wherever it appears.

    Two different texts under one id (chunks of a document that carry its id only) stay two passages: the first keeps
    the id, the others get a hash of their text appended.
    """

    scope: str
    _texts: dict[str, str | None] = field(default_factory=dict)

    def of(self, document: Document) -> str:
        """Return the id of ``document``."""
        base = self._base(document)
        known = self._texts.setdefault(base, document.text)
        if known is None:
            self._texts[base] = document.text
        if document.text is None or known is None or known == document.text:
            return base
        return f"{base}#{_digest(document.text)[:8]}"

    def _base(self, document: Document) -> str:
        if document.id:
            return document.id
        doc_id, version = _first(document.facts, _DOC_ID), _first(document.facts, _VERSION)
        if doc_id and version:
            return f"{doc_id}@{version}"
        if document.text is None:
            return f"{doc_id or self.scope}#{document.index}"
        digest = _digest(document.text)[:16]
        return f"{doc_id}#{digest}" if doc_id else f"text-{digest}"


def passage_of(document: Document, *, id: str, stage: str | None, rank: int | None) -> Passage:  # noqa: A002 - the field's name
    """Build the passage of ``document``; what metadata does not say, or says unreadably, is ``None``."""
    facts = document.facts
    if not facts:
        return Passage(id=id, text=document.text, score=document.best_score, rank=rank, stage=stage)
    authority = number_of(facts.get("authority")) if not isinstance(facts.get("authority"), str) else None
    return Passage(
        id=id,
        text=document.text,
        score=document.best_score,
        rank=rank,
        stage=stage,
        doc_id=_first(facts, _DOC_ID),
        version=_first(facts, _VERSION),
        section=_first(facts, _SECTION),
        uri=_first(facts, _URI),
        effective_from=_instant(facts, _FROM),
        effective_to=_instant(facts, _TO, end_of_day=True),
        published_at=_instant(facts, _PUBLISHED),
        authority=authority if authority is not None and 0 <= authority <= 1 else None,
        role=_first(facts, ("role",)),
        supersedes=_names(facts, _SUPERSEDES),
        permitted=_names(facts, _PERMITTED),
        checksum=_first(facts, _CHECKSUM),
        metadata=document.metadata,
    )


def _instant(facts: Mapping[str, Any], keys: tuple[str, ...], *, end_of_day: bool = False) -> datetime | None:
    for key in keys:
        value = facts.get(key)
        if value is not None and (at := instant_of(value, end_of_day=end_of_day)) is not None:
            return at
    return None


def _first(facts: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    for key in keys:
        value = facts.get(key)
        if value is None:
            continue
        if (text := text_of(value)) is not None:
            return text
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
    return None


def _names(facts: Mapping[str, Any], keys: tuple[str, ...]) -> tuple[str, ...] | None:
    for key in keys:
        value = facts.get(key)
        if (text := text_of(value)) is not None:
            return (text,)
        if isinstance(value, list):
            return tuple(item for item in value if text_of(item))
    return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
