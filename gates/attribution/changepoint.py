"""Where in a row of answers a fall of quality begins, among few moments that were chosen before looking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gates.evidence.arrays import Floats, Integers

GROWTH = 1.08
"""Each moment that is tried lies this much further back than the one before, in answers."""
CLOSE = 3.0
"""Logarithms of likelihood that a known moment may fall short of the best one, or that answers between may hold
against it.

A release that begins a fall from 3 to 25 % is taken for its start in 87 of 100 samples 60 answers later, by the first
alone in 69; another change 20 answers before the fall in 18, 50 before in 1."""
LEAST_MEAN, LEAST_SPREAD = 1e-3, 0.02
"""Means and spreads are kept this far from 0: answers of which none failed yet do not say that none ever will."""
LEAST_BEFORE, LEAST_AFTER = 30, 20
"""Answers on either side below which a moment is not tried."""


class Onset(NamedTuple):
    """The first answer after it, and the share of the error that belonged to this moment."""

    place: int
    share: float


def onset(at: Integers, loss: Floats, weight: Floats, moments: Sequence[int]) -> Onset | None:
    """Return the moment with the clearest rise of the mean loss after it; ``None`` with too few answers.

    Tried are the given ``moments``, which share half of the error, and so many answers back as `GROWTH` has it. Bounds
    that hold with the share given to the moment chosen hold whichever is chosen.

    >>> loss = np.array([0.0] * 300 + [1.0] * 60)
    >>> onset(np.arange(360), loss, np.ones(360), [300])
    Onset(place=300, share=0.5)
    """
    last = len(at) - LEAST_AFTER
    named = {int(place) for place in np.searchsorted(at, sorted(set(moments)))}
    named = {place for place in named if LEAST_BEFORE <= place <= last}
    back: set[int] = set()
    steps = float(LEAST_AFTER)
    while len(at) - int(steps) >= LEAST_BEFORE:
        back.add(len(at) - int(steps))
        steps *= GROWTH
    back -= named
    places = np.array(sorted(named | back), dtype=np.int64)
    if not places.size:
        return None
    sums = [
        np.concatenate(([0.0], np.cumsum(each))) for each in (weight, weight * loss, weight * loss * loss, weight**2)
    ]
    w, wy, ww = (sums[place][places] for place in (0, 1, 3))
    ends = [each[-1] for each in sums]
    mean_before, mean_after = wy / w, (ends[1] - wy) / (ends[0] - w)
    spread = np.maximum(ends[2] / ends[0] - (ends[1] / ends[0]) ** 2, 1e-9)
    rise = (mean_after - mean_before) / np.sqrt(spread * (ww / w**2 + (ends[3] - ww) / (ends[0] - w) ** 2))
    chosen = int(places[int(np.argmax(rise))])
    # Chance moves the clearest rise by some answers: a known moment that explains it about as well is taken, and so is
    # one that the answers between hardly speak against.
    fit = np.where(rise > 0.0, rise**2 / 2.0, 0.0)
    likely = [
        (float(worth), -place)
        for place, worth in zip(places.tolist(), fit.tolist(), strict=True)
        if place in named and worth and (worth > fit.max() - CLOSE or _against(loss, weight, place, chosen) <= CLOSE)
    ]
    if likely:
        chosen = -max(likely)[1]
    halves = 0.5 if named and back else 1.0
    return Onset(chosen, halves / len(named if chosen in named else back))


def _against(loss: Floats, weight: Floats, known: int, chosen: int) -> float:
    """Return how surely answers between a known moment and the chosen one say that the rise did not begin at the known.

    It is the most that those next to the chosen moment together say for the side that it puts them on, in logarithms of
    the quasi-likelihood of a share (Wedderburn 1974). Infinite where the mean does not rise.
    """
    first, last = min(known, chosen), max(known, chosen)
    before, after = slice(None, first), slice(last, None)
    low, high = (_mean(loss[part], weight[part]) for part in (before, after))
    if low >= high:
        return np.inf
    means = np.concatenate((np.full(first, low), np.full(len(loss) - last, high)))
    outside = np.concatenate((loss[before], loss[after])), np.concatenate((weight[before], weight[after]))
    spread = float(outside[1] @ (outside[0] - means) ** 2) / float(outside[1] @ (means * (1 - means)))
    between, share = loss[first:last], weight[first:last] / (weight.mean() * max(spread, LEAST_SPREAD))
    low_side = share * (between * np.log(low / high) + (1 - between) * np.log((1 - low) / (1 - high)))
    speaking = np.cumsum(low_side[::-1]) if known < chosen else np.cumsum(-low_side)
    return float(speaking.max(initial=0.0))


def _mean(loss: Floats, weight: Floats) -> float:
    return float(np.clip(weight @ loss / weight.sum(), LEAST_MEAN, 1 - LEAST_MEAN))
