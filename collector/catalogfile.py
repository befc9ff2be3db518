"""Reads the catalog file and watches it: a valid change is put in force, an invalid one is refused and said once."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import structlog

from collector.clock import Clock
from collector.errors import ConfigError
from collector.pipeline.tasks import CatalogSource
from collector.telemetry import Telemetry
from dashboards import instruments
from scorers.catalog import Catalog, CatalogError

log = structlog.get_logger(__name__)

MAX_BYTES = 64 * 1024 * 1024
"""A worker takes some minutes to set up with a larger one."""
FORMATS: dict[str, Literal["yaml", "jsonl"]] = {".yaml": "yaml", ".yml": "yaml", ".jsonl": "jsonl"}


def read(path: Path) -> tuple[CatalogSource, Catalog]:
    """Read and check a catalog file; raises `ConfigError` with every problem found."""
    if path.suffix not in FORMATS:
        raise ConfigError(f"catalog.path: {path}: expected a name ending in {', '.join(FORMATS)}")
    try:
        text = _contents(path).decode("utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(f"catalog.path: {path}: cannot be read: {error}") from error
    source = CatalogSource(text, FORMATS[path.suffix], str(path))
    try:
        return source, source.parse()
    except CatalogError as error:
        raise ConfigError(*error.problems) from error


class CatalogWatcher:
    """Looks at the file when called; ``apply`` gets every new valid source.

    Contents are compared, not times: a file that was touched or mounted anew is not a change.
    """

    def __init__(
        self,
        path: Path,
        source: CatalogSource,
        *,
        apply: Callable[[CatalogSource], None],
        telemetry: Telemetry,
        clock: Clock,
    ) -> None:
        self._path = path
        self._source = source
        self._stamp = _stamp(path)
        self._apply = apply
        self._telemetry = telemetry
        self._clock = clock
        self._refused: tuple[str, ...] = ()

    def announce(self, catalog: Catalog) -> None:
        """Expose which catalog is in force."""
        self._telemetry.set(instruments.CATALOG_DOCUMENTS, len(catalog))
        self._telemetry.set(instruments.CATALOG_LOADED, self._clock() / 1e9)

    def run_once(self) -> int:
        """Put a changed file in force; return 0, there is never more work waiting."""
        stamp = _stamp(self._path)
        if stamp == self._stamp:
            return 0
        try:
            source, catalog = read(self._path)
        except ConfigError as error:
            if error.problems != self._refused:
                self._refused = error.problems
                self._telemetry.add(instruments.CATALOG_ERRORS, 1)
                # The problems say it all; a traceback would only hide them.
                log.warning("catalog refused, the previous one stays in force", problems=list(error.problems))
            return 0
        self._stamp = stamp
        self._refused = ()
        if source.text != self._source.text:
            self._source = source
            self._apply(source)
            self.announce(catalog)
            log.info("catalog loaded", path=str(self._path), documents=len(catalog))
        return 0


def _contents(path: Path) -> bytes:
    # Without O_NONBLOCK the open alone would wait for a writer where the path is a FIFO.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ConfigError(f"catalog.path: {path}: not a regular file")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(MAX_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(data) > MAX_BYTES:
        raise ConfigError(f"catalog.path: {path}: larger than {MAX_BYTES} bytes")
    return data


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_ino, found.st_mtime_ns, found.st_size)
