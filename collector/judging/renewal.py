"""While something fails, what it comes from is looked at again; where more answers say something else, a row says so.

An attribution stands on the answers there were when a gate turned to fail, often a few dozen. So it is made again when
a quarter more evaluations have come since, and at once when the ledger has a new change: what was rolled back meanwhile
is then no longer recommended. The bounds of an attribution hold whenever it is read, so that looking often costs
nothing. The newest row stands; those before it stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from adapters.trace import Nanoseconds
from collector.judging.record import Recorder, decision_row
from collector.store.chain import canonical, slice_key
from collector.store.rows import Decision
from collector.store.store import Store
from gates.base.gate import Gate
from gates.base.verdict import SliceVerdict, Verdict
from gates.decisions.record import DecisionRecord

LEAST = 20
"""Evaluations after which it is looked again at first."""
QUARTER = 4
"""And then whenever there is a quarter more."""


class FollowedFailure(BaseModel):
    """Something that fails since ``at`` (Unix ns), when evaluation ``began`` was the newest; ``said`` is what stands.

    ``looked`` is the newest evaluation or change of the last look.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    at: Nanoseconds
    began: int
    looked: int
    said: str


Followed = Mapping[str, FollowedFailure]
"""By the canonical text of the slice; the one of ``{}`` is the gate as a whole."""


class _Due(NamedTuple):
    looked: int
    key: str
    part: SliceVerdict | None


@dataclass(kw_only=True)
class AttributionRenewal:
    """Follows what fails. What it follows is kept in the store, with the rows that it led to."""

    store: Store
    _followed: dict[str, Followed] = field(default_factory=dict)

    def run(
        self, gate: Gate, verdict: Verdict, recorder: Recorder, turned: Mapping[str, DecisionRecord], *, seq: int
    ) -> list[Decision]:
        """Return the rows that say what is found now, which are in the log already.

        ``turned`` are the records of this tick by the text of their slice, ``seq`` is the newest evaluation folded.
        """
        saved = self._load(gate)
        parts: Mapping[str, SliceVerdict | None] = {
            slice_key({}): None,
            **{slice_key(part.slice): part for part in verdict.slices if part.slice},
        }
        failing = {
            key: part for key, part in parts.items() if (verdict.state if part is None else part.state) == "fail"
        }
        followed = {key: known for key, known in saved.items() if key in failing}
        for key in failing:
            if key in turned:
                said = conclusion(turned[key])
                at = saved[key].at if key in saved else recorder.at
                followed[key] = FollowedFailure(at=at, began=seq, looked=seq, said=said)
            elif key not in followed:
                followed[key] = FollowedFailure(at=recorder.at, began=seq, looked=seq, said="")
        rows = [
            row
            for due in self._due(followed, failing, seq)
            if (row := self._looked(gate, verdict, recorder, due, followed, seq)) is not None
        ]
        if followed != saved:
            data = orjson.dumps({key: each.model_dump() for key, each in sorted(followed.items())})
            self.store.save_checkpoint(_name(gate), seq, data, rows)
            self._followed[gate.name] = followed
        return rows

    def _due(self, followed: Followed, failing: Mapping[str, SliceVerdict | None], seq: int) -> list[_Due]:
        """Return what is to be looked at again, the one looked at longest ago first."""
        oldest = min((each.looked for each in followed.values()), default=seq)
        changes = self.store.changes(after=oldest, limit=1000) if followed else []
        newest = changes[-1].seq if changes else 0
        return sorted(
            (
                _Due(each.looked, key, failing[key])
                for key, each in followed.items()
                if newest > each.looked or seq - each.looked >= max(LEAST, (each.looked - each.began) // QUARTER)
            ),
            key=lambda due: due[:2],
        )

    def _looked(
        self,
        gate: Gate,
        verdict: Verdict,
        recorder: Recorder,
        due: _Due,
        followed: dict[str, FollowedFailure],
        seq: int,
    ) -> Decision | None:
        """Look again; return the row that says so where something else is found."""
        if recorder.exhausted():
            # The next tick goes on with it.
            return None
        known = followed[due.key]
        # A gate goes on to fail by slices that fail later than it did.
        newest = max(each.at for each in followed.values()) if due.part is None else known.at
        record = recorder.record(
            gate, verdict, due.part, state="fail", previous="fail", failed_at=known.at, newest_at=newest
        )
        if recorder.exhausted() and record.attribution is None:
            return None
        said = conclusion(record)
        followed[due.key] = known.model_copy(update={"looked": seq, "said": said})
        if said == known.said:
            return None
        record = record.model_copy(update={"kind": "attribution"})
        return decision_row(record, verdict if due.part is None else due.part, at=recorder.at)

    def _load(self, gate: Gate) -> Followed:
        if gate.name not in self._followed:
            saved = self.store.load_checkpoint(_name(gate))
            try:
                rows = {} if saved is None else orjson.loads(saved[1])
                self._followed[gate.name] = {key: FollowedFailure.model_validate(row) for key, row in rows.items()}
            except (ValidationError, orjson.JSONDecodeError):
                # Written by another version: what fails is followed from here on.
                self._followed[gate.name] = {}
        return self._followed[gate.name]


def conclusion(record: DecisionRecord) -> str:
    """Return a digest of what a record says a failure comes from, and what to do; figures are no part of it."""
    told, asked = record.attribution, record.recommended
    found = None if told is None else [told.kind, told.unknown, sorted((e.seq, e.standing) for e in told.suspects)]
    named: Sequence[object] = (asked.component, asked.version, asked.to_version, dict(asked.scope), asked.documents)
    carrying = [each.cause for each in record.causes_carrying]
    text = canonical([found, carrying, asked.action, *named])
    return blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest()


def _name(gate: Gate) -> str:
    return f"attribution:{gate.name}"
