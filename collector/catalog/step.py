"""The catalog as a step of the agent: what changed is put in force at once, what is wrong is refused and said once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import structlog

from collector.catalog import files
from collector.catalog.files import Stamp
from collector.catalog.http import HttpCatalog
from collector.catalog.learning import Learning
from collector.catalog.listings.task import ComparedIndex
from collector.catalog.options import CatalogOptions
from collector.catalog.snapshot import BuildOrder, BuiltCatalog, Mapped, RefusedCatalog, build, builder
from collector.catalog.vectors import VectorMaker, leftovers
from collector.catalog.watching import WatchedListings
from collector.errors import ConfigError, Transient
from collector.outbound.link import Runtime
from collector.outbound.status import shown
from collector.security.text import one_line
from collector.store.entries import MAX_CHARACTERS, Entry
from collector.store.store import Store
from collector.workers.passing import PassingWorker
from collector.workers.pool import PoolClosed
from scorers.catalog.change import CatalogChange, ChangedEntries
from scorers.catalog.document import split_reference
from telemetry import instruments

log = structlog.get_logger(__name__)

FOLDER = "catalog"
CURRENT = "current"
CATALOG = "catalog"
"""The component that a change of the catalog is about."""
SMALL_BYTES = 1024 * 1024
"""Files of up to this together are read here; larger ones in a process of their own, which leaves receivers alone."""
BUILD_SECONDS = 900.0
KEPT_CHANGES = 20
NAMED, MAX_NAME = 3, 60
"""Entries of each kind that the ledger names, and characters of a name."""
PARTS_OF_CHANGE = ("added", "removed", "changed", "superseded")


class CatalogStep:
    """Builds the catalog at the start, and again when a file, a listing, the server or an answer says something new.

    ``listings`` are the sources and indexes that are read beside it. ``apply`` gets every new one. Making it raises
    `ConfigError` for a token that cannot be read.
    """

    def __init__(
        self,
        options: CatalogOptions,
        *,
        data: Path,
        store: Store,
        runtime: Runtime,
        listings: WatchedListings,
    ) -> None:
        self._options = options
        self._directory = data / FOLDER
        self._telemetry = runtime.telemetry
        self._clock = runtime.clock
        self._store = store
        self._monotonic = runtime.monotonic
        self._http: HttpCatalog | None = None
        if options.http is not None:
            self._http = HttpCatalog(options.http, self._directory, runtime=runtime)
        self._learning = (
            None if options.learn is None else Learning(store, limit=options.learn.entries, clock=runtime.clock)
        )
        self._learn_due = runtime.monotonic()
        self._vectors = None if options.embeddings is None else VectorMaker(options.embeddings)
        self._weights = options.search.weights
        self._apply: Callable[[Mapped], None] = lambda _: None
        self._builder = PassingWorker(builder)
        self.listings = listings
        self.held: Path | None = None
        """A catalog file that somebody else still compares with: it is left where it is."""
        self._seen: tuple[Stamp | None, ...] = ()
        self._settling: tuple[Stamp | None, ...] = ()
        self._news = False
        self._made: BuiltCatalog | None = None
        self._loaded_at: int | None = None
        self._refused: tuple[str, ...] = ()
        self._changes: deque[tuple[int, CatalogChange]] = deque(maxlen=KEPT_CHANGES)
        for kind in PARTS_OF_CHANGE:
            runtime.telemetry.add(instruments.CATALOG_CHANGES, 0, kind)

    def start(self) -> Mapped:
        """Build the first catalog. Raises `ConfigError` with all that is wrong with the files.

        A server that is away is no reason not to start: what it gave last is in force until it is back, or nothing.
        """
        if self._vectors is not None:
            self._vectors.probe()
        if self._http is not None:
            self._http.run_once()
        self._look_at_answers()
        before = self._pointed_at()
        order = self._order(before)
        result = self._build(order)
        if isinstance(result, RefusedCatalog) and self._http is not None and self._http.reject():
            log.warning("catalog refused; using the one fetched before", problems=list(result.problems))
            order = self._order(before)
            result = self._build(order)
        if isinstance(result, RefusedCatalog):
            raise ConfigError(*result.problems)
        self._seen = _stamps(order)
        return self._put_in_force(result, was_known=before is not None)

    def serve(self, apply: Callable[[Mapped], None]) -> None:
        """Give every new catalog to ``apply`` from now on."""
        self._apply = apply

    def run_once(self) -> int:
        """Put what changed in force; return 1 while entries are left to be embedded, and nothing else is to do."""
        self._news |= self._look_at_answers()
        self._news |= self._http is not None and bool(self._http.run_once())
        try:
            order = self._order(None if self._made is None else self._made.path)
        except ConfigError as error:
            self._refuse(error.problems)
            return 0
        stamps = _stamps(order)
        if not self._due(stamps):
            return self._embed()
        # Taken before the files are read: what changes while they are is seen the next time.
        self._seen, self._news = stamps, False
        try:
            result = self._build(order)
        except PoolClosed:
            return 0
        except Transient:
            self._news = True
            raise
        if isinstance(result, RefusedCatalog):
            if self._http is not None and self._http.blamed(result.problems):
                self._http.reject()
                self._seen = _stamps(self._order(order.before))
            self._refuse(result.problems)
            return 0
        self._refused = ()
        if self._made is None or result.digest != self._made.digest:
            try:
                self._apply(self._put_in_force(result, was_known=True))
            except Transient:
                self._news = True
                raise
        return 0

    def close(self) -> None:
        """End what is under way."""
        self._builder.close()
        if self._vectors is not None:
            self._vectors.close()
        if self._http is not None:
            self._http.close()

    def report(self) -> Mapping[str, Any]:
        """Return what is in force, since when, what was refused, and the newest changes, for people."""
        made, refused = self._made, self._refused
        return {
            "digest": None if made is None else made.digest,
            "loaded_at": shown(self._loaded_at),
            "entries": 0 if made is None else made.entries,
            "documents": 0 if made is None else made.documents,
            "seconds": None if made is None else round(made.seconds, 3),
            "warnings": [] if made is None else list(made.warnings),
            "refused": list(refused),
            "learned": None if self._learning is None else len(self._learning),
            "http": None if self._http is None else self._http.status.report(),
            **self.listings.report(),
            "changes": [
                {"at": shown(at), **change.model_dump(mode="json")} for at, change in reversed(tuple(self._changes))
            ],
        }

    @property
    def in_force(self) -> Path | None:
        """The file of the catalog in force."""
        return None if self._made is None else self._made.path

    @property
    def compared(self) -> Mapping[str, ComparedIndex]:
        """The newest comparison of each index that was compared, by its name."""
        return self.listings.compared

    def _due(self, stamps: tuple[Stamp | None, ...]) -> bool:
        """Return whether there is something new, and all files are at rest: half of one may be valid as well."""
        settled, self._settling = stamps in (self._seen, self._settling), stamps
        return settled and (self._news or stamps != self._seen)

    def _look_at_answers(self) -> bool:
        if self._learning is None or self._options.learn is None or self._monotonic() < self._learn_due:
            return False
        self._learn_due = self._monotonic() + self._options.learn.poll.total_seconds()
        return self._learning.look()

    def _order(self, before: Path | None) -> BuildOrder:
        """Return what a catalog is to be made of now. Raises `ConfigError` where files cannot be listed."""
        path = self._options.path
        found = () if path is None else files.listed(path)
        fetched = None if self._http is None else self._http.file
        learned = () if self._learning is None else self._learning.documents()
        declared = found if fetched is None else (*found, fetched)
        return BuildOrder(declared, self._directory, learned, before, self.listings.files)

    def _build(self, order: BuildOrder) -> BuiltCatalog | RefusedCatalog:
        if sum(stamp[-1] for stamp in _stamps(order) if stamp is not None) <= SMALL_BYTES:
            return build(order)
        result: BuiltCatalog | RefusedCatalog = self._builder.call(order, timeout=BUILD_SECONDS)
        return result

    def _put_in_force(self, made: BuiltCatalog, *, was_known: bool) -> Mapped:
        if self._http is not None:
            self._http.accept()
        if was_known and not made.change.empty:
            # First: an agent that ends before it points at this catalog finds it again, and the change recorded.
            self._record(made.change)
        before, self._made = self._made, made
        self._loaded_at = self._clock()
        files.put(self._directory / CURRENT, made.path.name.encode())
        # A worker that is being set up may still be about to open the one before.
        kept = {made.path, made.path if before is None else before.path, made.path if self.held is None else self.held}
        for path in leftovers(self._directory, kept):
            path.unlink(missing_ok=True)
        self._telemetry.set(instruments.CATALOG_DOCUMENTS, made.entries)
        self._telemetry.set(instruments.CATALOG_LOADED, self._loaded_at / 1e9)
        self._telemetry.set(instruments.CATALOG_LEARNED, 0 if self._learning is None else len(self._learning))
        change = made.change
        counts = {kind: getattr(change, kind).count for kind in PARTS_OF_CHANGE}
        if was_known and not change.empty:
            self._changes.append((self._loaded_at, change))
            for kind, count in counts.items():
                self._telemetry.add(instruments.CATALOG_CHANGES, count, kind)
        log.info(
            "catalog loaded",
            documents=made.entries,
            digest=made.digest,
            seconds=round(made.seconds, 3),
            warnings=len(made.warnings),
            **(counts if was_known else {}),
        )
        found = Mapped(str(made.path)) if self._vectors is None else self._vectors.begin(made.path)
        return replace(found, weights=self._weights)

    def _embed(self) -> int:
        if self._vectors is None or not self._vectors.busy:
            return 0
        try:
            embedded = self._vectors.advance()
        except PoolClosed:
            return 0
        if embedded is not None:
            log.info("catalog embedded", path=embedded.path)
            self._apply(replace(embedded, weights=self._weights))
        return 1

    def _refuse(self, problems: tuple[str, ...]) -> None:
        if problems != self._refused:
            self._refused = problems
            self._telemetry.add(instruments.CATALOG_ERRORS, 1)
            # The problems say it all; a traceback would only hide them.
            log.warning("catalog refused; the previous one stays in force", problems=list(problems))

    def _record(self, change: CatalogChange) -> None:
        if any(newest.version == change.after for newest in self._store.changes_of(CATALOG, limit=1)):
            return
        now = self._clock()
        parts = {kind: getattr(change, kind) for kind in PARTS_OF_CHANGE}
        named = [split_reference(entry.reference)[0] for part in parts.values() for entry in part.first]
        entry = Entry(
            id=f"catalog-{change.after}-{now}",
            at=now,
            recorded_at=now,
            kind="documents",
            source="catalog",
            component=CATALOG,
            version=change.after,
            previous=change.before,
            documents=tuple(dict.fromkeys(name for name in named if len(name) <= MAX_CHARACTERS)),
            note="; ".join(_named(kind, part) for kind, part in parts.items() if part.count),
        )
        self._store.record_changes([entry])

    def _pointed_at(self) -> Path | None:
        try:
            name = (self._directory / CURRENT).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None
        path = self._directory / Path(name).name
        return path if path.is_file() else None


def _named(kind: str, part: ChangedEntries) -> str:
    """Return how many entries something happened to, and which they are."""
    names = list(dict.fromkeys(one_line(entry.named, MAX_NAME) for entry in part.first))
    more = ", ..." if len(names) > NAMED or part.count > len(part.first) else ""
    return f"{part.count} {kind}: {', '.join(names[:NAMED])}{more}"


def _stamps(order: BuildOrder) -> tuple[Stamp | None, ...]:
    return tuple(files.stamp(file) for file in (*order.files, *(file for _, file in order.listed)))
