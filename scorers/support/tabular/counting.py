"""Counts, what is the only one, what all are, and sums and means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorers.support.tabular.bounds import bounded_rows, year_of
from scorers.support.tabular.finding import TableFinding
from scorers.support.tabular.linking import Mention, TableLink, hedged, near
from scorers.support.tabular.lookups import hyphened
from scorers.support.tabular.ranking import counted_rows
from scorers.text.cells import Cell, CellToken, is_year
from scorers.text.normalize import word_set

_ALL = word_set("all every each always both entire")
_NONE = word_set("never none nobody neither")
_WHOLE = _ALL | _NONE
_SUM = word_set("total sum combined altogether together overall")
_MEAN = word_set("average mean averaged")
_SUMMED = _SUM | _MEAN
_TIMES = word_set("time times once twice thrice")
_PERIODS = word_set("second seconds minute minutes hour hours day days week weeks month months year years dose of")
_GENERIC = word_set(
    "row rows entry entries item items record records team teams player players game games people country countries"
)


def conditions(link: TableLink, *without: int) -> list[list[Mention]]:
    """Return what rows must have to be counted: mentions of the same words stand for one another."""
    groups: dict[tuple[int, ...], list[Mention]] = {}
    for mention in link.mentions:
        if not set(mention.at) & set(without):
            groups.setdefault(mention.at, []).append(mention)
    return [groups[at] for at in sorted(groups)]


def meeting(link: TableLink, groups: Sequence[Sequence[Mention]], *, bounded: Sequence[set[int]] = ()) -> set[int]:
    """Return the rows that meet all conditions, and bounds on their numbers."""
    rows = set(range(len(link.table.rows)))
    for group in groups:
        rows &= {row for mention in group for row in mention.rows}
    return rows.intersection(*bounded)


def counts(link: TableLink, taken: frozenset[int]) -> Iterator[TableFinding]:
    """Yield of each number that counts rows whether as many meet what the claim says; ``taken`` are looked up."""
    table = link.table
    if len(table.rows) < 2:  # noqa: PLR2004 - one row is a record
        yield from _listed(link)
        return
    bounds = bounded_rows(link)
    for at in link.figures:
        if at in taken or not _may_count(link, at):
            continue
        token, following = link.read[at], _noun(link, at)
        bounded = [rows for place, rows in bounds if place != at and rows]
        groups = conditions(link, at, *(place for place, _ in bounds))
        held = meeting(link, groups, bounded=bounded)
        found = {len(held)} if groups or bounded else set()
        found |= {
            len({table.rows[row][named.column].text for row in held} - {""})
            for named in link.columns
            if following in named.at
        }
        if not found and following is not None and (link.read[following].word in _GENERIC or following in link.known):
            found.add(len(counted_rows(table)))
        found.discard(0)
        if found:
            right = any(_counted(link, at, token, count) for count in found)
            sure = (0.8 if token.spelled else 0.6) * (1.0 if groups or bounded else 0.6)
            yield TableFinding(
                "count", right != link.negated, sure, token.raw, " or ".join(map(str, sorted(found))), "rows"
            )


def _noun(link: TableLink, at: int) -> int | None:
    """Return where the word stands that a number counts."""
    return next((i for i in range(at + 1, min(len(link.read), at + 4)) if link.read[i].content), None)


def _may_count(link: TableLink, at: int) -> bool:
    """Whether a number of the claim counts something, and is no value, date, period or part of a name."""
    token, following = link.read[at], _noun(link, at)
    if token.number is None or token.ordinal or token.number % 1 or is_year(token) or at in link.phrased:
        return False
    if hyphened(link, at) or (at + 1 < len(link.read) and link.read[at + 1].word in _PERIODS):
        return False
    if following is None:
        return token.word in _TIMES
    if link.read[following].number is not None:
        return False
    if token.spelled:
        return True
    large = token.number > len(link.table.rows) + 2 or bool(token.dimension)
    return not large and (at not in link.placed or link.read[following].word in _TIMES)


def _counted(link: TableLink, at: int, token: CellToken, count: int) -> bool:
    number = token.number or 0.0
    before = [each.word for each in link.read[max(0, at - 2) : at]]
    if before == ["more", "than"] or before[-1:] == ["over"]:
        return count > number
    if before in (["less", "than"], ["fewer", "than"]) or before[-1:] == ["under"]:
        return count < number
    if before == ["at", "least"]:
        return count >= number
    if before in (["at", "most"], ["up", "to"]):
        return count <= number
    return count == number


def _listed(link: TableLink) -> Iterator[TableFinding]:
    """Yield of each number before the name of a column of a record whether the column lists as many."""
    table = link.table
    for named in link.columns:
        parts = [value for value in table.values if value.column == named.column]
        first = table.rows[0] if table.rows else ()
        if named.column >= len(first):
            continue
        text = first[named.column].text
        many = [value for value in parts if value.cell.text != text]
        at = named.at[0] - 1
        if at < 0 or link.read[at].number is None or not link.read[at].spelled or not (many or parts):
            continue
        count = len(many) or 1
        right = _counted(link, at, link.read[at], count)
        yield TableFinding(
            "count", right != link.negated, 0.7, link.read[at].raw, str(count), table.columns[named.column].name
        )


def only(link: TableLink) -> Iterator[TableFinding]:
    """Yield whether what the claim calls the only one is alone in what it says of it."""
    table = link.table
    if "only" not in link.words or len(table.rows) < 2:  # noqa: PLR2004 - one row is always the only one
        return
    at = [token.word for token in link.read].index("only")
    if any(token.number is not None for token in link.read[at + 1 : at + 4]):
        return
    entities = link.entities()
    own = {place for mention in entities for place in mention.at}
    rest = [group for group in conditions(link) if not set(group[0].at) & own]
    if not rest or not entities:
        return
    held = meeting(link, rest)
    if not held:
        return
    entity = min(entities, key=lambda mention: abs(mention.at[0] - at))
    right = held <= set(entity.rows)
    others = [table.label(row) for row in sorted(held - set(entity.rows))][:3]
    yield TableFinding(
        "only", right != link.negated, 0.6, entity.text, ", ".join(filter(None, others)) or "no other", ""
    )


def every(link: TableLink) -> Iterator[TableFinding]:
    """Yield whether all rows, or none, are as the claim says of all, or of none."""
    table = link.table
    if len(table.rows) < 2 or _WHOLE.isdisjoint(link.words):  # noqa: PLR2004 - one row is always all
        return
    for token in link.read:
        if token.word not in _ALL and token.word not in _NONE:
            continue
        groups = [group for group in conditions(link) if len(group[0].rows) >= 1]
        if not groups:
            return
        held = meeting(link, groups)
        if token.word in _NONE:
            yield TableFinding("all", not held, 0.5, token.word, f"{len(held)} rows", "")
        else:
            last = {row for mention in groups[-1] for row in mention.rows}
            scope = meeting(link, groups[:-1]) if len(groups) > 1 else set(counted_rows(table))
            right = bool(scope) and scope <= last
            yield TableFinding(
                "all", right != link.negated, 0.5, token.word, f"{len(scope & last)} of {len(scope)} rows", ""
            )
        return


def totals(link: TableLink) -> Iterator[tuple[int, TableFinding]]:
    """Yield of each sum and mean whether it is that of the column named."""
    table = link.table
    if len(table.rows) < 2 or _SUMMED.isdisjoint(link.words):  # noqa: PLR2004 - one row has no sum
        return
    for at, token in enumerate(link.read):
        mean = token.word in _MEAN
        if not mean and token.word not in _SUM:
            continue
        if any(token.stem in column.stems for column in table.columns):
            continue
        column = link.column_near(at, numeric=True, far=8)
        if column is None:
            numeric = [number for number, each in enumerate(table.columns) if each.kind == "number"]
            column = numeric[0] if len(numeric) == 1 else None
        bounds = bounded_rows(link)
        taken = {place for place, _ in bounds} | link.phrased
        numbers = [
            i for i, each in enumerate(link.read) if each.number is not None and i not in taken and not is_year(each)
        ]
        numbers = [i for i in numbers if abs(i - at) <= _BESIDE and i not in link.titled]
        if column is None or not numbers or _year_column(link, column):
            continue
        numbers = [i for i in numbers if not link.read[i].spelled] or numbers
        number = numbers[-1] if numbers[-1] > at else numbers[0]
        groups = [group for group in conditions(link, number, *taken) if group[0].column != column]
        bounded = [rows for _, rows in bounds if rows]
        held = counted_rows(table, sorted(meeting(link, groups, bounded=bounded)) if groups or bounded else None)
        told = [cell for row in held if (cell := table.rows[row][column]).number is not None]
        if not told:
            continue
        total = sum([cell.number or 0.0 for cell in told], 0.0) / (len(told) if mean else 1)
        right = near(link.read[number], Cell("", (), total, total), hedged(link.read, number))
        yield (
            number,
            TableFinding(
                "total", right != link.negated, 0.7, link.read[number].raw, f"{total:g}", table.columns[column].name
            ),
        )


def _year_column(link: TableLink, column: int) -> bool:
    return any(year_of(row[column]) is not None for row in link.table.rows[:3])


_BESIDE = 10
