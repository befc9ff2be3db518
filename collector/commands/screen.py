"""What people are shown on a terminal: tables that fit its width, and colours for states."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

from rich.cells import cell_len, set_cell_size

COLOURS = {
    "pass": "32",
    "ok": "32",
    "ready": "32",
    "inconclusive": "33",
    "warning": "33",
    "waiting": "33",
    "fail": "1;31",
    "error": "1;31",
    "failing": "1;31",
    "not ready": "1;31",
}
"""Codes of ANSI for the words of a state."""
NARROWEST = 40
"""Columns below which nothing is cut to fit: a table needs some."""
ROOM = 50
"""Columns that a sentence needs to say something."""
GAP = "  "


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where to print: ``width`` in columns, ``None`` where nothing is cut, as in a pipe; ``colour`` for states."""

    out: TextIO
    width: int | None = None
    colour: bool = False

    def state(self, word: str) -> str:
        r"""Return the word for a state in its colour.

        >>> import sys
        >>> Terminal(sys.stdout, colour=True).state("fail"), Terminal(sys.stdout).state("fail")
        ('\x1b[1;31mfail\x1b[0m', 'fail')
        """
        code = COLOURS.get(word)
        return f"\x1b[{code}m{word}\x1b[0m" if self.colour and code else word

    def heading(self, text: str) -> str:
        """Return a heading: bold where there are colours."""
        return f"\x1b[1m{text}\x1b[0m" if self.colour else text

    def line(self, text: str = "", *, state: tuple[int, str] | None = None) -> None:
        """Print a line, cut to the width; ``state`` is the place of a word in it that is a state, and the word."""
        self.out.write(f"{self._stated(self._cut(text), *(state or (0, '')))}\n")

    def _stated(self, line: str, place: int, word: str) -> str:
        """Return a line with its state coloured: once it is cut, as codes have no width and must not be cut through."""
        end = place + len(word)
        return line[:place] + self.state(word) + line[end:] if word and line[place:end] == word else line

    def table(
        self,
        heads: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        states: int | None = None,
        right: Collection[int] = (),
    ) -> None:
        """Print rows with their columns below each other, cut to fit.

        Where less than `ROOM` is left for the last column, it stands on a line of its own below its row.
        ``states`` is the column that holds states, ``right`` those that are set to the right.
        """
        every = [tuple(heads), *rows]
        room = self._room(every)
        if room is None or room >= ROOM:
            self.out.writelines(self._lines(every, states, right))
            return
        head, *lines = self._lines([row[:-1] for row in every], states, right)
        self.out.write(head)
        for line, row in zip(lines, rows, strict=True):
            self.out.write(line)
            self.line(f"    {row[-1]}")

    def _room(self, rows: Sequence[Sequence[str]]) -> int | None:
        """Return how wide the last column can be; ``None`` where it is as wide as it wants, or can fit."""
        if self.width is None or self.width < NARROWEST:
            return None
        widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
        room = self.width - sum(width + len(GAP) for width in widths[:-1])
        return None if widths[-1] <= room else room

    def _lines(self, rows: Sequence[Sequence[str]], states: int | None, right: Collection[int]) -> Iterator[str]:
        widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
        for number, row in enumerate(rows):
            cells = []
            for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
                blank = " " * (width - cell_len(cell))
                cells.append(blank + cell if place in right else cell + blank)
            line = self._cut(GAP.join(cells).rstrip())
            if number == 0:
                line = self.heading(line)
            elif states is not None:
                line = self._stated(line, len(GAP.join([*cells[:states], ""])), row[states])
            yield f"{line}\n"

    def _cut(self, line: str) -> str:
        if self.width is None or self.width < NARROWEST or cell_len(line) <= self.width:
            return line
        return f"{set_cell_size(line, self.width - 3).rstrip()}..."
