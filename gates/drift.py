"""The `drift` gate: has the quality of a slice fallen below what it was, decided by e-detectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Literal

import numpy as np
from pydantic import Field, ValidationInfo, field_validator, model_validator

from gates.base import Outcome, SliceVerdict, State
from gates.bounded import distance, inside
from gates.inputs.changes import Change
from gates.inputs.observations import Batch, Group, instant
from gates.inputs.slices import NONE
from gates.inputs.values import Slice
from gates.monitoring import advance as steps
from gates.monitoring import detectors as monitor
from gates.monitoring.detectors import PARTS, Monitor, Rules
from gates.units.duration import Duration, format_duration
from gates.verdicts.summary import figures
from gates.windowing import due
from gates.windowing.due import Due
from gates.windowing.gate import TICK, Ticked, TickedGate, TickLength
from gates.windowing.strata import Keyed, dimension_problems, epoch, epochs
from gates.windowing.watermark import UNKNOWN, Inbox, Key, Rows
from scorers.base import Metric

WEEK = timedelta(days=7)
MAX_STRATA = 4
"""Dimensions of strata: each stratum needs a reference of its own."""
KEPT_CHANGES = 100
"""Changes remembered as possible causes of an alarm."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DriftState(Ticked):
    """What has arrived, the detectors, and the changes: those still to be folded, and the last ones that were."""

    monitor: Monitor = field(default_factory=Monitor.empty)
    due: Due = ()
    past: tuple[Change, ...] = ()

    def content(self, keyed: Keyed, lines: Sequence[int], cells: Sequence[int]) -> dict[str, Any]:
        """Return detectors and changes as JSON takes them."""
        return {
            "monitor": monitor.dumped(self.monitor.grown(keyed.cell_of, keyed.names), lines, cells),
            "due": due.dumped(self.due),
            "past": [change.model_dump(mode="json") for change in self.past],
        }


class DriftGate(TickedGate):
    """Alarms when the mean of a metric has become worse than it was, for every slice of the dimensions in ``by``.

    Each slice is compared with its own past: the first ``reference`` of it is pinned, and what is bet against is the
    upper 99 % confidence bound of that mean plus ``tolerance``. Until the reference is complete it grows, without what
    looks like a beginning alarm; with fewer than ``min_reference`` answers a slice is warming up and inconclusive.
    ``strata`` are dimensions inside of which answers are compared, so that another mix of traffic cannot alarm; without
    them an alarm may also mean that the mix has changed. Either way answers count with one over their inclusion
    probability, so that another way of sampling cannot alarm.

    An alarm is raised when the evidence reaches the number of slices over ``alarms_per_week``, so that no more false
    alarms than that are expected in a week over all slices together, for any traffic (`gates.evidence.detector`), or
    when e-BH at ``fdr`` finds several slices together (`gates.evidence.ebh`). The slice fails for ``hold`` after its
    last alarm. Answers of one conversation, else those of one document in one tick, else those of one tick, may fail
    together and count accordingly less (`gates.evidence.clusters`). With another version of the scorer or judge
    everything begins anew.

    A tick is folded when the newest answer is ``grace`` past its end; later ones are counted and not folded. A verdict
    reads all ticks that have ended, with the answers that are there.

    >>> from datetime import UTC, datetime
    >>> from gates.inputs.observations import Batch, Observation
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
    strata: tuple[str, ...] | None = Field(
        default=None,
        max_length=MAX_STRATA,
        description="Slice dimensions inside of which answers are compared; `[]`: over all traffic, by weights alone."
        " Default: those that the rules of `sampling` go by.",
    )
    reference: Duration = Field(default=timedelta(days=28), description="How much of a slice's past is its reference.")
    min_reference: int = Field(default=300, ge=30, description="Answers of a reference below which a slice warms up.")
    tolerance: float | None = Field(
        default=None,
        ge=0,
        description="How much worse than its reference a mean may be. Default: a hundredth of the metric's range for"
        " scores; for failures half a hundredth, or a quarter of their rate.",
    )
    declared: float | None = Field(
        default=None, description="A mean that is to be kept, instead of the reference and its tolerance."
    )
    alarms_per_week: float = Field(default=1.0, gt=0, le=1000, description="False alarms accepted, over all slices.")
    fdr: float | None = Field(
        default=0.1, gt=0, le=0.5, description="Error of alarms over several slices together; none: no such alarms."
    )
    slices: int | None = Field(default=None, ge=1, description="Number of slices; where not given, they are counted.")
    change_weight: float = Field(
        default=0.15, ge=0, le=10, description="Weeks of suspicion that a change of the system adds at once."
    )
    hold: Duration = Field(default=timedelta(days=1), description="How long a slice fails after its last alarm.")
    window: Duration = Field(
        default=timedelta(days=1), description="Recent answers that are shown, and needed to pass."
    )
    min_answers: int = Field(default=30, ge=1, description="Recent answers below which a slice is inconclusive.")
    tick: TickLength = Field(default=TICK, description="Answers of one tick are folded together.")

    @field_validator("tolerance")
    @classmethod
    def _below_the_range(cls, tolerance: float | None, given: ValidationInfo) -> float | None:
        return distance(tolerance, given)

    @field_validator("declared")
    @classmethod
    def _in_the_range(cls, declared: float | None, given: ValidationInfo) -> float | None:
        return inside(declared, given)

    @model_validator(mode="after")
    def _possible(self) -> DriftGate:
        if len({*self.by, *self.within}) != len(self.by) + len(self.within):
            raise ValueError("a dimension is named twice in by and strata")
        if self.declared is not None and self._loss(self.declared) == 1.0:
            raise ValueError("declared is the worst there is: nothing could be worse")
        if self.declared is not None and self._loss(self.declared) == 0.0:
            raise ValueError("declared is the best there is, which one bad answer breaks; give what is accepted")
        if self.window < PARTS * self.tick:
            raise ValueError(f"a window must be at least {PARTS} ticks")
        return self

    @property
    def within(self) -> tuple[str, ...]:
        """The dimensions inside of which answers are compared."""
        return self.strata or ()

    @property
    def length(self) -> timedelta:
        """The length of a tick."""
        return self.tick

    def problems(self, metrics: Mapping[str, Metric], dimensions: frozenset[str]) -> Iterator[tuple[str, str]]:
        """Yield what keeps this gate from working: an unknown or unbounded metric, a dimension nobody cuts by."""
        yield from super().problems(metrics, dimensions)
        yield from dimension_problems("strata", self.within, dimensions)

    def stratified(self, names: tuple[str, ...]) -> DriftGate:
        """Return the gate with these strata, if it names none."""
        strata = tuple(name for name in names if name not in self.by)[:MAX_STRATA]
        return self if self.strata is not None or not strata else self.model_copy(update={"strata": strata})

    def initial(self) -> State:
        """Return the state before any observation."""
        return DriftState()

    def change(self, state: State, change: Change) -> State:
        """Note a change: suspicion is added in its tick, or the next one to be folded if that is closed already.

        After a change of the scorer what comes is another quantity, and has a reference of its own.
        """
        known: DriftState = state
        past = (*known.past, change)
        others = due.by_time(each for each in past if each.kind != "scorer")[-KEPT_CHANGES:]
        known = replace(known, past=due.by_time((*others, *(each for each in past if each.kind == "scorer"))))
        if change.kind == "scorer":
            return known
        return replace(known, due=due.noted(known.due, self.shape.open_at(change.at, known.inbox.clock), change))

    def _marked(self, state: DriftState, batch: Batch) -> Batch:
        return epochs(batch, [change for change in state.past if change.kind == "scorer"], self.metric)

    def _key(self, group: Group) -> Key:
        named = dict(group.slice)
        return (self._sliced(group), tuple((name, named.get(name, NONE)) for name in self.within), epoch(group))

    @property
    def rules(self) -> Rules:
        """What the detectors are told."""
        return Rules(
            sign=self.sign,
            tick=self.shape.tick,
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
            allowed=None if self.tolerance is None else self.tolerance / self.scale.width,
            declared=None if self.declared is None else self._loss(self.declared),
            slices=self.slices,
        )

    def _advanced(self, state: DriftState, rows: Rows) -> DriftState:
        keyed = state.keyed
        now, later = due.until(state.due, int(rows.at.max()) // self.shape.tick)
        lumps = [(tick, keyed.touched(change, self.metric)) for tick, change in now]
        moved = steps.advance(state.monitor.grown(keyed.cell_of, keyed.names), rows, self.rules, lumps)
        return replace(state, monitor=moved, due=later)

    def _nothing(self, state: DriftState, now: int) -> str:
        del state, now
        return f"no scored answers in the last {format_duration(self.window)}"

    def _judged(self, state: DriftState, now: int) -> Iterator[SliceVerdict]:
        keyed, cells, lines, rules = state.keyed, state.monitor.cells, state.monitor.lines, self.rules
        shown = figures(state.monitor.recent.over((now - 1) // rules.part, PARTS), sign=self.sign, scale=self.scale)
        limit = monitor.threshold(rules, int(np.count_nonzero(cells.moved > now - rules.reference)))
        held = (cells.alarmed != UNKNOWN) & (now - cells.alarmed <= rules.hold)
        last = state.monitor.recent.stamp.max(axis=1, initial=UNKNOWN)
        for cell in keyed.latest(last, held | np.array([row["n"] > 0 for row in shown], np.bool_)):
            slice_ = keyed.cells[cell][0]
            ready = bool(cells.moved[cell] != UNKNOWN)
            evidence = {"e_value": float(cells.level[cell]), "threshold": limit}
            mine = lines.cell == cell
            if ready and np.count_nonzero(mine) == 1:
                evidence["level"] = self._own(float(lines.q0[mine][0]))
            outcome, reason = self._decided(
                shown[cell]["n"], evidence, lines.moments[mine, 0].tolist(), alarmed=bool(held[cell]), ready=ready
            )
            alarmed = int(cells.alarmed[cell])
            yield SliceVerdict(
                slice=dict(slice_),
                state=outcome,
                reason=reason,
                **shown[cell],
                evidence=evidence,
                alarmed_at=None if alarmed == UNKNOWN else instant((alarmed + 1) * self.shape.tick),
                cause=self._cause(state, slice_, alarmed, together=bool(cells.together[cell])) if held[cell] else None,
            )

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
        what = "quality within strata" if self.within else "quality, or the mix of traffic"
        what += "; several slices together" if together else ""
        end = instant((alarmed + 1) * self.shape.tick)
        since = [c for c in state.past if end - self.reference <= c.at <= end and c.touches(slice_)]
        return what + (f"; last change before it: {since[-1].title}" if since else "")

    def _restored(self, decoded: Mapping[str, Any], inbox: Inbox, keyed: Keyed) -> DriftState:
        return DriftState(
            inbox=inbox,
            keyed=keyed,
            monitor=monitor.load(decoded["monitor"], keyed.cell_of, keyed.names),
            due=due.load(decoded["due"]),
            past=tuple(Change.model_validate(change) for change in decoded["past"]),
        )
