"""The catalog: documents by id, version and section, and which version superseded which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import NamedTuple

from scorers.catalog.document import Document, split_reference, within

_EVER = datetime.min.replace(tzinfo=UTC)


class Key(NamedTuple):
    """What names an edition: document id and version (empty for a document without versions)."""

    id: str
    version: str


@dataclass(frozen=True, slots=True)
class Edition:
    """One version of one document, all its sections together. The window is the union of the sections' windows."""

    key: Key
    sections: tuple[Document, ...]
    effective_from: datetime | None
    effective_to: datetime | None

    def in_force(self, at: datetime) -> bool:
        """Return whether the edition governs at ``at``."""
        return within(self.effective_from, self.effective_to, at)

    def section(self, name: str | None) -> Document:
        """Return the section called ``name``, else the entry for the whole document, else the first section."""
        for wanted in (name, None):
            for document in self.sections:
                if document.section == wanted:
                    return document
        return self.sections[0]


class Catalog:
    """An immutable set of documents with a graph of supersession over their editions.

    An edition supersedes those it names in ``supersedes``, and, within one document, every version with an earlier
    ``effective_from`` unless the two are linked the other way. Version strings are never compared: which of "9" and
    "10" is newer is said by dates and links alone.

    >>> catalog = Catalog([Document(id="T", version="2"), Document(id="T", version="3", supersedes=("T@2",))])
    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> catalog.current("T", now).reference
    'T@3'
    >>> [d.reference for d in catalog.supersession("T", "2")]
    ['T@3']
    """

    __slots__ = ("_by_checksum", "_by_id", "_by_uri", "_editions", "_linked", "_links", "documents", "warnings")

    def __init__(self, documents: Iterable[Document] = ()) -> None:
        self.documents = tuple(documents)
        self.warnings: tuple[str, ...] = ()
        """What `parse_catalog` found odd, yet not wrong."""
        grouped: dict[Key, list[Document]] = {}
        self._by_checksum: dict[str, Document] = {}
        self._by_uri: dict[str, Document] = {}
        for document in self.documents:
            grouped.setdefault(key_of(document), []).append(document)
            if document.checksum is not None:
                self._by_checksum.setdefault(document.checksum, document)
            if document.uri is not None:
                self._by_uri.setdefault(document.uri, document)
        self._editions = {key: _edition(key, sections) for key, sections in grouped.items()}
        by_id: dict[str, list[Key]] = {}
        for key in self._editions:
            by_id.setdefault(key.id, []).append(key)
        self._by_id = {doc_id: tuple(keys) for doc_id, keys in by_id.items()}
        self._links = self._supersession_links()
        self._linked = frozenset(self._links).union(*self._links.values())

    def with_warnings(self, warnings: Iterable[str]) -> Catalog:
        """Return the same catalog with these warnings."""
        twin = copy(self)
        twin.warnings = tuple(warnings)
        return twin

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        return f"Catalog({len(self.documents)} entries of {len(self._by_id)} documents)"

    def knows(self, doc_id: str) -> bool:
        """Return whether any version of ``doc_id`` is listed."""
        return doc_id in self._by_id

    def edition(self, doc_id: str, version: str | None) -> Edition | None:
        """Return one version; without ``version`` the only one there is. ``None`` if unknown or ambiguous."""
        keys = self._by_id.get(doc_id, ())
        if version is None and len(keys) == 1:
            return self._editions[keys[0]]
        return self._editions.get(Key(doc_id, version or ""))

    def editions(self, doc_id: str) -> tuple[Edition, ...]:
        """Return all versions of a document, by start of their windows; those without a start come first."""
        found = (self._editions[key] for key in self._by_id.get(doc_id, ()))
        return tuple(sorted(found, key=lambda edition: (edition.effective_from or _EVER, edition.key)))

    def find(
        self,
        *,
        doc_id: str | None = None,
        version: str | None = None,
        section: str | None = None,
        checksum: str | None = None,
        uri: str | None = None,
    ) -> Document | None:
        """Return the entry that a passage comes from: by id and version, else by checksum, else by uri.

        ``doc_id`` may be ``id@version``. A uri often stays the same from version to version, so it does not stand in
        for the version of a document that is listed.
        """
        if doc_id is not None:
            edition = self.edition(doc_id, version)
            if edition is None and version is None:
                edition = self.edition(*split_reference(doc_id))
            if edition is not None:
                return edition.section(section)
        if checksum is not None and checksum in self._by_checksum:
            return self._by_checksum[checksum]
        if uri is None or (doc_id is not None and self.knows(doc_id)):
            return None
        return self._by_uri.get(uri)

    def supersession(self, doc_id: str, version: str | None) -> tuple[Document, ...]:
        """Return what superseded an edition, and what superseded that: nearest first, one entry an edition."""
        start = self.edition(doc_id, version)
        return () if start is None else tuple(e.section(None) for e in self._successors(start.key))

    def current(self, doc_id: str, at: datetime, *, section: str | None = None) -> Document | None:
        """Return the entry that governs at ``at`` in place of any version of ``doc_id``; ``None`` if none does.

        The version in force that no other edition in force supersedes, the latest where windows overlap. Where the
        document was replaced by another one that is in force, that one. ``None`` too where nothing tells which of two
        versions is.
        """
        editions = self.editions(doc_id)
        tops = self._tops([edition for edition in editions if edition.in_force(at)], at)
        if len(tops) > 1 and tops[-1].effective_from == tops[-2].effective_from:
            return None
        if tops:
            return tops[-1].section(section)
        for edition in reversed(editions):
            replacement = self.replacement(edition, at)
            if replacement is not None:
                return replacement.section(section)
        return None

    def replacement(self, edition: Edition, at: datetime) -> Edition | None:
        """Return the edition that governs at ``at`` in place of ``edition``; ``None`` if there is none.

        The end of the chain that is in force at ``at``: successors that are not in force yet replace nothing, and one
        that has expired is stepped over. An expired edition without successors is replaced by the version of the same
        document that is in force.
        """
        successors = [e for e in self._successors(edition.key) if e.in_force(at)]
        if not successors and edition.effective_to is not None and edition.effective_to <= at:
            successors = [e for e in self.editions(edition.key.id) if e.key != edition.key and e.in_force(at)]
        tops = self._tops(successors, at)
        return tops[-1] if tops else None

    def linked(self, edition: Edition) -> bool:
        """Return whether the graph says anything of an edition: it supersedes, or is superseded."""
        return edition.key in self._linked

    def extended(self, documents: Iterable[Document]) -> Catalog:
        """Return a small catalog for these documents: their families as listed here, and the rest as given.

        A family is a document with all versions and whatever superseded them. What is listed here wins over
        ``documents``.
        """
        added = tuple(documents)
        keys: dict[Key, None] = {}
        for document in added:
            for key in self._by_id.get(document.id, ()):
                keys[key] = None
                keys.update(dict.fromkeys(successor.key for successor in self._successors(key)))
        known = [document for key in keys for document in self._editions[key].sections]
        return Catalog((*known, *(document for document in added if key_of(document) not in self._editions)))

    def _successors(self, key: Key) -> Iterator[Edition]:
        """Yield what superseded ``key``, breadth first, each once, so that a cycle comes to an end."""
        seen = {key}
        queue = [key]
        for current in queue:
            for successor in self._links.get(current, ()):
                if successor not in seen:
                    seen.add(successor)
                    queue.append(successor)
                    yield self._editions[successor]

    def _tops(self, editions: list[Edition], at: datetime) -> list[Edition]:
        """Return those that no edition in force supersedes, the one with the latest start last."""
        free = [e for e in editions if not any(s.in_force(at) for s in self._successors(e.key))]
        return sorted(free, key=lambda edition: (edition.effective_from or _EVER, edition.key))

    def _supersession_links(self) -> Mapping[Key, tuple[Key, ...]]:
        """Return for each edition the editions that supersede it directly."""
        links: dict[Key, dict[Key, None]] = {}
        for key, edition in self._editions.items():
            for document in edition.sections:
                for reference in document.supersedes:
                    for target in self.resolve(document.id, reference):
                        if target != key:
                            links.setdefault(target, {})[key] = None
        for keys in self._by_id.values():
            dated = sorted(
                (edition.effective_from, key)
                for key in keys
                if (edition := self._editions[key]).effective_from is not None
            )
            for (earlier, old), (later, new) in pairwise(dated):
                if earlier != later and old not in links.get(new, {}):
                    links.setdefault(old, {})[new] = None
        return {key: tuple(successors) for key, successors in links.items()}

    def resolve(self, doc_id: str, reference: str) -> tuple[Key, ...]:
        """Return the editions that a ``supersedes`` reference of ``doc_id`` names; empty if it dangles.

        ``id@version``; else a version of the same document; else every version of the document with that id.
        """
        name, version = split_reference(reference)
        exact = Key(name, version or "")
        if version is not None and exact in self._editions:
            return (exact,)
        same = Key(doc_id, reference)
        if same in self._editions:
            return (same,)
        return self._by_id.get(reference, ())


def key_of(document: Document) -> Key:
    """Return the key of the edition a document belongs to."""
    return Key(document.id, document.version or "")


def _edition(key: Key, sections: list[Document]) -> Edition:
    starts = [document.effective_from for document in sections]
    ends = [document.effective_to for document in sections]
    return Edition(
        key,
        tuple(sections),
        None if None in starts else min(start for start in starts if start is not None),
        None if None in ends else max(end for end in ends if end is not None),
    )
