"""Objects of a bucket of S3, or of a store that speaks its protocol, by the boto3 library."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from fnmatch import fnmatch
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from collector.catalog.listings.base import ListedFilesOptions, ListingRun
from collector.catalog.listings.editions import Editions
from collector.catalog.listings.entry import MAX_TEXT, VERSION, entry_of, uri_of
from collector.catalog.listings.renewal import renewed
from collector.errors import ConfigError
from collector.outbound.options import Closable
from collector.security.secrets import read_secret
from scorers.catalog import Document
from scorers.catalog.history import SourceHistory

MAX_OBJECTS = 200_000
MAX_TEXTS = 512 * 1024 * 1024
"""Bytes of all objects that are fetched in one reading; what is beyond is listed without text."""
SECONDS = 30
ATTEMPTS = 3
MISSING = "boto3 is not installed; install it with: pip install 'groundwire[s3]'"
_SHOWN = 200


class S3Source(ListedFilesOptions):
    """Objects of a bucket of S3, or of a store with its protocol; needs the extra `s3`."""

    type: Literal["s3"] = "s3"
    bucket: str = Field(min_length=3, max_length=63, description="Name of the bucket.")
    prefix: str = Field(default="", max_length=1024, description="Only objects whose key begins with it.")
    region: str | None = Field(default=None, description="Region of the bucket; by default that of the environment.")
    endpoint_url: str | None = Field(default=None, description="URL of a store other than AWS, such as MinIO.")
    access_key_id: str | None = Field(
        default=None, description="Access key; by default boto3 finds credentials: environment, profile, role."
    )
    secret_key_file: Path | None = Field(default=None, description="File that holds the secret of `access_key_id`.")
    base: str | None = Field(
        default=None, description="Address that the objects are known by; by default `s3://BUCKET`."
    )

    @property
    def address(self) -> str:
        """The bucket and the prefix."""
        return f"s3://{self.bucket}/{self.prefix}"

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section: half of a pair of keys."""
        if (self.access_key_id is None) != (self.secret_key_file is None):
            yield f"{where}.secret_key_file: give access_key_id and secret_key_file together"

    def warnings(self, where: str) -> Iterator[str]:
        """Yield that the library is missing, where it is."""
        yield from super().warnings(where)
        if find_spec("boto3") is None:
            yield f"{where}: {MISSING}"

    def open(self, where: str) -> Closable:
        """Return nothing that is open. Raises `ConfigError` for a secret that cannot be read."""
        read_secret(None, self.secret_key_file, f"{where}.secret_key_file")
        return super().open(where)

    def entries(self, run: ListingRun) -> tuple[Document, ...]:
        """Return the entries of the objects, and of what was there before.

        Only objects whose ETag is another than that of the entry before are fetched.
        """
        try:
            from boto3.session import Session
            from botocore.config import Config
            from botocore.exceptions import BotoCoreError, ClientError
        except ImportError as error:
            raise ConfigError(f"{self.address}: {MISSING}") from error
        secret = read_secret(None, self.secret_key_file, f"{run.where}.secret_key_file")
        bounds = Config(connect_timeout=SECONDS, read_timeout=SECONDS, retries={"total_max_attempts": ATTEMPTS})
        try:
            session = Session(self.access_key_id, secret, region_name=self.region)
            client = session.client("s3", endpoint_url=self.endpoint_url, config=bounds)
            with closing(client):
                return self._listed(client, run)
        except (BotoCoreError, ClientError, ValueError) as error:
            raise ConfigError(f"{self.address}: {' '.join(str(error).split())[:_SHOWN]}") from error

    def _listed(self, client: Any, run: ListingRun) -> tuple[Document, ...]:
        history = SourceHistory(run.previous, keep=self.keep)
        before = {held.uri: held for name in history.current if (held := history.now(name)) is not None}
        found = Editions()
        left = MAX_TEXTS
        for row in self._rows(client):
            key = str(row["Key"])
            etag = str(row.get("ETag", "")).strip('"')
            held = before.get(self._uri(key))
            if held is not None and etag and held.version == etag:
                entry = held.model_copy(update={"modified_at": _utc(row["LastModified"])})
            else:
                data = None
                if int(row["Size"]) <= min(MAX_TEXT, left):
                    with closing(client.get_object(Bucket=self.bucket, Key=key)["Body"]) as body:
                        data = body.read(MAX_TEXT + 1)
                    left -= len(data)
                entry = self._entry(key, etag, data, _utc(row["LastModified"]), run)
            found.add(entry, key, run.notes, "object")
        return renewed(history, found.last, run.at, found.earlier)

    def _rows(self, client: Any) -> Iterator[dict[str, Any]]:
        count = 0
        for page in client.get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=self.prefix):
            for row in page.get("Contents", ()):
                name = str(row["Key"]).removeprefix(self.prefix)
                if name.endswith("/") or (self.include and not any(fnmatch(name, glob) for glob in self.include)):
                    continue
                count += 1
                if count > MAX_OBJECTS:
                    raise ConfigError(f"{self.address}: more than {MAX_OBJECTS} objects; give a prefix, or include")
                yield row

    def _entry(self, key: str, etag: str, data: bytes | None, modified: datetime, run: ListingRun) -> Document:
        """Return the entry of an object; its version is its ETag unless front matter says one."""
        uri = self._uri(key)
        if data is None:
            run.notes.add("listed without text for their size", key)
            return Document(id=key, version=etag or None, checksum=etag or None, uri=uri, modified_at=modified)
        entry = entry_of(data, name=key, base="", modified_at=modified, notes=run.notes)
        told = entry.version != (entry.checksum or "")[:VERSION]
        return entry.model_copy(update={"uri": uri} if told or not etag else {"uri": uri, "version": etag})

    def _uri(self, key: str) -> str:
        """Return where an object is: as loaders write it, which escape nothing, or below ``base``."""
        return f"s3://{self.bucket}/{key}" if self.base is None else uri_of(key, self.base)


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)
