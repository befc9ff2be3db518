"""`groundwire catalog from`: catalogs made from what a source has."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from collector.cli.shared import command, moment, standard_output

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
