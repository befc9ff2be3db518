"""The `release` gate: is a candidate worse than what it replaces, decided while traffic is routed to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from gates.base import SliceVerdict, State
from gates.bounded import distance, scale_in
from gates.comparison import arms
from gates.comparison import concurrent as routed
from gates.comparison.arms import Comparison, Terms
from gates.decisions.serving import BROUGHT_WITHIN
from gates.inputs.changes import Change
from gates.inputs.observations import ARMS, Batch, Bools, Group
from gates.inputs.values import Slice
from gates.monitoring import historical as unrouted
from gates.monitoring.detectors import Rules
from gates.monitoring.historical import Unrouted, Watch
from gates.units.duration import Duration, format_duration
from gates.windowing import due
from gates.windowing.due import Due
from gates.windowing.gate import TICK, Ticked, TickedGate, TickLength
from gates.windowing.strata import Keyed, epoch, epochs, marked
from gates.windowing.watermark import UNKNOWN, Inbox, Key, Rows

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
MARGIN = 0.01
"""How much worse a release may be, as a part of the metric's range, where a gate does not say."""
CANDIDATE = "candidate"
ARM_NAME = "arm of release"
"""What an arm is marked by, among the versions of a group."""
ARM_MARKS: tuple[Slice, ...] = ((), ((ARM_NAME, "baseline"),), ((ARM_NAME, CANDIDATE),))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReleaseState(Ticked):
    """What has arrived, the comparison of two arms, and the detectors of what was not routed.

    ``due`` are releases not folded yet, ``scorers`` changes of the scorer.
    """

    comparison: Comparison = field(default_factory=Comparison.empty)
    past: Unrouted = field(default_factory=Unrouted)
    due: Due = ()
    scorers: tuple[Change, ...] = ()

    def content(self, keyed: Keyed, lines: Sequence[int], cells: Sequence[int]) -> dict[str, Any]:
        """Return comparison, detectors and changes as JSON takes them."""
        return {
            "comparison": arms.dumped(self.comparison.grown(keyed.names), cells),
            "past": unrouted.dumped(self.past, keyed, lines, cells),
            "due": due.dumped(self.due),
            "scorers": [change.model_dump(mode="json") for change in self.scorers],
        }


class ReleaseGate(TickedGate):
    """Judges a release: fails when it is worse, passes when it is not worse by ``margin``, and says how sure that is.

    Where answers name the arm they were routed to and the share of the candidate at that moment, both arms are compared
    as they run side by side (`gates.evidence.twosample`): a release that is no worse is rolled back with a probability
    of at most ``alpha_rollback``, one worse by ``margin`` or more is passed with at most ``alpha_promote``, however
    often it is asked and however the share changes. Over several slices ``fail`` means that some slice is worse,
    ``pass`` that none with answers is worse by the margin.

    Where nothing is routed, the release is judged against what was served before it, from the change event on and for
    ``watch`` after it, with the same probabilities; what else changed at that moment is then not told apart.

    ``fail`` and ``pass`` stand until the next candidate: another version of ``component`` in the candidate's answers,
    or a change event of a release where they tell none. Until one of them is reached the verdict is inconclusive and
    says about how many more answers of the candidate it takes, and the smallest difference that those seen so far would
    show.

    >>> from datetime import UTC, datetime
    >>> from gates.inputs.observations import Batch, Observation
    >>> gate = ReleaseGate(type="release", name="canary", metric="refused", worse="higher")
    >>> noon, state = datetime(2026, 1, 1, 12, tzinfo=UTC), gate.initial()
    >>> gate.verdict(state, noon).reason
    'no answers of a candidate'
    >>> def seen(i, arm):
    ...     at, failed = noon + timedelta(seconds=10 * i), arm == "candidate" and i % 8 < 4
    ...     routed = {"arm": arm, "share": 0.5}
    ...     return Observation(at=at, answer_id=f"a{i}", metric="refused", value=failed, probability=1, **routed)
    >>> state = gate.fold(state, Batch.of(seen(i, ("candidate", "baseline")[i % 2]) for i in range(600)))
    >>> gate.verdict(state, noon + timedelta(hours=2)).state
    'fail'
    """

    type: Literal["release"]
    component: str = Field(default="release", description="Component whose version names a candidate.")
    margin: float = Field(
        default_factory=lambda given: MARGIN * scale_in(given).width,
        gt=0,
        description="How much worse a release may be and still pass. Default: a hundredth of the metric's range.",
    )
    alpha_rollback: float = Field(default=0.05, gt=0, le=0.5, description="Chance of failing one that is no worse.")
    alpha_promote: float = Field(
        default=0.05, gt=0, le=0.5, description="Chance of passing one that is worse by the margin."
    )
    min_answers: int = Field(default=30, ge=1, description="Answers of the candidate below which a slice cannot pass.")
    reference: Duration = Field(
        default=timedelta(days=28), description="How much of what was served before is the reference, unrouted."
    )
    min_reference: int = Field(default=300, ge=30, description="Answers of a reference below which nothing is judged.")
    watch: Duration = Field(default=timedelta(days=7), description="How long a release is judged against the past.")
    tick: TickLength = Field(default=TICK, description="Answers of one tick are folded together.")

    @field_validator("margin")
    @classmethod
    def _below_the_range(cls, margin: float, given: ValidationInfo) -> float | None:
        return distance(margin, given)

    @property
    def length(self) -> timedelta:
        """The length of a tick."""
        return self.tick

    @property
    def terms(self) -> Terms:
        """What the comparison of two arms is told."""
        return Terms(
            sign=self.sign,
            tick=self.shape.tick,
            silence=max(1, timedelta(hours=1) // self.tick),
            margin=self.margin / self.scale.width,
            alpha_rollback=self.alpha_rollback,
            alpha_promote=self.alpha_promote,
            scale=self.scale,
        )

    @property
    def against_past(self) -> Watch:
        """What the detectors are told where nothing is routed."""
        return Watch(
            worse=self._rules(worse=True),
            kept=self._rules(worse=False),
            margin=self.margin,
            scale=self.scale,
            least=self.min_answers,
            kind=RELEASED.get(self.component),
            brought=max(1, BROUGHT_WITHIN // self.tick),
        )

    def _rules(self, *, worse: bool) -> Rules:
        return Rules(
            sign=self.sign if worse else -self.sign,
            tick=self.shape.tick,
            week=timedelta(days=7) / self.tick,
            reference=max(1, self.reference // self.tick),
            least=self.min_reference,
            silence=max(1, timedelta(hours=1) // self.tick),
            part=max(1, timedelta(hours=1) // self.tick),
            hold=max(1, self.watch // self.tick),
            per_week=0.0,
            lump=1.0,
            alarms=self.alpha_rollback,
            alpha=self.alpha_rollback if worse else None,
            allowed=None if worse else -self.margin / self.scale.width,
            threshold=None if worse else 1.0 / self.alpha_promote,
            afresh=True,
        )

    def initial(self) -> State:
        """Return the state before any observation."""
        return ReleaseState()

    def change(self, state: State, change: Change) -> State:
        """Note a change: a release begins in its tick, or the next one to be folded if that is closed already."""
        known: ReleaseState = state
        if change.kind == "scorer":
            return replace(known, scorers=due.by_time((*known.scorers, change)))
        if change.kind not in RELEASED.values():
            return state
        return replace(known, due=due.noted(known.due, self.shape.open_at(change.at, known.inbox.clock), change))

    def _marked(self, state: ReleaseState, batch: Batch) -> Batch:
        return marked(epochs(batch, state.scorers, self.metric), batch.arm, ARM_MARKS)

    def _key(self, group: Group) -> Key:
        versions = dict(group.versions)
        arm = versions.get(ARM_NAME)
        version = versions.get(self.component) or versions.get(ALSO.get(self.component, ""), "")
        return (self._sliced(group), () if arm is None else ((arm, version),), epoch(group))

    def _advanced(self, state: ReleaseState, rows: Rows) -> ReleaseState:
        now, later = due.until(state.due, int(rows.at.max()) // self.shape.tick)
        plain = rows.taken(rows.arm == ARMS[None])
        releases = [(tick, change, state.keyed.touched(change, self.metric)) for tick, change in now]
        return replace(
            state,
            due=later,
            past=unrouted.advance(state.past, plain, self.against_past, state.keyed, releases),
            comparison=self._compared(state, rows, releases),
        )

    def _compared(self, state: ReleaseState, rows: Rows, releases: Sequence[tuple[int, Change, Bools]]) -> Comparison:
        found = state.comparison.grown(state.keyed.names)
        arms_of = [dict(key[1]) for key in state.keyed.keys]
        tick, cell_of = rows.at // self.shape.tick, state.keyed.cell_of
        for at, change, touched in releases:
            before = tick < at
            found = arms.advance(found, rows.taken(before), self.terms, cell_of, arms_of)
            rows, tick = rows.taken(~before), tick[~before]
            found = self._told(change, found, touched)
        return arms.advance(found, rows, self.terms, cell_of, arms_of)

    def _told(self, change: Change, found: Comparison, touched: Bools) -> Comparison:
        """Return the comparison after a release was told of.

        Where answers tell versions, those begin and end it: what is told of may as well be the candidate that has come
        before, the baseline, or a model or prompt that the candidate brought. A version that is told of may only be a
        candidate once more.
        """
        if found.candidate != "":
            again = change.kind == RELEASED.get(self.component) and change.version != found.candidate
            return found.forgotten(change.version) if again else found
        compared = found.pairs.arms[:, 1, 0] > 0.0
        return found.awaiting() if not compared.any() or (compared & touched).any() else found

    def _judged(self, state: ReleaseState, now: int) -> Iterator[SliceVerdict]:
        if self._sides(state):
            yield from routed.judged(state.comparison, state.keyed, self.terms, least=self.min_answers)
        elif self._watching(state, now):
            yield from unrouted.judged(state.past, state.keyed, self.against_past, now - 1)

    def _about(self, state: ReleaseState, now: int) -> tuple[str | None, str | None]:
        if not self._sides(state) and self._watching(state, now):
            return state.past.version, None
        return state.comparison.candidate or None, state.comparison.baseline

    def _nothing(self, state: ReleaseState, now: int) -> str:
        if state.past.since == UNKNOWN:
            return "no answers of a candidate"
        if self._watching(state, now):
            return "no answers since the release"
        return f"the last release was more than {format_duration(self.watch)} ago"

    def _sides(self, state: ReleaseState) -> bool:
        return state.comparison.candidate is not None and bool(arms.both(state.comparison.pairs).any())

    def _watching(self, state: ReleaseState, now: int) -> bool:
        return state.past.since != UNKNOWN and now - state.past.since <= self.watch // self.tick

    def _restored(self, decoded: Mapping[str, Any], inbox: Inbox, keyed: Keyed) -> ReleaseState:
        return ReleaseState(
            inbox=inbox,
            keyed=keyed,
            comparison=arms.load(decoded["comparison"], keyed.names),
            past=unrouted.load(decoded["past"], keyed),
            due=due.load(decoded["due"]),
            scorers=tuple(Change.model_validate(change) for change in decoded["scorers"]),
        )
