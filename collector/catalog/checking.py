"""The catalog as configured, looked at once: what `groundwire check` says of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from collector.catalog import files
from collector.catalog.embedder import WHERE, check_embedder
from collector.catalog.options import CatalogOptions
from collector.catalog.snapshot import packed_from
from collector.errors import ConfigError
from collector.outbound import links
from gates.verdicts.summary import counted
from scorers.catalog import Catalog, CatalogError
from scorers.catalog.packed import Packed
from scorers.catalog.stored import catalog_of


def read(path: Path, *, where: str = "") -> Packed:
    """Read and check a catalog file or directory that the key ``where`` names, if one does.

    Raises `CatalogError`, or `ConfigError` if there is no such file.
    """
    listed = files.listed(path)
    if len(listed) == 1 and files.stamp(listed[0]) is None:
        raise ConfigError(f"{where}{path}: no such file")
    return packed_from(listed)


def check(options: CatalogOptions) -> Iterator[str]:
    """Yield what is in order and what is unwise, a line each; no network. Raises `ConfigError` for what is wrong."""
    if options.path is not None:
        try:
            catalog: Catalog = catalog_of(read(options.path, where="catalog.path: "))
        except CatalogError as error:
            raise ConfigError(*error.problems) from error
        yield f"catalog: ok, {counted(len(catalog), 'document')}"
        yield from (f"warning: {warning}" for warning in catalog.warnings)
    if options.http is not None:
        options.http.client("catalog.http").close()
        yield f"catalog.http: ok, {options.http.address}"
        yield from (f"warning: {warning}" for warning in options.http.warnings("catalog.http"))
    yield from links.check("catalog.sources", options.sources)
    yield from links.check("catalog.indexes", options.indexes)
    if options.embeddings is not None:
        check_embedder(options.embeddings.model)
        yield f"{WHERE}: ok, {options.embeddings.model}, not loaded"
