"""What is known of releases without a concurrent control: what each slice was released with, and what came since.

A slice has the last change that touched it: another one that is announced for other slices leaves it as it is. Its
answers count from the moment of the change. What decided stays, with the answers it was decided on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gates.evidence import ebh
from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.intervals import WeightedTotals
from gates.inputs.changes import Change
from gates.monitoring import advance as ticks
from gates.monitoring.detectors import Monitor
from gates.monitoring.rules import Rules
from gates.units.instants import Microseconds, microseconds
from gates.windowing.series import SeriesIndex
from gates.windowing.tables import ColumnTable
from gates.windowing.watermark import UNKNOWN, Arrivals, by_tick

NO_TOTALS = np.zeros(len(WeightedTotals._fields))
WORSE, AS_GOOD = 0, 1
"""Columns of evidence: that a release is worse, and that it is not worse by the margin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceRelease:
    """A change that begins a comparison with the past: its number, the tick, and how many slices it is compared in."""

    number: int
    tick: int
    change: Change
    slices: int


@dataclass(slots=True, eq=False, kw_only=True)
class ReleaseTable(ColumnTable):
    """Columns over slice-epochs: the number of the release each has, and of the last that named a candidate.

    ``since`` holds `WeightedTotals` of the losses since the release. ``failed`` and ``passed`` are the ticks in which
    that was decided, ``decided`` the totals and ``found`` the evidence (`WORSE`, `AS_GOOD`) as they then were.
    ``crossed`` says that evidence of a pass has been enough, whether or not there were enough answers.
    """

    release: Integers = field(metadata={"fill": UNKNOWN})
    named: Integers = field(metadata={"fill": UNKNOWN})
    since: Floats = field(metadata={"fill": NO_TOTALS})
    decided: Floats = field(metadata={"fill": NO_TOTALS})
    found: Floats = field(metadata={"fill": np.zeros(2)})
    failed: Integers = field(metadata={"fill": UNKNOWN})
    passed: Integers = field(metadata={"fill": UNKNOWN})
    crossed: Bools

    def begin(self, places: Integers | Bools, number: int, *, names: bool) -> None:
        """Let a release begin in some slice-epochs, in place."""
        self.release[places] = number
        self.named[places] = np.where(names, number, self.named[places])
        self.since[places] = self.decided[places] = 0.0
        self.found[places] = 0.0
        self.failed[places] = self.passed[places] = UNKNOWN
        self.crossed[places] = False

    def decide(self, places: Integers, column: Integers, number: int, evidence: Floats) -> None:
        """Note in place what was decided of some slice-epochs in a tick, and on what; ``column`` is one of its own."""
        column[places] = number
        self.decided[places], self.found[places] = self.since[places], evidence[places]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseRules:
    """What both detectors go by, which kind of change names a candidate, and when a release passes or is over.

    What changes within ``brought`` microseconds of a change that names a candidate came with it. A release is judged
    for ``watch`` ticks; ``metric`` is the one that scopes of changes may name.
    """

    inferior: Rules
    non_inferior: Rules
    metric: str
    min_answers: int
    kind: str | None
    brought: Microseconds
    watch: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HistoricalControl:
    """The detectors of a release that is inferior and of one that is not, what slices have, and the releases."""

    inferior: Monitor = field(default_factory=Monitor.empty)
    non_inferior: Monitor = field(default_factory=Monitor.empty)
    slices: ReleaseTable = field(default_factory=lambda: ReleaseTable.empty(0))
    releases: tuple[SliceRelease, ...] = ()

    @property
    def by_number(self) -> Mapping[int, SliceRelease]:
        """The releases by their numbers."""
        return {each.number: each for each in self.releases}

    def grown(self, index: SeriesIndex) -> HistoricalControl:
        """Return a copy that may be written to, with room for what the index numbers."""
        new = ReleaseTable.empty(len(index.names)).after(len(self.slices.release))
        return replace(
            self,
            inferior=self.inferior.grown(index).copied(),
            non_inferior=self.non_inferior.grown(index).copied(),
            slices=self.slices.stacked(new),
        )

    def version(self, place: int, rules: ReleaseRules) -> str | None:
        """Return the version of the candidate that a slice-epoch has, ``None`` where no change told it."""
        releases = self.by_number
        last, named = (releases.get(int(column[place])) for column in (self.slices.release, self.slices.named))
        if last is None or named is None:
            return None
        came_along = 0 <= microseconds(last.change.at) - microseconds(named.change.at) <= rules.brought
        return named.change.version if last is named or came_along else None

    def watched(self, last: int, rules: ReleaseRules) -> Bools:
        """Return which slice-epochs have had a release that is still judged in the tick ``last``, and answers ever."""
        numbers = [each.number for each in self.releases if last - each.tick < rules.watch]
        return np.asarray(np.isin(self.slices.release, numbers) & (self.inferior.epochs.heard != UNKNOWN))


def advance(
    state: HistoricalControl,
    rows: Arrivals,
    rules: ReleaseRules,
    index: SeriesIndex,
    releases: Sequence[tuple[int, Change, Bools]],
) -> HistoricalControl:
    """Return the state after these ticks; ``releases`` are those since the last, with the slice-epochs each touches."""
    state = state.grown(index)
    for at, change, touched in releases:
        same, instant = rows.tick == at, microseconds(change.at)
        # The tick of a release is parted where it touches: what was served before the moment is no evidence about it.
        before = (rows.tick < at) | same & touched[index.epoch_of[rows.series]] & (rows.at < instant)
        state = _begun(_folded(state, rows.taken(before), rules, index), at, change, touched, rules)
        rows = rows.taken(~before)
    return _folded(state, rows, rules, index)


def _begun(state: HistoricalControl, at: int, change: Change, touched: Bools, rules: ReleaseRules) -> HistoricalControl:
    """Return the state after a release began in the slice-epochs it touches."""
    watched = ticks.begin_anew(state.inferior, at, touched, rules.inferior)
    ticks.begin_anew(state.non_inferior, at, touched, rules.non_inferior)
    kept = tuple(each for each in state.releases if at - each.tick <= rules.watch)
    table, gone = state.slices, [each.number for each in state.releases if at - each.tick > rules.watch]
    for column in (table.release, table.named):
        column[np.isin(column, gone)] = UNKNOWN
    number = kept[-1].number + 1 if kept else 0
    table.begin(touched & (state.inferior.epochs.first != UNKNOWN), number, names=change.kind == rules.kind)
    begun = SliceRelease(number=number, tick=at, change=change, slices=int(np.count_nonzero(watched)))
    return replace(state, releases=(*kept, begun))


def _folded(state: HistoricalControl, rows: Arrivals, rules: ReleaseRules, index: SeriesIndex) -> HistoricalControl:
    """Return the state after answers of ticks between two releases, with what they decide."""
    for number, part in by_tick(rows, rules.inferior.tick):
        new = state.inferior.epochs.first == UNKNOWN
        state = replace(
            state,
            inferior=ticks.fold(state.inferior, number, part, rules.inferior),
            non_inferior=ticks.fold(state.non_inferior, number, part, rules.non_inferior),
        )
        place = index.epoch_of[part.series]
        for series in np.unique(part.series[new[place]]).tolist():
            _appeared(state, series, rules, index)
        loss = part.value if rules.inferior.sign > 0 else 1.0 - part.value
        WeightedTotals(*state.slices.since.T).add(place, part.weight, loss)
        _decide(state, number, rules)
    return state


def _appeared(state: HistoricalControl, series: int, rules: ReleaseRules, index: SeriesIndex) -> None:
    """Let a slice that is seen for the first time have the releases from before it, in place."""
    key, place = index.keys[series], int(index.epoch_of[series])
    for each in state.releases:
        if each.change.touches((*key[0], *key[1], ("metric", rules.metric))):
            state.slices.begin(np.array([place]), each.number, names=each.change.kind == rules.kind)


def _decide(state: HistoricalControl, number: int, rules: ReleaseRules) -> None:
    """Note in place which releases have failed and passed by the evidence after a tick."""
    table, inferior, non_inferior = state.slices, state.inferior.epochs, state.non_inferior.epochs
    releases = state.by_number
    evidence = np.stack([inferior.level, non_inferior.level], axis=1)
    compared = (table.release != UNKNOWN) & (inferior.changed != UNKNOWN)
    # What has failed has its evidence frozen: it counts when others of the same release are judged.
    level = np.where(table.failed != UNKNOWN, table.found[:, WORSE], evidence[:, WORSE])
    for each in np.unique(table.release[compared & (level >= 1.0)]).tolist():
        mine = np.flatnonzero(compared & (table.release == each))
        worse = mine[_inferior(level[mine], releases[each].slices, rules.inferior)]
        failing = worse[table.failed[worse] == UNKNOWN]
        table.decide(failing, table.failed, number, evidence)
        inferior.alarmed[failing], inferior.evidence[failing] = number, 0.0
    threshold = rules.non_inferior.alarm_threshold(1)
    table.crossed |= compared & (non_inferior.changed != UNKNOWN) & (evidence[:, AS_GOOD] >= threshold)
    shown = table.crossed & (table.since[:, 0] >= rules.min_answers)
    passing = np.flatnonzero(shown & (table.passed == UNKNOWN) & (table.failed == UNKNOWN))
    table.decide(passing, table.passed, number, evidence)
    non_inferior.alarmed[passing] = number
    # Spent: what is left of it would keep the reference from being learned once the release is not judged any more.
    non_inferior.evidence[shown] = 0.0


def _inferior(level: Floats, slices: int, rules: Rules) -> Bools:
    """Return which of the slices of one release are inferior, where it is compared in so many: alone, or together."""
    alone = level >= rules.alarm_threshold(slices)
    if rules.fdr is None:
        return np.asarray(alone)
    joint = ebh.rejected(level, rules.fdr, among=slices)
    # One is not several together, and has the threshold of its own.
    return np.asarray(alone | joint & (np.count_nonzero(joint) > 1))


def dumped(
    state: HistoricalControl, index: SeriesIndex, series: Sequence[int], epochs: Sequence[int]
) -> dict[str, Any]:
    """Return a state as JSON takes it, its series and slice-epochs in the orders given."""
    state = state.grown(index)
    return {
        "worse": state.inferior.dumped(series, epochs),
        "kept": state.non_inferior.dumped(series, epochs),
        "slices": state.slices.dumped(epochs),
        "releases": [
            [each.number, each.tick, each.slices, each.change.model_dump(mode="json")] for each in state.releases
        ],
    }


def load(data: Mapping[str, Any], index: SeriesIndex) -> HistoricalControl:
    """Restore what `dumped` returned, for keys in its order."""
    return HistoricalControl(
        inferior=Monitor.load(data["worse"], index),
        non_inferior=Monitor.load(data["kept"], index),
        slices=ReleaseTable.empty(len(index.names)).restored(data["slices"]),
        releases=tuple(
            SliceRelease(number=number, tick=tick, slices=slices, change=Change.model_validate(change))
            for number, tick, slices, change in data["releases"]
        ),
    )
