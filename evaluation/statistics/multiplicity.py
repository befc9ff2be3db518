"""Many comparisons at once: p-values adjusted so that luck among them is not taken for a difference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted by Holm: calling those of at most 5 % different is wrong anywhere in 5 % of cases.

    Holds however the comparisons depend on each other. Source: S. Holm, "A simple sequentially rejective multiple test
    procedure" (Scandinavian Journal of Statistics 6, 1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, np.float64)
    order = np.argsort(p)
    adjusted = np.empty(p.size)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1)))
    return [float(each) for each in adjusted]


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted by Benjamini and Hochberg: of those of at most 5 %, 5 % are false in expectation.

    Holds for comparisons that are independent or rise together. Source: Y. Benjamini and Y. Hochberg, "Controlling the
    false discovery rate" (JRSS B 57, 1995).

    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    [0.03, 0.04, 0.04]
    """
    p = np.asarray(p_values, np.float64)
    order = np.argsort(p)[::-1]
    adjusted = np.empty(p.size)
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(p[order] * p.size / np.arange(p.size, 0, -1)))
    return [float(each) for each in adjusted]
