"""What a listing is: what a source of documents has, or what an index serves, read whole and again from time to time.

A listing knows how to read. When it is read, what is kept of it and what fails is `collector.catalog.watching`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pydantic import Field

from adapters.base import PassageKeys
from collector.catalog.listings.index import entries_of
from collector.catalog.listings.notes import Notes
from collector.outbound.client import HttpClient
from collector.outbound.credentials import TokenOptions
from collector.outbound.options import Closable, LinkOptions
from gates.units.duration import Duration
from scorers.catalog import Document
from scorers.catalog.history import KEEP


@dataclass(frozen=True, slots=True)
class ListingRun:
    """What one reading has: when it is, what the one before listed, and where it notes what it passes over.

    ``keys`` are those of a user's own metadata, ``where`` is the path of the section that names secrets.
    """

    at: datetime
    notes: Notes = field(default_factory=Notes)
    previous: tuple[Document, ...] = ()
    keys: PassageKeys = field(default_factory=PassageKeys)
    where: str = ""


class ListingOptions(LinkOptions):
    """The options that every listing has. The fields of a subclass are its YAML options, tagged by ``type``."""

    poll: Duration = Field(
        default=timedelta(minutes=5), ge=timedelta(seconds=1), description="Time between two readings."
    )

    def open(self, where: str) -> Closable:
        """Return nothing that is open: each reading opens what it needs."""
        del where
        return _Nothing()

    def fingerprint(self, at: datetime) -> str | None:
        """Return what is the same as long as ``entries`` would be, had without reading them; ``None``: read them.

        ``at`` is now. Raises `ConfigError` where ``entries`` would.
        """
        del at
        return None

    def entries(self, run: ListingRun) -> Iterable[Document]:
        """Return the entries. Raises `ConfigError` where there are none to be had."""
        raise NotImplementedError


class ListedSourceOptions(ListingOptions):
    """A source of documents: what it has is in force."""

    keep: int = Field(default=KEEP, ge=1, le=1000, description="Versions of a document to keep, the current one too.")


class ListedFilesOptions(ListedSourceOptions):
    """A source that has files."""

    include: tuple[str, ...] = Field(
        default=(), description="Only files whose path matches one of these patterns, such as `*.md`."
    )


class IndexOptions(ListingOptions):
    """An index: what it serves is compared with its sources."""

    sources: tuple[str, ...] | None = Field(
        default=None, description="Names of the `catalog.sources` that it is made of; by default all of them."
    )


class ServerIndexOptions(TokenOptions, IndexOptions):
    """A collection of chunks on a server."""

    collection: str = Field(min_length=1, max_length=500, description="Name of the collection.")
    timeout: Duration = Field(
        default=timedelta(seconds=30), le=timedelta(minutes=5), description="Time limit of one request."
    )

    @property
    def address(self) -> str:
        """The collection at its server."""
        return f"{self.url}, {self.collection}"

    def open(self, where: str) -> HttpClient:
        """Return a client, so that a token or a certificate that cannot be read is told."""
        return self.client(where)

    def rows(self, client: HttpClient) -> Iterator[Mapping[str, Any]]:
        """Yield the chunks, page by page. Raises `ConfigError` where the server refuses."""
        raise NotImplementedError

    def entries(self, run: ListingRun) -> Iterator[Document]:
        """Yield an entry for each chunk."""
        with closing(self.client(run.where)) as client:
            yield from entries_of(self.rows(client), run.notes, run.keys)


class _Nothing:
    def close(self) -> None:
        """Do nothing."""
