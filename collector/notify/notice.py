"""A row of the decision log, as notifiers read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson

from collector.clock import instant, nanoseconds
from collector.store.base import Decision
from gates.record import DecisionRecord, Recommendation
from gates.slices import Dimension

UNEXPLAINED_EXPIRY = 3600 * 10**9
"""How long a row without a record is news (ns)."""


@dataclass(frozen=True, slots=True)
class Names:
    """The slice dimensions that name the service and the environment, where there are any."""

    service: str | None = None
    environment: str | None = None

    @classmethod
    def of(cls, dimensions: Sequence[Dimension]) -> Names:
        """Find them by the attribute they are cut from.

        >>> Names.of([Dimension(name="app", attribute="service"), Dimension(name="domain")])
        Names(service='app', environment=None)
        """
        found = {dimension.source: dimension.name for dimension in reversed(dimensions)}
        return cls(found.get("service"), found.get("environment"))


@dataclass(frozen=True, slots=True)
class Notice:
    """A decision with what its record says. ``record`` is the record as JSON, ``explained`` what of it can be read.

    A row of another version of the agent may have a record that cannot be read: it is told, and nothing is done.
    """

    row: Decision
    names: Names
    record: Any
    explained: DecisionRecord | None

    @classmethod
    def of(cls, row: Decision, names: Names) -> Notice:
        """Read a row."""
        record, explained = None, None
        # Everything that is wrong with a text from the store is a `ValueError`: no JSON, and another shape of it.
        with suppress(ValueError):
            record = None if row.record is None else orjson.loads(row.record)
            explained = None if record is None else DecisionRecord.model_validate(record)
        return cls(row, names, record, explained)

    @property
    def gate(self) -> str:
        """The gate."""
        return self.row.gate

    @property
    def slice(self) -> Mapping[str, str]:
        """The slice; ``{}`` is the gate as a whole."""
        return self.row.slice

    @property
    def failing(self) -> bool:
        """Whether it turned to fail; a verification of something that fails is no new failure."""
        return self.row.state == "fail" and self.row.previous_state != "fail"

    @property
    def recovered(self) -> bool:
        """Whether it failed before and no longer does."""
        return self.row.previous_state == "fail" and self.row.state != "fail"

    @property
    def verifies(self) -> bool:
        """Whether it says what came of a roll-back, and the verdict stays what it was."""
        return self.explained is not None and self.explained.kind == "verification"

    @property
    def key(self) -> str:
        """One text for one (gate, slice)."""
        return orjson.dumps([self.gate, dict(self.slice)], option=orjson.OPT_SORT_KEYS).decode()

    @property
    def expires_at(self) -> int:
        """When it is no news any more, in Unix nanoseconds."""
        if self.explained is None:
            return self.row.at + UNEXPLAINED_EXPIRY
        return nanoseconds(self.explained.expires_at)

    @property
    def recommended(self) -> Recommendation | None:
        """What to do, if the record says so."""
        return None if self.explained is None else self.explained.recommended

    @property
    def reason(self) -> str:
        """Why, in a sentence."""
        return "" if self.explained is None else self.explained.reason

    @property
    def service(self) -> str | None:
        """The one service this is about: of the recommendation, of the slice, or of all slices that fail."""
        return self._only(self.names.service)

    @property
    def environment(self) -> str | None:
        """The one environment this is about, as `service`."""
        return self._only(self.names.environment)

    def _only(self, dimension: str | None) -> str | None:
        if dimension is None:
            return None
        scope = self.recommended.scope if self.recommended is not None else {}
        for known in (scope, self.slice):
            if dimension in known:
                return known[dimension]
        parts = self.explained.slices if self.explained is not None else ()
        found = {part.slice.get(dimension) for part in parts if part.state == "fail"}
        return found.pop() if len(found) == 1 else None


def stamp(at: int) -> str:
    """Return Unix nanoseconds as RFC 3339 in UTC.

    >>> stamp(1_700_000_000_250_000_000)
    '2023-11-14T22:13:20.250000Z'
    """
    return instant(at).isoformat(timespec="microseconds").replace("+00:00", "Z")
