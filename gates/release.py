"""The `release` gate: is a candidate worse than what it replaces, decided while traffic is routed to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

import numpy as np
import orjson
from pydantic import Field, model_validator

from gates import arms, monitor, steps
from gates.arms import Comparison, Terms
from gates.base import Gate, Outcome, SliceVerdict, State, Verdict
from gates.changes import Change
from gates.duration import Duration, format_duration
from gates.evidence import detector, intervals, twosample
from gates.monitor import UNKNOWN, Monitor, Rules
from gates.observations import ARMS, MICROSECOND, Batch, Group, instant, microseconds
from gates.slices import NONE
from gates.sorting import Keyed, dimension_problems, epoch, epochs, marked, metric_problems
from gates.summary import summary
from gates.ticks import Inbox, Key, Rows, Shape
from gates.values import Slice
from scorers.base import Metric

RELEASED = ("deploy", "model", "prompt", "index", "retriever")
"""Kinds of change that are a release."""
CANDIDATE = "candidate"
ARM_NAME = "arm of release"
"""What an arm is marked by, among the versions of a group."""
ARM_MARKS: tuple[Slice, ...] = ((), ((ARM_NAME, "baseline"),), ((ARM_NAME, CANDIDATE),))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReleaseState:
    """What has arrived, the comparison of two arms, and the detectors of what was not routed: worse, and as good.

    ``since`` is the tick of the last release, ``due`` are releases not folded yet, ``scorers`` changes of the scorer.
    """

    inbox: Inbox
    keyed: Keyed
    comparison: Comparison
    worse: Monitor
    kept: Monitor
    since: int = UNKNOWN
    version: str | None = None
    due: tuple[tuple[int, Change], ...] = ()
    scorers: tuple[Change, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ReleaseState) and dumped(self) == dumped(other)

    __hash__ = None  # type: ignore[assignment]  # compared by content, and not a key of anything


class ReleaseGate(Gate):
    """Judges a release: fails when it is worse, passes when it is not worse by ``margin``, and says how sure that is.

    Where answers name the arm they were routed to and the share of the candidate at that moment, both arms are compared
    as they run side by side (`gates.evidence.twosample`): a release that is no worse is rolled back with a probability
    of at most ``alpha_rollback``, one worse by ``margin`` or more is passed with at most ``alpha_promote``, however
    often it is asked and however the share changes. Over several slices ``fail`` means that some slice is worse,
    ``pass`` that none with answers is worse by the margin.

    Where nothing is routed, the release is judged against what was served before it, from the change event on and for
    ``watch`` after it, with the same probabilities; what else changed at that moment is then not told apart.

    ``fail`` and ``pass`` stand until the next candidate: another version of ``component`` in the candidate's answers,
    or a change event of a release. Until one of them is reached the verdict is inconclusive and says about how many
    more answers of the candidate it takes, and the smallest difference that those seen so far would show.

    >>> from datetime import UTC, datetime
    >>> from gates.observations import Observation
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
    metric: str = Field(description="Metric that is compared; its values lie between 0 and 1.")
    worse: Literal["lower", "higher"] = Field(description="Which way the metric goes when quality falls.")
    by: tuple[str, ...] = Field(
        default=(), max_length=8, description="Slice dimensions compared apart; none: all traffic as one."
    )
    component: str = Field(default="app", description="Component whose version names a candidate.")
    margin: float = Field(default=0.01, gt=0, lt=1, description="How much worse a release may be and still pass.")
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
    tick: Duration = Field(default=timedelta(minutes=5), description="Answers of one tick are folded together.")
    grace: Duration = Field(default=timedelta(minutes=2), description="How long after its end a tick takes answers.")

    @model_validator(mode="after")
    def _possible(self) -> ReleaseGate:
        if len(set(self.by)) != len(self.by):
            raise ValueError("a dimension is named twice")
        if self.tick < timedelta(seconds=1) or self.tick > timedelta(hours=1):
            raise ValueError("a tick must be 1s to 1h")
        return self

    @property
    def metrics(self) -> frozenset[str]:
        """The one metric this gate listens to."""
        return frozenset({self.metric})

    def problems(self, metrics: Mapping[str, Metric], dimensions: frozenset[str]) -> Iterator[tuple[str, str]]:
        """Yield what keeps this gate from working: an unknown or unbounded metric, a dimension nobody cuts by."""
        yield from metric_problems(self.metric, metrics, self.worse)
        yield from dimension_problems("by", self.by, dimensions)

    def initial(self) -> State:
        """Return the state before any observation."""
        empty = Monitor.empty()
        return ReleaseState(
            inbox=Inbox(index={}), keyed=Keyed(), comparison=Comparison.empty(), worse=empty, kept=empty
        )

    def fold(self, state: State, batch: Batch) -> State:
        """Fold observations; others' metrics are ignored. Raises `ValueError` on a value outside [0, 1]."""
        known: ReleaseState = state
        mine = batch.of_metric(self.metric)
        if not mine.any():
            return state
        batch = marked(epochs(batch, known.scorers, self.metric), batch.arm, ARM_MARKS)
        inbox, rows = known.inbox.receive(batch, mine, self._key, self._shape)
        known = replace(known, inbox=inbox)
        return known if rows is None else self._advanced(known, rows)

    def change(self, state: State, change: Change) -> State:
        """Note a change: a release begins in its tick, or the next one to be folded if that is closed already."""
        known: ReleaseState = state
        if change.kind == "scorer":
            scorers = tuple(sorted((*known.scorers, change), key=lambda each: (each.at, each.model_dump_json())))
            return replace(known, scorers=scorers)
        if change.kind not in RELEASED:
            return state
        entry = (self._shape.open_at(change.at, known.inbox.clock), change)
        return replace(known, due=tuple(sorted((*known.due, entry), key=lambda e: (e[0], e[1].model_dump_json()))))

    def _key(self, group: Group) -> Key:
        named, versions = dict(group.slice), dict(group.versions)
        arm = versions.get(ARM_NAME)
        version = ((CANDIDATE, versions.get(self.component, "")),) if arm == CANDIDATE else ()
        return (
            tuple((name, named.get(name, NONE)) for name in self.by),
            (("arm", arm), *version) if arm is not None else (),
            epoch(group),
        )

    @property
    def _shape(self) -> Shape:
        return Shape(self.tick // MICROSECOND, self.grace // MICROSECOND)

    @property
    def terms(self) -> Terms:
        """What the comparison of two arms is told."""
        return Terms(
            sign=1 if self.worse == "higher" else -1,
            tick=self._shape.tick,
            silence=max(1, timedelta(hours=1) // self.tick),
            margin=self.margin,
            alpha_rollback=self.alpha_rollback,
            alpha_promote=self.alpha_promote,
        )

    def rules(self, *, worse: bool) -> Rules:
        """What the detectors are told where nothing is routed: a ``worse`` release is one, as good a one the other."""
        sign = 1 if self.worse == "higher" else -1
        return Rules(
            sign=sign if worse else -sign,
            tick=self._shape.tick,
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
            allowed=None if worse else -self.margin,
            threshold=None if worse else 1.0 / self.alpha_promote,
            afresh=True,
        )

    def _advanced(self, state: ReleaseState, rows: Rows) -> ReleaseState:
        keyed = state.keyed.extended(state.inbox.keys)
        until = int(rows.at.max()) // self._shape.tick
        now = [(tick, change) for tick, change in state.due if tick <= until]
        state = replace(state, keyed=keyed, due=state.due[len(now) :])
        lumps = [(tick, keyed.touched(change, self.metric)) for tick, change in now]
        plain = rows.taken(rows.arm == ARMS[None])
        worse, kept = (
            steps.advance(each.grown(keyed.cell_of, keyed.names), plain, self.rules(worse=bad), lumps)
            for each, bad in ((state.worse, True), (state.kept, False))
        )
        return replace(state, worse=worse, kept=kept, comparison=self._compared(state, rows, now), **_last(state, now))

    def _compared(self, state: ReleaseState, rows: Rows, releases: list[tuple[int, Change]]) -> Comparison:
        found = state.comparison.grown(state.keyed.names)
        versions = [dict(key[1]).get(CANDIDATE) for key in state.keyed.keys]
        tick, cell_of = rows.at // self._shape.tick, state.keyed.cell_of
        for at, change in releases:
            before = tick < at
            found = arms.advance(found, rows.taken(before), self.terms, cell_of, versions)
            rows, tick = rows.taken(~before), tick[~before]
            # The candidate's own version may have come before the event that announces it.
            if found.candidate is not None and change.version != found.candidate:
                found = found.restarted(None)
        return arms.advance(found, rows, self.terms, cell_of, versions)

    def settled(self, state: State, at: datetime) -> ReleaseState:
        """Return the state with all ticks folded that have ended at ``at``."""
        known: ReleaseState = state
        inbox, rows = known.inbox.closing(microseconds(at) // self._shape.tick * self._shape.tick)
        known = replace(known, inbox=inbox)
        return known if rows is None else self._advanced(known, rows)

    def verdict(self, state: State, at: datetime) -> Verdict:
        """Judge as of ``at``: the two arms where there are both, else what came after the last release."""
        known = self.settled(state, at)
        now = microseconds(at) // self._shape.tick
        parts: tuple[SliceVerdict, ...] = ()
        nothing = "no answers of a candidate"
        if known.comparison.candidate is not None and arms.both(known.comparison.pairs).any():
            parts = tuple(self._routed(known))
        elif known.since != UNKNOWN and now - known.since <= self.watch // self.tick:
            parts = tuple(self._unrouted(known, now - 1))
            nothing = "no answers since the release"
        elif known.since != UNKNOWN:
            nothing = f"the last release was more than {format_duration(self.watch)} ago"
        outcome, reason = summary(parts, nothing)
        return Verdict(
            gate=self.name,
            state=outcome,
            at=at,
            reason=reason,
            no_data=not any(part.n for part in parts),
            policy_version=self.policy_version,
            slices=parts,
        )

    def _routed(self, state: ReleaseState) -> Iterator[SliceVerdict]:
        found, pairs = state.comparison, state.comparison.pairs
        rollback, promote = detector.level(pairs.rollback), detector.level(pairs.promote)
        compared = state.keyed.latest(pairs.last, arms.both(pairs))
        blamed = {cell for cell in compared if pairs.named[cell] != UNKNOWN} or {
            max(compared, key=lambda c: rollback[c])
        }
        n, weight, loss, heaviest = (pairs.arms[:, :, place] for place in range(4))
        mean, low, high = intervals.bounds(loss, n, weight, np.maximum(heaviest, 1.0), 0.025)
        for cell in compared:
            moments = pairs.moments[cell]
            center = moments[6] / moments[0]
            terms = {
                "variance": max(float(moments[7] / moments[0] - center**2), 1e-6),
                "share": float(pairs.share[cell]),
            }
            left = twosample.needed(
                float(promote[cell]),
                bets=len(twosample.KEPT),
                alpha=self.alpha_promote,
                effect=self.margin,
                **terms,
            )
            answers = int(n[cell, 1])
            smallest = twosample.detectable(answers, bets=len(twosample.WORSE), alpha=self.alpha_rollback, **terms)
            if found.failed != UNKNOWN and cell in blamed:
                outcome: Outcome = "fail"
                reason = f"the candidate is worse: {mean[cell, 1] - mean[cell, 0]:.3g} over {answers} of its answers"
            elif pairs.passed[cell] != UNKNOWN and answers >= self.min_answers:
                outcome, reason = "pass", f"the candidate is not worse by {self.margin:g}"
            else:
                outcome = "inconclusive"
                reason = (
                    f"about {max(left, self.min_answers - answers)} more answers of the candidate"
                    f" would pass an equal one; {answers} show a difference of {smallest:.2g}"
                )
            sign = 1.0 if self.worse == "higher" else -1.0
            ends = sorted(sign * float(end) for end in (low[cell, 1] - high[cell, 0], high[cell, 1] - low[cell, 0]))
            yield SliceVerdict(
                slice=dict(state.keyed.cells[cell][0]),
                state=outcome,
                reason=reason,
                n=answers,
                effective_n=float(weight[cell, 1] ** 2 / max(n[cell, 1], 1.0) / max(heaviest[cell, 1], 1.0) ** 2),
                estimate=sign * float(mean[cell, 1] - mean[cell, 0]),
                lower=ends[0],
                upper=ends[1],
                evidence={
                    "e_rollback": float(rollback[cell]),
                    "e_promote": float(promote[cell]),
                    "n_candidate": float(answers),
                    "n_baseline": float(n[cell, 0]),
                    "needed": float(left),
                    "detectable": smallest,
                },
                alarmed_at=instant((found.failed + 1) * self._shape.tick) if outcome == "fail" else None,
                cause=f"release {found.candidate}".strip() if outcome == "fail" else None,
            )

    def _unrouted(self, state: ReleaseState, last: int) -> Iterator[SliceVerdict]:
        worse, kept, rules = state.worse.cells, state.kept.cells, self.rules(worse=True)
        parts = max(0, last // rules.part - state.since // rules.part)
        n, weight, loss, heaviest = state.worse.recent.over(last // rules.part, min(parts, monitor.PARTS)).T
        heaviest = np.maximum(heaviest, 1.0)
        last_part = state.worse.recent.stamp.max(axis=1, initial=UNKNOWN)
        mean, low, high = intervals.bounds(loss, n, weight, heaviest, 0.05)
        learned = np.bincount(state.worse.lines.cell, weights=state.worse.lines.moments[:, 0], minlength=len(n))
        for cell in state.keyed.latest(last_part, last_part >= 0):
            ends = [self._own(float(each[cell])) for each in (mean, low, high)]
            outcome: Outcome = "inconclusive"
            if worse.changed[cell] == UNKNOWN:
                reason = (
                    f"no reference: {int(learned[cell])} of at least {self.min_reference} answers before the release"
                )
            elif worse.alarmed[cell] >= worse.changed[cell]:
                outcome, reason = "fail", "worse than before the release"
            elif kept.alarmed[cell] >= kept.changed[cell] > UNKNOWN and n[cell] >= self.min_answers:
                outcome, reason = "pass", f"not worse by {self.margin:g} than before the release"
            else:
                reason = f"{int(n[cell])} answers since the release, evidence not decisive yet"
            yield SliceVerdict(
                slice=dict(state.keyed.cells[cell][0]),
                state=outcome,
                reason=reason,
                n=int(n[cell]),
                effective_n=float(weight[cell] ** 2 / max(n[cell], 1.0) / heaviest[cell] ** 2),
                estimate=ends[0] if n[cell] else None,
                lower=min(ends[1:]) if n[cell] else None,
                upper=max(ends[1:]) if n[cell] else None,
                evidence={"e_rollback": float(worse.level[cell]), "e_promote": float(kept.level[cell])},
                alarmed_at=instant((int(worse.alarmed[cell]) + 1) * self._shape.tick) if outcome == "fail" else None,
                cause=f"release {state.version or ''}".strip() if outcome == "fail" else None,
            )

    def _own(self, loss: float) -> float:
        return loss if self.worse == "higher" else 1.0 - loss

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
        return ReleaseState(
            inbox=inbox,
            keyed=keyed,
            comparison=arms.load(decoded["comparison"], keyed.names),
            worse=monitor.load(decoded["worse"], keyed.cell_of, keyed.names),
            kept=monitor.load(decoded["kept"], keyed.cell_of, keyed.names),
            since=decoded["since"],
            version=decoded["version"],
            due=tuple((tick, Change.model_validate(change)) for tick, change in decoded["due"]),
            scorers=tuple(Change.model_validate(change) for change in decoded["scorers"]),
        )

    def _policy(self) -> dict[str, Any]:
        return {"gate": "release", "policy": self.policy_version}


def dumped(state: ReleaseState) -> dict[str, Any]:
    """Return a state as JSON takes it; equal states give equal JSON, in whatever order they met their slices."""
    lines = state.inbox.order()
    keyed = state.keyed.extended(state.inbox.keys)
    cells = keyed.order(lines)
    return {
        "inbox": state.inbox.dump(),
        "comparison": arms.dumped(state.comparison.grown(keyed.names), cells),
        "worse": monitor.dumped(state.worse.grown(keyed.cell_of, keyed.names), lines, cells),
        "kept": monitor.dumped(state.kept.grown(keyed.cell_of, keyed.names), lines, cells),
        "since": state.since,
        "version": state.version,
        "due": [[tick, change.model_dump(mode="json")] for tick, change in state.due],
        "scorers": [change.model_dump(mode="json") for change in state.scorers],
    }


def _last(state: ReleaseState, releases: list[tuple[int, Change]]) -> dict[str, Any]:
    if not releases:
        return {"since": state.since, "version": state.version}
    return {"since": releases[-1][0], "version": releases[-1][1].version}
