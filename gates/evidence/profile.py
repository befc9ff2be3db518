"""The profile of a week: by how much the mean loss of each hour lies above or below the mean over all hours.

Quality differs between day and night and between Tuesday and Sunday, because other people ask other questions. A level
that is the same for every hour must tolerate the worst one; a level that follows the hours need not.

The profile is a function on the 168 hours of a week, `HOURS`, counted in UTC from a Thursday (1970 began with one).
Means of single hours are too uncertain to be taken as they are: four weeks with 10 answers an hour leave an error of
.02 at a failure rate of 2 %. So the function is written in the frequencies of a week (discrete Fourier transform), of
which noise fills all alike and real swings only few, and these are shrunk in blocks towards 0, that is, towards the
overall mean:

    c_k <- c_k * max(0, 1 - (L + sqrt(2 L)) s2 / E)

for a block of ``L`` real coefficients with energy ``E``, where noise alone has ``L s2`` with standard deviation
``sqrt(2 L) s2``. Sources: W. James and C. Stein, "Estimation with quadratic loss" (Fourth Berkeley Symposium, 1961);
in blocks of frequencies, S. Efromovich and M. Pinsker, "Learning algorithm for nonparametric filtering" (Automation
and Remote Control 45, 1984). The blocks are the daily swing by its harmonics, the slow swing over a week, and how days
differ in shape. Where nothing swings, next to nothing is left.

Hours are not equally busy. An hour with ``n`` answers, of the busiest with ``m``, is taken as ``m`` answers of which
``m - n`` are missing and filled in by the profile as far as it is known (A. Dempster, N. Laird and D. Rubin, "Maximum
likelihood from incomplete data via the EM algorithm", JRSS-B 39, 1977), `ROUNDS` times; so hours without answers take
their value from what is like them.

What the bound needs
--------------------
With a profile ``p`` the level of an hour ``h`` is ``q_h = U + p_h + t``, ``U`` the upper bound of the overall mean
(`gates.evidence.reference`) and ``t`` a tolerance. The statement on false alarms (`gates.evidence.detector`) then holds
*as long as every hour's mean stays within its profile*: ``E[y | past] <= q_h`` for answers of the hour ``h``.

Where a profile is off by ``e_h``, evidence for a bet ``lam`` grows by ``exp(lam n e_h)`` in an hour of ``n`` answers
instead of 1. For errors with variance ``u2`` that are Gaussian and independent between hours this has mean
``exp(lam**2 n**2 u2 / 2)``, which a tolerance of

    t = lam n u2 / 2                                                                                                (1)

takes back: ``E exp(lam n (e_h - t)) = 1``. So with (1), and for such errors, the statement holds on average over what
the past might have looked like, at the ends of hours, up to the bet that ``t`` was taken for. This is an approximation
and no bound: few frequencies are kept, so errors of neighbouring hours are alike, and come again a week later, and what
shrinking took from a true swing is not in ``u2``. How many false alarms there are is therefore measured, on swings of
day and week (`benchmarks/seasons.py`). `uncertainty` is ``u2``. It falls as one over the number of weeks seen, and ``n
u2`` does not depend on traffic.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gates.evidence.arrays import Bools, Floats, Integers

HOURS = 168
"""Hours of a week, which have a mean each."""
HOUR = 3_600_000_000
"""An hour in microseconds."""
DAY = 24

WEEKS_NEEDED = 2
"""Weeks of a past that tell one hour of the week from another: with one, any event would be a pattern."""
DAYS_NEEDED = 3
"""Days of a past that tell one hour of the day from another."""

ROUNDS = 12
"""How often missing answers are filled in; hours with a quarter of the traffic of the busiest then lack 3 % of it."""

FREQUENCIES = np.arange(HOURS // 2 + 1)
BANDS = (0, 1, 2, 4, 7, 8, 14, 15, 28, 56)
"""Where blocks of frequencies (cycles a week) begin; multiples of 7, which are those of a day, have blocks apart."""
BLOCK = np.digitize(FREQUENCIES, BANDS) * 2 + (FREQUENCIES % 7 == 0)
REAL = np.where((FREQUENCIES == 0) | (FREQUENCIES == HOURS // 2), 1.0, 2.0)
"""How many real coefficients a complex one stands for."""


class Profile(NamedTuple):
    """Profiles of many series: ``offset`` by hour of the week, a row each, and the mean squared error ``uncertainty``.

    Weighted by traffic, the offsets of a row sum to 0.
    """

    offset: Floats
    uncertainty: Floats


def hour_of_week(tick: Integers, length: int) -> Integers:
    """Return the hour of the week in which ticks begin that have this length in microseconds.

    >>> hour_of_week(np.array([0, 13, 168 * 12]), 300_000_000).tolist()
    [0, 1, 0]
    """
    return np.asarray(tick * length // HOUR % HOURS)


def fit(n: Floats, loss: Floats, variance: Floats, weeks: Floats) -> Profile:
    """Return the profiles of series, from numbers of answers and sums of losses by hour of the week, a row each.

    ``variance`` is that of an answer, ``weeks`` the length of the past: under `WEEKS_NEEDED` hours of the day are told
    apart and no days, under `DAYS_NEEDED` nothing.

    >>> hours = np.arange(HOURS)
    >>> seen = np.full((1, HOURS), 240.0)
    >>> swing = 0.1 + 0.03 * np.sin(2 * np.pi * hours / DAY)
    >>> found = fit(seen, seen * swing, np.array([0.015]), np.array([4.0]))
    >>> bool(np.abs(found.offset[0] - (swing - 0.1)).max() < 0.003), bool(found.uncertainty[0] < 1e-5)
    (True, True)
    >>> fit(seen, seen * swing, np.array([0.015]), np.array([0.1])).offset.any()
    np.False_
    """
    known = weeks * 7.0 >= DAYS_NEEDED
    daily = known & (weeks < WEEKS_NEEDED)
    n, loss = (_by_hour_of_day(each, daily) for each in (n, loss))
    total = np.maximum(n.sum(axis=1, keepdims=True), 1.0)
    mean = loss.sum(axis=1, keepdims=True) / total
    most = np.maximum(n.max(axis=1, keepdims=True), 1.0)
    seen = n / most
    over = np.where(n > 0.0, loss / np.maximum(n, 1e-300) - mean, 0.0)
    noise = np.asarray(variance / most[:, 0])
    offset, kept = np.zeros(n.shape), np.zeros(len(n))
    for _ in range(ROUNDS):
        offset, kept = _shrunk(offset + seen * (over - offset), noise)
    offset -= (offset * n).sum(axis=1, keepdims=True) / total
    # An hour that is seldom seen is known as badly as it is seen.
    uncertainty = kept * variance / total[:, 0]
    return Profile(np.where(known[:, None], offset, 0.0), np.where(known, uncertainty, 0.0))


def _by_hour_of_day(cells: Floats, daily: Bools) -> Floats:
    """Return the cells with those of all days shared out evenly, in the rows that are ``daily``."""
    days = cells.reshape(len(cells), -1, DAY).mean(axis=1)
    return np.where(daily[:, None], np.tile(days, (1, HOURS // DAY)), cells)


def _shrunk(values: Floats, noise: Floats) -> tuple[Floats, Floats]:
    """Return values shrunk in blocks of frequencies, and how many coefficients are left of them, by row."""
    found = np.fft.rfft(values, axis=1, norm="ortho")
    energy = np.abs(found) ** 2 * REAL
    kept = np.zeros(len(values))
    for block in np.unique(BLOCK):
        of = (block == BLOCK) & (FREQUENCIES > 0)
        size = float(REAL[of].sum())
        if not size:
            continue
        expected = (size + np.sqrt(2.0 * size)) * noise
        there = energy[:, of].sum(axis=1)
        share = np.maximum(0.0, 1.0 - expected / np.maximum(there, 1e-300))
        found[:, of] *= share[:, None]
        kept += share * size
    found[:, 0] = 0.0
    return np.fft.irfft(found, n=HOURS, axis=1, norm="ortho"), kept
