"""Labels of several reviewers settled: by majority, else by severity; and the agreement of reviewers.

Source: PROBE 3.5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from evaluation.reviewing.labels import ALL_AXES, SEVERE, ReviewLabel
from evaluation.statistics.agreement import cohen_kappa, fleiss_kappa, label_counts

How = Literal["majority", "severity", "adjudicator"]


class SettledAxis(NamedTuple):
    """The level of one axis, and how it was settled."""

    level: str
    how: How


class SettledLabels(NamedTuple):
    """The labels of one answer, settled, on the axes that have any.

    ``senior``: a senior adjudicator should look at them.
    """

    axes: dict[str, SettledAxis]
    primary: str | None
    secondary: tuple[str, ...]
    senior: bool


class AxisAgreement(NamedTuple):
    """How far reviewers agree on one axis, beyond chance: 1 always, 0 as by chance; ``None`` where it is undefined.

    ``cohen`` is the mean over pairs of reviewers, weighted by the answers that both labelled; ``fleiss`` is over
    answers with the same number of labels.
    """

    axis: str
    answers: int
    cohen: float | None
    fleiss: float | None


def settled(labels: Sequence[ReviewLabel], adjudicator: ReviewLabel | None = None) -> SettledLabels:
    """Return the labels of one answer as one. An adjudicator's label stands above all others.

    >>> from evaluation.reviewing.labels import ReviewLabel
    >>> fine = dict(acceptability="acceptable", evidence_sufficiency="sufficient", citation_correctness="correct",
    ...             conflict_handling="handled", safety_boundary="safe", grounding="fully_grounded")
    >>> bad = fine | dict(acceptability="unacceptable", grounding="ungrounded", primary="numeric_transposition")
    >>> found = settled([ReviewLabel(**fine), ReviewLabel(**fine), ReviewLabel(**bad)])
    >>> found.axes["grounding"], found.primary
    (SettledAxis(level='fully_grounded', how='majority'), None)
    """
    if not labels and adjudicator is None:
        raise ValueError("no labels")
    axes: dict[str, SettledAxis] = {}
    senior = False
    for axis, levels in ALL_AXES.items():
        given = [level for label in labels if (level := getattr(label, axis)) is not None]
        last = None if adjudicator is None else getattr(adjudicator, axis)
        if last is not None:
            axes[axis] = SettledAxis(last, "adjudicator")
        if last is not None or not given:
            continue
        (first, count), *_ = Counter(given).most_common(1)
        worst = max(given, key=levels.index)
        if axis == "safety_boundary" and SEVERE in given:
            axes[axis], senior = SettledAxis(SEVERE, "severity"), True
        elif 2 * count > len(given):
            axes[axis] = SettledAxis(first, "majority")
        else:
            axes[axis], senior = SettledAxis(worst, "severity"), True
    chosen = [adjudicator] if adjudicator is not None else labels
    if axes["safety_boundary"].level == SEVERE and adjudicator is None:
        axes["acceptability"] = SettledAxis("unacceptable", "severity")
    primary, secondary = _categories(chosen) if axes["acceptability"].level == "unacceptable" else (None, ())
    return SettledLabels(axes, primary, secondary, senior and adjudicator is None)


def agreements(labels: Sequence[dict[str, ReviewLabel]]) -> list[AxisAgreement]:
    """Return the agreement on each axis that has labels, over answers with their labels by reviewer."""
    return [found for axis in ALL_AXES if (found := _agreement(axis, labels)).answers]


def _agreement(axis: str, labels: Sequence[dict[str, ReviewLabel]]) -> AxisAgreement:
    levels = [{reviewer: getattr(label, axis) for reviewer, label in each.items()} for each in labels]
    given = [said for each in levels if (said := {name: one for name, one in each.items() if one is not None})]
    reviewers = sorted({reviewer for each in given for reviewer in each})
    weighted, weight = 0.0, 0
    for one, other in combinations(reviewers, 2):
        both = [(each[one], each[other]) for each in given if one in each and other in each]
        kappa = cohen_kappa([pair[0] for pair in both], [pair[1] for pair in both])
        if kappa is not None:
            weighted, weight = weighted + kappa * len(both), weight + len(both)
    counts = label_counts([list(each.values()) for each in given])
    return AxisAgreement(axis, len(given), weighted / weight if weight else None, fleiss_kappa(counts))


def _categories(labels: Sequence[ReviewLabel]) -> tuple[str | None, tuple[str, ...]]:
    """Return the category that most named first, and up to two that were named beside it, the most named first."""
    first = Counter(label.primary for label in labels if label.primary is not None)
    if not first:
        return None, ()
    primary = min(first, key=lambda name: (-first[name], name))
    named = Counter(
        name for label in labels for name in (label.primary, *label.secondary) if name not in (None, primary)
    )
    return primary, tuple(sorted((str(name) for name in named), key=lambda name: (-named[name], name))[:2])  # type: ignore[index]
