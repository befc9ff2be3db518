"""The tables of a text, whatever form it gives them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from adapters.caching import cached_by_text
from scorers.text.grids import grids
from scorers.text.nested import nested_grids
from scorers.text.tables import MAX_CELLS, Grid, Table, indexed
from scorers.text.yamltext import YamlError, load_yaml

MAX_TABLES = 24
"""Tables of one text that are read."""

_YAML = re.compile(
    r"(?:[ ]{0,40}(?:- )?[\w.'()/-][\w .'()/-]{0,60}:(?: [^\n]{0,300})?\n|[ ]{0,40}- [^\n]{0,300}\n|\n|---\n)+"
)
_NESTED = re.compile(r"^(?:[ ]{1,40}|- )[\w.'()/-][\w .'()/-]{0,60}:", re.MULTILINE)
_MANY = 8_000


def read_tables(text: str) -> tuple[Table, ...]:
    r"""Return the tables and records of ``text``, none where it is prose.

    >>> [table.columns[1].name for table in read_tables("Country | Days\nChile | 15\nPeru | 30")]
    ['Days']
    """
    tables: list[Table] = []
    cells = 0
    for grid in _grids(text):
        cells += len(grid.header) * len(grid.rows)
        if cells > MAX_CELLS or len(tables) >= MAX_TABLES:
            break
        if grid.rows:
            tables.append(indexed(grid))
    return tuple(tables)


def _grids(text: str) -> Iterator[Grid]:
    head = text.lstrip()[:1]
    if head in ("{", "["):
        data = _json(text)
        if data is not None:
            yield from nested_grids(data)
            return
    if ":\n" in text and len(text) <= _MANY and _NESTED.search(text) and _YAML.fullmatch(text + "\n"):
        data = _yaml(text)
        if isinstance(data, (dict, list)):
            yield from nested_grids(data)
            return
    yield from grids(text)


def _json(text: str) -> Any:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, (dict, list)) else None


def _yaml(text: str) -> Any:
    try:
        return load_yaml(text)
    except YamlError:
        return None


tables_of = cached_by_text(cost=4)(read_tables)
"""`read_tables`, remembered: the same passages are retrieved again and again."""
