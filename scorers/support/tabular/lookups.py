"""Look-ups: does the value that a claim gives to a row and a column stand there?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorers.statements.quantities.reading import quantities_in
from scorers.support.tabular.bounds import thresholds
from scorers.support.tabular.finding import TableFinding
from scorers.support.tabular.linking import Mention, NamedColumn, TableLink, hedged, near
from scorers.text.cells import NEGATORS, Cell, is_year
from scorers.text.normalize import word_set
from scorers.text.synonyms import SYNONYMS
from scorers.text.tables import Table

FEW = 24
"""Rows of which it is looked up whether one holds a value; of more, nothing is said of a single row."""


MOMENTS = 60
"""The same of a series: the days of two months."""


def owner(link: TableLink, at: int, rows: Sequence[Mention]) -> Mention | None:
    """Return which of the mentions that name rows a place of the claim belongs to: the one before it, else behind."""
    free = [mention for mention in rows if at not in mention.at]
    here = link.segment(at)
    dated = link.table.columns[link.table.subject].kind == "date" if link.table.subject >= 0 else False
    beside = [mention for mention in free if link.segment(mention.at[0]) == here]
    before = [mention for mention in beside if mention.at[0] < at] or [m for m in free if m.at[0] < at and not beside]
    if before:
        return max(before, key=lambda mention: (mention.at[-1], len(mention.at), mention.share))
    if dated or beside:
        free = beside  # "1 TB on Max, 100 GB on Plus"; a date in a later part of the sentence is not when this was
    return min(free, key=lambda mention: (mention.at[0], -len(mention.at)), default=None)


def scope(link: TableLink, at: int, rows: Sequence[Mention]) -> tuple[tuple[int, ...], float]:
    """Return the rows that a place of the claim speaks of, and how sure that is."""
    table = link.table
    if len(table.rows) == 1:
        return (0,), 1.0
    own = owner(link, at, rows)
    if own is None:
        return (link.best, 0.4) if len(link.best) <= FEW and at not in link.placed else ((), 0.0)
    held = own.rows
    if link.table.columns[own.column].kind == "date":
        return _at_hour(link, own, held), own.share
    for mention in link.mentions:
        if mention.column != own.column and at not in mention.at and not set(mention.at) & set(own.at):
            narrower = tuple(row for row in held if row in mention.rows)
            if narrower and len(narrower) < len(held) and abs(mention.at[0] - at) < _NEAR:
                held = narrower
    return held, own.share


_NEAR = 16


def _at_hour(link: TableLink, own: Mention, held: tuple[int, ...]) -> tuple[int, ...]:
    """Return the rows of a day at the hour told with it."""
    for place in range(own.at[-1] + 1, min(len(link.read), own.at[-1] + 4)):
        token = link.read[place]
        if token.dimension == "clock":
            return tuple(row for row in held if token.stem in link.table.rows[row][own.column].stems) or held
    return held


def paired(link: TableLink) -> dict[int, Mention]:
    """Return which row each value belongs to where a claim says "respectively"."""
    if "respectively" not in link.words:
        return {}
    rows = sorted(link.entities(), key=lambda mention: mention.at)
    own = {at for mention in rows for at in mention.at}
    values = [at for at, token in enumerate(link.read) if token.content and token.value is not None and at not in own]
    if len(rows) < 2 or len(values) % len(rows):  # noqa: PLR2004 - it takes two
        return {}
    return {at: rows[number % len(rows)] for number, at in enumerate(values)}


def values(link: TableLink) -> Iterator[TableFinding]:
    """Yield of each value in words whether it stands in the row that the claim gives it to."""
    rows = link.entities()
    own = {at for mention in rows for at in mention.at}
    groups: dict[tuple[int, ...], list[Mention]] = {}
    headed = {at for named in link.columns if named.share == 1 for at in named.at}
    for mention in link.mentions:
        if len(mention.at) == 1 and mention.at[0] in headed:
            continue
        if len(mention.at) > _VALUE or len(mention.text) > _LONG:
            continue
        if not set(mention.at) & own and (len(mention.at) > 1 or link.read[mention.at[0]].number is None):
            groups.setdefault(mention.at, []).append(mention)
    for at, group in groups.items():
        held, sure = scope(link, at[0], rows)
        if not held:
            continue
        there = set(held)
        kept = [mention for mention in group if there.intersection(mention.rows)]
        mention = (kept or group)[0]
        if kept and (beside := _of_sibling(link, kept, held, at[0])) is not None:
            yield beside._replace(sure=sure * mention.share)
            continue
        cell = link.table.rows[held[0]][mention.column]
        denied = link.denied(at[0])
        if not kept and not denied and _denies(mention.text):
            continue  # "not per topic" of another row is not what a claim says by "topic"
        sure *= mention.share * (1.0 if len(held) <= 2 else 0.6)  # noqa: PLR2004 - one row, or a pair of them
        yield TableFinding(
            "value",
            bool(kept) != (denied and not _denies(mention.text) and not (kept and _denies(cell.text))),
            sure,
            mention.text,
            cell.text,
            _of(link.table, held[0], mention.column),
            at[0],
        )


def _denies(text: str) -> bool:
    """Tell whether a cell denies what it says itself: "no, on requests; yes, on branches"."""
    return not NEGATORS.isdisjoint(text.casefold().replace(",", " ").split())


def _of_sibling(link: TableLink, kept: Sequence[Mention], held: Sequence[int], at: int) -> TableFinding | None:
    """Return that a value of a row stands in the column beside the one that a claim names: "included" in Premium.

    Columns are siblings where their names have a word in common: "Basic account" and "Premium account".
    """
    table = link.table
    named = {each.column for each in link.columns if each.column != table.subject}
    if len(named) != 1 or len(held) != 1 or link.denied(at):
        return None
    (own,) = named
    cell = table.rows[held[0]][own]
    stems = table.columns[own].stems
    there = {mention.column for mention in kept}
    if own in there or not cell.text or table.columns[own].kind != "text":
        return None
    if not all(column != table.subject and stems & table.columns[column].stems for column in there):
        return None
    return TableFinding("value", False, 1.0, kept[0].text, cell.text, _of(table, held[0], own), at)


_VALUE, _LONG = 8, 60
"""Words and characters of a value that is looked up; what is longer is prose."""


def numbers(link: TableLink) -> Iterator[tuple[int, TableFinding]]:
    """Yield of each number in digits whether it stands in the row and the column that the claim gives it to."""
    if not link.figures:
        return
    table = link.table
    rows = link.entities()
    own = {at for mention in rows for at in mention.at}
    fixed = paired(link)
    phrased, bounded = link.phrased, {bound.at for bound in thresholds(link)}
    for at in link.figures:
        token = link.read[at]
        if at in own or not _is_looked_up(link, at):
            continue
        if at in bounded and (unlike := _in_another_unit(link, at, rows)) is not None:
            yield at, unlike
            continue
        if at in phrased or at in bounded or token.dimension == "clock" or hyphened(link, at):
            continue
        others = [mention for mention in rows if at not in mention.at]
        held, sure = (fixed[at].rows, fixed[at].share) if at in fixed else scope(link, at, others)
        dated = table.subject >= 0 and table.columns[table.subject].kind == "date"
        if not held or len(held) > (MOMENTS if dated else FEW):
            continue
        hedge = hedged(link.read, at)
        column = link.column_near(at, numeric=True, far=6)
        cells = [
            (number, cell) for row in held for number, cell in enumerate(link.table.rows[row]) if cell.value is not None
        ]
        there = set(held)
        same = {mention.column for mention in link.mentions if at in mention.at and there.intersection(mention.rows)}
        same = same or {number for number, cell in cells if near(token, cell, hedge)}
        near_by = link.column_near(at, numeric=True, far=6, among=sorted(same)) if same else None
        column = column if near_by is None else near_by
        told = _told(cells, column, token.dimension)
        if not same and at not in fixed and _in_best(link, at):
            yield at, TableFinding("number", not link.denied(at), 0.5, token.raw, at=at)
            continue
        if same:
            wrong = column is not None and column not in same and told is not None
            found = TableFinding("number", wrong == link.denied(at), sure * (0.6 if wrong or column is None else 1.0))
        elif told is not None or not is_year(token):
            elsewhere = any(at in mention.at for mention in link.mentions)
            found = TableFinding(
                "number", link.denied(at), sure * (0.9 if told is not None else 0.6 if elsewhere else 0.4)
            )
        else:
            continue
        of = _of(link.table, held[0], column) if column is not None else link.table.label(held[0])
        yield at, found._replace(claimed=token.raw, told=told.text if told is not None else "", of=of, at=at)


def _is_looked_up(link: TableLink, at: int) -> bool:
    """Tell whether a number may stand in a cell; in letters where it counts what a column is of: "two checked bags"."""
    token = link.read[at]
    if token.value is None or token.ordinal or at in link.titled:
        return False
    return not token.spelled or _counts_column(link, at)


def _counts_column(link: TableLink, at: int) -> bool:
    table = link.table
    if link.read[at].number is None or table.columns[0].kind == "number":
        return False
    near_by = {place for place in range(at + 1, at + 1 + _COUNTED) if place < len(link.read)}
    return any(
        not near_by.isdisjoint(named.at) and named.share == 1 and table.columns[named.column].kind == "number"
        for named in link.columns
    )


def _in_another_unit(link: TableLink, at: int, rows: Sequence[Mention]) -> TableFinding | None:
    """Return that the one cell with a number has it in another unit: "after 24 days" where it says 24 months."""
    token = link.read[at]
    held, sure = scope(link, at, rows)
    there = [mention for mention in link.mentions if at in mention.at]
    if len(held) != 1 or len(there) != 1 or held[0] not in there[0].rows:
        return None
    column = there[0].column
    cell = link.table.rows[held[0]][column]
    said = " ".join(each.raw for each in link.read[at : at + 2])
    mine, its = quantities_in(said, "en"), quantities_in(cell.text, "en")
    if token.number != cell.number or not len(mine) == len(its) == 1 or mine[0].dimension != its[0].dimension:
        return None
    if mine[0].unit == its[0].unit or mine[0].value == its[0].value:
        return None
    return TableFinding("number", link.denied(at), sure, said, cell.text, _of(link.table, held[0], column), at)


_COUNTED = 2
"""Words behind a number among which stands what it counts."""


def hyphened(link: TableLink, at: int) -> bool:
    """Whether a number is a part of a compound: "7-day", "COVID-19", or the end of a scale."""
    read = link.read
    before = at > 1 and read[at - 1].word == "-" and read[at - 2].number is None and read[at - 2].content
    if at > 1 and read[at - 1].word == "of" and read[at - 2].word == "out":
        return True  # the end of a scale
    return bool(before) or (at + 2 < len(read) and read[at + 1].word == "-" and read[at + 2].number is None)


def _in_best(link: TableLink, at: int) -> bool:
    """Whether the rows that hold most of the claim hold a place of it, among others."""
    if len(link.best) > _PAIR or (link.table.subject >= 0 and link.table.columns[link.table.subject].kind == "date"):
        return False
    return any(at in link.by_row[row] and len(link.by_row[row]) >= _PAIR for row in link.best)


_PAIR = 2


_AUXILIARIES = word_set(
    "is was are were has have had be been being : = of in at on by as to the a an from with for its their"
)


def stated(link: TableLink) -> Iterator[TableFinding]:
    """Yield of what a claim says right behind the name of a column whether the cell has a word of it."""
    table = link.table
    rows = link.entities()
    placed = {at for mention in rows for at in mention.at} | link.titled
    named = {at for each in link.columns for at in each.at}
    for each in link.columns:
        column = table.columns[each.column]
        if column.kind != "text" or each.share < 1 or each.column == table.subject:
            continue
        truth = _truth(link, each, rows)
        if truth is not None:
            yield truth
            continue
        first = at = max(each.at) + 1
        while at < len(link.read) and (link.read[at].word in _AUXILIARIES or at in placed):
            at += 1
        said: list[int] = []
        while at < len(link.read) and link.read[at].content and at not in placed | named and len(said) < _SAID:
            said.append(at)
            at += 1
        if not said or any(link.read[place].number is not None for place in said):
            continue
        held, sure = scope(link, said[0], rows)
        cells = [table.rows[row][each.column] for row in held if table.rows[row][each.column].text]
        if not cells or len(held) > 2:  # noqa: PLR2004 - one row, or a pair of them
            continue
        stems = {stem for cell in cells for stem in cell.stems}
        right = any(_stands(link.read[place].stem, stems) for place in said)
        words = " ".join(link.read[place].raw for place in said)
        sure *= 1.0 if any(token.word in _COPULAS for token in link.read[first:at]) else _LOOSE
        yield TableFinding(
            "stated",
            right != link.denied(said[0]),
            sure,
            words,
            cells[0].text,
            _of(table, held[0], each.column),
            each.at[0],
        )


_SAID = 4
_LOOSE = 0.7
_COPULAS = frozenset({"is", "was", "are", "were", ":", "="})
_TRUE = word_set("yes true y included available \u2713 \u2714 x")
_FALSE = word_set("no false n none unavailable - \u2717 \u2718")


def _truth(link: TableLink, named: NamedColumn, rows: Sequence[Mention]) -> TableFinding | None:
    """Return whether a claim affirms what a column of yes and no has as yes, or denies what it has as no."""
    held, sure = scope(link, named.at[0], rows)
    cells = {link.table.rows[row][named.column].text.casefold() for row in held}
    if len(cells) != 1 or not cells <= _TRUE | _FALSE:
        return None
    (text,) = cells
    right = (text in _TRUE) != link.denied(max(named.at))
    of = _of(link.table, held[0], named.column)
    return TableFinding("value", right, sure, " ".join(link.read[at].raw for at in named.at), text, of, named.at[0])


def _stands(stem: str, stems: set[str]) -> bool:
    if stem in stems or any(word in stems for word in SYNONYMS.get(stem, ())):
        return True
    return len(stem) > 3 and any(word[:4] == stem[:4] for word in stems)  # noqa: PLR2004 - Germany, German


def _told(cells: Sequence[tuple[int, Cell]], column: int | None, dimension: str) -> Cell | None:
    """Return what stands where a number was to stand: in the column named, else what has its unit."""
    for number, cell in cells:
        if number == column:
            return cell if not dimension or not cell.dimension or cell.dimension == dimension else None
    alike = [cell for _, cell in cells if dimension and cell.dimension == dimension]
    return alike[0] if len(alike) == 1 else None


def _of(table: Table, row: int, column: int) -> str:
    label = table.label(row) if column != table.subject else ""
    return ", ".join(filter(None, (label, table.columns[column].name)))
