"""`groundwire catalog from` and `lag`: catalogs of what a source has and an index serves, and their difference."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from collector.cli.shared import JsonOption, TokenOption, command, moment, printed_whole, standard_output

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
    previous: Annotated[
        Path | None,
        typer.Option(
            "--previous",
            metavar="FILE",
            help="Earlier listing; what the directory no longer has is kept as past.",
        ),
    ] = None,
    include: IncludeOption = None,
    base: BaseOption = None,
    keep: KeepOption = 5,
    target: TargetOption = None,
) -> int:
    """List the files of a directory, with what front matter says, as a catalog. Exit code 0, 2 unreadable."""
    from collector.catalog.listings.directory import directory_listing
    from collector.commands.listing import listed_before, print_listing

    before = listed_before(previous)
    return print_listing(
        lambda notes: directory_listing(
            directory, at=moment(None), notes=notes, base=base, include=include or (), previous=before, keep=keep
        ),
        target=target,
        out=standard_output(),
        err=sys.stderr,
    )


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
    from collector.catalog.listings.git import git_listing
    from collector.commands.listing import print_listing

    return print_listing(
        lambda notes: git_listing(
            repository,
            notes=notes,
            revision=revision,
            base=base,
            include=include or (),
            keep=keep,
            commits=commits,
        ),
        target=target,
        out=standard_output(),
        err=sys.stderr,
    )


@command
def from_rows(
    rows: Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines: id, text and metadata of one chunk each.")],
    target: TargetOption = None,
) -> int:
    """List what an index serves from an export of its rows. Exit code 0, 2 unreadable."""
    from collector.catalog.listings.index import entries_of, rows_in
    from collector.commands.listing import print_listing

    return print_listing(
        lambda notes: entries_of(rows_in(rows), notes), target=target, out=standard_output(), err=sys.stderr
    )


@command
def from_llamaindex(
    docstore: Annotated[Path, typer.Argument(metavar="FILE", help="The docstore.json that LlamaIndex persisted.")],
    target: TargetOption = None,
) -> int:
    """List what an index of LlamaIndex serves from its docstore. Exit code 0, 2 unreadable."""
    from collector.catalog.listings.index import entries_of, nodes_in
    from collector.commands.listing import print_listing

    return print_listing(
        lambda notes: entries_of(nodes_in(docstore), notes), target=target, out=standard_output(), err=sys.stderr
    )


@command
def from_chroma(
    collection: CollectionArgument,
    url: Annotated[str, typer.Option("--url", help="Base URL of the Chroma server.")] = "http://127.0.0.1:8000",
    token_file: TokenOption = None,
    target: TargetOption = None,
) -> int:
    """List what a collection of a Chroma server serves. Exit code 0, 2 unreachable or refused."""
    from collector.catalog.listings.index import chroma_rows

    return _from_server(chroma_rows, collection, url, token_file, "authorization", target)


@command
def from_qdrant(
    collection: CollectionArgument,
    url: Annotated[str, typer.Option("--url", help="Base URL of the Qdrant server.")] = "http://127.0.0.1:6333",
    token_file: TokenOption = None,
    target: TargetOption = None,
) -> int:
    """List what a collection of a Qdrant server serves. Exit code 0, 2 unreachable or refused."""
    from collector.catalog.listings.index import qdrant_rows

    return _from_server(qdrant_rows, collection, url, token_file, "api-key", target)


@command
def from_weaviate(
    collection: CollectionArgument,
    url: Annotated[str, typer.Option("--url", help="Base URL of the Weaviate server.")] = "http://127.0.0.1:8080",
    token_file: TokenOption = None,
    target: TargetOption = None,
) -> int:
    """List what a collection of a Weaviate server serves. Exit code 0, 2 unreachable or refused."""
    from collector.catalog.listings.index import weaviate_rows

    return _from_server(weaviate_rows, collection, url, token_file, "authorization", target)


def _from_server(
    rows: Callable[[Any, str], Iterator[Any]],
    collection: str,
    url: str,
    token_file: Path | None,
    header: str,
    target: Path | None,
) -> int:
    from contextlib import closing

    from collector.catalog.listings.index import entries_of
    from collector.commands.listing import print_listing
    from collector.outbound.client import HttpClient
    from collector.security.secrets import read_secret

    token = read_secret(None, token_file, "--token-file")
    shown = token if header == "api-key" else f"Bearer {token}"
    with closing(HttpClient(url, headers={} if token is None else {header: str(shown)})) as client:
        return print_listing(
            lambda notes: entries_of(rows(client, collection), notes),
            target=target,
            out=standard_output(),
            err=sys.stderr,
        )


@command
def catalog_lag(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="Catalog that lists what the source has.")],
    index: Annotated[Path, typer.Argument(metavar="INDEX", help="Catalog that lists what the index serves.")],
    as_json: JsonOption = False,
) -> int:
    """Compare an index with its source. Exit code 0 up to date, 1 documents lag, 2 a listing is unusable."""
    from collector.commands.listing import print_lag

    return printed_whole(lambda out: print_lag(source, index, at=moment(None), as_json=as_json, out=out))
