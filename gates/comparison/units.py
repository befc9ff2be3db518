"""Routing units: what every cluster of a comparison has shown so far, and which arms it was seen in.

Traffic is split by units: every request for itself, or every user, who then stays with an arm. A unit is one draw of
the routing however many answers it has, so its later answers are expected to be like its earlier ones
(`gates.evidence.clusters`), for as long as the comparison lasts.

Where units are split by a number of theirs (a hash), a unit is with the candidate whenever the share exceeds that
number. So it may move from the baseline to the candidate as the share rises. One that was with the baseline at a share
no smaller than one it was with the candidate at was not routed as a unit.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.clusters import EXCESS_UNIT, Runs
from gates.windowing.tables import ColumnTable
from gates.windowing.watermark import UNKNOWN

MOST_UNITS = 50_000
"""Units remembered, of all slices together; of more those are forgotten that have been silent longest."""
NO_SHARE = 2.0
"""The least share at which a unit was with the candidate, where it never was."""


@dataclass(slots=True, eq=False, kw_only=True)
class Units(ColumnTable):
    """Columns over units, sorted by ``key``: answers, sums of their losses, and of the excess over the mean.

    ``above`` is the largest share at which a unit was with the baseline, ``below`` the least at which it was with the
    candidate, ``last`` the tick of its last answer.
    """

    key: Integers
    n: Floats
    loss: Floats
    over: Integers
    above: Floats
    below: Floats = field(metadata={"fill": NO_SHARE})
    last: Integers = field(metadata={"fill": UNKNOWN})

    @property
    def several(self) -> int:
        """How many units have several answers."""
        return int(np.count_nonzero(self.n > 1.0))

    @property
    def split(self) -> int:
        """How many units have answers of both arms that no share explains."""
        return int(np.count_nonzero(self.above >= self.below))

    def holding(self, keys: Integers) -> tuple[Units, Integers]:
        """Return the table with a row for each of these sorted keys, and their places."""
        place = np.searchsorted(self.key, keys)
        there = np.zeros(len(keys), np.bool_)
        there[place < len(self.key)] = self.key[place[place < len(self.key)]] == keys[place < len(self.key)]
        if there.all():
            return self.copied(), place
        more = Units.empty(int(np.count_nonzero(~there)))
        more.key[:] = keys[~there]
        held = self.stacked(more)
        held = held.taken(np.argsort(held.key, kind="stable"))
        return held, np.searchsorted(held.key, keys)

    def taken(self, places: Integers | Bools) -> Units:
        """Return some of the rows."""
        return self._each(lambda name: getattr(self, name)[places])

    def bounded(self) -> Units:
        """Return the table with `MOST_UNITS` rows at most."""
        if len(self.key) <= MOST_UNITS:
            return self
        newest = np.lexsort((self.key, -self.last))[:MOST_UNITS]
        return self.taken(np.sort(newest))


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What the unit of each answer of a tick had shown before it, and what the tick adds to sums over units.

    ``n`` and ``excess`` are the number of answers and their mean excess. ``squares`` and ``between`` are by unit what
    its answers add to the sums of ``n_u**2`` and of ``(sum of y in u)**2 / n_u``, ``fresh`` which units are new.
    """

    units: Units
    n: Floats
    excess: Floats
    start: Integers
    fresh: Floats
    squares: Floats
    between: Floats


def told(
    units: Units, key: Integers, runs: Runs, excess: Floats, loss: Floats, candidate: Bools, share: Floats, tick: int
) -> Seen:
    """Return what units had shown before each answer of a tick, and the table with the answers.

    Rows come unit by unit, ``runs``, inside of one in the order of their times. Each unit has one run.
    """
    names = key[runs.start]
    order = np.argsort(names, kind="stable")
    held, sorted_places = units.holding(names[order])
    place = np.empty_like(sorted_places)
    place[order] = sorted_places
    exact = np.rint(excess * EXCESS_UNIT).astype(np.int64)
    total = np.cumsum(exact) - exact
    n = np.arange(len(runs.of)) - runs.start[runs.of] + held.n[place][runs.of]
    over = total - total[runs.start][runs.of] + held.over[place][runs.of]
    before_n, before_loss = held.n[place], held.loss[place]
    held.n[place] += runs.size
    held.loss[place] += np.add.reduceat(loss, runs.start)
    held.over[place] += np.add.reduceat(exact, runs.start)
    held.last[place] = tick
    rows = place[runs.of]
    np.maximum.at(held.above, rows[~candidate], share[~candidate])
    np.minimum.at(held.below, rows[candidate], share[candidate])
    now_n, now_loss = held.n[place], held.loss[place]
    return Seen(
        units=held.bounded(),
        n=n,
        excess=over / EXCESS_UNIT / np.maximum(n, 1.0),
        start=runs.start,
        fresh=(before_n == 0.0).astype(np.float64),
        squares=now_n**2 - before_n**2,
        between=now_loss**2 / now_n - before_loss**2 / np.maximum(before_n, 1.0),
    )
