"""Pages of Confluence Cloud, by version 2 of its API.

Source: https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-page/
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from typing import Any, Literal
from urllib.parse import parse_qs, quote, urlsplit

from pydantic import Field

from adapters.values import instant_of
from collector.catalog.listings.base import ListedSourceOptions, ListingRun
from collector.catalog.listings.entry import MAX_TEXT
from collector.catalog.listings.index import MAX_REQUESTS, circular, object_from, rows_of
from collector.catalog.listings.renewal import renewed
from collector.errors import ConfigError
from collector.outbound.client import HttpClient
from collector.outbound.credentials import TokenOptions
from collector.outbound.options import Credentials
from collector.security.secrets import read_secret
from scorers.catalog import Document
from scorers.catalog.history import SourceHistory
from scorers.catalog.html import seen_text

PAGE = 100
MAX_PAGES = 100_000


class ConfluenceSource(TokenOptions, ListedSourceOptions):
    """Pages of spaces of Confluence Cloud."""

    type: Literal["confluence"] = "confluence"
    user: str | None = Field(
        default=None, description="E-mail address of the account whose API token it is; without, a bearer token."
    )
    spaces: tuple[str, ...] = Field(min_length=1, max_length=100, description="Keys of the spaces to list.")

    @property
    def address(self) -> str:
        """The spaces at their server."""
        return f"{self.url}, {', '.join(self.spaces)}"

    def credentials(self, where: str) -> Credentials:
        """Return user and token, or the token alone."""
        token = read_secret(None, self.token_file, f"{where}.token_file")
        return Credentials.bearer(token) if self.user is None else Credentials(auth=(self.user, token or ""))

    def open(self, where: str) -> HttpClient:
        """Return a client, so that a token or a certificate that cannot be read is told."""
        return self.client(where)

    def entries(self, run: ListingRun) -> tuple[Document, ...]:
        """Return the entries of the pages with their texts, and of the versions before."""
        history = SourceHistory(run.previous, keep=self.keep)
        found: dict[str, Document] = {}
        with closing(self.client(run.where)) as client:
            for space in self.spaces:
                for page in self._pages(client, space):
                    entry = self._entry(page, run)
                    if entry is not None:
                        found[entry.id] = entry
                    if len(found) > MAX_PAGES:
                        raise ConfigError(f"{self.address}: more than {MAX_PAGES} pages; name fewer spaces")
        return renewed(history, found, run.at)

    def _pages(self, client: HttpClient, space: str) -> Iterator[Mapping[str, Any]]:
        known = rows_of(object_from(client.get, "/api/v2/spaces", {"keys": space, "limit": 1}), "results")
        if not known:
            raise ConfigError(f"{self.address}: no space {space!r}, or no right to see it")
        path = f"/api/v2/spaces/{quote(str(known[0].get('id')), safe='')}/pages"
        cursor: str | None = None
        for _ in range(MAX_REQUESTS):
            asked = {"limit": PAGE, "status": "current", "body-format": "storage", "cursor": cursor}
            page = object_from(client.get, path, asked)
            yield from rows_of(page, "results")
            following = _cursor(page)
            if following is None:
                return
            if following == cursor:
                break
            cursor = following
        raise circular(self.address)

    def _entry(self, page: Mapping[str, Any], run: ListingRun) -> Document | None:
        name, version = page.get("id"), page.get("version")
        if not isinstance(name, str) or not isinstance(version, Mapping):
            run.notes.add("pages without id or version, passed over", str(page.get("title")))
            return None
        text = _text(page)
        if len(text) > MAX_TEXT:
            run.notes.add("listed without text for their size", name)
            text = ""
        title, link = page.get("title"), _held(page, "_links").get("webui")
        return Document(
            id=name,
            version=str(version.get("number")),
            title=title if isinstance(title, str) else None,
            checksum=sha256(text.encode(errors="replace")).hexdigest() if text else f"version {version.get('number')}",
            text=text or None,
            uri=f"{self.url.rstrip('/')}{link}" if isinstance(link, str) else None,
            modified_at=instant_of(version.get("createdAt")),
        )


def _held(row: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = row.get(name)
    return found if isinstance(found, Mapping) else {}


def _text(page: Mapping[str, Any]) -> str:
    value = _held(_held(page, "body"), "storage").get("value")
    return seen_text(value) if isinstance(value, str) else ""


def _cursor(page: Mapping[str, Any]) -> str | None:
    """Return what the next page is asked for with; the link itself, which may name any server, is not followed."""
    following = _held(page, "_links").get("next")
    if not isinstance(following, str):
        return None
    return next(iter(parse_qs(urlsplit(following).query).get("cursor", ())), None)
