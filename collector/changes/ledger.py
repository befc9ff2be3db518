"""Rows of the change ledger as gates, decision records and notices read them."""

from __future__ import annotations

from collections.abc import Iterable

from collector.clock import instant
from collector.store.entries import Entry
from collector.store.store import Store
from gates.decisions.record import RecordedChange
from gates.inputs.changes import Change

MAX_DOCUMENTS = 20
"""Documents that a change names in a record."""
HISTORY = 100
"""Changes of a component that say what is served: the newest."""


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
    """Return the newest changes of these components."""
    return [recorded_change(row) for name in components for row in store.changes_of(name, limit=HISTORY)]
