"""Links a claim to a table: which of its words name rows, values and columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from scorers.text.cells import NEGATORS, Cell, CellDate, CellToken, is_year, tokens
from scorers.text.normalize import word_set
from scorers.text.synonyms import SYNONYMS
from scorers.text.tables import PREFIX, Table

MAX_LINKED = 400
"""Rows that one mention leads to, as far as they are followed."""

_CLAUSES = frozenset({",", ";", "while", "but", "whereas"})
_REPLACING = frozenset({("rather", "than"), ("instead", "of")})
_CONTRASTS = frozenset({"but", "however", "although", "while", "whereas", "yet", "though", ";", "(", ")"})
_PARTING = frozenset({",", ";", "and", "but", "while", "with"})
_RATIO = 0.6


class Mention(NamedTuple):
    """Words of a claim that stand in a column: where in the claim, in which rows, and what share of the value."""

    column: int
    rows: tuple[int, ...]
    at: tuple[int, ...]
    share: float
    text: str


class NamedColumn(NamedTuple):
    """Words of a claim that name a column."""

    column: int
    at: tuple[int, ...]
    share: float


@dataclass
class TableLink:
    """A claim linked to a table; what follows from that is worked out when it is asked for."""

    table: Table
    read: Sequence[CellToken]
    mentions: tuple[Mention, ...]
    columns: tuple[NamedColumn, ...]

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the claim."""
        return frozenset([token.word for token in self.read])

    @cached_property
    def figures(self) -> tuple[int, ...]:
        """The places of the numbers and the dates of the claim."""
        return tuple(
            [
                at
                for at, token in enumerate(self.read)
                if token.number is not None or token.value is not None or token.day is not None
            ]
        )

    @cached_property
    def negated(self) -> bool:
        """Whether a word of the claim negates."""
        return any(word in NEGATORS or word.endswith("n't") for word in self.words)

    @cached_property
    def titled(self) -> frozenset[int]:
        """The places of the claim that the title of the table covers."""
        stems = self.table.title_stems
        return frozenset([at for at, token in enumerate(self.read) if token.content and token.stem in stems])

    @cached_property
    def by_row(self) -> dict[int, set[int]]:
        """The places of the claim that occur in each row."""
        found: dict[int, set[int]] = {}
        for mention in self.mentions:
            for row in mention.rows[:MAX_LINKED]:
                found.setdefault(row, set()).update(mention.at)
        return found

    @cached_property
    def best(self) -> tuple[int, ...]:
        """The rows that cover most of the claim."""
        most = max(map(len, self.by_row.values()), default=0)
        return tuple(row for row, held in self.by_row.items() if len(held) == most)

    @cached_property
    def placed(self) -> set[int]:
        """The places of the claim that stand in some row."""
        return {at for mention in self.mentions for at in mention.at}

    @cached_property
    def known(self) -> set[int]:
        """The places of the claim that the table tells of at all."""
        return self.placed | {at for named in self.columns for at in named.at} | self.titled

    def column_near(self, at: int, *, numeric: bool = False, far: int = 6, among: Sequence[int] = ()) -> int | None:
        """Return the column named nearest to a place of the claim; a comma or "and" between them is far."""
        found: list[tuple[float, int]] = []
        for named in self.columns:
            if (numeric and self.table.columns[named.column].kind == "text") or (among and named.column not in among):
                continue
            distance = min((place - at if place > at else at - place + 0.5) for place in named.at)
            first, last = min(at, *named.at), max(at, *named.at)
            parted = sum(token.word in _PARTING for token in self.read[first + 1 : last])
            if distance <= far:
                found.append((distance + 3 * parted - named.share, named.column))
        return min(found)[1] if found else None

    @cached_property
    def phrased(self) -> set[int]:
        """The places of the claim that are part of a value of several words."""
        return {at for mention in self.mentions if len(mention.at) > 1 for at in mention.at}

    def denied(self, at: int) -> bool:
        """Whether the claim denies what stands at a place: a negator before it in its clause, or right behind it."""
        for place in range(at - 1, -1, -1):
            word = self.read[place].word
            if word in _CONTRASTS:
                break
            if word in NEGATORS or word.endswith("n't") or self._replaces(place):
                return True
        for token in self.read[at + 1 : at + 4]:
            if token.word in NEGATORS or token.word.endswith("n't"):
                return True
            if token.content or token.word in _PARTING:
                break
        return False

    def _replaces(self, place: int) -> bool:
        """Tell whether what stands behind a place is what something else stands for: "rather than", "instead of"."""
        return place + 1 < len(self.read) and (self.read[place].word, self.read[place + 1].word) in _REPLACING

    def segment(self, at: int) -> int:
        """Return which part between commas a place of the claim is in."""
        return self._segments[at]

    @cached_property
    def _segments(self) -> tuple[int, ...]:
        return tuple(accumulate([token.word in _CLAUSES for token in self.read]))

    def entities(self) -> list[Mention]:
        """Return the mentions of the column that names the rows, else of the one of texts with most of them."""
        subject = self.table.subject
        own = [mention for mention in self.mentions if mention.column == subject]
        if own:
            return own
        by_column: dict[int, list[Mention]] = {}
        for mention in self.mentions:
            if self.table.columns[mention.column].kind == "text":
                by_column.setdefault(mention.column, []).append(mention)
        return max(by_column.values(), key=len, default=[])


def read_claim(text: str) -> tuple[CellToken, ...]:
    """Return the words and numbers of a claim."""
    return tokens(text)


def link(read: Sequence[CellToken], table: Table) -> TableLink:
    """Link a claim to a table, in time proportional to its words."""
    mentions = _mentions(read, table)
    taken = {at for mention in mentions if len(mention.at) > 1 or mention.share == 1 for at in mention.at}
    return TableLink(table, read, mentions, _columns(read, table, taken))


def _mentions(read: Sequence[CellToken], table: Table) -> tuple[Mention, ...]:
    postings = table.postings
    hits: dict[int, dict[str, list[int]]] = {}
    found: list[Mention] = []
    for at, token in enumerate(read):
        if token.number is not None or token.day is not None:
            found += _figured(token, at, table)
        stem = _ALIASES.get(token.word, token.stem)
        values = postings.get(stem)
        if values is None or token.word in NEGATORS:
            continue
        for number in values:
            if not token.spelled or token.ordinal or len(table.values[number].cell.stems) > 1:
                hits.setdefault(number, {}).setdefault(stem, []).append(at)
    for number, stems in hits.items():
        share = len(stems) / len(table.values[number].cell.stems)
        if share == 1 or _names(table, number, tuple(stems), share):
            found.append(_mention(table, number, _together(stems.values()), share))
    return tuple(_widest(found)) if found else ()


def _together(places: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """Return one place of each word, those that stand next to the word that is told least often."""
    told = sorted(places, key=len)
    anchor = told[0][0]
    return tuple(sorted({min(each, key=lambda at: abs(at - anchor)) for each in told}))


def _figured(token: CellToken, at: int, table: Table) -> Iterator[Mention]:
    """Yield the values that a number or a date of a claim names."""
    if token.number is not None and not token.spelled:
        for number in table.numbers.get(token.number, ()):
            if len(table.values[number].cell.stems) <= _UNITS_OF_CELL:
                yield _mention(table, number, (at,), 1.0)
    rows: tuple[int, ...] = ()
    if token.day is not None:
        rows = table.days(token.day)
    elif is_year(token) and not table.numbers.get(token.number or 0.0):
        rows = table.days(CellDate(year=int(token.number or 0)))
    if rows:
        yield Mention(_dated(table, rows[0]), rows, (at,), 1.0, token.raw)


_UNITS_OF_CELL = 3
_ALIASES = {
    **dict.fromkeys(("won", "win", "wins", "winning", "victory", "victories", "beat", "defeated"), "win"),
    **dict.fromkeys(("lost", "lose", "loses", "losing", "loss", "losses", "defeat", "defeats"), "loss"),
}


def _mention(table: Table, number: int, at: tuple[int, ...], share: float) -> Mention:
    value = table.values[number]
    return Mention(value.column, value.rows, at, share, value.cell.text)


def _names(table: Table, number: int, stems: tuple[str, ...], share: float) -> bool:
    """Whether some of the words of a value name it: no number, and no other value of its column has one of them."""
    value = table.values[number]
    words = [stem for stem in stems if stem[0] != "#"]
    if not words or table.columns[value.column].kind != "text":
        return False
    own = table.columns[value.column].stems
    for stem in words:
        others = sum(table.values[other].column == value.column for other in table.postings[stem])
        if (others == 1 or share >= _RATIO) and stem not in own and stem not in table.title_stems:
            return True
    return False


def _widest(found: Iterable[Mention]) -> list[Mention]:
    """Leave out mentions whose places another one holds with more."""
    ranked = sorted(
        dict.fromkeys(found), key=lambda mention: (-len(mention.at), -mention.share, mention.column, mention.at)
    )
    kept: list[Mention] = []
    for mention in ranked[:_MOST]:
        places = set(mention.at)
        if not any(
            places <= set(other.at) and (len(other.at) > len(places) or other.share > mention.share) for other in kept
        ):
            kept.append(mention)
    return kept


_MOST = 64


def _dated(table: Table, row: int) -> int:
    return next((at for at, cell in enumerate(table.rows[row]) if cell.day is not None), 0)


def _columns(read: Sequence[CellToken], table: Table, taken: set[int]) -> tuple[NamedColumn, ...]:
    hits: dict[int, dict[str, int]] = {}
    for at, token in enumerate(read):
        if not token.content or token.number is not None:
            continue
        for stem in _headed(token.stem, table):
            for column in table.headers[stem]:
                hits.setdefault(column, {}).setdefault(stem, at)
    found = []
    for column, stems in hits.items():
        share = len(stems) / len(table.columns[column].stems)
        alone = any(len(table.headers[stem]) == 1 for stem in stems)
        places = tuple(sorted(stems.values()))
        if (share == 1 or alone) and not set(places) <= taken:
            found.append(NamedColumn(column, places, share))
    wide = sorted(found, key=lambda named: (-len(named.at), -named.share, named.column))
    kept: list[NamedColumn] = []
    for named in wide:
        if not any(set(named.at) < set(other.at) for other in kept):
            kept.append(named)
    return tuple(kept)


def _headed(stem: str, table: Table) -> Sequence[str]:
    """Return the words of headers that a word of a claim stands for."""
    headers = table.headers
    if stem in headers:
        return (stem,)
    if (edge := _EDGES.get(stem)) is not None and edge in headers:
        return (edge,)
    if (alike := SYNONYMS.get(stem)) and (near := [word for word in alike if word in headers]):
        return near
    begun = table.begun.get(stem[:PREFIX]) if len(stem) >= PREFIX else None
    return [word for word in begun if stem.startswith(word) or _shared(word, stem)] if begun else ()


_EDGES = {"low": "min", "lowest": "min", "minimum": "min", "high": "max", "highest": "max", "maximum": "max"}


def _shared(one: str, other: str) -> bool:
    same = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        same += 1
    return same >= _RATIO * max(len(one), len(other))


def near(token: CellToken, cell: Cell, hedge: str = "") -> bool:
    """Whether a number of a claim is that of a cell, in its unit, rounded as the claim rounds, or hedged.

    >>> from scorers.text.cells import read_cell
    >>> [near(tokens(t)[0], read_cell(c)) for t, c in (("60 minutes", "1 h"), ("20", "19.6"), ("20", "21"))]
    [True, True, False]
    """
    if token.value is None or token.number is None or cell.value is None or cell.number is None:
        return False
    alike = bool(token.dimension and cell.dimension)
    if alike and token.dimension != cell.dimension:
        return False
    if token.dimension == "share" and not cell.dimension and abs(cell.number) <= 1 < abs(token.number):
        return abs(token.number - 100 * cell.number) <= _step(token) / 2 + 1e-9
    claimed, told = (token.value, cell.value) if alike else (token.number, cell.number)
    scale = abs(token.value / token.number) if alike and token.number else 1.0
    if claimed == told or (abs(claimed - told) <= _step(token) * scale / 2 + 1e-9 and told):
        return True
    if hedge == "about":
        return abs(claimed - told) <= _ABOUT * abs(told)
    more = {"over": told - claimed, "under": claimed - told}.get(hedge, -1.0)
    return 0 <= more <= _FAR * abs(told)


_ABOUT, _FAR = 0.1, 0.35


def _step(token: CellToken) -> float:
    """Return what the last digit told stands for; zeros at the end of a large number are rounding."""
    if token.decimals > 0:
        return float(10.0**-token.decimals)
    number = abs(token.number or 0.0)
    if number < _ROUND or number % 1 or is_year(token):
        return 1.0
    step = 1.0
    while number % (step * 10) == 0 and step * 10 <= number:
        step *= 10
    return step


_ROUND = 10_000

HEDGES = {
    **dict.fromkeys(word_set("about around approximately roughly nearly almost approx circa some"), "about"),
    **dict.fromkeys(word_set("over above exceeding"), "over"),
    **dict.fromkeys(word_set("under below"), "under"),
}
"""Words before a number that make it less exact."""


def hedged(read: Sequence[CellToken], at: int) -> str:
    """Return how the number at a place of a claim is hedged: ``about``, ``over``, ``under`` or not at all."""
    for place in range(at - 1, max(-1, at - 4), -1):
        word = read[place].word
        if word in HEDGES:
            return HEDGES[word]
        if word == "than" and place:
            return {"more": "over", "less": "under", "fewer": "under"}.get(read[place - 1].word, "")
        if read[place].content:
            break
    return ""
