"""Listings that the agent reads by itself: what sources have is in force, and indexes are compared with them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

import structlog

from adapters.base import PassageKeys
from adapters.trace import Nanoseconds
from collector.catalog.files import CatalogFile, Stamp, stamp
from collector.catalog.listings.base import IndexOptions, ListedSourceOptions, ListingOptions
from collector.catalog.listings.task import (
    ComparedIndex,
    CompareOrder,
    ListingOrder,
    ListingOutcome,
    ReadListing,
    ReadOrder,
)
from collector.clock import instant
from collector.errors import Transient
from collector.outbound.errors import Unreachable
from collector.outbound.link import Attempt, Link, Runtime
from collector.outbound.links import PUMP
from collector.scheduling.loop import Planned
from collector.workers.pool import PoolClosed
from scorers.catalog.lag import KINDS
from telemetry import instruments

log = structlog.get_logger(__name__)

FOLDER = Path("catalog", "listings")
READ_SECONDS = 900.0
"""Of the processor's time for one reading or comparison; so long it may also wait for a server."""
AGAIN_SECONDS = 3600.0
"""After this an index is compared again though nothing was read anew: a version may have come into force."""

_UNTELLING = {"name", "poll", "timeout", "ca_file", "keep"}
"""Options that do not say what is listed."""

Runner = Callable[[ListingOrder], ListingOutcome]
"""Does an order. Raises `Transient` or `PoolClosed`."""


class ListingLink(Link[ListingOptions]):
    """Reads one listing when it is due, into a file of its own."""

    kind = "listing"
    up = instruments.LISTING_UP
    counters: ClassVar = {"readings": None, "changes": None}

    def __init__(
        self, options: ListingOptions, where: str, path: Path, *, run: Runner, keys: PassageKeys, runtime: Runtime
    ) -> None:
        super().__init__(options, runtime)
        self.path = path
        self._where = where
        self._run = run
        self._keys = keys
        self._read: ReadListing | None = None
        self.telemetry.set(instruments.LISTING_SUCCESS, self.clock() / 1e9, self.name)
        self.telemetry.set(instruments.LISTING_ENTRIES, 0, self.name)

    def exchange(self) -> int:
        """Read the listing; return 1 if it is another than before."""
        now = instant(Nanoseconds(self.clock()))
        order = ReadOrder(self.options, self._where, self.path, now, self._keys, self._read)
        try:
            found = self._run(order)
        except PoolClosed:
            return 0
        except Transient as error:
            raise Unreachable(f"{self.options.address}: {error}") from error
        assert isinstance(found, ReadListing)
        if found.problem is not None:
            raise Unreachable(found.problem, found.retry_after)
        self._read = found
        self.telemetry.set(instruments.LISTING_ENTRIES, found.entries, self.name)
        self.count(readings=1, changes=int(found.changed))
        self.succeeded(rest=self.options.poll.total_seconds())
        return int(found.changed)

    def attempted(self, attempt: Attempt) -> None:
        """Note when it was last read."""
        if attempt == "ok":
            self.telemetry.set(instruments.LISTING_SUCCESS, self.clock() / 1e9, self.name)

    def position(self) -> Mapping[str, Any]:
        """Return how many entries there are, and what was passed over."""
        return {} if self._read is None else {"entries": self._read.entries, "notes": list(self._read.notes)}


class WatchedListings:
    """The listings of the catalog's section: the files of what its sources have, and how its indexes lag behind."""

    def __init__(
        self,
        sources: Sequence[ListedSourceOptions],
        indexes: Sequence[IndexOptions],
        *,
        data: Path,
        keys: PassageKeys,
        runtime: Runtime,
    ) -> None:
        self._directory = data / FOLDER
        self._runtime = runtime
        self._turn = threading.Lock()
        self._runner: Runner = _nobody

        def link(section: str, place: int, options: ListingOptions) -> ListingLink:
            where = f"catalog.{section}[{place}]"
            path = self._directory / f"{section}-{options.name}-{_digest(options)}.jsonl"
            return ListingLink(options, where, path, run=self._run, keys=keys, runtime=runtime)

        self._sources = [link("sources", place, options) for place, options in enumerate(sources)]
        self._indexes = [
            _Index(link("indexes", place, options), options.sources) for place, options in enumerate(indexes)
        ]
        self._forget()
        for index in self._indexes:
            for kind in KINDS:
                runtime.telemetry.set(instruments.INDEX_LAG, 0, index.link.name, kind)

    @property
    def files(self) -> tuple[tuple[str, CatalogFile], ...]:
        """What sources have, as far as they were read: a file of entries each, by the name of the source."""
        return tuple(
            (link.name, CatalogFile(link.path, "jsonl", f"catalog.sources: {link.name}"))
            for link in self._sources
            if link.path.is_file()
        )

    def steps(self, run: Runner) -> Iterator[Planned]:
        """Yield a step for each listing, and the one that compares; ``run`` does what they order, one after another."""
        self._runner = run
        links = [*self._sources, *(index.link for index in self._indexes)]
        yield from (Planned(link.stage, link, PUMP) for link in links)
        if self._indexes:
            yield Planned("index_lag", self, PUMP)

    def run_once(self) -> int:
        """Compare an index that was read anew, or whose sources were; return how many were compared."""
        return sum(self._compare(index) for index in self._indexes)

    @property
    def compared(self) -> Mapping[str, ComparedIndex]:
        """What came of the newest comparison of each index, by its name."""
        return {index.link.name: index.found for index in self._indexes if index.found is not None}

    def report(self) -> Mapping[str, Any]:
        """Return how each listing is doing, for people."""
        return {
            "sources": [dict(link.status.report()) for link in self._sources],
            "indexes": [{**index.link.status.report(), "lag": _lag(index.found)} for index in self._indexes],
        }

    def _run(self, order: ListingOrder) -> ListingOutcome:
        with self._turn:
            return self._runner(order)

    def _compare(self, index: _Index) -> int:
        chosen = [link for link in self._sources if index.sources is None or link.name in index.sources]
        stamps = [_stamp(link.path) for link in (*chosen, index.link)]
        now = self._runtime.monotonic()
        if None in stamps or (stamps == index.seen and now < index.again):
            return 0
        order = CompareOrder(
            tuple((link.name, link.path) for link in chosen),
            index.link.path,
            instant(Nanoseconds(self._runtime.clock())),
        )
        try:
            found = self._run(order)
        except PoolClosed:
            return 0
        assert isinstance(found, ComparedIndex)
        if index.found is None or found.counts != index.found.counts:
            log.info("index compared with its sources", index=index.link.name, **_counts(found))
        index.seen, index.found, index.again = stamps, found, now + AGAIN_SECONDS
        for kind, count in found.counts.items():
            self._runtime.telemetry.set(instruments.INDEX_LAG, count, index.link.name, kind)
        return 1

    def _forget(self) -> None:
        """Remove what was kept of listings that are not configured any more."""
        kept = {link.path for link in (*self._sources, *(index.link for index in self._indexes))}
        for path in self._directory.glob("*.jsonl"):
            if path not in kept:
                path.unlink(missing_ok=True)


def _nobody(order: ListingOrder) -> ListingOutcome:
    raise Transient(f"nobody does a {type(order).__name__} yet")


class _Index:
    """An index, what it was last compared as, and what came of it."""

    def __init__(self, link: ListingLink, sources: Sequence[str] | None) -> None:
        self.link = link
        self.sources = sources
        self.seen: list[Stamp | None] = []
        self.again = 0.0
        self.found: ComparedIndex | None = None


def _stamp(path: Path) -> Stamp | None:
    return stamp(CatalogFile(path, "jsonl", str(path)))


def _digest(options: ListingOptions) -> str:
    """Return what tells listings of different things under one name apart."""
    return sha256(options.model_dump_json(exclude=_UNTELLING).encode()).hexdigest()[:8]


def _lag(found: ComparedIndex | None) -> Mapping[str, Any] | None:
    if found is None:
        return None
    return {
        "at": shown_at(found),
        "documents": found.documents,
        "same": found.same,
        **_counts(found),
        "uncompared": found.uncompared,
        "elsewhere": found.elsewhere,
    }


def _counts(found: ComparedIndex) -> Mapping[str, int]:
    return {str(kind): count for kind, count in found.counts.items()}


def shown_at(found: ComparedIndex) -> str:
    """Return when an index was compared, for people."""
    return found.at.isoformat(timespec="seconds").replace("+00:00", "Z")
