"""The state of detectors over labels and predictions, beside that of `gates.monitoring.detectors`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

import numpy as np

from gates.evidence import predictions
from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.powered import DRIFTS
from gates.evidence.predictions import PredictionSums
from gates.monitoring.detectors import NO_SERIES, PARTS, Monitor
from gates.windowing.series import SeriesIndex
from gates.windowing.tables import ColumnTable
from gates.windowing.watermark import UNKNOWN

GAPS, OPEN = 8, 2**62
"""How many stretches of ticks without bets are remembered of a series, and the end of one that lasts."""
LABELLED = 2
"""Version of what a `PoweredMonitor` holds; raised with its meaning."""
SIDES = 2
"""The scorer may come to predict too little, and too much."""


@dataclass(slots=True, eq=False, kw_only=True)
class LabelTable(ColumnTable):
    """Columns over series: the sums of the reference, how far its predictions are trusted, and what came of it.

    ``spread`` is the variance of ``phi``, ``varied`` that of ``d``; ``low`` and ``high`` bound the mean of ``d``.
    ``awake`` is the first tick with a reference to bet against. ``gaps`` are ticks from it on, from the first and until
    the second, that were not bet on, as labels were missing.
    """

    sums: Floats = field(metadata={"fill": predictions.no_predictions()})
    trust: Floats
    spread: Floats
    varied: Floats
    low: Floats
    high: Floats
    awake: Integers = field(metadata={"fill": UNKNOWN})
    gaps: Integers = field(metadata={"fill": np.full((GAPS, 2), UNKNOWN)})

    def note(self, number: int, places: Integers, betting: Bools) -> None:
        """Note in place whether these series, which have a reference, are bet on in a tick.

        Beyond `GAPS` the oldest stretches are joined.
        """
        self.awake[places[self.awake[places] == UNKNOWN]] = number
        lasting = self.gaps[places, -1, 1] == OPEN
        self.gaps[places[betting & lasting], -1, 1] = number
        falling = places[~betting & ~lasting]
        joined = self.gaps[falling]
        joined[:, 1, 0] = np.where(joined[:, 0, 0] != UNKNOWN, joined[:, 0, 0], joined[:, 1, 0])
        joined = np.roll(joined, -1, axis=1)
        joined[:, -1] = (number, OPEN)
        self.gaps[falling] = joined

    def unbet(self, series: Integers, own: Integers) -> tuple[Bools, Bools]:
        """Return which answers are of before there was a reference, and which of ticks without bets after that.

        ``own`` are the ticks of their own times.
        """
        before = (self.awake[series] == UNKNOWN) | (own < self.awake[series])
        gaps, tick = self.gaps[series], own[:, None]
        return before, ~before & ((gaps[..., 0] <= tick) & (tick < gaps[..., 1]) & (gaps[..., 0] != UNKNOWN)).any(
            axis=1
        )


@dataclass(slots=True, eq=False, kw_only=True)
class ScorerTable(ColumnTable):
    """Columns over slice-epochs: the evidence that the scorer has drifted, and the sums of recent answers by part.

    ``alarmed`` is the tick of the last alarm, ``way`` 1 where labels then showed more loss than predicted, -1 less.
    ``begun`` is the tick in which the evidence over the slice began from nothing, after its last recovery.
    """

    evidence: Floats = field(metadata={"fill": np.zeros(SIDES * len(DRIFTS))})
    alarmed: Integers = field(metadata={"fill": UNKNOWN})
    way: Integers
    begun: Integers = field(metadata={"fill": UNKNOWN})
    recent: Floats = field(metadata={"fill": predictions.no_predictions(PARTS)})
    stamp: Integers = field(metadata={"fill": np.full(PARTS, UNKNOWN)})

    def add(self, part: int, sums: Floats) -> None:
        """Add the sums of all slice-epochs to a part, in place, where it has not left the window."""
        place = part % PARTS
        touched = np.flatnonzero((sums != 0.0).any(axis=1))
        fresh = touched[self.stamp[touched, place] < part]
        self.recent[fresh, place] = 0.0
        self.stamp[fresh, place] = part
        held = touched[self.stamp[touched, place] == part]
        self.recent[held, place] = predictions.joined_sums(self.recent[held, place], sums[held])

    def over(self, part: int) -> PredictionSums:
        """Return the sums over the window that ends with ``part``."""
        held = (self.stamp > part - PARTS) & (self.stamp <= part)
        kept = np.where(held[:, :, None], self.recent, 0.0)
        joint = kept.sum(axis=1)
        joint[:, -1] = kept[:, :, -1].max(axis=1, initial=0.0)
        return PredictionSums.columns(joint)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PoweredMonitor(Monitor):
    """The state of detectors over labels and predictions."""

    labels: LabelTable
    scorer: ScorerTable

    @classmethod
    def empty(cls, index: SeriesIndex = NO_SERIES) -> Self:
        """Return the state before any tick, with room for what the index numbers."""
        return cls.around(Monitor.empty(index))

    @classmethod
    def around(cls, monitor: Monitor) -> Self:
        """Return the state of these detectors, with nothing known of labels."""
        series, epochs = len(monitor.series.epoch), len(monitor.epochs.name)
        plain = {each.name: getattr(monitor, each.name) for each in fields(Monitor)}
        return cls(**plain, labels=LabelTable.empty(series), scorer=ScorerTable.empty(epochs))

    def grown(self, index: SeriesIndex) -> Self:
        """Return the state with room for what the index numbers by now; nothing is taken away."""
        grown = Monitor.grown(self, index)
        new = self.around(grown)
        return replace(
            grown,
            labels=self.labels.stacked(new.labels.after(len(self.series.epoch))),
            scorer=self.scorer.stacked(new.scorer.after(len(self.epochs.name))),
        )

    def copied(self) -> Self:
        """Return a copy that may be written to."""
        return replace(Monitor.copied(self), labels=self.labels.copied(), scorer=self.scorer.copied())

    def dumped(self, series: Sequence[int], epochs: Sequence[int]) -> dict[str, Any]:
        """Return the state as JSON takes it, its series and slice-epochs in the orders given."""
        plain = Monitor.dumped(self, series, epochs)
        return {**plain, "labels": self.labels.dumped(series), "scorer": self.scorer.dumped(epochs)}

    @classmethod
    def load(cls, data: Mapping[str, Any], index: SeriesIndex) -> Self:
        """Restore what `dumped` returned, for series and slice-epochs in its order."""
        empty = cls.around(Monitor.load(data, index))
        return replace(
            empty, labels=empty.labels.restored(data["labels"]), scorer=empty.scorer.restored(data["scorer"])
        )

    def still_differs(self, epoch: int, part: int) -> bool:
        """Return whether labels and predictions of the window that ends with ``part`` differ as at the last alarm."""
        mine = self.series.epoch == epoch
        difference = float(predictions.bias(self.scorer.over(part))[0][epoch])
        if self.scorer.way[epoch] > 0:
            return difference > float(self.labels.high[mine].max())
        return difference < float(self.labels.low[mine].min())

    def trusted(self) -> Floats:
        """Return ``eta`` of every slice-epoch, from the references of all of its series."""
        joint = predictions.no_predictions(len(self.epochs.name))
        np.add.at(joint, self.series.epoch, self.labels.sums)
        return predictions.eta(PredictionSums.columns(joint))
