"""The part of the store that is about changes and their surroundings, on SQLAlchemy Core."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from collector.store import evidence, ledger, scored
from collector.store.base import StoredAnswer
from collector.store.columns import Scored
from collector.store.connections import Connections
from collector.store.entries import Entry, Seen
from collector.store.history import JudgedRow, ScoredRow


class SqlHistory:
    """`collector.store.history.History` over the connections of a store."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._write = connections.write
        self._read = connections.read

    def record_changes(
        self,
        entries: Sequence[Entry],
        *,
        seen: Sequence[Seen] = (),
        forgotten: Iterable[tuple[str, str, str | None]] = (),
    ) -> list[Entry]:
        """Append changes and keep what was seen; return the rows of the changes."""
        with self._write() as connection:
            ledger.remember(connection, seen, forgotten)
            return ledger.record(connection, entries)

    def changes(self, *, after: int = 0, limit: int = 100, recorded_from: int | None = None) -> list[Entry]:
        """Return changes with a higher ``seq``, in order."""
        with self._read() as connection:
            return ledger.listed(connection, after=after, limit=limit, recorded_from=recorded_from)

    def changes_of(self, component: str, *, limit: int) -> list[Entry]:
        """Return the changes of a component, newest first."""
        with self._read() as connection:
            return ledger.of_component(connection, component, limit=limit)

    def seen(self) -> list[Seen]:
        """Return what was seen of versions, longest ago first."""
        with self._read() as connection:
            return ledger.remembered(connection)

    def timeline_after(self, seq: int, *, limit: int, upto: int | None = None) -> tuple[list[Scored | Entry], int]:
        """Return what gates fold above ``seq``, in order, and up to where that is all there is."""
        with self._read() as connection:
            return scored.timeline(connection, seq, limit=limit, upto=upto)

    def unsampled(
        self, *, after: int, arrived_from: int, arrived_before: int, limit: int
    ) -> list[tuple[int, StoredAnswer]]:
        """Return answers outside the sample that arrived in a span of time, in order."""
        with self._read() as connection:
            return evidence.unsampled(
                connection, after=after, arrived_from=arrived_from, arrived_before=arrived_before, limit=limit
            )

    def draw_late(self, drawn: Mapping[str, float]) -> int:
        """Put answers into the sample, each with the probability of this late draw."""
        with self._write() as connection:
            return evidence.draw_late(connection, drawn)

    def worst(self, metric: str, slice_: Mapping[str, str], *, highest: bool, rows: int, limit: int) -> list[ScoredRow]:
        """Return the highest or lowest values of a metric in a slice among the newest evaluations."""
        with self._read() as connection:
            return evidence.worst(connection, metric, slice_, highest=highest, rows=rows, limit=limit)

    def judged(
        self, metric: str, slice_: Mapping[str, str], *, after: int, before: int | None, rows: int, limit: int
    ) -> list[JudgedRow]:
        """Return the newest values of a metric in a slice with a ``seq`` between two others."""
        with self._read() as connection:
            return evidence.judged(connection, metric, slice_, after=after, before=before, rows=rows, limit=limit)

    def documents_given(self, ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Return the documents that answers were given passages of."""
        with self._read() as connection:
            return evidence.documents_given(connection, ids)

    def traffic(self, *, arrived_from: int, arrived_before: int) -> list[tuple[Mapping[str, str], int]]:
        """Return how many answers arrived in a span of time, by slice."""
        with self._read() as connection:
            return evidence.traffic(connection, arrived_from=arrived_from, arrived_before=arrived_before)

    def last_pass(self, gate: str, slice_: Mapping[str, str]) -> int | None:
        """Return when a (gate, slice) was last decided to pass."""
        with self._read() as connection:
            return evidence.last_pass(connection, gate, slice_)
