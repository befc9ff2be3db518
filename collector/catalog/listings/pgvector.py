"""Rows of a table of PostgreSQL in which pgvector keeps chunks, by the psycopg library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from collector.catalog.listings.base import IndexOptions, ListingRun
from collector.catalog.listings.index import entries_of
from collector.errors import ConfigError
from collector.outbound.options import Closable
from collector.security.secrets import read_secret
from scorers.catalog import Document

PAGE = 1_000
SECONDS = 30
MISSING = "psycopg is not installed; install it with: pip install 'groundwire[pgvector]'"
_SHOWN = 200
_COLLECTION = "langchain_pg_collection"


class PgVectorIndex(IndexOptions):
    """Chunks in a table of PostgreSQL; needs the extra `pgvector`. The defaults are those of LangChain's tables."""

    type: Literal["pgvector"] = "pgvector"
    host: str = Field(default="127.0.0.1", min_length=1, description="Host, or folder of the socket.")
    port: int = Field(default=5432, ge=1, le=65535, description="Port.")
    database: str = Field(default="postgres", min_length=1, description="Name of the database.")
    user: str | None = Field(default=None, description="User; one that may only read is enough.")
    password_file: Path | None = Field(default=None, description="File that holds the password.")
    tls: Literal["disable", "prefer", "require", "verify-full"] = Field(
        default="prefer", description="Whether the connection is encrypted, and the server's certificate checked."
    )
    table: str = Field(
        default="langchain_pg_embedding", min_length=1, description="Table, with its schema before a dot if it has one."
    )
    id_column: str = Field(default="id", min_length=1, description="Column of the chunk's id.")
    text_column: str = Field(default="document", min_length=1, description="Column of its text.")
    metadata_column: str | None = Field(
        default="cmetadata", description="Column of its metadata as JSON; `null` where there is none."
    )
    columns: tuple[str, ...] = Field(
        default=(), max_length=100, description="Columns that are metadata too, such as `uri` and `updated_at`."
    )
    collection: str | None = Field(default=None, description="Only chunks of this collection of LangChain.")

    @property
    def address(self) -> str:
        """The table in its database."""
        return f"postgresql://{self.host}:{self.port}/{self.database}, {self.table}"

    def warnings(self, where: str) -> Iterator[str]:
        """Yield that the library is missing, where it is."""
        yield from super().warnings(where)
        if find_spec("psycopg") is None:
            yield f"{where}: {MISSING}"

    def open(self, where: str) -> Closable:
        """Return nothing that is open. Raises `ConfigError` for a password that cannot be read."""
        read_secret(None, self.password_file, f"{where}.password_file")
        return super().open(where)

    def entries(self, run: ListingRun) -> Iterator[Document]:
        """Yield an entry for each row."""
        return entries_of(self.rows(run.where), run.notes, run.keys)

    def rows(self, where: str) -> Iterator[Mapping[str, Any]]:
        """Yield the rows as stores return chunks, read in one snapshot. Raises `ConfigError` where that is refused."""
        try:
            import psycopg
            from psycopg.rows import dict_row
        except ImportError as error:
            raise ConfigError(f"{self.address}: {MISSING}") from error
        password = read_secret(None, self.password_file, f"{where}.password_file")
        try:
            with (
                psycopg.connect(
                    host=self.host,
                    port=self.port,
                    dbname=self.database,
                    user=self.user,
                    password=password,
                    sslmode=self.tls,
                    connect_timeout=SECONDS,
                    application_name="groundwire",
                    options=f"-c default_transaction_read_only=on -c statement_timeout={SECONDS}s",
                ) as connection,
                connection.cursor(name="groundwire", row_factory=dict_row) as cursor,
            ):
                cursor.itersize = PAGE
                for row in cursor.execute(*self._query()):
                    yield self._chunk(row)
        except psycopg.Error as error:
            said = " ".join(str(error).split())[:_SHOWN] or type(error).__name__
            raise ConfigError(f"{self.address}: {said}") from error

    def _query(self) -> tuple[Any, tuple[str, ...]]:
        from psycopg import sql

        table = sql.Identifier(*self.table.split("."))
        held = () if self.metadata_column is None else (self.metadata_column,)
        names = dict.fromkeys((self.id_column, self.text_column, *held, *self.columns))
        columns = sql.SQL(", ").join(sql.Identifier("t", name) for name in names)
        query = sql.SQL("SELECT {} FROM {} AS t").format(columns, table)
        if self.collection is None:
            return query, ()
        schema = self.table.split(".")[:-1]
        only = sql.SQL(" JOIN {} AS c ON c.uuid = t.collection_id WHERE c.name = %s")
        return query + only.format(sql.Identifier(*schema, _COLLECTION)), (self.collection,)

    def _chunk(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        held = None if self.metadata_column is None else row[self.metadata_column]
        metadata = dict(held) if isinstance(held, Mapping) else {}
        metadata |= {name: _told(row[name]) for name in self.columns}
        return {"id": str(row[self.id_column]), "text": row[self.text_column], "metadata": metadata}


def _told(value: Any) -> Any:
    """Return the value of a column as it stands in JSON."""
    if isinstance(value, date):
        return value.isoformat()
    return value if value is None or isinstance(value, str | int | float | bool | list | dict) else str(value)
