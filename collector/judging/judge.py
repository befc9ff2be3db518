"""Step 6 of the flow: gates fold what is new and are judged on a tick; verdicts that change are logged and recorded."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from adapters.trace import Nanoseconds
from collector.clock import Clock, instant
from collector.judging.checkpoints import FoldedGate
from collector.judging.failures import Failures
from collector.judging.folding import Folding
from collector.judging.record import Recorder, decision_row, severity_in
from collector.judging.renewal import AttributionRenewal
from collector.judging.turns import log_advice, log_newest, log_turns
from collector.judging.verdicts import MAX_VALUE, Question, verdict_body
from collector.judging.verification import Verifier
from collector.store.chain import slice_key
from collector.store.rows import Backlog, Decision
from collector.store.store import Store
from gates.base.gate import Gate
from gates.base.verdict import CODES, LateAnswers, Outcome, Severity, SliceVerdict, Verdict
from gates.decisions.record import DecisionRecord
from gates.units.instants import EPOCH, MICROSECOND
from gates.verdicts.pending import awaited, beyond, held
from scorers.base import Metric
from telemetry import instruments
from telemetry.instrument import Instrument
from telemetry.registry import Telemetry

STALE_SECONDS, STALE_TICKS = 60.0, 3
"""A verdict is stale after a minute, or after three ticks if that is longer."""
UNGATED = "no gate"
EXPIRY = 3600 * 10**9
"""How long a decision record holds (ns), unless the configuration says otherwise."""
IDLE, TIMEOUT, BACKLOG_TICKS = 5 * 10**9, 60 * 10**9, 6
"""When traces close (ns), and ticks that what has closed may wait, likewise."""
URGENCY: Mapping[Severity | None, int] = {None: 0, "ticket": 1, "page": 2}
"""Severities as numbers, as Prometheus reads them."""
BURN = "burn_"
"""How names of burn rates begin in the evidence of a slice; their window follows."""
BY_SLICE: Mapping[Instrument, Callable[[SliceVerdict], float | None]] = {
    instruments.GATE_SLICE_STATE: lambda part: CODES[part.state],
    instruments.GATE_ANSWERS: lambda part: part.n,
    instruments.GATE_ESTIMATE: lambda part: part.estimate,
    instruments.GATE_LOWER: lambda part: part.lower,
    instruments.GATE_UPPER: lambda part: part.upper,
    instruments.BUDGET_LEFT: lambda part: part.evidence.get("budget_left"),
    instruments.OBJECTIVE_SEVERITY: lambda part: URGENCY[part.severity] if "budget_left" in part.evidence else None,
    instruments.OBJECTIVE_SILENT: lambda part: part.evidence.get("silent_seconds"),
}
"""What is exposed of the verdict over a slice."""
AHEAD_SECONDS = 60.0
"""Evidence from after now is ignored up to here: a clock that is corrected by some seconds."""
BACKLOG_SECONDS = 10.0
"""Answers may always wait this long to be scored: a batch of them takes some seconds."""


@dataclass(kw_only=True)
class JudgeStep:
    """Folds and judges all gates every ``tick`` seconds. The newest verdicts can be read from any thread.

    ``metrics`` say for decision records which values are bad. Traces close by ``idle`` and ``timeout`` (ns): what has
    closed and is not scored after ``backlog`` ticks keeps every gate from passing.
    """

    store: Store
    gates: Sequence[Gate]
    telemetry: Telemetry
    clock: Clock
    tick: float
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    expiry: int = EXPIRY
    idle: int = IDLE
    timeout: int = TIMEOUT
    backlog: int = BACKLOG_TICKS
    monotonic: Callable[[], float] = time.monotonic
    _judged_at: float | None = None
    _verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    _known: dict[tuple[str, str], Outcome] | None = None
    _urgent: dict[tuple[str, str], Severity | None] = field(default_factory=dict)
    _folding: Folding = field(init=False)
    _verifier: Verifier = field(init=False)
    _failures: Failures = field(init=False)
    _renewal: AttributionRenewal = field(init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Make the counters visible before their first increment, which `increase()` would miss."""
        self._folding = Folding(store=self.store, gates=self.gates)
        self._renewal = AttributionRenewal(store=self.store)
        names = [gate.name for gate in self.gates]
        self._failures = Failures(store=self.store, gates=names, telemetry=self.telemetry)
        self._verifier = Verifier(
            store=self.store,
            gates=self.gates,
            metrics=self.metrics,
            telemetry=self.telemetry,
            clock=self.clock,
            expiry=self.expiry,
        )
        for gate in self.gates:
            for state in CODES:
                self.telemetry.add(instruments.GATE_DECISIONS, 0, gate.name, state)
            self._count_late(gate, LateAnswers(), LateAnswers())

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        """The newest verdict of each gate; empty before the first tick."""
        return self._verdicts

    @property
    def fresh(self) -> bool:
        """Whether the verdicts are of now: a step that hangs or fails must not leave its last verdict in force."""
        patience = max(STALE_SECONDS, STALE_TICKS * self.tick)
        return self._judged_at is None or self.monotonic() - self._judged_at <= patience

    @property
    def trouble(self) -> str:
        """Why no evidence is taken in now, so that nothing passes; empty while it is."""
        return "; ".join(self.store.problems())

    def expire(self) -> None:
        """Expose stale verdicts as inconclusive, and what passes while the store takes nothing in."""
        fresh, trouble = self.fresh, self.trouble
        if fresh and not trouble:
            return
        lasting = {name: held(verdict, trouble) for name, verdict in self._verdicts.items()}
        for name, verdict in lasting.items():
            self.telemetry.set(instruments.GATE_STATE, verdict.code if fresh else CODES["inconclusive"], name)
        self.telemetry.replace(instruments.GATE_CANDIDATE_STATE, _candidates(lasting, fresh=fresh))

    def run_once(self) -> int:
        """Fold what is new, judge every gate, log changes; return how many evaluations were folded."""
        with self._lock:
            return self._tick()

    def _tick(self) -> int:
        if self._known is None:
            decided = self.store.last_decisions()
            self._known = {(row.gate, slice_key(row.slice)): _outcome(row.state) for row in decided}
            self._urgent = {(row.gate, slice_key(row.slice)): severity_in(row.record) for row in decided}
            log_newest(self.gates, decided)
            self._failures.expose()
        # Before anything is folded: what is scored meanwhile counts as waiting, and not as known without being folded.
        now = self.clock()
        lacking = self.store.backlog(now=now, idle=self.idle, timeout=self.timeout) if self.gates else None
        late = {gate.name: gate.lateness(self._folding.of(gate).state) for gate in self.gates}
        count = self._folding.run(now) if self.gates else self._pass_over()
        verdicts: dict[str, Verdict] = {}
        news = False
        for gate in self.gates:
            folded = self._folding.of(gate)
            verdict = gate.verdict(folded.state, instant(self.clock()))
            if lacking is not None:
                verdict = self._with_backlog(verdict, lacking, now)
            newest = gate.newest(folded.state)
            ahead = 0.0 if newest is None else max(0.0, newest / 1e6 - verdict.at.timestamp())
            if newest is not None and ahead > AHEAD_SECONDS:
                verdict = beyond(verdict, newest=EPOCH + newest * MICROSECOND)
            self.telemetry.set(instruments.GATE_AHEAD, ahead, gate.name)
            self.telemetry.add(instruments.GATE_REDATED, self._folding.redated.pop(gate.name, 0), gate.name)
            self._count_late(gate, late[gate.name], gate.lateness(folded.state))
            news |= self._decide(gate, folded, verdict)
            verdicts[gate.name] = verdict
        if news:
            self._failures.expose()
        if self.gates:
            self._verifier.run(self._known)
        self._verdicts = verdicts
        self._judged_at = self.monotonic()
        self._expose(verdicts)
        return count

    def _count_late(self, gate: Gate, before: LateAnswers, after: LateAnswers) -> None:
        """Count what came late since; a gate that was set back to an earlier state counts from there."""
        counted = (after.late - after.left_out) - (before.late - before.left_out)
        for outcome, more in (("counted", counted), ("left_out", after.left_out - before.left_out)):
            self.telemetry.add(instruments.GATE_LATE, max(0, more), gate.name, outcome)

    def _with_backlog(self, verdict: Verdict, lacking: Backlog, now: int) -> Verdict:
        until = now if lacking.arrived is None else min(lacking.arrived, now)
        waited = 0 if lacking.due is None else max(0, now - lacking.due)
        return awaited(
            verdict,
            pending=lacking.count,
            until=instant(Nanoseconds(until)),
            waited=timedelta(microseconds=waited // 1000),
            patience=timedelta(seconds=max(BACKLOG_SECONDS, self.backlog * self.tick)),
        )

    def _pass_over(self) -> int:
        """Without a gate nothing waits to be judged: note how far that holds, so that retention is not held up."""
        saved = self.store.load_checkpoint(UNGATED)
        seq, newest = saved[0] if saved is not None else 0, self.store.newest_evaluation()
        if newest > seq:
            self.store.save_checkpoint(UNGATED, newest, b"")
        return newest - seq

    def _decide(self, gate: Gate, folded: FoldedGate, verdict: Verdict) -> bool:
        """Append a row to the decision log for the gate and each slice whose verdict changed; save the state.

        Return whether there is a row, or more is known of a failure.
        """
        assert self._known is not None
        decisions: list[Decision] = []
        records: dict[str, DecisionRecord] = {}
        at = self.clock()
        recorder = Recorder(store=self.store, metrics=self.metrics, expiry=self.expiry, at=at)
        parts = [part for part in verdict.slices if part.slice]
        current: list[SliceVerdict | None] = [None, *parts, *self._vanished(gate, verdict)]
        for part in current:
            slice_, state = ({}, verdict.state) if part is None else (part.slice, part.state)
            key = (gate.name, slice_key(slice_))
            previous = self._known.get(key)
            severity = verdict.severity if part is None else part.severity
            rated = state == previous == "fail" and severity != self._urgent.get(key)
            # A slice nobody has judged yet is inconclusive; saying so again would only fill the log.
            if state == (previous or "inconclusive") and not rated:
                continue
            record = recorder.record(gate, verdict, part, state=state, previous=previous)
            # A ticket that becomes a page has to reach somebody, though it fails as before.
            record = record.model_copy(update={"kind": "severity"}) if rated else record
            records[key[1]] = record
            decisions.append(decision_row(record, verdict if part is None else part, at=at))
        if decisions or folded.seq != folded.saved_seq:
            self._folding.checkpoints.save(gate, folded, decisions)
        renewed = self._renewal.run(gate, verdict, recorder, records, seq=folded.seq)
        log_advice(renewed)
        log_turns(decisions)
        for decision in decisions:
            key = (decision.gate, slice_key(decision.slice))
            self._known[key], self._urgent[key] = _outcome(decision.state), severity_in(decision.record)
            self.telemetry.add(instruments.GATE_DECISIONS, 1, decision.gate, decision.state)
        return bool(decisions or renewed)

    def _vanished(self, gate: Gate, verdict: Verdict) -> list[SliceVerdict]:
        """Return the slices that had a verdict and are no longer judged: without data they are inconclusive."""
        judged = {slice_key(part.slice) for part in verdict.slices} | {slice_key({})}
        return [
            SliceVerdict(slice=json.loads(key), state="inconclusive", reason="no recent answers", n=0, effective_n=0)
            for (name, key), state in (self._known or {}).items()
            if name == gate.name and key not in judged and state != "inconclusive"
        ]

    def _expose(self, verdicts: Mapping[str, Verdict]) -> None:
        accepted = {gate.name: gate.accepted_alarms for gate in self.gates if gate.accepted_alarms is not None}
        for name, alarms in accepted.items():
            self.telemetry.set(instruments.GATE_ACCEPTED_ALARMS, alarms, name)
        self.telemetry.set(instruments.ALARM_BUDGET, sum(accepted.values()))
        for name, verdict in verdicts.items():
            self.telemetry.set(instruments.GATE_STATE, verdict.code, name)
            self.telemetry.set(instruments.GATE_EVALUATED, verdict.at.timestamp(), name)
            if verdict.evidence_until is not None:
                self.telemetry.set(instruments.GATE_EVIDENCE, verdict.evidence_until.timestamp(), name)
        self.telemetry.replace(instruments.GATE_CANDIDATE_STATE, _candidates(verdicts, fresh=True))
        parts = [(name, part) for name, verdict in verdicts.items() for part in verdict.slices]
        for instrument, value_of in BY_SLICE.items():
            values = ((name, part.slice, value_of(part)) for name, part in parts)
            rows = [((name,), slice_, value) for name, slice_, value in values if value is not None]
            self.telemetry.replace(instrument, rows)
        burning = [
            ((name, key.removeprefix(BURN)), part.slice, rate)
            for name, part in parts
            for key, rate in part.evidence.items()
            if key.startswith(BURN)
        ]
        self.telemetry.replace(instruments.BURN_RATE, burning)


def _candidates(
    verdicts: Mapping[str, Verdict], *, fresh: bool
) -> Iterator[tuple[tuple[str, str], Mapping[str, str], int]]:
    """Yield the state of each gate over each of its candidates. A version too long to be asked for is left out."""
    for name, verdict in verdicts.items():
        versions = {verdict.candidate} if verdict.candidate else {part.candidate for part in verdict.slices}
        for version in sorted(each for each in versions if each and len(each) <= MAX_VALUE):
            body = verdict_body(name, verdict, fresh=fresh, question=Question(candidate=version), slices=False)
            yield (name, version), {}, body["code"]


def _outcome(state: str) -> Outcome:
    if state not in CODES:
        raise ValueError(f"the decision log holds an unknown state {state!r}")
    return state  # type: ignore[return-value]  # checked above
