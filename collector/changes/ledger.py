"""Rows of the change ledger as gates, decision records and notices read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import chain
from typing import NamedTuple

from collector.clock import duration, instant
from collector.store.entries import Entry
from collector.store.store import Store
from gates.decisions.record import RecordedChange
from gates.decisions.serving import overlap
from gates.inputs.changes import Change, ChangeSource

MAX_DOCUMENTS = 20
"""Documents that a change names in a record."""
HISTORY = 100
"""Changes of a component that say what is served: the newest."""

KNOWN_BY: Mapping[ChangeSource, str] = {"explicit": "announced", "observed": "observed", "catalog": "catalog"}
"""How a change is known, as people read it, by its source."""
TOGETHER = duration(timedelta(hours=1))
"""How far apart (ns) an announcement may be from the first answer that shows the same version, and be of one change."""


class KnownChange(NamedTuple):
    """A change, and whether it was both announced and observed in answers."""

    entry: Entry
    both: bool = False

    @property
    def known_by(self) -> str:
        """How it is known, as people read it."""
        return "announced and observed" if self.both else KNOWN_BY[self.entry.source]


def one_each(rows: Sequence[Entry]) -> list[Entry]:
    """Return changes, in order, with what was both announced and observed as one.

    That is a version of a component that is announced and shown by answers within `TOGETHER`, in scopes that have
    answers in common, with no other version of it in between. The entry is the announcement, with the number of the
    first row, the time at which it took effect as far as either tells, the wider scope, and the version before it.

    >>> told = {"kind": "deploy", "component": "release", "version": "2"}
    >>> announced = Entry("a", 60, 60, source="explicit", note="why", seq=1, **told)
    >>> seen = Entry("b", 90, 95, source="observed", scope={"service": "desk"}, previous="1", seq=2, **told)
    >>> [(each.seq, each.at, each.source, each.previous, each.note) for each in one_each([announced, seen])]
    [(1, 60, 'explicit', '1', 'why')]
    """
    return [each.entry for each in _together(rows)]


def newest_known(store: Store, *, before: int | None = None, limit: int) -> tuple[list[KnownChange], int | None]:
    """Return the changes of a page of the ledger, newest first, and ``before`` of the page after it, if there is one.

    What was announced and observed is one change, at the place of its first row. Its other row may be on another page,
    so those are read, too.
    """
    rows = store.newest_changes(before=before, limit=limit)
    if not rows:
        return [], None
    beside = [*store.changes(after=rows[0].seq, limit=limit), *store.newest_changes(before=rows[-1].seq, limit=limit)]
    here = {row.seq for row in rows}
    known = [each for each in _together([*rows, *beside]) if each.entry.seq in here]
    return known[::-1], rows[-1].seq if len(rows) == limit else None


def _together(rows: Sequence[Entry]) -> list[KnownChange]:
    kept: list[KnownChange] = []
    for row in sorted(rows, key=lambda each: each.seq):
        line = (
            place
            for place, (each, _) in enumerate(kept)
            if each.component == row.component and overlap(each.scope, row.scope)
        )
        last = max(line, default=None)
        if last is not None and _same(kept[last].entry, row):
            kept[last] = KnownChange(_one(kept[last].entry, row), both=True)
        else:
            kept.append(KnownChange(row))
    return kept


def _same(one: Entry, other: Entry) -> bool:
    sources = {one.source, other.source}
    said = one.version is not None and one.version == other.version
    return said and sources == {"explicit", "observed"} and abs(one.at - other.at) <= TOGETHER


def _one(first: Entry, second: Entry) -> Entry:
    announced = first if first.source == "explicit" else second
    seen = second if announced is first else first
    return replace(
        announced,
        seq=first.seq,
        at=min(first.at, second.at),
        recorded_at=min(first.recorded_at, second.recorded_at),
        scope=min(announced.scope, seen.scope, key=len),
        previous=announced.previous or seen.previous,
    )


def change_of(row: Entry) -> Change:
    """Return a row of the ledger as gates see it."""
    return Change(at=instant(row.at), kind=row.kind, scope=row.scope, version=row.version)


def recorded_change(row: Entry) -> RecordedChange:
    """Return a row of the ledger as decision records have it."""
    return RecordedChange(
        at=instant(row.at),
        kind=row.kind,
        scope=row.scope,
        version=row.version,
        seq=row.seq,
        recorded_at=instant(row.recorded_at),
        source=row.source,
        component=row.component,
        previous=row.previous,
        documents=row.documents[:MAX_DOCUMENTS],
        note=row.note,
    )


def history(store: Store, components: Iterable[str]) -> list[RecordedChange]:
    """Return the newest changes of these components, in order; what was announced and observed is one.

    An announcement without the version before it would else hide that one, and a return to it.
    """
    rows = (one_each(store.changes_of(name, limit=HISTORY)) for name in components)
    return [recorded_change(row) for row in chain.from_iterable(rows)]
