"""The agent itself: run it, see it at work, check its configuration."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from collector.cli.shared import (
    EXIT_USAGE,
    ConfigOption,
    DataOption,
    JsonOption,
    SetOption,
    compiled,
    installed,
    load,
    problems,
)


def _version(asked: bool) -> None:  # noqa: FBT001 - the protocol of an option's callback
    if asked:
        typer.echo(f"groundwire {installed()}{' (compiled)' if compiled() else ''}")
        raise typer.Exit


def root(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Print the version and exit.")
    ] = False,
) -> None:
    """Take the options before a command."""
    del version


def run(config: ConfigOption = None, data: DataOption = None, overrides: SetOption = None) -> None:
    """Run the agent: receive traces, score answers, judge gates, expose metrics."""
    with problems():
        chosen = load(config, data, overrides)
        from collector.agent.run import run as run_agent

        sys.exit(run_agent(chosen, version=installed()))


def demo(
    exit_: Annotated[
        bool, typer.Option("--exit", help="Exit after the story instead of serving until Ctrl-C.")
    ] = False,
) -> None:
    """Show the agent at work: a LangChain assistant whose index goes stale, and the gate that catches it."""
    with problems():
        from collector.demo import run_demo

        sys.exit(run_demo(exit_when_done=exit_))


def check(
    config: ConfigOption = None,
    data: DataOption = None,
    overrides: SetOption = None,
    print_: Annotated[bool, typer.Option("--print", help="Print the effective configuration.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Check the configuration and everything it names, without starting anything.

    With --json the problems are in what is printed, and the exit code is the same: 0 if all is well, else 2.
    """
    with problems():
        from collector.agent.check import as_report
        from collector.agent.check import check as check_all
        from collector.configuration.file import dump
        from collector.errors import ConfigError

        if as_json and print_:
            raise ConfigError("give --print or --json, not both")
        if as_json:
            report = as_report(lambda: load(config, data, overrides))
            typer.echo(json.dumps(report, indent=2))
            sys.exit(0 if report["ok"] else EXIT_USAGE)
        chosen = load(config, data, overrides)
        findings = check_all(chosen)
        if print_:
            typer.echo(dump(chosen), nl=False)
        for line in findings:
            typer.echo(line, err=print_)


def version() -> None:
    """Print the version."""
    typer.echo(installed())
