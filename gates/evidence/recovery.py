"""Recovery: evidence, readable at any time, that a mean which had risen is back at the level it should keep.

An alarm says that the mean of losses ``y`` rose above a level ``q0``. That it says nothing more later is no recovery: a
detector that begins anew needs as long to find a lasting fault again as it needed before. So the fault is a hypothesis,
to be refuted: ``E[y | past] >= f`` with the *failed level* ``f = q0 + shift u``, where ``u = min(q0, 1 - q0)``. Its
``shift`` is `PART` of what the answers since the alarm have shown before, less a standard error (`shift`).

With bets ``lam_j >= 0`` that keep the factor from being negative,

    R_j <- (R_j + dW) (1 - lam_j v (y - f)),
    recovered when mean_j R_j has been `NEEDED` and sum v (y - q0) <= max(k s, LEAST_SHIFT sum v u),

an e-detector (`gates.evidence.detector`) whose losses are turned round. ``dW`` is elapsed time in days, ``s`` the
standard deviation of the sum on the left, and ``k`` is 1 when the evidence is enough and rises to `SURE` over the next
`PATIENCE` answers.

What is proved
--------------
While ``E[y | past] >= f`` each factor has conditional mean at most 1, so ``mean_j R_j - W`` is a supermartingale, and

    E[times that a lasting fault is said to be over] <= days / NEEDED,

for any traffic, any sample size and any distribution in [0, 1]: at the very worst, with a mean of ``f`` itself, once in
two thousand days. A fault's mean is above ``f``; there the evidence falls, and wrong ends are rarer by a power of it:
about one in thirty thousand days where 2 % became 5 % (simulated; `benchmarks/lasting.py` counts).

The second condition keeps a fault that has only become smaller: the answers since the evidence began to grow must be no
worse than the level, but for chance, or a shift that is no fault yet. Held to the level itself a slice failed on for
thousands of answers that had one failure too many or a lucky reference, until its sum came back to 0; so what chance
may have done is a standard deviation at first, and more with every answer. It tells smaller faults by their size: of
slices of which 30 % failed, and then 12 %, one in seven passes, and with 6 % every second, until the detector finds
that again (simulated). Where answers are worse by more than chance (`SURE` standard deviations), the fault has another
size, and the test begins anew against that. So within `PATIENCE` answers of enough evidence it is decided which of the
two it is. Evidence that has been enough counts although it falls again, as long as it does not fall below what it began
with: that it ever was so large is what is bounded. Of creep the level is half-way to the fault, and nothing is spared
(`gates.monitoring.creep`).

Premise, in words: while the fault lasts, each answer is expected to be at least as bad as the failed level, whatever
came before. That level is estimated, from earlier answers only, so each factor is lawful; but that it lies below the
fault is likely and not proved. Where chance has put it above a lasting fault, evidence may grow although nothing is
over, and what keeps that from being a recovery is the second condition. Answers that share a cluster are held against a
level lowered by what the cluster has shown (`gates.evidence.clusters`, turned round).

Where the mean is ``m < f`` and losses are 0 or 1, the best bet grows by ``kl(m, f)`` an answer, so about
``ln(NEEDED * kl * answers a day) / kl`` answers are needed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gates.evidence import detector
from gates.evidence.arrays import Bools, Floats

PART = 0.8
"""Part of the shift shown that is still the fault."""

LEAST_SHIFT = 0.2
"""The smallest fault, in parts of ``u``: from there on evidence of the detector grows at every mean."""

RETURNS = (0.2, 0.6)
"""Means that are bet on, in parts of ``q0`` below it: a reference lies below its own upper bound."""

NEEDED = 2000.0
"""Evidence that is a recovery."""

PRIOR = 4.0
"""What the evidence of the alarm says of the shift weighs as much as the answers that ``u`` adds up to 4 over."""

SAFETY = 0.9
"""The largest bet, in parts of the largest that keeps a factor from being negative."""

PATIENCE = 80.0
"""Answers after enough evidence within which it is decided whether a fault is over or has another size."""

SURE = 4.0
"""Standard deviations that are no chance: as failures are few, three of them come about in one slice of 300."""


class Balance(NamedTuple):
    """Of some answers: sums of ``v (y - q0)``, of its variance, and of ``v u``."""

    excess: Floats
    variance: Floats
    unit: Floats


def prior(evidence: Floats) -> Balance:
    """Return what the evidence of each bet says of the shift at an alarm; rows are detectors.

    >>> prior(np.array([[0.0, 0.0, 30.0, 10.0, 0.0]])).excess.tolist()
    [4.0]
    """
    told = evidence @ np.asarray(detector.SHIFTS) / np.maximum(evidence.sum(axis=-1), 1e-300)
    many = np.full(len(told), PRIOR)
    return Balance(PRIOR * told, many, many)


def shift(fault: Balance, least: ArrayLike = LEAST_SHIFT) -> Floats:
    """Return the failed level, in parts of ``u`` above the level, by what the fault has shown; it is at ``least`` that.

    >>> shift(Balance(np.array([4.0, 400.0]), np.array([4.0, 400.0]), np.array([4.0, 400.0]))).round(2).tolist()
    [0.4, 0.76]
    """
    unit = np.maximum(fault.unit, 1e-300)
    return np.asarray(np.maximum(PART * (fault.excess - np.sqrt(fault.variance)) / unit, least))


def bets(q0: Floats, failed: Floats, against: Floats, variance: Floats, *, scale: ArrayLike = 1.0) -> Floats:
    """Return the bets on a mean below ``failed``, one row for each ``q0``, one column for each of `RETURNS`.

    The next loss is held ``against`` that level or a lower one. ``variance`` is that of what is bet on where the mean
    is ``q0``; it is taken to grow with the mean. ``scale`` is the mean weight where gains are weighted.

    >>> bets(np.array([0.03]), np.array([0.05]), np.array([0.05]), np.array([0.03])).round(2).tolist()
    [[0.52, 0.76]]
    """
    base = q0[..., None]
    expected = (failed[..., None] - base * (1.0 - np.asarray(RETURNS))) * np.asarray(scale, np.float64)[..., None]
    spread = np.maximum(variance * failed / q0, 1e-300)[..., None]
    return np.asarray(np.minimum(expected / spread, SAFETY / (1.0 - np.minimum(against, 0.999))[..., None]))


def allowed(waited: Floats, balance: Balance) -> Floats:
    """Return how much worse than their level answers may be by chance, so many after evidence was enough.

    >>> few = Balance(np.zeros(3), np.full(3, 4.0), np.zeros(3))
    >>> allowed(np.array([0.0, PATIENCE / 2, 500.0]), few).tolist()
    [2.0, 5.0, 8.0]
    """
    deviations = 1.0 + (SURE - 1.0) * np.minimum(waited / PATIENCE, 1.0)
    return np.asarray(np.maximum(deviations * np.sqrt(balance.variance), LEAST_SHIFT * balance.unit))


def shown(enough: Bools, waited: Floats, balance: Balance, *, spared: bool = True) -> Bools:
    """Return which have recovered, by the answers since their evidence began to grow.

    ``enough`` says whether that has been `NEEDED`, ``waited`` how many answers ago. Answers may be a little worse than
    the level, unless nothing is ``spared``.

    >>> balance = Balance(np.array([-0.1, 0.7, 3.0]), np.array([0.5, 0.5, 0.5]), np.array([4.0, 4.0, 4.0]))
    >>> enough, now = np.full(3, True), np.zeros(3)
    >>> shown(enough, now, balance).tolist(), smaller(enough, balance).tolist()
    ([True, True, False], [False, False, True])
    >>> shown(~enough, now, balance).any(), shown(enough, now, balance, spared=False).tolist()
    (np.False_, [True, False, False])
    """
    return np.asarray(enough & (balance.excess <= (allowed(waited, balance) if spared else 0.0)))


def smaller(enough: Bools, balance: Balance) -> Bools:
    """Return where the fault is not what it was, but not over either."""
    return np.asarray(enough & (balance.excess > allowed(np.full_like(balance.excess, PATIENCE), balance)))
