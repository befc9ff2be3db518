"""One run compared with another: for each metric and slice the mean of paired differences, and how sure it is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from evaluation.comparison.pairing import PairedAnswers, SliceOfPairs
from evaluation.comparison.runs import ScoredRun
from evaluation.comparison.spans import SPANS
from evaluation.statistics.bootstrap import (
    RESAMPLES,
    ConfidenceInterval,
    GroupTotals,
    bootstrap_intervals,
    totals_by_group,
)
from evaluation.statistics.correlation import Correlation, correlation
from evaluation.statistics.multiplicity import benjamini_hochberg, holm
from evaluation.statistics.power import detectable_difference
from evaluation.statistics.significance import (
    HypothesisTest,
    MeanError,
    cohens_d,
    mcnemar,
    mean_error,
    paired_t,
    wilcoxon,
)
from gates.evidence.arrays import Bools, Floats, Integers

Direction = Literal["higher", "lower"]
ComparisonVerdict = Literal[
    "better", "worse", "higher", "lower", "more unscored", "no difference shown", "identical", "too few pairs"
]
ALPHA = 0.05
LEAST_GROUPS = 2
"""Of one group nothing is known of how groups vary."""


class ComparedGroups(NamedTuple):
    """What independent groups of pairs say of a difference."""

    interval: ConfidenceInterval
    error: MeanError
    test: HypothesisTest
    wilcoxon: HypothesisTest | None


class UnscoredPairs(NamedTuple):
    """In how many pairs the answer of each run has no value, and whether one run has more of them.

    ``test`` is of pairs in which one answer alone has a value; ``None`` where there are none, or where the metric has
    no better end. ``holm`` is its p-value, adjusted for all tests of the comparison.
    """

    baseline: int
    candidate: int
    test: HypothesisTest | None = None
    holm: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRow:
    """One metric of one slice in two runs.

    ``unpaired`` are pairs of which one or both answers have no value: their metric says nothing of a difference.
    ``holm`` and ``bh`` are p-values adjusted for all tests of the comparison: a row in which values differ has one, and
    so has a row in which one answer of a pair alone has a value. ``detectable``
    is the difference that would have been found in four of five such comparisons, at the level that many rows leave;
    ``None`` where none can be told (`detectable_difference`).
    """

    run: str
    metric: str
    better: Direction | None
    attribute: str | None
    value: str | None
    pairs: int
    unpaired: int
    unscored: UnscoredPairs
    groups: int
    baseline: float | None
    candidate: float | None
    difference: float | None
    differing: int = 0
    compared: ComparedGroups | None = None
    effect_size: float | None = None
    correlation: Correlation | None = None
    detectable: float | None = None
    holm: float | None = None
    bh: float | None = None
    verdict: ComparisonVerdict = "too few pairs"


def compare(
    baseline: ScoredRun,
    candidates: Sequence[tuple[ScoredRun, PairedAnswers]],
    metrics: Mapping[str, Direction | None],
    rng: np.random.Generator,
    *,
    alpha: float = ALPHA,
    resamples: int = RESAMPLES,
    by_ranks: bool = False,
) -> list[ComparisonRow]:
    """Compare each candidate with the baseline in ``metrics``, all pairs first, then each slice.

    A difference is called better or worse where its p-value, adjusted by Holm for all tests, is at most ``alpha`` and
    its bootstrap interval excludes 0; where a metric has no direction, higher or lower. Metrics of 0 and 1 alone are
    tested by McNemar's exact test, others by the paired t-test; all by Wilcoxon's signed-rank test if ``by_ranks``.
    A candidate that has no value more often, by McNemar's exact test, is called so unless it is worse: what its other
    answers have may be good because bad ones have no value.
    Raises `ValueError` for a metric that a run lacks.
    """
    rows = [
        row
        for run, answers in candidates
        for part in answers.slices
        for row in _compared(baseline, run, answers, part, metrics, rng, alpha, resamples)
    ]
    tested = [number for number, row in enumerate(rows) if row.compared is not None and row.differing]
    p_values = [_p_value(compared, by_ranks) for number in tested if (compared := rows[number].compared) is not None]
    lacking = [(number, test.p_value) for number, row in enumerate(rows) if (test := row.unscored.test) is not None]
    # One family: another beside it would have false alarms of its own.
    p_values += [p_value for _, p_value in lacking]
    by_holm, by_bh = list(holm(p_values)), list(benjamini_hochberg(p_values))
    for place, number in enumerate(tested):
        rows[number] = _judged(rows[number], by_holm[place], by_bh[place], alpha=alpha, level=alpha / len(p_values))
    for place, (number, _) in enumerate(lacking, len(tested)):
        rows[number] = _with_unscored(rows[number], by_holm[place], alpha)
    return rows


def _p_value(compared: ComparedGroups, by_ranks: bool) -> float:  # noqa: FBT001 - the choice of the test
    if not by_ranks:
        return compared.test.p_value
    # Groups that differ in no mean have no ranks, however their pairs differ.
    return 1.0 if compared.wilcoxon is None else compared.wilcoxon.p_value


class _Column(NamedTuple):
    metric: str
    before: Floats
    after: Floats
    present: Bools
    binary: bool
    unscored: UnscoredPairs


def _compared(
    baseline: ScoredRun,
    run: ScoredRun,
    answers: PairedAnswers,
    part: SliceOfPairs,
    metrics: Mapping[str, Direction | None],
    rng: np.random.Generator,
    alpha: float,
    resamples: int,
) -> Iterator[ComparisonRow]:
    pairs = [answers.pairs[number] for number in part.pairs]
    columns = [
        _column(
            metric,
            [baseline.values[metric].get(pair.baseline) for pair in pairs],
            [run.values[metric].get(pair.candidate) for pair in pairs],
            answers.group[part.pairs],
            directed=metrics[metric] is not None,
        )
        for metric in metrics
    ]
    compared: dict[str, ComparedGroups] = {}
    # Metrics that have their values of the same pairs share the draws of the bootstrap.
    alike: dict[bytes, list[_Column]] = {}
    for column in columns:
        alike.setdefault(column.present.tobytes(), []).append(column)
    for sharing in alike.values():
        kept = part.pairs[sharing[0].present]
        group, stratum = _grouped(answers.group[kept], answers.stratum[kept])
        if len(stratum) >= LEAST_GROUPS:
            compared |= _by_groups(sharing, group, stratum, rng, alpha, resamples)
    for column in columns:
        yield _row(column, run.name, metrics[column.metric], answers, part, compared.get(column.metric))


def _column(
    metric: str, before: Sequence[float | None], after: Sequence[float | None], group: Integers, *, directed: bool
) -> _Column:
    values = [(one, two) for one, two in zip(before, after, strict=True) if one is not None and two is not None]
    left, right = np.array(values, np.float64).reshape(-1, 2).T
    here, there = (np.array([value is not None for value in side], np.bool_) for side in (before, after))
    binary = bool(np.isin(left, (0.0, 1.0)).all() and np.isin(right, (0.0, 1.0)).all())
    test = _one_sided_gaps(here, there, group) if directed else None
    unscored = UnscoredPairs(int((~here).sum()), int((~there).sum()), test)
    return _Column(metric, left, right, here & there, binary, unscored)


def _one_sided_gaps(before: Bools, after: Bools, group: Integers) -> HypothesisTest | None:
    """Test whether as many groups lose a value as gain one; ``None`` where both runs have values of the same pairs."""
    if np.array_equal(before, after):
        return None
    gained = after.astype(np.int64) - before.astype(np.int64)
    return mcnemar(np.array([gained[group == each].sum() for each in np.unique(group[gained != 0])], np.int64))


def _grouped(group: Integers, stratum: Integers) -> tuple[Integers, Integers]:
    """Return the codes of groups as 0 to n - 1, and the stratum of each group: that of its first pair.

    Strata of one group are drawn together: alone it would never vary.
    """
    _, first, codes = np.unique(group, return_index=True, return_inverse=True)
    of_group = stratum[first]
    alone = np.isin(
        of_group, [code for code, n in zip(*np.unique(of_group, return_counts=True), strict=True) if n == 1]
    )
    return codes.astype(np.int64), np.where(alone, -1, of_group)


def _by_groups(
    columns: Sequence[_Column],
    group: Integers,
    stratum: Integers,
    rng: np.random.Generator,
    alpha: float,
    resamples: int,
) -> Mapping[str, ComparedGroups]:
    totals = totals_by_group(np.stack([column.after - column.before for column in columns], axis=1), group)
    intervals = bootstrap_intervals(totals, stratum, rng, level=1.0 - alpha, resamples=resamples)
    return {
        column.metric: _tested(GroupTotals(totals.sums[:, number], totals.sizes[:, number]), interval, column.binary)
        for number, (column, interval) in enumerate(zip(columns, intervals, strict=True))
    }


def _tested(totals: GroupTotals, interval: ConfidenceInterval, binary: bool) -> ComparedGroups:  # noqa: FBT001
    sums, sizes = totals
    test = mcnemar(np.rint(sums).astype(np.int64)) if binary else paired_t(sums, sizes)
    return ComparedGroups(interval, mean_error(sums, sizes), test, wilcoxon(sums / sizes))


def _row(
    column: _Column,
    run: str,
    better: Direction | None,
    answers: PairedAnswers,
    part: SliceOfPairs,
    compared: ComparedGroups | None,
) -> ComparisonRow:
    some = len(column.before) > 0
    before, after = (float(column.before.mean()), float(column.after.mean())) if some else (None, None)
    differences = column.after - column.before
    differing = int(np.count_nonzero(np.abs(differences) > 1e-12))  # noqa: PLR2004 - what rounding leaves
    return ComparisonRow(
        run=run,
        metric=column.metric,
        better=better,
        attribute=part.attribute,
        value=part.value,
        pairs=len(column.before),
        unpaired=len(part.pairs) - len(column.before),
        unscored=column.unscored,
        groups=len(np.unique(answers.group[part.pairs[column.present]])),
        baseline=before,
        candidate=after,
        difference=float(differences.mean()) if some else None,
        differing=differing,
        compared=compared,
        effect_size=cohens_d(differences),
        correlation=correlation(column.before, column.after),
        verdict="too few pairs" if compared is None else "no difference shown" if differing else "identical",
    )


def _judged(row: ComparisonRow, by_holm: float, by_bh: float, *, alpha: float, level: float) -> ComparisonRow:
    if row.compared is None or row.difference is None:
        return row
    low, high = row.compared.interval
    detectable = detectable_difference(row.compared.error, alpha=level, most=SPANS.get(row.metric, math.inf))
    verdict = row.verdict
    if by_holm <= alpha and (low > 0.0 or high < 0.0):
        rises: Direction = "higher" if row.difference > 0.0 else "lower"
        verdict = rises if row.better is None else "better" if rises == row.better else "worse"
    return replace(row, holm=by_holm, bh=by_bh, detectable=detectable, verdict=verdict)


def _with_unscored(row: ComparisonRow, by_holm: float, alpha: float) -> ComparisonRow:
    unscored = row.unscored._replace(holm=by_holm)
    more = by_holm <= alpha and unscored.candidate > unscored.baseline and row.verdict != "worse"
    return replace(row, unscored=unscored, verdict="more unscored" if more else row.verdict)
