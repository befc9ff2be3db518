"""What a catalog is looked up in: a few documents in memory here, or a packed one in `scorers.catalog.stored`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from scorers.catalog.document import Document
from scorers.catalog.edition import Edition, EditionKey, edition, key_of
from scorers.catalog.links import dated_links, stated_links
from scorers.catalog.uri import listed_at

MAX_SHARING = 200
"""Editions that share a checksum or a place and are told apart; of more nobody says which is meant."""
MAX_OF_ONE = 50
"""Entries of one edition that are looked at there."""


class Listing(Protocol):
    """Editions, and which supersede which directly."""

    @property
    def documents(self) -> Sequence[Document]:
        """All entries, in the order in which they were listed."""
        ...

    @property
    def n_documents(self) -> int:
        """How many distinct document ids there are."""
        ...

    @property
    def timed(self) -> bool:
        """Whether any edition has a window, or supersedes another."""
        ...

    def keys(self, doc_id: str) -> Sequence[EditionKey]:
        """Return the editions of a document."""
        ...

    def edition(self, key: EditionKey) -> Edition | None:
        """Return one edition."""
        ...

    def successors(self, key: EditionKey) -> Sequence[EditionKey]:
        """Return the editions that supersede ``key`` directly."""
        ...

    def linked(self, key: EditionKey) -> bool:
        """Return whether an edition supersedes another, or is superseded."""
        ...

    def with_checksum(self, checksum: str) -> Sequence[Document]:
        """Return the entries with this checksum, those of an edition side by side.

        The first `MAX_OF_ONE` of an edition, and of no more than one edition past `MAX_SHARING`.
        """
        ...

    def at(self, place: str) -> Sequence[Document]:
        """Return the entries at a place (`scorers.catalog.uri.listed_at`), within the same bounds."""
        ...


class Listed:
    """A listing of what is in memory, made anew for every answer: it must stay cheap to make."""

    __slots__ = ("_by_checksum", "_by_id", "_by_place", "_documents", "_editions", "_linked", "_links")

    def __init__(self, editions: Iterable[Edition], documents: Sequence[Document] | None = None) -> None:
        self._editions = {found.key: found for found in editions}
        self._documents = documents
        self._by_id: dict[str, list[EditionKey]] = {}
        for key in self._editions:
            self._by_id.setdefault(key.id, []).append(key)
        self._links = _links(self._editions)
        self._linked = frozenset(self._links).union(*self._links.values())
        self._by_checksum: dict[str, list[Document]] | None = None
        self._by_place: dict[str, list[Document]] | None = None

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Listed:
        """Return the listing of these documents."""
        given = tuple(documents)
        return cls(grouped(given), given)

    @property
    def documents(self) -> Sequence[Document]:
        """All entries."""
        if self._documents is None:
            self._documents = tuple(document for found in self._editions.values() for document in found.sections)
        return self._documents

    @property
    def n_documents(self) -> int:
        """How many distinct document ids there are."""
        return len(self._by_id)

    @property
    def timed(self) -> bool:
        """Whether any edition has a window, or supersedes another."""
        windows = (one.effective_from or one.effective_to for one in self._editions.values())
        return bool(self._linked) or any(windows)

    def keys(self, doc_id: str) -> Sequence[EditionKey]:
        """Return the editions of a document."""
        return self._by_id.get(doc_id, ())

    def edition(self, key: EditionKey) -> Edition | None:
        """Return one edition."""
        return self._editions.get(key)

    def successors(self, key: EditionKey) -> Sequence[EditionKey]:
        """Return the editions that supersede ``key`` directly."""
        return self._links.get(key, ())

    def linked(self, key: EditionKey) -> bool:
        """Return whether an edition supersedes another, or is superseded."""
        return key in self._linked

    def with_checksum(self, checksum: str) -> Sequence[Document]:
        """Return the entries with this checksum."""
        if self._by_checksum is None:
            self._by_checksum = self._by(lambda document: () if document.checksum is None else (document.checksum,))
        return self._by_checksum.get(checksum, ())

    def at(self, place: str) -> Sequence[Document]:
        """Return the entries at this place."""
        if self._by_place is None:
            self._by_place = self._by(lambda document: listed_at(document.uri))
        return self._by_place.get(place, ())

    def _by(self, names: Callable[[Document], Iterable[str]]) -> dict[str, list[Document]]:
        found: dict[str, list[Document]] = {}
        editions: dict[str, int] = {}
        for one in self._editions.values():
            own: dict[str, list[Document]] = {}
            for document in one.sections:
                for name in names(document):
                    own.setdefault(name, []).append(document)
            for name, documents in own.items():
                editions[name] = editions.get(name, 0) + 1
                if editions[name] <= MAX_SHARING + 1:
                    found.setdefault(name, []).extend(documents[:MAX_OF_ONE])
        return found


def grouped(documents: Iterable[Document]) -> list[Edition]:
    """Return the editions that documents make up, in the order of their first entries."""
    groups: dict[EditionKey, list[Document]] = {}
    for document in documents:
        groups.setdefault(key_of(document), []).append(document)
    return [edition(key, sections) for key, sections in groups.items()]


def _links(editions: Mapping[EditionKey, Edition]) -> dict[EditionKey, tuple[EditionKey, ...]]:
    keys = list(editions)
    by_key = {key: node for node, key in enumerate(keys)}
    by_id: dict[str, list[int]] = {}
    for node, key in enumerate(keys):
        by_id.setdefault(key.id, []).append(node)
    stated = stated_links(keys, [found.supersedes for found in editions.values()], by_key, by_id)
    links = dated_links(keys, [found.effective_from for found in editions.values()], by_id, stated)
    return {keys[old]: tuple(keys[new] for new in successors) for old, successors in links.items()}
