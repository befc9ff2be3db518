"""Agreement between reviewers beyond chance: Cohen's kappa of two, Fleiss' kappa of several.

Sources: J. Cohen, "A coefficient of agreement for nominal scales" (Educational and Psychological Measurement 20, 1960);
J. L. Fleiss, "Measuring nominal scale agreement among many raters" (Psychological Bulletin 76, 1971).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np


class ReviewerAgreement(NamedTuple):
    """Kappas of reviewers: ``cohen`` over all pairs of labels of one item, ``fleiss`` over items with equally many.

    ``None`` where no item has two labels, or all labels are the same.
    """

    items: int
    pairs: int
    cohen: float | None
    fleiss: float | None


def agreement(labels: Mapping[str, Sequence[Hashable]]) -> ReviewerAgreement:
    """Return how far the labels of each item agree.

    Labels of an item are of different reviewers in no order, so that Cohen's kappa is taken over each pair both ways;
    chance is then agreement by the shares of all labels. Fleiss' kappa is over the items with the most common number
    of labels.

    >>> found = agreement({"a": ["yes", "yes"], "b": ["no", "no"], "c": ["yes", "no"]})
    >>> round(found.cohen, 4), round(found.fleiss, 4)
    (0.3333, 0.3333)
    """
    several = {item: given for item, given in labels.items() if len(given) > 1}
    pairs = [pair for given in several.values() for pair in combinations(given, 2)]
    first, second = [one for one, _ in pairs], [other for _, other in pairs]
    return ReviewerAgreement(
        items=len(several),
        pairs=len(pairs),
        cohen=cohen_kappa([*first, *second], [*second, *first]),
        fleiss=fleiss_kappa(label_counts(list(several.values()))),
    )


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Return Cohen's kappa of two reviewers' labels; ``None`` where there are none, or all are the same.

    >>> cohen_kappa(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.5
    """
    n = len(first)
    if not n:
        return None
    observed = sum(one == other for one, other in zip(first, second, strict=True)) / n
    mine, theirs = Counter(first), Counter(second)
    chance = sum(mine[label] * theirs[label] for label in mine) / n**2
    return None if chance == 1 else (observed - chance) / (1 - chance)


def fleiss_kappa(counts: Sequence[Sequence[int]]) -> float | None:
    """Return Fleiss' kappa: ``counts`` has a row an item, a column a label, and the same sum in each row.

    ``None`` where there are no items, or all labels are the same.

    >>> round(fleiss_kappa([[3, 0], [0, 3], [2, 1], [1, 2]]), 6)
    0.333333
    """
    table = np.asarray(counts, dtype=float)
    if not table.size or (raters := table[0].sum()) < 2:  # noqa: PLR2004 - a pair
        return None
    share = table.sum(axis=0) / table.sum()
    chance = float((share**2).sum())
    observed = float((((table**2).sum(axis=1) - raters) / (raters * (raters - 1))).mean())
    return None if chance == 1 else (observed - chance) / (1 - chance)


def label_counts(items: Sequence[Sequence[Hashable]]) -> list[list[int]]:
    """Return how often each label stands in each item, of the items with the most common number of labels.

    >>> label_counts([["a", "b"], ["a", "a"], ["b"]])
    [[1, 1], [2, 0]]
    """
    sizes = Counter(map(len, items))
    usual = max(sizes, default=0, key=lambda size: (sizes[size], size))
    names = dict.fromkeys(label for given in items for label in given)
    return [[list(given).count(name) for name in names] for given in items if len(given) == usual]
