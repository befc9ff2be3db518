"""Files of a document library of SharePoint or OneDrive, by Microsoft Graph.

Source: https://learn.microsoft.com/graph/api/driveitem-delta
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

from pydantic import Field

from adapters.values import instant_of
from collector.catalog.listings.base import ListedFilesOptions, ListingRun
from collector.catalog.listings.index import MAX_REQUESTS, circular, object_from, rows_of
from collector.catalog.listings.renewal import renewed
from collector.errors import ConfigError
from collector.outbound.client import HttpClient
from collector.outbound.options import Credentials, ServerOptions
from collector.security.address import BaseUrl
from collector.security.secrets import read_secret
from scorers.catalog import Document
from scorers.catalog.history import SourceHistory

PAGE = 200
MAX_FILES = 200_000
_FORM = {"content-type": "application/x-www-form-urlencoded"}


class SharePointSource(ServerOptions, ListedFilesOptions):
    """Files of a document library of SharePoint, without their texts: dates tell which copies are old."""

    type: Literal["sharepoint"] = "sharepoint"
    url: BaseUrl = Field(default="https://graph.microsoft.com", description="URL of Microsoft Graph.")
    login_url: BaseUrl = Field(
        default="https://login.microsoftonline.com", description="Where the application gets its tokens."
    )
    drive: str = Field(min_length=1, max_length=200, description="Id of the drive that the library is.")
    tenant: str = Field(min_length=1, max_length=200, description="Id or domain of the tenant.")
    client_id: str = Field(min_length=1, max_length=200, description="Id of the application; it may read the drive.")
    client_secret_file: Path = Field(description="File that holds the secret of the application.")

    @property
    def address(self) -> str:
        """The drive at its server."""
        return f"{self.url}, {self.drive}"

    @property
    def secret(self) -> bool:
        """Whether requests carry a secret: always."""
        return True

    def credentials(self, where: str) -> Credentials:
        """Return nothing yet: a token is asked for with each reading. Raises `ConfigError` without a secret."""
        self._secret(where)
        return Credentials()

    def open(self, where: str) -> HttpClient:
        """Return a client, so that a secret or a certificate that cannot be read is told."""
        return self.client(where)

    def entries(self, run: ListingRun) -> tuple[Document, ...]:
        """Return the entries of the files, and of those that are gone."""
        history = SourceHistory(run.previous, keep=self.keep)
        found: dict[str, Document] = {}
        seconds = self.timeout.total_seconds()
        bearer = {"authorization": f"Bearer {self._token(run.where)}"}
        with closing(HttpClient(self.url, headers=bearer, timeout=seconds, ca_file=self.ca_file)) as client:
            for row in self._rows(client):
                if not isinstance(row.get("file"), Mapping) or "deleted" in row:
                    continue
                entry = _entry(row, self.include, run)
                if entry is not None:
                    found[entry.id] = entry
                if len(found) > MAX_FILES:
                    raise ConfigError(f"{self.address}: more than {MAX_FILES} files; use include")
        return renewed(history, found, run.at)

    def _secret(self, where: str) -> str:
        return read_secret(None, self.client_secret_file, f"{where}.client_secret_file") or ""

    def _token(self, where: str) -> str:
        form = {
            "grant_type": "client_credentials",
            "client_id": self.client_id,
            "client_secret": self._secret(where),
            "scope": f"{self.url.rstrip('/')}/.default",
        }
        # In `auth` for nobody but the errors, which then never repeat it.
        auth = (self.client_id, form["client_secret"])
        seconds = self.timeout.total_seconds()
        with closing(HttpClient(self.login_url, auth=auth, timeout=seconds, ca_file=self.ca_file)) as client:

            def ask(path: str) -> Any:
                return client.post(path, content=urlencode(form).encode(), headers=_FORM)

            token = object_from(ask, f"/{quote(self.tenant, safe='')}/oauth2/v2.0/token").get("access_token")
        if not isinstance(token, str) or not token.isascii() or not token.isprintable():
            raise ConfigError(f"{self.login_url}: no access token in the answer")
        return token

    def _rows(self, client: HttpClient) -> Iterator[Mapping[str, Any]]:
        path = f"/v1.0/drives/{quote(self.drive, safe='!')}/root/delta"
        asked: dict[str, str] = {
            "$top": str(PAGE),
            "$select": "id,name,webUrl,file,deleted,lastModifiedDateTime,eTag,parentReference",
        }
        for _ in range(MAX_REQUESTS):
            page = object_from(client.get, path, asked)
            yield from rows_of(page, "value")
            following = page.get("@odata.nextLink")
            if not isinstance(following, str):
                return
            # The link may name any server: only what it asks with is taken.
            again = {name: values[0] for name, values in parse_qs(urlsplit(following).query).items()}
            if not again or again == asked:
                break
            asked = again
        raise circular(self.address)


def _entry(row: Mapping[str, Any], include: tuple[str, ...], run: ListingRun) -> Document | None:
    name, item, url, tag = (row.get(key) for key in ("name", "id", "webUrl", "eTag"))
    if not isinstance(item, str) or not isinstance(name, str):
        run.notes.add("files without id or name, passed over", str(url))
        return None
    parent = row.get("parentReference")
    folder = str(parent.get("path", "")) if isinstance(parent, Mapping) else ""
    place = f"{unquote(folder.partition('root:')[2]).strip('/')}/{name}".lstrip("/")
    if include and not any(fnmatch(place, glob) for glob in include):
        return None
    return Document(
        id=item,
        version=tag.strip('"') if isinstance(tag, str) else None,
        title=name,
        uri=unquote(url) if isinstance(url, str) else None,
        modified_at=instant_of(row.get("lastModifiedDateTime")),
    )
