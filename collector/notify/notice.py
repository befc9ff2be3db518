"""A row of the decision log, as notifiers read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any

import orjson

from adapters.trace import Nanoseconds
from collector.clock import instant, nanoseconds
from collector.store.rows import Decision
from gates.attribution.causes import CAUSES
from gates.base.verdict import Severity
from gates.decisions.recommendation import change_text
from gates.decisions.record import DecisionRecord, Recommendation, RecordedChange
from gates.decisions.serving import Ledger
from gates.decisions.words import FailureWords, failure_words
from gates.inputs.slices import Dimension
from telemetry.pages import address, answer_path, decision_path, gate_path

UNEXPLAINED_EXPIRY = 3600 * 10**9
"""How long a row without a record is news (ns)."""


@dataclass(frozen=True, slots=True)
class Names:
    """The slice dimensions that name the service and the environment, where there are any.

    ``public_url`` is where people find the pages of the agent.
    """

    service: str | None = None
    environment: str | None = None
    public_url: str | None = None

    @classmethod
    def of(cls, dimensions: Sequence[Dimension], public_url: str | None = None) -> Names:
        """Find them by the attribute they are cut from.

        >>> Names.of([Dimension(name="app", attribute="service"), Dimension(name="domain")])
        Names(service='app', environment=None, public_url=None)
        """
        found = {dimension.source: dimension.name for dimension in reversed(dimensions)}
        return cls(found.get("service"), found.get("environment"), public_url)


@dataclass(frozen=True, slots=True)
class Notice:
    """A decision with what its record says. ``record`` is the record as JSON, ``explained`` what of it can be read.

    A row of another version of the agent may have a record that cannot be read: it is sent, and nothing is done.
    """

    row: Decision
    names: Names
    record: Any
    explained: DecisionRecord | None
    overtaken: str | None = None
    """What has happened since to the version that is recommended to be rolled back, if it is no longer served."""
    renewal: DecisionRecord | None = None
    """What a later row says this failure comes from, if there is one."""
    question: str | None = None
    """What was asked in the answer that the words name as an example, where messages may quote it."""

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
    def blamed(self) -> str | None:
        """The component in the ledger that is recommended to be rolled back, if one is."""
        asked = None if self.explained is None else self.explained.recommended
        if asked is None or asked.action != "roll_back" or self.explained is None:
            return None
        rows = reversed(self.explained.changes)
        mine = (row for row in rows if CAUSES[row.kind] == asked.component and row.version == asked.version)
        return next((row.component for row in mine), asked.component)

    def as_of(self, known: Sequence[RecordedChange]) -> Notice:
        """Return the notice as it is to be sent now: what the ledger says is gone since is not to be rolled back.

        ``known`` are rows of the ledger; those of the record are known anyway.
        """
        if self.explained is None or self.blamed is None:
            return self
        asked = self.explained.recommended
        rows = {row.seq: row for row in (*self.explained.changes, *known)}
        mine = [row for row in rows.values() if row.version == asked.version and row.scope == asked.scope]
        newest = max(mine, key=lambda row: (row.at, row.seq), default=None)
        end = None if newest is None else Ledger(tuple(rows.values())).replaced_by(newest)
        return self if end is None else replace(self, overtaken=change_text(end))

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
        """Whether it turned to fail, or fails and became more or less urgent.

        A verification of something that fails is no new failure.
        """
        return self.row.state == "fail" and (self.row.previous_state != "fail" or self.rated)

    @property
    def rated(self) -> bool:
        """Whether something that failed before became more or less urgent."""
        return self.explained is not None and self.explained.kind == "severity"

    @property
    def renewed(self) -> bool:
        """Whether something goes on to fail, and more is known of what it comes from."""
        return self.explained is not None and self.explained.kind == "attribution"

    @property
    def severity(self) -> Severity | None:
        """How urgent the failure of an objective is, ``None`` of other gates."""
        return None if self.explained is None or self.row.state != "fail" else self.explained.severity

    @property
    def recovered(self) -> bool:
        """Whether it failed before and no longer does."""
        return self.row.previous_state == "fail" and self.row.state != "fail"

    @property
    def verifies(self) -> bool:
        """Whether it says what came of a rollback, and the verdict stays what it was."""
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
        """What to do, if the record says so; nothing is rolled back that was overtaken since."""
        asked = None if self.explained is None else self.explained.recommended
        if asked is None or self.overtaken is None:
            return asked
        gone = f"{asked.component} {asked.version} is no longer served: {self.overtaken}"
        return Recommendation(action="hold", reason=gone, scope=asked.scope)

    @property
    def reason(self) -> str:
        """Why, in a sentence."""
        return "" if self.explained is None else self.explained.reason

    @property
    def words(self) -> FailureWords | None:
        """What is said of something that fails; ``None`` where nothing fails or the record cannot be read."""
        if self.explained is None or self.row.state != "fail" or self.recommended is None:
            return None
        if self.renewal is not None:
            return failure_words(self.renewal)
        return failure_words(self.explained.model_copy(update={"recommended": self.recommended}))

    @property
    def annotations(self) -> Mapping[str, str]:
        """What is said of something that fails, by name, with links to the pages; nothing is empty."""
        words, base = self.words, self.names.public_url
        if words is None:
            return {}
        told = {key: value for key, value in asdict(words).items() if value and key != "example"}
        if base is not None:
            told["link"] = address(base, gate_path(self.gate, self.slice))
            told["decision"] = address(base, decision_path(self.row.seq))
        if words.example:
            told["example"] = words.example if base is None else address(base, answer_path(words.example))
        if self.question is not None:
            told["question"] = self.question
        return told

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
    return instant(Nanoseconds(at)).isoformat(timespec="microseconds").replace("+00:00", "Z")
