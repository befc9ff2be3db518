"""Evidence over slices that appear one after the other: what rests on a slice is paid for when it appears.

Each slice ``k`` has an e-process ``e_k`` that begins with 1. Their mean is an e-process only while no slice is added:
where it has fallen to .3, one more raises it by a part of 1, and a release that is brought out region by region is
given a new chance to be rolled back with each. So a slice enters with money that is there. Let ``w_k`` be weights
given beforehand (all 1 by default) and ``T`` their sum over the slices there are. Half of the money is an account of
which a slice takes its part, ``w / T`` of whatever there is, the others keeping the rest; the other half is a reserve,
of which a slice takes the difference that its weight makes to ``1 / (1 + T)``: ``1 / (k (k + 1))`` for the ``k``-th of
weight 1. Both then follow ``e_k``. With ``p_k`` and ``o_k`` what a slice has taken, ``R`` what is left of the reserve,

    W = (sum_k p_k e_k) / 2 + (R + sum_k o_k e_k) / 2.

Statement: while no slice is worse, ``W`` ever reaches ``1 / alpha`` with probability at most ``alpha``, however many
slices there come to be, whenever each begins, and whatever they have to do with each other.

Premise: when a slice enters, and with which weight, does not depend on answers that are still to come. A slice enters
in the tick of its first bet, which its number of earlier answers decides.

Proof: dividing money anew leaves ``W`` as it was. A step turns each ``e_k`` into ``e_k f_k`` with ``E[f_k | past] <=
1``, so ``W`` is a supermartingale that is not negative and begins with 1. Ville's inequality (J. Ville, "Étude critique
de la notion de collectif", 1939) is the statement. Sources: betting with one account, G. Shafer and V. Vovk,
"Game-Theoretic Foundations for Probability and Finance" (2019), chapter 2; the mean as the way to merge e-values under
any dependence, V. Vovk and R. Wang, "E-values: calibration, combination and applications", Annals of Statistics 49
(2021), section 4.

Slices that begin at once are weighed as their mean is. What earlier slices say against the release helps a later one
to fail it, by the account; what they say for it takes nothing from the reserve.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gates.evidence.arrays import Bools, Floats, Integers

REPLACED = -1.0
"""The order of a row that has been: another measures its slice."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What rests on each slice, ``stake`` times its e-value, and by which weight it is named, 0 before it enters.

    What is taken of the reserve, ``order``, is fixed when a slice enters: which slices are worse is not decided by what
    others have gained.
    """

    stake: Floats
    order: Floats
    reserve: float = 1.0

    def entered(
        self, e_value: Floats, fresh: Bools, slice_of: Integers, weight: Floats, *, only: bool = False
    ) -> Stakes:
        """Return the stakes once the rows ``fresh`` have entered, whose e-values are 1 still.

        ``slice_of`` numbers the slice of each row: a row of a slice that is there already, measured anew, takes over
        from the rows before it. Where there will be no other slices, ``only``, nothing is held back for them.

        >>> none, first = np.zeros(3), np.array([True, True, False])
        >>> stakes = Stakes(none, none).entered(np.ones(3), first, np.arange(3), np.ones(3))
        >>> stakes.stake.tolist(), round(stakes.reserve, 3)
        ([0.5, 0.5, 0.0], 0.333)
        >>> shown = np.array([0.5, 0.1, 1.0])
        >>> later = stakes.entered(shown, ~first, np.arange(3), np.ones(3))
        >>> round(float(later.stake[2]), 6), bool(np.isclose(stakes.wealth(shown), later.wealth(shown)))
        (0.1, True)
        """
        rows = np.flatnonzero(fresh)
        if not rows.size:
            return self
        stake, order, reserve = self.stake.copy(), self.order.copy(), self.reserve
        there = order > 0.0
        known = np.isin(slice_of, slice_of[there])
        for each in np.unique(slice_of[fresh & known]).tolist():
            old, new = there & (slice_of == each), fresh & (slice_of == each)
            share = 1.0 / np.count_nonzero(new)
            stake[new] = share * _sum(stake[old] * e_value[old])
            order[new] = share * _sum(order[old] * np.minimum(e_value[old], 1.0))
            stake[old], order[old] = 0.0, REPLACED
        added = fresh & ~known
        if added.any():
            several = np.bincount(slice_of[added], minlength=int(slice_of.max()) + 1)
            part = np.where(added, weight / np.maximum(several[slice_of], 1), 0.0)
            # Of a slice that is measured anew the weight stays that of the slice.
            _, first = np.unique(slice_of[there], return_index=True)
            before, more = _sum(weight[there][first]), _sum(part)
            wealth = _sum(stake * e_value) if there.any() else 1.0
            stake *= before / (before + more)
            stake[added] = wealth * part[added] / (before + more)
            reserve = 0.0 if only else min(reserve, 1.0 / (1.0 + before + more))
            order[added] = part[added] / more * (self.reserve - reserve)
        return Stakes(stake, order, reserve)

    def wealth(self, e_value: Floats) -> float:
        """Return all there is: what is held against ``1 / alpha``."""
        taken = np.maximum(self.order, 0.0)
        return 0.5 * (_sum(self.stake * e_value) + self.reserve + _sum(taken * e_value))


def _sum(values: Floats) -> float:
    """Return a sum that does not depend on the order of its parts."""
    return float(np.sort(values).sum())
