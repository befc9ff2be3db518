"""What people are shown on a terminal: tables that fit its width, and colours for states."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

from rich.cells import cell_len, chop_cells, set_cell_size

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
WIDEST = 110
"""Columns of a paragraph: longer lines are hard to read."""
ROOM = 50
"""Columns that a sentence needs beside others to say something."""
LINES = 3
"""Lines of a sentence in a table; what is longer is cut."""
GAP = "  "
CUT = "..."
BELOW = "    "
"""What stands before columns that have no room beside the others."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where to print: ``width`` in columns, ``None`` where nothing is cut, as in a pipe; ``colour`` for states."""

    out: TextIO
    width: int | None = None
    colour: bool = False

    @property
    def prose(self) -> int:
        """Columns of paragraphs, which are folded in a pipe as well."""
        return min(max(self.width or WIDEST, NARROWEST), WIDEST)

    @property
    def _limit(self) -> int | None:
        """Columns that a line may have, if there is a limit."""
        return None if self.width is None or self.width < NARROWEST else self.width

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

    def sentence(self, text: str, *, state: tuple[int, str] | None = None) -> None:
        """Print a line, and what does not fit in lines below it; ``state`` is as that of `line`."""
        limit = self._limit
        first, *more = [text] if limit is None or cell_len(text) <= limit else folded(text, limit - len(BELOW))
        self.line(first, state=state)
        self.out.writelines(f"{BELOW}{each}\n" for each in more)

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
        """Print rows with their columns below each other, so that they fit.

        Columns without room beside those before them stand below these, their heads likewise. The last one is a
        sentence: it is folded, and cut after `LINES` lines. ``states`` is the column that holds states, ``right`` those
        that are set to the right.
        """
        widths = [max(map(cell_len, column)) for column in zip(heads, *rows, strict=True)]
        parts = list(self._parts(widths))
        for part in parts:
            self.out.writelines(f"{self.heading(line)}\n" for line in self._lines(heads, part, widths, right))
        for row in rows:
            for part in parts:
                first, *more = self._lines(row, part, widths, right)
                if states is not None and states in part:
                    first = self._stated(first, self._before(row, part, widths, right, states), row[states])
                self.out.writelines(f"{line}\n" for line in (first, *more))

    def _parts(self, widths: Sequence[int]) -> Iterator[range]:
        """Yield which columns stand on one line, and which below it."""
        last, limit = len(widths) - 1, self._limit
        start, used = 0, 0
        for place, width in enumerate(widths):
            room = 0 if limit is None else limit - used
            if place > start and limit is not None and width > room and not (place == last and room >= ROOM):
                yield range(start, place)
                start, used = place, len(BELOW)
            used += width + len(GAP)
        yield range(start, last + 1)

    def _lines(self, row: Sequence[str], part: range, widths: Sequence[int], right: Collection[int]) -> Iterator[str]:
        """Yield the lines of a part of a row."""
        before = (BELOW if part.start else "") + "".join(_set(row, place, widths, right) + GAP for place in part[:-1])
        text, limit = _set(row, part[-1], widths, right).rstrip(), self._limit
        if limit is None or part[-1] < len(row) - 1:
            yield self._cut(before + text)
            return
        indent = cell_len(before)
        for number, line in enumerate(folded(text, limit - indent, most=LINES)):
            yield (" " * indent if number else before) + line

    @staticmethod
    def _before(row: Sequence[str], part: range, widths: Sequence[int], right: Collection[int], column: int) -> int:
        """Return where a column begins in the first line of a part."""
        cells = [_set(row, place, widths, right) + GAP for place in part if place < column]
        return len((BELOW if part.start else "") + "".join(cells))

    def _cut(self, line: str) -> str:
        if self._limit is None or cell_len(line) <= self._limit:
            return line
        return f"{set_cell_size(line, self._limit - len(CUT)).rstrip()}{CUT}"


def folded(text: str, width: int, *, most: int | None = None) -> list[str]:
    """Return a text in lines of at most ``width`` columns, ``most`` at most.

    >>> folded("a limit of 5 %", 8), folded("a limit of 5 %", 8, most=1), folded("unbreakable", 8)
    (['a limit', 'of 5 %'], ['a lim...'], ['unbreaka', 'ble'])
    """
    first, *words = [piece for word in text.split(" ") for piece in chop_cells(word, width) or [""]]
    lines, line = [], first
    for word in words:
        if cell_len(line) + 1 + cell_len(word) <= width:
            line = f"{line} {word}"
        else:
            lines.append(line)
            line = word
    lines.append(line)
    if most is None or len(lines) <= most:
        return lines
    cut = lines[most - 1]
    room = width - len(CUT)
    return [*lines[: most - 1], f"{cut if cell_len(cut) <= room else set_cell_size(cut, room).rstrip()}{CUT}"]


def paragraph(head: str, text: str, width: int) -> Iterator[str]:
    """Yield the lines of a text in at most ``width`` columns, the first behind ``head``, the others below it."""
    indent = " " * len(head)
    for number, line in enumerate(folded(text, width - len(head))):
        yield f"{indent if number else head}{line}\n"


def _set(row: Sequence[str], place: int, widths: Sequence[int], right: Collection[int]) -> str:
    """Return a cell, set to the left or right of its column."""
    blank = " " * (widths[place] - cell_len(row[place]))
    return blank + row[place] if place in right else row[place] + blank
