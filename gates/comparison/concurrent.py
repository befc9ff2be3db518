"""Verdicts over a release with a concurrent control: both arms as they run side by side."""

from __future__ import annotations

from collections.abc import Iterator

from gates.base.verdict import Outcome, SliceVerdict
from gates.comparison.arms import Comparison, ComparisonRules
from gates.comparison.cells import ComparisonLayout
from gates.evidence import detector, intervals, twosample
from gates.evidence.intervals import WeightedTotals
from gates.units.instants import tick_end
from gates.windowing.series import SeriesIndex
from gates.windowing.watermark import UNKNOWN

MISSED = 0.0125
"""Chance of missing, of each end of either arm: their difference lies within its interval with 95 %, at one reading."""


def judged(
    state: Comparison, index: SeriesIndex, layout: ComparisonLayout, rules: ComparisonRules, *, min_answers: int
) -> Iterator[SliceVerdict]:
    """Yield the verdict over every slice with answers of both arms; with fewer than ``min_answers`` none passes."""
    slices, sign, width = state.slices, rules.sign, rules.scale.width
    rollback, promote = detector.level(slices.rollback), detector.level(slices.promote)
    compared = index.latest(slices.last, slices.compared)
    blamed = {each for each in compared if slices.named[each] != UNKNOWN} or {max(compared, key=lambda c: rollback[c])}
    candidate, baseline = slices.candidate, slices.baseline
    if layout.stratified:
        shift, least, most = state.cells.difference(layout, MISSED)
    else:
        mean, low, high = intervals.bounds(WeightedTotals.of(slices.arms), MISSED)
        shift, least, most = mean[:, 1] - mean[:, 0], low[:, 1] - high[:, 0], high[:, 1] - low[:, 0]
    for each in compared:
        answers, others = int(candidate.n[each]), int(baseline.n[each])
        difference = width * float(shift[each])
        left, smallest = _outlook(state, each, rules, promote=float(promote[each]), answers=answers)
        smallest *= width
        if state.failed != UNKNOWN and each in blamed:
            outcome: Outcome = "fail"
            way = "higher" if sign * difference > 0 else "lower"
            reason = (
                f"the candidate is worse: {rules.metric} is {abs(difference):.3g} {way}"
                f" over {answers:,} of its answers than over {others:,} of the baseline"
            )
        elif slices.passed[each] != UNKNOWN and answers >= min_answers:
            outcome = "pass"
            reason = (
                f"the candidate is not worse by {width * rules.margin:g}: {rules.metric} over {answers:,} of its"
                f" answers against {others:,} of the baseline"
            )
        else:
            outcome = "inconclusive"
            more = max(left, min_answers - answers)
            reason = f"about {more:,} more candidate answers are needed to pass if it is as good"
            if smallest < width:
                reason += f"; {answers:,} answers can detect a difference of {smallest:.2g}"
        ends = sorted(sign * width * float(end) for end in (least[each], most[each]))
        yield SliceVerdict(
            slice=dict(index.epochs[each][0]),
            state=outcome,
            reason=reason,
            n=answers,
            effective_n=candidate.effective_n(each),
            estimate=sign * difference,
            lower=ends[0],
            upper=ends[1],
            evidence={
                "e_rollback": float(rollback[each]),
                "e_promote": float(promote[each]),
                "n_candidate": float(answers),
                "n_baseline": float(others),
                "needed": float(left),
                "detectable": smallest,
            },
            alarmed_at=tick_end(state.failed, rules.tick) if outcome == "fail" else None,
            cause=f"release {state.candidate}".strip() if outcome == "fail" else None,
        )


def misrouted(state: Comparison) -> str | None:
    """Return what is wrong with the clusters that answers name, as a sentence; ``None`` where nothing is seen of it.

    >>> misrouted(Comparison())
    """
    split = state.units.split
    if not split:
        return None
    clusters = f"{split:,} of {state.units.several:,} clusters with several answers were"
    if state.units.several == 1:
        clusters = "the one cluster with several answers was"
    return (
        f"{clusters} in both arms at one share of traffic, so traffic is not routed by cluster: name what stays with an"
        " arm as the cluster, or leave it out if every answer is routed by itself"
    )


def _outlook(
    state: Comparison, place: int, rules: ComparisonRules, *, promote: float, answers: int
) -> tuple[int, float]:
    """Return how many more answers would pass an equal candidate, and the smallest difference that those seen show."""
    seen, share = state.slices.seen, float(state.slices.share[place])
    n, mean = seen.n[place], seen.plain[place] / seen.n[place]
    variance = max(float(seen.plain2[place] / n - mean**2), 1e-6)
    left = twosample.needed(
        promote,
        bets=len(twosample.NON_INFERIOR),
        alpha=rules.alpha_promote,
        effect=rules.margin,
        variance=variance,
        share=share,
    )
    smallest = twosample.detectable(
        answers, bets=len(twosample.INFERIOR), alpha=rules.alpha_rollback, variance=variance, share=share
    )
    return left, smallest
