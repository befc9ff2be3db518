"""Unannounced changes: the first answer that shows another version says when it took effect."""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import blake2b

from pydantic import BaseModel, ConfigDict, Field

from adapters.schema import Answer
from adapters.trace import Nanoseconds
from collector.changes.served import CHECKSUM, DOCUMENT, MAX_PASSAGES, bounded, kind_of, served_by
from collector.changes.versions import NewVersion, VersionMemory
from collector.clock import Clock, duration, nanoseconds
from collector.store.chain import canonical
from collector.store.entries import MAX_CHARACTERS, Entry
from collector.store.store import Store
from gates.inputs.changes import ChangeKind
from gates.inputs.slices import NONE, OTHER, Dimension
from gates.units.duration import Duration
from telemetry import instruments
from telemetry.registry import Telemetry

DEPLOYED = ("service", "environment")
"""What is deployed as one: the dimensions cut from these are the scope, unless the configuration names others."""
MAX_DOCUMENTS = 100
"""Documents that one change names."""
MAX_NAMED = 3
"""Documents of one change whose versions are told."""
MAX_A_MINUTE = 60
"""Changes observed in a minute; beyond, versions are remembered and no change is recorded, which is counted."""
_MINUTE = 60 * 10**9


class ChangeOptions(BaseModel):
    """Changes that nobody announced, as the answers themselves show them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    observe: bool = Field(default=True, description="Whether a version never seen before is recorded as a change.")
    scope: tuple[str, ...] | None = Field(
        default=None,
        max_length=8,
        description="Slice dimensions within which versions are remembered, and which an observed change touches; by "
        "default those cut from service and environment.",
    )
    gone: Duration = Field(
        default=timedelta(hours=1), description="A version not seen for this long may come back as a change."
    )

    def dimensions(self, slices: Sequence[Dimension]) -> tuple[str, ...]:
        """Return the dimensions of the scope."""
        if self.scope is not None:
            return self.scope
        return tuple(dimension.name for dimension in slices if dimension.source in DEPLOYED)


class Observer:
    """Detects the changes that answers show. Shared by the threads that bring answers."""

    def __init__(
        self, options: ChangeOptions, slices: Sequence[Dimension], *, store: Store, telemetry: Telemetry, clock: Clock
    ) -> None:
        self._observe = options.observe
        self._dimensions = options.dimensions(slices)
        self._telemetry = telemetry
        self._clock = clock
        self._lock = threading.Lock()
        self._memory = VersionMemory(store.seen() if options.observe else (), gone=duration(options.gone))
        self._new: list[NewVersion] = []
        self._minute, self._in_minute = 0, 0
        telemetry.add(instruments.CHANGES_DROPPED, 0)

    def look(self, answer: Answer, slice_: Mapping[str, str]) -> None:
        """Note what served an answer; a version that is new waits for `save`."""
        if not self._observe:
            return
        now = self._clock()
        answered_at = answer.ended_at or answer.started_at
        at = now if answered_at is None else min(nanoseconds(answered_at), now)
        cut = {name: slice_[name] for name in self._dimensions if slice_.get(name) not in (None, NONE, OTHER)}
        scope = canonical(cut)
        shown = _shown(answer)
        with self._lock:
            for component, versions in shown.items():
                new = self._memory.observe(component, scope, versions, at)
                if component.startswith(CHECKSUM):
                    new = [replace(each, modified_at=_modified(answer, each.version)) for each in new]
                self._new += new
                if len(versions) > 1 and component.startswith(CHECKSUM):
                    # Of pieces of a document that go under one name.
                    self._memory.mark_ambiguous(component, scope)

    def save(self, store: Store) -> list[Entry]:
        """Record the changes since the last call, before any answer that shows them is stored; return them."""
        with self._lock:
            rows, forgotten = self._memory.unsaved()
            entries, dropped, counted = self._entries()
            if entries or rows or forgotten:
                # Raises where the store cannot be written: then all of it is still there for the next call.
                entries = store.record_changes(entries, seen=rows, forgotten=forgotten)
                self._memory.saved(rows, forgotten)
            self._new.clear()
            self._minute, self._in_minute = counted
            self._telemetry.add(instruments.CHANGES_DROPPED, dropped)
        return entries

    def _entries(self) -> tuple[list[Entry], int, tuple[int, int]]:
        """Return the changes that wait, how many are beyond what a minute admits, and the minute's new count."""
        now = self._clock()
        minute = now // _MINUTE
        used = self._in_minute if minute == self._minute else 0
        changes = list(_changes(self._new, now))
        admitted = changes[: max(0, MAX_A_MINUTE - used)]
        return admitted, len(changes) - len(admitted), (minute, used + len(admitted))


def _shown(answer: Answer) -> Mapping[str, set[str]]:
    """Return what an answer shows: the versions of each component and document, and the checksums of each passage."""
    shown: defaultdict[str, set[str]] = defaultdict(set)
    for component, version in served_by(answer).items():
        shown[component].add(version)
    for passage in (answer.passages or ())[:MAX_PASSAGES]:
        if not passage.doc_id or len(passage.doc_id) > MAX_CHARACTERS:
            continue
        if passage.version:
            shown[f"{DOCUMENT}{bounded(passage.doc_id)}"].add(bounded(passage.version))
        if passage.checksum:
            place = _checksummed(passage.doc_id, passage.version, passage.section, passage.id)
            shown[place].add(bounded(passage.checksum))
    return shown


def _modified(answer: Answer, checksum: str) -> datetime | None:
    """Return when the passage with a checksum was last changed, as the index has it."""
    dates = (each.modified_at for each in answer.passages or () if each.checksum and bounded(each.checksum) == checksum)
    return next(dates, None)


# A memo of a pure function: the same passages come again and again.
@lru_cache(maxsize=4096)
def _checksummed(doc_id: str, *place: str | None) -> str:
    """Return the name under which the checksum of a passage is remembered: of this version, section and passage."""
    digest = blake2b(repr(place).encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{CHECKSUM}{bounded(doc_id)}#{digest}"


def _changes(versions: Sequence[NewVersion], now: Nanoseconds) -> Iterator[Entry]:
    """Yield one change for each component, and one for all documents of a scope together."""
    documents: defaultdict[str, list[NewVersion]] = defaultdict(list)
    for new in versions:
        if new.component.startswith((DOCUMENT, CHECKSUM)):
            documents[new.scope].append(new)
        else:
            yield _entry(kind_of(new.component), new.component, [new], now, id_=new.version)
    for together in documents.values():
        names = list(dict.fromkeys(_document(new.component) for new in together))
        entry = _entry(
            "documents", "documents", together, now, id_=repr([(new.component, new.version) for new in together])
        )
        days = sorted({f"{new.modified_at:%Y-%m-%d}" for new in together if new.modified_at is not None})
        many = f"{len(names)} documents" if len(names) > MAX_DOCUMENTS else None
        modified = f"modified {' to '.join(dict.fromkeys((days[0], days[-1])))}" if days else None
        served = _served(together) if len(together) > 1 and len(names) <= MAX_NAMED else ()
        note = ", ".join(each for each in (many, *served, modified) if each) or None
        yield replace(entry, documents=tuple(names[:MAX_DOCUMENTS]), note=note)


def _served(versions: Sequence[NewVersion]) -> Iterator[str]:
    """Yield the versions that each document was served in, where one change is of several: it has no single version."""
    served: defaultdict[str, set[str]] = defaultdict(set)
    for new in versions:
        if new.component.startswith(DOCUMENT):
            served[_document(new.component)] |= {new.version} | ({new.previous} if new.previous else set())
    for name, seen in sorted(served.items()):
        *first, last = sorted(seen)
        told = f"{', '.join(first)} and {last}" if first else last
        yield f"{name} served in versions {told}"


def _entry(kind: ChangeKind, component: str, versions: Sequence[NewVersion], now: Nanoseconds, *, id_: str) -> Entry:
    """Return a change of one scope; of several versions it says that they are new, but not which."""
    at = min(new.at for new in versions)
    one = versions[0] if len(versions) == 1 else None
    return Entry(
        id=_id(versions[0].scope, component, id_, at),
        at=at,
        recorded_at=now,
        kind=kind,
        source="observed",
        component=component,
        scope=json.loads(versions[0].scope),
        version=None if one is None else one.version,
        previous=None if one is None else one.previous,
    )


def _document(component: str) -> str:
    if component.startswith(DOCUMENT):
        return component.removeprefix(DOCUMENT)
    return component.removeprefix(CHECKSUM).rpartition("#")[0]


def _id(scope: str, component: str, version: str, at: int) -> str:
    """Return an id that the same observation has again, where it was made and could not be kept."""
    text = canonical([scope, component, version, at])
    return f"observed-{blake2b(text.encode('utf-8', 'replace'), digest_size=12).hexdigest()}"
