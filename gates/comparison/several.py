"""Several metrics in one verdict over a release: which of them are judged with which error, and what they say together.

The release is rolled back where any of its metrics is worse, so what may go wrong adds up: the errors of all metrics
sum to at most the one of the gate, an equal part each where none is given (C. E. Bonferroni, 1936; the union bound,
whatever the metrics have to do with each other). It is passed only where no metric is worse by its margin, and then
each of them had to be wrong that should not have passed: every metric has the whole error (R. L. Berger,
"Multiparameter hypothesis testing and acceptance sampling", Technometrics 24, 1982, theorem 1).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from pydantic import Field

from gates.base.labels import GOOD, GoodLabels
from gates.base.verdict import Outcome, SliceVerdict, Verdict, worst
from gates.inputs.slices import Slice
from gates.verdicts.summary import summary
from scorers.base import Value

MOST = 16
"""Metrics beside the first."""
LEAST = 1e-12
"""Errors smaller than this are rounding."""


class AlsoJudged(Value):
    """One more metric of a release."""

    metric: str = Field(description="Metric that is judged as well.")
    bounds: tuple[float, float | None] | None = Field(
        default=None, description="Range of a metric that no scorer gives, such as `[1, 5]`."
    )
    good: GoodLabels | None = Field(default=None, description=GOOD)
    worse: Literal["lower", "higher"] = Field(description="Which way the metric moves when quality falls.")
    margin: float | None = Field(
        default=None,
        gt=0,
        description="How much worse this metric may be and still pass. Default: a hundredth of its range.",
    )
    alpha_rollback: float | None = Field(
        default=None,
        gt=0,
        le=0.5,
        description="Its part of the gate's `alpha_rollback`. Default: metrics that name none share the rest equally.",
    )


def shared(alpha: float, given: Sequence[float | None]) -> list[float]:
    """Return the error of each metric, of which some are given; those that are not share what is left.

    Raises `ValueError` where nothing is left for them, or more is given than there is.

    >>> shared(0.05, [None, 0.01, None])
    [0.02, 0.01, 0.02]
    """
    left, many = alpha - sum(each for each in given if each is not None), sum(each is None for each in given)
    if left < -LEAST or (many and left <= 0.0):
        raise ValueError(f"errors of metrics sum to {alpha - left:g}, at most alpha_rollback, {alpha:g}, is allowed")
    return [round(left / many, 12) if each is None else each for each in given]


def together(verdicts: Mapping[str, Verdict]) -> Verdict:
    """Return the verdict of several metrics as one: by slice, it fails with any of them and passes with all."""
    by_metric = {metric: {tuple(part.slice.items()): part for part in each.slices} for metric, each in verdicts.items()}
    slices: dict[Slice, None] = dict.fromkeys(key for parts in by_metric.values() for key in parts)
    parts = tuple(
        _merged(key, {metric: each.get(key) for metric, each in by_metric.items()}, verdicts) for key in sorted(slices)
    )
    warned = dict.fromkeys(warning for each in verdicts.values() for warning in _beyond(each))
    first = next((each for each in verdicts.values() if each.candidate is not None), next(iter(verdicts.values())))
    state, reason = summary(parts, first.reason)
    reason = "; ".join([reason, *warned])
    update = {"state": state, "reason": reason, "slices": parts, "no_data": not any(part.n for part in parts)}
    return first.model_copy(update=update)


def _merged(key: Slice, parts: Mapping[str, SliceVerdict | None], verdicts: Mapping[str, Verdict]) -> SliceVerdict:
    """Return the verdict over one slice: what it shows is of the metric that decides."""
    states: dict[str, Outcome] = {
        metric: "inconclusive" if part is None else part.state for metric, part in parts.items()
    }
    state = worst(states.values())
    deciding = [metric for metric, each in states.items() if each == state]
    told = "; ".join(_told(metric, parts[metric], verdicts[metric]) for metric in deciding)
    shown = next(part for part in (*(parts[metric] for metric in deciding), *parts.values()) if part is not None)
    evidence = dict(_evidence(parts, shown))
    return shown.model_copy(update={"slice": dict(key), "state": state, "reason": told, "evidence": evidence})


def _beyond(verdict: Verdict) -> Iterator[str]:
    """Yield what a verdict says beside what its slices say: what it must be read with."""
    _, reason = summary(verdict.slices, verdict.reason)
    if verdict.reason.startswith(f"{reason}; "):
        yield verdict.reason.removeprefix(f"{reason}; ")


def _told(metric: str, part: SliceVerdict | None, verdict: Verdict) -> str:
    """Return why, with the name of the metric."""
    reason = verdict.reason if part is None else part.reason
    return reason if re.search(rf"(?<!\w){re.escape(metric)}(?!\w)", reason) else f"{metric}: {reason}"


def _evidence(parts: Mapping[str, SliceVerdict | None], shown: SliceVerdict) -> Iterator[tuple[str, float]]:
    yield from shown.evidence.items()
    for metric, part in parts.items():
        for name in ("e_rollback", "e_promote"):
            if part is not None and name in part.evidence:
                yield f"{name}_{metric}", part.evidence[name]
