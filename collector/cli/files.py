"""Files, without an agent: the answers in them, and their scores."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, TextIO

import typer

from collector.cli.shared import (
    AnswersAtOption,
    ConfigOption,
    MetricsOption,
    WorkersOption,
    command,
    json_of,
    load,
    moment,
    printed_whole,
    problems,
    standard_output,
)


def adapt(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE",
            help="OTLP in protobuf or JSON (traces, and logs with content), answers as JSONL, exports of Phoenix and "
            "Langfuse (JSON, JSONL, CSV), run trees of LangChain and LangSmith; all of them gzipped or not. - "
            "reads standard input.",
        ),
    ],
    attributes: Annotated[
        list[str] | None,
        typer.Option("--attribute", metavar="NAME=KEY", help="Read a slice attribute from this key; repeatable."),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Print the answers in files as JSONL; a trace may be spread over several files.

    Records that cannot be read are named on standard error, and so are the spans of a model or a search that no dialect
    reads. Exit code 0; 1 if a record cannot be read; 2 if a file or the configuration cannot be used.
    """
    with problems():
        from collector.commands.adapt import adapt_files

        given = None if config is None else load(config, None, None).traces.options()
        sys.exit(adapt_files(files, attributes or [], out=standard_output(), err=sys.stderr, given=given))


@command
def record(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Captured OTLP in protobuf or JSON, traces and logs; any of it packed with gzip. All files are one "
            "case.",
        ),
    ],
    truth: Annotated[
        Path,
        typer.Option(
            metavar="TRUTH",
            help="What is known to be true, as YAML or JSON: the fields of the answer, or a list of them for several "
            "answers. Only fields that are named are compared; a passage may be given by its text alone.",
        ),
    ],
    name: Annotated[str, typer.Option(metavar="NAME", help="Name of the case, such as langchain-basic.")],
    folder: Annotated[Path, typer.Option("--to", metavar="DIR", help="Folder that the case is written to.")],
    attributes: Annotated[
        list[str] | None,
        typer.Option(
            "--attribute", metavar="NAME=KEY", help="Take a slice attribute from this key; may be given again."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a case of this name.")] = False,
    as_json: Annotated[bool, json_of("case", "answers", "files")] = False,
) -> int:
    """Record a golden case: NAME.otlp.pb, and NAME.answers.jsonl with the answers that are adapted from it.

    The recording holds prompts, passages and answers as they came: check it for personal data before you share it.
    Exit code 0 recorded; 1 if the answers differ from what is true: each difference is named, and nothing is written;
    2 if the input cannot be used.
    """
    from collector.commands.record import record_case

    def recorded(out: TextIO) -> int:
        return record_case(
            files,
            truth,
            name=name,
            folder=folder,
            attributes=attributes or [],
            force=force,
            as_json=as_json,
            out=out,
            err=sys.stderr,
        )

    return printed_whole(recorded)


@command
def score(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE",
            help="Answers as JSONL, labelled rows, and everything that `groundwire adapt` reads, gzipped or not. - "
            "reads standard input.",
        ),
    ],
    config: ConfigOption = None,
    catalog: Annotated[
        Path | None,
        typer.Option(
            metavar="CATALOG", help="Catalog of governing documents: a file, a directory, or a packed catalog."
        ),
    ] = None,
    metrics: MetricsOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per line, one for each metric of an answer.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Before the table, show each answer with its claims next to the passages.")
    ] = False,
    at: AnswersAtOption = None,
    workers: WorkersOption = None,
) -> int:
    """Score answers in files and print a table: count, mean, quantiles, labels and missing values of each metric.

    Nothing leaves the machine. Records that cannot be read are named on standard error and skipped. Exit code 0, or 2
    if a file, the configuration or the catalog cannot be used, or nothing in the files can be read.
    """
    from collector.commands.score import score_files
    from collector.errors import ConfigError

    if as_json and explain:
        raise ConfigError("--json and --explain cannot be combined")
    named = None if catalog is None else [f"catalog.path={json.dumps(str(catalog))}"]
    return score_files(
        files,
        load(config, None, named),
        metrics=metrics or [],
        form="json" if as_json else "explain" if explain else "table",
        now=moment(at),
        workers=workers,
        out=standard_output(),
        err=sys.stderr,
    )
