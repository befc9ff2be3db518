"""A text cut short, for evidence."""

from __future__ import annotations

_LONGEST = 160


def excerpt(text: str) -> str:
    """Return ``text`` on one line, cut to what fits a row of a table.

    >>> excerpt(" two  words ")
    'two words'
    """
    line = " ".join(text[: 4 * _LONGEST].split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "\u2026"
