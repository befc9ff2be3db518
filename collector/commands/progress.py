"""The progress of long work: a line on the terminal while standard output goes elsewhere, nothing in a pipe."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from datetime import timedelta
from typing import TextIO, TypeVar

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from gates.units.duration import format_duration

T = TypeVar("T")
EVERY = 100
"""Items between two changes of the line; it is drawn ten times a second at most anyway."""
SOON = 0.02
"""Share of the work after which the time left is told; before it, it would be a guess."""


class Progress:
    """Shows what is being read, how far, and how long it will take. Without a status it shows nothing."""

    def __init__(self, status: Status | None, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._status = status
        self._monotonic = monotonic

    def tell(self, text: str) -> None:
        """Show what is waited for."""
        if self._status is not None:
            self._status.update(escape(text))

    def over(
        self,
        items: Iterable[T],
        what: str,
        counted: str = "records",
        *,
        every: int = EVERY,
        share: Callable[[], float | None] | None = None,
        of: int | None = None,
    ) -> Iterator[T]:
        """Yield ``items``, showing what they are and, after ``every`` so many, how many there were and the time left.

        The time left is that of the share that is done: what ``share`` returns (0 to 1, ``None`` for unknown), or by
        the number of the items where that is known: it is ``of`` where ``items`` cannot say.

        >>> list(Progress(None).over([1, 2], "file"))
        [1, 2]
        """
        if self._status is None:
            yield from items
            return
        self.tell(what)
        total = len(items) if isinstance(items, Sized) else of
        began = self._monotonic()
        for number, item in enumerate(items, 1):
            yield item
            if number % every == 0:
                done = share() if share is not None else number / total if total else None
                self.tell(f"{what}: {_counted(number, total, counted)}{left(done, self._monotonic() - began)}")


def left(share: float | None, seconds: float) -> str:
    """Return how long the rest takes, after ``seconds`` in which this ``share`` of all was done; nothing if unknown.

    >>> left(0.25, 60.0), left(None, 60.0), left(0.001, 60.0)
    (', 25 %, about 3m left', '', '')
    """
    if share is None or share < SOON:
        return ""
    rest = timedelta(seconds=max(1, round(seconds * (1 - min(share, 1.0)) / share)))
    return f", {min(share, 1.0):.0%}".replace("%", " %") + f", about {format_duration(rest)} left"


def _counted(number: int, total: int | None, counted: str) -> str:
    return f"{number:,} {counted}" if total is None else f"{number:,} of {total:,} {counted}"


@contextmanager
def watched(out: TextIO, err: TextIO, *, at_end: bool = False) -> Iterator[Progress]:
    """Yield a progress that is shown on ``err``, if that is a terminal on which ``out`` does not write as well.

    ``at_end``: nothing is written to ``out`` while the progress is shown.
    """
    if not err.isatty() or (out.isatty() and not at_end):
        yield Progress(None)
        return
    with Console(file=err).status("") as status:
        yield Progress(status)
