"""Whether a passage is an older copy of its document than the source has: by versions, checksums, texts and dates."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from itertools import islice
from typing import Literal, NamedTuple

from adapters.schema import Passage
from scorers.catalog.changed import ChangedFigure, changed_figure
from scorers.catalog.document import Document, split_reference
from scorers.catalog.edition import Edition, EditionKey
from scorers.catalog.graph import Catalog
from scorers.catalog.origin import MAX_TEXTS, PassageOrigin
from scorers.catalog.overlap import stands_in
from scorers.catalog.uri import page_of, place_of
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


NO_COPY = CopyFinding("unknown")
"""Nothing tells."""


def copy_of(passage: Passage, document: Document | None, catalog: Catalog, at: datetime) -> CopyFinding:
    """Tell whether a passage of ``document``, an entry of ``catalog``, is what the source had at ``at``.

    A version of the same place that was replaced is outdated, be it by a window, a link or, where neither tells, by one
    at the same URI that was modified later. Of the version that governs, the passage is current where
    its checksum is that of the entry or the whole of its text stands in that of the entry; else the dates of
    modification tell, if both are known. Loaders change texts, so that a text differs proves nothing by itself; but a
    passage with another figure where the entry has the same words is of another state of the document. It is never
    current by dates; it is outdated where it is the older one, even by the date of many files that were written at
    once, which makes no other passage outdated (see `Catalog.unpacked`).

    Without ``document``, a passage may name a version that the catalog does not list of a document that it does. Such a
    passage is compared with the version that governs; a later date does not make it current, for it is another version.

    >>> from datetime import UTC
    >>> entry = Document(id="a.md", modified_at=datetime(2026, 3, 1, tzinfo=UTC))
    >>> old = Passage(id="p", doc_id="a.md", modified_at=datetime(2026, 2, 1, tzinfo=UTC))
    >>> copy_of(old, entry, Catalog([entry]), datetime(2026, 5, 4, tzinfo=UTC)).state
    'outdated'
    """
    if document is None:
        return _unlisted(passage, catalog, at)
    edition = catalog.edition(document.id, document.version or "")
    if edition is None:
        return NO_COPY
    replacement = catalog.replacement(edition, at)
    if replacement is None:
        replacement = _modified_later(edition, catalog, at)
        if replacement is not None and holds(replacement, passage):
            return CopyFinding("current")  # what did not change is as good as new
    if replacement is not None:
        now = replacement.section(document.section)
        if not _of_one_place(edition, replacement):
            return NO_COPY
        return CopyFinding("outdated", f"{excerpt(document.reference)} is now {excerpt(now.reference)}", now)
    if not edition.in_force(at):
        return NO_COPY
    if (passage.checksum is not None and passage.checksum == document.checksum) or holds(edition, passage):
        return CopyFinding("current")
    return _by_dates(passage.modified_at, document, differing(passage, edition), catalog, at)


def copy_from(passage: Passage, found: PassageOrigin, catalog: Catalog, at: datetime) -> CopyFinding:
    """Tell what a passage is of the document that it comes from, even where nothing tells of which of its versions.

    One whose words a loader changed may be of any: it is an older copy where it was modified before the version that
    governs, and of no later date is it known what it is.

    >>> from datetime import UTC
    >>> days = [datetime(2026, month, 1, tzinfo=UTC) for month in (1, 3)]
    >>> old, new = (Document(id="a", version=str(day.month), modified_at=day) for day in days)
    >>> catalog = Catalog([old.model_copy(update={"effective_to": days[1]}), new])
    >>> found = PassageOrigin(None, "which?", catalog.editions("a"))
    >>> passage = Passage(id="p", doc_id="a", modified_at=days[0])
    >>> copy_from(passage, found, catalog, datetime(2026, 5, 4, tzinfo=UTC)).state
    'outdated'
    """
    governing = [one for one in found.rivals if catalog.governs(one, at)]
    if found.document is not None or len(governing) != 1 or len({one.key.id for one in found.rivals}) > 1:
        return copy_of(passage, found.document, catalog, at)
    edition = governing[0]
    if holds(edition, passage):
        return CopyFinding("current")
    dated = _by_dates(passage.modified_at, edition.section(passage.section), differing(passage, edition), catalog, at)
    return dated if dated.state == "outdated" else CopyFinding("unknown", dated.detail)


def _unlisted(passage: Passage, catalog: Catalog, at: datetime) -> CopyFinding:
    """Tell what a passage is that names a version which is not listed of a document that is."""
    version = unlisted_version(passage, catalog)
    document = None if version is None else catalog.current(version.id, at)
    if version is None or document is None or document.id != version.id:
        return NO_COPY
    edition = catalog.edition(document.id, document.version or "")
    if edition is None or (passage.uri and not _lies_at(edition, passage.uri)):
        return NO_COPY
    entry = edition.section(passage.section)
    if holds(edition, passage):
        return CopyFinding("current")
    found = _by_dates(passage.modified_at, entry, differing(passage, edition), catalog, at)
    if found.state == "outdated":
        return found
    untold = f"{excerpt(version.reference)} is not in the catalog, {excerpt(entry.reference)} is"
    return CopyFinding("unknown", found.detail or f"{untold}, and no date tells which is older")


def unlisted_version(passage: Passage, catalog: Catalog) -> EditionKey | None:
    """Return the version that a passage names of a document that the catalog lists without that version, if any.

    >>> catalog = Catalog([Document(id="T", version="7")])
    >>> unlisted_version(Passage(id="p", doc_id="T", version="6"), catalog)
    EditionKey(id='T', version='6')
    """
    name, version = passage.doc_id or passage.id, passage.version
    if version is None and not catalog.knows(name):
        name, version = split_reference(name)
    if version is None or not catalog.knows(name) or catalog.edition(name, version) is not None:
        return None
    return EditionKey(name, version)


def _modified_later(edition: Edition, catalog: Catalog, at: datetime) -> Edition | None:
    """Return the version at the same URI that was modified last, where an edition has no window that says more."""
    modified, places = _modified(edition), _places(edition)
    if modified is None or edition.effective_from is not None or edition.effective_to is not None:
        return None
    later = [
        (changed, other)
        for other in catalog.editions(edition.key.id)
        if (changed := _modified(other)) is not None
        and older(modified, changed)
        and changed <= at
        and catalog.governs(other, at)
        and not places.isdisjoint(_places(other))
    ]
    return max(later, key=lambda one: (one[0], one[1].key))[1] if later else None


def _modified(edition: Edition) -> datetime | None:
    return max((entry.modified_at for entry in _some(edition) if entry.modified_at is not None), default=None)


def _lies_at(edition: Edition, uri: str) -> bool:
    """Tell whether an edition may lie on the page of ``uri``: one without a place may."""
    pages = {page_of(place) for place in _places(edition)}
    return not pages or page_of(uri) in pages


def _by_dates(
    copied: datetime | None, document: Document, changed: ChangedFigure | None, catalog: Catalog, at: datetime
) -> CopyFinding:
    modified = document.modified_at
    if copied is not None and modified is not None and modified > at and copied < modified:
        return NO_COPY
    if copied is None or modified is None or not older(copied, modified):
        if changed is not None:
            # It is not what the source has, however new its date is: many stores date what they store.
            return CopyFinding("unknown", _differs(document, changed))
        return NO_COPY if copied is None or modified is None else CopyFinding("current")
    if changed is None and catalog.unpacked(modified):
        return NO_COPY
    return CopyFinding("outdated", _outdated(document, copied, modified, changed), document)


def is_of(passage: Passage, edition: Edition) -> bool:
    """Tell whether a passage whose names lead to ``edition`` is of that very version, and of no state before it.

    Its version says so, its checksum, or that the whole of its text stands in the edition: what did not change is as
    good as new.
    """
    version = passage.version or split_reference(passage.doc_id or passage.id)[1]
    if version is not None and version == edition.key.version:
        return True
    marked = passage.checksum is not None and any(passage.checksum == each.checksum for each in _some(edition))
    return marked or holds(edition, passage)


def differing(passage: Passage, edition: Edition) -> ChangedFigure | None:
    """Return a figure of a passage in whose place the edition that it may be of has another one."""
    return changed_figure(passage.text, _texts(edition)) if passage.text else None


def _outdated(document: Document, copied: datetime, modified: datetime, changed: ChangedFigure | None) -> str:
    if changed is None:
        return f"{excerpt(document.reference)} was modified on {_day(modified)}, the copy on {_day(copied)}"
    said = f"says {excerpt(changed.now)!r}, the copy of {_day(copied)} {excerpt(changed.copied)!r}"
    return f"{excerpt(document.reference)} {said}"


def _differs(document: Document, changed: ChangedFigure) -> str:
    said = f"says {excerpt(changed.now)!r}, the copy {excerpt(changed.copied)!r}"
    return f"{excerpt(document.reference)} {said}, and no date tells which is older"


def holds(edition: Edition, passage: Passage) -> bool:
    """Return whether the whole text of a passage stands in a text of an edition that its names lead to."""
    return any(stands_in(passage.text or "", each) for each in _texts(edition))


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
    places = [_places(each) for each in (one, other)]
    return not all(places) or not places[0].isdisjoint(places[1])


def _places(edition: Edition) -> set[str]:
    return {place_of(entry.uri) for entry in _some(edition) if entry.uri}


def _some(edition: Edition) -> Iterator[Document]:
    return islice(edition.sections, MAX_TEXTS)


def _texts(edition: Edition) -> Iterator[str]:
    return (entry.text for entry in _some(edition) if entry.text)


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"
