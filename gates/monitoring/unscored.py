"""Answers that came without a score: counts by slice and part of the last window.

They are no evidence of any mean, but they tell a slice whose traffic has stopped from one that is no longer scored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gates.evidence.arrays import Integers
from gates.inputs.slices import Slice

UnscoredAnswers = Mapping[Slice, Mapping[int, int]]
"""How many answers of each slice came without a score in each part of the window, numbered from 1970 on."""


def counted_in(
    counts: UnscoredAnswers, slices: Sequence[Slice], of: Integers, part: Integers, kept: int
) -> UnscoredAnswers:
    """Return the counts with answers that came without a score, the last ``kept`` parts of them.

    ``of`` points into ``slices``, ``part`` numbers the part of each. Whatever order answers come in, and however many
    at once, the counts are the same.

    >>> travel = (("domain", "travel"),)
    >>> counted_in({}, [travel], np.array([0, 0, 0]), np.array([7, 7, 3]), 4)
    {(('domain', 'travel'),): {7: 2}}
    """
    if not len(of):
        return counts
    held = {slice_: dict(parts) for slice_, parts in counts.items()}
    cells, many = np.unique(np.stack([of, part]), axis=1, return_counts=True)
    for (place, number), count in zip(cells.T.tolist(), many.tolist(), strict=True):
        parts = held.setdefault(slices[place], {})
        parts[number] = parts.get(number, 0) + count
    newest = max(number for parts in held.values() for number in parts)
    recent = {
        slice_: {number: count for number, count in sorted(parts.items()) if number > newest - kept}
        for slice_, parts in sorted(held.items())
    }
    return {slice_: parts for slice_, parts in recent.items() if parts}


def counted_over(counts: UnscoredAnswers, last: int, kept: int) -> dict[Slice, int]:
    """Return the counts over so many parts that end with ``last``, by slice.

    >>> counted_over({(): {5: 2, 6: 1, 8: 4}}, 7, 2)
    {(): 1}
    """
    return {
        slice_: sum(count for number, count in parts.items() if last - kept < number <= last)
        for slice_, parts in counts.items()
    }


def dumped(counts: UnscoredAnswers) -> list[Any]:
    """Return the counts as JSON takes them; `load` reads them."""
    return [[[*map(list, slice_)], sorted(map(list, parts.items()))] for slice_, parts in sorted(counts.items())]


def load(rows: Sequence[Any]) -> UnscoredAnswers:
    """Return what `dumped` wrote.

    >>> counts = {(("domain", "travel"),): {5: 2, 6: 1}}
    >>> load(dumped(counts)) == counts
    True
    """
    return {tuple((name, value) for name, value in slice_): dict(map(tuple, parts)) for slice_, parts in rows}
