"""Verdicts over a release with a concurrent control: both arms as they run side by side."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from gates.base.verdict import Outcome, SliceVerdict
from gates.comparison.arms import LEAST_SEEN, Comparison, ComparisonRules
from gates.comparison.cells import ComparisonLayout
from gates.evidence import detector, intervals, twosample
from gates.evidence.arrays import Bools, Floats
from gates.evidence.intervals import WeightedTotals
from gates.inputs.slices import Slice
from gates.units.instants import tick_end
from gates.verdicts.summary import CANDIDATE_MEAN, DETECTABLE, REFERENCE, agreeing, counted, needing, subject
from gates.windowing.series import SeriesIndex
from gates.windowing.watermark import UNKNOWN

FAR = 1_000
"""No pass is promised that takes so many times the answers so far: a rollout of two hours would go on for months."""
MISSED = 0.0125
"""Chance of missing, of each end of either arm: their difference lies within its interval with 95 %, at one reading."""
ALIKE = 1e-6
"""Variance of losses that are as good as equal."""
DIGITS = 12
"""Decimals of a difference of means that rounding does not touch."""


def judged(
    state: Comparison,
    index: SeriesIndex,
    layout: ComparisonLayout,
    rules: ComparisonRules,
    there: Bools,
    *,
    min_answers: int,
) -> Iterator[SliceVerdict]:
    """Yield the verdict over every slice with answers of both arms, of those that still have the candidate.

    ``there`` says of each slice-epoch whether it does. With fewer than ``min_answers`` none passes.
    """
    slices, sign, width = state.slices, rules.sign, rules.scale.width
    rollback, promote = detector.level(slices.rollback), detector.level(slices.promote)
    compared = index.latest(slices.last, slices.compared)
    blamed = {each for each in compared if slices.named[each] != UNKNOWN} or {max(compared, key=lambda c: rollback[c])}
    # A decision stands, also where later answers turn out otherwise; then its figures are those it was made on.
    failing = np.isin(np.arange(len(slices.last)), list(blamed)) & (state.failed != UNKNOWN)
    enough = (slices.decided[:, 0, 0] > 0.0) & (slices.decided[:, 1, 0] >= np.where(failing, 1, min_answers))
    stands = (failing | (slices.passed != UNKNOWN)) & enough
    each_mean = slices.arms[:, :, 2] / np.maximum(slices.arms[:, :, 1], 1e-300)
    now = each_mean[:, 1] - each_mean[:, 0]
    turned = stands & np.where(failing, now <= 0.0, now >= rules.margin)
    arms = np.where(turned[:, None, None] & (not layout.stratified), slices.decided, slices.arms)
    candidate, baseline = WeightedTotals.of(arms[:, 1]), WeightedTotals.of(arms[:, 0])
    if layout.stratified:
        shift, least, most = state.cells.difference(layout, MISSED)
    else:
        mean, low, high = intervals.bounds(WeightedTotals.of(arms), MISSED)
        shift, least, most = mean[:, 1] - mean[:, 0], low[:, 1] - high[:, 0], high[:, 1] - low[:, 0]
    for each in (one for one in compared if there[one]):
        answers, others = int(candidate.n[each]), int(baseline.n[each])
        # Without what rounding leaves of equal means, and without a zero of its own sign.
        difference = round(width * float(shift[each]), DIGITS) + 0.0
        left, smallest = _outlook(state, each, rules, answers)
        smallest *= width
        about = subject(rules.metric, index.epochs[each][0])
        means = [_mean(arms[each, arm], rules) for arm in (0, 1)]
        moved, higher = f"from {means[0]:.3g} to {means[1]:.3g}", "higher" if sign * difference > 0 else "lower"
        inside = f" over all strata with the mix of each arm, {abs(difference):.3g} {higher} inside of them"
        moved += inside if layout.stratified else ""
        evidence: dict[str, float] = {REFERENCE: means[0], CANDIDATE_MEAN: means[1]}
        if state.failed != UNKNOWN and each in blamed:
            outcome: Outcome = "fail"
            reason = (
                f"the candidate is worse: {about} is {abs(difference):.3g} {higher}"
                f" over {answers:,} of its answers than over {others:,} of the baseline, {moved};"
                f" decided at {tick_end(state.failed, rules.tick):%Y-%m-%d %H:%M UTC}"
            )
        elif slices.passed[each] != UNKNOWN and answers >= min_answers:
            outcome = "pass"
            reason = (
                f"the candidate is not worse by {width * rules.margin:g}: {about} over {answers:,} of its"
                f" answers against {others:,} of the baseline, {moved};"
                f" decided at {tick_end(int(slices.passed[each]), rules.tick):%Y-%m-%d %H:%M UTC};"
                f" a {'rise' if sign > 0 else 'fall'} by {width * rules.margin:g} would have been found"
                f" (with {100.0 * (1.0 - rules.alpha_promote):.4g} %)"
            )
            evidence[DETECTABLE] = width * rules.margin
        else:
            outcome = "inconclusive"
            far = answers >= min_answers and left > FAR * answers
            needs = _needs(max(left, min_answers - answers), int(slices.apart[each]), index.epochs[each][0], far=far)
            reason = f"{about} is not decided so far, {moved} over {counted(answers)} of the candidate: {needs}"
            if smallest < width:
                reason += f"; {answers:,} answers can detect a difference of {smallest:.2g}"
                evidence[DETECTABLE] = smallest
            if state.failed != UNKNOWN:
                reason += "; other slices show that the candidate is worse"
        ends = sorted(sign * width * float(end) for end in (least[each], most[each]))
        verdict = SliceVerdict(
            slice=dict(index.epochs[each][0]),
            state=outcome,
            reason=reason,
            n=answers,
            effective_n=candidate.effective_n(each),
            estimate=sign * difference + 0.0,
            lower=ends[0],
            upper=ends[1],
            evidence={
                "e_rollback": float(rollback[each]),
                "e_promote": float(promote[each]),
                "n_candidate": float(slices.candidate.n[each]),
                "n_baseline": float(slices.baseline.n[each]),
                "needed": float(max(left, min_answers - answers, 0)),
                **evidence,
            },
            alarmed_at=tick_end(state.failed, rules.tick) if outcome == "fail" else None,
            cause=f"release {state.candidate}".strip() if outcome == "fail" else None,
            candidate=state.candidate or None,
            baseline=state.baseline,
        )
        kept = 0.0 if outcome == "fail" else sign * width * rules.margin
        yield agreeing(verdict, kept, worse=sign, inside=True)


def _mean(totals: Floats, rules: ComparisonRules) -> float:
    """Return the mean of an arm's answers, in the unit of the metric."""
    _, weight, weighted, _ = totals.tolist()
    loss = min(1.0, weighted / weight)
    return float(rules.scale.own(loss if rules.sign > 0 else 1.0 - loss))


def incomparable(state: Comparison) -> str:
    """Return why a candidate is compared with nothing, and what is needed.

    >>> incomparable(Comparison(candidate="2")).split(": ")[0]
    'none of them can be compared'
    """
    if state.slices.candidate.n.any():
        return "none of the baseline at the same time: answers of both arms are needed in a slice"
    return (
        "none of them can be compared: each answer of both arms needs the `share` of traffic that the candidate had,"
        " above 0 and below 1"
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


def _needs(more: int, apart: int, slice_: Slice, *, far: bool) -> str:
    """Return what it takes to pass; ``apart`` answers are no evidence, and where it is ``far`` so many never come."""
    told = f"about {more:,} more candidate answers are needed to pass if it is as good"
    if apart:
        return (
            f"{told}, with a share below 1: all traffic goes to the candidate, so its last {counted(apart)} cannot be"
            " compared and none that follow can; give the baseline a share"
        )
    return f"it can still fail, but to pass at this traffic it {needing('a larger `margin`', slice_)}" if far else told


def _outlook(state: Comparison, place: int, rules: ComparisonRules, answers: int) -> tuple[int, float]:
    """Return how many more answers would pass an equal candidate, and the smallest difference that those seen show.

    Answers that are all alike do not tell how much scores vary, so not either what would show: 1, the whole range.
    """
    seen, share = state.slices.seen, float(state.slices.share[place])
    n, mean = seen.n[place], seen.plain[place] / seen.n[place]
    shown = float(seen.plain2[place] / n - mean**2)
    variance = max(shown, ALIKE)
    left = twosample.needed(
        state.slices.promote[place],
        mean=float(mean),
        variance=variance,
        share=share,
        margin=rules.margin,
        alpha=rules.alpha_promote,
    )
    smallest = 1.0
    if shown > ALIKE:
        smallest = twosample.detectable(
            answers, bets=len(twosample.INFERIOR), alpha=rules.alpha_rollback, variance=variance, share=share
        )
    # The first answers are not bet on.
    return left + math.ceil(share * max(0.0, LEAST_SEEN - n)), smallest
