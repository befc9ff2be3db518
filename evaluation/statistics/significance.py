"""Tests of paired differences, all two-sided. Where pairs come in groups, the groups are what is independent.

With groups of one pair each, every test here is the ordinary one of its name.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np
from scipy import stats

from gates.evidence.arrays import Floats, Integers

TestName = Literal["paired t", "McNemar", "Wilcoxon", "sign"]
ROUNDED = 1e-14
"""A spread of less than this part of the mean is what rounding leaves."""
DIGITS = 12
"""Decimals that ranks go by: 0.4 - 0.2 and 0.3 - 0.1 differ after the 16th, and are a tie."""


class HypothesisTest(NamedTuple):
    """How unlikely differences as large as these are between equal systems: ``p_value``, from 0 to 1."""

    name: TestName
    statistic: float
    p_value: float


class MeanError(NamedTuple):
    """The standard error of a mean over pairs, and the degrees of freedom it is known with."""

    standard_error: float
    degrees: int


def mean_error(sums: Floats, sizes: Floats) -> MeanError:
    """Return the standard error of ``sums.sum() / sizes.sum()`` over two or more independent groups.

    It is the linearized one of a ratio (W. G. Cochran, "Sampling Techniques", 1977, section 6.4), and 0 where all
    groups differ by the same.

    >>> mean_error(np.array([1.0, 2.0, 3.0]), np.ones(3)).standard_error.__round__(4)
    0.5774
    """
    groups = len(sums)
    mean = sums.sum() / sizes.sum()
    spread = float(np.sum((sums - sizes * mean) ** 2)) * groups / (groups - 1)
    error = math.sqrt(spread) / float(sizes.sum())
    return MeanError(0.0 if error <= ROUNDED * abs(mean) else error, groups - 1)


def paired_t(sums: Floats, sizes: Floats) -> HypothesisTest:
    """Test whether the mean difference is 0. Where all pairs differ by the same, this is the `sign_test`.

    >>> paired_t(np.array([1.0, 2.0, 3.0, -1.0]), np.ones(4)).p_value.__round__(4)
    0.2394
    """
    mean, (error, degrees) = sums.sum() / sizes.sum(), mean_error(sums, sizes)
    if not error:
        return sign_test(np.sign(sums).astype(np.int64))
    statistic = float(mean / error)
    return HypothesisTest("paired t", statistic, float(2.0 * stats.t.sf(abs(statistic), degrees)))


def wilcoxon(differences: Floats) -> HypothesisTest | None:
    """Test by ranks whether differences are symmetric about 0; pairs that do not differ are left out.

    ``None`` where none differs. The statistic is the smaller sum of ranks.

    >>> wilcoxon(np.array([1.0, 2.0, 3.0, -4.0, 0.0])).p_value
    0.875
    """
    rounded = np.round(differences, DIGITS)
    rounded = rounded[rounded != 0.0]
    if not rounded.size:
        return None
    result = stats.wilcoxon(rounded)
    return HypothesisTest("Wilcoxon", float(result.statistic), float(result.pvalue))


def mcnemar(sums: Integers) -> HypothesisTest:
    """Test exactly whether two systems are right equally often: ``sums`` are wins less losses of each group.

    If the systems are alike, the sign of each group's sum is as good as tossed. The statistic is the sum, and what is
    returned the probability of one as far from 0. With groups of one pair this is McNemar's exact test.

    >>> mcnemar(np.array([1, 1, 1, 1, 1, -1, 0, 0])).p_value.__round__(5)
    0.21875
    """
    total = int(sums.sum())
    law = np.ones(1)
    for size, groups in zip(*np.unique(np.abs(sums[sums != 0]), return_counts=True), strict=True):
        tossed = np.zeros(2 * int(size) * int(groups) + 1)
        tossed[:: 2 * int(size)] = stats.binom.pmf(np.arange(groups + 1), groups, 0.5)
        law = np.convolve(law, tossed)
    reach = len(law) // 2
    far = law[: reach - abs(total) + 1].sum() + law[reach + abs(total) :].sum()
    return HypothesisTest("McNemar", float(total), float(min(1.0, far)))


def sign_test(signs: Integers) -> HypothesisTest:
    """Test exactly whether as many groups are better as are worse.

    >>> sign_test(np.array([1, 1, 1, 1, 1])).p_value.__round__(6)
    0.0625
    """
    return mcnemar(signs)._replace(name="sign")


def cohens_d(differences: Floats) -> float | None:
    """Return the mean difference in standard deviations of the differences; ``None`` where these do not vary.

    Below 0.2 an effect is called negligible, below 0.5 small, below 0.8 medium (J. Cohen, "Statistical Power Analysis
    for the Behavioral Sciences", 1988).

    >>> cohens_d(np.array([1.0, 2.0, 3.0])), cohens_d(np.array([1.0, 1.0]))
    (2.0, None)
    """
    if differences.size < 2:  # noqa: PLR2004 - one difference does not vary
        return None
    mean, spread = float(differences.mean()), float(differences.std(ddof=1))
    return None if spread <= 1e-14 * max(1.0, abs(mean)) else mean / spread
