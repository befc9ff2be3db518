"""Files without an agent: what answers are in them, and how good those are."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from collector.cli.shared import ConfigOption, load, moment, problems, standard_output


def adapt(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="OTLP in protobuf or JSON (traces, and logs that hold content), answers as JSONL, exports of Phoenix "
            "and Langfuse (JSON, JSONL, CSV), run trees of LangChain and LangSmith; any of them packed with gzip. "
            "- reads standard input.",
        ),
    ],
    attributes: Annotated[
        list[str] | None,
        typer.Option(
            "--attribute", metavar="NAME=KEY", help="Take a slice attribute from this key; may be given again."
        ),
    ] = None,
) -> None:
    """Print the answers found in files as JSONL; a trace may be spread over several of them.

    What cannot be read is named on standard error, with exit code 1.
    """
    with problems():
        from collector.commands.adapt import adapt_files

        sys.exit(adapt_files(files, attributes or [], out=standard_output(), err=sys.stderr))


def score(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Answers as JSONL, labelled rows, and everything that `groundwire adapt` reads; any of it packed with "
            "gzip. - reads standard input.",
        ),
    ],
    config: ConfigOption = None,
    catalog: Annotated[
        Path | None,
        typer.Option(metavar="CATALOG", help="Catalog of governing documents: a file, a directory, or .packed."),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,...", help="Only these metrics, between commas; may be given again."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one evaluation a line: every metric of every answer.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show each answer, its claims against the passages, before the table.")
    ] = False,
    at: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="What is now for answers that tell no time, as ISO 8601; the present."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=256, help="Processes that share the work; one for each core if left out.")
    ] = None,
) -> None:
    """Score answers in files and print a table: for each metric how many have it, mean, quantiles, labels, absences.

    Nothing leaves the machine. What cannot be read is named on standard error and left out. Exit code 0, or 2 if a
    file, the configuration or the catalog cannot be used, or nothing in the files could be read.
    """
    with problems(crashes=True):
        from collector.commands.score import score_files
        from collector.errors import ConfigError

        if as_json and explain:
            raise ConfigError("--json and --explain exclude each other")
        named = None if catalog is None else [f"catalog.path={json.dumps(str(catalog))}"]
        code = score_files(
            files,
            load(config, None, named),
            metrics=metrics or [],
            form="json" if as_json else "explain" if explain else "table",
            now=moment(at),
            workers=workers,
            out=standard_output(),
            err=sys.stderr,
        )
        sys.exit(code)
