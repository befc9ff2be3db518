"""Catalogs without an agent."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from collector.cli.shared import JsonOption, printed_whole, problems

CatalogArgument = Annotated[
    Path,
    typer.Argument(
        metavar="CATALOG",
        help="File (.yaml, .yml, .csv, .jsonl) or directory of files, or what an agent made of them (.packed).",
    ),
]
AtOption = Annotated[str | None, typer.Option(metavar="TIME", help="The day or instant to judge at, as ISO 8601.")]


def catalog_check(
    catalog: CatalogArgument,
    strict: Annotated[bool, typer.Option("--strict", help="Treat warnings as problems.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Tell everything that is wrong with a catalog. Exit code 0 fine, 1 problems, 2 if there is no such catalog."""
    with problems(crashes=True):
        from collector.commands import catalog as commands

        sys.exit(printed_whole(lambda out: commands.check(catalog, strict=strict, as_json=as_json, out=out)))


def catalog_show(
    catalog: CatalogArgument,
    doc_id: Annotated[str | None, typer.Argument(metavar="ID", help="Only this document.")] = None,
    at: AtOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show versions and where each stands. Exit code 0, 1 if the document is not listed, 2 if unusable."""
    with problems(crashes=True):
        from collector.commands import catalog as commands

        sys.exit(printed_whole(lambda out: commands.show(catalog, doc_id=doc_id, at=at, as_json=as_json, out=out)))


def catalog_diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The catalog before.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The catalog after.")],
    as_json: JsonOption = False,
) -> None:
    """Tell what was added, removed, changed and superseded. Exit code 0 no difference, 1 some, 2 if one is unusable."""
    with problems(crashes=True):
        from collector.commands import catalog as commands

        sys.exit(printed_whole(lambda out: commands.diff(old, new, as_json=as_json, out=out)))


def catalog_search(
    catalog: CatalogArgument,
    query: Annotated[str, typer.Argument(metavar="QUESTION", help="What to search for.")],
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100, help="At most this many entries.")] = 10,
    at: AtOption = None,
    groups: Annotated[
        list[str] | None, typer.Option("--group", help="Only what this group may see; may be given again.")
    ] = None,
    model: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of an embedding model, to search by meaning as well.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find the entries that bear on a question, with --at only those that govern then. Exit code 0, 1 nothing found."""
    with problems(crashes=True):
        from collector.commands import catalog as commands

        sys.exit(
            printed_whole(
                lambda out: commands.find(
                    catalog, query, k=limit, at=at, groups=groups, model=model, as_json=as_json, out=out
                )
            )
        )
