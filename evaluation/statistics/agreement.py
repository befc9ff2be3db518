"""ReviewerAgreement between reviewers beyond chance: Cohen's kappa of two, Fleiss' kappa of several.

Source: J. Cohen, "A coefficient of agreement for nominal scales" (Educational and Psychological Measurement 20, 1960);
J. L. Fleiss, "Measuring nominal scale agreement among many raters" (Psychological Bulletin 76, 1971).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from statsmodels.stats.inter_rater import fleiss_kappa as fleiss

from gates.evidence.arrays import Integers


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
    names = {
        label: number for number, label in enumerate(dict.fromkeys(x for given in several.values() for x in given))
    }
    pairs = [(names[a], names[b]) for given in several.values() for a, b in combinations(given, 2)]
    both = np.array([*pairs, *((b, a) for a, b in pairs)], np.int64).reshape(-1, 2)
    lengths = [len(given) for given in several.values()]
    usual = max(set(lengths), key=lambda n: (lengths.count(n), n)) if lengths else 0
    alike = [given for given in several.values() if len(given) == usual]
    counts = np.array([np.bincount([names[label] for label in given], minlength=len(names)) for given in alike])
    varies = len(names) > 1
    return ReviewerAgreement(
        items=len(several),
        pairs=len(pairs),
        cohen=cohen_kappa(both[:, 0], both[:, 1]) if varies else None,
        fleiss=float(fleiss(counts)) if varies and len(np.unique(counts.argmax(axis=1))) > 1 else None,
    )


def cohen_kappa(first: Integers, second: Integers) -> float | None:
    """Return Cohen's kappa of two reviewers by the codes of their labels; ``None`` where both give one label only.

    >>> cohen_kappa(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))
    0.5
    """
    size = int(max(first.max(), second.max())) + 1
    table = np.bincount(first * size + second, minlength=size * size).reshape(size, size) / len(first)
    chance = float(table.sum(axis=1) @ table.sum(axis=0))
    return None if chance >= 1.0 else (float(np.trace(table)) - chance) / (1.0 - chance)
