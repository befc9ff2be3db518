"""e-BH: which of many e-values are significant together, under any dependence between them.

With e-values ``e_1 .. e_K`` and weights ``w_k`` that sum to ``K`` (all 1 by default), let ``e_(r)`` be the ``r``-th
largest ``w_k e_k``. Rejected are the ``R`` largest, ``R = max{r : e_(r) >= K / (alpha r)}``. The expected share of
wrong rejections is then at most ``alpha``. Source: R. Wang and A. Ramdas, "False discovery rate control with e-values",
JRSS-B 84 (2022), definition 1, theorem 2 and, for weights, section 5.2.

The proof is one line: a rejected ``k`` has ``w_k e_k >= K / (alpha R)``, so ``1 / R <= alpha w_k e_k / K``, and the sum
over true nulls of the right side has mean at most ``alpha``.

Beside a threshold
------------------
Take `K` e-detectors (`gates.evidence.detector`) with start weight 1 a week each, threshold ``K / F`` and, at every
step,
e-BH on their levels; whatever is rejected is reset. A threshold alarm takes at least ``1 / F`` from the mean level over
all detectors, and a rejection of ``R`` takes at least ``R (K / (alpha R)) / K = 1 / alpha``. As the sum over detectors
is again a supermartingale, under any dependence, while every null holds

    E[threshold alarms] + (F / alpha) E[joint rejections] <= F weeks:

e-BH beside the threshold does not raise the expected number of false alarm incidents, as long as ``alpha <= F``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def rejected(
    e_values: ArrayLike, alpha: float, *, weights: ArrayLike = 1.0, among: int | None = None
) -> NDArray[np.bool_]:
    """Return which e-values are rejected at ``alpha``.

    ``among`` is ``K`` where some hypotheses have no e-value yet, which counts as 0. Raises `ValueError` where weights
    sum to more than ``K``, ``alpha`` is not in (0, 1], or an e-value is negative or not a number.

    >>> rejected([900.0, 70.0, 60.0, 0.5], 0.05).tolist()
    [True, True, True, False]
    >>> rejected([70.0, 0.5], 0.05, among=4).tolist()
    [False, False]
    """
    plain = np.asarray(e_values, dtype=np.float64)
    if not 0.0 < alpha <= 1.0 or not np.all(plain >= 0.0):
        raise ValueError("e-BH needs alpha in (0, 1] and e-values of at least 0")
    values = plain * np.asarray(weights, dtype=np.float64)
    size = plain.size if among is None else max(among, plain.size)
    if np.sum(np.broadcast_to(weights, plain.shape)) > size * (1.0 + 1e-9):
        raise ValueError("weights must sum to no more than the number of hypotheses")
    order = np.argsort(-values, kind="stable")
    enough = values[order] >= size / (alpha * np.arange(1, plain.size + 1))
    found = np.zeros(plain.size, dtype=np.bool_)
    if enough.any():
        found[order[: int(np.flatnonzero(enough)[-1]) + 1]] = True
    return found
