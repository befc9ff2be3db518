"""Strata of a comparison: inside of which arms are compared, so that a mix that differs between arms tells nothing.

What an answer is compared with is the mean of its stratum, both arms taken together. Where the share that answers tell
is right in each stratum, that only takes away noise. Where it is right over all of them alone, as for a router that
sends more of one kind of question to the candidate, arms differ in their mix, and only inside strata not otherwise: the
mean of ``z`` in a stratum is ``(rho' / rho) (q1 - m) - ((1 - rho') / (1 - rho)) (q0 - m)`` for a share told as ``rho``
that is ``rho'``, which is 0 for ``q0 = q1 = m``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from gates.evidence import intervals
from gates.evidence.arrays import Bools, Floats, Integers
from gates.evidence.intervals import WeightedTotals
from gates.inputs.slices import Slice
from gates.windowing.series import SeriesIndex
from gates.windowing.tables import ColumnTable

SHRUNK = 10.0
"""How many answers the mean of a slice counts as, in the mean of each of its strata."""
ARM = -2
"""Where in a key the arm is, with its version; a stratum comes before it, where there are strata."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ComparisonLayout:
    """Where answers belong: slice-epoch and cell (a stratum of one) of each series, and what is derived from keys.

    ``slices`` are the slices of slice-epochs and ``slice_of`` numbers them, ``weight`` is that of the slice, ``names``
    the hash of the slice-epoch; ``sliced`` says whether there is another slice than all traffic.
    ``versions`` are those of each series by arm, ``candidates`` those of its candidate.
    """

    epoch_of: Integers
    cell_of: Integers
    cell_epoch: Integers
    slices: Sequence[Slice]
    slice_of: Integers
    sliced: bool
    weight: Floats
    names: Integers
    versions: Sequence[Mapping[str, str]]
    candidates: Sequence[str | None]

    @classmethod
    def of(cls, index: SeriesIndex, weights: Mapping[str, Mapping[str, float]]) -> ComparisonLayout:
        """Return where the series of an index belong; a slice weighs what ``weights`` say of its values, else 1."""
        cells: dict[tuple[Slice, ...], int] = {}
        slices: dict[Slice, int] = {}
        cell_of = [cells.setdefault((*key[:ARM], key[-1]), len(cells)) for key in index.keys]
        slice_of = [slices.setdefault(slice_, len(slices)) for slice_, _ in index.epochs]
        cell_epoch = np.zeros(len(cells), np.int64)
        cell_epoch[cell_of] = index.epoch_of
        versions = [dict(key[ARM]) for key in index.keys]
        return cls(
            epoch_of=index.epoch_of,
            cell_of=np.array(cell_of, np.int64),
            cell_epoch=cell_epoch,
            slices=[slice_ for slice_, _ in index.epochs],
            slice_of=np.array(slice_of, np.int64),
            sliced=any(slices),
            weight=np.array([_weight(slice_, weights) for slice_, _ in index.epochs], np.float64),
            names=index.names,
            versions=versions,
            candidates=[each.get("candidate") for each in versions],
        )

    def cell_order(self, series: Sequence[int]) -> list[int]:
        """Return the numbers of the cells in the order they would have, had their series come in this one."""
        return list(dict.fromkeys(self.cell_of[np.array(series, np.int64)].tolist()))

    @property
    def whole(self) -> bool:
        """Whether all traffic is one slice."""
        return len(self.slice_of) > 0 and not self.sliced

    @property
    def stratified(self) -> bool:
        """Whether any slice has several strata."""
        return len(self.cell_epoch) > len(self.names)


def _weight(slice_: Slice, weights: Mapping[str, Mapping[str, float]]) -> float:
    return float(np.prod([weights.get(name, {}).get(value, 1.0) for name, value in slice_]))


@dataclass(slots=True, eq=False, kw_only=True)
class Cells(ColumnTable):
    """Columns over cells: number of answers, sums of losses and of their squares, and `WeightedTotals` of each arm."""

    n: Floats
    plain: Floats
    plain2: Floats
    arms: Floats = field(metadata={"fill": np.zeros((2, len(WeightedTotals._fields)))})

    def past(self, mean: Floats, spread: Floats, layout: ComparisonLayout) -> tuple[Floats, Floats]:
        """Return mean and variance of what each cell has shown, given those of the slices.

        A cell with few answers has about the mean of its slice.
        """
        mean, spread = mean[layout.cell_epoch], spread[layout.cell_epoch]
        if not layout.stratified:
            return mean, spread
        count = self.n + SHRUNK
        own = (self.plain + SHRUNK * mean) / count
        around = self.plain2 - 2.0 * own * self.plain + self.n * own**2
        return own, np.maximum((around + SHRUNK * spread) / count, own * (1.0 - own) / (self.n + 1.0))

    def add(self, cell: Integers, candidate: Bools, weight: Floats, loss: Floats) -> None:
        """Add the answers of a tick, in place."""
        many = len(self.n)
        self.n += np.bincount(cell, minlength=many)
        self.plain += np.bincount(cell, weights=loss, minlength=many)
        self.plain2 += np.bincount(cell, weights=loss**2, minlength=many)
        arms = WeightedTotals.of(self.arms.reshape(2 * many, -1))
        arms.add(2 * cell + candidate.astype(np.int64), weight, loss)

    def difference(self, layout: ComparisonLayout, alpha: float) -> tuple[Floats, Floats, Floats]:
        """Return by how much the candidate's loss is higher in each slice, inside strata, and both bounds of that.

        Strata count by their answers of both arms; one without either arm is left out. ``alpha`` is the error of each
        end of a mean; deviations of strata add up as those of independent samples do.
        """
        totals = WeightedTotals.of(self.arms)
        mean, low, high = intervals.bounds(totals, alpha)
        both = (totals.n > 0.0).all(axis=1)
        many, count = len(layout.names), np.where(both, self.n, 0.0)
        part = count / np.maximum(np.bincount(layout.cell_epoch, weights=count, minlength=many), 1.0)[layout.cell_epoch]

        def summed(values: Floats) -> Floats:
            held = np.where(both, values, 0.0)
            return np.asarray(np.bincount(layout.cell_epoch, weights=held, minlength=many), np.float64)

        shift = summed(part * (mean[:, 1] - mean[:, 0]))
        below = summed(part**2 * ((mean[:, 1] - low[:, 1]) ** 2 + (high[:, 0] - mean[:, 0]) ** 2))
        above = summed(part**2 * ((high[:, 1] - mean[:, 1]) ** 2 + (mean[:, 0] - low[:, 0]) ** 2))
        return shift, np.maximum(-1.0, shift - below**0.5), np.minimum(1.0, shift + above**0.5)
