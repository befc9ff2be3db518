"""The `release` gate: is a candidate worse than what it replaces, decided while traffic is routed to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, ValidationInfo, field_validator

from gates.base.bounded import dimension_problems, distance, scale_in
from gates.base.gate import State
from gates.base.labels import GOOD, GoodLabels
from gates.base.verdict import SliceVerdict
from gates.comparison import concurrent, releases
from gates.comparison.arms import ComparisonRules
from gates.comparison.cells import ComparisonLayout
from gates.comparison.metrics import SeveralMetrics
from gates.comparison.releases import Comparisons
from gates.decisions.serving import BROUGHT_WITHIN
from gates.evidence.arrays import Bools
from gates.inputs.changes import Change
from gates.inputs.observations import ARMS, Batch, Group
from gates.inputs.slices import NONE, Slice
from gates.monitoring import historical, released
from gates.monitoring.detectors import STATES as MONITORS
from gates.monitoring.historical import HistoricalRules
from gates.monitoring.released import HistoricalControl
from gates.monitoring.rules import Rules
from gates.units.duration import Duration, format_duration
from gates.units.instants import MICROSECOND, Microseconds, microseconds
from gates.verdicts.late import percent
from gates.verdicts.summary import counted
from gates.windowing import due
from gates.windowing.due import Due
from gates.windowing.gate import TICK, TickedState, TickLength
from gates.windowing.lateness import Barrier
from gates.windowing.series import SeriesIndex, epoch_of, marked, with_epochs
from gates.windowing.watermark import NEVER, UNKNOWN, Arrivals, Buffer, Key
from scorers.base import Metric

RELEASED: Mapping[str, str] = {
    "release": "deploy",
    "app": "deploy",
    "model": "model",
    "prompt": "prompt",
    "index": "index",
    "retriever": "retriever",
}
"""Kinds of change that are a release, by the component that has another version then."""
ALSO: Mapping[str, str] = {"release": "app", "app": "release"}
"""What else a component is called: answers have ``app`` where evaluations of the agent have ``release``."""
COMPARISONS, CONTROLS = 3, 1
"""Versions of what a state holds of a comparison with a concurrent control, and with a historical one."""
MARGIN = 0.01
"""How much worse a release may be, as a part of the metric's range, where a gate does not say."""
SliceWeight = Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
"""How much a slice counts among others."""
CANDIDATE = "candidate"
NO_CANDIDATE = (
    "no answers from a candidate: check that answers name their arm and the share of traffic it gets, or announce the"
    " release with `groundwire change`"
)
ARM_NAME = "arm of release"
"""What an arm is marked by, among the versions of a group."""
ARM_MARKS: tuple[Slice, ...] = ((), ((ARM_NAME, "baseline"),), ((ARM_NAME, CANDIDATE),))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReleaseState(TickedState):
    """What has arrived, the comparisons with concurrent controls, and that with a historical one.

    ``due`` are releases not folded yet, ``scorers`` changes of the scorer.
    """

    comparisons: Comparisons = field(default_factory=Comparisons)
    control: HistoricalControl = field(default_factory=HistoricalControl)
    due: Due = ()
    scorers: tuple[Change, ...] = ()

    def content(self, index: SeriesIndex, series: Sequence[int], epochs: Sequence[int]) -> dict[str, Any]:
        """Return comparisons, detectors and changes as JSON takes them."""
        return {
            "comparison": self._compared(index, series, epochs),
            "past": released.dumped(self.control, index, series, epochs),
            "due": due.dumped(self.due),
            "scorers": [change.model_dump(mode="json") for change in self.scorers],
        }

    def _compared(self, index: SeriesIndex, series: Sequence[int], epochs: Sequence[int]) -> dict[str, Any]:
        layout = ComparisonLayout.of(index, {})
        return releases.dumped(self.comparisons.grown(layout), epochs, layout.cell_order(series))


class ReleaseGate(SeveralMetrics):
    """Judges a release: fails when it is worse, passes when it is not worse by ``margin``, and says how sure that is.

    Where answers name the arm they were routed to and the share of the candidate at that moment, both arms are compared
    as they run side by side (`gates.evidence.twosample`): a release that is no worse is rolled back with a probability
    of at most ``alpha_rollback``, one worse by ``margin`` or more is passed with at most ``alpha_promote``, however
    often it is asked and however the share changes. Over several slices ``fail`` means that some slice is worse,
    ``pass`` that none with answers is worse by the margin; slices may begin one after the other, and how many there
    will be need not be known (`gates.evidence.stakes`).

    All this holds as long as each answer tells the share that it was routed with, and its cluster, where it names one,
    is what was routed: the user, where users stay with an arm. Where clusters are seen in both arms the verdict says
    so. With ``strata`` arms are compared inside of them. Several metrics are judged together, by slice, with ``also``:
    their errors of a rollback sum to ``alpha_rollback`` (`gates.comparison.several`).

    Where no traffic is routed, the release is judged against what was served before it, from the change event on and
    for ``watch`` after it, with the same probabilities; what else changed at that moment is then not told apart. Each
    slice has the last release whose scope it is in, and only slices that have had one are judged.

    ``fail`` and ``pass`` stand until the next candidate: another version of ``component`` in the candidate's answers,
    or a change event of a release where they tell none. A version announced for a scope leaves the slices outside of it
    as they are; one that nobody announced is the next candidate of all. Until one of them is reached the verdict is
    inconclusive and says about how many more answers of the candidate it takes, and the smallest difference that those
    seen so far would show.

    >>> from datetime import UTC, datetime
    >>> from gates.inputs.observations import Batch, Observation
    >>> gate = ReleaseGate(type="release", name="canary", metric="refused", worse="higher")
    >>> noon, state = datetime(2026, 1, 1, 12, tzinfo=UTC), gate.initial()
    >>> gate.verdict(state, noon).reason.partition(": ")[0]
    'no answers from a candidate'
    >>> def seen(i, arm):
    ...     at, failed = noon + timedelta(seconds=10 * i), arm == "candidate" and i % 8 < 4
    ...     routed = {"arm": arm, "share": 0.5}
    ...     return Observation(at=at, answer_id=f"a{i}", metric="refused", value=failed, probability=1, **routed)
    >>> state = gate.fold(state, Batch.of(seen(i, ("candidate", "baseline")[i % 2]) for i in range(600)))
    >>> gate.verdict(state, noon + timedelta(hours=2)).state
    'fail'
    """

    example: ClassVar = {"worse": "lower", "by": ("domain",), "reference": "1d", "min_reference": 30}
    type: Literal["release"]
    good: GoodLabels | None = Field(default=None, description=GOOD)
    component: str = Field(default="release", description="Component whose version identifies a candidate.")
    margin: float = Field(
        default_factory=lambda given: MARGIN * scale_in(given).width,
        gt=0,
        description="How much worse a release may be and still pass. Default: a hundredth of the metric's range.",
    )
    alpha_rollback: float = Field(
        default=0.05, gt=0, le=0.5, description="Chance of failing a release that is not worse."
    )
    alpha_promote: float = Field(
        default=0.05, gt=0, le=0.5, description="Chance of passing a release that is worse by the margin."
    )
    min_answers: int = Field(default=30, ge=1, description="Candidate answers a slice needs to pass.")
    strata: tuple[str, ...] = Field(
        default=(),
        max_length=8,
        description="Slice dimensions inside of which arms are compared, such as the kind of question, where the"
        " candidate may be sent another mix.",
    )
    weights: Mapping[str, Mapping[str, SliceWeight]] = Field(
        default_factory=dict,
        description="How much slices count in failing the release, by dimension and value; 1 where none is given.",
    )
    reference: Duration = Field(
        default=timedelta(days=28),
        description="How much of what was served before is the reference, without a concurrent baseline.",
    )
    min_reference: int = Field(
        default=300, ge=30, description="Answers a reference needs; with fewer a slice is inconclusive."
    )
    watch: Duration = Field(
        default=timedelta(days=7), description="How long a release is judged against what was served before it."
    )
    tick: TickLength = Field(default=TICK, description="Length of a tick: its answers are folded together.")

    @field_validator("margin")
    @classmethod
    def _below_the_range(cls, margin: float, given: ValidationInfo) -> float | None:
        return distance(margin, given)

    @field_validator("strata")
    @classmethod
    def _apart(cls, strata: tuple[str, ...], given: ValidationInfo) -> tuple[str, ...]:
        if len(set(strata)) != len(strata):
            raise ValueError("duplicate dimension")
        if both := sorted(set(strata) & set(given.data.get("by", ()))):
            raise ValueError(f"{both[0]!r} is in by already, whose slices are judged apart")
        return strata

    @field_validator("weights")
    @classmethod
    def _of_slices(
        cls, weights: Mapping[str, Mapping[str, float]], given: ValidationInfo
    ) -> Mapping[str, Mapping[str, float]]:
        for name in weights:
            if name not in given.data.get("by", ()):
                raise ValueError(f"{name!r} is not in by, so no slice has it")
        return weights

    @property
    def expectation(self) -> str:
        """How rarely it errs about a release, and how many answers it takes at least."""
        return (
            f"A release that is as good fails with at most {percent(self.alpha_rollback)} % probability, and one that "
            f"is worse by {self.margin:g} passes with at most {percent(self.alpha_promote)} %, however often it is "
            f"read. A slice needs {counted(self.min_answers)} of the candidate to pass and, where no baseline is "
            f"served beside it, {counted(self.min_reference)} from before the release."
        )

    @property
    def length(self) -> timedelta:
        """The length of a tick."""
        return self.tick

    def problems(self, metrics: Mapping[str, Metric], dimensions: frozenset[str]) -> Iterator[tuple[str, str]]:
        """Yield what keeps this gate from working."""
        yield from super().problems(metrics, dimensions)
        yield from dimension_problems("strata", self.strata, dimensions)

    def _unused(self) -> set[str]:
        """Return the options that a configuration of before they were there did not have either."""
        return super()._unused() | {name for name in ("strata", "weights") if not getattr(self, name)}

    def _origin(self) -> dict[str, Any]:
        return super()._origin() | {"comparisons": COMPARISONS, "controls": CONTROLS, "monitors": MONITORS}

    @property
    def against_baseline(self) -> ComparisonRules:
        """What the comparison with a concurrent control goes by."""
        return ComparisonRules(
            sign=self.sign,
            tick=self.windowing.tick,
            metric=self.judged,
            margin=self.margin / self.scale.width,
            alpha_rollback=self.alpha_rollback,
            alpha_promote=self.alpha_promote,
            scale=self.scale,
        )

    @property
    def against_past(self) -> HistoricalRules:
        """What the comparison with a historical control goes by."""
        return HistoricalRules(
            inferior=self._rules(inferior=True),
            non_inferior=self._rules(inferior=False),
            metric=self.metric,
            judged=self.judged,
            margin=self.margin,
            scale=self.scale,
            min_answers=self.min_answers,
            alpha_promote=self.alpha_promote,
            kind=RELEASED.get(self.component),
            brought=Microseconds(BROUGHT_WITHIN // MICROSECOND),
            watch=self.watch // self.tick,
            delay=self.tick + self.grace,
        )

    def _rules(self, *, inferior: bool) -> Rules:
        return Rules(
            sign=self.sign if inferior else -self.sign,
            tick=self.windowing.tick,
            week=timedelta(days=7) / self.tick,
            reference=max(1, self.reference // self.tick),
            min_reference=self.min_reference,
            silence=max(1, timedelta(hours=1) // self.tick),
            part=max(1, timedelta(hours=1) // self.tick),
            hold=max(1, self.watch // self.tick),
            weekly_weight=0.0,
            change_weight=1.0,
            alarms_per_week=self.alpha_rollback,
            fdr=self.alpha_rollback if inferior else None,
            tolerance=None if inferior else -self.margin / self.scale.width,
            threshold=None if inferior else 1.0 / self.alpha_promote,
            reset_on_change=True,
            alarms=False,
        )

    def _begun(self) -> State:
        return ReleaseState()

    def _changed(self, state: ReleaseState, change: Change) -> ReleaseState:
        if change.kind == "scorer":
            return replace(state, scorers=due.by_time((*state.scorers, change)))
        if change.kind not in RELEASED.values():
            return state
        tick = state.buffer.open_at(change.at, self.windowing)
        return replace(state, due=due.noted(state.due, tick, change))

    def _barrier(self, state: ReleaseState, batch: Batch) -> Barrier | None:
        """Return the moment of the last release of each group: what was served before it is no evidence about it."""
        known = [(each.tick, each.change) for each in state.control.releases]
        newest = [*reversed(state.due), *reversed(known)]
        if not newest:
            return None
        at, tick = np.full(len(batch.groups), NEVER), np.full(len(batch.groups), UNKNOWN)
        for place, group in enumerate(batch.groups):
            key = self._key(group)
            named = (*key[0], *key[1], ("metric", self.metric))
            last = next(((begun, change) for begun, change in newest if change.touches(named)), None)
            if last is not None:
                at[place], tick[place] = microseconds(last[1].at), last[0]
        return Barrier(at, tick)

    def _marked(self, state: ReleaseState, batch: Batch) -> Batch:
        return marked(with_epochs(batch, state.scorers, self.metric), batch.arm, ARM_MARKS)

    def _key(self, group: Group) -> Key:
        versions = dict(group.versions)
        arm = versions.get(ARM_NAME)
        version = versions.get(self.component) or versions.get(ALSO.get(self.component, ""), "")
        named = dict(group.slice)
        stratum = (tuple((name, named.get(name, NONE)) for name in self.strata),) if self.strata else ()
        return (self._sliced(group), *stratum, () if arm is None else ((arm, version),), epoch_of(group))

    def _advanced(self, state: ReleaseState, rows: Arrivals) -> ReleaseState:
        now, later = due.until(state.due, int(rows.tick.max()))
        announced = [(tick, change, state.index.touched(change, self.metric)) for tick, change in now]
        alone = rows.taken(rows.arm == ARMS[None])
        return replace(
            state,
            due=later,
            control=released.advance(state.control, alone, self.against_past, state.index, announced),
            comparisons=self._compared(state, rows, announced),
        )

    def _compared(
        self, state: ReleaseState, rows: Arrivals, announced: Sequence[tuple[int, Change, Bools]]
    ) -> Comparisons:
        layout = ComparisonLayout.of(state.index, self.weights)
        comparisons = state.comparisons.grown(layout)
        tick, rules = rows.tick, self.against_baseline
        for at, change, touched in announced:
            before = tick < at
            comparisons = releases.advance(comparisons, rows.taken(before), rules, layout)
            rows, tick = rows.taken(~before), tick[~before]
            names = change.kind == RELEASED.get(self.component)
            comparisons = comparisons.noted(change, touched, layout, names=names)
        return releases.advance(comparisons, rows, rules, layout)

    def _judged(self, state: ReleaseState, now: int) -> Iterator[SliceVerdict]:
        if state.comparisons.under_way(state.index):
            layout = ComparisonLayout.of(state.index, self.weights)
            rules, least = self.against_baseline, self.min_answers
            yield from releases.judged(state.comparisons, state.index, layout, rules, min_answers=least)
        elif self._watching(state, now):
            yield from historical.judged(state.control, state.index, self.against_past, now - 1)

    def _warning(self, state: ReleaseState) -> str | None:
        return releases.misrouted(state.comparisons) if state.comparisons.under_way(state.index) else None

    def _about(self, state: ReleaseState, now: int) -> tuple[str | None, str | None]:
        if not state.comparisons.under_way(state.index) and self._watching(state, now):
            return historical.candidate(state.control, state.index, self.against_past, now - 1), None
        return state.comparisons.candidate, state.comparisons.baseline

    def _nothing(self, state: ReleaseState, now: int) -> str:
        if state.due:
            delay = format_duration(self.tick + self.grace)
            return f"no answers since the release are counted yet (they count up to {delay} after they came)"
        if not state.control.releases and state.comparisons.each:
            newest = state.comparisons.each[-1]
            of = f"candidate {newest.candidate}".strip()
            return f"answers of {of} came, but {concurrent.incomparable(newest)}"
        if not state.control.releases:
            return NO_CANDIDATE
        if self._watching(state, now):
            return "no answers since the release: check that its answers arrive and are sampled, and its scope"
        return f"the last release was more than {format_duration(self.watch)} ago"

    def _watching(self, state: ReleaseState, now: int) -> bool:
        releases = state.control.releases
        return bool(releases) and now - releases[-1].tick <= self.watch // self.tick

    def _restored(self, decoded: Mapping[str, Any], buffer: Buffer, index: SeriesIndex) -> ReleaseState:
        return ReleaseState(
            buffer=buffer,
            index=index,
            comparisons=releases.load(decoded["comparison"], ComparisonLayout.of(index, self.weights)),
            control=released.load(decoded["past"], index),
            due=due.load(decoded["due"]),
            scorers=tuple(Change.model_validate(change) for change in decoded["scorers"]),
        )
