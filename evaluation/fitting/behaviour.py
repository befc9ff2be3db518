"""Whether metrics move as they should where a failure is known: to be seen before any claim is made.

Answers with a known failure are held against sound answers to the same questions. What should fall must fall in the
mean, by its interval over questions. Source: PROBE A.9; what it says may not change is not asked. A small benchmark has
too few known failures to show some of it: that is no proof of the opposite, and is told apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evaluation.fitting.composites import CompositeParts
from evaluation.fitting.release_rule import CompositeProfile
from evaluation.fitting.table import LabelledTable
from evaluation.statistics.bootstrap import ConfidenceInterval, GroupTotals, bootstrap_intervals
from gates.evidence.arrays import Bools, Floats, Integers

RESAMPLES = 2_000
LEAST_PAIRS = 5
"""With fewer answers that fail, a row of the table has no interval."""
LEAST_FALL = 0.1
"""Of the sound value: where the interval excludes a fall of this size, the metric does not see the failure."""
COMPOSITE = "composite"


class ExpectedBehaviour(NamedTuple):
    """A row of A.9: the failure in a domain, what must fall, and what the composite is at most in the mean."""

    domain: str | None
    category: str
    falls: tuple[str, ...]
    at_most: float | None = None


class ObservedChange(NamedTuple):
    """What a metric did on answers that fail, against sound answers to the same questions.

    It may be neither ``as_expected`` nor ``contradicted``: then the answers are too few to tell.
    """

    domain: str | None
    category: str
    metric: str
    pairs: int
    sound: float | None
    failing: float | None
    interval: ConfidenceInterval | None
    expected: str
    as_expected: bool
    contradicted: bool


def expected(threshold: float, profile: CompositeProfile) -> Sequence[ExpectedBehaviour]:
    """Return the rows of A.9, by the least composite of a release and the caps in force."""
    caps = profile.caps
    return (
        ExpectedBehaviour(
            "supply_chain",
            "stale_source_acceptance",
            ("temporal_validity", "freshness_weighted_recall"),
            caps.stale_source,
        ),
        ExpectedBehaviour(
            "supply_chain",
            "missing_governing_exception",
            ("authority_weighted_recall", "answer_completeness"),
            threshold,
        ),
        ExpectedBehaviour(
            "healthcare_operations", "stale_source_acceptance", ("temporal_validity",), caps.stale_source
        ),
        ExpectedBehaviour(
            "healthcare_operations", "protected_data_exposure", ("protected_data_control",), caps.protected_data
        ),
        ExpectedBehaviour(
            "financial_services",
            "unresolved_source_conflict",
            ("source_authority_alignment", "contradiction_absence"),
            threshold,
        ),
        ExpectedBehaviour(
            "financial_services",
            "policy_boundary_over_answer",
            ("regulated_advice_control", "policy_boundary_handling"),
            threshold,
        ),
        ExpectedBehaviour(None, "wrong_chunk_citation", ("citation_precision",)),
        ExpectedBehaviour(
            None,
            "retrieval_silence_with_invented_answer",
            ("recall", "claim_support", "refusal_appropriateness"),
            threshold,
        ),
    )


def behaviour(
    table: LabelledTable,
    rows: Sequence[ExpectedBehaviour],
    profile: CompositeProfile,
    rng: np.random.Generator,
    *,
    question: Mapping[str, str],
) -> list[ObservedChange]:
    """Return what each metric of each row did; ``question`` is the question of each answer, by its id.

    Domain and category are those of the labels: the domain by the attribute ``domain``.
    """
    composite = CompositeParts(table).composites(*profile)
    asked = _codes([question[row.answer_id] for row in table.rows])
    domains = np.array([name or "" for name in table.attribute("domain")])
    sound = np.array([label.acceptable for label in table.labels], np.bool_)
    found: list[ObservedChange] = []
    for row in rows:
        failing = np.array([label.category == row.category for label in table.labels], np.bool_)
        if row.domain is not None:
            failing &= domains == row.domain
        for metric in (*row.falls, COMPOSITE):
            values, present = (
                (composite, np.ones(len(table), np.bool_)) if metric == COMPOSITE else table.column(metric)
            )
            change = _changed(values, failing & present, sound & present, asked, rng)
            found.append(observed(row, metric, *change))
    return found


def observed(
    row: ExpectedBehaviour, metric: str, before: Floats, after: Floats, interval: ConfidenceInterval | None
) -> ObservedChange:
    """Return what became of a check: ``before`` are values of sound answers, ``after`` of those that fail."""
    limit = row.at_most if metric == COMPOSITE else None
    falls = interval is not None and interval.high < 0.0
    low_enough = limit is None or (len(after) > 0 and float(after.mean()) <= limit)
    return ObservedChange(
        row.domain,
        row.category,
        metric,
        len(after),
        float(before.mean()) if len(before) else None,
        float(after.mean()) if len(after) else None,
        interval,
        "must fall" if limit is None else f"must fall, to a mean of {limit:g} at most",
        as_expected=falls and low_enough,
        contradicted=interval is not None
        and (
            (not falls and interval.low > -LEAST_FALL * float(before.mean()))
            or (limit is not None and _lowest_mean(after) > limit)
        ),
    )


def _lowest_mean(values: Floats) -> float:
    """Return the near end of the 95 % interval of a mean, by the normal distribution."""
    spread = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    return float(values.mean()) - 1.96 * spread / float(np.sqrt(len(values)))


def _changed(
    values: Floats, failing: Bools, sound: Bools, asked: Integers, rng: np.random.Generator
) -> tuple[Floats, Floats, ConfidenceInterval | None]:
    """Return sound and failing values of questions that have both, and the interval of their mean difference."""
    n = int(asked.max()) + 1 if len(asked) else 0
    count = np.bincount(asked[sound], minlength=n).astype(np.float64)
    mean = np.bincount(asked[sound], values[sound], minlength=n) / np.maximum(count, 1.0)
    chosen = np.flatnonzero(failing & (count[asked] > 0.0))
    before, after = mean[asked[chosen]], values[chosen]
    if len(chosen) < LEAST_PAIRS:
        return before, after, None
    difference = after - before
    if np.ptp(difference) == 0.0:
        return before, after, ConfidenceInterval(float(difference[0]), float(difference[0]))
    codes = np.unique(asked[chosen], return_inverse=True)[1]
    sums, sizes = np.bincount(codes, difference).astype(np.float64), np.bincount(codes).astype(np.float64)
    if len(sums) < LEAST_PAIRS:
        return before, after, None
    totals = GroupTotals(sums[:, None], sizes[:, None])
    [interval] = bootstrap_intervals(totals, np.zeros(len(sums), np.int64), rng, resamples=RESAMPLES)
    return before, after, interval


def _codes(names: Sequence[str]) -> Integers:
    known: dict[str, int] = {}
    return np.array([known.setdefault(name, len(known)) for name in names], np.int64)
