"""What people ask a running agent."""

from __future__ import annotations

import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from collector.cli import completion
from collector.cli.shared import (
    LOCAL,
    JsonOption,
    ScopeOption,
    TokenOption,
    UrlOption,
    asked_agent,
    command,
    every,
    json_of,
    screen,
    shown,
    standard_output,
    tell,
)

LimitOption = Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="Most rows to show.")]


@command
def status(url: UrlOption = LOCAL, token_file: TokenOption = None, as_json: JsonOption = False) -> int:
    """Show how a running agent is doing: traffic, work, gates, and the newest decisions.

    Exit code 0 ready for traffic, 1 not ready, 2 no agent.
    """
    from collector.commands.status import status as show

    return shown(lambda screen: show(asked_agent(url, token_file), as_json=as_json, screen=screen))


@command
def decisions(
    gate: Annotated[
        str | None,
        typer.Option(
            "--gate", metavar="NAME", help="Only decisions of this gate.", autocompletion=completion.gate_names
        ),
    ] = None,
    limit: LimitOption = 20,
    url: UrlOption = LOCAL,
    token_file: TokenOption = None,
    as_json: JsonOption = False,
) -> int:
    """Show when verdicts turned, the newest first, and what to do. Exit code 0, 2 no agent, or no such gate."""
    from collector.commands.decisions import decisions as show

    agent = asked_agent(url, token_file)
    return shown(
        lambda screen: show(agent, gate=gate, limit=limit, now=datetime.now(UTC), as_json=as_json, screen=screen)
    )


@command
def answers(
    worst: Annotated[bool, typer.Option("--worst", help="The worst first, by --metric or what gates judge.")] = False,
    metric: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Only answers with a value of this metric.", autocompletion=completion.metric_names
        ),
    ] = None,
    scope: ScopeOption = None,
    limit: LimitOption = 20,
    url: UrlOption = LOCAL,
    token_file: TokenOption = None,
    as_json: JsonOption = False,
) -> int:
    """Show answers of a running agent, the newest first, or the worst. Exit code 0, 2 no agent, or no such metric."""
    from collector.commands.answers import answers as show
    from collector.commands.asking import scope_of

    return shown(
        lambda screen: show(
            asked_agent(url, token_file),
            metric=metric,
            worst_first=worst,
            scope=scope_of(scope or ()),
            limit=limit,
            now=datetime.now(UTC),
            as_json=as_json,
            screen=screen,
        )
    )


@command
def explain(
    name: Annotated[str, typer.Argument(metavar="ID", help="Id of an answer, or number of a decision.")],
    url: UrlOption = LOCAL,
    token_file: TokenOption = None,
    as_json: JsonOption = False,
) -> int:
    """Show one answer with the reasons for its scores, or what a decision stands on. Exit code 0, 2 not found."""
    from collector.commands.explain import explained

    agent = asked_agent(url, token_file)
    return shown(lambda screen: explained(agent, name, now=datetime.now(UTC), as_json=as_json, screen=screen))


@command
def tail(
    count: Annotated[int, typer.Option("--limit", "-n", min=0, max=200, help="Answers to begin with.")] = 10,
    seconds: Annotated[float, typer.Option("--every", min=0.1, max=3600, help="Seconds between two looks.")] = 2.0,
    url: UrlOption = LOCAL,
    token_file: TokenOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per line, one for each answer or decision.")
    ] = False,
) -> int:
    """Follow the answers and decisions of a running agent until Ctrl-C. Exit code 130 then, 2 no agent."""
    from collector.commands.tail import tail as follow

    agent = asked_agent(url, token_file)
    return follow(agent, count=count, as_json=as_json, screen=screen(), rounds=every(seconds), complain=tell)


@command
def doctor(
    exporter: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Where the application sends traces, by default as OTEL_* variables say."),
    ] = None,
    protocol: Annotated[
        str | None, typer.Option(metavar="PROTOCOL", help="Protocol of the exporter: grpc or http/protobuf.")
    ] = None,
    prometheus: Annotated[
        str | None, typer.Option(metavar="URL", help="Address of the Prometheus behind your boards.")
    ] = None,
    url: UrlOption = LOCAL,
    token_file: TokenOption = None,
    as_json: JsonOption = False,
) -> int:
    """Find why nothing arrives, is scored or is judged, or why the board is empty, and say what to do.

    Exit code 0 nothing is wrong, 1 an error, 3 warnings only, 2 it could not be looked for.
    """
    from collector.commands.doctor import findings
    from collector.commands.doctor.exporter import exporter_of
    from collector.commands.doctor.facts import gathered
    from collector.commands.doctor.prometheus import scraped
    from collector.commands.doctor.report import report
    from collector.commands.progress import watched

    with watched(standard_output(), sys.stderr, at_end=True) as progress:
        facts = gathered(
            asked_agent(url, token_file),
            exporter=exporter_of(exporter, protocol, os.environ),
            scraped=None if prometheus is None else lambda: scraped(prometheus),
            told=progress.tell,
        )
    return shown(lambda screen: report(facts, list(findings(facts)), as_json=as_json, screen=screen))


@command
def init(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE", help="Traces or answers to read, as `groundwire adapt` does; by default an agent."
        ),
    ] = None,
    catalog: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Catalog of the documents in force, if there is one.")
    ] = None,
    watch: Annotated[str, typer.Option(metavar="LENGTH", help="How long to watch a running agent at most.")] = "1m",
    target: Annotated[
        Path,
        typer.Option(
            "--out", metavar="FILE", help="Where to write it, - to print it; a file that is there is left as it is."
        ),
    ] = Path("groundwire.yaml"),
    url: UrlOption = LOCAL,
    token_file: TokenOption = None,
    as_json: Annotated[bool, json_of("configuration", "answers", "slices", "catalog", "gates", "new_slices")] = False,
) -> int:
    """Write a commented configuration for your traffic: slices, catalog, and gates with what to expect of each.

    Exit code 0 written, 2 no traffic, or the file is there already.
    """
    from collector.commands.init import PRINTED, traffic_in, watched_traffic
    from collector.commands.init import init as write
    from collector.commands.progress import watched
    from collector.errors import ConfigError
    from gates.units.duration import parse_duration

    if as_json and str(target) == PRINTED:
        raise ConfigError("--json: says what was written; give --out FILE, not --out -")
    if target.exists():
        raise ConfigError(f"--out {target}: is there already, and is left as it is; give another name")
    try:
        seconds = parse_duration(watch).total_seconds()
    except ValueError as error:
        raise ConfigError(f"--watch: {error}") from error
    out, now = standard_output(), datetime.now(UTC)
    with watched(out, sys.stderr, at_end=True) as progress:
        if files:
            traffic = traffic_in(files, catalog=catalog, now=now, progress=progress, err=sys.stderr)
        else:
            agent = asked_agent(url, token_file)
            traffic = watched_traffic(
                agent,
                seconds=seconds,
                catalog=catalog,
                now=now,
                progress=progress,
                err=sys.stderr,
                monotonic=time.monotonic,
                sleep=time.sleep,
            )
    return write(traffic, catalog=catalog, target=target, at=now, as_json=as_json, out=out)
