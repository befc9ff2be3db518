"""How many keys of a structured context a claim states as they are, and how many otherwise."""

from __future__ import annotations

from typing import get_args

from scorers.support.alignment import Alignment
from scorers.support.truth import FactVerdict

NAMES: tuple[FactVerdict, ...] = get_args(FactVerdict)


def features(a: Alignment) -> tuple[float, ...]:
    """Return the values of `NAMES`, how many facts stand so; all 0 where no source is structured."""
    counts = dict.fromkeys(NAMES, 0.0)
    for _, verdict in a.facts:
        counts[verdict] += 1
    return tuple(counts.values())
