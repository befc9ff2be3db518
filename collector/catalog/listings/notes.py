"""What a listing passed over or could not read, counted by reason."""

from __future__ import annotations

from collections.abc import Iterator

_NAMED = 3


class Notes:
    """Reasons with how often each came up, and the first names it came up for.

    ``passing`` tells whether one of them may be over the next time though nothing was changed.

    >>> notes = Notes()
    >>> notes.add("not UTF-8, listed without text", "a.txt")
    >>> list(notes.lines())
    ['1 not UTF-8, listed without text: a.txt']
    """

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._names: dict[str, list[str]] = {}
        self.passing = False

    def add(self, reason: str, name: str, *, passing: bool = False) -> None:
        """Count one more; a ``passing`` one may be over the next time though nothing was changed."""
        self.passing |= passing
        self._counts[reason] = self._counts.get(reason, 0) + 1
        names = self._names.setdefault(reason, [])
        if len(names) < _NAMED:
            names.append(name)

    def lines(self) -> Iterator[str]:
        """Yield a line a reason."""
        for reason, count in self._counts.items():
            more = ", ..." if count > _NAMED else ""
            yield f"{count:,} {reason}: {', '.join(self._names[reason])}{more}"
