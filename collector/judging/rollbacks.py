"""What is remembered of failures and of roll-backs that are watched, and how it is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pydantic import BaseModel, ConfigDict, ValidationError

from adapters.trace import Nanoseconds
from collector.clock import instant
from collector.store.chain import slice_key
from collector.store.entries import Entry
from collector.store.rows import Decision
from gates.attribution.effects import Worse
from gates.base import Outcome
from gates.decisions.record import JUDGE, DecisionRecord, Recommendation, Recovery, Verification
from gates.decisions.recovery import ALPHA, Look, aim
from gates.decisions.serving import Ledger
from scorers.base import Metric

RELEASED = frozenset({"deploy", "model", "prompt", "index", "retriever"})
"""Kinds of change that are taken back by going to the version before."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Undone(_Part):
    """A change that may be taken back."""

    seq: int
    component: str
    scope: Mapping[str, str]
    version: str
    previous: str


class Failure(_Part):
    """A slice that failed at ``at`` (Unix ns), what it must come back to (losses), and the changes before that."""

    gate: str
    policy_version: str
    slice: Mapping[str, str]
    at: Nanoseconds
    metric: str
    worse: Worse
    reference: float
    level: float
    changes: tuple[Undone, ...]


class Check(_Part):
    """A roll-back that is watched for one slice: at ``at`` row ``returned`` of the ledger took row ``change`` back."""

    failure: Failure
    change: int
    returned: int
    component: str
    version: str
    scope: Mapping[str, str]
    at: Nanoseconds


class Book(_Part):
    """What is remembered: up to where decisions and changes are read, failures, and roll-backs that are watched.

    ``measured`` is the newest change of the scorer of a metric; ``done`` are checks that are over, by their key.
    """

    decision: int = 0
    change: int = 0
    failures: tuple[Failure, ...] = ()
    checks: tuple[Check, ...] = ()
    measured: Mapping[str, int] = {}
    done: tuple[str, ...] = ()


def failures(row: Decision, metrics: Mapping[str, Metric]) -> Iterator[Failure]:
    """Yield the failure of a row, if it is one of which it is known what fell and what changed before."""
    if row.state != "fail" or row.previous_state == "fail" or row.record is None:
        return
    try:
        record = DecisionRecord.model_validate_json(row.record)
    except ValidationError:
        # Written by a version that told otherwise; nothing is promised of it.
        return
    if not row.slice and any(part.slice for part in record.slices if part.state == "fail"):
        return
    metric = metrics.get(record.attribution.metric) if record.attribution is not None else None
    if metric is None or record.attribution is None:
        return
    worse: Worse = "higher" if metric.better == "lower" else "lower"
    wanted = aim(record.attribution, worse=worse)
    # To deploy again what was rolled back is no rollback of the rollback.
    ledger = Ledger(record.changes, record.since)
    changes = tuple(
        Undone(seq=each.seq, component=each.component, scope=each.scope, version=each.version, previous=each.previous)
        for each in record.changes
        if each.kind in RELEASED
        and each.version is not None
        and each.previous is not None
        and not ledger.takes_back(each)
    )
    if wanted is not None and changes:
        yield Failure(
            gate=row.gate,
            policy_version=record.policy_version,
            slice=row.slice,
            at=row.at,
            metric=metric.name,
            worse=worse,
            reference=wanted.reference,
            level=wanted.level,
            changes=changes,
        )


def told(check: Check, found: Look | None, *, state: Outcome, at: Nanoseconds, expiry: int) -> Decision:
    """Return the row of the log that says what came of a check; ``state`` is the verdict, which stays."""
    failure = check.failure
    verification = _verification(check, found)
    done = verification.outcome == "recovered"
    reason = (
        f"{_SAID[verification.outcome]} after {check.component} went back to {check.version}: {verification.n} answers"
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
        recommended=Recommendation(action="none" if done else "hold", reason=reason),
    )
    return Decision(
        at=at,
        gate=failure.gate,
        slice=failure.slice,
        state=state,
        previous_state=state,
        verdict=verification.model_dump_json(),
        record=record.model_dump_json(),
    )


_SAID: Mapping[Recovery, str] = {
    "recovered": "recovered",
    "not_recovered": "not recovered",
    "not_enough_answers": "not enough answers yet to say whether quality recovered",
}


def _verification(check: Check, found: Look | None) -> Verification:
    failure = check.failure

    def own(loss: float) -> float:
        return round(loss if failure.worse == "higher" else 1.0 - loss, 6)

    ends = sorted((own(found.lower), own(found.upper))) if found is not None else (None, None)
    return Verification(
        outcome="not_enough_answers" if found is None else found.outcome,
        metric=failure.metric,
        change=check.change,
        returned=check.returned,
        component=check.component,
        version=check.version,
        reference=own(failure.reference),
        level=own(failure.level),
        alpha=ALPHA,
        n=0 if found is None else found.n,
        estimate=None if found is None else own(found.mean),
        lower=ends[0],
        upper=ends[1],
    )


def begun(entry: Entry, failures: Sequence[Failure]) -> Iterator[Check]:
    """Yield what is to be watched because of a change: failures before it with a change that it takes back."""
    if entry.kind not in RELEASED or entry.version is None:
        return
    for failure in failures:
        for each in reversed(failure.changes):
            back = entry.version == each.previous and entry.previous in (None, each.version)
            same = entry.component == each.component and all(
                each.scope.get(name, value) == value for name, value in entry.scope.items()
            )
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


def key(check: Check) -> str:
    """Return one text for a slice and what was taken back: told of twice, it is watched once."""
    failure = check.failure
    return slice_key({"gate": failure.gate, "slice": slice_key(failure.slice), "change": str(check.change)})
