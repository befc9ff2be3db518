"""What the names of a verdict's evidence mean, to whoever reads them on a page."""

from __future__ import annotations

EXPLAINED = {
    "reference": (
        "Held against",
        "What the metric is held against: the limit of the gate, or the mean of the slice's own past.",
    ),
    "others": (
        "Held against other slices",
        "The part of its traffic that is held against the mean of other slices, for want of a past.",
    ),
    "level": ("Must keep", "What the mean must keep: what it is held against, less what it may be worse."),
    "detectable": ("Detectable", "A mean this bad would have been found over these answers."),
    "e_value": (
        "Evidence of a fall",
        "Evidence that the metric got worse: it grows while it is, and an alarm needs what stands beside it.",
    ),
    "threshold": ("Alarm at", "The evidence of a fall that raises an alarm."),
    "alarms_per_week_proved": (
        "False alarms a week, at most",
        "Over all slices of the gate, if every one alarmed like this one; it holds for any distribution of scores.",
    ),
    "alarms_per_week_calibrated": (
        "False alarms a week, as expected",
        "The same for slices that go on as in their own pasts.",
    ),
    "creep_e_value": ("Evidence of a slow change", "Evidence of a slow change since the first reference."),
    "creep_threshold": ("Slow alarm at", "The evidence of a slow change that raises an alarm."),
    "recovery": ("Evidence of recovery", "Evidence that a slice which failed is as good as before."),
    "recovery_needed": ("Recovered at", "The evidence of recovery that ends a failure."),
    "calibrated_threshold": (
        "Calibrated alarm at",
        "The evidence that has raised an alarm as rarely as accepted in the slice's own past.",
    ),
    "budget_left": (
        "Error budget left",
        "Share left of the bad answers that the objective allows in its window; below 0 it is overspent.",
    ),
    "silent_seconds": ("Silent for, in seconds", "How long no answer has come."),
    "e_rollback": ("Evidence that it is worse", "Evidence that the candidate is worse by more than accepted."),
    "e_promote": ("Evidence that it is as good", "Evidence that the candidate is not worse by more than accepted."),
    "n_candidate": ("Answers of the candidate", "Scored answers of the candidate."),
    "n_baseline": ("Answers of the baseline", "Scored answers of what the candidate is compared with."),
    "needed": ("Answers still needed", "So many more answers like these are needed to decide, as far as can be told."),
    "answers_needed": ("Answers still needed", "At least so many more answers are needed before the slice is judged."),
    "scorer_e_value": ("Evidence of scorer drift", "Evidence that the scorer and people's labels have grown apart."),
    "scorer_drift": ("Scorer drifted", "1: the scorer is not trusted until it agrees with labels again."),
    "labels": ("Answers labelled", "How many of the answers people have labelled."),
    "unsafe": ("Unsafe", "Probability that an answer is unsafe."),
    "textless": ("Answers without text", "Answers that came without text, which nobody can score."),
    "unscored": ("Answers without a value", "Answers that came, but have no value of the metric."),
    "fallen": ("Cases that fell", "Cases of the suite that are worse than in the baseline."),
    "missing": ("Cases missing", "Cases of the suite that have no answer yet."),
    "new": ("New cases", "Cases of the suite that the baseline does not have."),
}  # fmt: skip
"""A title and a meaning by the name in `gates.base.verdict.SliceVerdict.evidence`."""


def explained(name: str) -> str:
    """Return what a figure of the evidence means; nothing for one that its name explains.

    >>> explained("burn_1h"), explained("needed_wide")
    ('How many times faster than allowed bad answers came in the last 1h.', '')
    """
    if name.startswith("burn_"):
        return f"How many times faster than allowed bad answers came in the last {name.removeprefix('burn_')}."
    return EXPLAINED[_known(name)][1] if _known(name) else ""


def titled(name: str) -> str:
    """Return a figure of the evidence as a page names it, with the metric where the name ends in one.

    >>> titled("e_value"), titled("burn_1h"), titled("e_rollback_latency"), titled("odd_one")
    ('Evidence of a fall', 'Burn rate over 1h', 'Evidence that it is worse: latency', 'Odd one')
    """
    if name.startswith("burn_"):
        return f"Burn rate over {name.removeprefix('burn_')}"
    known = _known(name)
    if not known:
        return name.replace("_", " ").capitalize()
    metric = name.removeprefix(known).removeprefix("_")
    return EXPLAINED[known][0] + (f": {metric}" if metric else "")


def _known(name: str) -> str:
    """Return the name that has an explanation: itself, or what stands before a metric in it."""
    if name in EXPLAINED:
        return name
    return next((each for each in ("e_rollback", "e_promote") if name.startswith(f"{each}_")), "")
