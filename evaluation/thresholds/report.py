"""What a sweep says: each threshold against the baseline, which one to use, and how stable that choice is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from scipy import stats

from evaluation.statistics.bootstrap import (
    RESAMPLES,
    ConfidenceInterval,
    bootstrap_intervals,
    times_drawn,
    totals_by_group,
)
from evaluation.statistics.multiplicity import benjamini_hochberg, holm
from evaluation.statistics.power import detectable_difference
from evaluation.statistics.significance import cohens_d, mean_error, paired_t
from evaluation.thresholds.composite import PENALTY, REWARD, balance, gain_percent, stable_score, variation
from evaluation.thresholds.sweep import Sweep
from gates.evidence.arrays import Floats
from gates.verdicts.summary import counted

REWARDS = (0.05, 0.1, 0.15, 0.2, 0.25)
PENALTIES = (0.025, 0.05, 0.075, 0.1, 0.15)
"""``alpha`` and ``beta`` that a ranking by T-CPS is tried with."""
LEAST_QUESTIONS = 2
ThresholdVerdict = Literal["better", "worse", "no difference shown", "baseline", "too few questions"]


class AgainstBaseline(NamedTuple):
    """A threshold and the baseline, over the questions that both have a score of.

    ``p_value`` is of the paired t-test, ``holm`` and ``bh`` are adjusted for all thresholds of the sweep.
    """

    questions: int
    mean: float
    difference: float
    gain_percent: float | None
    interval: ConfidenceInterval
    p_value: float
    effect_size: float | None
    detectable: float | None
    holm: float = 1.0
    bh: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdRow:
    """One threshold: its CPS and T-CPS over all questions it has a score of, and how it compares with the baseline."""

    threshold: float
    baseline: bool
    questions: int
    mean: float | None = None
    cv: float | None = None
    stable: float | None = None
    stable_gain_percent: float | None = None
    balance: float | None = None
    against: AgainstBaseline | None = None
    verdict: ThresholdVerdict = "too few questions"


class ThresholdChoice(NamedTuple):
    """The threshold to use, ``None`` for none at all, and how often another choice of questions or weights keeps it.

    ``by_questions`` is the share of resamples of the questions in which it has the highest T-CPS, ``by_weights`` the
    share of `REWARDS` x `PENALTIES`. ``rivals`` are the thresholds that win in at least one of twenty resamples.
    """

    threshold: float | None
    reason: str
    by_questions: float
    by_weights: float
    rivals: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class SweepReport:
    """All rows of a sweep, the best threshold by each criterion, and the recommendation.

    No threshold is best by balance where none gains anything.
    """

    name: str
    rows: Sequence[ThresholdRow]
    best_mean: float
    best_stable: float
    best_balance: float | None
    recommendation: ThresholdChoice
    flat: bool = False
    """Whether every question has the same score at every threshold: the panel cannot tell them apart."""


def report(sweep: Sweep, rng: np.random.Generator, *, alpha: float = 0.05, resamples: int = RESAMPLES) -> SweepReport:
    """Judge a sweep. A threshold is better where Holm's p-value is at most ``alpha`` and its interval is above 0.

    Recommended is the better threshold with the highest T-CPS; none where no threshold is shown to be better. Raises
    `ValueError` where the baseline has fewer than two questions with a score.
    """
    rows = [_summed(sweep, place) for place in range(len(sweep.thresholds))]
    base = rows[sweep.baseline]
    if base.stable is None or base.mean is None:
        raise ValueError(
            f"the baseline, threshold {base.threshold:g}, has {counted(base.questions, 'question')} with every metric; "
            f"{LEAST_QUESTIONS} are needed"
        )
    tested = [place for place in range(len(rows)) if place != sweep.baseline]
    against = {place: _against(sweep, place, rng, alpha / len(tested), 1.0 - alpha, resamples) for place in tested}
    compared = {place: each for place, each in against.items() if each is not None}
    p_values = [each.p_value for each in compared.values()]
    adjusted = zip(compared.items(), holm(p_values), benjamini_hochberg(p_values), strict=True)
    for (place, each), by_holm, by_bh in adjusted:
        rows[place] = _gained(rows[place], base.stable, each._replace(holm=by_holm, bh=by_bh), alpha)
    scored = [row for row in rows if row.stable is not None and row.mean is not None]
    # What a threshold loses for each unit of spread says nothing for it.
    balanced = [row for row in scored if row.balance is not None and row.balance > 0.0]
    return SweepReport(
        sweep.name,
        rows,
        best_mean=max(scored, key=lambda row: row.mean or 0.0).threshold,
        best_stable=max(scored, key=lambda row: row.stable or 0.0).threshold,
        best_balance=max(balanced, key=lambda row: row.balance or 0.0).threshold if balanced else None,
        recommendation=_recommended(sweep, rows, rng, resamples),
        flat=_flat(sweep),
    )


def _flat(sweep: Sweep) -> bool:
    """Whether all thresholds have the scores of the baseline: so it is where answers are those without a generator."""
    return bool((sweep.scores == sweep.scores[sweep.baseline]).all() and (sweep.present == sweep.present[0]).all())


def associations(reports: Sequence[SweepReport]) -> tuple[float, float] | None:
    """Return Spearman's correlation of T-CPS with mean CPS, and with the coefficient of variation.

    It is over the thresholds and baselines of all sweeps. ``None`` for fewer than three, or where one does not vary.
    """
    rows = [(row.stable, row.mean, row.cv) for each in reports for row in each.rows if row.stable is not None]
    columns = np.array(rows, np.float64).reshape(-1, 3).T
    if columns.shape[1] < 3 or any(np.ptp(column) == 0.0 for column in columns):  # noqa: PLR2004 - two are always in line
        return None
    return tuple(float(stats.spearmanr(columns[0], other).statistic) for other in columns[1:])  # type: ignore[return-value]


def ranked_by_balance(reports: Sequence[SweepReport], *, alpha: float = 0.05) -> list[tuple[str, ThresholdRow]]:
    """Return the thresholds of all sweeps that gain, by balance, the highest first (PaSSER, Table 4.10).

    Those whose p-value is below ``alpha`` uncorrected, as there: a verdict says which of them stand up to Holm.
    """
    found = [
        (each.name, row)
        for each in reports
        for row in each.rows
        if row.against is not None
        and row.balance is not None
        and row.against.p_value < alpha
        and row.against.difference > 0.0
    ]
    return sorted(found, key=lambda item: -(item[1].balance or 0.0))


def significance_counts(sweep: SweepReport, *, alpha: float = 0.05) -> tuple[int, int, int]:
    """Return how many thresholds are significantly above, below, and neither, uncorrected (PaSSER, Table 4.12)."""
    tested = [row.against for row in sweep.rows if row.against is not None]
    up = sum(each.p_value < alpha and each.difference > 0.0 for each in tested)
    down = sum(each.p_value < alpha and each.difference < 0.0 for each in tested)
    return up, down, len(tested) - up - down


def _summed(sweep: Sweep, place: int) -> ThresholdRow:
    values = sweep.scores[place][sweep.present[place] > 0.0]
    row = ThresholdRow(threshold=sweep.thresholds[place], baseline=place == sweep.baseline, questions=len(values))
    if len(values) < LEAST_QUESTIONS:
        return row
    mean = float(values.mean())
    cv = variation(mean, float(values.std(ddof=1)))
    verdict: ThresholdVerdict = "baseline" if row.baseline else row.verdict
    return replace(row, mean=mean, cv=cv, stable=stable_score(mean, cv), verdict=verdict)


def _against(
    sweep: Sweep, place: int, rng: np.random.Generator, level: float, confidence: float, resamples: int
) -> AgainstBaseline | None:
    both = (sweep.present[place] > 0.0) & (sweep.present[sweep.baseline] > 0.0)
    if both.sum() < LEAST_QUESTIONS:
        return None
    here, base = sweep.scores[place][both], sweep.scores[sweep.baseline][both]
    differences = here - base
    ones = np.ones(len(differences))
    totals = totals_by_group(differences[:, None], np.arange(len(differences)))
    [interval] = bootstrap_intervals(
        totals, np.zeros(len(differences), np.int64), rng, level=confidence, resamples=resamples
    )
    return AgainstBaseline(
        questions=len(differences),
        mean=float(here.mean()),
        difference=float(differences.mean()),
        gain_percent=gain_percent(float(here.mean()), float(base.mean())),
        interval=interval,
        p_value=paired_t(differences, ones).p_value,
        effect_size=cohens_d(differences),
        detectable=detectable_difference(mean_error(differences, ones), alpha=level),
    )


def _gained(row: ThresholdRow, base: float, against: AgainstBaseline, alpha: float) -> ThresholdRow:
    low, high = against.interval
    verdict: ThresholdVerdict = "no difference shown"
    if against.holm <= alpha and (low > 0.0 or high < 0.0):
        verdict = "better" if against.difference > 0.0 else "worse"
    gain = None if row.stable is None else gain_percent(row.stable, base)
    weighed = None if gain is None or row.cv is None else balance(gain, row.cv)
    return replace(row, against=against, stable_gain_percent=gain, balance=weighed, verdict=verdict)


def _recommended(
    sweep: Sweep, rows: Sequence[ThresholdRow], rng: np.random.Generator, resamples: int
) -> ThresholdChoice:
    better = [place for place, row in enumerate(rows) if row.verdict == "better"]
    chosen = max(better, key=lambda place: rows[place].stable or 0.0) if better else sweep.baseline
    known = [place for place, row in enumerate(rows) if row.stable is not None]
    wins = _wins(sweep, known, rng, resamples)
    winners = [max(known, key=lambda place: _weighed(rows[place], one, two)) for one in REWARDS for two in PENALTIES]
    base = rows[sweep.baseline].threshold
    reason = (
        "this panel has the same scores at every threshold, and cannot tell them apart"
        if _flat(sweep)
        else f"highest T-CPS of the {len(better)} thresholds that are better than the baseline"
        if len(better) > 1
        else "the only threshold that is better than the baseline"
        if better
        else "no threshold is shown to be better than the baseline"
    )
    return ThresholdChoice(
        threshold=rows[chosen].threshold if rows[chosen].threshold != base else None,
        reason=reason,
        by_questions=float(wins[known.index(chosen)]),
        by_weights=winners.count(chosen) / len(winners),
        rivals=[
            (rows[place].threshold, float(share))
            for place, share in zip(known, wins, strict=True)
            if share >= 0.05 and place != chosen  # noqa: PLR2004 - one of twenty
        ],
    )


def _weighed(row: ThresholdRow, reward: float, penalty: float) -> float:
    return stable_score(row.mean or 0.0, row.cv or 0.0, reward=reward, penalty=penalty)


def _wins(sweep: Sweep, known: Sequence[int], rng: np.random.Generator, resamples: int) -> Floats:
    """Return in which share of resamples of the questions each threshold has the highest T-CPS."""
    scores, present = sweep.scores[known], sweep.present[known]
    wins = np.zeros(len(known))
    for times in times_drawn(np.zeros(scores.shape[1], np.int64), rng, resamples):
        n, total, square = (times @ each.T for each in (present, scores, scores**2))
        # A resample may hold no answer of a threshold that has few.
        mean = total / np.maximum(n, 1.0)
        spread = np.sqrt(np.maximum(square - n * mean**2, 0.0) / np.maximum(n - 1.0, 1.0))
        cv = np.where(mean > 0.0, spread / np.where(mean > 0.0, mean, 1.0), 0.0)
        stable = np.where(n > 1.0, mean * (1.0 + REWARD * (1.0 - cv)) - PENALTY * cv**2, -np.inf)
        wins += np.bincount(stable.argmax(axis=1), minlength=len(known))
    return np.asarray(wins / resamples)
