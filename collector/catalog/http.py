"""A catalog file fetched over HTTP: asked for again with what its server said of it, kept for when it is away."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args
from urllib.parse import urlsplit

import orjson

from collector.catalog.files import FORMATS, Part
from collector.catalog.options import Fetched
from collector.clock import Clock
from collector.outbound.backoff import Backoff
from collector.outbound.client import HttpClient
from collector.outbound.errors import Unreachable
from collector.outbound.reply import Reply
from collector.outbound.status import LinkStatus
from collector.security.secrets import read_secret
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


class HttpFile:
    """The newest body that a server gave, as a file in ``directory``, and the last one that made a catalog.

    ``monotonic`` (seconds) says when the server is asked again. Raises `ConfigError` for a token that cannot be read.
    """

    def __init__(
        self,
        options: Fetched,
        directory: Path,
        *,
        clock: Clock,
        monotonic: Callable[[], float],
        random: Callable[[], float],
    ) -> None:
        token = read_secret(None, options.token_file, "catalog.http.token_file")
        parts = urlsplit(options.url)
        self._path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
        self._client = HttpClient(
            f"{parts.scheme}://{parts.netloc}",
            headers=None if token is None else {"authorization": f"Bearer {token}"},
            timeout=options.timeout.total_seconds(),
            max_bytes=options.max_bytes,
            ca_file=options.ca_file,
            clock=clock,
        )
        self._options = options
        self._directory = directory
        self._clock = clock
        self._monotonic = monotonic
        self._backoff = Backoff(random=random)
        self._due = monotonic()
        self._good = _saved(directory, options.url)
        self._newest = self._good
        self._validators: dict[str, str] = dict(self._good.get("validators", {}))
        self.status = LinkStatus("catalog", name="http", type_="http", clock=clock, counted=("changes",))

    @property
    def part(self) -> Part | None:
        """The file that is part of the catalog; ``None`` until the server gave one."""
        if not self._newest:
            return None
        return Part(self._directory / self._newest["file"], self._newest["format"], self._client.url(self._path))

    def look(self) -> bool:
        """Ask the server, if it is time; return whether it gave another body than before."""
        if self._monotonic() < self._due:
            return False
        try:
            changed = self._ask()
        except Unreachable as error:
            seconds = self._backoff.failed(error.retry_after)
            self._due = self._monotonic() + seconds
            self.status.failed(
                error.reason,
                next_attempt=self._clock() + int(seconds * 1e9),
                asked_to_wait=error.retry_after is not None,
            )
            return False
        self._backoff.succeeded()
        rest = self._options.poll.total_seconds()
        self._due = self._monotonic() + rest
        self.status.succeeded(next_attempt=self._clock() + int(rest * 1e9), changes=int(changed))
        return changed

    def accept(self) -> None:
        """Note that the newest body made a catalog: it is what the next start begins with."""
        if self._newest == self._good:
            return
        before, self._good = self._good, self._newest
        draft = self._directory / f"{STATE}.part"
        draft.write_bytes(orjson.dumps(self._good))
        draft.replace(self._directory / STATE)
        if before and before["file"] != self._good["file"]:
            (self._directory / before["file"]).unlink(missing_ok=True)

    def blamed(self, problems: Iterable[str]) -> bool:
        """Return whether any of the problems is of the newest body."""
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
            raise reply.refused()
        self._validators = {
            asked: value
            for given, asked in (("etag", "if-none-match"), ("last-modified", "if-modified-since"))
            if (value := reply.headers.get(given)) is not None
        }
        name = f"http-{sha256(reply.body).hexdigest()[:16]}"
        found = {
            "url": self._options.url,
            "file": name,
            "format": self._format(reply),
            "validators": self._validators,
        }
        if all(found[key] == self._newest.get(key) for key in ("file", "format")):
            return False
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = self._directory / f"{name}.part"
        draft.write_bytes(reply.body)
        draft.replace(self._directory / name)
        self._newest = found
        return True

    def _format(self, reply: Reply) -> CatalogFormat:
        if self._options.format is not None:
            return self._options.format
        by_name = FORMATS.get(Path(urlsplit(self._options.url).path).suffix)
        if by_name is not None:
            return by_name
        kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind not in _TYPES:
            known = ", ".join(get_args(CatalogFormat))
            raise Unreachable(
                f"{reply.url}: {reply.status} as {reply.shown(kind) or 'no type'}: say which of {known} it is"
                " with catalog.http.format"
            )
        return _TYPES[kind]


def _saved(directory: Path, url: str) -> dict[str, Any]:
    """Return what is known of the last body that made a catalog; nothing where it is of another address, or gone."""
    with suppress(OSError, ValueError):
        saved = orjson.loads((directory / STATE).read_bytes())
        if saved["url"] == url and (directory / saved["file"]).is_file() and saved["format"] in FORMATS.values():
            return dict(saved)
    return {}
