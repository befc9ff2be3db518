"""The agent itself: run it, see it at work, check its configuration."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import Annotated

import typer

from collector.cli.shared import (
    EXIT_USAGE,
    ConfigOption,
    DataOption,
    SetOption,
    compiled,
    installed,
    json_of,
    load,
    problems,
    source_of,
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
    """Run the agent: receive traces, score answers, judge gates, expose metrics.

    Exit code 0 when it is told to stop, 2 if it cannot start.
    """
    with problems():
        # Before the configuration is read, which imports nearly all of the agent.
        from collector.agent.forks import fork_server

        with closing(fork_server()) as server:
            chosen = load(config, data, overrides)
            from collector.agent.run import run as run_agent

            sys.exit(run_agent(chosen, version=installed(), source=source_of(config), server=server))


def demo(
    exit_: Annotated[
        bool, typer.Option("--exit", help="Exit after the story instead of serving until Ctrl-C.")
    ] = False,
) -> None:
    """Show the agent at work: a LangChain assistant whose index goes stale, and the gate that catches it.

    Exit code 0 once the story is told, 1 if it went otherwise, 2 if it cannot start; 128 and the signal if it is
    stopped before its end.
    """
    with problems():
        from collector.demo import run_demo

        sys.exit(run_demo(exit_when_done=exit_))


def check(
    config: ConfigOption = None,
    data: DataOption = None,
    overrides: SetOption = None,
    print_: Annotated[bool, typer.Option("--print", help="Print the effective configuration.")] = False,
    as_json: Annotated[bool, json_of("ok", "problems", "warnings", "findings")] = False,
) -> None:
    """Check the configuration and everything it names, without starting anything.

    With --json the problems are in what is printed. Exit code 0 if all is well, else 2.
    """
    with problems():
        from collector.agent.check import as_report
        from collector.agent.check import check as check_all
        from collector.commands.objects import object_line
        from collector.configuration.file import dump
        from collector.errors import ConfigError

        if as_json and print_:
            raise ConfigError("give --print or --json, not both")
        if as_json:
            report = as_report(lambda: load(config, data, overrides), source=source_of(config))
            typer.echo(object_line(report), nl=False)
            sys.exit(0 if report["ok"] else EXIT_USAGE)
        chosen = load(config, data, overrides)
        findings = check_all(chosen, source=source_of(config))
        if print_:
            typer.echo(dump(chosen), nl=False)
        for line in findings:
            typer.echo(line, err=print_)


def version(as_json: Annotated[bool, json_of("version", "compiled")] = False) -> None:
    """Print the version. Exit code 0."""
    if as_json:
        from collector.commands.objects import object_line

        typer.echo(object_line({"version": installed(), "compiled": compiled()}), nl=False)
        return
    typer.echo(installed())
