"""Gathers what a decision record says, from the store and the verdict."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache

from adapters.trace import Nanoseconds
from collector.changes.ledger import history, recorded_change
from collector.changes.served import kind_of
from collector.clock import duration, instant
from collector.judging.attribution import Attributor, Blamed
from collector.judging.rollbacks import RELEASED
from collector.store.entries import Entry
from collector.store.store import Store
from gates.attribution.causes import CAUSES
from gates.base import Gate, Outcome, SliceVerdict, Verdict
from gates.decisions.contested import Failed, contested
from gates.decisions.recommendation import causes, recommend
from gates.decisions.record import AnswerEvidence, DecisionRecord, Mix, RecordedChange
from gates.decisions.serving import Ledger
from gates.release import ReleaseGate
from scorers.base import Metric

MAX_CHANGES, MAX_SLICES, MAX_ANSWERS = 50, 50, 10
"""What a record names at most; it says how much more there is."""
LEDGER_ROWS = 1000
"""Changes since the last pass that are looked at: the newest."""
EVALUATIONS = 5000
"""The newest evaluations, among which the worst answers are looked for."""
LOOK_BACK = duration(timedelta(days=1))
"""How far back changes are told: one that a gate has passed for longer than this is hardly what makes it fail."""
MIX_WINDOW = duration(timedelta(hours=1))
"""Traffic of the last hour is compared with that of the hour before."""
CONFIDENCE = 0.05
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
    _traffic: Callable[[], tuple[_Traffic, _Traffic]] = field(init=False)
    _history: Callable[[str], list[RecordedChange]] = field(init=False)

    def __post_init__(self) -> None:
        """Ask the store once for what many slices share."""
        self._ledger = cache(self._changes_since)
        self._traffic = cache(self._hours)
        self._history = cache(lambda component: history(self.store, [component]))
        self._attributor = Attributor(store=self.store, metrics=self.metrics, limit=MAX_ANSWERS)

    def record(
        self, gate: Gate, verdict: Verdict, part: SliceVerdict | None, *, state: Outcome, previous: Outcome | None
    ) -> DecisionRecord:
        """Return the record of ``gate`` turning to ``state``: on one slice, or with ``part`` ``None`` as a whole."""
        slice_ = {} if part is None else part.slice
        parts = _told(verdict) if part is None else (part,)
        last = self.store.last_pass(gate.name, slice_)
        # A pass from after now was recorded while the clock was ahead, and says nothing of what came since.
        begin = max(self.at - LOOK_BACK, last if last is not None and last <= self.at else 0)
        rows = [row for row in self._ledger(begin) if _touches(row, slice_, parts)]
        touching = [recorded_change(row) for row in rows]
        metrics = tuple(sorted(gate.metrics))
        mix = self._mix(slice_)
        blamed = self._blamed(metrics, parts, rows) if state == "fail" else None
        failed = _failed(gate, verdict) if state == "fail" else None
        attribution = contested(None if blamed is None else blamed.attribution, failed, touching)
        carrying, excluded, left = causes(touching, metrics, mix, attribution, failed)
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
            answers=self._answers(metrics, parts, blamed) if state == "fail" else (),
            mix=mix,
            attribution=attribution,
            causes_carrying=carrying,
            causes_excluded=excluded,
            causes_open=left,
            recommended=recommend(state, touching, metrics, attribution, failed=failed, ledger=ledger),
        )

    def _changes_since(self, begin: int) -> list[Entry]:
        found: list[Entry] = []
        after = 0
        while rows := self.store.changes(after=after, limit=LEDGER_ROWS, recorded_from=max(0, begin)):
            found = [*found, *rows][-LEDGER_ROWS:]
            after = rows[-1].seq
        return found

    def _ledger_of(self, changes: Sequence[RecordedChange], last: Nanoseconds | None) -> Ledger:
        """Return what is known of the components that changed, from before the last pass on, too."""
        names = {row.component for row in changes if row.kind in RELEASED}
        known = [row for name in sorted(names) for row in self._history(name)]
        return Ledger(known, None if last is None else instant(last))

    def _blamed(self, metrics: Sequence[str], parts: Sequence[SliceVerdict], changes: Sequence[Entry]) -> Blamed | None:
        """Return what the failing slices' fall is attributed to: of the first metric of which that can be asked."""
        failing = [part.slice for part in parts if part.state == "fail"] or [{}]
        found = (self._attributor.blamed(name, failing, changes) for name in metrics)
        return next((each for each in found if each is not None), None)

    def _answers(
        self, metrics: Sequence[str], parts: Sequence[SliceVerdict], blamed: Blamed | None
    ) -> tuple[AnswerEvidence, ...]:
        if blamed is not None and blamed.answers:
            return blamed.answers
        if self._explained >= EXPLAINED:
            return ()
        self._explained += 1
        found: dict[tuple[str, str], AnswerEvidence] = {}
        failing = [part for part in parts if part.state == "fail"][:MAX_ANSWERS]
        for part in failing:
            for name in metrics:
                metric = self.metrics.get(name)
                if metric is None:
                    continue
                rows = self.store.worst(
                    name,
                    part.slice,
                    highest=metric.better == "lower",
                    rows=EVALUATIONS,
                    limit=max(1, MAX_ANSWERS // len(failing)),
                )
                for row in rows:
                    found[name, row.answer_id] = AnswerEvidence(
                        answer_id=row.answer_id, at=instant(row.at), metric=name, value=row.value, slice=row.slice
                    )
        return tuple(found.values())[:MAX_ANSWERS]

    def _mix(self, slice_: Mapping[str, str]) -> Mix | None:
        before, after = (
            {repr(sorted(cut.items())): n for cut, n in rows if slice_.items() <= cut.items()}
            for rows in self._traffic()
        )
        return mix_of(before, after)

    def _hours(self) -> tuple[_Traffic, _Traffic]:
        ends = [max(0, self.at + 1 - back * MIX_WINDOW) for back in (2, 1, 0)]
        before, after = (
            self.store.traffic(arrived_from=since, arrived_before=until) for since, until in itertools.pairwise(ends)
        )
        return before, after


def mix_of(before: Mapping[str, int], after: Mapping[str, int]) -> Mix | None:
    """Return how shares moved between two counts of answers by slice; ``None`` without answers on one side.

    An empirical distribution of n answers over k slices is within sqrt(ln(2^k / a) / 2n) of its own in total variation,
    but with probability a (Weissman and others, "Inequalities for the L1 deviation of the empirical distribution",
    2003); both sides share a = 5 %.

    >>> mix_of({"a": 50, "b": 50}, {"a": 100, "b": 0}).shift
    0.5
    """
    n_before, n_after = sum(before.values()), sum(after.values())
    if not n_before or not n_after:
        return None
    names = before.keys() | after.keys()
    shift = sum(abs(before.get(name, 0) / n_before - after.get(name, 0) / n_after) for name in names) / 2
    bits = len(names) * math.log(2) + math.log(2 / CONFIDENCE)
    slack = sum(math.sqrt(bits / (2 * n)) for n in (n_before, n_after)) if len(names) > 1 else 0.0
    return Mix(before=n_before, after=n_after, shift=shift, slack=slack)


def _told(verdict: Verdict) -> tuple[SliceVerdict, ...]:
    """Return the slices of a verdict, those that fail first."""
    order = {"fail": 0, "inconclusive": 1, "pass": 2}
    return tuple(sorted(verdict.slices, key=lambda part: order[part.state]))


def _touches(row: Entry, slice_: Mapping[str, str], parts: Sequence[SliceVerdict]) -> bool:
    """Whether a change can have to do with this slice, or with one that fails."""
    failing = [part.slice for part in parts if part.state == "fail"] or [slice_]
    return any(all(cut.get(name, value) == value for name, value in row.scope.items()) for cut in failing)


def _failed(gate: Gate, verdict: Verdict) -> Failed | None:
    """Return the release that a gate fails, ``None`` of a gate that judges no release."""
    if not isinstance(gate, ReleaseGate):
        return None
    return Failed(gate.component, CAUSES[kind_of(gate.component)], verdict.candidate)
