"""The `drift` gate: has the quality of a slice fallen below what it was, decided by e-detectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

import numpy as np
import orjson
from pydantic import Field, model_validator

from gates import monitor, steps
from gates.base import Gate, Outcome, SliceVerdict, State, Verdict
from gates.changes import Change
from gates.duration import Duration, format_duration
from gates.evidence import intervals
from gates.monitor import PARTS, UNKNOWN, Monitor, Rules
from gates.observations import MICROSECOND, Batch, Group, instant, microseconds
from gates.slices import NONE
from gates.sorting import Keyed, dimension_problems, epoch, epochs, metric_problems
from gates.summary import summary
from gates.ticks import Inbox, Key, Rows, Shape
from gates.values import Slice
from scorers.base import Metric

WEEK = timedelta(days=7)
KEPT_CHANGES = 100
"""Changes remembered as possible causes of an alarm."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DriftState:
    """What has arrived, the detectors, and the changes: those still to be folded, and the last ones that were."""

    inbox: Inbox
    keyed: Keyed
    monitor: Monitor
    due: tuple[tuple[int, Change], ...] = ()
    past: tuple[Change, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DriftState) and dumped(self) == dumped(other)

    __hash__ = None  # type: ignore[assignment]  # compared by content, and not a key of anything


class DriftGate(Gate):
    """Alarms when the mean of a metric has become worse than it was, for every slice of the dimensions in ``by``.

    Each slice is compared with its own past: the first ``reference`` of it is pinned, and what is bet against is the
    upper 99 % confidence bound of that mean plus ``tolerance``. Until the reference is complete it grows, without what
    looks like a beginning alarm; with fewer than ``min_reference`` answers a slice is warming up and inconclusive.
    ``strata`` are dimensions inside of which answers are compared, so that neither another mix of traffic nor another
    way of sampling can alarm; without them, answers count with one over their inclusion probability, and an alarm may
    also mean that the mix has changed.

    An alarm is raised when the evidence reaches the number of slices over ``alarms_per_week``, so that no more false
    alarms than that are expected in a week over all slices together, for any traffic (`gates.evidence.detector`), or
    when e-BH at ``fdr`` finds several slices together (`gates.evidence.ebh`). The slice fails for ``hold`` after its
    last alarm. Answers of one cluster, or where none is named of one tick, count as one bet
    (`gates.evidence.clusters`). With another version of the scorer or judge everything begins anew.

    A tick is folded when the newest answer is ``grace`` past its end; later ones are counted and not folded. A verdict
    reads all ticks that have ended, with the answers that are there.

    >>> from datetime import UTC, datetime
    >>> from gates.observations import Observation
    >>> gate = DriftGate(type="drift", name="grounding", metric="claim_support", worse="lower")
    >>> noon, state = datetime(2026, 1, 1, 12, tzinfo=UTC), gate.initial()
    >>> gate.verdict(state, noon).reason
    'no scored answers in the last 1d'
    >>> def seen(i, value):
    ...     at = noon + timedelta(minutes=i)
    ...     return Observation(at=at, answer_id=f"a{i}", metric="claim_support", value=value, probability=1)
    >>> state = gate.fold(state, Batch.of(seen(i, 0.9 + 0.1 * (i % 2)) for i in range(2000)))
    >>> gate.verdict(state, noon + timedelta(minutes=2000)).state
    'pass'
    >>> state = gate.fold(state, Batch.of(seen(i, 0.6) for i in range(2000, 2100)))
    >>> gate.verdict(state, noon + timedelta(minutes=2100)).state
    'fail'
    """

    type: Literal["drift"]
    metric: str = Field(description="Metric that is watched; its values lie between 0 and 1.")
    worse: Literal["lower", "higher"] = Field(description="Which way the metric goes when quality falls.")
    by: tuple[str, ...] = Field(
        default=(), max_length=8, description="Slice dimensions watched apart; none: all traffic as one."
    )
    strata: tuple[str, ...] = Field(
        default=(),
        max_length=4,
        description="Slice dimensions inside of which answers are compared, as the one that sampling goes by.",
    )
    reference: Duration = Field(default=timedelta(days=28), description="How much of a slice's past is its reference.")
    min_reference: int = Field(default=300, ge=30, description="Answers of a reference below which a slice warms up.")
    tolerance: float | None = Field(
        default=None,
        ge=0,
        lt=1,
        description="How much worse than its reference a mean may be. Default: 0.01 for scores; for failures 0.005, or"
        " a quarter of their rate.",
    )
    declared: float | None = Field(
        default=None, ge=0, le=1, description="A mean that is to be kept, instead of the reference and its tolerance."
    )
    alarms_per_week: float = Field(default=1.0, gt=0, le=1000, description="False alarms accepted, over all slices.")
    fdr: float | None = Field(
        default=0.1, gt=0, le=0.5, description="Error of alarms over several slices together; none: no such alarms."
    )
    slices: int | None = Field(default=None, ge=1, description="Number of slices; where not given, they are counted.")
    change_weight: float = Field(
        default=0.1, ge=0, le=10, description="Weeks of suspicion that a change of the system adds at once."
    )
    hold: Duration = Field(default=timedelta(days=1), description="How long a slice fails after its last alarm.")
    window: Duration = Field(
        default=timedelta(days=1), description="Recent answers that are shown, and needed to pass."
    )
    min_answers: int = Field(default=30, ge=1, description="Recent answers below which a slice is inconclusive.")
    tick: Duration = Field(default=timedelta(minutes=5), description="Answers of one tick are folded together.")
    grace: Duration = Field(default=timedelta(minutes=2), description="How long after its end a tick takes answers.")

    @model_validator(mode="after")
    def _possible(self) -> DriftGate:
        if len({*self.by, *self.strata}) != len(self.by) + len(self.strata):
            raise ValueError("a dimension is named twice in by and strata")
        if self.declared in (0.0, 1.0) and (self.declared == 1.0) == (self.worse == "higher"):
            raise ValueError("declared is the worst there is: nothing could be worse")
        if self.tick < timedelta(seconds=1) or self.tick > timedelta(hours=1):
            raise ValueError("a tick must be 1s to 1h")
        if self.window < PARTS * self.tick:
            raise ValueError(f"a window must be at least {PARTS} ticks")
        return self

    @property
    def metrics(self) -> frozenset[str]:
        """The one metric this gate listens to."""
        return frozenset({self.metric})

    def problems(self, metrics: Mapping[str, Metric], dimensions: frozenset[str]) -> Iterator[tuple[str, str]]:
        """Yield what keeps this gate from working: an unknown or unbounded metric, a dimension nobody cuts by."""
        yield from metric_problems(self.metric, metrics, self.worse)
        yield from dimension_problems("by", self.by, dimensions)
        yield from dimension_problems("strata", self.strata, dimensions)

    def initial(self) -> State:
        """Return the state before any observation."""
        return DriftState(inbox=Inbox(index={}), keyed=Keyed(), monitor=Monitor.empty())

    def fold(self, state: State, batch: Batch) -> State:
        """Fold observations; others' metrics are ignored. Raises `ValueError` on a value outside [0, 1]."""
        known: DriftState = state
        mine = batch.of_metric(self.metric)
        if not mine.any():
            return state
        batch = epochs(batch, [change for change in known.past if change.kind == "scorer"], self.metric)
        inbox, rows = known.inbox.receive(batch, mine, self._key, self._shape)
        known = replace(known, inbox=inbox)
        return known if rows is None else self._advanced(known, rows)

    def change(self, state: State, change: Change) -> State:
        """Note a change: suspicion is added in its tick, or the next one to be folded if that is closed already.

        After a change of the scorer what comes is another quantity, and has a reference of its own.
        """
        known: DriftState = state
        past = tuple(sorted((*known.past, change), key=lambda each: (each.at, each.model_dump_json())))
        kept = [each for each in past if each.kind == "scorer"]
        others = [each for each in past if each.kind != "scorer"][-KEPT_CHANGES:]
        due = known.due
        if change.kind != "scorer":
            entry = (self._shape.open_at(change.at, known.inbox.clock), change)
            due = tuple(sorted((*due, entry), key=lambda each: (each[0], each[1].model_dump_json())))
        return replace(known, due=due, past=tuple(sorted((*kept, *others), key=lambda each: each.at)))

    def _key(self, group: Group) -> Key:
        named = dict(group.slice)
        return (
            tuple((name, named.get(name, NONE)) for name in self.by),
            tuple((name, named.get(name, NONE)) for name in self.strata),
            epoch(group),
        )

    @property
    def _shape(self) -> Shape:
        return Shape(self.tick // MICROSECOND, self.grace // MICROSECOND)

    @property
    def rules(self) -> Rules:
        """What the detectors are told."""
        flipped = self.worse == "lower" and self.declared is not None
        return Rules(
            sign=1 if self.worse == "higher" else -1,
            tick=self._shape.tick,
            week=WEEK / self.tick,
            reference=max(1, self.reference // self.tick),
            least=self.min_reference,
            silence=max(1, timedelta(hours=1) // self.tick),
            part=max(1, self.window // self.tick // PARTS),
            hold=self.hold // self.tick,
            per_week=1.0,
            lump=self.change_weight,
            alarms=self.alarms_per_week,
            alpha=self.fdr,
            allowed=self.tolerance,
            declared=1.0 - (self.declared or 0.0) if flipped else self.declared,
            slices=self.slices,
        )

    def _advanced(self, state: DriftState, rows: Rows) -> DriftState:
        keyed = state.keyed.extended(state.inbox.keys)
        grown = state.monitor.grown(keyed.cell_of, keyed.names)
        until = int(rows.at.max()) // self._shape.tick
        now = [(tick, change) for tick, change in state.due if tick <= until]
        lumps = [(tick, keyed.touched(change, self.metric)) for tick, change in now]
        moved = steps.advance(grown, rows, self.rules, lumps)
        return replace(state, keyed=keyed, monitor=moved, due=state.due[len(now) :])

    def settled(self, state: State, at: datetime) -> DriftState:
        """Return the state with all ticks folded that have ended at ``at``."""
        known: DriftState = state
        inbox, rows = known.inbox.closing(microseconds(at) // self._shape.tick * self._shape.tick)
        known = replace(known, inbox=inbox)
        return known if rows is None else self._advanced(known, rows)

    def verdict(self, state: State, at: datetime) -> Verdict:
        """Judge as of ``at``: every slice with recent answers or an alarm that still holds."""
        known = self.settled(state, at)
        parts = tuple(self._judged(known, microseconds(at) // self._shape.tick))
        outcome, reason = summary(parts, f"no scored answers in the last {format_duration(self.window)}")
        return Verdict(
            gate=self.name,
            state=outcome,
            at=at,
            reason=reason,
            no_data=not any(part.n for part in parts),
            policy_version=self.policy_version,
            slices=parts,
        )

    def _judged(self, state: DriftState, now: int) -> Iterator[SliceVerdict]:
        keyed, cells, lines, rules = state.keyed, state.monitor.cells, state.monitor.lines, self.rules
        n, weight, loss, heaviest = state.monitor.recent.over((now - 1) // rules.part, PARTS).T
        heaviest = np.maximum(heaviest, 1.0)
        bounds = intervals.bounds(loss, n, weight, heaviest, 0.05)
        limit = monitor.threshold(rules, int(np.count_nonzero(cells.moved > now - rules.reference)))
        held = (cells.alarmed != UNKNOWN) & (now - cells.alarmed <= rules.hold)
        last = state.monitor.recent.stamp.max(axis=1, initial=UNKNOWN)
        for cell in keyed.latest(last, (n > 0) | held):
            slice_ = keyed.cells[cell][0]
            ready = bool(cells.moved[cell] != UNKNOWN)
            evidence = {"e_value": float(cells.level[cell]), "threshold": limit}
            mine = lines.cell == cell
            if ready and np.count_nonzero(mine) == 1:
                evidence["level"] = self._own(float(lines.q0[mine][0]))
            outcome, reason = self._decided(
                int(n[cell]), evidence, lines.moments[mine, 0].tolist(), alarmed=bool(held[cell]), ready=ready
            )
            estimate, low, high = (self._own(float(each[cell])) for each in bounds)
            alarmed = int(cells.alarmed[cell])
            yield SliceVerdict(
                slice=dict(slice_),
                state=outcome,
                reason=reason,
                n=int(n[cell]),
                effective_n=float(weight[cell] ** 2 / max(n[cell], 1.0) / heaviest[cell] ** 2),
                estimate=estimate if n[cell] else None,
                lower=min(low, high) if n[cell] else None,
                upper=max(low, high) if n[cell] else None,
                evidence=evidence,
                alarmed_at=None if alarmed == UNKNOWN else instant((alarmed + 1) * self._shape.tick),
                cause=self._cause(state, slice_, alarmed, together=bool(cells.together[cell])) if held[cell] else None,
            )

    def _own(self, loss: float) -> float:
        """Return a loss in the metric's own units."""
        return loss if self.worse == "higher" else 1.0 - loss

    def _decided(
        self, n: int, evidence: Mapping[str, float], learned: Sequence[float], *, alarmed: bool, ready: bool
    ) -> tuple[Outcome, str]:
        if alarmed:
            return "fail", f"worse than its reference: alarm in the last {format_duration(self.hold)}"
        if not ready:
            return "inconclusive", f"warming up: {int(max(learned))} of at least {self.min_reference} answers"
        if n < self.min_answers:
            return (
                "inconclusive",
                f"{n} of at least {self.min_answers} answers in the last {format_duration(self.window)}",
            )
        return "pass", f"no drift: evidence {evidence['e_value']:.3g}, an alarm needs {evidence['threshold']:.3g}"

    def _cause(self, state: DriftState, slice_: Slice, alarmed: int, *, together: bool) -> str:
        what = "quality within strata" if self.strata else "quality, or the mix of traffic"
        what += "; several slices together" if together else ""
        end = instant((alarmed + 1) * self._shape.tick)
        since = [c for c in state.past if end - self.reference <= c.at <= end and c.touches(slice_)]
        return what + (f"; last change before it: {since[-1].title}" if since else "")

    def dump(self, state: State) -> bytes:
        """Serialize a state as JSON; equal states give equal bytes."""
        return orjson.dumps({**self._policy(), **dumped(state)})

    def load(self, data: bytes) -> State:
        """Restore what `dump` wrote. Raises `ValueError` if a gate of another configuration wrote it."""
        decoded: Any = orjson.loads(data)
        if not isinstance(decoded, dict) or {k: decoded.get(k) for k in self._policy()} != self._policy():
            raise ValueError(f"not a state of the gate {self.name!r} as it is configured")
        inbox = Inbox.load(decoded["inbox"])
        keyed = Keyed().extended(inbox.keys)
        return DriftState(
            inbox=inbox,
            keyed=keyed,
            monitor=monitor.load(decoded["monitor"], keyed.cell_of, keyed.names),
            due=tuple((tick, Change.model_validate(change)) for tick, change in decoded["due"]),
            past=tuple(Change.model_validate(change) for change in decoded["past"]),
        )

    def _policy(self) -> dict[str, Any]:
        return {"gate": "drift", "policy": self.policy_version}


def dumped(state: DriftState) -> dict[str, Any]:
    """Return a state as JSON takes it; equal states give equal JSON, in whatever order they met their slices."""
    order = state.inbox.order()
    keyed = state.keyed.extended(state.inbox.keys)
    return {
        "inbox": state.inbox.dump(),
        "monitor": monitor.dumped(state.monitor.grown(keyed.cell_of, keyed.names), order, keyed.order(order)),
        "due": [[tick, change.model_dump(mode="json")] for tick, change in state.due],
        "past": [change.model_dump(mode="json") for change in state.past],
    }
