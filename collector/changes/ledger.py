"""Rows of the change ledger as gates, decision records and notices read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import chain

from collector.clock import duration, instant
from collector.store.entries import Entry
from collector.store.store import Store
from gates.decisions.record import RecordedChange
from gates.decisions.serving import overlap
from gates.inputs.changes import Change

MAX_DOCUMENTS = 20
"""Documents that a change names in a record."""
HISTORY = 100
"""Changes of a component that say what is served: the newest."""

TOGETHER = duration(timedelta(hours=1))
"""How far apart (ns) an announcement may be from the first answer that shows the same version, and be of one change."""


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
    kept: list[Entry] = []
    for row in sorted(rows, key=lambda each: each.seq):
        line = (i for i, each in enumerate(kept) if each.component == row.component and overlap(each.scope, row.scope))
        last = max(line, default=None)
        if last is not None and _same(kept[last], row):
            kept[last] = _one(kept[last], row)
        else:
            kept.append(row)
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
