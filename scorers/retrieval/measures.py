"""The standard measures of a ranking, as trec_eval defines them.

``ranking`` lists ids, the best first; ``grades`` holds the relevance (above 0) of each relevant one, at least one.
docs/adr/0008 tells why they stand here; tests compare them with trec_eval itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2


def ndcg(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Return the discounted gain of the first ``k`` over that of the best ranking there could be.

    The gain is the grade, the discount log2(rank + 1). K. Järvelin, J. Kekäläinen, ACM TOIS 20(4), 2002, as
    trec_eval's ndcg_cut.

    >>> ndcg(["a", "b"], {"b": 1.0}, 10) == 1 / log2(3)
    True
    """
    gain = sum(grades.get(name, 0.0) / log2(rank + 1) for rank, name in enumerate(ranking[:k], 1))
    best = sum(grade / log2(rank + 1) for rank, grade in enumerate(sorted(grades.values(), reverse=True)[:k], 1))
    return min(1.0, gain / best)


def reciprocal_rank(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Return 1 over the rank of the first relevant one; 0 if the first ``k`` hold none.

    >>> reciprocal_rank(["a", "b"], {"b": 0.5}, 10)
    0.5
    """
    return next((1 / rank for rank, name in enumerate(ranking[:k], 1) if name in grades), 0.0)


def average_precision(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Return the sum of the precision at each relevant rank up to ``k``, over the number of relevant ones (map_cut).

    >>> average_precision(["a", "b"], {"b": 1.0}, 10)
    0.5
    """
    found, total = 0, 0.0
    for rank, name in enumerate(ranking[:k], 1):
        if name in grades:
            found += 1
            total += found / rank
    return min(1.0, total / len(grades))


def recall(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Return the share of the relevant ones that the first ``k`` hold.

    >>> recall(["a", "b"], {"b": 1.0, "c": 1.0}, 10)
    0.5
    """
    return len(grades.keys() & set(ranking[:k])) / len(grades)


def precision(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Return how many of the first ``k`` are relevant, over ``k``: a shorter ranking is filled up with misses.

    >>> precision(["a", "b"], {"b": 1.0}, 10)
    0.1
    """
    return len(grades.keys() & set(ranking[:k])) / k


def hit(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Return 1 if the first ``k`` hold a relevant one, else 0 (success).

    >>> hit(["a", "b"], {"b": 1.0}, 1)
    0.0
    """
    return 0.0 if grades.keys().isdisjoint(ranking[:k]) else 1.0
