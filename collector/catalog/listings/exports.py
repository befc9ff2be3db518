"""Indexes whose chunks are in a file: an export of rows, or a docstore of LlamaIndex."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import Field

from collector.catalog.listings.base import IndexOptions, ListingRun
from collector.catalog.listings.index import entries_of, nodes_in, rows_in
from scorers.catalog import Document


class RowsIndex(IndexOptions):
    """An export of an index: JSON lines with id, text and metadata of a chunk each."""

    type: Literal["rows"] = "rows"
    path: Path = Field(description="The file.")

    @property
    def address(self) -> str:
        """The path."""
        return str(self.path)

    def entries(self, run: ListingRun) -> Iterator[Document]:
        """Yield an entry for each row."""
        return entries_of(rows_in(self.path), run.notes, run.keys)


class LlamaIndexIndex(IndexOptions):
    """The docstore that LlamaIndex persisted."""

    type: Literal["llamaindex"] = "llamaindex"
    path: Path = Field(description="The `docstore.json`.")

    @property
    def address(self) -> str:
        """The path."""
        return str(self.path)

    def entries(self, run: ListingRun) -> Iterator[Document]:
        """Yield an entry for each chunk."""
        return entries_of(nodes_in(self.path), run.notes, run.keys)
