"""Where the passages of one answer stand: in force, superseded, expired or not yet in force, and what replaced them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Literal

from adapters.ids import document_of_uri
from adapters.schema import Answer, Passage
from scorers.base import Basis, Env
from scorers.catalog.copies import holds
from scorers.catalog.document import Document, split_reference
from scorers.catalog.edition import Edition, EditionKey, key_of
from scorers.catalog.graph import Catalog
from scorers.catalog.origin import PassageOrigin, origin
from scorers.memory import Memory, once

Validity = Literal["in_force", "superseded", "expired", "not_yet", "unknown"]

MAX_PASSAGES = 200
"""Passages of one answer whose lineage is worked out."""

_EMPTY = Catalog()
_UNLISTED = PassageOrigin(None)


@dataclass(frozen=True, slots=True)
class PassageStatus:
    """Where a passage stood when the question was asked. ``replacement`` is the edition that governed in its place.

    ``origin`` is what the catalog tells of where it comes from.
    """

    validity: Validity
    basis: Basis
    document: Document
    replacement: Edition | None = None
    origin: PassageOrigin = _UNLISTED

    @property
    def stale(self) -> bool:
        """Whether the passage no longer governed: superseded, or expired."""
        return self.validity in ("superseded", "expired")


def asked_at(answer: Answer, env: Env) -> datetime:
    """Return the instant an answer is judged for: when it was asked, or now where the trace does not say."""
    return answer.started_at or env.now


class Lineage:
    """The status of each passage of an answer, from the catalog where it lists the document, else from metadata.

    Passages speak for themselves and for each other: one that supersedes another makes it superseded. Where the catalog
    lists an edition, the catalog's window and links count, and the passage's do not.
    """

    def __init__(self, answer: Answer, catalog: Catalog | None, at: datetime) -> None:
        self.at = at
        self._passages = (answer.passages or ())[:MAX_PASSAGES]
        self._statuses, self._editions = _stood(self._passages, catalog or _EMPTY, at)

    def status(self, passage: Passage) -> PassageStatus | None:
        """Return where ``passage`` stood; ``None`` for one that is not among the answer's passages."""
        return self._statuses.get(passage.id)

    @cached_property
    def listed(self) -> frozenset[int]:
        """The places of the passages of which the catalog says where they stood."""
        told = ((place, self.status(passage)) for place, passage in enumerate(self._passages))
        return frozenset(place for place, status in told if status is not None and status.basis == "catalog")

    def unclear(self, passages: Iterable[Passage]) -> str:
        """Return why the catalog does not say where the first of these passages comes from that it may list.

        Fit to follow what is missing in a detail; empty where there is no such passage.
        """
        told = (self.status(passage) for passage in passages)
        return next((f": {one.origin.unclear}" for one in told if one and one.origin.unclear), "")

    def retrieved(self, edition: Edition) -> Sequence[Passage]:
        """Return the answer's passages that come from ``edition``."""
        return [self._passages[place] for place in self._editions.get(edition.key, ())]


def lineage_of(answer: Answer, env: Env) -> Lineage:
    """Return the lineage of an answer's passages, worked out once for all scorers of a panel."""
    return _lineage(answer, env.memory, env.catalog, asked_at(answer, env))


@once
def _lineage(answer: Answer, _memory: Memory, catalog: Catalog | None, at: datetime) -> Lineage:
    return Lineage(answer, catalog, at)


def _stood(
    passages: Sequence[Passage], listed: Catalog, at: datetime
) -> tuple[Mapping[str, PassageStatus], Mapping[EditionKey, Sequence[int]]]:
    """Return where each passage stood, by id, and the places of those that come from an edition."""
    documents: dict[str, Document] = {}
    origins: dict[str, PassageOrigin] = {}
    editions: dict[EditionKey, list[int]] = {}
    for place, passage in enumerate(passages):
        if passage.id not in documents:
            origins[passage.id] = found = _settled(passage, origin(passage, listed), listed, at)
            documents[passage.id] = document = _document(passage, found.document)
            editions.setdefault(key_of(document), []).append(place)
    if not len(listed) and not any(map(_speaks_of_time, documents.values())):
        return {
            name: PassageStatus("unknown", "passages", document, origin=origins[name])
            for name, document in documents.items()
        }, editions
    fresh = any(not _is_listed(key, listed) for key in editions)
    known = listed.extended(documents.values()) if fresh else listed
    statuses = {name: _status(document, origins[name], known, listed, at) for name, document in documents.items()}
    return statuses, editions


def _settled(passage: Passage, found: PassageOrigin, listed: Catalog, at: datetime) -> PassageOrigin:
    """Return the version that governs for a passage that stands in it unchanged, whichever version it is from."""
    governing = [one for one in found.rivals if listed.governs(one, at)]
    if len(governing) != 1 or not holds(governing[0], passage):
        return found
    return PassageOrigin(governing[0].section(passage.section))


def _speaks_of_time(document: Document) -> bool:
    return bool(document.effective_from or document.effective_to or document.supersedes)


def _status(document: Document, found: PassageOrigin, known: Catalog, listed: Catalog, at: datetime) -> PassageStatus:
    edition = known.edition(document.id, document.version or "")
    assert edition is not None
    own = _is_listed(edition.key, listed)
    replacement = known.replacement(edition, at)
    by_catalog = own or (replacement is not None and _is_listed(replacement.key, listed))
    validity = _validity(edition, replacement, known, at, listed=own)
    return PassageStatus(validity, "catalog" if by_catalog else "passages", document, replacement, found)


def _is_listed(key: EditionKey, catalog: Catalog) -> bool:
    return catalog.edition(key.id, key.version) is not None


def _validity(edition: Edition, replacement: Edition | None, known: Catalog, at: datetime, *, listed: bool) -> Validity:
    if edition.effective_to is not None and edition.effective_to <= at:
        return "superseded" if replacement is not None and known.linked(edition) else "expired"
    if edition.effective_from is not None and edition.effective_from > at:
        return "not_yet"
    if replacement is not None:
        return "superseded"
    dated = edition.effective_from is not None or edition.effective_to is not None
    return "in_force" if listed or dated or known.linked(edition) else "unknown"


def _document(passage: Passage, listed: Document | None) -> Document:
    """Return the entry of the catalog that a passage comes from, else what the passage says of its document.

    Its id stands in for a document id it does not have. Nor is one that is its URI alone taken here: what lies at a
    URI may be of several versions, whose windows must stay apart.
    """
    if listed is not None:
        return listed
    name, version = passage.doc_id, passage.version
    if name is None or (version is None and passage.uri is not None and name == document_of_uri(passage.uri)):
        name, from_id = split_reference(passage.id)
        version = version or from_id
    return Document(
        id=name,
        version=version,
        section=passage.section,
        effective_from=passage.effective_from,
        effective_to=passage.effective_to,
        authority=passage.authority,
        role=passage.role,
        supersedes=passage.supersedes or (),
        checksum=passage.checksum,
        text=passage.text,
        uri=passage.uri,
    )
