"""Listings: what a source of documents has, and what an index serves. One kind, one file, and one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from collector.catalog.listings.base import IndexOptions, ListedSourceOptions
from collector.catalog.listings.chroma import ChromaIndex
from collector.catalog.listings.confluence import ConfluenceSource
from collector.catalog.listings.directory import DirectorySource
from collector.catalog.listings.exports import LlamaIndexIndex, RowsIndex
from collector.catalog.listings.git import GitSource
from collector.catalog.listings.notion import NotionSource
from collector.catalog.listings.pgvector import PgVectorIndex
from collector.catalog.listings.qdrant import QdrantIndex
from collector.catalog.listings.s3 import S3Source
from collector.catalog.listings.sharepoint import SharePointSource
from collector.catalog.listings.weaviate import WeaviateIndex

LISTED_SOURCES: tuple[type[ListedSourceOptions], ...] = (
    DirectorySource,
    GitSource,
    S3Source,
    ConfluenceSource,
    SharePointSource,
    NotionSource,
)
"""Every kind of source of documents there is."""
INDEXES: tuple[type[IndexOptions], ...] = (
    ChromaIndex,
    QdrantIndex,
    WeaviateIndex,
    PgVectorIndex,
    LlamaIndexIndex,
    RowsIndex,
)
"""Every kind of index there is."""

if TYPE_CHECKING:
    AnyListedSource = ListedSourceOptions
    AnyIndex = IndexOptions
else:
    AnyListedSource = Annotated[Union[LISTED_SOURCES], Field(discriminator="type")]  # noqa: UP007 - the union of a tuple
    AnyIndex = Annotated[Union[INDEXES], Field(discriminator="type")]  # noqa: UP007 - the union of a tuple
"""What a source of documents and an index may be in a configuration file: told apart by ``type``."""
