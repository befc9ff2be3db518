"""What detectors go by, and how the false alarms that a gate accepts are shared out."""

from __future__ import annotations

from dataclasses import dataclass

from gates.evidence import creep
from gates.units.instants import Microseconds

LEAST_THRESHOLD = 20.0
"""No alarm on less evidence than an e-value of 20, what a test at 5 % asks for, however few slices there are."""

PARENT_SHARE = MEAN_SHARE = 0.05
"""Parts of the false alarms accepted that all traffic has, and the mean of the slices' evidence."""

CREEP_SHARE = 0.1
"""Part of the false alarms accepted that the slow detectors have, against the first reference."""
CREEP_PARENT_SHARE = 0.01
"""What of it all traffic has, where that is judged beside the slices."""

PARENTS_FROM = 10
"""Slices from which on these are judged beside the slices: fewer show by themselves as soon what all of them share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the detectors go by; lengths are in ticks, and ``tick`` is that of a tick.

    ``sign`` is 1 where a higher value is worse, -1 where a lower one is. ``weekly_weight`` is the start weight given in
    a week, ``change_weight`` that given at a change; with ``reset_on_change`` all evidence begins there, and the
    reference ends for as long as ``hold``. ``alarms_per_week`` are those accepted over all slices, and ``threshold`` is
    what alarms are decided by instead; ``fdr`` is the error of joint alarms. A cluster is remembered for ``silence``.
    With ``recovers`` what alarmed fails, for ``hold`` and until its recovery is shown; without, its evidence begins
    anew. With ``parents`` all traffic, and the mean of the slices' evidence, are judged beside `PARENTS_FROM` slices or
    more. A reference takes at least ``min_reference`` answers and ``min_time``. With ``own_past`` it has a profile of
    the week, and series without one are held against those like them (`gates.monitoring.levels`); with
    ``predicted_past`` that profile is of what predicts labels (`gates.monitoring.powered`). With ``calibrated``
    slices have thresholds by their pasts (`gates.evidence.calibration`). With ``creeps`` slow detectors bet against the
    first references as well (`gates.monitoring.creep`). Without ``alarms`` none are raised: another reads the evidence
    and decides.
    """

    sign: int
    tick: Microseconds
    week: float
    reference: int
    min_reference: int
    silence: int
    part: int
    weekly_weight: float
    change_weight: float
    hold: int
    alarms_per_week: float
    fdr: float | None
    tolerance: float | None = None
    declared: float | None = None
    slices: int | None = None
    threshold: float | None = None
    reset_on_change: bool = False
    recovers: bool = False
    parents: bool = False
    min_time: int = 0
    own_past: bool = False
    predicted_past: bool = False
    calibrated: bool = False
    creeps: bool = False
    alarms: bool = True

    def count(self, watched: int) -> int:
        """Return ``K``: the slices that false alarms are shared out over, when so many are watched."""
        return self.slices or watched

    def several(self, watched: int) -> bool:
        """Return whether parents are judged beside so many slices."""
        return self.parents and self.count(watched) >= PARENTS_FROM

    def slice_share(self, watched: int) -> float:
        """Return the part of the false alarms accepted that is left to slices, where others have theirs."""
        parents = PARENT_SHARE + MEAN_SHARE if self.several(watched) else 0.0
        return 1.0 - parents - (CREEP_SHARE if self.creeps else 0.0)

    def creep_threshold(self, watched: int) -> float:
        """Return how much evidence of a slow detector is an alarm when so many slices are watched."""
        share = CREEP_SHARE - (CREEP_PARENT_SHARE if self.several(watched) else 0.0)
        return max(LEAST_THRESHOLD, self.count(watched) / (share * self.alarms_per_week * self.creep_rarity))

    @property
    def creep_parent_threshold(self) -> float:
        """How much evidence of the slow detector over all traffic is an alarm."""
        return max(LEAST_THRESHOLD, 1.0 / (CREEP_PARENT_SHARE * self.alarms_per_week * self.creep_rarity))

    @property
    def creep_rarity(self) -> float:
        """How many times more rarely than proved slow detectors are taken to alarm."""
        return creep.CALIBRATED if self.calibrated else 1.0

    def alarm_threshold(self, watched: int) -> float:
        """Return ``A``: how much evidence of a slice is an alarm when so many slices are watched."""
        if self.threshold is not None:
            return self.threshold
        return max(LEAST_THRESHOLD, self.count(watched) / (self.slice_share(watched) * self.alarms_per_week))
