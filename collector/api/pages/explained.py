"""What the names of a verdict's evidence mean, to whoever reads them on a page."""

from __future__ import annotations

EXPLAINED = {
    "reference": "What the metric is held against: the limit of the gate, or the mean of the slice's own past.",
    "level": "What the mean must keep: the reference, less what it may be worse.",
    "detectable": "A mean this bad would have been found over these answers.",
    "e_value": "Evidence that the metric got worse: it grows while it is, and an alarm needs the threshold.",
    "threshold": "The evidence that raises an alarm.",
    "creep_e_value": "Evidence of a slow change since the first reference.",
    "creep_threshold": "The evidence of a slow change that raises an alarm.",
    "recovery": "Evidence that a slice which failed is as good as before.",
    "recovery_needed": "The evidence of recovery that ends a failure.",
    "calibrated_threshold": "The evidence that has raised an alarm as rarely as accepted in the slice's own past.",
    "budget_left": "Share left of the bad answers that the objective allows in its window; below 0 it is overspent.",
    "silent_seconds": "How long no answer has come, in seconds.",
    "e_rollback": "Evidence that the candidate is worse by more than accepted.",
    "e_promote": "Evidence that the candidate is not worse by more than accepted.",
    "n_candidate": "Scored answers of the candidate.",
    "n_baseline": "Scored answers of what it is compared with.",
    "needed": "Answers of the candidate that are still needed, if it is as good.",
    "unsafe": "Probability that an answer is unsafe.",
}  # fmt: skip
"""Words by the name in `gates.base.verdict.SliceVerdict.evidence`."""


def explained(name: str) -> str:
    """Return what a figure of the evidence means; nothing for one that its name explains.

    >>> explained("burn_1h"), explained("needed_wide")
    ('How many times faster than allowed bad answers came in the last 1h.', '')
    """
    if name.startswith("burn_"):
        return f"How many times faster than allowed bad answers came in the last {name.removeprefix('burn_')}."
    return EXPLAINED.get(name, "")
