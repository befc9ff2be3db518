"""E-detectors over prediction-powered losses, and the one that tells when the scorer has drifted.

Whether the mean has risen
--------------------------
`gates.evidence.detector` holds for any losses of which a factor is not negative, so also for the ``phi`` of
`gates.evidence.predictions`: with ``E[phi | past] = E[y | past] <= q0``,

    M_j <- (M_j + dW) * (1 + lam_j v (phi - q)),        lam_j <= SAFE / (q0 + eta),

as ``phi >= -eta`` by the rule that labels are drawn by. The bound on false alarms is the same, whatever happens to the
scorer. The premise is that ``pi`` is recorded as it was, and that a label counts in the factor of its own answer. One
that comes when its answer is folded already replaces the factor that the answer had without it,

    M_j <- M_j * (1 + lam_j v (phi - q0)) / (1 + lam_j v (eta f - q0)),

so that in the end the product is the same, over all evidence that had begun by then. Until then the answer counts as
one that was not drawn, whose factor has a mean of at most 1 only while predictions are right, and the start weight
given meanwhile is multiplied as well. So the bound is proved for labels that come while their tick waits for them, and
for later ones nothing is. Therefore gates wait for labels first.

Premise, in words: as long as labels are drawn by chance, with the probability that is recorded, and come within the
time that ticks wait. ``q0`` is an upper bound of the reference by `gates.evidence.predictions.bounds`, which is normal
with enough labelled failures, so its 99 % are approximate.

Bets are sized by the variance of ``phi`` in the reference. It is at least ``q0 (1 - q0)`` for labels of 0 and 1 and a
mean of ``q0``: given ``y``, the mean of ``phi`` is ``y``, so ``phi`` varies no less than ``y``.

Whether the scorer has drifted
------------------------------
``d = (xi / pi) (y - f)`` has the mean of ``y - f``, by how much labels exceed predictions. Two e-detectors bet that it
left the bounds of the reference, upwards and downwards:

    1 + lam v (d - high),   d >= -f / pi;            1 + lam v (low - d),   d <= (1 - f) / pi <= 1 / least,

with ``lam`` of at most `SAFE` over the largest loss that these bounds allow. Each side has half of the alarms.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gates.evidence import detector
from gates.evidence.arrays import Floats
from gates.evidence.predictions import LabelRule, transformed

SAFE = 0.95
"""The largest bet, in parts of what would make a factor 0."""

DRIFTS = (0.005, 0.02, 0.05, 0.1, 0.3)
"""By how much predictions may go wrong, in parts of the metric's range: each is bet on."""


class Labelled(NamedTuple):
    """Answers with what is predicted and known: ``probability`` is that of the label, 0 where there is none."""

    predicted: Floats
    truth: Floats
    probability: Floats

    def losses(self, trust: ArrayLike, rule: LabelRule) -> Floats:
        """Return ``phi`` of each."""
        return transformed(rule.usable(self.predicted), trust, self.truth, self.probability)

    def differences(self) -> Floats:
        """Return ``d`` of each, 0 where there is no label."""
        labelled = self.probability > 0.0
        return np.where(labelled, (self.truth - self.predicted) / np.where(labelled, self.probability, 1.0), 0.0)

    def unlabelled(self) -> Labelled:
        """Return the answers as if nobody had labelled them."""
        return self._replace(probability=np.zeros_like(self.probability))


def legal(bets: Floats, level: ArrayLike, trust: ArrayLike) -> Floats:
    """Return bets that are at most what a level and ``eta`` allow.

    >>> legal(np.array([[0.5, 5.0]]), np.array([0.05]), np.array([0.45])).tolist()
    [[0.5, 1.9]]
    """
    most = SAFE / (np.asarray(level, dtype=np.float64) + np.asarray(trust, dtype=np.float64))
    return np.asarray(np.minimum(bets, most[..., None]))


def replacing(factor: Floats, without: Floats) -> Floats:
    """Return what evidence is multiplied by when a label comes to an answer that was folded without it."""
    return np.asarray(factor / without)


def scorer_factors(
    answers: Labelled, low: ArrayLike, high: ArrayLike, spread: ArrayLike, weight: Floats, rule: LabelRule
) -> Floats:
    """Return the factors of the scorer's detectors: a column for each bet upwards, then for each downwards.

    ``low`` and ``high`` bound the mean difference where nothing is wrong, ``spread`` is the variance of ``d``;
    ``weight`` is in (0, 1].

    >>> same = Labelled(np.array([0.5]), np.array([1.0]), np.array([0.5]))
    >>> scorer_factors(same, [0.0], [0.0], [0.25], np.ones(1), LabelRule(0.5, active=True)).round(2)[0, [4, 9]].tolist()
    [1.48, 0.52]
    """
    below, above, varied = (np.asarray(each, dtype=np.float64)[..., None] for each in (low, high, spread))
    shift = np.asarray(DRIFTS)
    sized = shift / np.maximum(varied + shift**2, 1e-300)
    down = 2.0 if rule.active else rule.rarest
    difference, v = answers.differences()[:, None], weight[:, None]
    upwards = np.minimum(sized, SAFE / np.maximum(down + above, 1e-300))
    downwards = np.minimum(sized, SAFE / np.maximum(rule.rarest - below, 1e-300))
    up, back = 1.0 + upwards * v * (difference - above), 1.0 + downwards * v * (below - difference)
    return np.concatenate([up, back], axis=1)


def sides(evidence: Floats) -> tuple[Floats, Floats]:
    """Return what the scorer's detectors hold against the threshold: upwards, and downwards."""
    return detector.level(evidence[..., : len(DRIFTS)]), detector.level(evidence[..., len(DRIFTS) :])
