"""A packed catalog as a listing: what is asked for is found in the arrays and made an object then."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from itertools import groupby, islice
from typing import overload

import orjson

from adapters.caching import cached
from scorers.catalog.document import Document
from scorers.catalog.edition import Edition, EditionKey, key_of
from scorers.catalog.graph import Catalog
from scorers.catalog.listing import MAX_OF_ONE, MAX_SHARING
from scorers.catalog.packed import NO_END, NO_START, Packed, number_of
from scorers.catalog.packing import EPOCH
from scorers.catalog.search.index import ARRAYS, SearchIndex
from scorers.catalog.uri import listed_at
from scorers.models.arrays import Array

_REMEMBERED = 4096
"""Entries and editions that are kept as objects: traffic asks for few of them, again and again."""
_REMEMBERED_BYTES = 64 * 1024
"""A larger entry is made anew each time, so that what is kept stays small."""
_WHOLE = frozenset({"rows", *(f"index_{name}" for name in ARRAYS)})
"""Arrays that are not read scalar by scalar."""


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
    """A listing that looks editions up in a packed catalog and remembers those that were asked for last."""

    def __init__(self, packed: Packed) -> None:
        # A scalar is read from a memory view in a third of the time that it takes from an array.
        self._rows = packed.arrays["rows"].data
        self._views = {name: array.data for name, array in packed.arrays.items() if name not in _WHOLE}
        self._row = cached(_REMEMBERED)(self._read_row)
        self._at = cached(_REMEMBERED)(self._read_edition)
        self._node = cached(_REMEMBERED)(self._find_edition)
        self._section = cached(_REMEMBERED)(self._find_section)
        self.keys = cached(_REMEMBERED)(self._find_keys)
        self.successors = cached(_REMEMBERED)(self._find_successors)
        self.with_checksum = cached(_REMEMBERED)(self._find_with_checksum)
        self.at = cached(_REMEMBERED)(self._find_at_place)
        self._documents = _Documents(self)
        self._packed = packed

    @property
    def documents(self) -> Sequence[Document]:
        """All entries."""
        return self._documents

    @property
    def n_documents(self) -> int:
        """How many distinct document ids there are."""
        return len(self._views["ids"])

    @cached_property
    def timed(self) -> bool:
        """Whether any edition has a window, or supersedes another."""
        arrays = self._packed.arrays
        windows = (arrays["edition_from"] != NO_START) | (arrays["edition_to"] != NO_END)
        return bool((windows | arrays["linked"]).any())

    def __len__(self) -> int:
        return len(self._views["row_edition"])

    def row(self, row: int) -> Document:
        """Return an entry by its place."""
        ends = self._views["row_ends"]
        return self._row(row) if ends[row + 1] - ends[row] <= _REMEMBERED_BYTES else self._read_row(row)

    def node_key(self, node: int) -> EditionKey:
        """Return the key of an edition by its place."""
        return self._at(node).key

    def edition(self, key: EditionKey) -> Edition | None:
        """Return one edition."""
        node = self._node(key)
        return None if node is None else self._at(node)

    def linked(self, key: EditionKey) -> bool:
        """Return whether an edition supersedes another, or is superseded."""
        node = self._node(key)
        return node is not None and bool(self._views["linked"][node])

    def section(self, key: EditionKey, name: str | None) -> Document | None:
        """Return the first entry of an edition for section ``name``."""
        row = self._section(key, name)
        return None if row is None else self.row(row)

    def _find_keys(self, doc_id: str) -> tuple[EditionKey, ...]:
        ends = self._views["document_ends"]
        for document in self._lookup("ids", doc_id):
            nodes = range(ends[document], ends[document + 1])
            if self._at(nodes[0]).key.id == doc_id:
                return tuple(self._at(node).key for node in nodes)
        return ()

    def _find_edition(self, key: EditionKey) -> int | None:
        return next((node for node in self._lookup("editions", *key) if self._at(node).key == key), None)

    def _find_section(self, key: EditionKey, name: str | None) -> int | None:
        names = (*key,) if name is None else (*key, name)
        for row in self._lookup("sections", *names):
            found = self.row(row)
            if found.section == name and key_of(found) == key:
                return row
        return None

    def _find_with_checksum(self, checksum: str) -> tuple[Document, ...]:
        found = map(self.row, self._first(self._lookup("checksums", checksum)))
        return tuple(document for document in found if document.checksum == checksum)

    def _find_at_place(self, place: str) -> tuple[Document, ...]:
        found = map(self.row, self._first(self._lookup("places", place)))
        return tuple(document for document in found if place in listed_at(document.uri))

    def _first(self, rows: Iterator[int]) -> Iterator[int]:
        """Yield the first rows of each of the first editions, as far as a listing tells."""
        by_edition = groupby(rows, key=self._views["row_edition"].__getitem__)
        for _, same in islice(by_edition, MAX_SHARING + 1):
            yield from islice(same, MAX_OF_ONE)

    def _find_successors(self, key: EditionKey) -> tuple[EditionKey, ...]:
        node = self._node(key)
        if node is None:
            return ()
        ends = self._views["successor_ends"]
        return tuple(self._at(new).key for new in self._views["successors"][ends[node] : ends[node + 1]])

    def _lookup(self, name: str, *names: str) -> Iterator[int]:
        """Yield what a table has for names, and now and then something of other names with the same number."""
        numbers, wanted = self._views[name], number_of(*names)
        place = bisect_left(numbers, wanted)
        while place < len(numbers) and numbers[place] == wanted:
            yield self._views[f"{name}_at"][place]
            place += 1

    def _read_row(self, row: int) -> Document:
        ends = self._views["row_ends"]
        return Document.model_validate_json(bytes(self._rows[ends[row] : ends[row + 1]]))

    def _read_edition(self, node: int) -> Edition:
        views = self._views
        rows = views["edition_rows"][views["edition_ends"][node] : views["edition_ends"][node + 1]]
        ends = views["reference_ends"]
        written = bytes(views["references"][ends[node] : ends[node + 1]])
        start, end = views["edition_from"][node], views["edition_to"][node]
        key = key_of(self.row(rows[0]))
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
    def __init__(self, stored: Stored, key: EditionKey, rows: Sequence[int]) -> None:
        self._stored = stored
        self._key = key
        self._rows = rows

    def __iter__(self) -> Iterator[Document]:
        return (self._stored.row(row) for row in self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> Document:
        return self._stored.row(self._rows[index])

    def named(self, name: str | None) -> Document | None:
        return self._stored.section(self._key, name)


def _moment(ordinal: int) -> datetime:
    return EPOCH + timedelta(microseconds=ordinal)
