"""A row of the change ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adapters.trace import Nanoseconds
from gates.inputs.changes import ChangeKind, ChangeSource

MAX_CHARACTERS = 256
"""Of a component's name and of its version, as adapters keep them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One change. ``at`` is when it took effect, ``recorded_at`` when the agent learned of it, in Unix nanoseconds.

    ``component`` is what changed: ``release``, ``index``, a metric, a document, ... ``documents`` names the documents
    that a change of documents is about, as far as they are known. ``id`` makes a repetition known: one id, one row.
    ``seq`` is given by the store, from the numbers of evaluations: a change has its place between them.
    """

    id: str
    at: Nanoseconds
    recorded_at: Nanoseconds
    kind: ChangeKind
    source: ChangeSource
    component: str
    scope: Mapping[str, str] = field(default_factory=dict)
    version: str | None = None
    previous: str | None = None
    documents: tuple[str, ...] = ()
    note: str | None = None
    seq: int = 0


@dataclass(frozen=True, slots=True)
class SeenVersion:
    """A version that answers showed of a component within a scope.

    ``count`` answers showed it, from number ``first`` to number ``last`` of all that showed any of that component
    there; ``last_at`` is the time of the newest.
    """

    component: str
    scope: str
    version: str
    count: int
    first: int
    last: int
    last_at: Nanoseconds
