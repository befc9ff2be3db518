"""Where the passages of one answer stand: in force, superseded, expired or not yet in force, and what replaced them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from adapters.schema import Answer, Passage
from scorers.base import Basis, Env
from scorers.catalog.document import Document, split_reference
from scorers.catalog.edition import Edition, Key, key_of
from scorers.catalog.graph import Catalog

Status = Literal["in_force", "superseded", "expired", "not_yet", "unknown"]

MAX_PASSAGES = 200
"""Passages of one answer whose lineage is worked out."""

_EMPTY = Catalog()


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a passage stood when the question was asked. ``replacement`` is the edition that governed in its place."""

    status: Status
    basis: Basis
    document: Document
    replacement: Edition | None = None

    @property
    def stale(self) -> bool:
        """Whether the passage no longer governed: superseded, or expired."""
        return self.status in ("superseded", "expired")


def asked_at(answer: Answer, env: Env) -> datetime:
    """Return the instant an answer is judged for: when it was asked, or now where the trace does not say."""
    return answer.started_at or env.now


class Lineage:
    """The standing of each passage of an answer, from the catalog where it lists the document, else from metadata.

    Passages speak for themselves and for each other: one that supersedes another makes it superseded. Where the catalog
    lists an edition, the catalog's window and links count, and the passage's do not.
    """

    def __init__(self, answer: Answer, env: Env) -> None:
        self.at = asked_at(answer, env)
        listed = env.catalog or _EMPTY
        self._documents: dict[str, Document] = {}
        self._editions: dict[Key, list[Passage]] = {}
        for passage in (answer.passages or ())[:MAX_PASSAGES]:
            if passage.id not in self._documents:
                document = _listed(passage, listed) or _own(passage)
                self._documents[passage.id] = document
                self._editions.setdefault(key_of(document), []).append(passage)
        self._listed = listed
        self._catalog = listed.extended(self._documents.values())

    def standing(self, passage: Passage) -> Standing | None:
        """Return where ``passage`` stood; ``None`` for one that is not among the answer's passages."""
        document = self._documents.get(passage.id)
        if document is None:
            return None
        edition = self._catalog.edition(document.id, document.version or "")
        assert edition is not None
        listed = self._is_listed(edition.key)
        replacement = self._catalog.replacement(edition, self.at)
        if replacement is not None and self._is_listed(replacement.key):
            basis: Basis = "catalog"
        else:
            basis = "catalog" if listed else "passages"
        return Standing(self._status(edition, replacement, listed=listed), basis, document, replacement)

    def retrieved(self, edition: Edition) -> Sequence[Passage]:
        """Return the answer's passages that come from ``edition``."""
        return self._editions.get(edition.key, ())

    def _is_listed(self, key: Key) -> bool:
        return self._listed.edition(key.id, key.version) is not None

    def _status(self, edition: Edition, replacement: Edition | None, *, listed: bool) -> Status:
        if edition.effective_to is not None and edition.effective_to <= self.at:
            return "superseded" if replacement is not None and self._catalog.linked(edition) else "expired"
        if edition.effective_from is not None and edition.effective_from > self.at:
            return "not_yet"
        if replacement is not None:
            return "superseded"
        dated = edition.effective_from is not None or edition.effective_to is not None
        return "in_force" if listed or dated or self._catalog.linked(edition) else "unknown"


def _listed(passage: Passage, catalog: Catalog) -> Document | None:
    own = _own(passage)
    return catalog.find(
        doc_id=own.id, version=own.version, section=passage.section, checksum=passage.checksum, uri=passage.uri
    )


def _own(passage: Passage) -> Document:
    """Return what a passage says of the document it is from; its id stands in for a document id it does not have."""
    name, version = passage.doc_id, passage.version
    if name is None:
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
