"""Ensembles of decision trees as arrays: every row of an answer walks every tree at once.

A file holds, as JSON: ``kind`` (``"trees"``), ``name``, ``version``, ``data``, ``command``, ``features`` (names, in the
order of the columns), and one entry a node of all trees in ``feature`` (column, -1 at a leaf), ``threshold`` (go left
up to it; at a leaf its probability), ``left`` and ``right`` (how many nodes further); ``roots`` are the first nodes.
The mean over trees is a probability.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scorers.models.arrays import Floats, Integers

EDGE = 1e-3
"""No ensemble of this size is surer than this."""


@dataclass(frozen=True, slots=True)
class Trees:
    """Decision trees over named columns, in groups; the mean of a group is a probability.

    The two successors of a node stand side by side: ``left`` and the one after it; a leaf's is the leaf, and nothing is
    above its ``threshold``. Nodes are in the order of their depth, all trees together, so that those that every walk
    passes share memory that is read once. ``depth`` is that of the deepest tree; ``groups`` are the numbers of trees of
    each group.

    >>> stump = trees({"features": ["x"], "roots": [0], "feature": [0, -1, -1],
    ...                "threshold": [2.0, 0.5, 0.75], "left": [1, 0, 0], "right": [2, 0, 0]})
    >>> stump.logits([[2.0], [3.0]]).round(2).tolist()
    [[0.0, 1.1]]
    """

    features: tuple[str, ...]
    groups: tuple[int, ...]
    roots: Integers
    column: Integers
    threshold: Floats
    left: Integers
    value: Floats
    depth: int

    def logits(self, rows: Sequence[Sequence[float]] | Floats) -> Floats:
        """Return for each group the log-odds of each row, at most `EDGE` from certainty; none for no rows."""
        table = np.asarray(rows, dtype=np.float64).ravel()
        start = np.arange(0, len(rows) * len(self.features), len(self.features))[:, None]
        at = np.zeros_like(start) + self.roots
        for _ in range(self.depth):
            right = table.take(self.column.take(at) + start) > self.threshold.take(at)
            at = self.left.take(at) + right
        values = self.value.take(at)
        means = np.empty((len(self.groups), len(rows)))
        first = 0
        for group, count in enumerate(self.groups):
            # Summed in one order whatever the number of rows, so that a row's value does not depend on its neighbours.
            means[group] = values[:, first : first + count].cumsum(axis=1)[:, -1] / count
            first += count
        means = means.clip(EDGE, 1 - EDGE)
        found: Floats = np.log(means / (1 - means))
        return found


def trees(*contents: Mapping[str, Any]) -> Trees:
    """Return the models that the contents of files describe as one, a group each: one walk for all of them."""
    starts = np.cumsum([0, *(len(content["feature"]) for content in contents)])
    column = np.array(_all(contents, "feature"), dtype=np.int64)
    threshold = np.array(_all(contents, "threshold"), dtype=np.float64)
    leaf = column < 0
    number = np.arange(len(column))
    children = np.stack([number + _all(contents, "left"), number + _all(contents, "right")], axis=1)
    roots = [
        np.array(content["roots"], dtype=np.int64) + start for content, start in zip(contents, starts, strict=False)
    ]
    levels = [np.concatenate(roots)]
    while len(inner := levels[-1][~leaf[levels[-1]]]):
        levels.append(children[inner].ravel())
    order = np.concatenate(levels)
    place = np.empty_like(number)
    place[order] = np.arange(len(order))
    leaf, threshold = leaf[order], threshold[order]
    return Trees(
        features=tuple(contents[0]["features"]),
        groups=tuple(len(content["roots"]) for content in contents),
        roots=place[levels[0]],
        column=np.where(leaf, 0, column[order]),
        threshold=np.where(leaf, np.inf, threshold),
        left=np.where(leaf, np.arange(len(order)), place[children[order, 0]]),
        value=np.where(leaf, threshold, 0.0),
        depth=len(levels) - 1,
    )


def _all(contents: Sequence[Mapping[str, Any]], name: str) -> list[float]:
    return [value for content in contents for value in content[name]]
