"""What a pass is worth: the least mean that answers of a window, or those since a recovery in it, would have shown."""

from __future__ import annotations

import numpy as np

from gates.evidence import power
from gates.evidence.arrays import Floats, Integers
from gates.monitoring.detectors import PARTS, Monitor
from gates.monitoring.levels import HeldAgainst
from gates.monitoring.rules import Rules
from gates.windowing.watermark import UNKNOWN


def recovered(monitor: Monitor, now: int, rules: Rules) -> Integers:
    """Return the tick of the last recovery of each slice-epoch within the window, `UNKNOWN` where there was none."""
    last = np.maximum(monitor.epochs.recovered, monitor.creep.epochs.recovered)
    return np.where(now - last < rules.part * PARTS, last, UNKNOWN)


def worth_since(monitor: Monitor, worth: Floats, back: Integers, now: int, rules: Rules) -> Floats:
    """Return what answers are worth of those in the window: of what came ``back`` in it, those of the parts after that.

    Evidence begins from nothing at a recovery, so what came before it has shown nothing since.
    """
    rows = np.flatnonzero(back != UNKNOWN).tolist()
    if not rows:
        return worth
    last = (now - 1) // rules.part
    since = monitor.recent.over(last, np.where(back == UNKNOWN, PARTS, last - back // rules.part))
    worth = worth.copy()
    worth[rows] = np.minimum(worth[rows], [since.effective_n(row) for row in rows])
    return worth


def smallest_found(levels: HeldAgainst, worth: Floats, thresholds: Floats, rules: Rules) -> Floats:
    """Return the least mean loss of each slice that so many answers would have shown by now."""
    known = (levels.level > 0.0) & (levels.level < 1.0)
    found = np.ones(len(known))
    found[known] = power.smallest_found(
        levels.level[known],
        levels.variance[known],
        levels.graded[known],
        (worth * levels.worth)[known],
        thresholds[known],
        rules.weekly_weight / rules.week,
    )
    return found
