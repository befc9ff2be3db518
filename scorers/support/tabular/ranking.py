"""Extremes and comparisons: which row has the most, and which of two has more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from scorers.support.tabular.bounds import thresholds
from scorers.support.tabular.finding import TableFinding
from scorers.support.tabular.linking import Mention, TableLink, hedged, near
from scorers.text.cells import is_year
from scorers.text.normalize import word_set
from scorers.text.tables import Table

_MOST = word_set(
    "most highest largest biggest greatest maximum max longest tallest heaviest widest deepest peak peaked fastest"
)
_LEAST = word_set("least fewest lowest smallest minimum min shortest cheapest lightest narrowest slowest lowest-priced")
_LATEST = word_set("latest newest youngest")
_EARLIEST = word_set("earliest oldest")
_MORE = word_set(
    "more higher larger bigger greater longer taller heavier wider deeper above expensive exceeds exceeded outscored"
)
_LESS = word_set("fewer less lower smaller shorter lighter narrower cheaper below")
_LATER = word_set("later newer after younger since")
_EARLIER = word_set("earlier older before sooner")
_EXTREME = _MOST | _LEAST | _LATEST | _EARLIEST
_COMPARING = _MORE | _LESS | _LATER | _EARLIER
_RANKED = word_set("rank place po position standing seed pick")
_TOTALS = word_set("total totals sum overall average mean all")
_MONEY = word_set("cheapest cheaper expensive")


class RankingWord(NamedTuple):
    """A word that ranks: which way, and whether it ranks dates."""

    at: int
    up: bool
    dates: bool


def superlatives(link: TableLink) -> Iterator[RankingWord]:
    """Yield the words of a claim that name an extreme."""
    if _EXTREME.isdisjoint(link.words):
        return
    for at, token in enumerate(link.read):
        word = token.word
        if word == "most" and _follows(link, at, "of", "recent"):
            continue
        if word in ("most", "least") and at and link.read[at - 1].word == "at":
            continue  # a bound
        if word in _MOST or word in _LATEST:
            yield RankingWord(at, up=not _follows(link, at, "least"), dates=word in _LATEST)
        elif word in _LEAST or word in _EARLIEST:
            yield RankingWord(at, up=False, dates=word in _EARLIEST)


def comparatives(link: TableLink) -> Iterator[RankingWord]:
    """Yield the words of a claim that compare."""
    if _COMPARING.isdisjoint(link.words):
        return
    for at, token in enumerate(link.read):
        word = token.word
        if word in _MORE or word in _LATER:
            yield RankingWord(at, up=not (at and link.read[at - 1].word == "less"), dates=word in _LATER)
        elif word in _LESS or word in _EARLIER:
            yield RankingWord(at, up=False, dates=word in _EARLIER)


def _follows(link: TableLink, at: int, *words: str) -> bool:
    return at + 1 < len(link.read) and link.read[at + 1].word in words


def ranked_column(link: TableLink, order: RankingWord) -> int | None:
    """Return the column that a word ranks by: the one named beside it, else the only one of its kind."""
    columns = link.table.columns
    if order.dates:
        dates = [at for at, column in enumerate(columns) if column.kind == "date" or _years(link.table, at)]
        return dates[0] if len(dates) == 1 else None
    named = link.column_near(order.at, numeric=True, far=8)
    if named is not None and columns[named].kind == "number":
        return named
    numeric = [at for at, column in enumerate(columns) if column.kind == "number" and not _years(link.table, at)]
    if link.read[order.at].word in _MONEY:
        money = [at for at in numeric if any(len(row[at].dimension) == 3 for row in link.table.rows)]  # noqa: PLR2004 - EUR
        return money[0] if len(money) == 1 else None
    return numeric[0] if len(numeric) == 1 else None


def _years(table: Table, at: int) -> bool:
    column = table.columns[at]
    return column.kind == "number" and any(
        name in ("year", "date", "season", "born", "founded", "since") for name in column.name.casefold().split()
    )


def counted_rows(table: Table, held: Sequence[int] | None = None) -> list[int]:
    """Return the rows that are ranked: those of sums and means are not."""
    rows = range(len(table.rows)) if held is None else held
    return [row for row in rows if table.label(row).casefold() not in _TOTALS]


def extremes(link: TableLink) -> Iterator[TableFinding]:
    """Yield of each extreme whether the row, or the number, that the claim gives for it has it."""
    table = link.table
    if len(table.rows) < 2:  # noqa: PLR2004 - of one row nothing is the most
        return
    for order in superlatives(link):
        column = ranked_column(link, order)
        if column is None:
            yield from _most_frequent(link, order)
            continue
        up = order.up
        if link.read[order.at].word in ("highest", "top") and table.columns[column].stems & _RANKED:
            up = False
        held, entities = _ranked_rows(link, order, column)
        winners = _winners(table, held, column, up=up, place=_place(link, order.at))
        if winners:
            found = _extreme(link, order, column, winners, entities, up=up)
            if found is not None:
                yield found


def _ranked_rows(link: TableLink, order: RankingWord, column: int) -> tuple[list[int], list[Mention]]:
    """Return the rows that an extreme is said of, and the mentions that may be what has it."""
    table = link.table
    entities = [mention for mention in link.entities() if mention.column != column]
    held = counted_rows(table)
    filters = [m for m in link.mentions if m.column != column and m not in entities and len(m.rows) > 1]
    if _series(table):
        held, entities = _within(link, order, held, entities)
    for each in filters:
        there = set(each.rows)
        narrower = [row for row in held if row in there]
        held = narrower if len(narrower) > 1 else held
    return held, entities


def _series(table: Table) -> bool:
    return table.subject >= 0 and table.columns[table.subject].kind == "date"


def _extreme(
    link: TableLink, order: RankingWord, column: int, winners: Sequence[int], entities: Sequence[Mention], *, up: bool
) -> TableFinding | None:
    """Return whether what the claim gives for an extreme has it: a row, or how much it is, of a series both."""
    table, best = link.table, link.table.rows[winners[0]][column]
    number = _number_beside(link, order, table.columns[column].kind)
    entities = entities or [m for m in link.mentions if m.column != column and number not in m.at]
    entity = min(entities, key=lambda mention: abs(mention.at[0] - order.at), default=None)
    if entity is None and number is None:
        return None
    right = entity is not None and bool(set(entity.rows) & set(winners))
    if number is not None and (not right or _series(table)) and (entity is None or right or not _series(table)):
        cells = [best]
        if entity is not None and not _series(table):
            own = _winners(table, entity.rows, column, up=up, place=1)
            cells += [table.rows[own[0]][column]] if own else []
        right = any(near(link.read[number], cell, hedged(link.read, number)) for cell in cells)
    claimed = entity.text if entity is not None else link.read[number or 0].raw
    told = f"{table.label(winners[0])} {best.text}".strip()
    sure = 0.9 * (entity.share if entity is not None else 0.8)
    return TableFinding("extreme", right != link.negated, sure, claimed, told, table.columns[column].name)


def _within(
    link: TableLink, order: RankingWord, held: list[int], dates: Sequence[Mention]
) -> tuple[list[int], list[Mention]]:
    """Return the rows of the period that an extreme is said of, and the dates that are left to be when it was."""
    told = sorted(dates, key=lambda mention: mention.at)
    for first, last in pairwise(told):
        between = {token.word for token in link.read[first.at[-1] + 1 : last.at[0]]}
        if between & {"to", "until", "through", "and"} and not between - _SPANNED:
            low, high = min(first.rows), max(last.rows)
            if low > high:
                low, high = min(last.rows), max(first.rows)
            within = [row for row in held if low <= row <= high]
            rest = [mention for mention in told if mention not in (first, last)]
            if within and first.at[0] < order.at:
                return within, rest
    return held, list(told)


_SPANNED = frozenset({"to", "until", "through", "and", "mid", "-", "late", "early", "the", "end", "of"})


def _number_beside(link: TableLink, order: RankingWord, kind: str) -> int | None:
    """Return where the number stands that an extreme may be said to be."""
    bounded = {bound.at for bound in thresholds(link)}
    for at, token in enumerate(link.read):
        if token.number is None or token.spelled or token.ordinal or at in bounded or at in link.titled:
            continue
        if abs(at - order.at) <= _BESIDE and not (is_year(token) and kind != "date" and at not in link.placed):
            return at
    return None


_BESIDE = 10


def _place(link: TableLink, at: int) -> int:
    before = link.read[at - 1] if at else None
    return int(before.number) if before is not None and before.ordinal and before.number else 1


def _winners(table: Table, held: Sequence[int], column: int, *, up: bool, place: int) -> list[int]:
    told = [(order, row) for row in held if (order := table.rows[row][column].order) is not None]
    orders = sorted({order for order, _ in told}, reverse=up)
    return [row for order, row in told if order == orders[place - 1]] if len(orders) >= place else []


def _most_frequent(link: TableLink, order: RankingWord) -> Iterator[TableFinding]:
    """Yield whether what the claim says of the most of is what most rows have."""
    table = link.table
    for mention in link.mentions:
        column = table.columns[mention.column]
        if column.kind != "text" or column.unique or mention.share < 1:
            continue
        counts = sorted((len(value.rows) for value in table.values if value.column == mention.column), reverse=order.up)
        right = len(mention.rows) == counts[0]
        yield TableFinding("extreme", right != link.negated, 0.5, mention.text, f"{counts[0]} rows", column.name)
        return


def comparisons(link: TableLink) -> Iterator[TableFinding]:
    """Yield of each comparison of two rows, or of a row and a number, whether it holds; and by how much they differ."""
    for order in comparatives(link):
        than = next(
            (at for at in range(order.at + 1, min(len(link.read), order.at + 8)) if link.read[at].word == "than"), None
        )
        pivot = order.at if than is None else than
        if than is None and not order.dates and link.read[order.at].word not in ("above", "below", "outscored"):
            continue
        column = ranked_column(link, order)
        if column is None or any(token.value is not None for token in link.read[pivot + 1 : pivot + 4]):
            continue  # a bound on a number is looked at elsewhere
        entities = [mention for mention in link.entities() if mention.column != column]
        one = max((m for m in entities if m.at[-1] < order.at), key=lambda mention: mention.at, default=None)
        other = min((m for m in entities if m.at[0] > pivot), key=lambda mention: mention.at, default=None)
        if one is not None and other is not None and not set(one.rows) & set(other.rows):
            yield from _two_rows(link, order, column, one, other)


def _two_rows(link: TableLink, order: RankingWord, column: int, one: Mention, other: Mention) -> Iterator[TableFinding]:
    table = link.table
    first, second = table.rows[one.rows[0]][column], table.rows[other.rows[0]][column]
    if first.order is None or second.order is None:
        return
    up = order.up != bool(table.columns[column].stems & _RANKED and not order.dates and _better(link, order))
    holds = first.order > second.order if up else first.order < second.order
    sure = 0.9 * one.share * other.share * (1.0 if len(one.rows) == len(other.rows) == 1 else 0.6)
    told = f"{one.text} {first.text}, {other.text} {second.text}"
    claimed = f"{one.text} {link.read[order.at].word} than {other.text}"
    yield TableFinding("comparison", holds != link.negated, sure, claimed, told, table.columns[column].name)
    before = [at for at in range(max(0, order.at - 3), order.at) if link.read[at].number is not None]
    if before and not order.dates:
        token = link.read[before[-1]]
        gap = abs((first.number or first.order) - (second.number or second.order))
        right = abs(gap - (token.number or 0.0)) < _EXACT
        yield TableFinding("difference", right != link.negated, sure, token.raw, f"{gap:g}", table.columns[column].name)


_EXACT = 1e-6


def _better(link: TableLink, order: RankingWord) -> bool:
    return link.read[order.at].word in ("higher", "above", "better")
