"""Pages of a Notion workspace that an integration may see, by the search of its API.

Source: https://developers.notion.com/reference/post-search
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any, Literal

from pydantic import Field

from adapters.values import instant_of
from collector.catalog.listings.base import ListedSourceOptions, ListingRun
from collector.catalog.listings.index import MAX_REQUESTS, circular, object_from, rows_of
from collector.catalog.listings.renewal import renewed
from collector.errors import ConfigError
from collector.outbound.client import HttpClient
from collector.outbound.credentials import TokenOptions
from collector.outbound.options import Credentials
from collector.security.address import BaseUrl
from scorers.catalog import Document
from scorers.catalog.history import SourceHistory

PAGE = 100
MAX_PAGES = 100_000
API_VERSION = "2022-06-28"


class NotionSource(TokenOptions, ListedSourceOptions):
    """Pages of a Notion workspace, without their texts: dates tell which copies are old."""

    type: Literal["notion"] = "notion"
    url: BaseUrl = Field(default="https://api.notion.com", description="URL of the API.")

    @property
    def address(self) -> str:
        """The URL."""
        return self.url

    def credentials(self, where: str) -> Credentials:
        """Return the token, and the version of the API that is asked for."""
        headers, auth = super().credentials(where)
        return Credentials({**headers, "notion-version": API_VERSION}, auth)

    def open(self, where: str) -> HttpClient:
        """Return a client, so that a token or a certificate that cannot be read is told."""
        return self.client(where)

    def entries(self, run: ListingRun) -> tuple[Document, ...]:
        """Return the entries of the pages, and of those that are gone."""
        history = SourceHistory(run.previous, keep=self.keep)
        found: dict[str, Document] = {}
        cursor: str | None = None
        with closing(self.client(run.where)) as client:
            for _ in range(MAX_REQUESTS):
                asked = {"page_size": PAGE, "filter": {"property": "object", "value": "page"}}
                page = object_from(
                    client.post, "/v1/search", asked | ({} if cursor is None else {"start_cursor": cursor})
                )
                for row in rows_of(page, "results"):
                    entry = _entry(row, run)
                    if entry is not None:
                        found[entry.id] = entry
                if len(found) > MAX_PAGES:
                    raise ConfigError(f"{self.address}: more than {MAX_PAGES} pages")
                following = page.get("next_cursor")
                if not page.get("has_more") or not isinstance(following, str):
                    return renewed(history, found, run.at)
                if following == cursor:
                    break
                cursor = following
        raise circular(self.address)


def _entry(row: Mapping[str, Any], run: ListingRun) -> Document | None:
    name, url = row.get("id"), row.get("url")
    if row.get("archived") or row.get("in_trash"):
        return None
    if not isinstance(name, str):
        run.notes.add("pages without id, passed over", str(url))
        return None
    edited = row.get("last_edited_time")
    return Document(
        id=name,
        version=edited if isinstance(edited, str) else None,
        title=_title(row.get("properties")),
        uri=url if isinstance(url, str) else None,
        modified_at=instant_of(edited),
    )


def _title(properties: Any) -> str | None:
    for held in properties.values() if isinstance(properties, Mapping) else ():
        if isinstance(held, Mapping) and held.get("type") == "title":
            parts = [part.get("plain_text") for part in held.get("title") or () if isinstance(part, Mapping)]
            return "".join(part for part in parts if isinstance(part, str)) or None
    return None
