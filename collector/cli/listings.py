"""`groundwire catalog from` and `lag`: catalogs of what a source has and an index serves, and their difference."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from collector.cli.shared import JsonOption, TokenOption, command, moment, printed_whole, standard_output

if TYPE_CHECKING:
    # Imported where it is asked for: `groundwire --help` needs none of it.
    from collector.catalog.listings.base import ListingOptions

PreviousOption = Annotated[
    Path | None,
    typer.Option("--previous", metavar="FILE", help="Earlier listing; what the source no longer has is kept as past."),
]
IncludeOption = Annotated[
    list[str] | None,
    typer.Option("--include", metavar="GLOB", help="Only files whose path matches, such as '*.md'; repeatable."),
]
BaseOption = Annotated[
    str | None,
    typer.Option("--base", metavar="URI", help="Address or path that the files are known by; by default their own."),
]
TargetOption = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Catalog file (.jsonl) to write instead of printing.")
]
CollectionArgument = Annotated[str, typer.Argument(metavar="COLLECTION", help="Name of the collection.")]
KeepOption = Annotated[int, typer.Option("--keep", min=1, max=1000, help="Versions of a document to keep.")]


@command
def from_directory(
    directory: Annotated[Path, typer.Argument(metavar="DIRECTORY", help="Directory of documents.")],
    previous: PreviousOption = None,
    include: IncludeOption = None,
    base: BaseOption = None,
    keep: KeepOption = 5,
    target: TargetOption = None,
) -> int:
    """List the files of a directory, with what front matter says, as a catalog. Exit code 0, 2 unreadable."""
    from collector.catalog.listings.directory import DirectorySource

    given = {"path": directory, "include": include, "base": base, "keep": keep}
    return _printed(DirectorySource, given, target, previous)


@command
def from_git(
    repository: Annotated[Path, typer.Argument(metavar="REPOSITORY", help="Working tree, or bare repository.")],
    revision: Annotated[str, typer.Option("--revision", metavar="NAME", help="Branch, tag or commit.")] = "HEAD",
    include: IncludeOption = None,
    base: BaseOption = None,
    keep: KeepOption = 5,
    commits: Annotated[int, typer.Option("--commits", min=1, max=100_000, help="Commits to look back through.")] = 2000,
    target: TargetOption = None,
) -> int:
    """List the files of a git revision and their earlier versions as a catalog. Exit code 0, 2 unreadable."""
    from collector.catalog.listings.git import GitSource

    given = {"path": repository, "revision": revision, "include": include, "base": base, "keep": keep}
    return _printed(GitSource, {**given, "commits": commits}, target)


@command
def from_s3(
    bucket: Annotated[str, typer.Argument(metavar="BUCKET", help="Name of the bucket.")],
    prefix: Annotated[str, typer.Option("--prefix", help="Only objects whose key begins with it.")] = "",
    region: Annotated[str | None, typer.Option("--region", help="Region of the bucket.")] = None,
    endpoint: Annotated[
        str | None, typer.Option("--endpoint-url", help="URL of a store other than AWS, such as MinIO.")
    ] = None,
    previous: PreviousOption = None,
    include: IncludeOption = None,
    base: BaseOption = None,
    keep: KeepOption = 5,
    target: TargetOption = None,
) -> int:
    """List the objects of a bucket as a catalog; boto3 finds credentials. Exit code 0, 2 unreachable or refused."""
    from collector.catalog.listings.s3 import S3Source

    given = {"bucket": bucket, "prefix": prefix, "region": region, "endpoint_url": endpoint, "include": include}
    return _printed(S3Source, {**given, "base": base, "keep": keep}, target, previous)


@command
def from_confluence(
    spaces: Annotated[list[str], typer.Argument(metavar="SPACE", help="Keys of spaces.")],
    url: Annotated[str, typer.Option("--url", help="Base URL, such as https://acme.atlassian.net/wiki.")],
    user: Annotated[str | None, typer.Option("--user", help="E-mail address of the account of the token.")] = None,
    token_file: TokenOption = None,
    previous: PreviousOption = None,
    keep: KeepOption = 5,
    target: TargetOption = None,
) -> int:
    """List the pages of spaces of Confluence Cloud as a catalog. Exit code 0, 2 unreachable or refused."""
    from collector.catalog.listings.confluence import ConfluenceSource

    given = {"spaces": spaces, "url": url, "user": user, "token_file": token_file, "keep": keep}
    return _printed(ConfluenceSource, given, target, previous)


@command
def from_sharepoint(
    drive: Annotated[str, typer.Argument(metavar="DRIVE", help="Id of the drive that the document library is.")],
    tenant: Annotated[str, typer.Option("--tenant", help="Id or domain of the tenant.")],
    client_id: Annotated[str, typer.Option("--client-id", help="Id of the application.")],
    secret_file: Annotated[Path, typer.Option("--client-secret-file", help="File that holds its secret.")],
    previous: PreviousOption = None,
    include: IncludeOption = None,
    keep: KeepOption = 5,
    target: TargetOption = None,
) -> int:
    """List the files of a document library of SharePoint as a catalog. Exit code 0, 2 unreachable or refused."""
    from collector.catalog.listings.sharepoint import SharePointSource

    given = {"drive": drive, "tenant": tenant, "client_id": client_id, "client_secret_file": secret_file}
    return _printed(SharePointSource, {**given, "include": include, "keep": keep}, target, previous)


@command
def from_notion(
    token_file: Annotated[Path, typer.Option("--token-file", help="File that holds the token of an integration.")],
    previous: PreviousOption = None,
    keep: KeepOption = 5,
    target: TargetOption = None,
) -> int:
    """List the pages of a Notion workspace as a catalog. Exit code 0, 2 unreachable or refused."""
    from collector.catalog.listings.notion import NotionSource

    return _printed(NotionSource, {"token_file": token_file, "keep": keep}, target, previous)


@command
def from_pgvector(
    database: Annotated[str, typer.Argument(metavar="DATABASE", help="Name of the database.")],
    host: Annotated[str, typer.Option("--host", help="Host, or folder of the socket.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port.")] = 5432,
    user: Annotated[str | None, typer.Option("--user", help="User; one that may only read is enough.")] = None,
    password_file: Annotated[Path | None, typer.Option("--password-file", help="File that holds the password.")] = None,
    collection: Annotated[str | None, typer.Option("--collection", help="Only this collection of LangChain.")] = None,
    table: Annotated[str | None, typer.Option("--table", help="Another table than LangChain's.")] = None,
    id_column: Annotated[str | None, typer.Option("--id-column", help="Column of the chunk's id.")] = None,
    text_column: Annotated[str | None, typer.Option("--text-column", help="Column of its text.")] = None,
    metadata_column: Annotated[
        str | None, typer.Option("--metadata-column", help="Column of its metadata as JSON.")
    ] = None,
    columns: Annotated[
        list[str] | None, typer.Option("--column", help="Column that is metadata too; repeatable.")
    ] = None,
    target: TargetOption = None,
) -> int:
    """List what a table with vectors of PostgreSQL serves. Exit code 0, 2 unreachable or refused."""
    from collector.catalog.listings.pgvector import PgVectorIndex

    given = {"database": database, "host": host, "port": port, "user": user, "password_file": password_file}
    named = {"table": table, "id_column": id_column, "text_column": text_column, "metadata_column": metadata_column}
    return _printed(PgVectorIndex, {**given, **named, "collection": collection, "columns": columns}, target)


@command
def from_rows(
    rows: Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines: id, text and metadata of one chunk each.")],
    target: TargetOption = None,
) -> int:
    """List what an index serves from an export of its rows. Exit code 0, 2 unreadable."""
    from collector.catalog.listings.exports import RowsIndex

    return _printed(RowsIndex, {"path": rows}, target)


@command
def from_llamaindex(
    docstore: Annotated[Path, typer.Argument(metavar="FILE", help="The docstore.json that LlamaIndex persisted.")],
    target: TargetOption = None,
) -> int:
    """List what an index of LlamaIndex serves from its docstore. Exit code 0, 2 unreadable."""
    from collector.catalog.listings.exports import LlamaIndexIndex

    return _printed(LlamaIndexIndex, {"path": docstore}, target)


@command
def from_chroma(
    collection: CollectionArgument,
    url: Annotated[str, typer.Option("--url", help="Base URL of the Chroma server.")] = "http://127.0.0.1:8000",
    token_file: TokenOption = None,
    target: TargetOption = None,
) -> int:
    """List what a collection of a Chroma server serves. Exit code 0, 2 unreachable or refused."""
    from collector.catalog.listings.chroma import ChromaIndex

    return _printed(ChromaIndex, {"collection": collection, "url": url, "token_file": token_file}, target)


@command
def from_qdrant(
    collection: CollectionArgument,
    url: Annotated[str, typer.Option("--url", help="Base URL of the Qdrant server.")] = "http://127.0.0.1:6333",
    token_file: TokenOption = None,
    target: TargetOption = None,
) -> int:
    """List what a collection of a Qdrant server serves. Exit code 0, 2 unreachable or refused."""
    from collector.catalog.listings.qdrant import QdrantIndex

    return _printed(QdrantIndex, {"collection": collection, "url": url, "token_file": token_file}, target)


@command
def from_weaviate(
    collection: CollectionArgument,
    url: Annotated[str, typer.Option("--url", help="Base URL of the Weaviate server.")] = "http://127.0.0.1:8080",
    token_file: TokenOption = None,
    target: TargetOption = None,
) -> int:
    """List what a collection of a Weaviate server serves. Exit code 0, 2 unreachable or refused."""
    from collector.catalog.listings.weaviate import WeaviateIndex

    return _printed(WeaviateIndex, {"collection": collection, "url": url, "token_file": token_file}, target)


def _printed(
    kind: type[ListingOptions], given: Mapping[str, Any], target: Path | None, previous: Path | None = None
) -> int:
    from collector.catalog.listings.base import ListingRun
    from collector.commands.listing import listed_before, print_listing

    run = ListingRun(at=moment(None), previous=listed_before(previous), where="listing")
    return print_listing(kind, given, run, target=target, out=standard_output(), err=sys.stderr)


@command
def catalog_lag(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="Catalog that lists what the source has.")],
    index: Annotated[Path, typer.Argument(metavar="INDEX", help="Catalog that lists what the index serves.")],
    as_json: JsonOption = False,
) -> int:
    """Compare an index with its source. Exit code 0 up to date, 1 documents lag, 2 a listing is unusable."""
    from collector.commands.listing import print_lag

    return printed_whole(lambda out: print_lag(source, index, at=moment(None), as_json=as_json, out=out))
