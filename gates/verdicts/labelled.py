"""What a verdict says of a slice that is judged by labels: its rate, and whether the scorer still means the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gates.base.verdict import SliceVerdict
from gates.evidence import predictions
from gates.evidence.arrays import Floats
from gates.evidence.judgeerror import JudgeError
from gates.evidence.predictions import LabelRule, PredictionSums
from gates.units.scale import Scale

ALPHA = 0.025
"""The error of each bound of an interval: both make 95 %."""
MISSING, UNCOUNTED, UNPROVED = "labels are missing", "labels do not count", "predictions alone are no verdict"
UNLABELLED = (MISSING, UNCOUNTED, UNPROVED)
"""What reasons say where a gate waits for people."""


def labelled_figures(
    sums: PredictionSums, trust: Floats, rule: LabelRule, *, sign: int, scale: Scale, judge: JudgeError | None
) -> list[dict[str, Any]]:
    """Return number, effective number, estimate and bounds of every slice, by the names of `SliceVerdict`.

    The effective number is that of answers all labelled, in which a mean would be as uncertain. ``judge`` is whose
    labels they are, if not people's.
    """
    center, (low, high) = predictions.mean(sums, trust), predictions.bounds(sums, trust, rule, ALPHA)
    error = predictions.standard_error(sums, trust)
    rows = []
    for place, answers in enumerate(sums.n.astype(int).tolist()):
        row: dict[str, Any] = {"n": answers, "effective_n": 0.0}
        if sums.labels[place] >= predictions.LEAST_LABELS:
            mean = min(1.0, max(0.0, float(center[place])))
            parts = (mean, float(low[place]), float(high[place]))
            worth = mean * (1.0 - mean) / float(error[place]) ** 2 if error[place] > 0.0 else float(answers)
            row["effective_n"] = min(float(answers), worth)
            if judge is not None:
                parts = judge.corrected(*parts, predictions.quantile(ALPHA))
            own = [scale.own(part if sign > 0 else 1.0 - part) for part in parts]
            row |= {"estimate": own[0], "lower": min(own[1:]), "upper": max(own[1:])}
        rows.append(row)
    return rows


def with_labels(verdict: SliceVerdict, sums: PredictionSums, place: int, rule: LabelRule) -> SliceVerdict:
    """Return the verdict with how many labels it rests on; nothing passes on labels that are missing or unlawful."""
    labels, expected = int(sums.labels[place]), float(sums.expected[place])
    told = "1 of them labelled" if labels == 1 else f"{labels:,} of them labelled"
    update: dict[str, Any] = {
        "evidence": {**verdict.evidence, "labels": float(labels)},
        "reason": f"{verdict.reason}; {told}",
    }
    problem = None
    if sums.broken[place]:
        drawn = (
            "`label_rule: active`, which draws an answer of predicted loss f with f / (1 + f) at least; where all are"
            " drawn alike, set `label_rule: uniform`"
            if rule.active
            else "`label_rule: uniform`, which draws every answer alike"
        )
        problem = (
            f"{int(sums.broken[place]):,} {UNCOUNTED}: their `label_probability` is missing, or below"
            f" `label_probability` {rule.least:g} of the gate or below its {drawn}; else lower"
            " `label_probability` to how likely answers were to be labelled"
        )
    elif predictions.missing(sums)[place]:
        problem = (
            f"{MISSING}: {labels:,} came, at least {expected:.0f} were to be expected; label the answers that"
            " were drawn, or correct `label_probability`"
        )
    elif labels < predictions.LEAST_LABELS and verdict.state == "pass":
        problem = f"{told}: {UNPROVED}; label the answers that were drawn"
    if problem is not None:
        update["reason"] = f"{verdict.reason}; {problem}" if verdict.state == "fail" else problem
        update["state"] = "fail" if verdict.state == "fail" else "inconclusive"
    return verdict.model_copy(update=update)


def with_scorer_drift(verdict: SliceVerdict, metric: str, way: int, evidence: Mapping[str, float]) -> SliceVerdict:
    """Return the verdict with the news that the scorer has drifted; ``way`` is 1 where failures are more than it says.

    >>> passed = SliceVerdict(slice={}, state="pass", reason="no fall shown", n=90, effective_n=40)
    >>> with_scorer_drift(passed, "claim_support", -1, {}).reason
    'no fall shown; the scorer has drifted: by the labels, claim_support is better than it says; calibrate it anew'
    """
    word = "worse" if way > 0 else "better"
    reason = f"{verdict.reason}; the scorer has drifted: by the labels, {metric} is {word} than it says"
    return verdict.model_copy(
        update={"reason": f"{reason}; calibrate it anew", "evidence": {**verdict.evidence, **evidence}}
    )
