"""What a sliding window keeps of its answers: sums by part and slice, the same in whatever order answers come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from gates.evidence.arrays import Floats, Integers
from gates.inputs.observations import Batch
from gates.inputs.slices import NONE, OTHER, Slice

BUCKETS = 60
"""Parts of a window; the oldest leaves as a whole, so a window is exact to a sixtieth."""

MAX_SLICES = 1000
"""Slices told apart in one bucket. Dimensions have caps, their combinations do not; what exceeds it is not lost, but
counted together as `OTHER`."""

UNIT = 10**9
"""Weights and weighted values are summed as integers in billionths: integer sums do not depend on the order."""

SQUARE_UNIT = 10**6
"""Sums of squared weights are in millionths."""

CHUNK = 2**16
"""Observations summed at once: the sums of so many fit 64 bits."""

LEAST_PROBABILITY = 1e-4
"""An answer weighs at most ten thousand others, whatever probability was recorded with it."""

NEVER = -(2**62)
"""A bucket before all others."""


class BucketSums(NamedTuple):
    """What is kept of the answers of one slice: their number, sums, and the largest weight.

    The sums are of weight and weighted value in `UNIT`; of the squared weight, of it times the value, and of it times
    the squared value in `SQUARE_UNIT`. ``capped`` answers had a probability below `LEAST_PROBABILITY`.
    """

    n: int = 0
    weight: int = 0
    weighted: int = 0
    square: int = 0
    squared: int = 0
    squares: int = 0
    heaviest: int = 0
    capped: int = 0

    def plus(self, other: BucketSums) -> BucketSums:
        """Return both taken together."""
        return BucketSums(
            self.n + other.n,
            self.weight + other.weight,
            self.weighted + other.weighted,
            self.square + other.square,
            self.squared + other.squared,
            self.squares + other.squares,
            max(self.heaviest, other.heaviest),
            self.capped + other.capped,
        )


Buckets = Mapping[int, Mapping[Slice, BucketSums]]
"""The state: sums by time bucket and slice."""

LEFT_OUT: Slice = (("left out", ""),)
"""No slice: under it a bucket counts what was older than the window when it came, the bucket being the newest."""

SCORED, TEXTLESS, VALUELESS = range(3)
"""What a bucket counts of a slice: answers with a value, those that came without text, and others without a value."""
_MARKS: tuple[Slice, ...] = ((), (("without text", ""),), (("without value", ""),))


def key_of(slice_: Slice, kind: int) -> Slice:
    """Return under what a bucket counts the answers of a slice that are of this kind; no slice has a name of these.

    >>> key_of((("domain", "travel"),), TEXTLESS)
    (('domain', 'travel'), ('without text', ''))
    """
    return slice_ + _MARKS[kind]


def told_apart(key: Slice) -> tuple[Slice, int]:
    """Return the slice and the kind of answers that a bucket counts under this key: `key_of` the other way round.

    >>> told_apart(key_of((("domain", "travel"),), VALUELESS)) == ((("domain", "travel"),), VALUELESS)
    True
    >>> told_apart(())
    ((), 0)
    """
    kind = _MARKS.index(key[-1:]) if key[-1:] in _MARKS else SCORED
    return (key[:-1], kind) if kind else (key, SCORED)


def folded(
    state: Buckets, batch: Batch, places: Integers, bucket: Integers, by: tuple[str, ...], kind: Integers
) -> Buckets:
    """Return the buckets with these rows of a batch, at most `CHUNK`; the buckets given stay as they were.

    ``bucket`` numbers the bucket of each of the ``places``; ``kind`` tells which of them are of answers without text or
    value, which are only counted.
    """
    newest_at = np.maximum(np.maximum.accumulate(bucket), max(state, default=NEVER))
    newest = int(newest_at[-1])
    buckets = {i: dict(slices) for i, slices in state.items() if i > newest - BUCKETS}
    # What has no value was not lost by coming late.
    late = (bucket <= newest_at - BUCKETS) & (newest_at > newest - BUCKETS) & (kind != VALUELESS)
    for each in newest_at[late].tolist():
        slices = buckets.setdefault(each, {})
        slices[LEFT_OUT] = slices.get(LEFT_OUT, BucketSums()).plus(BucketSums(1))
    kept = bucket > newest - BUCKETS
    places, bucket, kind = places[kept], bucket[kept], kind[kept]
    weight = 1.0 / np.clip(batch.probability[places], LEAST_PROBABILITY, 1.0)
    units = np.rint(weight * UNIT).astype(np.int64)
    value, square = batch.value[places], weight * weight * SQUARE_UNIT
    capped = (batch.probability[places] < LEAST_PROBABILITY).astype(np.int64)
    columns = (np.ones_like(units), units, *_whole(value * units, square, square * value, square * value * value))
    cells, first, cell = np.unique(
        np.stack([bucket, batch.group[places], kind]), axis=1, return_index=True, return_inverse=True
    )
    order = np.argsort(cell.ravel(), kind="stable")
    starts = np.searchsorted(cell.ravel()[order], np.arange(cells.shape[1]))
    sums = [np.add.reduceat(column[order], starts) for column in columns]
    sums += [np.maximum.reduceat(units[order], starts), np.add.reduceat(capped[order], starts)]
    table = np.stack(sums, axis=1).tolist()
    for place in np.argsort(first).tolist():
        slices = buckets.setdefault(int(cells[0, place]), {})
        named = dict(batch.groups[int(cells[1, place])].slice)
        slice_, of = tuple((name, named.get(name, NONE)) for name in by), int(cells[2, place])
        if key_of(slice_, of) not in slices and _full(slices, of):
            slice_ = tuple((name, OTHER) for name in by)
        many = BucketSums(table[place][0]) if of else BucketSums(*table[place])
        slices[key_of(slice_, of)] = slices.get(key_of(slice_, of), BucketSums()).plus(many)
    return buckets


def _full(slices: Mapping[Slice, BucketSums], kind: int) -> bool:
    """Return whether no more slices of this kind are told apart: those without a value take no place of others."""
    if len(slices) < MAX_SLICES:
        return False
    return sum(told_apart(key)[1] == kind for key in slices if key != LEFT_OUT) >= MAX_SLICES


def _whole(*columns: Floats) -> tuple[Integers, ...]:
    return tuple(np.rint(column).astype(np.int64) for column in columns)
