"""Which series an observation belongs to, and which slice-epoch.

A *series* is what is measured in one stratum of one slice in one epoch. A *slice-epoch* is one slice in one epoch: with
all its strata, and for as long as the same version of scorer and judge measures it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gates.evidence.arrays import Bools, Integers
from gates.inputs.changes import INSTRUMENTS, Change
from gates.inputs.observations import Batch, Group, hashed
from gates.inputs.slices import Slice
from gates.units.instants import microseconds
from gates.windowing.watermark import Key

EPOCH_NAME = "scorer changes"
"""What an epoch that began with a change event is marked by, among the versions: of a scorer, or of a reference."""


def _none() -> Integers:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class SeriesIndex:
    """Numbers of all series, by key (slice, stratum, epoch), and of their slice-epochs, first come.

    ``epoch_of`` is the slice-epoch of each series, ``names`` are hashes of the slice-epochs. ``slice_of`` numbers the
    slice of each slice-epoch and ``group_of`` its epoch, first come: slice-epochs of a group are measured alike.
    ``pool_of`` numbers what a series has in common with those of other slices: stratum and epoch.
    """

    keys: tuple[Key, ...] = ()
    epochs: tuple[tuple[Slice, Slice], ...] = ()
    epoch_of: Integers = field(default_factory=_none)
    names: Integers = field(default_factory=_none)
    slice_of: Integers = field(default_factory=_none)
    group_of: Integers = field(default_factory=_none)
    pool_of: Integers = field(default_factory=_none)

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return int(self.group_of.max(initial=-1)) + 1

    def extended(self, keys: Sequence[Key]) -> SeriesIndex:
        """Return the index with what ``keys`` has beyond its own.

        >>> one, two = (("d", "a"),), (("d", "b"),)
        >>> SeriesIndex().extended([(one, (), ()), (two, (), ()), (one, (("s", "x"),), ())]).epoch_of.tolist()
        [0, 1, 0]
        """
        if len(keys) == len(self.keys):
            return self
        numbers = {epoch: number for number, epoch in enumerate(self.epochs)}
        codes = [numbers.setdefault((key[0], key[-1]), len(numbers)) for key in keys[len(self.keys) :]]
        epochs = tuple(numbers)
        return SeriesIndex(
            tuple(keys),
            epochs,
            np.concatenate([self.epoch_of, np.array(codes, np.int64)]),
            np.array([hashed(repr(epoch)) for epoch in epochs], np.int64),
            _numbered([slice_ for slice_, _ in epochs]),
            _numbered([epoch for _, epoch in epochs]),
            _numbered([key[1:] for key in keys]),
        )

    def epoch_order(self, series: Sequence[int]) -> list[int]:
        """Return the numbers of the slice-epochs in the order they would have, had their series come in this one."""
        return list(dict.fromkeys(self.epoch_of[np.array(series, np.int64)].tolist()))

    def latest(self, last: Integers, there: Bools) -> list[int]:
        """Return the newest slice-epoch of every slice, in the order of slices, of those that are ``there``.

        ``last`` says when each was last heard of.
        """
        newest: dict[Slice, int] = {}
        for epoch in sorted(np.flatnonzero(there).tolist(), key=lambda epoch: (last[epoch], self.epochs[epoch])):
            newest[self.epochs[epoch][0]] = epoch
        return [newest[slice_] for slice_ in sorted(newest)]

    def touched(self, change: Change, metric: str) -> Bools:
        """Return which slice-epochs a change may touch: those with a series that is not outside its scope."""
        touched = np.zeros(len(self.epochs), np.bool_)
        for key, epoch in zip(self.keys, self.epoch_of, strict=True):
            touched[epoch] |= change.touches((*key[0], *key[1], ("metric", metric)))
        return touched


def _numbered(values: Sequence[Slice | Key]) -> Integers:
    """Return a number for each value, equal ones alike, first come."""
    numbers: dict[Slice | Key, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], np.int64)


def epoch_of(group: Group) -> Slice:
    """Return what a group was measured by: the versions of scorer and judge, and changes of the scorer before it."""
    return tuple(pair for pair in group.versions if pair[0] in (*INSTRUMENTS, EPOCH_NAME))


def with_epochs(batch: Batch, changes: Sequence[Change], metric: str) -> Batch:
    """Return the batch with observations since a change of the scorer marked by their number; so of a reference."""
    if not changes or not len(batch):
        return batch
    count = np.zeros(len(batch), np.int64)
    for change in changes:
        touched = [change.touches((*group.slice, ("metric", metric))) for group in batch.groups]
        count += np.array(touched, np.bool_)[batch.group] & (batch.at >= microseconds(change.at))
    return marked(batch, count, [((EPOCH_NAME, f"{n:06d}"),) if n else () for n in range(len(changes) + 1)])


def marked(batch: Batch, code: Integers, marks: Sequence[Slice]) -> Batch:
    """Return the batch with groups split by ``code``: each part has its mark among its versions."""
    if not code.any():
        return batch
    pairs, group = np.unique(batch.group * len(marks) + code, return_inverse=True)
    groups = tuple(
        batch.groups[pair // len(marks)]._replace(
            versions=(*batch.groups[pair // len(marks)].versions, *marks[pair % len(marks)])
        )
        for pair in pairs.tolist()
    )
    return replace(batch, groups=groups, group=group)
