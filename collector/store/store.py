"""The store: the queue between the steps, where each reads what is pending and writes its result at once."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial
from typing import Self

from collector.store.adaptations import AdaptationStore
from collector.store.answers import AnswerStore
from collector.store.books import BookStore
from collector.store.canaries import CanaryStore
from collector.store.decisions import DecisionStore
from collector.store.evaluations import EvaluationStore
from collector.store.evidence import EvidenceStore
from collector.store.external import ExternalStore
from collector.store.labels import LabelStore
from collector.store.ledger import ChangeStore
from collector.store.listing import ListingStore
from collector.store.points import PointStore
from collector.store.pruning import PruningStore
from collector.store.pulled import SourceStore
from collector.store.scored import TimelineStore
from collector.store.traces import TraceStore
from collector.store.waiting import WaitingStore


class Store(
    TraceStore,
    AdaptationStore,
    SourceStore,
    AnswerStore,
    ListingStore,
    EvaluationStore,
    TimelineStore,
    WaitingStore,
    DecisionStore,
    ChangeStore,
    LabelStore,
    ExternalStore,
    EvidenceStore,
    PointStore,
    BookStore,
    CanaryStore,
    PruningStore,
):
    """Durable state of the agent; who needs one part of it may ask for that alone.

    Every writing method is one transaction (`prune` is several), durable when it returns, and safe to repeat with the
    same arguments; what cannot be written now but may be later (a full disk, a locked database) raises
    `collector.errors.Transient` and changes nothing. All instants are Unix nanoseconds; the store has no clock of its
    own.
    """

    def asked(self, over: Callable[[], bool]) -> Self:
        """Return this store for queries from outside, which never slow down the pipeline.

        It reads over connections of its own, few of them; where all are taken, and when ``over`` says so while it
        reads, it raises `collector.errors.Transient`. Closing this store closes it too.
        """
        view = copy(self)
        view._read = partial(self._connections.query, over)  # noqa: SLF001 - its own kind
        return view

    def problems(self) -> tuple[str, ...]:
        """Return why nothing is written now; empty while all is well."""
        return self._connections.health.problems()

    def close(self) -> None:
        """Release everything; further calls fail. Waits for a write under way; closing again does nothing."""
        self._connections.close()
