"""What a worker does with listings: reads one and keeps it, and compares an index with its sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from adapters.base import PassageKeys
from collector.catalog.listings.base import ListedSourceOptions, ListingOptions, ListingRun
from collector.catalog.listings.kept import keep, kept_in
from collector.catalog.listings.notes import Notes
from collector.errors import ConfigError
from collector.outbound.errors import Unreachable
from scorers.catalog import Catalog, Document
from scorers.catalog.lag import KINDS, LaggingDocument, LagKind, index_lag, root_of
from scorers.catalog.learned import consistent
from scorers.catalog.merging import merged

MAX_LAGGING = 20_000
"""Lagging documents of one index that are kept by name; more are counted."""
MAX_NOTES = 20


@dataclass(frozen=True, slots=True)
class ReadOrder:
    """A listing to read into the file ``path``; ``where`` is the path of its section, ``keys`` those of passages.

    ``before`` is what the reading before found: while the fingerprint is its, that still holds.
    """

    options: ListingOptions
    where: str
    path: Path
    at: datetime
    keys: PassageKeys = field(default_factory=PassageKeys)
    before: ReadListing | None = None


@dataclass(frozen=True, slots=True)
class ReadListing:
    """What became of it: entries, whether they are others than before, and what was passed over, a line a reason.

    With a ``problem`` nothing was kept; ``retry_after`` are the seconds for which the other side asked. The
    ``fingerprint`` was taken before anything was read.
    """

    entries: int = 0
    changed: bool = False
    notes: tuple[str, ...] = ()
    problem: str | None = None
    retry_after: float | None = None
    fingerprint: str | None = None


@dataclass(frozen=True, slots=True)
class CompareOrder:
    """An index to compare with its sources, each a kept listing by the name of its source."""

    sources: tuple[tuple[str, Path], ...]
    index: Path
    at: datetime


@dataclass(frozen=True, slots=True)
class ComparedIndex:
    """What came of it: documents by what is with them, and the first `MAX_LAGGING` of those that lag."""

    at: datetime
    documents: int
    same: int
    uncompared: int
    elsewhere: int
    counts: Mapping[LagKind, int]
    lagging: tuple[LaggingDocument, ...]


ListingOrder = ReadOrder | CompareOrder
ListingOutcome = ReadListing | ComparedIndex


def listing_worker() -> Callable[[ListingOrder], ListingOutcome]:
    """Return what does an order, as the set-up of a worker."""
    return done


def done(order: ListingOrder) -> ListingOutcome:
    """Do an order."""
    return read(order) if isinstance(order, ReadOrder) else compare(order)


def read(order: ReadOrder) -> ReadListing:
    """Read a listing and keep it, unless it cannot be had, cannot be right, or is still what it was."""
    notes, before = Notes(), order.before
    try:
        fingerprint = order.options.fingerprint(order.at)
        if (
            before is not None
            and fingerprint is not None
            and fingerprint == before.fingerprint
            and order.path.is_file()
        ):
            return replace(before, changed=False)
        run = ListingRun(order.at, notes, _before(order, notes), order.keys, order.where)
        count, changed = keep(_believable(order.options.entries(run), order, run), order.path)
    except ConfigError as error:
        cause = error.__cause__
        wait = cause.retry_after if isinstance(cause, Unreachable) else None
        return ReadListing(problem="; ".join(error.problems), retry_after=wait)
    kept = None if notes.passing else fingerprint
    return ReadListing(count, changed, tuple(notes.lines())[:MAX_NOTES], fingerprint=kept)


def _believable(entries: Iterable[Document], order: ReadOrder, run: ListingRun) -> Iterable[Document]:
    """Return the entries. Raises `ConfigError` where a source has nothing any more.

    A volume that is not mounted and a key without rights look the same as everything removed.
    """
    if not isinstance(order.options, ListedSourceOptions):
        return entries
    found = tuple(entries)
    was, now = (sum(_stands(one, order.at) for one in each) for each in (run.previous, found))
    if was and not now:
        raise ConfigError(f"{order.options.address}: nothing is there, where {was:,} entries were; not believed")
    return found


def _before(order: ReadOrder, notes: Notes) -> tuple[Document, ...]:
    if not isinstance(order.options, ListedSourceOptions):
        return ()
    try:
        return tuple(kept_in(order.path))
    except ValueError:
        notes.add("listings of before that cannot be read, begun anew", order.path.name)
        return ()


def _stands(document: Document, at: datetime) -> bool:
    return document.effective_to is None or document.effective_to > at


def compare(order: CompareOrder) -> ComparedIndex:
    """Compare an index with its sources."""
    listings = [(name, tuple(kept_in(path))) for name, path in order.sources]
    roots = [root_of(one for one in entries if _stands(one, order.at)) for _, entries in listings]
    source = Catalog(consistent(merged(listings)))
    found = index_lag(source, kept_in(order.index), order.at, roots=[root for root in roots if root is not None])
    return ComparedIndex(
        at=order.at,
        documents=found.documents,
        same=found.same,
        uncompared=found.uncompared,
        elsewhere=found.elsewhere,
        counts={kind: found.counted(kind) for kind in KINDS},
        lagging=found.lagging[:MAX_LAGGING],
    )
