"""What is remembered of every entry while a catalog is made: how editions, sections and references hang together."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from scorers.catalog.document import Document
from scorers.catalog.edition import EditionKey, key_of
from scorers.catalog.links import dated_links, stated_links
from scorers.catalog.place import EntryPlace

EditionLinks = Mapping[int, Mapping[int, None]]
"""Editions, and which others supersede each."""

_NO_ENTRY = -1


def _numbers() -> array[int]:
    return array("q")


@dataclass(slots=True)
class Outline:
    """Columns by row and by edition; an edition is a number, its place in ``keys``."""

    edition_of: array[int] = field(default_factory=_numbers)
    stated: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """The references of the rows that have any."""
    keys: list[EditionKey] = field(default_factory=list)
    by_key: dict[EditionKey, int] = field(default_factory=dict)
    by_id: dict[str, list[int]] = field(default_factory=dict)
    first: list[int] = field(default_factory=list)
    starts: list[datetime | None] = field(default_factory=list)
    ends: list[datetime | None] = field(default_factory=list)
    supersedes: list[tuple[str, ...]] = field(default_factory=list)
    _files: dict[str, int] = field(default_factory=dict)
    _file_of: array[int] = field(default_factory=_numbers)
    _lines: array[int] = field(default_factory=_numbers)
    _entries: array[int] = field(default_factory=_numbers)
    _stated_links: EditionLinks | None = None
    _links: EditionLinks | None = None

    def add(self, document: Document, place: EntryPlace) -> EditionKey:
        """Add the next row; return the key of its edition."""
        row, key = len(self.edition_of), key_of(document)
        self._file_of.append(self._files.setdefault(place.file, len(self._files)))
        self._lines.append(place.line)
        self._entries.append(_NO_ENTRY if place.entry is None else place.entry)
        node = self.by_key.get(key)
        start, end = document.effective_from, document.effective_to
        if node is None:
            node = len(self.keys)
            self.keys.append(key)
            self.by_key[key] = node
            self.by_id.setdefault(key.id, []).append(node)
            self.first.append(row)
            self.starts.append(start)
            self.ends.append(end)
            self.supersedes.append(tuple(dict.fromkeys(document.supersedes)))
        else:
            # The window of an edition is the union of its sections' windows.
            known_start, known_end = self.starts[node], self.ends[node]
            self.starts[node] = None if start is None or known_start is None else min(start, known_start)
            self.ends[node] = None if end is None or known_end is None else max(end, known_end)
            if document.supersedes and document.supersedes != self.supersedes[node]:
                self.supersedes[node] = tuple(dict.fromkeys((*self.supersedes[node], *document.supersedes)))
        self.edition_of.append(node)
        if document.supersedes:
            self.stated[row] = document.supersedes
        return key

    def place(self, row: int) -> EntryPlace:
        """Return where an entry stands."""
        entry = self._entries[row]
        return EntryPlace(
            list(self._files)[self._file_of[row]], self._lines[row], None if entry == _NO_ENTRY else entry
        )

    def stated_links(self) -> EditionLinks:
        """Return which editions supersede which by reference; nothing is added after that."""
        if self._stated_links is None:
            self._stated_links = stated_links(self.keys, self.supersedes, self.by_key, self.by_id)
        return self._stated_links

    def links(self) -> EditionLinks:
        """Return which editions supersede which, by reference or by date."""
        if self._links is None:
            self._links = dated_links(self.keys, self.starts, self.by_id, self.stated_links())
        return self._links
