"""A packed catalog as a listing: what is asked for is found in the arrays and made an object then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import overload

import orjson

from scorers.catalog.document import Document
from scorers.catalog.edition import Edition, Key, key_of
from scorers.catalog.graph import Catalog
from scorers.catalog.packed import NO_END, NO_START, Array, Packed, lookup
from scorers.catalog.packing import EPOCH
from scorers.catalog.search.index import ARRAYS, SearchIndex

_REMEMBERED = 4096
"""Entries and editions that are kept as objects: traffic asks for few of them, again and again."""


def catalog_of(packed: Packed, *, vectors: Array | None = None) -> Catalog:
    """Return the catalog that a packed one holds; ``vectors`` are the embeddings of its entries, a row each."""
    index = SearchIndex({name: packed.arrays[f"index_{name}"] for name in ARRAYS})
    return Catalog.of(
        Stored(packed),
        index=index,
        vectors=vectors,
        warnings=packed.facts["warnings"],
        digest=str(packed.facts["digest"]),
    )


class Stored:
    """Looks up editions in a packed catalog."""

    def __init__(self, packed: Packed) -> None:
        self._packed = packed
        self._row = lru_cache(_REMEMBERED)(self._read_row)
        self._at = lru_cache(_REMEMBERED)(self._read_edition)
        self._documents = _Documents(self)

    @property
    def documents(self) -> Sequence[Document]:
        """All entries."""
        return self._documents

    @property
    def n_documents(self) -> int:
        """How many distinct document ids there are."""
        return len(self._packed.arrays["ids"])

    def __len__(self) -> int:
        return len(self._packed.arrays["contents"])

    def row(self, row: int) -> Document:
        """Return an entry by its place."""
        return self._row(row)

    def node_key(self, node: int) -> Key:
        """Return the key of an edition by its place."""
        return self._at(node).key

    def keys(self, doc_id: str) -> Sequence[Key]:
        """Return the editions of a document."""
        ends = self._packed.arrays["document_ends"]
        for document in lookup(self._packed, "ids", doc_id):
            first, last = int(ends[document]), int(ends[document + 1])
            if self._at(first).key.id == doc_id:
                return [self._at(node).key for node in range(first, last)]
        return ()

    def edition(self, key: Key) -> Edition | None:
        """Return one edition."""
        node = self._node(key)
        return None if node is None else self._at(node)

    def successors(self, key: Key) -> Sequence[Key]:
        """Return the editions that supersede ``key`` directly."""
        node = self._node(key)
        if node is None:
            return ()
        ends = self._packed.arrays["successor_ends"]
        return [
            self._at(int(new)).key for new in self._packed.arrays["successors"][int(ends[node]) : int(ends[node + 1])]
        ]

    def linked(self, key: Key) -> bool:
        """Return whether an edition supersedes another, or is superseded."""
        node = self._node(key)
        return node is not None and bool(self._packed.arrays["linked"][node])

    def by_checksum(self, checksum: str) -> Document | None:
        """Return the first entry with this checksum."""
        rows = map(self._row, lookup(self._packed, "checksums", checksum))
        return next((document for document in rows if document.checksum == checksum), None)

    def by_uri(self, uri: str) -> Document | None:
        """Return the first entry with this uri."""
        rows = map(self._row, lookup(self._packed, "uris", uri))
        return next((document for document in rows if document.uri == uri), None)

    def section(self, key: Key, name: str | None) -> Document | None:
        """Return the first entry of an edition for section ``name``."""
        names = (*key,) if name is None else (*key, name)
        rows = map(self._row, lookup(self._packed, "sections", *names))
        return next((found for found in rows if key_of(found) == key and found.section == name), None)

    def _node(self, key: Key) -> int | None:
        return next((node for node in lookup(self._packed, "editions", *key) if self._at(node).key == key), None)

    def _read_row(self, row: int) -> Document:
        ends = self._packed.arrays["row_ends"]
        return Document.model_validate_json(self._packed.arrays["rows"][int(ends[row]) : int(ends[row + 1])].tobytes())

    def _read_edition(self, node: int) -> Edition:
        arrays = self._packed.arrays
        rows = arrays["edition_rows"][int(arrays["edition_ends"][node]) : int(arrays["edition_ends"][node + 1])]
        ends = arrays["reference_ends"]
        written = arrays["references"][int(ends[node]) : int(ends[node + 1])].tobytes()
        start, end = int(arrays["edition_from"][node]), int(arrays["edition_to"][node])
        key = key_of(self._row(int(rows[0])))
        return Edition(
            key,
            _Sections(self, key, rows),
            None if start == NO_START else _moment(start),
            None if end == NO_END else _moment(end),
            tuple(orjson.loads(written)) if written else (),
        )


class _Documents(Sequence[Document]):
    def __init__(self, stored: Stored) -> None:
        self._stored = stored

    def __len__(self) -> int:
        return len(self._stored)

    @overload
    def __getitem__(self, index: int) -> Document: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Document, ...]: ...
    def __getitem__(self, index: int | slice) -> Document | tuple[Document, ...]:
        rows = range(len(self))[index]
        return self._stored.row(rows) if isinstance(rows, int) else tuple(map(self._stored.row, rows))


class _Sections:
    def __init__(self, stored: Stored, key: Key, rows: Array) -> None:
        self._stored = stored
        self._key = key
        self._rows = rows

    def __iter__(self) -> Iterator[Document]:
        return (self._stored.row(int(row)) for row in self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> Document:
        return self._stored.row(int(self._rows[index]))

    def named(self, name: str | None) -> Document | None:
        return self._stored.section(self._key, name)


def _moment(ordinal: int) -> datetime:
    return EPOCH + timedelta(microseconds=ordinal)
