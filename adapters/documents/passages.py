"""From a retrieved document, as instrumentations report it, to a `Passage`.

Identity: the framework's id, else ``doc_id@version`` from metadata, else a hash of the text. Metadata is read by the
names of `adapters.vocabulary`; whatever is read stays in `Passage.metadata` as it came.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from adapters.schema import Passage
from adapters.values import instant_of, number_of, text_of
from adapters.vocabulary import (
    AUTHORITY,
    CHECKSUM,
    DOC_ID,
    EFFECTIVE_FROM,
    EFFECTIVE_TO,
    PERMITTED,
    PUBLISHED_AT,
    ROLE,
    SCORE,
    SECTION,
    SUPERSEDES,
    URI,
    VERSION,
    Aliases,
)


@dataclass(frozen=True, slots=True)
class RetrievedDocument:
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
        return SCORE.first(self.facts, number_of)


Documents = tuple[RetrievedDocument, ...]


@dataclass(slots=True)
class Identities:
    """Gives each passage of one trace its id, the same one wherever it appears.

    Two different texts under one id (chunks of a document that carry its id only) stay two passages: the first keeps
    the id, the others get a hash of their text appended.
    """

    scope: str
    _texts: dict[str, str | None] = field(default_factory=dict)

    def of(self, document: RetrievedDocument) -> str:
        """Return the id of ``document``."""
        base = self._base(document)
        known = self._texts.setdefault(base, document.text)
        if known is None:
            self._texts[base] = document.text
        if document.text is None or known is None or known == document.text:
            return base
        return f"{base}#{_digest(document.text)[:8]}"

    def _base(self, document: RetrievedDocument) -> str:
        if document.id:
            return document.id
        doc_id, version = DOC_ID.first(document.facts, _scalar), VERSION.first(document.facts, _scalar)
        if doc_id and version:
            return f"{doc_id}@{version}"
        if document.text is None:
            return f"{doc_id or self.scope}#{document.index}"
        digest = _digest(document.text)[:16]
        return f"{doc_id}#{digest}" if doc_id else f"text-{digest}"


def passage_of(document: RetrievedDocument, *, id: str, stage: str | None, rank: int | None) -> Passage:  # noqa: A002 - the field's name
    """Build the passage of ``document``; what metadata does not say, or says unreadably, is ``None``."""
    facts = document.facts
    named = {_FIELD_OF[name] for name in facts if name in _FIELD_OF}
    known = {field: aliases.first(facts, read) for field in named for aliases, read in (_FIELDS[field],)}
    return Passage(
        id=id,
        text=document.text,
        score=document.best_score,
        rank=rank,
        stage=stage,
        metadata=document.metadata if facts else None,
        **known,
    )


def _last_instant(value: Any) -> datetime | None:
    """Read until when a document holds: all through the day that is named."""
    return instant_of(value, end_of_day=True)


def _authority(value: Any) -> float | None:
    number = None if isinstance(value, str) else number_of(value)
    return number if number is not None and 0 <= number <= 1 else None


def _scalar(value: Any) -> str | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return text_of(value)


def _texts(value: Any) -> tuple[str, ...] | None:
    if isinstance(value, list):
        return tuple(item for item in value if text_of(item))
    return None if (text := text_of(value)) is None else (text,)


_FIELDS: Mapping[str, tuple[Aliases, Callable[[Any], Any]]] = {
    "doc_id": (DOC_ID, _scalar),
    "version": (VERSION, _scalar),
    "section": (SECTION, _scalar),
    "uri": (URI, _scalar),
    "effective_from": (EFFECTIVE_FROM, instant_of),
    "effective_to": (EFFECTIVE_TO, _last_instant),
    "published_at": (PUBLISHED_AT, instant_of),
    "authority": (AUTHORITY, _authority),
    "role": (ROLE, _scalar),
    "supersedes": (SUPERSEDES, _texts),
    "permitted": (PERMITTED, _texts),
    "checksum": (CHECKSUM, _scalar),
}
"""What metadata tells of a passage: the field, its names, and what reads its value."""
_FIELD_OF = {name: field for field, (aliases, _) in _FIELDS.items() for name in aliases}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
