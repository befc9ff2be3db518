"""What detectors have measured of each slice, as the evidence that a verdict shows, whatever its outcome."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from gates.evidence import creep, detector, recovery
from gates.evidence.arrays import Floats
from gates.monitoring.detectors import CreepTable, Monitor
from gates.monitoring.levels import HeldAgainst
from gates.monitoring.rules import Rules
from gates.verdicts.summary import REFERENCE
from gates.windowing.watermark import UNKNOWN

OTHERS = "others"
"""Evidence: the part of a slice's traffic that is held against the mean of other slices, for want of a past."""


def measured(
    monitor: Monitor,
    levels: HeldAgainst,
    thresholds: tuple[Floats, Floats],
    now: int,
    rules: Rules,
    own: Callable[[Any], Any],
) -> list[dict[str, float]]:
    """Return the evidence of every slice-epoch: e-values, what they are held against, and rates of false alarms.

    ``thresholds`` are those of `gates.monitoring.levels.alarm_thresholds`, and ``own`` turns losses into values of the
    metric.
    """
    epochs, (needed, ratios) = monitor.epochs, thresholds
    watched = epochs.watched(now, rules)
    count, slow_threshold = rules.count(watched), rules.creep_threshold(watched)
    slow = slow_threshold if rules.creeps else math.inf
    ready = (epochs.updated_at != UNKNOWN).tolist()
    held = zip(own(levels.level).tolist(), own(levels.mean).tolist(), levels.others.tolist(), strict=True)
    rows: list[dict[str, float]] = []
    for epoch, (e_value, threshold, ratio, (level, mean, others)) in enumerate(
        zip(epochs.level.tolist(), needed.tolist(), ratios.tolist(), held, strict=True)
    ):
        row = {"e_value": e_value, "threshold": threshold, **alarm_rates(threshold, ratio, count, slow)}
        row |= creep_evidence(monitor.creep.epochs, epoch, slow_threshold)
        if ready[epoch]:
            row |= {"level": level, REFERENCE: mean} | ({OTHERS: others} if others > 0.0 else {})
        rows.append(row)
    return rows


def creep_evidence(table: CreepTable, row: int, threshold: float) -> dict[str, float]:
    """Return the evidence of a slow detector, where it has a reference."""
    if table.updated_at[row] == UNKNOWN:
        return {}
    evidence = {"creep_e_value": float(table.level[row]), "creep_threshold": threshold}
    if table.failing[row]:
        evidence |= {"recovery": float(detector.level(table.proof[row])), "recovery_needed": recovery.NEEDED}
    return evidence


def alarm_rates(threshold: float, ratio: float, slices: int, slow: float = math.inf) -> dict[str, float]:
    """Return the false alarms a week over so many slices that alarm like this one: at most, as proved, and calibrated.

    ``slow`` is the threshold of slow detectors, where there are any.

    >>> alarm_rates(50.0, 0.2, 200), round(alarm_rates(50.0, 0.2, 200, 400.0)["alarms_per_week_proved"], 9)
    ({'alarms_per_week_proved': 4.0, 'alarms_per_week_calibrated': 0.8}, 4.5)
    """
    fast, slowly = slices / threshold, slices / slow
    return {
        "alarms_per_week_proved": fast + slowly,
        "alarms_per_week_calibrated": fast * ratio + slowly / creep.CALIBRATED,
    }
