"""A release with a historical control: what came after it against what was served before it.

Two e-detectors (`gates.evidence.detector`) begin with the release, with a start weight of 1 at that moment and none
later, so each is an e-process. *Inferior*: answers are no worse than the upper bound of what was served before.
*Non-inferior*, with losses turned round: they are worse than the reference by the margin or more, as its bound on the
other side has it. A slice is inferior where its evidence reaches ``K / alpha``, or by e-BH at ``alpha``; either takes a
mean of ``1 / alpha`` over the ``K`` slices that this release touched and that had a reference then, and the mean is an
e-process, where the evidence of a slice that has failed is frozen as well. So by Ville's inequality a release that is
no worse fails with a probability of at most ``alpha``, whatever is released in other slices. It passes where every
slice of it does, each at ``1 / alpha``, so one that is worse by the margin in any slice passes with at most ``alpha``.

Premises: as long as nothing but the release changed at that moment, and every hour after it may be held against the
mean of before. The bounds of the reference miss in one slice of a hundred each, which is not part of ``alpha``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Self

import numpy as np

from gates.base.verdict import Outcome, SliceVerdict
from gates.evidence import detector, growth
from gates.evidence.arrays import Floats
from gates.evidence.intervals import WeightedTotals
from gates.inputs.slices import Slice
from gates.monitoring.levels import held_against
from gates.monitoring.released import AS_GOOD, WORSE, HistoricalControl, ReleaseRules
from gates.units.duration import format_duration
from gates.units.instants import MICROSECOND, tick_end
from gates.units.scale import Scale
from gates.verdicts.summary import DETECTABLE, REFERENCE, agreeing, counted, figures, needing, out_of_reach, subject
from gates.windowing.series import SeriesIndex
from gates.windowing.watermark import UNKNOWN

FAILS = "it can still fail, but to pass"
"""What is said of a release that more answers like these will not decide."""
MISSED = 0.025
"""The chance of each end of an interval to miss the mean, at one reading."""
LEAST = 1e-300
"""In place of 0 in a denominator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoricalRules(ReleaseRules):
    """What a verdict says beside what decides it.

    ``margin`` is in the unit of the metric that is ``judged``, and ``alpha_promote`` the error of a pass. Answers count
    at most ``delay`` after they came.
    """

    judged: str
    margin: float
    scale: Scale
    alpha_promote: float
    delay: timedelta

    @property
    def sign(self) -> int:
        """1 where a higher value is worse, -1 where a lower one is."""
        return self.inferior.sign

    def own(self, loss: float) -> float:
        """Return a mean loss in the unit of the metric."""
        return float(self.scale.own(loss if self.sign > 0 else 1.0 - loss))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HistoricalFigures:
    """What verdicts show, by slice-epoch.

    ``before`` is the mean loss of the reference and ``learned`` over how many answers. Evidence of a pass bets against
    ``level``; ``room`` is how far that lies from the mean, 0 where such evidence does not grow, and ``variance`` that
    of a loss. ``figures`` are
    those of the answers since the release, or those a decision was made on, where later ones would contradict it.
    """

    before: Floats
    learned: Floats
    level: Floats
    room: Floats
    variance: Floats
    figures: Sequence[Mapping[str, Any]]

    @classmethod
    def of(cls, state: HistoricalControl, rules: HistoricalRules) -> Self:
        """Return what is to be shown of a state."""
        series, table = state.inferior.series, state.slices
        many = len(table.release)
        learned, weight, loss = (
            np.bincount(series.epoch, weights=column, minlength=many)
            for column in (series.seen.n, series.seen.weight, series.seen.loss)
        )
        before = np.minimum(1.0, loss / np.maximum(weight, LEAST))
        since = WeightedTotals(*table.since.T)
        now = since.weighted / np.maximum(since.weight, LEAST)
        failed, passed = table.failed != UNKNOWN, table.passed != UNKNOWN
        turned = np.where(failed, now <= before, passed & (now >= before + rules.margin / rules.scale.width))
        told = np.where(turned[:, None], table.decided, table.since)
        held = held_against(state.non_inferior.series, many)
        return cls(
            before=before,
            learned=learned.astype(np.float64),
            level=held.level,
            room=np.where(held.level > 0.0, np.maximum(held.mean - held.level, 0.0), 0.0),
            variance=held.variance,
            figures=figures(WeightedTotals(*told.T), sign=rules.sign, scale=rules.scale, alpha=MISSED),
        )


def candidate(state: HistoricalControl, index: SeriesIndex, rules: HistoricalRules, last: int) -> str | None:
    """Return the version of the candidate, as of the end of the tick ``last``; ``None`` where slices have several."""
    versions = {state.version(place, rules) for place in _places(state, index, rules, last)}
    return next(iter(versions)) if len(versions) == 1 else None


def judged(state: HistoricalControl, index: SeriesIndex, rules: HistoricalRules, last: int) -> Iterator[SliceVerdict]:
    """Yield the verdict over every slice that has had a release, as of the end of the tick ``last``."""
    places = _places(state, index, rules, last)
    if not places:
        return
    shown = HistoricalFigures.of(state, rules)
    for place in places:
        slice_, found = index.epochs[place][0], state.slices.found[place].tolist()
        outcome, reason, more = _outcome(place, state, shown, rules, slice_, last)
        version, n = state.version(place, rules), float(shown.figures[place]["n"])
        levels = [float(each.epochs.level[place]) for each in (state.inferior, state.non_inferior)]
        evidence = {
            "e_rollback": found[WORSE] if outcome == "fail" else levels[WORSE],
            "e_promote": found[AS_GOOD] if outcome == "pass" else levels[AS_GOOD],
            "n_candidate": n,
            "n_baseline": float(shown.learned[place]),
            **more,
        }
        verdict = SliceVerdict(
            slice=dict(slice_),
            state=outcome,
            reason=reason,
            **shown.figures[place],
            evidence=evidence,
            alarmed_at=tick_end(int(state.slices.failed[place]), rules.inferior.tick) if outcome == "fail" else None,
            cause=f"release {version or ''}".strip() if outcome == "fail" else None,
            candidate=version,
        )
        if REFERENCE not in evidence:
            yield verdict
            continue
        kept = evidence[REFERENCE] + (rules.sign * rules.margin if outcome == "pass" else 0.0)
        yield agreeing(verdict, kept, worse=rules.sign, inside=True)


def _places(state: HistoricalControl, index: SeriesIndex, rules: HistoricalRules, last: int) -> list[int]:
    """Return the newest slice-epoch of every slice that has had a release, in the order of slices."""
    return index.latest(state.inferior.epochs.heard, state.watched(last, rules))


def _outcome(
    place: int, state: HistoricalControl, shown: HistoricalFigures, rules: HistoricalRules, slice_: Slice, last: int
) -> tuple[Outcome, str, dict[str, float]]:
    """Return what is said of one slice-epoch, why, and what else the evidence holds."""
    table, n = state.slices, shown.figures[place]["n"]
    about, before = subject(rules.judged, slice_), int(shown.learned[place])
    evidence = {REFERENCE: rules.own(float(shown.before[place]))} if before else {}
    moved = _moved(shown.figures[place], evidence, before, rules)
    if state.inferior.epochs.changed[place] == UNKNOWN:
        return "inconclusive", f"{about}: {_incomparable(before, rules)}; {counted(n)} came since", evidence
    if table.failed[place] != UNKNOWN:
        when = _when(int(table.failed[place]), rules)
        return "fail", f"{about} is worse than before the release{moved}; {when}", evidence
    if table.passed[place] != UNKNOWN:
        way = "rise" if rules.sign > 0 else "fall"
        reason = (
            f"{about} is not worse by {rules.margin:g} than before the release{moved};"
            f" {_when(int(table.passed[place]), rules)};"
            f" a {way} by {rules.margin:g} would have been found"
        )
        return "pass", reason, {**evidence, DETECTABLE: rules.margin}
    told = f"{about} is not decided yet{moved}"
    if shown.room[place] <= 0.0:
        few = f"the {counted(before)} before it cannot show a difference of {rules.margin:g}"
        return "inconclusive", f"{told}: {FAILS} it needs a larger `margin`: {few}", evidence
    more = max(_needed(place, state, shown, rules), rules.min_answers - n)
    came = last + 1 - state.by_number[int(table.release[place])].tick
    outlook = f"about {more:,} more answers are needed to pass if it is as good"
    if out_of_reach(n, more, came * rules.inferior.tick * MICROSECOND):
        outlook = f"{FAILS} at this traffic it {needing('a larger `margin`', slice_)}"
    return "inconclusive", f"{told}: {outlook}", {**evidence, "needed": float(more)}


def _when(tick: int, rules: HistoricalRules) -> str:
    """Return when it was decided, which stands whatever comes later."""
    return f"decided at {tick_end(tick, rules.inferior.tick):%Y-%m-%d %H:%M UTC}"


def _needed(place: int, state: HistoricalControl, shown: HistoricalFigures, rules: HistoricalRules) -> int:
    """Return about how many more answers pass a release that is as good as what was before it."""
    room, variance = float(shown.room[place]), float(shown.variance[place])
    level = float(shown.level[place])
    bets = detector.bets(level, variance)
    evidence = state.non_inferior.epochs.evidence[place] + state.non_inferior.epochs.pending_weight[place]
    return growth.answers_until(evidence, growth.rates(bets, room, variance), 1.0 / rules.alpha_promote)


def _moved(shown: Mapping[str, Any], evidence: Mapping[str, float], before: int, rules: HistoricalRules) -> str:
    """Return the means before and since the release, as a reason goes on."""
    then = f"{evidence[REFERENCE]:.3g} over {counted(before)}" if REFERENCE in evidence else ""
    if not shown["n"]:
        none = f"no answers since (they count up to {format_duration(rules.delay)} after they came)"
        return f": {then} before, {none}" if then else f": {none}"
    since = f"{shown['estimate']:.3g} over {counted(shown['n'])} since"
    return f": from {then} to {since}" if then else f": {since}"


def _incomparable(learned: int, rules: HistoricalRules) -> str:
    """Return why a slice is not compared.

    What is learned goes on to grow after a release that found no reference, so it may be more than was needed by now.
    """
    needed = rules.inferior.min_reference
    if learned < needed:
        return f"nothing to compare with: {counted(learned)} from before the release, {needed:,} are needed"
    few = f"fewer than {needed:,} answers are from before the release and in its scope"
    return f"nothing to compare with: {few}; check the scope of the release, or route to both releases"
