"""A catalog file fetched over HTTP: asked for again with what its server said of it, kept for when it is away."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, get_args
from urllib.parse import urlsplit

import orjson

from collector.catalog.files import FORMATS, CatalogFile, put
from collector.catalog.options import HttpCatalogOptions
from collector.outbound.errors import Unreachable
from collector.outbound.link import Link, Runtime
from collector.outbound.reply import Reply
from scorers.catalog import CatalogFormat

STATE = "http.json"
NOT_MODIFIED = 304
_TYPES: dict[str, CatalogFormat] = {
    "application/yaml": "yaml",
    "application/x-yaml": "yaml",
    "text/yaml": "yaml",
    "text/x-yaml": "yaml",
    "text/csv": "csv",
    "application/jsonl": "jsonl",
    "application/x-ndjson": "jsonl",
    "application/jsonlines": "jsonl",
}


class HttpCatalog(Link[HttpCatalogOptions]):
    """The newest body that a server gave, as a file in ``directory``, and the last one that made a catalog.

    Raises `ConfigError` for a token that cannot be read.
    """

    kind = "catalog"
    counters: ClassVar = {"changes": None}

    def __init__(self, options: HttpCatalogOptions, directory: Path, *, runtime: Runtime) -> None:
        super().__init__(options, runtime)
        parts = urlsplit(options.url)
        self._path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
        self._client = options.client(
            "catalog.http",
            base=f"{parts.scheme}://{parts.netloc}",
            max_bytes=options.max_bytes,
            clock=runtime.clock,
        )
        self._directory = directory
        self._good = _saved(directory, options.url)
        self._newest = self._good
        self._validators: dict[str, str] = dict(self._good.get("validators", {}))

    @property
    def file(self) -> CatalogFile | None:
        """The file that is part of the catalog; ``None`` until the server gave one."""
        if not self._newest:
            return None
        return CatalogFile(self._directory / self._newest["file"], self._newest["format"], self._client.url(self._path))

    def exchange(self) -> int:
        """Ask the server; return 1 if it gave another body than before."""
        changed = self._ask()
        self.count(changes=int(changed))
        self.succeeded(rest=self.options.poll.total_seconds())
        return int(changed)

    def accept(self) -> None:
        """Note that the newest body made a catalog: it is what the next start begins with."""
        if self._newest == self._good:
            return
        before, self._good = self._good, self._newest
        put(self._directory / STATE, orjson.dumps(self._good))
        if before and before["file"] != self._good["file"]:
            (self._directory / before["file"]).unlink(missing_ok=True)

    def blamed(self, problems: Iterable[str]) -> bool:
        """Return whether any of the problems is one of the newest body."""
        shown = self._client.url(self._path)
        return any(problem.startswith(f"{shown}: ") for problem in problems)

    def reject(self) -> bool:
        """Note that the newest body made none: the one before stays. Return whether there was a newer one."""
        newer = self._newest != self._good
        if newer and self._newest.get("file") != self._good.get("file"):
            (self._directory / self._newest["file"]).unlink(missing_ok=True)
        self._newest = self._good
        return newer

    def close(self) -> None:
        """End what is under way."""
        self._client.close()

    def _ask(self) -> bool:
        reply = self._client.get(self._path, headers=self._validators)
        if reply.status == NOT_MODIFIED and self._validators:
            return False
        if not reply.ok:
            raise reply.failure()
        self._validators = {
            asked: value
            for given, asked in (("etag", "if-none-match"), ("last-modified", "if-modified-since"))
            if (value := reply.headers.get(given)) is not None
        }
        name = f"http-{sha256(reply.body).hexdigest()[:16]}"
        found = {
            "url": self.options.url,
            "file": name,
            "format": self._format(reply),
            "validators": self._validators,
        }
        if all(found[key] == self._newest.get(key) for key in ("file", "format")):
            return False
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        put(self._directory / name, reply.body)
        self._newest = found
        return True

    def _format(self, reply: Reply) -> CatalogFormat:
        if self.options.format is not None:
            return self.options.format
        by_name = FORMATS.get(Path(urlsplit(self.options.url).path).suffix)
        if by_name is not None:
            return by_name
        kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind not in _TYPES:
            known = ", ".join(get_args(CatalogFormat))
            raise Unreachable(
                f"{reply.url}: {reply.status} as {reply.shown(kind) or 'no type'}: set catalog.http.format"
                f" to one of {known}"
            )
        return _TYPES[kind]


def _saved(directory: Path, url: str) -> dict[str, Any]:
    """Return what is known of the last body that made a catalog; nothing where it is of another address, or gone."""
    with suppress(OSError, ValueError):
        saved = orjson.loads((directory / STATE).read_bytes())
        if saved["url"] == url and (directory / saved["file"]).is_file() and saved["format"] in FORMATS.values():
            return dict(saved)
    return {}
