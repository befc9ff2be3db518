"""e-BH: which of many e-values are significant together, under any dependence between them.

With e-values ``e_1 .. e_K`` and weights ``w_k`` that sum to ``K`` (all 1 by default), let ``e_(r)`` be the ``r``-th
largest ``w_k e_k``. Rejected are the ``R`` largest, ``R = max{r : e_(r) >= K / (alpha r)}``. The expected share of
wrong rejections is then at most ``alpha``. Source: R. Wang and A. Ramdas, "False discovery rate control with e-values",
JRSS-B 84 (2022), definition 1, theorem 2 and, for weights, section 5.2.

The proof is one line: a rejected ``k`` has ``w_k e_k >= K / (alpha R)``, so ``1 / R <= alpha w_k e_k / K``, and the sum
over true nulls of the right side has mean at most ``alpha``.

Beside a threshold
------------------
Premise: as long as no answer of a slice that is well is expected to be worse than its level
(`gates.evidence.detector`).

Take `K` e-detectors (`gates.evidence.detector`) with start weight 1 a week each, threshold ``K / F`` and, at every
step, e-BH on their levels. What alarms is frozen: it keeps its evidence, gets no start weight, and begins from nothing
when its alarm is over. So what has been found before still counts, and many that go wrong one after the other are found
with less and less. While every null holds, ``V - W``, with the mean ``V`` of all levels and the start weight ``W``, is
a supermartingale, under any dependence. An alarm by threshold freezes at least ``1 / F`` of ``V``; a rejection of ``R``
that none of was frozen before freezes ``R (K / (alpha R)) / K = 1 / alpha``; no evidence is frozen twice before it has
begun from nothing. What is rejected together with others that are frozen already belongs to their incident. Hence

    E[threshold alarms] + (F / alpha) E[joint incidents] <= F weeks:

e-BH beside the threshold does not raise the expected number of false alarm incidents, as long as ``alpha <= F``. And
where some do fail, ``E[share of wrong ones among those that e-BH finds] <= alpha weeks`` at any stopping time, with the
weeks since evidence began, as ``E[M_k]`` of a true null is at most its start weight (A. Dandapanthula and A. Ramdas,
"Multiple testing in multi-stream sequential change detection", 2025, arXiv 2501.04130). What alarms by its own
threshold is not among these: of that only the number of false alarms is bounded.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def rejected(
    e_values: ArrayLike, alpha: float, *, weights: ArrayLike = 1.0, among: int | None = None
) -> NDArray[np.bool_]:
    """Return which e-values are rejected at ``alpha``.

    ``among`` is ``K`` where it is not the number of e-values: some hypotheses have none yet, which counts as 0, or a
    weight of 0. Raises `ValueError` where weights sum to more than ``K``, ``alpha`` is not in (0, 1], or an e-value is
    negative or not a number.

    >>> rejected([900.0, 70.0, 60.0, 0.5], 0.05).tolist()
    [True, True, True, False]
    >>> rejected([70.0, 0.5], 0.05, among=4).tolist()
    [False, False]
    """
    plain = np.asarray(e_values, dtype=np.float64)
    if not 0.0 < alpha <= 1.0 or not np.all(plain >= 0.0):
        raise ValueError("e-BH needs alpha in (0, 1] and e-values of at least 0")
    values = plain * np.asarray(weights, dtype=np.float64)
    size = plain.size if among is None else among
    if np.sum(np.broadcast_to(weights, plain.shape)) > size * (1.0 + 1e-9):
        raise ValueError("weights must sum to no more than the number of hypotheses")
    order = np.argsort(-values, kind="stable")
    enough = values[order] >= size / (alpha * np.arange(1, plain.size + 1))
    found = np.zeros(plain.size, dtype=np.bool_)
    if enough.any():
        found[order[: int(np.flatnonzero(enough)[-1]) + 1]] = True
    return found
