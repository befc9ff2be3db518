"""The catalog file: YAML, CSV or JSONL to a `Catalog`, or every problem in it at once."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, Literal

from scorers.catalog.document import Document
from scorers.catalog.fields import LISTS, MAX_PROBLEMS, Problems, document_of, shown
from scorers.catalog.graph import Catalog
from scorers.catalog.packed import Packed
from scorers.catalog.packing import Packer
from scorers.catalog.place import EntryPlace
from scorers.catalog.stored import catalog_of
from scorers.text.yamltext import YamlError, YamlMapping, YamlNode, read_yaml

MAX_CELL = 128 * 1024
"""Characters of one cell of a CSV file."""

CatalogFormat = Literal["yaml", "jsonl", "csv"]

LIST_SEPARATOR = "|"
"""Between the items of a list in one cell of a CSV file."""
DELIMITERS = ",;\t"
"""Between the cells of a CSV file: whichever of them its first line has most of."""
MAX_WARNINGS = 100
"""Warnings that are kept with a catalog."""

Entries = Iterable[tuple[EntryPlace, Document]]


class CatalogError(ValueError):
    """A catalog that cannot be used. ``problems`` has one line each, with file, line, entry and key."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def parse_catalog(text: str, format: CatalogFormat, where: str) -> Catalog:  # noqa: A002 - the word for it
    """Read a catalog; ``where`` is the name of the file in messages.

    YAML: a mapping with the one key ``documents``, a list of entries. JSONL: one entry a line. CSV: one entry a row
    under a row of keys, with `LIST_SEPARATOR` between the items of a list. Raises `CatalogError` with all problems
    together.

    >>> parse_catalog("documents: [{id: HR-010, version: 4.0, effective_from: 2025-04-01}]", "yaml", "catalog.yaml")
    Catalog(1 entries of 1 documents)
    >>> parse_catalog("documents: [{id: T-1, titel: Travel}]", "yaml", "c.yaml")
    Traceback (most recent call last):
    scorers.catalog.parse.CatalogError: c.yaml: line 1: documents[0].titel: unknown key (did you mean title?)
    """
    problems = Problems()
    lines = [text] if format == "yaml" else text.split("\n")
    return catalog_of(pack(read_entries(lines, format, where, problems), problems, where))


def pack(entries: Entries, problems: Problems, where: str) -> Packed:
    """Return the packed catalog that entries make up. Raises `CatalogError` with all problems together.

    ``problems`` is what reading the entries adds to.
    """
    packer = Packer()
    try:
        for place, document in entries:
            packer.add(document, place)
    except ValueError as error:
        problems.add(f"{where}: {error}")
    # Links are judged only where every entry could be read; a broken entry would make its references look dangling.
    if not problems.count:
        findings = packer.findings()
        for problem in findings.problems:
            if problems.count > MAX_PROBLEMS:
                break
            problems.add(problem)
        if not problems.count:
            return packer.packed(warnings=islice(findings.warnings, MAX_WARNINGS))
    raise CatalogError(problems.lines(where))


def read_entries(
    lines: Iterable[str],
    format: CatalogFormat,  # noqa: A002 - the word for it
    where: str,
    problems: Problems,
) -> Iterator[tuple[EntryPlace, Document]]:
    """Yield the entries of a file that can be read; what cannot be goes to ``problems``.

    ``lines`` may end in a line feed each or not. A YAML file may come as one piece.
    """
    if format == "yaml":
        pairs = _yaml_entries("".join(lines), where, problems)
    elif format == "jsonl":
        pairs = _jsonl_entries(lines, where, problems)
    else:
        pairs = _csv_entries(lines, where, problems)
    for place, fields in pairs:
        document = document_of(place, fields, problems)
        if document is not None:
            yield place, document


Pairs = Iterator[tuple[EntryPlace, Iterable[tuple[str, Any]]]]


def _yaml_entries(text: str, where: str, problems: Problems) -> Pairs:
    try:
        root = read_yaml(text)
    except YamlError as error:
        for problem in error.problems:
            problems.add(f"{where}: {problem}")
        return
    if not isinstance(root, YamlMapping):
        found = "empty; expected" if root is None else "expected"
        problems.add(f"{where}: {found} a mapping with the key documents")
        return
    documents: YamlNode = None
    for key, value in root.pairs:
        if key == "documents":
            documents = value
        else:
            problems.add(f"{where}: {shown(key)}: unknown key")
    if not isinstance(documents, list):
        problems.add(f"{where}: documents: expected a list of entries")
        return
    for index, node in enumerate(documents):
        if isinstance(node, YamlMapping):
            yield EntryPlace(where, node.line, index), node.pairs
        else:
            problems.add(f"{where}: documents[{index}]: expected a mapping")


def _jsonl_entries(lines: Iterable[str], where: str, problems: Problems) -> Pairs:
    decoder = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=_Pairs)
    for number, line in enumerate(lines, start=1):
        if not line or line.isspace():
            continue
        place = EntryPlace(where, number)
        try:
            found = decoder.decode(line)
        except (ValueError, RecursionError) as error:
            problems.add(f"{place}: not JSON: {error}")
            continue
        if isinstance(found, _Pairs):
            yield place, found
        else:
            problems.add(f"{place}: expected an object")


class _Pairs(list[tuple[str, Any]]):
    """An object as it was written, with keys that stand twice; a list is told apart from it."""


def _csv_entries(lines: Iterable[str], where: str, problems: Problems) -> Pairs:
    # One bound holds for all of a process; who reads exports raises it.
    csv.field_size_limit(MAX_CELL)
    left = iter(lines)
    head = next(left, "").removeprefix("\ufeff")
    delimiter = max(DELIMITERS, key=head.count)
    ended = (line if line.endswith("\n") else f"{line}\n" for line in chain([head], left))
    rows = csv.reader(ended, delimiter=delimiter, strict=True)
    keys: list[str] | None = None
    while True:
        line = rows.line_num + 1
        try:
            row = next(rows, None)
        except csv.Error as error:
            # A quotation mark that is never closed takes all that follows: no row after it can be trusted.
            problems.add(f"{where}: line {line}: not CSV: {error}")
            return
        if row is None:
            break
        if keys is None:
            keys = [key.strip() for key in row]
        elif row:
            place = EntryPlace(where, line)
            if len(row) == len(keys):
                yield place, [(key, _cell(key, cell)) for key, cell in zip(keys, row, strict=True)]
            else:
                problems.add(f"{place}: expected {len(keys)} cells, one for each key; found {len(row)}")
    if not keys:
        problems.add(f"{where}: empty; expected a header row of keys")


def _cell(key: str, cell: str) -> Any:
    if not cell:
        return None
    return [item.strip() for item in cell.split(LIST_SEPARATOR)] if key in LISTS else cell
