"""Which line and which cell an observation belongs to: slice, stratum and epoch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gates.inputs.changes import INSTRUMENTS, Change
from gates.inputs.observations import Batch, Bools, Group, Integers, hashed, microseconds
from gates.inputs.values import Slice
from gates.windowing.watermark import Key
from scorers.base import Metric

EPOCH_NAME = "scorer changes"
"""What an epoch that began with a change event is marked by, among the versions."""


def _none() -> Integers:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Keyed:
    """Keys (slice, stratum, epoch) numbered as lines, and their (slice, epoch) as cells, first come."""

    keys: tuple[Key, ...] = ()
    cells: tuple[tuple[Slice, Slice], ...] = ()
    cell_of: Integers = field(default_factory=_none)
    names: Integers = field(default_factory=_none)

    def extended(self, keys: Sequence[Key]) -> Keyed:
        """Return the numbering with what ``keys`` has beyond its own.

        >>> one, two = (("d", "a"),), (("d", "b"),)
        >>> Keyed().extended([(one, (), ()), (two, (), ()), (one, (("s", "x"),), ())]).cell_of.tolist()
        [0, 1, 0]
        """
        if len(keys) == len(self.keys):
            return self
        numbers = {cell: place for place, cell in enumerate(self.cells)}
        codes = [numbers.setdefault((key[0], key[-1]), len(numbers)) for key in keys[len(self.keys) :]]
        cells = tuple(numbers)
        return Keyed(
            tuple(keys),
            cells,
            np.concatenate([self.cell_of, np.array(codes, np.int64)]),
            np.array([hashed(repr(cell)) for cell in cells], np.int64),
        )

    def order(self, lines: Sequence[int]) -> list[int]:
        """Return the numbers of the cells in the order they would have, had their lines come in this one."""
        return list(dict.fromkeys(self.cell_of[np.array(lines, np.int64)].tolist()))

    def latest(self, last: Integers, there: Bools) -> list[int]:
        """Return of every slice the cell of its newest epoch, in the order of slices, of those that are ``there``.

        ``last`` says when each cell was last heard of.
        """
        found: dict[Slice, int] = {}
        for cell in sorted(np.flatnonzero(there).tolist(), key=lambda cell: (last[cell], self.cells[cell])):
            found[self.cells[cell][0]] = cell
        return [found[slice_] for slice_ in sorted(found)]

    def touched(self, change: Change, metric: str) -> Bools:
        """Return which cells a change may touch: those with a line that does not lie outside its scope."""
        found = np.zeros(len(self.cells), np.bool_)
        for key, cell in zip(self.keys, self.cell_of, strict=True):
            found[cell] |= change.touches((*key[0], *key[1], ("metric", metric)))
        return found


def epoch(group: Group) -> Slice:
    """Return what a group was measured by: the versions of scorer and judge, and changes of the scorer before it."""
    return tuple(pair for pair in group.versions if pair[0] in (*INSTRUMENTS, EPOCH_NAME))


def epochs(batch: Batch, changes: Sequence[Change], metric: str) -> Batch:
    """Return the batch with observations since a change of the scorer marked by how many there were."""
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


def metric_problems(name: str, metrics: Mapping[str, Metric], worse: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a metric that a gate is to judge as worse that way."""
    metric = metrics.get(name)
    if metric is None:
        yield "metric", f"no scorer gives {name!r}; there are: {', '.join(sorted(metrics)) or 'none'}"
    elif metric.better == worse:
        yield "worse", f"{name!r} is better when {metric.better}, so worse is not {worse}"


def dimension_problems(field_: str, names: Sequence[str], dimensions: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield which of a gate's dimensions nobody cuts by."""
    for i, name in enumerate(names):
        if name not in dimensions:
            yield f"{field_}[{i}]", f"no slice dimension {name!r}; there are: {', '.join(sorted(dimensions)) or 'none'}"
