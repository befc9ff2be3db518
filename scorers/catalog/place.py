"""Where an entry stands, so that whoever wrote it finds it."""

from __future__ import annotations

from typing import NamedTuple


class EntryPlace(NamedTuple):
    """A file, the line in it (from 1; 0 where there are no lines), and which entry of a list it is.

    >>> str(EntryPlace("catalog.yaml", 12, 3)), str(EntryPlace("catalog.jsonl", 4))
    ('catalog.yaml: line 12: documents[3]', 'catalog.jsonl: line 4')
    """

    file: str
    line: int
    entry: int | None = None

    def __str__(self) -> str:
        return f"{self.file}: {self.within}"

    @property
    def within(self) -> str:
        """The place without the file."""
        line = f"line {self.line}" if self.line else ""
        return (
            line if self.entry is None else f"{line}: documents[{self.entry}]" if line else f"documents[{self.entry}]"
        )
