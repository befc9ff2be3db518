"""Catalogs without an agent."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from collector.cli.shared import ConfigOption, JsonOption, command, load, moment, printed_whole

CatalogArgument = Annotated[
    Path,
    typer.Argument(
        metavar="CATALOG",
        help="File (.yaml, .yml, .csv, .jsonl), directory of files, or a catalog packed by an agent (.packed).",
    ),
]
AtOption = Annotated[
    str | None, typer.Option(metavar="TIME", help="Date or time to look at, as ISO 8601; by default now.")
]


@command
def catalog_check(
    catalog: CatalogArgument,
    strict: Annotated[bool, typer.Option("--strict", help="Treat warnings as problems.")] = False,
    as_json: JsonOption = False,
) -> int:
    """List everything that is wrong with a catalog. Exit code 0 valid, 1 problems found, 2 no such catalog."""
    from collector.commands import catalog as commands

    return printed_whole(lambda out: commands.check(catalog, strict=strict, as_json=as_json, out=out))


@command
def catalog_show(
    catalog: CatalogArgument,
    doc_id: Annotated[str | None, typer.Argument(metavar="ID", help="Only this document.")] = None,
    at: AtOption = None,
    as_json: JsonOption = False,
) -> int:
    """Show versions and which are in force. Exit code 0, 1 document not found, 2 catalog unusable."""
    from collector.commands import catalog as commands

    return printed_whole(lambda out: commands.show(catalog, doc_id=doc_id, at=moment(at), as_json=as_json, out=out))


@command
def catalog_diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The earlier catalog.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The later catalog.")],
    as_json: JsonOption = False,
) -> int:
    """List what was added, removed, changed and superseded. Exit code 0 no differences, 1 some, 2 catalog unusable."""
    from collector.commands import catalog as commands

    return printed_whole(lambda out: commands.diff(old, new, as_json=as_json, out=out))


@command
def catalog_search(
    catalog: CatalogArgument,
    query: Annotated[str, typer.Argument(metavar="QUESTION", help="What to search for.")],
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100, help="Most entries to show.")] = 10,
    at: AtOption = None,
    groups: Annotated[
        list[str] | None, typer.Option("--group", help="Only entries this group may see; repeatable.")
    ] = None,
    model: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Directory of an embedding model, to search by meaning as well.")
    ] = None,
    sparse: Annotated[
        float, typer.Option(min=0.4, max=0.6, help="With a model: weight of words against meaning.")
    ] = 0.5,
    relevance: Annotated[
        float, typer.Option(min=0.6, max=0.8, help="Weight of what bears on the question against what repeats.")
    ] = 0.7,
    as_json: JsonOption = False,
) -> int:
    """Find entries relevant to a question, with --at only those in force then. Exit code 0, 1 nothing found."""
    from collector.commands import catalog as commands
    from scorers.catalog.search.weights import SearchWeights

    return printed_whole(
        lambda out: commands.find(
            catalog,
            query,
            k=limit,
            at=None if at is None else moment(at),
            groups=groups,
            model=model,
            weights=SearchWeights(sparse, relevance),
            as_json=as_json,
            out=out,
        )
    )


@command
def catalog_coverage(
    catalog: CatalogArgument,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Answers as JSONL, and everything that `groundwire adapt` reads."),
    ],
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> int:
    """Tell how many retrieved passages a catalog lists, and what to map. Exit code 0 all, 1 not all, 2 unusable."""
    from collector.commands.catalog import usable
    from collector.commands.coverage import print_coverage

    options = load(config, None, None).traces.options()
    return printed_whole(
        lambda out: print_coverage(usable(catalog), files, options, as_json=as_json, out=out, err=sys.stderr)
    )
