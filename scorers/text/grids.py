"""The grids of a text: tables in markdown, HTML, CSV, TSV and columns of blanks, and lists of keys with values.

A table within prose is found as a run of lines. Text that has nothing of a table is passed over by a few searches.
"""

from __future__ import annotations

import csv
import html
import re
from collections.abc import Iterator, Sequence

from scorers.text.tables import MAX_CELL, MAX_COLUMNS, MAX_ROWS, Grid

_HTML_TAG = re.compile(r"<(/?)(table|caption|tr|t[dh])\b[^<>]{0,300}>", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[^<>]{0,300}>")
_RULE = re.compile(r"[\s|:=+_*-]*")
_GAP = re.compile(r"[ ]{2,40}")
_KEY = re.compile(
    r"[ ]{0,8}(?:[-*+\u2022#][ \t]{1,4})?(?P<key>[^\s:=|\t][^:=|\t\n]{0,48}?)[ \t]{0,4}(?::(?=[ \t])|=|\t)"
)
_EMPHASIS = re.compile(r"[*_`]{1,3}")
_HEADING = re.compile(r"#{1,6}[ \t]{1,4}")
_DELIMITERS = ("|", "\t", ";", ",")
MAX_LINE = 2_000
"""Characters of a line that may be a row."""
_FEWEST_KEYS = 3
_SENTENCE = 14
"""Words of a value from which on it is a sentence, not a value."""


def grids(text: str) -> Iterator[Grid]:
    r"""Yield the grids of a text that is no JSON, in order.

    >>> [(g.header, g.rows) for g in grids("| Country | Days |\n|---|---|\n| Chile | 15 |")]
    [(('Country', 'Days'), (('Chile', '15'),))]
    >>> [(g.title, g.header, g.rows) for g in grids("Akwa\n---\n- seat: Casablanca\n- kind: firm\n- size: 9")]
    [('Akwa', ('seat', 'kind', 'size'), (('Casablanca', 'firm', '9'),))]
    """
    if "<t" in text or "<T" in text:
        yield from _marked_up(text)
    lines = [line if len(line) <= MAX_LINE else "" for line in text.split("\n")]
    at, before = 0, ""
    barred = dict.fromkeys((*_DELIMITERS, _BLANKS, _KEYS), 0)
    while at < len(lines):
        line = lines[at].strip()
        if not line or _RULE.fullmatch(line):
            at += 1
            continue
        found = None
        for kind in _kinds(line):
            if at >= barred[kind]:
                found, end = (_keyed if kind == _KEYS else _block)(lines, at, before, kind)
                if found is not None:
                    yield found
                    at = end
                    break
                barred[kind] = end  # a run that is no table is not tried again from its second line
        if found is None:
            before = _plain(line)
            at += 1


_BLANKS, _KEYS = "  ", ":"


def _kinds(line: str) -> Iterator[str]:
    """Yield what a line may be divided by."""
    yield from (delimiter for delimiter in _DELIMITERS if delimiter in line)
    if _BLANKS in line:
        yield _BLANKS
    if ":" in line or "=" in line or "\t" in line:
        yield _KEYS


def _plain(line: str) -> str:
    line = _EMPHASIS.sub("", _HEADING.sub("", line.strip())).strip()
    return line if len(line) <= MAX_CELL else ""


def _block(lines: Sequence[str], at: int, title: str, delimiter: str) -> tuple[Grid | None, int]:
    """Return the grid of the lines from ``at`` on that have as many cells, and where they end."""
    rows: list[tuple[str, ...]] = []
    ruled = False
    end = at
    for line in lines[at : at + MAX_ROWS + 2]:
        if rows and delimiter == "|" and "-" in line and _RULE.fullmatch(line):
            ruled = ruled or len(rows) == 1
            end += 1
            continue
        cells = _split(line, delimiter)
        width = len(rows[0]) if rows else len(cells)
        if not 1 < len(cells) <= MAX_COLUMNS or (len(cells) != width and not (ruled and len(cells) < width)):
            break
        rows.append(cells)
        end += 1
    loose = delimiter in (",", ";", _BLANKS)
    if len(rows) < (3 if loose else 2) or (loose and not _tabular(rows)):
        return None, max(end, at + 1)
    header, body = rows[0], rows[1:]
    if not ruled and any(map(_digits, header[1:])) and _alike(header, body[0]):
        header, body = ("",) * len(header), rows  # no row of names: the first line is data like the others
    return Grid(title, header, tuple(body)), end


def _split(line: str, delimiter: str) -> tuple[str, ...]:
    if delimiter == "|":
        line = line.strip().removeprefix("|").removesuffix("|")
        return tuple(_EMPHASIS.sub("", cell).strip() for cell in line.replace("\\|", "/").split("|"))
    if delimiter == _BLANKS:
        return tuple(_GAP.split(line.strip()))
    if '"' in line:
        try:
            return tuple(cell.strip() for cell in next(csv.reader([line], delimiter=delimiter, strict=False)))
        except (csv.Error, StopIteration):
            return ()
    return tuple(cell.strip() for cell in line.split(delimiter)) if delimiter in line else ()


def _tabular(rows: Sequence[Sequence[str]]) -> bool:
    """Whether lines with commas are rows: short cells, none of which ends a sentence."""
    return all(len(cell) <= _SHORT and not cell.endswith((".", "!", "?")) for row in rows for cell in row)


_SHORT = 60


def _digits(cell: str) -> bool:
    return any(letter.isdigit() for letter in cell)


def _alike(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether the first line has figures wherever the second has."""
    return all(_digits(one) == _digits(other) for one, other in zip(first, second, strict=False))


def _keyed(lines: Sequence[str], at: int, title: str, _kind: str) -> tuple[Grid | None, int]:
    """Return the record of a run of lines "key: value", a key that stands again having several values."""
    found: dict[str, list[str]] = {}
    end, blanks = at, 0
    for line in lines[at : at + MAX_ROWS]:
        match = _KEY.match(line)
        if match is None:
            if line.strip() or blanks:
                break
            blanks += 1
            end += 1
            continue
        key, value = _EMPHASIS.sub("", match["key"]).strip(), line[match.end() :].strip(" \t*_`")
        if len(value.split()) > _SENTENCE or len(found) >= MAX_COLUMNS:
            break
        found.setdefault(key, []).append(value)
        blanks = 0
        end += 1
    if sum(map(len, found.values())) < _FEWEST_KEYS:
        return None, max(end, at + 1)
    row = tuple(values[0] if len(values) == 1 else tuple(values) for values in found.values())
    return Grid(title, tuple(found), (row,)), end


def _marked_up(text: str) -> Iterator[Grid]:
    title = ""
    rows: list[tuple[str, ...]] = []
    cells: list[str] = []
    opened: str | None = None
    at = 0
    for match in _HTML_TAG.finditer(text):
        closes, tag = bool(match[1]), match[2].lower()
        inner = html.unescape(_ANY_TAG.sub(" ", text[at : match.start()][: 10 * MAX_CELL])).strip()
        if opened in ("td", "th"):
            cells.append(" ".join(inner.split()))
            opened = None
        elif opened == "caption":
            title, opened = inner[:MAX_CELL], None
        if tag in ("tr", "table") and cells:
            rows.append(tuple(cells[:MAX_COLUMNS]))
            cells = []
        if tag == "table":
            if len(rows) > 1:
                yield _html_grid(title, rows)
            title, rows, cells = "", [], []
        opened = tag if not closes and tag in ("td", "th", "caption") else None
        at = match.end()
    if cells:
        rows.append(tuple(cells[:MAX_COLUMNS]))
    if len(rows) > 1:
        yield _html_grid(title, rows)


def _html_grid(title: str, rows: Sequence[tuple[str, ...]]) -> Grid:
    width = max(map(len, rows))
    if width == _PAIR and all(len(row) == _PAIR for row in rows) and _digits(rows[0][1]) and not _digits(rows[0][0]):
        return Grid(title, tuple(row[0] for row in rows)[:MAX_COLUMNS], (tuple(row[1] for row in rows)[:MAX_COLUMNS],))
    return Grid(title, rows[0] + ("",) * (width - len(rows[0])), tuple(rows[1 : MAX_ROWS + 1]))


_PAIR = 2
