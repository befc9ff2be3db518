"""Betting confidence sequences: bounds on a mean in [0, 1] that hold at all sample sizes at once.

Whoever may look again and again, and stop when it suits, needs bounds that hold at every look together. They come from
bets against each candidate mean ``m``: a wealth that starts at 1, is never negative and, if ``m`` is the mean, is a
martingale or falls, reaches ``1 / alpha`` ever with a probability of at most ``alpha`` (Ville's inequality). The means
against which that wealth has not been reached are the confidence sequence: I. Waudby-Smith and A. Ramdas, "Estimating
means of bounded random variables by betting", JRSS-B 86 (2024), theorem 1; bets on the mean being higher bound it from
below, those on its being lower from above ("hedged", section 4.1), and the means are tried on a grid.

Bets on sums
------------
With bets ``lam`` that are fixed in advance and mixed, wealth needs only sums, so the order of arrival does not matter.
Let ``u = m + v (y - m)`` with weights ``v`` in (0, 1], as in `gates.evidence.intervals`, ``x = u - m``, and ``n``
losses.

1. ``log(1 + lam x)`` is concave in ``u``, so it is at least its chord over [0, 1]: the wealth of any bet is at least
   ``(q / m)**S ((1 - q) / (1 - m))**(n - S)`` with ``S = sum u`` and ``q = m + lam m (1 - m)``. Mixed over ``q`` with a
   Beta(1/2, 1/2) prior this is a ratio of beta functions. For losses of 0 and 1 nothing is lost.
2. ``1 + lam x >= exp(lam x - (-log(1 - lam c) - lam c) x**2 / c**2)`` for ``x >= -c`` and ``lam c`` in [0, 1)
   (X. Fan, I. Grama and Q. Liu, "Exponential inequalities for martingales with applications", EJP 20, 2015, lemma 4.1):
   wealth from ``sum x`` and ``sum x**2``, which is far more where losses vary little. ``lam c`` runs over `PARTS_BET`.

A lower bound on wealth keeps what Ville's inequality says of it. Both kinds are mixed, with `CHORD` in the first.

Premises
--------
As long as each loss has the mean in question, whatever came before it, and answers count with one over the probability
that they were drawn with. Then ``E[v (y - m) | past] = 0`` for ``v = pi_min / pi`` (`gates.evidence.intervals`), which
is all that is used. ``pi_min`` is taken from the heaviest weight that was seen, and bounds are fixed to it: the
statement over all sample sizes together begins where an answer of the least probability in force has been seen.
Before, it holds at any one sample size. Answers that fail together are no such losses; whoever has them makes one bet
of a cluster (`gates.evidence.contrast`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gates.evidence.arrays import Bools, Floats
from gates.evidence.halving import halved

GRID = 500
"""Candidate means, evenly spaced in their log-odds; the two where the bounds lie are then halved between."""
REACH = 14.0
"""The log-odds of the outermost candidates: a millionth from 0 and 1."""
HALVINGS = 30

CHORD = 0.8
"""Share of the first kind of wealth: gates are mostly about rare failures."""
PARTS_BET = tuple(0.9 * 3.0**-k for k in range(6))

UP, DOWN = np.array(1.0), np.array(-1.0)
"""Which way a bet goes: on a mean higher than the candidate, or lower."""

LARGE = 600.0
"""Logarithms of wealth beyond this are not told apart."""

FAR = 8
"""From here on Stirling's series is exact to about twelve digits."""
STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680)


class Sums(NamedTuple):
    """Of many samples: number of losses, and sums of ``v``, ``v y``, ``v**2``, ``v**2 y`` and ``v**2 y**2``."""

    n: Floats
    v: Floats
    vy: Floats
    v2: Floats
    v2y: Floats
    v2y2: Floats

    @classmethod
    def of(cls, losses: ArrayLike) -> Sums:
        """Return the sums of one sample whose losses weigh the same."""
        y = np.asarray(losses, dtype=np.float64)
        n, total, squares = np.array([float(y.size)]), np.array([y.sum()]), np.array([(y * y).sum()])
        return cls(n, n, total, n, total, squares)


def bounds(sums: Sums, alpha: float) -> tuple[Floats, Floats]:
    """Return lower and upper bounds on the means, each of which ever misses with probability at most ``alpha``.

    A sample without losses is between 0 and 1.

    >>> [round(float(end[0]), 3) for end in bounds(Sums.of([0.0] * 60), 0.05)]
    [0.0, 0.09]
    >>> [round(float(end[0]), 3) for end in bounds(Sums.of([0.09, 0.11] * 500), 0.05)]
    [0.098, 0.107]
    """
    low, high = ends(sums, [math.log(1.0 / alpha)])
    return low[0], high[0]


def ends(sums: Sums, needs: Sequence[float]) -> tuple[Floats, Floats]:
    """Return the lower and upper bounds beyond which the logarithm of wealth is at least each of ``needs``, a row each.

    >>> low, high = ends(Sums.of([0.0] * 60), [1.0, 3.0])
    >>> low[:, 0].tolist(), high[:, 0].round(3).tolist()
    ([0.0, 0.0], [0.056, 0.09])
    """
    odds = np.linspace(-REACH, REACH, GRID)
    grid = 1.0 / (1.0 + np.exp(-odds))
    center = sums.vy / np.maximum(sums.v, 1e-300)
    many = len(needs)
    chord, means = _chord(sums, grid[None, :]), grid[None, :]
    stands, refused = (np.empty((2, many, len(center))) for _ in range(2))
    found = np.empty((2, many, len(center)), np.bool_)
    for side, up in enumerate((True, False)):
        curve = _joined(chord, _product(sums, means, UP if up else DOWN))
        beyond = means < center[:, None] if up else means > center[:, None]
        for number, need in enumerate(needs):
            kept = ~((curve >= need) & beyond)
            # The hull of what is not refused: on the lower side all candidates up to the first that stands.
            first = np.argmax(kept if up else kept[:, ::-1], axis=1)
            place = first if up else GRID - 1 - first
            stands[side, number] = grid[place]
            refused[side, number] = grid[np.clip(place - 1 if up else place + 1, 0, GRID - 1)]
            found[side, number] = first > 0
    both = Sums(*(np.tile(column, 2 * many) for column in sums))
    way = np.repeat([UP, DOWN], many * len(center))[:, None]
    needed = np.tile(np.repeat(np.asarray(needs), len(center)), 2)

    def refuses(candidates: Floats) -> Bools:
        rows = candidates.T
        return np.asarray(needed <= _joined(_chord(both, rows), _product(both, rows, way)).T)

    outer = halved(stands.ravel(), refused.ravel(), refuses, HALVINGS)[1].reshape(stands.shape)
    low, high = np.where(found, outer, np.array([0.0, 1.0])[:, None, None])
    known = sums.n > 0.0
    return np.where(known, np.minimum(low, center), 0.0), np.where(known, np.maximum(high, center), 1.0)


def log_wealth(sums: Sums, means: Floats, *, up: bool) -> Floats:
    """Return the logarithm of the wealth against candidate means in (0, 1), a row of them for each sample.

    ``up`` bets on a higher mean, else on a lower one.

    >>> round(float(log_wealth(Sums.of([1.0] * 10), np.array([[0.5]]), up=True)[0, 0]), 2)
    4.98
    """
    return _joined(_chord(sums, means), _product(sums, means, UP if up else DOWN))


def _joined(chord: Floats, product: Floats) -> Floats:
    wealth = CHORD * np.exp(np.clip(chord, -LARGE, LARGE)) + (1.0 - CHORD) / len(PARTS_BET) * product
    return np.asarray(np.log(wealth))


def _chord(sums: Sums, means: Floats) -> Floats:
    """Return the logarithm of the first kind of wealth, which bets both ways."""
    n, v, vy = (column[:, None] for column in sums[:3])
    # With equal weights the total is the same for every candidate, and so is its beta function.
    ahead = vy - (means[:, :1] if np.array_equal(sums.v, sums.n) else means) * v
    total = np.clip(n * (means[:, : ahead.shape[1]]) + ahead, 0.0, n)
    chord = _log_beta(total + 0.5, n - total + 0.5) - math.log(math.pi)
    return np.asarray(chord - total * np.log(means) - (n - total) * np.log1p(-means))


def _product(sums: Sums, means: Floats, way: Floats) -> Floats:
    """Return the second kind of wealth, whose bets are on means further in this way."""
    _, v, vy, v2, v2y, v2y2 = (column[:, None] for column in sums)
    spread = np.maximum(v2y2 - 2.0 * means * v2y + means * means * v2, 0.0)
    room = np.where(way > 0.0, means, 1.0 - means)
    drawn, cost = way * (vy - means * v) / room, spread / room**2
    found = np.zeros(drawn.shape)
    for part in PARTS_BET:
        found += np.exp(np.clip(part * drawn + (math.log1p(-part) + part) * cost, -LARGE, LARGE))
    return found


def _log_beta(a: Floats, b: Floats) -> Floats:
    one, other, both = _log_gamma(np.stack((a, b, a + b)))
    return np.asarray(one + other - both)


def _log_gamma(x: Floats) -> Floats:
    """Stirling's series (DLMF 5.11.1) after the recurrence has brought ``x`` far enough."""
    y, passed = x, np.ones(())
    if x.size and x.min() < FAR:
        y, passed = x.copy(), np.ones_like(x)
        for _ in range(FAR):
            small = y < FAR
            # One logarithm of a product of few: at most `FAR` factors, each below it.
            np.multiply(passed, y, out=passed, where=small)
            y += small
    z = 1.0 / (y * y)
    tail = np.zeros_like(z)
    for c in reversed(STIRLING):
        tail = tail * z + c
    return np.asarray((y - 0.5) * np.log(y) - y + 0.5 * math.log(2.0 * math.pi) + tail / y - np.log(passed))
