"""A verdict where answers came too late to count: it says how many, and with too many of them nothing passes."""

from __future__ import annotations

from gates.base.verdict import LateAnswers, Verdict
from gates.verdicts.pending import withheld
from gates.verdicts.summary import answers_in

MANY, SHARE = 10, 0.02
"""So many answers, and such a share of all of a day, keep a verdict from passing."""
NEARLY_ALL = 0.995
"""From this share on two digits would say 1e+02 %."""


def without_late(verdict: Verdict, day: LateAnswers) -> Verdict:
    """Return the verdict with what was left out of the answers of the last day.

    Late answers are left out by when they came, not by what they show; but what comes late is often what is slow, and
    what is slow fails more often. So where they are many, nothing passes. What fails goes on to fail: that was proved
    by answers that are there.

    >>> from datetime import datetime
    >>> known = {"gate": "g", "state": "pass", "at": datetime(2026, 1, 1, 12), "no_data": False, "policy_version": "1"}
    >>> without_late(Verdict(**known, reason="no fall shown"), LateAnswers(900, 50, 40)).reason
    'no fall shown; 40 of 900 recent answers (4.4 %) came too late and were left out'
    """
    if not day.left_out:
        return verdict
    # Before the first that came out of order none were counted.
    seen = max(day.seen, day.left_out + answers_in(verdict.slices))
    share = day.left_out / seen
    why = f"{day.left_out:,} of {seen:,} recent answers ({percent(share)} %) came too late and were left out"
    if day.left_out >= MANY and share >= SHARE and any(part.state == "pass" for part in verdict.slices):
        verdict = withheld(verdict, why)
    if why in verdict.reason:
        return verdict
    return verdict.model_copy(update={"reason": f"{verdict.reason}; {why}"})


def percent(share: float) -> str:
    """Return a share as a percentage of two digits, more only where it is near 100.

    >>> percent(0.0444), percent(0.00012), percent(0.999), percent(1.0), percent(0.9999)
    ('4.4', '0.012', '99.9', '100', '99.99')
    """
    hundred = 100.0 * share
    return f"{hundred:.2g}" if share < NEARLY_ALL else f"{hundred:.4g}"
