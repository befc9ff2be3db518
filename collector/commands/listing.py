"""`groundwire catalog from`: listings of sources and indexes, printed as catalogs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from pydantic import ValidationError

from collector.catalog import checking
from collector.catalog.listings.base import ListingOptions, ListingRun
from collector.catalog.listings.kept import line_of
from collector.commands.objects import object_line
from collector.errors import ConfigError
from collector.security.text import one_line
from collector.writing import write_whole
from scorers.catalog import Catalog, CatalogError, Document
from scorers.catalog.lag import KINDS, index_lag
from scorers.catalog.stored import catalog_of

_LONGEST = 1_000


def print_listing(
    kind: type[ListingOptions],
    given: Mapping[str, Any],
    run: ListingRun,
    *,
    target: Path | None,
    out: TextIO,
    err: TextIO,
) -> int:
    """Write a listing as JSONL, to ``target`` at once or to ``out``, and what was passed over to ``err``.

    ``given`` are options of ``kind``; what is ``None`` has its default. Raises `ConfigError`.
    """
    try:
        options = kind.model_validate({name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        raise ConfigError(
            *(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors(include_url=False))
        ) from error
    lines = [line_of(document) for document in options.entries(run)]
    err.writelines(f"{one_line(line, _LONGEST)}\n" for line in run.notes.lines())
    text = b"".join(lines)
    if target is None:
        out.write(text.decode())
    else:
        write_whole(target, text, option="--out")
        err.write(f"{target}: {len(lines):,} entries\n")
    return 0


def listed_before(path: Path | None) -> tuple[Document, ...]:
    """Return the entries of an earlier listing; none where there is no such file yet. Raises `ConfigError`."""
    if path is None or not path.exists():
        return ()
    try:
        return tuple(catalog_of(checking.read(path)).documents)
    except CatalogError as error:
        raise ConfigError(*error.problems) from error


def print_lag(source: Path, index: Path, *, at: datetime, as_json: bool, out: TextIO) -> int:
    """Print in which documents an index differs from its source; return 1 if it serves any that it should not."""
    found = index_lag(Catalog(listed_before(source)), listed_before(index), at)
    if as_json:
        out.write(object_line(found.model_dump(mode="json")))
    else:
        out.writelines(
            f"{one.kind:<9} {one_line(one.uri or one.id, _LONGEST)}: {one_line(one.detail, _LONGEST)}\n"
            for one in found.lagging
        )
        counts = ", ".join(f"{found.counted(kind):,} {kind}" for kind in KINDS)
        out.write(
            f"{found.documents:,} documents: {found.same:,} up to date, {counts}; {found.uncompared:,} cannot be"
            f" compared, {found.elsewhere:,} from elsewhere\n"
        )
    return int(any(one.kind != "missing" for one in found.lagging))
