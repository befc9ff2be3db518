"""`groundwire catalog`: check, show, compare and search catalogs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from collector.catalog import checking
from collector.catalog.embedder import local_embedder
from collector.catalog.options import EmbeddingOptions
from collector.catalog.snapshot import ENDING, mapped
from collector.commands.columns import aligned
from collector.commands.objects import object_line
from collector.errors import ConfigError
from collector.security.text import one_line
from scorers.catalog import Catalog, CatalogError, Document, Edition
from scorers.catalog.change import CatalogChange, ChangedEntries, compare
from scorers.catalog.packed import Packed
from scorers.catalog.search.hybrid import search
from scorers.catalog.search.index import said
from scorers.catalog.search.weights import SearchWeights
from scorers.catalog.stored import catalog_of

FOUND, DIFFERENT, WRONG = 0, 1, 1
EMBEDDED: int = EmbeddingOptions.model_fields["entries"].default
"""The largest catalog that a search by meaning embeds whole."""
ROWS = 50
"""Rows of a table; JSON has them all."""
CELL = 60

_LONGEST = 100_000
"""Characters of a value of a document that are shown: catalogs are one's own, and have their bounds."""


def check(path: Path, *, strict: bool, as_json: bool, out: TextIO) -> int:
    """Print what is wrong with a catalog and what is odd; return 1 if it cannot be used, or ``strict`` and odd."""
    problems: tuple[str, ...] = ()
    catalog: Catalog | None = None
    try:
        catalog = catalog_of(_packed(path))
    except CatalogError as error:
        problems = error.problems
    warnings = () if catalog is None else catalog.warnings
    if as_json:
        out.write(object_line({"path": str(path), "problems": problems, "warnings": warnings, **_summary(catalog)}))
    else:
        out.writelines(f"{one_line(problem, _LONGEST)}\n" for problem in problems)
        out.writelines(f"warning: {one_line(warning, _LONGEST)}\n" for warning in warnings)
        if catalog is not None:
            out.write(f"{path}: ok, {len(catalog):,} entries of {catalog.n_documents:,} documents\n")
    return WRONG if problems or (strict and warnings) else FOUND


def show(path: Path, *, doc_id: str | None, at: datetime, as_json: bool, out: TextIO) -> int:
    """Print the versions of a catalog, or of one document, and where each stands; return 1 for an unknown document."""
    catalog = usable(path)
    if doc_id is None:
        ids = dict.fromkeys(document.id for document in catalog.documents)
    else:
        ids = {doc_id: None} if catalog.knows(doc_id) else {}
    editions = (edition for name in ids for edition in catalog.editions(name))
    if as_json:
        rows = [_edition(edition, catalog, at, whole=doc_id is not None) for edition in editions]
        out.write(object_line({"at": at.isoformat(), **_summary(catalog), "editions": rows}))
    else:
        shown = [_edition(edition, catalog, at, whole=False) for edition in islice(editions, ROWS + 1)]
        columns = ("reference", "sections", "effective_from", "effective_to", "authority", "role", "standing")
        out.writelines(aligned([columns, *([_cell(row[name]) for name in columns] for row in shown[:ROWS])]))
        if len(shown) > ROWS:
            out.write(f"... more than {ROWS} versions; name a document, or use --json\n")
        out.write(f"{len(catalog):,} entries of {catalog.n_documents:,} documents, digest {catalog.digest}\n")
    return FOUND if ids or doc_id is None else WRONG


def diff(old: Path, new: Path, *, as_json: bool, out: TextIO) -> int:
    """Print what turned one catalog into another; return 1 if they differ."""
    before, after = _usable(old), _usable(new)
    change = compare(before, after, named=max(len(catalog_of(before)), len(catalog_of(after)), 1) if as_json else ROWS)
    if as_json:
        out.write(object_line(change.model_dump(mode="json")))
    else:
        _print_change(change, out)
    return FOUND if change.empty else DIFFERENT


def find(  # noqa: PLR0913 - the options of the command
    path: Path,
    query: str,
    *,
    k: int,
    at: datetime | None,
    groups: Sequence[str] | None,
    model: Path | None,
    weights: SearchWeights,
    as_json: bool,
    out: TextIO,
) -> int:
    """Print the entries relevant to a question, best first; return 1 if there are none.

    With ``model`` up to `EMBEDDED` entries are embedded for this one question; of more, those that words find.
    """
    catalog = usable(path)
    embedder = None if model is None else local_embedder(str(model))
    if embedder is not None and 0 < len(catalog) <= EMBEDDED:
        catalog.vectors = embedder.encode([said(document) for document in catalog.documents])
    catalog.weights = weights
    hits = search(catalog, query, k=k, at=at, groups=groups, embedder=embedder)
    if as_json:
        rows = [
            {
                **hit.document.model_dump(mode="json", exclude_defaults=True),
                "score": hit.score,
                "sparse": hit.sparse,
                "dense": hit.dense,
                "coverage": hit.coverage,
            }
            for hit in hits
        ]
        out.write(object_line({"query": query, "hits": rows}))
    elif hits:
        cells = ((f"{hit.score:.3f}", _named(hit.document), hit.document.role, hit.document.text) for hit in hits)
        out.writelines(aligned([("score", "entry", "role", "text"), *(list(map(_cell, row)) for row in cells)]))
    else:
        out.write("no entries found\n")
    return FOUND if hits else WRONG


def _packed(path: Path) -> Packed:
    if path.suffix == ENDING:
        try:
            return mapped(path)
        except (OSError, ValueError) as error:
            raise ConfigError(f"{path}: cannot be read: {error}") from error
    return checking.read(path)


def _usable(path: Path) -> Packed:
    try:
        return _packed(path)
    except CatalogError as error:
        raise ConfigError(*error.problems) from error


def usable(path: Path) -> Catalog:
    """Return a catalog, packed or not. Raises `ConfigError`."""
    return catalog_of(_usable(path))


def _summary(catalog: Catalog | None) -> dict[str, Any]:
    if catalog is None:
        return {"digest": None, "entries": 0, "documents": 0}
    return {"digest": catalog.digest, "entries": len(catalog), "documents": catalog.n_documents}


def _edition(edition: Edition, catalog: Catalog, at: datetime, *, whole: bool) -> dict[str, Any]:
    first = edition.section(None)
    row: dict[str, Any] = {
        "reference": edition.key.reference,
        "sections": len(edition.sections),
        "effective_from": _day(edition.effective_from),
        "effective_to": _day(edition.effective_to),
        "authority": first.authority,
        "role": first.role,
        "supersedes": edition.supersedes,
        "standing": _standing(edition, catalog, at),
    }
    if whole:
        row["entries"] = [document.model_dump(mode="json", exclude_defaults=True) for document in edition.sections]
    return row


def _standing(edition: Edition, catalog: Catalog, at: datetime) -> str:
    replacement = catalog.replacement(edition, at)
    if replacement is not None and (edition.effective_from is None or edition.effective_from <= at):
        return f"superseded by {replacement.key.reference}"
    if edition.in_force(at):
        return "in force"
    return "expired" if edition.effective_to is not None and edition.effective_to <= at else "not yet in force"


def _print_change(change: CatalogChange, out: TextIO) -> None:
    def tell(sign: str, kind: str, part: ChangedEntries) -> None:
        for entry in part.first:
            section = "" if entry.section is None else f" section {entry.section}"
            detail = "" if entry.detail is None else f" ({entry.detail})"
            out.write(f"{sign} {kind:<10} {one_line(f'{entry.reference}{section}{detail}', _LONGEST)}\n")
        if part.count > len(part.first):
            out.write(f"{sign} {kind:<10} and {part.count - len(part.first):,} more\n")

    tell("+", "added", change.added)
    tell("-", "removed", change.removed)
    tell("~", "changed", change.changed)
    tell("!", "superseded", change.superseded)
    counts = ((change.added, "added"), (change.removed, "removed"), (change.changed, "changed"))
    summary = [f"{part.count:,} {kind}" for part, kind in (*counts, (change.superseded, "superseded"))]
    out.write("no differences\n" if change.empty else f"{', '.join(summary)}\n")


def _cell(value: Any) -> str:
    text = "" if value is None else one_line(str(value), _LONGEST)
    return text if len(text) <= CELL else f"{text[: CELL - 3]}..."


def _named(document: Document) -> str:
    return document.reference if document.section is None else f"{document.reference} section {document.section}"


def _day(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat().replace("T00:00:00+00:00", "")
