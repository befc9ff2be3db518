"""What became of a catalog: a value that says what was added, removed, changed and superseded."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

import numpy as np

from adapters.schema import Instant, Record
from scorers.catalog.document import Document
from scorers.catalog.packed import Packed
from scorers.catalog.stored import Stored
from scorers.models.arrays import Array

NAMED = 20
"""Entries of each kind that a change names, unless it is asked for more."""


class ChangedEntry(Record):
    """An entry that a change is about; ``detail`` says which fields changed, or what superseded it.

    ``modified_at`` is told of an entry whose version is only the beginning of its checksum: people know it by its day.

    >>> from datetime import UTC, datetime
    >>> ChangedEntry(reference="leave.md@9f86d081884c", modified_at=datetime(2026, 3, 1, tzinfo=UTC)).named
    'leave.md of 2026-03-01'
    """

    reference: str
    section: str | None = None
    detail: str | None = None
    modified_at: Instant | None = None

    @property
    def named(self) -> str:
        """The entry as people know it."""
        if self.modified_at is None:
            return self.reference
        return f"{self.reference.rpartition('@')[0]} of {self.modified_at:%Y-%m-%d}"


class ChangedEntries(Record):
    """Entries that one thing happened to: how many, and the first of them."""

    count: int = 0
    first: tuple[ChangedEntry, ...] = ()


class CatalogChange(Record):
    """The difference between two catalogs, which ``before`` and ``after`` name by digest.

    ``superseded`` counts editions that were listed before, superseded by none, and are now.
    """

    before: str | None = None
    after: str
    added: ChangedEntries = ChangedEntries()
    removed: ChangedEntries = ChangedEntries()
    changed: ChangedEntries = ChangedEntries()
    superseded: ChangedEntries = ChangedEntries()

    @property
    def empty(self) -> bool:
        """Whether both hold the same entries."""
        return not (self.added.count or self.removed.count or self.changed.count)


def compare(before: Packed | None, after: Packed, *, named: int = NAMED) -> CatalogChange:
    """Return what turned ``before`` into ``after``, naming up to ``named`` entries of each kind.

    >>> from scorers.catalog.packing import Packer
    >>> from scorers.catalog.place import EntryPlace
    >>> old, new = Packer(), Packer()
    >>> old.add(Document(id="T", version="1"), EntryPlace("c", 1))
    >>> new.add(Document(id="T", version="1"), EntryPlace("c", 1))
    >>> new.add(Document(id="T", version="2", supersedes=("1",)), EntryPlace("c", 2))
    >>> change = compare(old.packed(), new.packed())
    >>> change.added.first[0].reference, change.superseded.first[0].detail
    ('T@2', 'by T@2')
    """
    now = Stored(after)
    if before is None:
        rows = np.arange(len(now))
        return CatalogChange(after=_digest(after), added=_part(rows, now.row, named))
    then = Stored(before)
    both, old, new = np.intersect1d(before.arrays["sections"], after.arrays["sections"], return_indices=True)
    old, new = before.arrays["sections_at"][old], after.arrays["sections_at"][new]
    different = before.arrays["contents"][old] != after.arrays["contents"][new]
    changed = dict(zip(new[different].tolist(), old[different].tolist(), strict=True))
    return CatalogChange(
        before=_digest(before),
        after=_digest(after),
        added=_part(_without(after, both), now.row, named),
        removed=_part(_without(before, both), then.row, named),
        changed=_part(
            np.array(sorted(changed), np.int64),
            now.row,
            named,
            lambda row: ", ".join(_differing(then.row(changed[row]), now.row(row))),
        ),
        superseded=_superseded(before, after, named),
    )


def _superseded(before: Packed, after: Packed, named: int) -> ChangedEntries:
    _, old, new = np.intersect1d(before.arrays["editions"], after.arrays["editions"], return_indices=True)
    old, new = before.arrays["editions_at"][old], after.arrays["editions_at"][new]
    fresh = np.sort(new[~_has_successor(before)[old] & _has_successor(after)[new]])
    stored = Stored(after)

    def by(node: int) -> str:
        return f"by {', '.join(key.reference for key in stored.successors(stored.node_key(node)))}"

    first = tuple(
        ChangedEntry(reference=stored.node_key(node).reference, detail=by(node)) for node in fresh[:named].tolist()
    )
    return ChangedEntries(count=len(fresh), first=first)


def _has_successor(packed: Packed) -> Array:
    return np.diff(packed.arrays["successor_ends"]) > 0


def _without(packed: Packed, numbers: Array) -> Array:
    """Return the rows that are named by none of ``numbers``, in order."""
    return np.sort(packed.arrays["sections_at"][~np.isin(packed.arrays["sections"], numbers, assume_unique=True)])


def _part(
    rows: Array, document: Callable[[int], Document], named: int, detail: Callable[[int], str] | None = None
) -> ChangedEntries:
    first = tuple(
        ChangedEntry(
            reference=document(row).reference,
            section=document(row).section,
            detail=None if detail is None else detail(row),
            modified_at=_known_by_its_day(document(row)),
        )
        for row in rows[:named].tolist()
    )
    return ChangedEntries(count=len(rows), first=first)


def _known_by_its_day(document: Document) -> datetime | None:
    by_checksum = document.version and document.checksum and document.checksum.startswith(document.version)
    return document.modified_at if by_checksum else None


def _differing(old: Document, new: Document) -> Iterable[str]:
    return (name for name in Document.model_fields if getattr(old, name) != getattr(new, name))


def _digest(packed: Packed) -> str:
    return str(packed.facts["digest"])
