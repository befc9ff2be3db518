"""Three parts of a table: one to fit weights, one to tune thresholds, one that is held out for figures.

Source: PROBE 3.4: 60, 20 and 20 %, stratified, with no paraphrase in more than one part.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from evaluation.fitting.table import LabelledTable
from gates.evidence.arrays import Floats, Integers

SHARES = (0.6, 0.2, 0.2)
LEAST_GROUPS = 10
"""With fewer groups a part of a fifth may be empty, or stand for one question."""


class TableSplit(NamedTuple):
    """The parts of a table."""

    training: LabelledTable
    calibration: LabelledTable
    held_out: LabelledTable


def split(table: LabelledTable, rng: np.random.Generator) -> TableSplit:
    """Split a table by its groups, which stay whole, such that each stratum is in all parts by their shares.

    Groups are taken in an order of chance, stratum by stratum, each into the part that lacks most answers, in its
    stratum first and then in all; `LabelledTable.groups` says which stratum is that of a group. Raises `ValueError` for
    fewer than ten groups.
    """
    codes, stratum = table.groups
    if len(stratum) < LEAST_GROUPS:
        raise ValueError(f"a split needs {LEAST_GROUPS} groups of answers, got {len(stratum)}")
    sizes = np.bincount(codes).astype(np.float64)
    part = _assigned(stratum, sizes, rng)[codes]
    return TableSplit(*(table.part(part == number) for number in range(len(SHARES))))


def _assigned(stratum: Integers, sizes: Floats, rng: np.random.Generator) -> Integers:
    """Return the part of each group."""
    shares = np.array(SHARES)
    part = np.zeros(len(sizes), np.int64)
    overall = np.zeros(len(SHARES))
    for code in np.unique(stratum):
        members = np.flatnonzero(stratum == code)
        here = np.zeros(len(SHARES))
        for group in members[rng.permutation(len(members))]:
            here += shares * sizes[group]
            overall += shares * sizes[group]
            chosen = int(np.argmax(here + overall / len(sizes)))
            part[group] = chosen
            here[chosen] -= sizes[group]
            overall[chosen] -= sizes[group]
    return part
