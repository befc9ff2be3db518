"""Verdicts over a release that traffic is routed to: both arms as they run side by side."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gates.base import Outcome, SliceVerdict
from gates.comparison import arms
from gates.comparison.arms import Comparison, Terms
from gates.evidence import detector, intervals, twosample
from gates.inputs.observations import instant
from gates.windowing.strata import Keyed
from gates.windowing.watermark import UNKNOWN

MISSED = 0.0125
"""Chance of missing, of each end of either arm: their difference lies within its interval with 95 %, at one reading."""


def judged(found: Comparison, keyed: Keyed, terms: Terms, *, least: int) -> Iterator[SliceVerdict]:
    """Yield the verdict over every slice with answers of both arms; with fewer than ``least`` none passes."""
    pairs, sign = found.pairs, terms.sign
    rollback, promote = detector.level(pairs.rollback), detector.level(pairs.promote)
    compared = keyed.latest(pairs.last, arms.both(pairs))
    blamed = {cell for cell in compared if pairs.named[cell] != UNKNOWN} or {max(compared, key=lambda c: rollback[c])}
    n, weight, loss, heaviest = (pairs.arms[:, :, place] for place in range(4))
    mean, low, high = intervals.bounds(loss, n, weight, np.maximum(heaviest, 1.0), MISSED)
    width = terms.scale.width
    for cell in compared:
        answers, difference = int(n[cell, 1]), width * float(mean[cell, 1] - mean[cell, 0])
        left, smallest = _outlook(found, cell, terms, promote=float(promote[cell]), answers=answers)
        smallest *= width
        if found.failed != UNKNOWN and cell in blamed:
            outcome: Outcome = "fail"
            reason = f"the candidate is worse: {difference:.3g} over {answers} of its answers"
        elif pairs.passed[cell] != UNKNOWN and answers >= least:
            outcome, reason = "pass", f"the candidate is not worse by {width * terms.margin:g}"
        else:
            outcome = "inconclusive"
            reason = (
                f"about {max(left, least - answers)} more answers of the candidate"
                f" would pass an equal one; {answers} show a difference of {smallest:.2g}"
            )
        ends = sorted(sign * width * float(end) for end in (low[cell, 1] - high[cell, 0], high[cell, 1] - low[cell, 0]))
        yield SliceVerdict(
            slice=dict(keyed.cells[cell][0]),
            state=outcome,
            reason=reason,
            n=answers,
            effective_n=intervals.effective_n(answers, float(weight[cell, 1]), max(float(heaviest[cell, 1]), 1.0)),
            estimate=sign * difference,
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
            alarmed_at=instant((found.failed + 1) * terms.tick) if outcome == "fail" else None,
            cause=f"release {found.candidate}".strip() if outcome == "fail" else None,
        )


def _outlook(found: Comparison, cell: int, terms: Terms, *, promote: float, answers: int) -> tuple[int, float]:
    """Return how many more answers would pass an equal candidate, and the smallest difference that those seen show."""
    moments = found.pairs.moments[cell]
    center = moments[6] / moments[0]
    spread = max(float(moments[7] / moments[0] - center**2), 1e-6)
    share = float(found.pairs.share[cell])
    left = twosample.needed(
        promote,
        bets=len(twosample.KEPT),
        alpha=terms.alpha_promote,
        effect=terms.margin,
        variance=spread,
        share=share,
    )
    smallest = twosample.detectable(
        answers, bets=len(twosample.WORSE), alpha=terms.alpha_rollback, variance=spread, share=share
    )
    return left, smallest
