"""Steps whose work is done by worker processes: the next batch is read while the last one is under way.

So no worker waits while this process reads, checks and records. Batches end in the order in which they began, and what
is under way is left out when the next is read. Nothing of a batch is recorded before it ends: what fails or is cut
short is read again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DispatchedBatch(Generic[T]):
    """What was read, in groups as workers were given them, and their replies, each awaited when it is asked for.

    ``full``: more may be waiting.
    """

    groups: Sequence[Sequence[T]]
    replies: Iterator[Any]
    full: bool

    @property
    def items(self) -> list[T]:
        """All that was read."""
        return [item for group in self.groups for item in group]


@dataclass(frozen=True, kw_only=True)
class Overlapped(ABC, Generic[T]):
    """A step in two halves."""

    _under_way: deque[DispatchedBatch[T]] = field(default_factory=deque, init=False, repr=False, compare=False)

    @abstractmethod
    def begin(self, under_way: Sequence[T]) -> DispatchedBatch[T] | None:
        """Read a batch that leaves out what is ``under_way``, and hand it to the workers; ``None`` if there is none."""

    @abstractmethod
    def end(self, batch: DispatchedBatch[T]) -> None:
        """Await what became of a batch and record it, in one transaction."""

    def run_once(self) -> int:
        """End one batch, with the next one under way if there is more; return how much it held."""
        try:
            if not self._under_way:
                self._begin()
            if self._under_way and self._under_way[-1].full:
                self._begin()
            return self._end()
        except BaseException:
            # Nothing of these was recorded: they are read again, in the same order.
            self._under_way.clear()
            raise

    def finish(self) -> None:
        """End what is under way, and begin nothing more."""
        try:
            while self._end():
                pass
        finally:
            self._under_way.clear()

    def _begin(self) -> None:
        batch = self.begin([item for batch in self._under_way for item in batch.items])
        if batch is not None:
            self._under_way.append(batch)

    def _end(self) -> int:
        if not self._under_way:
            return 0
        batch = self._under_way[0]
        self.end(batch)
        self._under_way.popleft()
        return len(batch.items)


def groups_of(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """Return ``items`` in groups of at most ``size``.

    >>> groups_of([1, 2, 3], 2)
    [[1, 2], [3]]
    """
    return [items[start : start + size] for start in range(0, len(items), size)]
