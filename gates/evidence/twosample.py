"""A candidate against a baseline that serves the same traffic at the same time, always valid, at any routing share.

Answer ``t`` goes to the candidate (``a = 1``) with the known probability ``rho``, else to the baseline. With ``m`` the
mean loss of both arms before ``t``,

    z = (y - m) (a / rho - (1 - a) / (1 - rho)),         E[z | past] = E[y | candidate] - E[y | baseline]

at that moment, whatever ``m`` is and however quality swings for both together. Two e-processes bet on it, with weights
``v`` in (0, 1]:

    rollback:  mean_j stake_j prod (1 + lam_j v z)       null: the candidate is not worse
    promote:   mean_j prod (1 - lam_j v (z - margin))    null: the candidate is worse by ``margin`` or more

``lam_j`` is at most `SAFETY` over the largest possible loss of the bet, so no factor falls below a half; its
conditional mean is at most 1 under its null, so by Ville's inequality either process ever reaches ``1 / alpha`` with
probability at most ``alpha`` under its null, at whatever moments it is read. The nulls speak of every moment: of a
candidate that is worse by night and better by day, both may find evidence. ``lam_j`` is worked out from the past: ``D /
(s2 + D**2)`` with ``s2`` the variance of ``z``, about ``Var(y) / (rho (1 - rho))``, and ``D`` the difference bet on.

Answers of one user say the same again. What the user's earlier answers lead one to expect of ``z``, ``raised``, is
taken from it where it speaks for the process, as in `gates.evidence.clusters` and under the premises there.

Premises, in words: as long as ``rho`` is the probability that this answer, or its user, was routed with; routing looks
at nothing that bears on quality; and the cluster is what is routed.

Source: I. Waudby-Smith, L. Wu, A. Ramdas, N. Karampatziakis and P. Mineiro, "Anytime-valid off-policy inference for
contextual bandits" (ACM/IMS J. Data Science 1, 2024), section 3, with the regression-adjusted importance-weighted
difference for two arms; J. Ville, "Étude critique de la notion de collectif" (1939).
"""

from __future__ import annotations

import math

import numpy as np

from gates.evidence import growth
from gates.evidence.arrays import Bools, Floats

INFERIOR = (0.6, 1.8)
"""Differences bet on by the rollback process, in parts of the mean loss (of its complement, where that is smaller)."""
STAKES = (2 / 3, 4 / 3)
"""What the process begins with on each of them, 1 on average: twice as much on the one that ends a roll-out soon."""
NON_INFERIOR = (0.5, 1.0, 2.0)
"""Distances from the margin bet on by the promote process, in parts of the margin."""
SAFETY = 0.5
LEAST_LOSS = 0.005
"""The mean loss is taken to be at least this when bets are sized: a share of nothing would be no bet."""


def contrast(loss: Floats, candidate: Bools, share: Floats, mean: Floats) -> Floats:
    """Return ``z`` of each answer.

    >>> one = np.array([1.0, 0.0])
    >>> contrast(one, np.array([True, False]), np.array([0.5, 0.5]), np.array([0.5, 0.5])).tolist()
    [1.0, 1.0]
    """
    return (loss - mean) * np.where(candidate, 1.0 / share, -1.0 / (1.0 - share))


def rollback_factors(
    z: Floats, share: Floats, mean: Floats, variance: Floats, weight: Floats, *, raised: Floats | None = None
) -> Floats:
    """Return the rollback factors, one row an answer, one column a bet; ``raised`` is what ``z`` is expected to be.

    >>> half = np.array([0.5])
    >>> bool((rollback_factors(np.array([-1.0]), half, half, half / 2, half * 2) >= 0.5).all())
    True
    """
    expected = np.zeros_like(z) if raised is None else raised
    worst = np.maximum(mean / share, (1.0 - mean) / (1.0 - share)) + expected
    base = np.maximum(LEAST_LOSS, np.minimum(mean, 1.0 - mean))
    return 1.0 + _bets(base[:, None] * np.array(INFERIOR), share, variance, worst, weight) * (z - expected)[:, None]


def promote_factors(
    z: Floats,
    share: Floats,
    mean: Floats,
    variance: Floats,
    weight: Floats,
    *,
    margin: float,
    raised: Floats | None = None,
) -> Floats:
    """Return the promote factors; ``raised`` is how much better than ``margin`` an answer is expected to be anyway.

    >>> half = np.array([0.5])
    >>> bool((promote_factors(np.array([1.0]), half, half, half / 2, half * 2, margin=0.01) >= 0.5).all())
    True
    """
    expected = np.zeros_like(z) if raised is None else raised
    worst = np.maximum((1.0 - mean) / share, mean / (1.0 - share)) + margin + expected
    bets = _bets(np.full((len(z), 1), margin) * np.array(NON_INFERIOR), share, variance, worst, weight)
    return 1.0 - bets * (z - margin + expected)[:, None]


def _bets(shift: Floats, share: Floats, variance: Floats, worst: Floats, weight: Floats) -> Floats:
    spread = (variance / (share * (1.0 - share)))[:, None]
    return np.minimum(shift / (spread + shift**2), (SAFETY / worst)[:, None]) * weight[:, None]


def needed(evidence: Floats, *, mean: float, variance: float, share: float, margin: float, alpha: float) -> int:
    """Return about how many more answers of the candidate it takes to promote it, if it is as good as the baseline.

    ``evidence`` is that of each bet of the promote process, ``mean`` and ``variance`` are those of a loss. How fast it
    grows depends on the bets as they are made, of which `SAFETY` keeps some small (`gates.evidence.growth`).

    >>> begun = np.ones(3)
    >>> needed(begun, mean=0.02, variance=0.0196, share=0.5, margin=0.01, alpha=0.05)
    2933
    >>> needed(begun, mean=0.0, variance=1e-6, share=0.5, margin=0.1, alpha=0.05)
    64
    """
    least = promote_factors(np.zeros(1), *(np.array([each]) for each in (share, mean, variance, 1.0)), margin=margin)
    bets = (least[0] - 1.0) / margin
    rates = growth.rates(bets, margin, variance / (share * (1.0 - share)))
    return min(growth.NEVER, math.ceil(share * growth.answers_until(evidence, rates, 1.0 / alpha)))


def detectable(n: float, *, bets: int, alpha: float, variance: float, share: float) -> float:
    """Return the smallest difference that so many answers of the candidate would show, about.

    A bet that suits a difference ``d`` grows by ``d**2 / (2 s2)`` an answer of either arm, ``s2`` the variance of
    ``z``; it is one of ``bets``, so it has to reach ``bets / alpha``.

    >>> round(detectable(3215, bets=3, alpha=0.05, variance=0.0196, share=0.5), 4), detectable(0, bets=3, alpha=0.05,
    ...     variance=0.0196, share=0.5)
    (0.01, 1.0)
    """
    if n <= 0.0:
        return 1.0
    rate = 2.0 * share * math.log(bets / alpha) / n
    return 1.0 if rate >= 1.0 else min(1.0, math.sqrt(rate * variance / (share * (1.0 - share)) / (1.0 - rate)))
