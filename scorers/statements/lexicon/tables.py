"""Tables of words as they are written to be read: an entry a line, and a line that is indented further goes on."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent, indent

_INDENT = 8


def entries(table: str) -> Iterator[str]:
    r"""Yield the entries of a table.

    >>> list(entries("\n    one, two\n        three\n    four\n"))
    ['one, two three', 'four']
    """
    entry = ""
    for line in indent(dedent(table), " " * (_INDENT // 2)).splitlines():
        if entry and not line.startswith(" " * _INDENT):
            yield entry
            entry = ""
        entry = f"{entry} {line.strip()}".strip()
    if entry:
        yield entry
