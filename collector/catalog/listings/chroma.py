"""Collections of a Chroma server, by version 2 of its API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal
from urllib.parse import quote

from pydantic import Field

from collector.catalog.listings.base import ServerIndexOptions
from collector.catalog.listings.index import PAGE, object_from
from collector.outbound.client import HttpClient
from collector.security.address import BaseUrl


class ChromaIndex(ServerIndexOptions):
    """A collection of a Chroma server."""

    type: Literal["chroma"] = "chroma"
    url: BaseUrl = Field(default="http://127.0.0.1:8000", description="Base URL of the server.")
    tenant: str = Field(default="default_tenant", min_length=1, description="Tenant that the collection is in.")
    database: str = Field(default="default_database", min_length=1, description="Database that it is in.")

    def rows(self, client: HttpClient) -> Iterator[Mapping[str, Any]]:
        """Yield the rows, by offset."""
        place = f"/api/v2/tenants/{quote(self.tenant, safe='')}/databases/{quote(self.database, safe='')}/collections"
        name = object_from(client.get, f"{place}/{quote(self.collection, safe='')}").get("id")
        offset = 0
        while True:
            asked = {"limit": PAGE, "offset": offset, "include": ["documents", "metadatas"]}
            page = object_from(client.post, f"{place}/{name}/get", asked)
            columns = [page.get(key) or [] for key in ("ids", "documents", "metadatas")]
            for chunk, document, metadata in zip(*columns, strict=False):
                yield {"id": chunk, "document": document, "metadata": metadata or {}}
            if len(columns[0]) < PAGE:
                return
            offset += PAGE
