"""What a new catalog says otherwise than the one before, entry by entry: old and new text side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from scorers.canaries.canary import CanaryKind
from scorers.catalog.document import Document, split_reference
from scorers.catalog.edition import Edition, EditionKey, key_of
from scorers.catalog.packed import Packed
from scorers.catalog.stored import Stored

MAX_FORMER = 3
"""Earlier versions whose texts are looked at: an index may serve any of them."""


class ChangedPair(NamedTuple):
    """An entry, and what stood in its place before, the latest first; ``kind`` says what happened to it."""

    kind: CanaryKind
    document: Document
    former: tuple[Document, ...] = ()


def changed_pairs(before: Packed | None, after: Packed, *, most: int) -> Iterator[ChangedPair]:
    """Yield up to ``most`` entries of ``after`` that ``before`` does not have like this: changed ones first, then new.

    Without ``before`` every entry is new; those that replace another come first then, as an index lags there.

    >>> from scorers.catalog.packing import Packer
    >>> from scorers.catalog.place import EntryPlace
    >>> old, new = Packer(), Packer()
    >>> old.add(Document(id="T", text="Up to 180 EUR."), EntryPlace("c", 1))
    >>> new.add(Document(id="T", text="Up to 200 EUR."), EntryPlace("c", 1))
    >>> [(pair.kind, pair.document.text) for pair in changed_pairs(old.packed(), new.packed(), most=5)]
    [('changed', 'Up to 200 EUR.')]
    """
    now = Stored(after)
    if before is None:
        rows: Sequence[int] = range(len(now))
        replacing = [row for row in rows if _replaces(now.row(row), now)]
        chosen = dict.fromkeys([*replacing[:most], *_spread(rows, most)])
        yield from (_added(now.row(row), now, None) for row in list(chosen)[:most])
        return
    then = Stored(before)
    both, old, new = np.intersect1d(before.arrays["sections"], after.arrays["sections"], return_indices=True)
    old, new = before.arrays["sections_at"][old], after.arrays["sections_at"][new]
    different = before.arrays["contents"][old] != after.arrays["contents"][new]
    left = most
    for was, row in sorted(
        zip(old[different].tolist(), new[different].tolist(), strict=True), key=lambda pair: pair[1]
    ):
        if not left:
            return
        left -= 1
        yield ChangedPair("changed", now.row(row), (then.row(was),))
    fresh = np.sort(after.arrays["sections_at"][~np.isin(after.arrays["sections"], both, assume_unique=True)])
    for row in fresh[:left].tolist():
        yield _added(now.row(row), now, then)


def _spread(rows: Sequence[int], most: int) -> Sequence[int]:
    """Return ``most`` of the rows, evenly over all of them."""
    return rows if len(rows) <= most else [rows[at * len(rows) // most] for at in range(most)]


def _replaces(document: Document, now: Stored) -> bool:
    key = key_of(document)
    return bool(document.supersedes) or any(key in now.successors(other) for other in now.keys(document.id))


def _added(document: Document, now: Stored, then: Stored | None) -> ChangedPair:
    found = [_section(edition, document) for edition in _predecessors(document, now, then)]
    former = tuple(one for one in found if one is not None and one.text)
    return ChangedPair("superseded" if former else "added", document, former[:MAX_FORMER])


def _predecessors(document: Document, now: Stored, then: Stored | None) -> Iterator[Edition]:
    """Yield what an entry stands in the place of: what it supersedes, and versions that are listed no more."""
    own = key_of(document)
    seen = {own}
    keys: list[tuple[Stored, EditionKey]] = []
    for name in (document.id, *(split_reference(one)[0] for one in document.supersedes)):
        keys += ((now, key) for key in reversed(now.keys(name)) if own in now.successors(key))
        # A catalog of what is in force alone lists the version before no more; the last one did.
        if then is not None:
            keys += ((then, key) for key in reversed(then.keys(name)) if now.edition(key) is None)
    for listing, key in keys:
        edition = listing.edition(key)
        if key not in seen and edition is not None:
            seen.add(key)
            yield edition


def _section(edition: Edition, document: Document) -> Document | None:
    """Return what an edition says in the place of an entry: its section of that name, or its only one."""
    named = edition.sections.named(document.section)
    return named if named is not None or len(edition.sections) > 1 else edition.sections[0]
