"""A release with a historical control: what came after it against what was served before it.

Two e-detectors (`gates.evidence.detector`) begin with the release, with a start weight of 1 at that moment and none
later, so each is an e-process. *Inferior*: answers are no worse than the upper bound of what was served before.
*Non-inferior*, with losses turned round: they are worse than the reference by the margin or more, as its bound on the
other side has it. A slice is inferior where its evidence reaches ``K / alpha``, or by e-BH at ``alpha``; either takes a
mean of ``1 / alpha`` over the ``K`` slices that were there at the release, and the mean is an e-process. So by Ville's
inequality a release that is no worse fails with a probability of at most ``alpha``. It passes where every slice does,
each at ``1 / alpha``, so one that is worse by the margin in any slice passes with at most ``alpha``.

Premises: as long as nothing but the release changed at that moment, and every hour after it may be held against the
mean of before. The bounds of the reference miss in one slice of a hundred each, which is not part of ``alpha``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gates.base.verdict import Outcome, SliceVerdict
from gates.evidence.arrays import Bools
from gates.evidence.detector import SHIFTS
from gates.inputs.changes import Change
from gates.monitoring import advance as ticks
from gates.monitoring.detectors import PARTS, DetectorTable, Monitor, SeriesTable
from gates.monitoring.levels import held_against
from gates.monitoring.rules import Rules
from gates.units.instants import MICROSECOND, microseconds, tick_end
from gates.units.scale import Scale
from gates.verdicts.summary import DETECTABLE, REFERENCE, agreeing, counted, figures, needing, out_of_reach, subject
from gates.windowing.series import SeriesIndex
from gates.windowing.watermark import UNKNOWN, Arrivals

FAILS = "it can still fail, but to pass"
"""What is said of a release that more answers like these will not decide."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HistoricalControl:
    """The detectors of a release that is inferior, and of one that is not; the tick of the last release, its version.

    ``named_at`` is the tick in which the last one took effect that was of the component whose version names a
    candidate.
    """

    inferior: Monitor = field(default_factory=Monitor.empty)
    non_inferior: Monitor = field(default_factory=Monitor.empty)
    since: int = UNKNOWN
    version: str | None = None
    named_at: int = UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoricalRules:
    """What both detectors go by, when a release passes, and with how many answers.

    ``margin`` is in the unit of ``metric``, and ``alpha_promote`` the error of a pass. ``kind`` is that of a change
    that names a candidate; what changes within ``brought`` ticks after it came with it.
    """

    inferior: Rules
    non_inferior: Rules
    metric: str
    margin: float
    scale: Scale
    min_answers: int
    alpha_promote: float
    kind: str | None
    brought: int


def advance(
    state: HistoricalControl,
    rows: Arrivals,
    rules: HistoricalRules,
    index: SeriesIndex,
    releases: Sequence[tuple[int, Change, Bools]],
) -> HistoricalControl:
    """Return the state after these ticks; ``releases`` are those since the last, with the slice-epochs each touches."""
    changes = [(tick, touched) for tick, _, touched in releases]
    inferior, non_inferior = (
        ticks.advance(monitor.grown(index), rows, each, changes)
        for monitor, each in ((state.inferior, rules.inferior), (state.non_inferior, rules.non_inferior))
    )
    state = replace(state, inferior=inferior, non_inferior=non_inferior)
    for tick, change, _ in releases:
        # Its own time: one that is announced late is folded later than it took effect.
        at = microseconds(change.at) // rules.inferior.tick
        if change.kind == rules.kind:
            state = replace(state, since=tick, version=change.version, named_at=at)
        else:
            came_along = state.named_at != UNKNOWN and 0 <= at - state.named_at <= rules.brought
            state = replace(state, since=tick, version=state.version if came_along else None)
    return state


def judged(state: HistoricalControl, index: SeriesIndex, rules: HistoricalRules, last: int) -> Iterator[SliceVerdict]:
    """Yield the verdict over every slice with answers, as of the end of the tick ``last``."""
    inferior, non_inferior, series = state.inferior.epochs, state.non_inferior.epochs, state.inferior.series
    recent, part = state.inferior.recent, last // rules.inferior.part
    parts = min(max(0, part - state.since // rules.inferior.part), PARTS)
    seen_within = max(1, parts) * rules.inferior.part * rules.inferior.tick * MICROSECOND
    shown = figures(recent.over(part, parts), sign=rules.inferior.sign, scale=rules.scale)
    learned = np.bincount(series.epoch, weights=series.seen.n, minlength=len(shown))
    held = held_against(state.non_inferior.series, len(shown))
    room = np.where(held.level > 0.0, held.mean - held.level, 0.0)
    for epoch in index.latest(recent.last, recent.last >= 0):
        n, before = shown[epoch]["n"], int(learned[epoch])
        outcome: Outcome = "inconclusive"
        about, evidence = subject(rules.metric, index.epochs[epoch][0]), _before(series, epoch, rules)
        moved = _moved(shown[epoch], evidence, before)
        if inferior.changed[epoch] == UNKNOWN:
            reason = f"{about}: {_incomparable(before, rules)}; {counted(n)} came since"
        elif inferior.alarmed[epoch] >= inferior.changed[epoch]:
            outcome = "fail"
            reason = f"{about} is worse than before the release{moved}; {_decided(inferior, epoch, rules)}"
        elif non_inferior.alarmed[epoch] >= non_inferior.changed[epoch] > UNKNOWN and n >= rules.min_answers:
            outcome, way = "pass", "rise" if rules.inferior.sign > 0 else "fall"
            reason = (
                f"{about} is not worse by {rules.margin:g} than before the release{moved};"
                f" {_decided(non_inferior, epoch, rules)};"
                f" a {way} by {rules.margin:g} would have been found"
            )
            evidence[DETECTABLE] = rules.margin
        else:
            more = _needed(float(non_inferior.level[epoch]), float(room[epoch]), float(held.variance[epoch]), rules)
            more = max(more, rules.min_answers - n)
            outlook = _outlook(more, float(room[epoch]), before, rules)
            if room[epoch] > 0.0:
                evidence["needed"] = float(more)
                if out_of_reach(n, more, seen_within):
                    outlook = f"{FAILS} at this traffic it {needing('a larger `margin`', index.epochs[epoch][0])}"
            reason = f"{about} is not decided yet{moved}: {outlook}"
        verdict = SliceVerdict(
            slice=dict(index.epochs[epoch][0]),
            state=outcome,
            reason=reason,
            **shown[epoch],
            evidence={
                "e_rollback": float(inferior.level[epoch]),
                "e_promote": float(non_inferior.level[epoch]),
                "n_candidate": float(n),
                "n_baseline": float(before),
                **evidence,
            },
            alarmed_at=tick_end(int(inferior.alarmed[epoch]), rules.inferior.tick) if outcome == "fail" else None,
            cause=f"release {state.version or ''}".strip() if outcome == "fail" else None,
        )
        if REFERENCE not in evidence:
            yield verdict
            continue
        kept = evidence[REFERENCE] + (rules.inferior.sign * rules.margin if outcome == "pass" else 0.0)
        yield agreeing(verdict, kept, worse=rules.inferior.sign, inside=True)


def _decided(table: DetectorTable, epoch: int, rules: HistoricalRules) -> str:
    """Return when a detector decided, which stands whatever comes later."""
    return f"decided at {tick_end(int(table.alarmed[epoch]), rules.inferior.tick):%Y-%m-%d %H:%MZ}"


def _needed(level: float, room: float, variance: float, rules: HistoricalRules) -> int:
    """Return about how many more answers pass a release that is as good as what was before it; 0 if none do.

    A bet that suits ``room``, the distance from the mean to what is bet against, grows by ``room**2 / (2 s2)`` an
    answer, and is one of those that have to reach the threshold together.
    """
    if room <= 0.0:
        return 0
    gap = math.log(len(SHIFTS) / rules.alpha_promote) - math.log(min(max(level, 1.0), 1.0 / rules.alpha_promote))
    return math.ceil(gap * 2.0 * (variance + room**2) / room**2)


def _outlook(more: int, room: float, before: int, rules: HistoricalRules) -> str:
    """Return what a release that is not decided needs."""
    if room > 0.0:
        return f"about {more:,} more answers are needed to pass if it is as good"
    shown = f"the {counted(before)} before it cannot show a difference of {rules.margin:g}"
    return f"{FAILS} it needs a larger `margin`: {shown}"


def _before(series: SeriesTable, epoch: int, rules: HistoricalRules) -> dict[str, float]:
    """Return the mean of what was served before, where something was."""
    mine = series.epoch == epoch
    weight, loss = (math.fsum(column[mine].tolist()) for column in (series.seen.weight, series.seen.loss))
    if not weight:
        return {}
    mean = min(1.0, loss / weight)
    return {REFERENCE: float(rules.scale.own(mean if rules.inferior.sign > 0 else 1.0 - mean))}


def _moved(shown: Mapping[str, Any], evidence: Mapping[str, float], before: int) -> str:
    """Return the means before and since the release, as a reason goes on."""
    then = f"{evidence[REFERENCE]:.3g} over {counted(before)}" if REFERENCE in evidence else ""
    if not shown["n"]:
        return f": {then} before, no answers since" if then else ": no answers since"
    since = f"{shown['estimate']:.3g} over {counted(shown['n'])} since"
    return f": from {then} to {since}" if then else f": {since}"


def _incomparable(learned: int, rules: HistoricalRules) -> str:
    """Return why a slice is not compared.

    What is learned goes on to grow after a release that found no reference, so it may be more than was needed by now.
    """
    needed = rules.inferior.min_reference
    if learned < needed:
        return f"nothing to compare with: {counted(learned)} of before the release, {needed:,} are needed"
    few = f"fewer than {needed:,} answers before the release are there, or outside its scope"
    return f"nothing to compare with: {few}; check the scope of the release, or route to both releases"


def dumped(
    state: HistoricalControl, index: SeriesIndex, series: Sequence[int], epochs: Sequence[int]
) -> dict[str, Any]:
    """Return a state as JSON takes it, its series and slice-epochs in the orders given."""
    return {
        "worse": state.inferior.grown(index).dumped(series, epochs),
        "kept": state.non_inferior.grown(index).dumped(series, epochs),
        "since": state.since,
        "version": state.version,
        "told": state.named_at,
    }


def load(data: Mapping[str, Any], index: SeriesIndex) -> HistoricalControl:
    """Restore what `dumped` returned, for keys in its order."""
    return HistoricalControl(
        inferior=Monitor.load(data["worse"], index),
        non_inferior=Monitor.load(data["kept"], index),
        since=data["since"],
        version=data["version"],
        named_at=data["told"],
    )
