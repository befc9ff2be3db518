"""The catalog as configured, looked at once: what `groundwire check` says of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from collector.catalog import files
from collector.catalog.embedder import WHERE
from collector.catalog.options import CatalogOptions
from collector.catalog.snapshot import packed_from
from collector.errors import ConfigError
from collector.models.folder import check_embedding
from collector.models.library import check_installed
from collector.security.secrets import read_secret
from scorers.catalog import Catalog, CatalogError
from scorers.catalog.packed import Packed
from scorers.catalog.stored import catalog_of


def read(path: Path) -> Packed:
    """Read and check a catalog file or directory. Raises `CatalogError`, or `ConfigError` where there is none."""
    parts = files.parts(path)
    gone = [part for part in parts if files.stamp(part) is None]
    if gone and len(parts) == 1:
        raise ConfigError(f"{path}: cannot be read: no such file")
    return packed_from(parts)


def check(options: CatalogOptions) -> Iterator[str]:
    """Yield what was found in order and what is odd, a line each; no network. Raises `ConfigError` for the rest."""
    if options.path is not None:
        try:
            catalog: Catalog = catalog_of(read(options.path))
        except CatalogError as error:
            raise ConfigError(*error.problems) from error
        yield f"catalog: ok, {len(catalog)} documents"
        yield from (f"warning: {warning}" for warning in catalog.warnings)
    if options.http is not None:
        read_secret(None, options.http.token_file, "catalog.http.token_file")
        yield "catalog.http: ok, not asked"
    if options.embeddings is not None:
        check_embedding(options.embeddings.model, f"{WHERE}.model")
        check_installed(WHERE)
        yield f"{WHERE}: ok, {options.embeddings.model}, not loaded"
