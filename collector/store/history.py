"""What the store promises about changes and their surroundings; part of `Store`, under the same rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from collector.store.entries import Entry, Seen

if TYPE_CHECKING:
    from collector.store.base import StoredAnswer
    from collector.store.columns import Scored


class ScoredRow(NamedTuple):
    """One value of one metric: of which answer, when, and in which slice."""

    answer_id: str
    at: int
    value: float
    slice: Mapping[str, str]


class JudgedRow(NamedTuple):
    """One value of one metric, with all that a change of it may be blamed on. Equal slices are one object."""

    seq: int
    answer_id: str
    at: int
    value: float
    probability: float
    cluster: str | None
    slice: Mapping[str, str]
    versions: Mapping[str, str]


class History(Protocol):
    """Changes, what surrounds them, and what decisions are explained by."""

    def record_changes(
        self,
        entries: Sequence[Entry],
        *,
        seen: Sequence[Seen] = (),
        forgotten: Iterable[tuple[str, str, str | None]] = (),
    ) -> list[Entry]:
        """Append changes, each a row at the end of the timeline, and return their rows, in the order given.

        An entry whose id is there already is not written again: the row returned is the one of before, whatever it
        says. What was ``seen`` is kept in the same transaction; first (component, scope, version) in ``forgotten`` are
        removed from it, without a version all of them.
        """
        ...

    def changes(self, *, after: int = 0, limit: int = 100, recorded_from: int | None = None) -> list[Entry]:
        """Return changes with a higher ``seq``, in order, optionally those recorded from an instant on."""
        ...

    def changes_of(self, component: str, *, limit: int) -> list[Entry]:
        """Return the changes of a component, newest first."""
        ...

    def seen(self) -> list[Seen]:
        """Return what was seen of versions, longest ago first."""
        ...

    def timeline_after(self, seq: int, *, limit: int, upto: int | None = None) -> tuple[list[Scored | Entry], int]:
        """Return what gates fold above ``seq`` and not above ``upto``, in order, and up to where that is all there is.

        That is evaluations, but for those of later revisions and of answers drawn late, and changes; at most ``limit``
        of each. A row committed later has a higher ``seq`` than all that were told of, so the order never changes.
        """
        ...

    def unsampled(
        self, *, after: int, arrived_from: int, arrived_before: int, limit: int
    ) -> list[tuple[int, StoredAnswer]]:
        """Return answers outside the sample above ``seq`` ``after`` that arrived in a span of time, in order."""
        ...

    def draw_late(self, drawn: Mapping[str, float]) -> int:
        """Put answers into the sample, by id with the probability of this late draw; return how many were outside.

        They are scored like others. No gate folds them: see `StoredEvaluation.late`.
        """
        ...

    def worst(self, metric: str, slice_: Mapping[str, str], *, highest: bool, rows: int, limit: int) -> list[ScoredRow]:
        """Return the highest or lowest values of a metric in a slice among the newest ``rows`` evaluations."""
        ...

    def judged(
        self, metric: str, slice_: Mapping[str, str], *, after: int, before: int | None, rows: int, limit: int
    ) -> list[JudgedRow]:
        """Return the newest ``limit`` values of a metric in a slice with a ``seq`` between two others, newest first.

        They are those that gates saw: without later revisions and what was drawn late. Looked at are the newest
        ``rows`` evaluations of that span.
        """
        ...

    def documents_given(self, ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Return the documents that answers were given passages of, without those that tell nothing of it."""
        ...

    def traffic(self, *, arrived_from: int, arrived_before: int) -> list[tuple[Mapping[str, str], int]]:
        """Return how many answers, sampled or not, arrived in a span of time, by slice."""
        ...

    def last_pass(self, gate: str, slice_: Mapping[str, str]) -> int | None:
        """Return when a (gate, slice) was last decided to pass."""
        ...
