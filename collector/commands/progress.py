"""The progress of long work: a line on the terminal while standard output goes elsewhere, nothing in a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO, TypeVar

from rich.console import Console
from rich.markup import escape
from rich.status import Status

T = TypeVar("T")
EVERY = 100
"""Items between two changes of the line; it is drawn ten times a second at most anyway."""


class Progress:
    """Shows what is being read, and how far. Without a status it shows nothing."""

    def __init__(self, status: Status | None) -> None:
        self._status = status

    def tell(self, text: str) -> None:
        """Show what is waited for."""
        if self._status is not None:
            self._status.update(escape(text))

    def over(self, items: Iterable[T], what: str, counted: str = "records", *, every: int = EVERY) -> Iterator[T]:
        """Yield ``items``, showing what they are and, after ``every`` so many, how many there were.

        >>> list(Progress(None).over([1, 2], "file"))
        [1, 2]
        """
        if self._status is None:
            yield from items
            return
        self._status.update(what)
        for number, item in enumerate(items, 1):
            yield item
            if number % every == 0:
                self._status.update(f"{what}: {number:,} {counted}")


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
