"""Statements over time: whether a column rises or falls between two dates, what it spans, and what range it has."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from scorers.support.tabular.finding import TableFinding
from scorers.support.tabular.linking import Mention, TableLink, hedged, near
from scorers.support.tabular.lookups import scope
from scorers.support.tabular.yielding import in_unit, measuring
from scorers.text.cells import is_year
from scorers.text.normalize import word_set
from scorers.text.tables import Table

_UP = word_set(
    "increase increased increases increasing rise rises rose rising risen grew grow grows growing growth climbed climb"
    " surge surged spike spiked upward gained improved higher"
)
_DOWN = word_set(
    "decrease decreased decreases decreasing decline declined declines declining fell fall falls falling fallen drop"
    " dropped drops dropping reduced reduction downward decreasingly lower cooling"
)
_FLAT = word_set("stable steady constant unchanged flat consistent stabilized plateau plateaued")
_WAYS = _UP | _DOWN | _FLAT
_LOW = word_set("low lows minimum lowest dropping")
_HIGH = word_set("high highs maximum highest reaching peaking")
FEWEST = 4
"""Rows from which on a column with dates is a series."""

_STEADY = 0.05


def dated_column(table: Table) -> int | None:
    """Return the column of dates of a series, rows in the order of time or against it."""
    if len(table.rows) < FEWEST:
        return None
    return next((at for at, column in enumerate(table.columns) if column.kind == "date"), None)


def trends(link: TableLink) -> Iterator[TableFinding]:
    """Yield of each word of a direction whether the column goes there between the dates told with it."""
    table = link.table
    dates = dated_column(table)
    if dates is None:
        return
    told = [mention for mention in link.mentions if mention.column == dates]
    told.sort(key=lambda mention: mention.at)
    if _WAYS.isdisjoint(link.words):
        return
    for at, token in enumerate(link.read):
        way = 1 if token.word in _UP else -1 if token.word in _DOWN else 0 if token.word in _FLAT else None
        if way is None:
            continue
        around = {each.word for each in link.read[max(0, at - 2) : at + 3]}
        if way == 0 and around & (_UP | _DOWN):
            continue  # a steady increase is an increase
        column = link.column_near(at, numeric=True) if len(table.columns) > 2 else None  # noqa: PLR2004 - date and value
        numeric = [number for number, each in enumerate(table.columns) if each.kind == "number" and number != dates]
        if column is None or column == dates:
            if len(numeric) != 1:
                continue
            column = numeric[0]
        first, last = _between(link, at, told, table)
        change = _change(table, first, last, column)
        if change is None:
            continue
        right = abs(change) <= 4 * _STEADY if way == 0 else change * way > _STEADY
        yield TableFinding("trend", right != link.negated, 0.6, token.raw, f"{change:+.0%}", table.columns[column].name)


def _between(link: TableLink, at: int, told: Sequence[Mention], table: Table) -> tuple[Sequence[int], Sequence[int]]:
    """Return the rows of the first and of the second date around a word of the claim, else the ends of the series."""
    rows = _in_time(table)
    before = [mention for mention in told if mention.at[0] < at]
    after = [mention for mention in told if mention.at[0] > at and mention.at[0] - at <= _BESIDE]
    pair = _pair(link, at, before, after)
    if pair is not None:
        return pair
    single = after[0] if after else before[-1] if before else None
    if single is None:
        return _same_day(table, rows, rows[0]), _same_day(table, rows, rows[-1])
    there = set(single.rows)
    held = [row for row in rows if row in there]
    lead = link.read[single.at[0] - 1].word if single.at[0] else ""
    then = single in before and any(token.word in _THEN for token in link.read[single.at[-1] : at])
    if then or lead in ("after", "since", "from"):
        return held[-1:], rows[-1:]
    if lead in ("until", "to", "by", "before"):
        return rows[:1], held
    if len(held) > 2:  # noqa: PLR2004 - enough to have a direction
        third = max(1, len(held) // 3)
        return held[:third], held[-third:]
    first = rows.index(held[0])
    return rows[max(0, first - 1) : first] or held, held


def _same_day(table: Table, rows: Sequence[int], of: int) -> list[int]:
    """Return the rows of a day: a night that follows a noon is no fall."""
    dates = dated_column(table) or 0
    day = table.rows[of][dates].day
    return [row for row in rows if table.rows[row][dates].day == day] if day is not None else [of]


def _pair(
    link: TableLink, at: int, before: Sequence[Mention], after: Sequence[Mention]
) -> tuple[Sequence[int], Sequence[int]] | None:
    """Return the rows of the two dates that a word of direction stands between, before or behind."""

    def lead(mention: Mention) -> str:
        return link.read[mention.at[0] - 1].word if mention.at[0] else ""

    if len(after) > 1 and lead(after[0]) in ("from", "between"):
        return after[0].rows, after[1].rows
    if before and after and lead(after[0]) not in ("in", "during", "on"):
        return before[-1].rows, after[0].rows
    if len(before) > 1 and not after and link.segment(at) - link.segment(before[-1].at[0]) <= 1:
        ends = [mention for mention in before if lead(mention) in _ENDS]
        if len(ends) > 1 and not any(token.word in _THEN for token in link.read[before[-1].at[-1] : at]):
            return ends[-2].rows, ends[-1].rows
    return None


_ENDS = frozenset({"from", "to", "between", "and", "until"})
_THEN = word_set("followed then subsequently after before afterwards thereafter and")
_BESIDE = 9


def _in_time(table: Table) -> list[int]:
    dates = dated_column(table) or 0
    ordered = [(cell.order or 0.0, row) for row, cell in enumerate(each[dates] for each in table.rows)]
    return [row for _, row in sorted(ordered)]


def _change(table: Table, first: Sequence[int], last: Sequence[int], column: int) -> float | None:
    def mean(rows: Sequence[int]) -> float | None:
        told = [number for row in rows if (number := table.rows[row][column].number) is not None]
        return sum(told, 0.0) / len(told) if told else None

    one, other = mean(first), mean(last)
    if one is None or other is None:
        return None
    scale = max(abs(one), abs(other))
    return (other - one) / scale if scale else 0.0


def spans(link: TableLink) -> Iterator[TableFinding]:
    """Yield whether the dates of the claim are ones that the table has, and those of "from ... to" its ends."""
    table = link.table
    dates = dated_column(table)
    if dates is None:
        return
    rows = _in_time(table)
    mentioned = {at: mention for mention in link.mentions if mention.column == dates for at in mention.at}
    days = [cell.day for each in table.rows if (cell := each[dates]).day is not None]
    years, weekdays = any(day.year for day in days), any(day.weekday >= 0 for day in days)
    for at in link.figures:
        token = link.read[at]
        if token.day is None and not is_year(token):
            continue
        needs_year = is_year(token) or (token.day is not None and token.day.year > 0)
        if (needs_year and not years) or (token.day is not None and token.day.weekday >= 0 and not weekdays):
            continue
        if at not in link.placed and at not in link.titled:
            yield TableFinding("span", link.negated, 0.6, token.raw, "no such date")
    places = sorted(mentioned)
    for one, other in itertools.pairwise(places):
        if link.read[one - 1].word != "from" or link.read[other - 1].word not in ("to", "until", "through"):
            continue
        first, last = rows[0] in mentioned[one].rows, rows[-1] in mentioned[other].rows
        ends = f"{table.rows[rows[0]][dates].text} to {table.rows[rows[-1]][dates].text}"
        said = f"{link.read[one].raw} to {link.read[other].raw}"
        yield TableFinding("span", first and last, 0.5 if first != last else 0.4, said, ends, table.columns[dates].name)


def ranges(link: TableLink) -> Iterator[tuple[int, TableFinding]]:
    """Yield of each low and high of a day, or of the whole, whether it is that of the column over those rows."""
    table = link.table
    dates = dated_column(table)
    if dates is None:
        return
    rows = [mention for mention in link.mentions if mention.column == dates]
    for at in link.figures:
        token = link.read[at]
        if token.number is None or token.spelled or token.ordinal or is_year(token):
            continue
        way = _edge(link, at)
        if not way:
            continue
        held, sure = scope(link, at, rows) if rows else (tuple(range(len(table.rows))), 0.6)
        unit, measured = measuring(link, at)
        edges, there = [], False
        for column in _holding(table, held, at, link, measured if unit is not None else ()):
            told = [cell for row in held if (cell := table.rows[row][column]).number is not None]
            if told:
                own = in_unit(token, unit, table.columns[column].unit)
                there = there or any(near(own, cell) for cell in told)
                edges.append(((max if way > 0 else min)(told, key=lambda cell: cell.number or 0.0), column, own))
        if edges:
            right = any(near(own, edge, hedged(link.read, at)) for edge, _, own in edges)
            edge, column, _ = edges[0]
            of = table.columns[column].name
            sure *= _INSIDE if there and not right else 1.0
            yield at, TableFinding("range", right != link.negated, sure, token.raw, edge.text, of, at)


_INSIDE = 0.6
"""How much less sure it is that an end of a range is wrong that is a value of those rows: a low of the afternoon."""


def _edge(link: TableLink, at: int) -> int:
    """Return whether a number is said to be the highest (1) or the lowest (-1) of something; 0 if neither."""
    before = [each.word for each in link.read[max(0, at - 4) : at]]
    for word in reversed(before):
        if word in _LOW or word in _HIGH:
            return 1 if word in _HIGH else -1
    if _RANGED.isdisjoint(each.word for each in link.read[max(0, at - 8) : at]):
        return 0
    return {"from": -1, "between": -1, "to": 1, "and": 1}.get(before[-1], 0)


_RANGED = word_set("range ranges ranging ranged between vary varying fluctuate fluctuating")


def _holding(table: Table, held: Sequence[int], at: int, link: TableLink, measured: Sequence[int] = ()) -> list[int]:
    """Return the columns that a number may be of: those that have it in any row, of them the ones named.

    Of those that are ``measured`` in its unit none is left out for not having it.
    """
    token = link.read[at]
    numeric = list(measured) or [column for column, each in enumerate(table.columns) if each.kind == "number"]
    holding = [column for column in numeric if any(near(token, table.rows[row][column]) for row in held)]
    named = link.column_near(at, numeric=True, far=8, among=holding or numeric)
    stems = table.columns[named].stems if named is not None else frozenset()
    if stems:
        return [column for column in numeric if table.columns[column].stems & stems]
    return holding or list(measured)
