"""Prediction-powered evidence: a metric on every answer, labels on few, and a mean that no error of the metric moves.

A scorer predicts the loss ``f`` in [0, 1] of every answer; of some answers the loss ``y`` itself is known, by a label
that was drawn with a recorded probability ``pi``. With ``xi`` 1 where there is a label and 0 elsewhere,

    phi = eta f + (xi / pi) (y - eta f)                                                                             (1)

has the mean of ``y`` whatever ``f`` and ``eta`` are, as long as ``pi`` is right and nobody looks at ``y`` to choose
what is labelled: ``E[xi / pi | f, y] = 1``. Hence a scorer that drifts moves no mean. ``eta`` says how far predictions
are trusted: 0 uses labels only, 1 is plain prediction-powered inference. With ``U = xi y / pi`` and
``C = (xi / pi - 1) f`` it is ``phi = U - eta C``, so ``eta = Cov(U, C) / Var(C)`` varies least. With labels drawn
evenly this is the ``lambda`` of PPI++, up to the share of answers without a label.

With traffic weights ``w`` the mean is ``sum w phi / sum w`` (Hajek), and its standard error the root of
``sum_c (sum_{i in c} w (phi - mean))**2 / (sum w)**2`` over clusters ``c``.

Premises: as long as people label whom chance has drawn, with the probability that is recorded, and no label depends on
another. The mean of (1) is then exact, at any number of answers; the standard error is that of many clusters.

Sources: A. Angelopoulos et al., "Prediction-powered inference", Science 382 (2023), arXiv 2301.09633, and "PPI++:
Efficient prediction-powered inference", arXiv 2311.01453, section 6 (the choice of lambda); T. Zrnic and E. Candes,
"Active statistical inference", arXiv 2403.03208, section 4 (labels drawn with unequal probabilities).

What labels are drawn by
------------------------
Where the metric is least sure a label says most: ``pi = min(1, max(c sqrt(f (1 - f)), f / (1 + f), least))``, with
``c`` from how many labels there may be (`LabelRule.probability`). The floor ``f / (1 + f)`` keeps
``f (1 / pi - 1) <= 1``, so ``phi >= -eta``: every bet against ``q0`` of at most ``1 / (q0 + eta)`` is legal. Where
labels are drawn evenly instead, predictions are cut at ``least / (1 - least)``, which keeps the same bound; (1) holds
for the cut ones as well.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gates.evidence import betting
from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.clusters import begins

ENOUGH_FAILURES = 30.0
"""Effective labelled failures below which a normal interval covers too seldom, and a betting one is given instead."""

LEAST_LABELS = 2
"""With fewer labels nothing is known of how much they differ from predictions."""

ROUNDING = 1e-9
"""How far below the rule a recorded probability may lie, in parts of it: it was written as text in between."""


class LabelRule(NamedTuple):
    """How labels are drawn: every answer with a probability of at least ``least``, in (0, 1].

    With ``active``, an answer whose predicted loss is ``f`` has at least ``f / (1 + f)``.
    """

    least: float
    active: bool

    def floor(self, predicted: ArrayLike) -> Floats:
        """Return the least probability of answers with these predicted losses.

        >>> LabelRule(0.03, active=True).floor([0.0, 1.0]).tolist()
        [0.03, 0.5]
        """
        f = np.asarray(predicted, dtype=np.float64)
        return np.maximum(self.least, f / (1.0 + f)) if self.active else np.full(f.shape, self.least)

    def probability(self, predicted: ArrayLike, keenness: float) -> Floats:
        """Return with what probability to draw labels; ``keenness`` is ``c``, and more of it is more labels.

        >>> LabelRule(0.03, active=True).probability([0.0, 0.5, 1.0], 0.2).round(3).tolist()
        [0.03, 0.333, 0.5]
        """
        f = np.asarray(predicted, dtype=np.float64)
        unsure = keenness * np.sqrt(np.maximum(f * (1.0 - f), 0.0)) if self.active else np.zeros(f.shape)
        return np.minimum(1.0, np.maximum(unsure, self.floor(f)))

    def usable(self, predicted: ArrayLike) -> Floats:
        """Return predicted losses, cut where labels are too rare for them to be used in full.

        >>> LabelRule(0.1, active=False).usable([0.05, 1.0]).round(3).tolist()
        [0.05, 0.111]
        """
        f = np.asarray(predicted, dtype=np.float64)
        return f if self.active or self.least >= 1.0 else np.minimum(f, self.least / (1.0 - self.least))

    def broken(self, predicted: ArrayLike, probability: ArrayLike) -> Bools:
        """Return which labels were drawn with a smaller probability than the rule says, or with an unknown one (0)."""
        return np.asarray(probability, dtype=np.float64) < self.floor(predicted) * (1.0 - ROUNDING)

    @property
    def rarest(self) -> float:
        """The largest ``1 / pi``."""
        return 1.0 / self.least


def transformed(predicted: Floats, eta: ArrayLike, truth: Floats, probability: Floats) -> Floats:
    """Return ``phi`` of answers; ``probability`` is 0 where there is no label, and ``truth`` is not read there.

    >>> transformed(np.array([0.2, 0.2]), 1.0, np.array([0.0, 1.0]), np.array([0.0, 0.5])).tolist()
    [0.2, 1.8]
    """
    trusted = np.asarray(eta, dtype=np.float64) * predicted
    labelled = probability > 0.0
    return trusted + np.where(labelled, (truth - trusted) / np.where(labelled, probability, 1.0), 0.0)


class PredictionSums(NamedTuple):
    """Sums over answers of many samples; all but the last are sums, that is a maximum.

    ``n`` answers, ``labels`` of them labelled, ``graded`` with a label that is neither 0 nor 1, ``broken`` with one
    that the rule forbids. ``w``, ``u``, ``c`` and ``b`` are those of ``w``, ``w U``, ``w C`` and ``w xi (y - f) / pi``,
    ``predicted`` is that of ``w f``; ``expected`` is how many labels the rule draws at least. Two letters are sums of
    products over answers, with ``in_`` those over clusters of their sums. ``heaviest`` is the largest ``w``.
    """

    n: Floats
    labels: Floats
    graded: Floats
    broken: Floats
    w: Floats
    u: Floats
    c: Floats
    b: Floats
    predicted: Floats
    expected: Floats
    ww: Floats
    wu: Floats
    wc: Floats
    uu: Floats
    uc: Floats
    cc: Floats
    bb: Floats
    in_ww: Floats
    in_wu: Floats
    in_wc: Floats
    in_wb: Floats
    in_uu: Floats
    in_uc: Floats
    in_cc: Floats
    in_bb: Floats
    heaviest: Floats

    @classmethod
    def columns(cls, sums: Floats) -> PredictionSums:
        """Return what an array holds whose last axis is these sums."""
        return cls(*np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0))

    def failures(self, rule: LabelRule) -> Floats:
        """How many failures of equal weight the labelled ones are worth (Kish), with one more of the largest weight.

        What the metric misses is labelled seldom and weighs much then: no such label among few says little.
        """
        return np.asarray(self.u**2 / np.maximum(self.uu + (rule.rarest * self.heaviest) ** 2, 1e-300))


NO_VARIANCE = 1e-12
"""Predictions that vary less say nothing."""

MISSING = 3.1
"""Labels are missing where they are this many standard deviations fewer than expected: by chance once in a thousand."""

WIDTH = len(PredictionSums._fields)


def no_predictions(*shape: int) -> Floats:
    """Return the sums of no answers."""
    return np.zeros((*shape, WIDTH))


def prediction_sums(
    sample: Integers,
    cluster: Integers,
    weight: Floats,
    predicted: Floats,
    truth: Floats,
    probability: Floats,
    *,
    rule: LabelRule,
    samples: int,
) -> Floats:
    """Return the `PredictionSums` of answers by sample, a row each.

    ``probability`` is that of the label, 0 where there is none. ``cluster`` numbers clusters.

    >>> one = np.ones(2)
    >>> rows = prediction_sums(
    ...     np.array([0, 0]), np.array([0, 1]), one, one / 2, one, np.array([0.0, 0.5]),
    ...     rule=LabelRule(0.5, active=True), samples=1,
    ... )
    >>> sums = PredictionSums.columns(rows)
    >>> sums.labels.tolist(), sums.u.tolist(), sums.c.tolist()
    ([1.0], [2.0], [0.0])
    """
    labelled = probability > 0.0
    pi = np.where(labelled, probability, 1.0)
    usable = rule.usable(predicted)
    w = weight
    u = np.where(labelled, w * truth / pi, 0.0)
    c = w * usable * np.where(labelled, 1.0 / pi - 1.0, -1.0)
    b = np.where(labelled, w * (truth - predicted) / pi, 0.0)
    graded = labelled & (truth != 0.0) & (truth != 1.0)
    plain = (np.ones_like(w), labelled, graded, np.zeros_like(w), w, u, c, b, w * predicted, rule.floor(predicted))
    products = (w * w, w * u, w * c, u * u, u * c, c * c, b * b)
    sums: list[Floats] = [_total(sample, each, samples) for each in (*plain, *products)]
    order = np.lexsort((sample, cluster))
    start = np.flatnonzero(begins(sample[order], cluster[order])) if len(order) else np.zeros(0, np.int64)
    of = sample[order][start]
    if len(order):
        cw, cu, cc, cb = (np.add.reduceat(each[order], start) for each in (w, u, c, b))
        clustered = (cw * cw, cw * cu, cw * cc, cw * cb, cu * cu, cu * cc, cc * cc, cb * cb)
        sums += [_total(of, each, samples) for each in clustered]
    else:
        sums += [np.zeros(samples)] * 8
    heaviest = np.zeros(samples)
    np.maximum.at(heaviest, sample, w)
    return np.stack([*sums, heaviest], axis=1)


def _total(sample: Integers, column: Floats | Bools, samples: int) -> Floats:
    return np.bincount(sample, weights=column, minlength=samples).astype(np.float64)


def missing(sums: PredictionSums) -> Bools:
    """Return where so few labels came that they cannot have been drawn by the rule.

    >>> rows = prediction_sums(
    ...     np.zeros(90, np.int64), np.arange(90), np.ones(90), np.zeros(90), np.zeros(90), np.zeros(90),
    ...     rule=LabelRule(0.2, active=True), samples=1,
    ... )
    >>> missing(PredictionSums.columns(rows)).tolist()
    [True]
    """
    return np.asarray(sums.labels + sums.broken < sums.expected - MISSING * np.sqrt(np.maximum(sums.expected, 0.0)))


def joined_sums(mine: Floats, more: Floats) -> Floats:
    """Return the sums of both."""
    joint = mine + more
    joint[..., -1] = np.maximum(mine[..., -1], more[..., -1])
    return joint


def eta(sums: PredictionSums) -> Floats:
    """Return how far predictions are trusted, in [0, 1]; 0 where there are too few labels to tell.

    >>> rows = prediction_sums(
    ...     np.zeros(4, np.int64), np.arange(4), np.ones(4), np.array([1.0, 0.0, 1.0, 0.0]),
    ...     np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.5, 0.5, 0.0, 0.0]),
    ...     rule=LabelRule(0.5, active=False), samples=1,
    ... )
    >>> eta(PredictionSums.columns(rows)).tolist()
    [1.0]
    """
    mean, control = sums.u / np.maximum(sums.w, 1e-300), sums.c / np.maximum(sums.w, 1e-300)
    together = sums.in_uc - mean * sums.in_wc - control * sums.in_wu + mean * control * sums.in_ww
    alone = sums.in_cc - 2.0 * control * sums.in_wc + control**2 * sums.in_ww
    known = (sums.labels >= LEAST_LABELS) & (alone > NO_VARIANCE)
    return np.where(known, np.clip(together / np.where(known, alone, 1.0), 0.0, 1.0), 0.0)


def mean(sums: PredictionSums, trust: ArrayLike) -> Floats:
    """Return the mean loss, which may lie a little outside of [0, 1]; 0 without answers."""
    return np.asarray((sums.u - np.asarray(trust) * sums.c) / np.maximum(sums.w, 1e-300))


def variance(sums: PredictionSums, trust: ArrayLike) -> Floats:
    """Return the variance of ``phi`` of an answer, weighted as the sums are."""
    trusted, center = np.asarray(trust, dtype=np.float64), mean(sums, trust)
    crossed = sums.wu - trusted * sums.wc
    squares = sums.uu - 2.0 * trusted * sums.uc + trusted**2 * sums.cc
    raw = squares - 2.0 * center * crossed + center**2 * sums.ww
    return np.asarray(np.maximum(raw, 0.0) / np.maximum(sums.ww, 1e-300))


def standard_error(sums: PredictionSums, trust: ArrayLike) -> Floats:
    """Return the standard error of the mean over clusters."""
    trusted, center = np.asarray(trust, dtype=np.float64), mean(sums, trust)
    crossed = sums.in_wu - trusted * sums.in_wc
    squares = sums.in_uu - 2.0 * trusted * sums.in_uc + trusted**2 * sums.in_cc
    raw = squares - 2.0 * center * crossed + center**2 * sums.in_ww
    return np.asarray(np.sqrt(np.maximum(raw, 0.0)) / np.maximum(sums.w, 1e-300))


def bias(sums: PredictionSums) -> tuple[Floats, Floats]:
    """Return by how much labels exceed predictions in the mean, and the standard error of that."""
    center = sums.b / np.maximum(sums.w, 1e-300)
    raw = sums.in_bb - 2.0 * center * sums.in_wb + center**2 * sums.in_ww
    return np.asarray(center), np.asarray(np.sqrt(np.maximum(raw, 0.0)) / np.maximum(sums.w, 1e-300))


def quantile(alpha: float) -> float:
    """Return what a standard normal variable exceeds with probability ``alpha``.

    >>> round(quantile(0.025), 2)
    1.96
    """
    return NormalDist().inv_cdf(1.0 - alpha)


def bounds(sums: PredictionSums, trust: ArrayLike, rule: LabelRule, alpha: float) -> tuple[Floats, Floats]:
    """Return lower and upper bounds of the mean loss in [0, 1], each missed with probability ``alpha``.

    With `ENOUGH_FAILURES` they are normal, with one more label of the largest weight in the variance: few labels
    understate it for having none of what the metric misses. Else they are those of a betting confidence sequence over
    ``phi``, whose range the rule gives (`gates.evidence.betting`); clusters then count as many answers less as their
    variance is larger. Without labels they are 0 and 1.
    """
    center, error = mean(sums, trust), standard_error(sums, trust)
    one_more = rule.rarest * sums.heaviest / np.maximum(sums.w, 1e-300)
    reach = quantile(alpha) * np.sqrt(error**2 + one_more**2)
    low, high = center - reach, center + reach
    few = sums.failures(rule) < ENOUGH_FAILURES
    if few.any():
        least, most = _betting(sums, np.asarray(trust, dtype=np.float64), rule, alpha)
        low, high = np.where(few, least, low), np.where(few, most, high)
    unknown = sums.labels < LEAST_LABELS
    return np.where(unknown, 0.0, np.clip(low, 0.0, 1.0)), np.where(unknown, 1.0, np.clip(high, 0.0, 1.0))


def _betting(sums: PredictionSums, trust: Floats, rule: LabelRule, alpha: float) -> tuple[Floats, Floats]:
    floor = -trust
    width = rule.rarest - floor
    # The square of a tiny number in its place would be 0.
    heaviest = np.where(sums.heaviest > 0.0, sums.heaviest, 1.0)
    crossed = sums.wu - trust * sums.wc
    squares = sums.uu - 2.0 * trust * sums.uc + trust**2 * sums.cc
    alone = variance(sums, trust) * sums.ww
    gathered = (standard_error(sums, trust) * sums.w) ** 2
    alike = np.maximum(1.0, gathered / np.maximum(alone, 1e-300))
    columns = (
        sums.n,
        sums.w / heaviest,
        (sums.u - trust * sums.c - floor * sums.w) / (heaviest * width),
        sums.ww / heaviest**2,
        (crossed - floor * sums.ww) / (heaviest**2 * width),
        (squares - 2.0 * floor * crossed + floor**2 * sums.ww) / (heaviest * width) ** 2,
    )
    low, high = betting.bounds(betting.Sums(*(np.atleast_1d(each / alike) for each in columns)), alpha)
    shape = sums.n.shape
    return (floor + low.reshape(shape) * width), (floor + high.reshape(shape) * width)
