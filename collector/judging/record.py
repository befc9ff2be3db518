"""Builds decision records, from the store and a verdict, and the rows of the decision log that hold them."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache, cached_property

from pydantic import ValidationError

from adapters.trace import Nanoseconds
from collector.changes.ledger import history, one_each, recorded_change
from collector.changes.served import kind_of, kinds_told
from collector.clock import duration, instant
from collector.judging.attribution import MOST_TOLD, AttributedFall, Attributor, answer_evidence, told
from collector.judging.cases import LOOKED, distinct, not_good
from collector.store.entries import Entry
from collector.store.pages import paged
from collector.store.rows import Decision
from collector.store.store import Store
from gates.attribution.causes import CAUSES, Cause
from gates.base.gate import Gate
from gates.base.verdict import Outcome, Severity, SliceVerdict, Verdict
from gates.decisions.contested import Failed, contest
from gates.decisions.recommendation import examine, recommend
from gates.decisions.record import AnswerEvidence, DecisionRecord, Mix, Recommendation, RecordedChange
from gates.decisions.serving import REVERTIBLE, Ledger, absent_for, overlap
from gates.release import ReleaseGate
from gates.verdicts.summary import compares_arms
from scorers.base import Metric, Value

MAX_CHANGES, MAX_SLICES, MAX_ANSWERS = 50, 50, 10
"""What a record names at most; it says how much more there is."""
LEDGER_ROWS = 1000
"""Changes since the last pass that are looked at: the newest."""
EVALUATIONS = 5000
"""The newest evaluations, among which the worst answers are looked for."""
LOOK_BACK = duration(timedelta(days=1))
"""How far back changes are listed: one that a gate has passed with for longer is hardly what makes it fail."""
MIX_WINDOW = duration(timedelta(hours=1))
"""Traffic of the last hour is compared with that of the hour before."""
SERVED = 2000
"""The newest evaluations that tell whether a version is still served."""
EXPLAINED = 20
"""Records of one tick that get answers as evidence; a gate that fails everywhere at once is about no answer."""


_Traffic = Sequence[tuple[Mapping[str, str], int]]


@dataclass(kw_only=True)
class Recorder:
    """Makes the records of one tick. ``metrics`` say which values are bad, ``expiry`` (ns) how long a record holds."""

    store: Store
    metrics: Mapping[str, Metric]
    expiry: int
    at: Nanoseconds
    _explained: int = 0
    _attributor: Attributor = field(init=False)
    _ledger: Callable[[int], list[Entry]] = field(init=False)
    _history: Callable[[str], list[RecordedChange]] = field(init=False)

    def __post_init__(self) -> None:
        """Ask the store once for what many slices share."""
        self._ledger = cache(self._changes_since)
        self._history = cache(lambda component: history(self.store, [component]))
        self._attributor = Attributor(store=self.store, metrics=self.metrics, limit=MAX_ANSWERS)

    def exhausted(self) -> bool:
        """Return whether as much was attributed in this tick as is allowed."""
        return self._attributor.exhausted

    def record(
        self,
        gate: Gate,
        verdict: Verdict,
        part: SliceVerdict | None,
        *,
        state: Outcome,
        previous: Outcome | None,
        failed_at: Nanoseconds | None = None,
        newest_at: Nanoseconds | None = None,
    ) -> DecisionRecord:
        """Return the record of ``gate`` turning to ``state``: on one slice, or with ``part`` ``None`` as a whole.

        ``failed_at`` is when it did, where that was earlier: changes are looked for from a day before then.
        ``newest_at`` is when the last of its slices that fail did, by default ``failed_at``: what changed only after
        that is no cause, and is told only if it replaces what may be one.
        """
        slice_ = {} if part is None else part.slice
        parts = _failing_first(verdict) if part is None else (part,)
        last = self.store.last_pass(gate.name, slice_)
        # A pass from after now was recorded while the clock was ahead, and says nothing of what came since.
        turned = self.at if failed_at is None else min(failed_at, self.at)
        begin = max(turned - LOOK_BACK, last if last is not None and last <= self.at else 0)
        until = turned if newest_at is None else max(turned, newest_at)
        ledger_rows = _known_at(until, one_each(self._ledger(begin)))
        rows = [row for row in ledger_rows if _touches(row, slice_, parts)]
        touching = [recorded_change(row) for row in rows]
        metrics = tuple(sorted(gate.metrics))
        mix = self._mix(slice_)
        fall = self._attributed(metrics, parts, ledger_rows) if state == "fail" else None
        failed = _failed(gate, verdict, parts) if state == "fail" else None
        attribution = contest(None if fall is None else fall.attribution, failed, touching)
        unknown = self._unknown(metrics[0])
        causes = examine(touching, metrics, mix, attribution, failed, unknown=unknown)
        ledger = self._ledger_of(touching, last) if state == "fail" else None
        return DecisionRecord(
            gate=gate.name,
            policy_version=gate.policy_version,
            slice=slice_,
            state=state,
            previous_state=previous,
            reason=verdict.reason if part is None else part.reason,
            at=instant(self.at),
            since=None if last is None else instant(last),
            expires_at=instant(Nanoseconds(self.at + self.expiry)),
            evidence_until=verdict.evidence_until,
            pending=verdict.pending,
            metrics=metrics,
            changes=tuple(touching[-MAX_CHANGES:]),
            changes_left_out=max(0, len(touching) - MAX_CHANGES),
            slices=parts[:MAX_SLICES],
            slices_left_out=max(0, len(parts) - MAX_SLICES),
            answers=not_good(self._answers(metrics, parts, fall), gate, self.store, self.metrics)
            if state == "fail"
            else (),
            mix=mix,
            attribution=attribution,
            causes_carrying=causes.carrying,
            causes_excluded=causes.excluded,
            causes_open=causes.open,
            recommended=self._if_served(
                recommend(state, touching, metrics, attribution, failed=failed, ledger=ledger, unknown=unknown), metrics
            ),
        )

    def _if_served(self, asked: Recommendation, metrics: Sequence[str]) -> Recommendation:
        """Return what is recommended, but for a version that the newest answers show is not served any more.

        A candidate that is withdrawn leaves no change behind: the baseline was served all the time.
        """
        if asked.action != "roll_back" or asked.component is None or asked.version is None:
            return asked
        newest = self.store.judged(metrics[0], asked.scope, after=0, before=None, rows=SERVED, limit=SERVED)
        absent = absent_for([row.versions.get(asked.component) for row in newest], asked.version)
        if not absent:
            return asked
        gone = f"{asked.component} {asked.version} is no longer served: none of the last {absent:,} answers came from"
        return Recommendation(action="hold", reason=f"{gone} it; {asked.reason}", scope=asked.scope)

    def _unknown(self, metric: str) -> tuple[Cause, ...]:
        """Return the causes of which nothing would be known: no answer tells a version, and nobody announces any."""
        newest = self.store.judged(metric, {}, after=0, before=None, rows=SERVED, limit=1)
        told = kinds_told({*self._components, *(name for row in newest for name in row.versions)}) | {"scorer"}
        return tuple(cause for kind, cause in CAUSES.items() if kind not in told)

    @cached_property
    def _components(self) -> frozenset[str]:
        return self.store.components()

    def _changes_since(self, begin: int) -> list[Entry]:
        rows = paged(lambda seq: self.store.changes(after=seq, limit=LEDGER_ROWS, recorded_from=max(0, begin)))
        # A reference that is begun anew is no cause of anything.
        return list(deque((row for row in rows if row.kind != "reference"), maxlen=LEDGER_ROWS))

    def _ledger_of(self, changes: Sequence[RecordedChange], last: Nanoseconds | None) -> Ledger:
        """Return what is known of the components that changed, from before the last pass on, too."""
        names = {row.component for row in changes if row.kind in REVERTIBLE}
        known = [row for name in sorted(names) for row in self._history(name)]
        return Ledger(known, None if last is None else instant(last))

    def _attributed(
        self, metrics: Sequence[str], parts: Sequence[SliceVerdict], changes: Sequence[Entry]
    ) -> AttributedFall | None:
        """Return what the failing slices' fall is attributed to: of the first metric of which that can be asked.

        Where one of them alone shows more than all of them together, that is what the gate has to say.
        """
        failing = [part.slice for part in parts if part.state == "fail"] or [{}]
        together = self._fall(metrics, failing, changes)
        if len(failing) == 1 or together is None or told(together.attribution) == MOST_TOLD:
            return together
        alone = ((cut, self._fall(metrics, [cut], changes)) for cut in failing)
        known = [(told(fall.attribution), cut, fall) for cut, fall in alone if fall is not None]
        most, cut, fall = max(known, key=lambda each: each[0], default=(0, {}, together))
        return fall.of_slice(cut) if most > told(together.attribution) else together

    def _fall(
        self, metrics: Sequence[str], cuts: Sequence[Mapping[str, str]], changes: Sequence[Entry]
    ) -> AttributedFall | None:
        touching = [row for row in changes if any(overlap(row.scope, cut) for cut in cuts)]
        falls = (self._attributor.attributed(name, cuts, touching) for name in metrics)
        return next((fall for fall in falls if fall is not None), None)

    def _answers(
        self, metrics: Sequence[str], parts: Sequence[SliceVerdict], fall: AttributedFall | None
    ) -> tuple[AnswerEvidence, ...]:
        if fall is not None and fall.answers:
            return fall.answers
        if self._explained >= EXPLAINED:
            return ()
        self._explained += 1
        failing = [part for part in parts if part.state == "fail"][:MAX_ANSWERS]
        most = max(1, MAX_ANSWERS // len(failing)) if failing else 0
        worst = {
            (name, each.answer_id): each
            for part in failing
            for name in metrics
            if (metric := self.metrics.get(name)) is not None
            for each in self._worst(name, part.slice, most, highest=metric.better == "lower")
        }
        return tuple(worst.values())[:MAX_ANSWERS]

    def _worst(self, metric: str, slice_: Mapping[str, str], most: int, *, highest: bool) -> tuple[AnswerEvidence, ...]:
        rows = self.store.worst(metric, slice_, highest=highest, rows=EVALUATIONS, limit=LOOKED * most)
        return distinct((answer_evidence(row, metric) for row in rows), self.store, most)

    def _mix(self, slice_: Mapping[str, str]) -> Mix | None:
        before, after = (
            {repr(sorted(cut.items())): n for cut, n in rows if slice_.items() <= cut.items()} for rows in self._traffic
        )
        return Mix.between(before, after)

    @cached_property
    def _traffic(self) -> tuple[_Traffic, _Traffic]:
        ends = [max(0, self.at + 1 - back * MIX_WINDOW) for back in (2, 1, 0)]
        before, after = (
            self.store.traffic(arrived_from=since, arrived_before=until) for since, until in itertools.pairwise(ends)
        )
        return before, after


def decision_row(record: DecisionRecord, verdict: Value, *, at: Nanoseconds) -> Decision:
    """Return the row of the decision log that holds a record, with the ``verdict`` or verification that it explains."""
    return Decision(
        at=at,
        gate=record.gate,
        slice=record.slice,
        state=record.state,
        previous_state=record.previous_state,
        verdict=verdict.model_dump_json(),
        record=record.model_dump_json(),
    )


def _failing_first(verdict: Verdict) -> tuple[SliceVerdict, ...]:
    """Return the slices of a verdict, those that fail first."""
    order = {"fail": 0, "inconclusive": 1, "pass": 2}
    return tuple(sorted(verdict.slices, key=lambda part: (order[part.state], part.severity != "page")))


def severity_in(record: str | None) -> Severity | None:
    """Return the severity that a record was written with; none where there is no record that can be read."""
    try:
        return None if record is None else DecisionRecord.model_validate_json(record).severity
    except ValidationError:
        return None


def _known_at(until: int, changes: Sequence[Entry]) -> list[Entry]:
    """Return the changes up to ``until``, and later ones that take back or replace one of these."""
    early = {row.seq for row in changes if min(row.at, row.recorded_at) <= until}
    replaced = {row.component for row in changes if row.seq in early and row.kind in REVERTIBLE}
    return [row for row in changes if row.seq in early or row.component in replaced]


def _touches(row: Entry, slice_: Mapping[str, str], parts: Sequence[SliceVerdict]) -> bool:
    """Whether a change can have to do with this slice, or with one that fails."""
    failing = [part.slice for part in parts if part.state == "fail"] or [slice_]
    return any(overlap(row.scope, cut) for cut in failing)


def _failed(gate: Gate, verdict: Verdict, parts: Sequence[SliceVerdict]) -> Failed | None:
    """Return the release that a gate fails in these slices, ``None`` of a gate that judges no release."""
    if not isinstance(gate, ReleaseGate):
        return None
    failing = [part for part in parts if part.state == "fail"]
    versions, baselines = {part.candidate for part in failing}, {part.baseline for part in failing}
    version = versions.pop() if len(versions) == 1 else None
    baseline = baselines.pop() if len(baselines) == 1 else None
    return Failed(
        gate.component,
        CAUSES[kind_of(gate.component)],
        version or verdict.candidate,
        concurrent=any(compares_arms(part) for part in verdict.slices),
        baseline=baseline or verdict.baseline,
    )
