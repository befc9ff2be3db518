"""Tables and records of a context in one model, whatever they were written in.

A record is a table of one row. A value that several rows of a column share is one `CellValue` with all of those rows,
and each of its words is indexed, so that looking a claim up takes time in proportion to its own words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scorers.text.cells import EMPTY, Cell, CellDate, read_cell, tokens
from scorers.text.measures import ColumnUnit, unit_in_key, unit_named
from scorers.text.record import key_words

MAX_ROWS = 600
"""Rows of one table that are read."""

MAX_COLUMNS = 60
"""Columns of one table that are read; what has more is no table that people write about."""

MAX_CELLS = 6_000
"""Cells of all tables of a text together."""

MAX_CELL = 120
"""Characters of a cell; a longer one is prose and stays out."""

MAX_POSTINGS = 64
"""Values of a table that one word leads to; one that stands in more names none of them."""

PREFIX = 4
"""Letters that two words begin with where one may stand for the other."""

BELOW = " > "
"""Stands in the name of a column between an object and what it holds."""

ColumnKind = Literal["number", "date", "text"]


@dataclass(frozen=True, slots=True)
class Grid:
    """What a reader finds: the title, the names of columns, and rows of texts; lists of several values stay lists.

    ``units`` are those of the columns, as they are told elsewhere in the data; empty where they are not.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str | tuple[str, ...], ...], ...]
    units: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column: its name, the stems of it, and what it holds, in which unit. ``unique``: no two rows say the same."""

    name: str
    stems: frozenset[str]
    kind: ColumnKind
    unique: bool
    unit: ColumnUnit | None = None


@dataclass(frozen=True, slots=True)
class CellValue:
    """Something that stands in a column, and in which rows."""

    column: int
    cell: Cell
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table, indexed. ``subject`` is the column that names its rows, -1 where there is none.

    ``begun`` are the words of headers by their first `PREFIX` letters, as far as they have so many.
    """

    title: str
    title_stems: frozenset[str]
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    values: tuple[CellValue, ...]
    postings: Mapping[str, tuple[int, ...]]
    numbers: Mapping[float, tuple[int, ...]]
    headers: Mapping[str, tuple[int, ...]]
    begun: Mapping[str, tuple[str, ...]]
    dated: tuple[tuple[CellDate, tuple[int, ...]], ...]
    subject: int

    def days(self, wanted: CellDate) -> tuple[int, ...]:
        """Return the rows that have a date which ``wanted`` holds."""
        return tuple(dict.fromkeys(row for day, rows in self.dated if wanted.holds(day) for row in rows))

    def label(self, row: int) -> str:
        """Return what names a row, in words for people."""
        return self.rows[row][self.subject].text if self.subject >= 0 else ""


def indexed(grid: Grid) -> Table:
    """Return the table of a grid."""
    rows, values = _filled(grid)
    units = _units(grid, rows)
    columns = tuple(
        _column(name, [row[at] for row in rows], units[at]) for at, name in enumerate(grid.header[:MAX_COLUMNS])
    )
    postings: dict[str, list[int]] = {}
    numbers: dict[float, list[int]] = {}
    for number, value in enumerate(values):
        for stem in value.cell.stems:
            postings.setdefault(stem, []).append(number)
        if value.cell.number is not None:
            numbers.setdefault(value.cell.number, []).append(number)
    headers: dict[str, list[int]] = {}
    for at, column in enumerate(columns):
        for stem in column.stems:
            headers.setdefault(stem, []).append(at)
    begun: dict[str, list[str]] = {}
    for stem in headers:
        if len(stem) >= PREFIX:
            begun.setdefault(stem[:PREFIX], []).append(stem)
    return Table(
        title=grid.title,
        title_stems=frozenset(token.stem for token in tokens(grid.title) if token.content),
        columns=columns,
        rows=rows,
        values=values,
        postings={stem: tuple(held) for stem, held in postings.items() if len(held) <= MAX_POSTINGS},
        numbers={number: tuple(held) for number, held in numbers.items() if len(held) <= MAX_POSTINGS},
        headers={stem: tuple(held) for stem, held in headers.items()},
        begun={head: tuple(stems) for head, stems in begun.items()},
        dated=tuple((value.cell.day, value.rows) for value in values if value.cell.day is not None),
        subject=_subject(columns, rows),
    )


def _filled(grid: Grid) -> tuple[tuple[tuple[Cell, ...], ...], tuple[CellValue, ...]]:
    """Return the cells of each row but repeated headers, and every value with its rows."""
    width = min(len(grid.header), MAX_COLUMNS)
    rows: list[tuple[Cell, ...]] = []
    found: dict[tuple[int, str], tuple[Cell, list[int]]] = {}
    repeated = tuple(name.casefold().strip() for name in grid.header)
    for written in grid.rows[:MAX_ROWS]:
        if tuple(str(cell).casefold().strip() for cell in written) == repeated:
            continue
        cells = [EMPTY] * width
        for column, raw in enumerate(written[:width]):
            text = (raw if isinstance(raw, str) else ", ".join(raw)).strip()
            if not text or len(text) > MAX_CELL * (1 if isinstance(raw, str) else _LIST):
                continue
            cells[column] = read_cell(text)
            for part in (*((text,) if isinstance(raw, str) else ()), *_parts(raw)):
                if part.casefold() in _SAYS_NOTHING:
                    continue
                value = found.setdefault((column, part.casefold()), (read_cell(part), []))
                if value[1][-1:] != [len(rows)]:
                    value[1].append(len(rows))
        rows.append(tuple(cells))
    return tuple(rows), tuple(CellValue(column, cell, tuple(held)) for (column, _), (cell, held) in found.items())


_SAYS_NOTHING = frozenset({"-", "--", "\u2013", "\u2014", "yes", "no", "true", "false", "n/a", "none", "null", "x"})
"""Cells that no claim names by what they hold."""

_RESULTS = {"w": "win", "l": "loss", "d": "draw", "t": "tie"}
_LIST = 10
_MOST_PARTS = 24
_LONGEST_PART = 48


def _parts(raw: str | tuple[str, ...]) -> Iterable[str]:
    """Return the members of a list, written as one or told as one."""
    if not isinstance(raw, str):
        return [part.strip() for part in raw[:_MOST_PARTS] if part.strip() and len(part) <= MAX_CELL]
    if "," not in raw and ";" not in raw:
        letter, _, score = raw.partition(" ")
        return (_RESULTS[letter.casefold()],) if letter.casefold() in _RESULTS and score[:1].isdigit() else ()
    parts = [part.strip() for part in raw.replace(";", ", ").replace(" ,", ", ").split(", ") if part.strip()]
    return parts if 1 < len(parts) <= _MOST_PARTS and max(map(len, parts)) <= _LONGEST_PART else ()


def _units(grid: Grid, rows: Sequence[Sequence[Cell]]) -> list[ColumnUnit | None]:
    """Return the unit of each column: told with the data, in a column beside it, or at the end of its name."""
    beside: dict[str, ColumnUnit] = {}
    for at, name in enumerate(grid.header[:MAX_COLUMNS]):
        above, _, last = name.rpartition(BELOW)
        if last.casefold() in _UNIT_KEYS:
            told = {row[at].text for row in rows if row[at].text}
            unit = unit_named(told.pop()) if len(told) == 1 else None
            if unit is not None:
                beside[above] = unit
    found = []
    for at, name in enumerate(grid.header[:MAX_COLUMNS]):
        written = unit_named(grid.units[at]) if at < len(grid.units) else None
        found.append(written or beside.get(name.rpartition(BELOW)[0]) or unit_in_key(key_words(name.split(BELOW)[-1])))
    return found


_UNIT_KEYS = frozenset({"unit", "units", "uom", "currency"})


def _column(name: str, cells: Sequence[Cell], unit: ColumnUnit | None) -> TableColumn:
    told = [cell for cell in cells if cell.text]
    numbers = sum(cell.number is not None for cell in told)
    dates = sum(cell.day is not None or cell.dimension == "clock" for cell in told)
    kind: ColumnKind = "text"
    if told and numbers >= _MOST * len(told):
        kind = "number"
    elif told and dates >= _MOST * len(told):
        kind = "date"
    name = name.strip()
    *above, last = name.split(BELOW)
    stems = _key_stems(last)
    if above and not any(len(stem) > _SHORT_STEM and stem not in _GENERIC for stem in stems):
        stems |= _key_stems(above[-1])
    unique = len({cell.text.casefold() for cell in told}) == len(told) > 0
    return TableColumn(name.replace(BELOW, " "), stems, kind, unique, unit if kind == "number" else None)


def _key_stems(key: str) -> frozenset[str]:
    return frozenset(token.stem for token in tokens(" ".join(key_words(key)) or key) if token.content)


_SHORT_STEM = 2
_GENERIC = frozenset({"name", "valu", "main", "type", "data", "number", "txt"})
_MOST = 0.7


def _subject(columns: Sequence[TableColumn], rows: Sequence[Sequence[Cell]]) -> int:
    """Return the column that names the rows: the first of texts of which nearly every row has its own."""
    first = -1
    for at, column in enumerate(columns):
        if column.kind != "text":
            continue
        told = [row[at].text.casefold() for row in rows if row[at].text]
        if told and len(set(told)) >= _MOST * len(rows):
            return at
        first = at if first < 0 and told else first
    unique = next((at for at, column in enumerate(columns) if column.unique and column.kind == "date"), -1)
    if unique < 0 and columns and columns[0].unique:
        unique = 0
    return unique if unique >= 0 else first
