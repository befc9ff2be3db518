"""Figures that nothing of a table yields: no cell in their unit, no extreme, mean, sum, count or change of a column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorers.support.tabular.bounds import thresholds
from scorers.support.tabular.finding import TableFinding
from scorers.support.tabular.linking import TableLink, hedged, near
from scorers.support.tabular.lookups import hyphened
from scorers.text.cells import Cell, CellToken, is_year
from scorers.text.measures import ColumnUnit, unit_behind
from scorers.text.normalize import word_set

_SMALL = 31
"""A whole number up to which, without a unit, it may be a day or count something that is nobody's row."""


def measuring(link: TableLink, at: int) -> tuple[ColumnUnit | None, list[int]]:
    """Return the unit of a number of a claim, and the columns of numbers that may be in it.

    These are those told in what it measures, and those whose unit is not known and that the claim names; where there
    are none of the first, all whose unit is not known.
    """
    unit = unit_behind(link.read, at)
    columns = link.table.columns
    numeric = [number for number, column in enumerate(columns) if column.kind == "number"]
    if unit is None:
        return None, numeric
    own = [number for number in numeric if (told := columns[number].unit) and told.measures == unit.measures]
    named = {each.column for each in link.columns} if own else set(numeric)
    return unit, own + [number for number in numeric if columns[number].unit is None and number in named]


def in_unit(token: CellToken, unit: ColumnUnit | None, told: ColumnUnit | None) -> CellToken:
    """Return a number of a claim in the unit of a column."""
    if unit is None or told is None or unit == told or unit.measures != told.measures or token.number is None:
        return token
    number = unit.told_in(token.number, told)
    return token._replace(number=number, value=number, dimension="", decimals=0)


def figures(link: TableLink) -> Iterator[TableFinding]:
    """Yield of each number in digits whether anything of the table yields it."""
    table = link.table
    bounded = {bound.at for bound in thresholds(link)}
    for at in link.figures:
        token = link.read[at]
        if token.number is None or token.spelled or token.ordinal or token.dimension == "clock" or is_year(token):
            continue
        if at in link.titled or at in link.phrased or at in bounded or hyphened(link, at):
            continue
        unit, columns = measuring(link, at)
        if not columns or (unit is None and not token.decimals and abs(token.number) <= _SMALL):
            continue
        hedge = hedged(link.read, at)
        right = any(
            _yields(link, column, in_unit(token, unit, table.columns[column].unit), hedge) for column in columns
        )
        yield TableFinding("figure", right, _STANDS if right else 1.0, token.raw, "", "", at)


def unmeasured(link: TableLink) -> int:
    """Return of how many numbers nothing of the table, and not its title, has the name: "the humidity is 75 %"."""
    found = 0
    for at in link.figures:
        token = link.read[at]
        if token.number is None or token.spelled or token.ordinal or is_year(token) or hyphened(link, at):
            continue
        name = next((place for place in range(at - 1, max(-1, at - _BEFORE), -1) if _names(link, place)), None)
        found += name is not None and name not in link.known
    return found


_BEFORE = 7


def _names(link: TableLink, place: int) -> bool:
    """Whether a word may be the name of what a number measures."""
    token = link.read[place]
    if not token.content or token.number is not None or token.day is not None or token.value is not None:
        return False
    return token.word not in _BESIDE and unit_behind(link.read, place - 1) is None


_BESIDE = word_set(
    "around approximately about roughly reach reaching reached expected range ranges ranging ranged high highs low lows"
    " highest lowest total average averaging mean maximum minimum peak peaking near nearly between remain stay value"
    " increase increased increasing decrease decreased decreasing rise rising rose drop dropped dropping fall falling"
    " fell gradually steadily slightly estimated possible experience per"
)


_STANDS = 0.5
"""How sure it is that a number is right that stands somewhere: nothing says where."""


def _yields(link: TableLink, column: int, token: CellToken, hedge: str) -> bool:
    told = [cell for row in link.table.rows if (cell := row[column]).number is not None]
    return any(near(token, cell, hedge) for cell in told) or any(
        near(token, Cell("", (), value, value), hedge) for value in _derived([cell.number or 0.0 for cell in told])
    )


def _derived(told: Sequence[float]) -> Iterator[float]:
    """Yield what is commonly derived of a column: sum, mean, range, and how it changes from the first to the last."""
    if len(told) < 2:  # noqa: PLR2004 - of one number nothing is derived
        return
    total = sum(told, 0.0)
    yield total
    yield total / len(told)
    yield max(told) - min(told)
    yield abs(told[-1] - told[0])
    if told[0]:
        yield abs(100 * (told[-1] - told[0]) / told[0])
