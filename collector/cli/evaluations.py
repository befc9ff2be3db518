"""Evaluations that were kept: exported, and gates replayed over them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from collector.cli.shared import ConfigOption, DataOption, SetOption, load, problems, standard_output


def replay(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE...]",
            help="Evaluations and changes as JSONL, in any order; packed with gzip or not. - reads standard input.",
        ),
    ] = None,
    config: ConfigOption = None,
    data: DataOption = None,
    gate: Annotated[
        list[str] | None, typer.Option("--gate", metavar="NAME", help="Only this gate; may be given again.")
    ] = None,
    tick: Annotated[str, typer.Option(metavar="LENGTH", help="How often gates are judged, in replayed time.")] = "5m",
    as_json: Annotated[bool, typer.Option("--json", help="Print one event a line, instead of the table.")] = False,
    overrides: SetOption = None,
) -> None:
    """Say what the gates of a configuration would have said, when and why, over evaluations that were kept.

    They come from files, or with --data from the store of an agent, which may be running. Only the `gates` of the
    configuration are used; they may listen to any metric with values between 0 and 1, in any slices.

    Exit code 0, or 2 if the configuration or a file cannot be used, or a line could not be read: then all others are
    replayed, and the bad ones are named on standard error.
    """
    with problems(crashes=True):
        from collector.commands.replay import chosen, tick_of
        from collector.commands.replay import replay as run
        from collector.errors import ConfigError

        if bool(files) == (data is not None):
            raise ConfigError("give files of evaluations, or a store with --data, and not both")
        found = load(config, data, overrides, gates_alone=True)
        code = run(
            files or [],
            chosen(found.gates, gate or []),
            data=data,
            tick=tick_of(tick),
            as_json=as_json,
            out=standard_output(),
            err=sys.stderr,
        )
        sys.exit(code)


def evaluations_export(
    config: ConfigOption = None,
    data: DataOption = None,
    metrics: Annotated[
        list[str] | None, typer.Option("--metric", metavar="NAME", help="Only this metric; may be given again.")
    ] = None,
) -> None:
    """Print evaluations and changes as JSONL, for `groundwire replay`. Exit code 0, 2 if there is no store."""
    with problems(crashes=True):
        from collector.commands.evaluations import export

        where = load(config, data, None).data
        sys.exit(export(data=where, metrics=metrics or [], out=standard_output()))
