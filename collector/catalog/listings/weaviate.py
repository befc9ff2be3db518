"""Collections of a Weaviate server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import Field

from collector.catalog.listings.base import ServerIndexOptions
from collector.catalog.listings.index import PAGE, object_from, rows_of
from collector.outbound.client import HttpClient
from collector.security.address import BaseUrl


class WeaviateIndex(ServerIndexOptions):
    """A collection of a Weaviate server."""

    type: Literal["weaviate"] = "weaviate"
    url: BaseUrl = Field(default="http://127.0.0.1:8080", description="Base URL of the server.")

    def rows(self, client: HttpClient) -> Iterator[Mapping[str, Any]]:
        """Yield the objects with their properties, after the id of the last one."""
        after = ""
        while True:
            page = object_from(client.get, "/v1/objects", {"class": self.collection, "limit": PAGE, "after": after})
            rows = rows_of(page, "objects")
            yield from rows
            last = rows[-1].get("id") if rows else None
            if len(rows) < PAGE or not isinstance(last, str) or last == after:
                return
            after = last
