"""The `drift` gate: has the quality of a slice fallen below what it was, decided by e-detectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, ClassVar, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from gates.base.bounded import dimension_problems, distance, inside
from gates.base.gate import State
from gates.base.labels import GOOD, GoodLabels
from gates.base.verdict import SliceVerdict
from gates.evidence.profile import WEEKS_NEEDED
from gates.inputs.changes import MEASURING, Change
from gates.inputs.observations import Batch, Group
from gates.inputs.slices import NONE
from gates.monitoring import advance as ticks
from gates.monitoring import powered, unscored
from gates.monitoring.detectors import PARTS, STATES, Monitor
from gates.monitoring.gate import LabelledGate
from gates.monitoring.labelled import LABELLED, PoweredMonitor
from gates.monitoring.rules import Rules
from gates.monitoring.unscored import UnscoredAnswers
from gates.units.duration import Duration
from gates.verdicts.summary import counted, none_scored
from gates.windowing import due
from gates.windowing.due import Due
from gates.windowing.gate import TICK, TickedState, TickLength
from gates.windowing.series import SeriesIndex, epoch_of, with_epochs
from gates.windowing.watermark import Arrivals, Buffer, Key
from scorers.base import Metric

WEEK = timedelta(days=7)
DEFAULT_FDR = 0.1
MAX_STRATA = 4
"""Dimensions of strata: each stratum needs a reference of its own."""
REMEMBERED_CHANGES = 100
"""Changes remembered as possible causes of an alarm."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DriftState(TickedState):
    """What has arrived, the detectors, and the changes: those still to be folded, and the last ones that were.

    ``unscored`` counts the answers that came without a score.
    """

    monitor: Monitor = field(default_factory=Monitor.empty)
    due: Due = ()
    past: tuple[Change, ...] = ()
    unscored: UnscoredAnswers = field(default_factory=dict)

    def content(self, index: SeriesIndex, series: Sequence[int], epochs: Sequence[int]) -> dict[str, Any]:
        """Return detectors and changes as JSON takes them."""
        return {
            "monitor": self.monitor.grown(index).dumped(series, epochs),
            "due": due.dumped(self.due),
            "past": [change.model_dump(mode="json") for change in self.past],
            **({"unscored": unscored.dumped(self.unscored)} if self.unscored else {}),
        }


class DriftGate(LabelledGate):
    """Alarms when the mean of a metric has become worse than it was, for every slice of the dimensions in ``by``.

    Each slice is compared with its own past: the first ``reference`` of it is pinned, and what is bet against is the
    upper 99 % confidence bound of that mean plus ``tolerance``. Until the reference is complete it grows, without what
    looks like a beginning alarm; before ``min_reference`` answers over ``min_reference_time`` a slice is warming up and
    inconclusive, unless five other slices have a reference: then it is held against these (`gates.evidence.siblings`).
    From two weeks on the level follows the hours of the week, so that swings of day and week need no tolerance
    (`gates.evidence.profile`). What is promised holds as long as every hour's mean stays within its profile. With
    calibrated ``thresholds`` slices alarm sooner where their pasts show that they alarm more rarely than proved
    (`gates.evidence.calibration`); the verdict tells both rates.
    ``strata`` are dimensions inside of which answers are compared, so that another mix of traffic cannot alarm; without
    them an alarm may also mean that the mix has changed. Either way answers count with one over their inclusion
    probability, so that another way of sampling cannot alarm.

    An alarm is raised when the evidence reaches the number of slices over ``alarms_per_week``, so that no more false
    alarms than that are expected in a week over all slices together, for any traffic (`gates.evidence.detector`), or
    when e-BH at ``fdr`` finds several slices together (`gates.evidence.ebh`); all traffic together, and the mean of the
    evidence of all slices, have a part of the same budget (`gates.monitoring.alarms`), so a fall everywhere is found
    long before any slice shows it by itself. A tenth of the budget is that of slow detectors, which bet over weeks
    against the first reference, of two weeks at least, and find what creeps (`gates.evidence.creep`). What alarms fails
    until its recovery is shown (`gates.evidence.recovery`),
    however long that takes. Answers of one conversation, else those of one document in one tick, else those of one
    tick, may fail together and count accordingly less (`gates.evidence.clusters`). With another version of the scorer
    or judge everything begins anew.

    A slice whose answers stop is inconclusive, and so is the gate, for a week; so is one whose answers come but are no
    longer scored, and the reason says which of both it is, and how many came without a score. A slice that
    is new or small is not judged yet: it keeps the gate from passing only where that has no more than a tenth of the
    answers.

    A tick is folded when the newest answer is ``grace`` past its end, or as much as answers usually come late; those
    that are later still are evidence when they arrive (`gates.windowing.watermark`). A verdict reads all ticks that
    have ended and that no answers are usually missing of.

    >>> from datetime import UTC, datetime
    >>> from gates.inputs.observations import Batch, Observation
    >>> gate = DriftGate(type="drift", name="grounding", metric="claim_support", worse="lower")
    >>> noon, state = datetime(2026, 1, 1, 12, tzinfo=UTC), gate.initial()
    >>> gate.verdict(state, noon).reason.partition(": ")[0]
    'no scored answers in the last 1d (they count up to 7m after they came)'
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

    example: ClassVar = {
        "worse": "higher",
        "by": ("domain",),
        "strata": ("suspicious",),
        "reference": "1d",
        "min_reference": 30,
    }
    type: Literal["drift"]
    good: GoodLabels | None = Field(default=None, description=GOOD)
    strata: tuple[str, ...] | None = Field(
        default=None,
        max_length=MAX_STRATA,
        description="Slice dimensions within which answers are compared, so that another mix of traffic cannot alarm;"
        " `[]`: none. Default: the dimensions that the rules of `sampling` go by.",
    )
    reference: Duration = Field(default=timedelta(days=28), description="How much of a slice's past is its reference.")
    min_reference: int = Field(
        default=300, ge=30, description="Answers a reference needs; with fewer a slice warms up."
    )
    min_reference_time: Duration = Field(
        default=timedelta(days=1),
        description="How long a reference takes at least, whatever the number of its answers; no longer than"
        " `reference`.",
    )
    tolerance: float | None = Field(
        default=None,
        ge=0,
        description="How much worse than its reference a mean may be. Default: the uncertainty of the profile of the"
        " week. In the first two weeks, which know none, a hundredth of the metric's range for scores; for failures"
        " half a hundredth, or a quarter of the rate of bad or of good answers, whichever is smaller.",
    )
    declared: float | None = Field(
        default=None, description="Mean to hold, instead of a learned reference and its tolerance."
    )
    alarms_per_week: float = Field(
        default=1.0,
        gt=0,
        le=1000,
        description="False alarms accepted, over all slices together. Where it is not given and"
        " `judge.alarms_per_week` is, the gate has an equal part of what other gates leave of that.",
    )
    thresholds: Literal["calibrated", "proved"] = Field(
        default="calibrated",
        description="What a slice alarms at: `proved` keeps `alarms_per_week` for any law of scores; `calibrated` keeps"
        " it for slices that go on as in their own pasts, and finds a fall sooner. It needs a learned reference of two"
        " weeks or more: before that, and with `labels`, `declared` or evidence in its past that speaks against it, a"
        " slice alarms at what is proved.",
    )
    fdr: float | None = Field(
        default=DEFAULT_FDR,
        gt=0,
        le=0.5,
        description="False discovery rate of joint alarms over slices, at most `alarms_per_week`, and that where not"
        " given and less than the default; none: no joint alarms.",
    )
    slices: int | None = Field(default=None, ge=1, description="Number of slices; where not given, they are counted.")
    change_weight: float = Field(
        default=0.15, ge=0, le=10, description="Start weight that a change of the system adds at once, in weeks."
    )
    hold: Duration = Field(
        default=timedelta(minutes=5),
        description="How long a slice fails at least. It then fails until its recovery is shown.",
    )
    window: Duration = Field(
        default=timedelta(days=1), description="Recent answers that are shown, and that a slice needs to pass."
    )
    min_answers: int = Field(
        default=30, ge=1, description="Recent answers a slice needs; with fewer it is inconclusive."
    )
    tick: TickLength = Field(default=TICK, description="Length of a tick: its answers are folded together.")

    @model_validator(mode="before")
    @classmethod
    def _joint_alarms_within_all(cls, given: Any) -> Any:
        """Lower the default of ``fdr`` to what may alarm at all: one slice by itself is a joint alarm at ``fdr``."""
        asked = given.get("alarms_per_week") if isinstance(given, dict) else None
        if not isinstance(asked, int | float) or "fdr" in given or not 0.0 < asked < DEFAULT_FDR:
            return given
        return {**given, "fdr": asked}

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
            raise ValueError("duplicate dimension in by and strata")
        if self.declared is not None and self._loss(self.declared) == 1.0:
            raise ValueError("declared is the worst value there is, so no mean could be worse")
        if self.declared is not None and self._loss(self.declared) == 0.0:
            raise ValueError("declared is the best value there is, which one bad answer breaks; set an acceptable mean")
        if self.fdr is not None and self.fdr > self.alarms_per_week:
            raise ValueError(
                f"fdr {self.fdr:g} is above alarms_per_week {self.alarms_per_week:g}, so joint alarms would break that"
                f" promise: set fdr to at most {self.alarms_per_week:g}, or to null for no joint alarms"
            )
        if self.takes_labels and self.thresholds == "calibrated" and "thresholds" in self.model_fields_set:
            raise ValueError("thresholds cannot be calibrated with labels, only proved: pasts of labels are too short")
        if self.takes_labels and self.good is not None:
            raise ValueError("good counts labels of scores, but with labels people give numbers: leave one of them out")
        if self.window < PARTS * self.tick:
            raise ValueError(f"a window must be at least {PARTS} ticks")
        return self

    @property
    def expectation(self) -> str:
        """How many false alarms to expect, and from when on a slice is judged."""
        kept = "" if self.thresholds == "proved" else ", as long as slices go on as in their own pasts"
        least = counted(self.min_reference if self.learns_reference else self.min_answers)
        told = f"False alarms to expect: at most {self.alarms_per_week:g} a week over all slices together{kept}. A"
        return f"{told} slice is inconclusive below {least}. It fails from the alarm on until recovery is shown."

    @property
    def accepted_alarms(self) -> float:
        """``alarms_per_week``: what all slices, all traffic and joint alarms have together."""
        return self.alarms_per_week

    @property
    def asked_alarms(self) -> float | None:
        """``alarms_per_week``, where it is given."""
        return self.alarms_per_week if "alarms_per_week" in self.model_fields_set else None

    def allotted(self, alarms: float) -> DriftGate:
        """Return the gate with another ``alarms_per_week``, and ``fdr`` lowered to it where that is not given."""
        return type(self).model_validate({**self.model_dump(exclude_unset=True), "alarms_per_week": alarms})

    @property
    def learns_reference(self) -> bool:
        """Whether the reference is learned, rather than declared."""
        return self.declared is None

    @property
    def finds_creep(self) -> bool:
        """Whether slow detectors bet against first references: learned ones that are long enough to know the week."""
        return self.learns_reference and not self.takes_labels and self.reference >= WEEKS_NEEDED * WEEK

    @property
    def within(self) -> tuple[str, ...]:
        """The dimensions inside of which answers are compared."""
        return self.strata or ()

    @property
    def length(self) -> timedelta:
        """The length of a tick."""
        return self.tick

    def problems(self, metrics: Mapping[str, Metric], dimensions: frozenset[str]) -> Iterator[tuple[str, str]]:
        """Yield what keeps this gate from working: an unknown or unbounded metric, a dimension that is not cut by."""
        yield from super().problems(metrics, dimensions)
        yield from dimension_problems("strata", self.within, dimensions)

    def stratified(self, names: tuple[str, ...]) -> DriftGate:
        """Return the gate with these strata, if it names none."""
        strata = tuple(name for name in names if name not in self.by)[:MAX_STRATA]
        return self if self.strata is not None or not strata else self.model_copy(update={"strata": strata})

    def initial(self) -> State:
        """Return the state before any observation."""
        return DriftState(monitor=self._monitor.empty())

    @property
    def counts_unscored(self) -> bool:
        """Whether answers without a score are counted: not where labels are judged."""
        return not self.takes_labels

    def fold(self, state: State, batch: Batch) -> State:
        """Fold observations, and count those without a value; others' metrics are ignored.

        Raises `ValueError` on a value outside the metric's range.
        """
        folded: DriftState = super().fold(state, batch)
        if not self.counts_unscored or not (rows := batch.without_value(self.metric)).any():
            return folded
        slices = [self._sliced(group) for group in batch.groups]
        part = batch.at[rows] // self.windowing.tick // self.rules.part
        counts = unscored.counted_in(folded.unscored, slices, batch.group[rows], part, PARTS)
        return replace(folded, unscored=counts)

    def change(self, state: State, change: Change) -> State:
        """Note a change: suspicion is added in its tick, or the next one to be folded if that is closed already.

        After a change of the scorer what comes is another quantity, and has a reference of its own. So has what comes
        after the reference was begun anew (kind ``reference``): its slices warm up, and neither evidence nor a verdict
        of before counts for them. Answers of before that come late still go to the old one.
        """
        known: DriftState = state
        past = (*known.past, change)
        others = due.by_time(each for each in past if each.kind not in MEASURING)[-REMEMBERED_CHANGES:]
        known = replace(known, past=due.by_time((*others, *(each for each in past if each.kind in MEASURING))))
        if change.kind in MEASURING:
            return known
        tick = known.buffer.open_at(change.at, self.windowing)
        return replace(known, due=due.noted(known.due, tick, change))

    def _marked(self, state: DriftState, batch: Batch) -> Batch:
        return with_epochs(batch, [change for change in state.past if change.kind in MEASURING], self.metric)

    def _key(self, group: Group) -> Key:
        named = dict(group.slice)
        return (self._sliced(group), tuple((name, named.get(name, NONE)) for name in self.within), epoch_of(group))

    @property
    def rules(self) -> Rules:
        """What the detectors go by."""
        return self._corrected(
            Rules(
                sign=self.sign,
                tick=self.windowing.tick,
                week=WEEK / self.tick,
                reference=max(1, self.reference // self.tick),
                min_reference=self.min_reference,
                silence=max(1, timedelta(hours=1) // self.tick),
                part=max(1, self.window // self.tick // PARTS),
                hold=self.hold // self.tick,
                weekly_weight=1.0,
                change_weight=self.change_weight,
                alarms_per_week=self.alarms_per_week,
                fdr=self.fdr,
                tolerance=None if self.tolerance is None else self.tolerance / self.scale.width,
                declared=None if self.declared is None else self._loss(self.declared),
                slices=self.slices,
                recovers=True,
                parents=bool(self.by) and not self.takes_labels,
                min_time=min(self.min_reference_time, self.reference) // self.tick,
                own_past=not self.takes_labels,
                predicted_past=self.takes_labels and self.learns_reference,
                calibrated=self.thresholds == "calibrated" and not self.takes_labels,
                creeps=self.finds_creep,
            )
        )

    def _advanced(self, state: DriftState, rows: Arrivals) -> DriftState:
        index = state.index
        now, later = due.until(state.due, int(rows.tick.max()))
        changes = [(tick, index.touched(change, self.metric)) for tick, change in now]
        monitor = state.monitor.grown(index)
        if isinstance(monitor, PoweredMonitor):
            moved: Monitor = powered.advance(monitor, rows, self.rules, self.drawing, changes)
        else:
            moved = ticks.advance(monitor, rows, self.rules, changes)
        return replace(state, monitor=moved, due=later)

    def _nothing(self, state: DriftState, now: int) -> str:
        del state, now
        return none_scored(self.metric, self.window, delay=self.tick + self.grace)

    def _judged(self, state: DriftState, now: int) -> Iterator[SliceVerdict]:
        report = self._report(
            metric=self.judged,
            scale=self.scale,
            rules=self.rules,
            window=self.window,
            reference=self.reference,
            min_answers=self.min_answers,
            strata=bool(self.within),
            past=state.past,
            unscored=unscored.counted_over(state.unscored, (now - 1) // self.rules.part, PARTS),
        )
        monitor = state.monitor.grown(state.index)
        return report.judged(monitor, state.index, self._as_of(monitor, now))

    def _origin(self) -> dict[str, Any]:
        labelled = {"labelled": LABELLED} if self.takes_labels else {}
        return super()._origin() | {"monitors": STATES} | labelled

    def _restored(self, decoded: Mapping[str, Any], buffer: Buffer, index: SeriesIndex) -> DriftState:
        return DriftState(
            buffer=buffer,
            index=index,
            monitor=self._monitor.load(decoded["monitor"], index),
            due=due.load(decoded["due"]),
            past=tuple(Change.model_validate(change) for change in decoded["past"]),
            unscored=unscored.load(decoded.get("unscored", ())),
        )
