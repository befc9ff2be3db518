"""Whether a passage is an older copy of its document than the source has: by versions, checksums, texts and dates."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from itertools import islice
from typing import Literal, NamedTuple

from adapters.schema import Passage
from scorers.catalog.document import Document
from scorers.catalog.edition import Edition
from scorers.catalog.graph import Catalog
from scorers.catalog.origin import MAX_TEXTS
from scorers.catalog.overlap import long_enough, words_of
from scorers.catalog.uri import place_of
from scorers.text.excerpt import excerpt

CopyState = Literal["current", "outdated", "unknown"]

_ZONES = timedelta(hours=14)
"""No zone is further from UTC."""
_QUARTER = timedelta(minutes=15)
"""All zones differ from UTC by a multiple of it."""
_ROUNDING = timedelta(seconds=2)
"""What file systems and stores round times by."""


class CopyFinding(NamedTuple):
    """What a passage is of its document, and why, for people; ``now`` is what the source has in its place."""

    state: CopyState
    detail: str = ""
    now: Document | None = None


_UNKNOWN = CopyFinding("unknown")


def copy_of(passage: Passage, document: Document | None, catalog: Catalog, at: datetime) -> CopyFinding:
    """Tell whether a passage of ``document``, an entry of ``catalog``, is what the source had at ``at``.

    A version of the same place that was replaced is outdated. Of the version that governs, the passage is current where
    its checksum is that of the entry or the whole of its text stands in that of the entry; else the dates of
    modification tell, if both are known; but not that it is outdated where many files were written at once (see
    `Catalog.unpacked`). That a text differs proves nothing: loaders change texts.

    >>> from datetime import UTC
    >>> entry = Document(id="a.md", modified_at=datetime(2026, 3, 1, tzinfo=UTC))
    >>> old = Passage(id="p", doc_id="a.md", modified_at=datetime(2026, 2, 1, tzinfo=UTC))
    >>> copy_of(old, entry, Catalog([entry]), datetime(2026, 5, 4, tzinfo=UTC)).state
    'outdated'
    """
    edition = None if document is None else catalog.edition(document.id, document.version or "")
    if document is None or edition is None:
        return _UNKNOWN
    replacement = catalog.replacement(edition, at)
    if replacement is not None:
        now = replacement.section(document.section)
        if not _of_one_place(edition, replacement):
            return _UNKNOWN
        return CopyFinding("outdated", f"{excerpt(document.reference)} is now {excerpt(now.reference)}", now)
    if not edition.in_force(at):
        return _UNKNOWN
    if (passage.checksum is not None and passage.checksum == document.checksum) or holds(edition, passage):
        return CopyFinding("current")
    return _by_dates(passage.modified_at, document, catalog, at)


def _by_dates(copied: datetime | None, document: Document, catalog: Catalog, at: datetime) -> CopyFinding:
    modified = document.modified_at
    if copied is None or modified is None or (modified > at and copied < modified):
        return _UNKNOWN
    if older(copied, modified):
        if catalog.unpacked(modified):
            return _UNKNOWN
        detail = f"{excerpt(document.reference)} was modified on {_day(modified)}, the copy on {_day(copied)}"
        return CopyFinding("outdated", detail, document)
    return CopyFinding("current")


def holds(edition: Edition, passage: Passage) -> bool:
    """Return whether a passage, long enough to tell, stands whole in a text of an edition."""
    text = passage.text or ""
    if not long_enough(text):
        return False
    wanted = words_of(text)
    return any(wanted in words_of(each) for each in _texts(edition))


def older(copied: datetime, modified: datetime) -> bool:
    """Tell whether what was modified at ``copied`` is older than what was modified at ``modified``.

    Many loaders write local times without their zone: whole quarters of an hour within a day are one instant. A copy
    with a date alone is older only if no zone makes that day the one of the modification.

    >>> from datetime import UTC
    >>> source = datetime(2026, 3, 1, 9, 30, 7, tzinfo=UTC)
    >>> older(datetime(2026, 3, 1, 4, 30, 7, tzinfo=UTC), source), older(datetime(2026, 3, 1, 9, 2, tzinfo=UTC), source)
    (False, True)
    >>> older(datetime(2026, 3, 1, tzinfo=UTC), source), older(datetime(2026, 2, 27, tzinfo=UTC), source)
    (False, True)
    """
    behind = modified - copied
    if copied.timetz().replace(tzinfo=None) == time():
        return behind >= timedelta(days=1) + _ZONES
    if behind <= _ROUNDING:
        return False
    off = behind % _QUARTER
    return behind > _ZONES + _ROUNDING or min(off, _QUARTER - off) > _ROUNDING


def _of_one_place(one: Edition, other: Edition) -> bool:
    """Tell whether an edition took the place of another in the source; beside it, both may be there."""
    if one.key.id != other.key.id:
        return False
    places = [{place_of(entry.uri) for entry in islice(each.sections, MAX_TEXTS) if entry.uri} for each in (one, other)]
    return not all(places) or not places[0].isdisjoint(places[1])


def _texts(edition: Edition) -> Iterator[str]:
    return (entry.text for entry in islice(edition.sections, MAX_TEXTS) if entry.text)


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"
