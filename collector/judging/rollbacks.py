"""Failures that are remembered, rollbacks of what caused them, and the row of the log that says what came of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pydantic import BaseModel, ConfigDict, ValidationError

from adapters.trace import Nanoseconds
from collector.clock import instant
from collector.judging.record import decision_row
from collector.store.chain import slice_key
from collector.store.entries import Entry
from collector.store.rows import Decision
from gates.attribution.effects import Worse
from gates.base.gate import JUDGE
from gates.base.verdict import Outcome
from gates.decisions.record import DecisionRecord, Recommendation, Recovery, Verification
from gates.decisions.recovery import ALPHA, Look, aim
from gates.decisions.serving import REVERTIBLE, Ledger, overlap
from scorers.base import Metric


class _Stored(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Revertible(_Stored):
    """A change that may be taken back."""

    seq: int
    component: str
    scope: Mapping[str, str]
    version: str
    previous: str


class Failure(_Stored):
    """A slice that failed at ``at`` (Unix ns), what it must come back to (losses), and the changes before that."""

    gate: str
    policy_version: str
    slice: Mapping[str, str]
    at: Nanoseconds
    metric: str
    worse: Worse
    reference: float
    level: float
    changes: tuple[Revertible, ...]


class Check(_Stored):
    """A rollback that is watched for one slice: at ``at`` row ``returned`` of the ledger took row ``change`` back."""

    failure: Failure
    change: int
    returned: int
    component: str
    version: str
    scope: Mapping[str, str]
    at: Nanoseconds

    @property
    def key(self) -> str:
        """One text for a slice and what was rolled back there: announced twice, it is watched once."""
        failure = self.failure
        return slice_key({"gate": failure.gate, "slice": slice_key(failure.slice), "change": str(self.change)})


class Book(_Stored):
    """What is remembered: up to where decisions and changes are read, failures, and rollbacks that are watched.

    ``measured`` is the newest change of the scorer of a metric; ``done`` are checks that are over, by their key.
    """

    decision: int = 0
    change: int = 0
    failures: tuple[Failure, ...] = ()
    checks: tuple[Check, ...] = ()
    measured: Mapping[str, int] = {}
    done: tuple[str, ...] = ()


def failure_of(row: Decision, metrics: Mapping[str, Metric]) -> Failure | None:
    """Return the failure in a row, if it is one and it is known what fell and what changed before."""
    if row.state != "fail" or row.previous_state == "fail" or row.record is None:
        return None
    try:
        record = DecisionRecord.model_validate_json(row.record)
    except ValidationError:
        # Written by another version; nothing is promised of it.
        return None
    if not row.slice and any(part.slice for part in record.slices if part.state == "fail"):
        return None
    metric = metrics.get(record.attribution.metric) if record.attribution is not None else None
    if metric is None or record.attribution is None:
        return None
    worse: Worse = "higher" if metric.better == "lower" else "lower"
    goal = aim(record.attribution, worse=worse)
    # To deploy again what was rolled back is no rollback of the rollback.
    ledger = Ledger(record.changes, record.since)
    changes = tuple(
        Revertible(
            seq=each.seq, component=each.component, scope=each.scope, version=each.version, previous=each.previous
        )
        for each in record.changes
        if each.kind in REVERTIBLE
        and each.version is not None
        and each.previous is not None
        and not ledger.takes_back(each)
    )
    if goal is None or not changes:
        return None
    return Failure(
        gate=row.gate,
        policy_version=record.policy_version,
        slice=row.slice,
        at=row.at,
        metric=metric.name,
        worse=worse,
        reference=goal.reference,
        level=goal.level,
        changes=changes,
    )


_OUTCOMES: Mapping[Recovery, str] = {
    "recovered": "quality recovered",
    "not_recovered": "quality did not recover",
    "not_enough_answers": "not enough answers yet to say whether quality recovered",
}


def verification_row(check: Check, look: Look | None, *, state: Outcome, at: Nanoseconds, expiry: int) -> Decision:
    """Return the row of the decision log with the outcome of a check; ``state`` is the verdict, which stays."""
    failure, verification = check.failure, _verification(check, look)
    reason = (
        f"{_OUTCOMES[verification.outcome]} after the rollback of {check.component} to {check.version}"
        f" ({verification.n} answers)"
    )
    record = DecisionRecord(
        kind="verification",
        gate=failure.gate,
        policy_version=failure.policy_version,
        slice=failure.slice,
        state=state,
        previous_state=state,
        reason=reason,
        at=instant(at),
        since=instant(check.at),
        expires_at=instant(Nanoseconds(at + expiry)),
        metrics=(failure.metric,),
        verification=verification,
        causes_excluded=(),
        causes_open=(),
        recommended=Recommendation(action="none" if verification.outcome == "recovered" else "hold", reason=reason),
    )
    return decision_row(record, verification, at=at)


def _verification(check: Check, look: Look | None) -> Verification:
    failure = check.failure

    def own(loss: float) -> float:
        return round(loss if failure.worse == "higher" else 1.0 - loss, 6)

    ends = sorted((own(look.lower), own(look.upper))) if look is not None else (None, None)
    return Verification(
        outcome="not_enough_answers" if look is None else look.outcome,
        metric=failure.metric,
        change=check.change,
        returned=check.returned,
        component=check.component,
        version=check.version,
        reference=own(failure.reference),
        level=own(failure.level),
        alpha=ALPHA,
        n=0 if look is None else look.n,
        estimate=None if look is None else own(look.mean),
        lower=ends[0],
        upper=ends[1],
    )


def checks_of(entry: Entry, failures: Sequence[Failure]) -> Iterator[Check]:
    """Yield what is to be watched after a change: failures before it with a change that it rolls back."""
    if entry.kind not in REVERTIBLE or entry.version is None:
        return
    for failure in failures:
        for each in reversed(failure.changes):
            back = entry.version == each.previous and entry.previous in (None, each.version)
            same = entry.component == each.component and overlap(entry.scope, each.scope)
            if back and same and entry.seq > each.seq and entry.recorded_at >= failure.at:
                yield Check(
                    failure=failure,
                    change=each.seq,
                    returned=entry.seq,
                    component=entry.component,
                    version=entry.version,
                    scope=entry.scope,
                    at=entry.at,
                )
                break


def remeasured(changes: Mapping[str, int], metric: str) -> int:
    """Return the newest change of what measures a metric: its scorer, or the judge behind it."""
    return max(changes.get(metric, 0), changes.get(JUDGE, 0))
