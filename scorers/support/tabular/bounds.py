"""Bounds of a claim on a column: "more than 20", "under 5 kg", "before 1950", "in the 1940s", "the 19th century"."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from scorers.support.tabular.finding import TableFinding
from scorers.support.tabular.linking import TableLink
from scorers.text.cells import Cell, CellToken, is_year
from scorers.text.normalize import word_set

_ABOVE = word_set(
    "more greater higher larger bigger longer later older taller heavier above over exceeding exceeds exceeded after"
    " since"
)
_BELOW = word_set("less fewer lower smaller shorter earlier younger lighter below under before")
_ALONE = word_set("above over exceeding exceeds exceeded below under before after since")
_DATED = word_set("before after since later earlier")


class ColumnRange(NamedTuple):
    """A range that a claim gives to a column: of the number at ``at``, both ends within it unless ``strict``."""

    at: int
    column: int | None
    low: float
    high: float
    strict: bool
    dated: bool
    words: str

    def holds(self, cell: Cell, token: CellToken) -> bool | None:
        """Whether a cell is within the range; ``None`` where it has nothing to compare."""
        if self.dated:
            told = year_of(cell)
        elif cell.dimension and token.dimension and cell.dimension != token.dimension:
            return None
        else:
            told = cell.value if cell.dimension and token.dimension else cell.number
        if told is None:
            return None
        return self.low < told < self.high if self.strict else self.low <= told <= self.high


def year_of(cell: Cell) -> float | None:
    """Return the year of a cell that is a year or begins with one, or has a date with one."""
    if cell.day is not None and cell.day.year:
        return float(cell.day.year)
    return cell.number if cell.number is not None and 1000 <= cell.number <= 2200 and not cell.number % 1 else None  # noqa: PLR2004


def thresholds(link: TableLink) -> Iterator[ColumnRange]:
    """Yield the bounds of a claim in order."""
    read = link.read
    for at in link.figures:
        token = read[at]
        if token.number is None and (token.day is None or not token.day.year):
            continue
        number = float(token.day.year) if token.number is None and token.day is not None else token.number or 0.0
        before = [
            each.word for each in read[max(0, at - 3) : at] if each.word not in ("$", "\u20ac", "\u00a3", "the", "a")
        ]
        following = read[at + 1].word if at + 1 < len(read) else ""
        value = token.value if token.dimension and token.value is not None else number
        words = " ".join(each.raw for each in read[max(0, at - 2) : at + 1])
        year = is_year(token) or token.day is not None
        if token.ordinal and following == "century":
            yield ColumnRange(
                at, _column(link, at, dated=True), 100 * (number - 1), 100 * number, False, True, f"{token.raw} century"
            )
        elif is_year(token) and following == "s":
            width = 99 if not number % 100 else 9
            yield ColumnRange(at, _column(link, at, dated=True), number, number + width, False, True, f"{token.raw}s")
        elif token.ordinal:
            continue
        elif (before[-1:] == ["than"] and len(before) > 1) or (before[-1:] and before[-1] in _ALONE):
            word = before[-2] if before[-1] == "than" else before[-1]
            if word not in _ABOVE and word not in _BELOW:
                continue
            dated = year and (word in _DATED or _column(link, at, dated=False) is None)
            low, high = (value, math.inf) if word in _ABOVE else (-math.inf, value)
            yield ColumnRange(at, _column(link, at, dated=dated), low, high, True, dated, words)
        elif before[-2:] in (["at", "least"], ["at", "most"], ["up", "to"]) or (
            following == "or" and at + 2 < len(read)
        ):
            last = read[at + 2].word if following == "or" else ""
            least = before[-1:] == ["least"] or last in ("more", "above", "higher", "older", "over")
            if following == "or" and not least and last not in ("less", "fewer", "below", "lower"):
                continue
            low, high = (value, math.inf) if least else (-math.inf, value)
            yield ColumnRange(at, _column(link, at, dated=False), low, high, False, False, words)


def _column(link: TableLink, at: int, *, dated: bool) -> int | None:
    columns = link.table.columns
    if not dated:
        return link.column_near(at, numeric=True, far=7)
    among = [
        number
        for number, _ in enumerate(columns)
        if any(year_of(row[number]) is not None for row in link.table.rows[:_LOOKED])
    ]
    if not among:
        return None
    near = link.column_near(at, far=12, among=among)
    return among[0] if near is None and len(among) == 1 else near


_LOOKED = 8


def bounds(link: TableLink) -> Iterator[TableFinding]:
    """Yield of each bound whether the rows that the claim speaks of are within it."""
    table = link.table
    held = (0,) if len(table.rows) == 1 else link.best if len(link.best) <= _FEW else ()
    if not held or (len(table.rows) > 1 and not link.entities()):
        return
    for bound in thresholds(link):
        if bound.column is None:
            continue
        token = link.read[bound.at]
        told = [
            (within, row) for row in held if (within := bound.holds(table.rows[row][bound.column], token)) is not None
        ]
        if told:
            right = any(within for within, _ in told)
            cell = table.rows[told[0][1]][bound.column]
            sure = 0.9 if len(held) == 1 else 0.6
            of = table.columns[bound.column].name
            yield TableFinding("bound", right != link.denied(bound.at), sure, bound.words, cell.text, of, bound.at)


_FEW = 3


def bounded_rows(link: TableLink) -> list[tuple[int, set[int]]]:
    """Return for each bound where its number stands and the rows within it."""
    found = []
    for bound in thresholds(link):
        if bound.column is not None:
            token = link.read[bound.at]
            rows = {row for row, cells in enumerate(link.table.rows) if bound.holds(cells[bound.column], token)}
            found.append((bound.at, rows))
    return found
