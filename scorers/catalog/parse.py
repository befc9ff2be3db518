"""The catalog file: YAML or JSONL text to a `Catalog`, or every problem in it at once."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from scorers.catalog.check import Entry, check
from scorers.catalog.document import Document, parse_instant
from scorers.catalog.graph import Catalog
from scorers.catalog.yamltext import Mapping, Node, YamlError, read_yaml

CatalogFormat = Literal["yaml", "jsonl"]

MAX_PROBLEMS = 100
"""Problems that are told; a file of another kind altogether has one on every line."""

_FIELDS = tuple(Document.model_fields)
_LISTS = frozenset({"supersedes", "permitted"})


class CatalogError(ValueError):
    """A catalog that cannot be used. ``problems`` has one line each, with file, entry and key."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class _Raw:
    """One entry as written: texts, lists of texts and nulls; not typed yet, so that version 4.10 stays ``4.10``."""

    where: str
    fields: dict[str, str | tuple[str, ...] | None]


def parse_catalog(text: str, format: CatalogFormat, where: str) -> Catalog:  # noqa: A002 - the word for it
    """Read a catalog. YAML: a mapping with the one key ``documents``, a list of entries. JSONL: one entry a line.

    ``where`` is the name of the file in messages. Raises `CatalogError` with all problems together.

    >>> parse_catalog("documents: [{id: HR-010, version: 4.0, effective_from: 2025-04-01}]", "yaml", "catalog.yaml")
    Catalog(1 entries of 1 documents)
    >>> parse_catalog("documents: [{id: T-1, effective_frm: 2025-04-01}]", "yaml", "c.yaml")
    Traceback (most recent call last):
    scorers.catalog.parse.CatalogError: c.yaml: documents[0].effective_frm: unknown key (did you mean effective_from?)
    """
    problems: list[str] = []
    raws = _yaml_entries(text, where, problems) if format == "yaml" else _jsonl_entries(text, where, problems)
    entries: list[Entry] = []
    for raw in raws:
        document = _document(raw, problems)
        if document is not None:
            entries.append(Entry(raw.where, document))
    # Links are judged only where every entry could be read; a broken entry would make its references look dangling.
    if not problems:
        catalog = Catalog(entry.document for entry in entries)
        found = check(entries, catalog)
        problems.extend(found.problems)
        if not problems:
            return catalog.with_warnings(found.warnings)
    left = len(problems) - MAX_PROBLEMS
    told = tuple(problems[:MAX_PROBLEMS])
    raise CatalogError((*told, f"{where}: and {left} more problems") if left > 0 else told)


def _yaml_entries(text: str, where: str, problems: list[str]) -> Iterator[_Raw]:
    try:
        root = read_yaml(text)
    except YamlError as error:
        problems.append(f"{where}: {error}")
        return
    if not isinstance(root, Mapping):
        found = "empty; expected" if root is None else "expected"
        problems.append(f"{where}: {found} a mapping with the key documents")
        return
    documents: Node = None
    for key, value in root.pairs:
        if key == "documents":
            documents = value
        else:
            problems.append(f"{where}: {_shown(key)}: unknown key")
    if not isinstance(documents, list):
        problems.append(f"{where}: documents: expected a list of entries")
        return
    for index, node in enumerate(documents):
        place = f"{where}: documents[{index}]"
        if not isinstance(node, Mapping):
            problems.append(f"{place}: expected a mapping")
            continue
        yield from _entry(place, [(_shown(key), _plain(value)) for key, value in node.pairs], problems)


def _jsonl_entries(text: str, where: str, problems: list[str]) -> Iterator[_Raw]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        place = f"{where}: line {number}"
        pairs: list[tuple[str, Any]] = []
        try:
            value = json.loads(line, parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=list)
        except (ValueError, RecursionError) as error:
            problems.append(f"{place}: not JSON: {error}")
            continue
        if not line.lstrip().startswith("{"):
            problems.append(f"{place}: expected an object")
            continue
        for key, item in value:
            is_list = isinstance(item, list) and all(isinstance(part, str) for part in item)
            pairs.append(
                (_shown(key), tuple(item) if is_list else item if item is None or isinstance(item, str) else ...)
            )
        yield from _entry(place, pairs, problems)


def _plain(value: Any) -> Any:
    """Return a text or null as it is, a list of texts as a tuple; anything else, which no field takes, as ``...``."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    return value if value is None or isinstance(value, str) else ...


def _entry(place: str, pairs: list[tuple[str, Any]], problems: list[str]) -> Iterator[_Raw]:
    fields: dict[str, str | tuple[str, ...] | None] = {}
    before = len(problems)
    for key, value in pairs:
        if key in fields:
            problems.append(f"{place}.{key}: stands twice")
        elif key not in _FIELDS:
            near = difflib.get_close_matches(key, _FIELDS, n=1)
            problems.append(f"{place}.{key}: unknown key" + (f" (did you mean {near[0]}?)" if near else ""))
        elif value is ... or (isinstance(value, tuple) and key not in _LISTS):
            expected = "a list of texts" if key in _LISTS else "a single value"
            problems.append(f"{place}.{key}: expected {expected}")
        else:
            fields[key] = value
    if len(problems) == before:
        yield _Raw(place, fields)


def _document(raw: _Raw, problems: list[str]) -> Document | None:
    values: dict[str, Any] = {}
    before = len(problems)
    if not raw.fields.get("id"):
        problems.append(f"{raw.where}.id: required")
    for key, value in raw.fields.items():
        if value is None:
            continue
        try:
            values[key] = _typed(key, value)
        except ValueError as error:
            problems.append(f"{raw.where}.{key}: {error}")
    start, end = values.get("effective_from"), values.get("effective_to")
    if start is not None and end is not None and start >= end:
        problems.append(f"{raw.where}.effective_to: not after effective_from, so it is never in force")
    return Document(**values) if len(problems) == before else None


def _typed(key: str, value: str | tuple[str, ...]) -> Any:
    if key in _LISTS:
        items = (value,) if isinstance(value, str) else value
        if not all(item.strip() for item in items):
            raise ValueError("an empty text is no name")
        return items
    assert isinstance(value, str)
    if key in ("effective_from", "effective_to"):
        return parse_instant(value, end=key == "effective_to")
    if key == "authority":
        try:
            authority = float(value)
        except ValueError:
            authority = -1.0
        if not 0 <= authority <= 1:
            raise ValueError(f"expected a number from 0 to 1, not {value[:40]!r}")
        return authority
    return value


def _shown(key: Any) -> str:
    return str(key)[:60]
