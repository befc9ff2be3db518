"""Where a condition begins to hold, found by halving, of many samples at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gates.evidence.arrays import Bools, Floats

FEW = 64
"""Up to so many brackets a call of numpy costs more than its elements: then some halvings are asked about at once."""
LEVELS = 5
"""Halvings asked about at once, where brackets are few: all 31 candidates of them."""


def halved(stands: Floats, refused: Floats, refuses: Callable[[Floats], Bools], halvings: int) -> tuple[Floats, Floats]:
    """Return the brackets between candidates that stand and candidates that are refused, halved so many times.

    ``refuses`` says of candidates, one or more rows like the brackets, which are refused: those from some point on, in
    the direction from ``stands`` to ``refused``. ``halvings`` is a multiple of `LEVELS`.

    >>> low, high = halved(np.array([0.0, 1.0]), np.array([1.0, 0.0]), lambda each: each * each >= [0.5, 9.0], 10)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.707, 0.001], [0.708, 0.0])
    """
    levels = LEVELS if stands.size <= FEW else 1
    parts = 2**levels
    points = np.empty((parts + 1, *stands.shape))
    points[0], points[-1] = stands, refused
    for _ in range(halvings // levels):
        step = parts
        while step > 1:
            points[step // 2 :: step] = (points[:-1:step] + points[step::step]) / 2.0
            step //= 2
        place = np.count_nonzero(~refuses(points[1:-1]), axis=0)[None]
        ends = np.take_along_axis(points, np.concatenate((place, place + 1)), axis=0)
        points[0], points[-1] = ends
    return points[0], points[-1]
