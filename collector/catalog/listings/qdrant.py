"""Collections of a Qdrant server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal
from urllib.parse import quote

from pydantic import Field

from collector.catalog.listings.base import ServerIndexOptions
from collector.catalog.listings.index import MAX_REQUESTS, PAGE, circular, object_from, rows_of
from collector.outbound.client import HttpClient
from collector.outbound.options import Credentials
from collector.security.address import BaseUrl
from collector.security.secrets import read_secret


class QdrantIndex(ServerIndexOptions):
    """A collection of a Qdrant server."""

    type: Literal["qdrant"] = "qdrant"
    url: BaseUrl = Field(default="http://127.0.0.1:6333", description="Base URL of the server.")

    def credentials(self, where: str) -> Credentials:
        """Return the token as Qdrant asks for it."""
        token = read_secret(None, self.token_file, f"{where}.token_file")
        return Credentials() if token is None else Credentials({"api-key": token})

    def rows(self, client: HttpClient) -> Iterator[Mapping[str, Any]]:
        """Yield the points with their payload, by the offset that the page before names."""
        offset: Any = None
        for _ in range(MAX_REQUESTS):
            asked = {"limit": PAGE, "offset": offset, "with_payload": True, "with_vector": False}
            path = f"/collections/{quote(self.collection, safe='')}/points/scroll"
            page = object_from(client.post, path, asked).get("result")
            yield from rows_of(page, "points")
            following = page.get("next_page_offset") if isinstance(page, dict) else None
            if following is None:
                return
            if following == offset:
                break
            offset = following
        raise circular(self.address)
