"""Stored evaluations: export them, replay gates over them, plan gates from them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from collector.cli import completion
from collector.cli.shared import (
    ConfigOption,
    DataOption,
    GateOption,
    SetOption,
    command,
    load,
    standard_output,
)


@command
def replay(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="Evaluations and changes as JSONL, in any order, gzipped or not. - reads standard input.",
        ),
    ] = None,
    config: ConfigOption = None,
    data: DataOption = None,
    gate: GateOption = None,
    tick: Annotated[str, typer.Option(metavar="LENGTH", help="How often gates are judged, in replayed time.")] = "5m",
    order: Annotated[
        str,
        typer.Option(
            metavar="ORDER",
            help="time: in the order of their times. arrival: as they arrived, by arrived or else by their lines.",
        ),
    ] = "time",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per line, one for each event.")
    ] = False,
    overrides: SetOption = None,
) -> int:
    """Replay gates over stored evaluations: what verdicts they would have given, when and why.

    Evaluations come from files, or with --data from the store of an agent, which may be running. Only the `gates` of
    the configuration are used; they may judge any metric, computed here or elsewhere, in any slices.

    Exit code 0, or 2 if the configuration or a file cannot be used, or a line cannot be read: all other lines are still
    replayed, and the bad ones are named on standard error.
    """
    from collector.commands.replay import chosen, order_of, tick_of
    from collector.commands.replay import replay as run
    from collector.errors import ConfigError

    if files and data is not None:
        raise ConfigError("give files of evaluations or a store with --data, not both")
    if not files and data is None:
        raise ConfigError("give files of evaluations, or the store of an agent with --data FOLDER")
    configured = load(config, data, overrides, gates_alone=True)
    return run(
        files or [],
        chosen(configured.gates, gate or []),
        data=data,
        tick=tick_of(tick),
        order=order_of(order),
        as_json=as_json,
        out=standard_output(),
        err=sys.stderr,
    )


@command
def gate_plan(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Evaluations to derive traffic from, as for `groundwire replay`."),
    ] = None,
    config: ConfigOption = None,
    data: DataOption = None,
    gate: GateOption = None,
    slices: Annotated[int | None, typer.Option(min=1, max=20_000, help="Number of slices.")] = None,
    answers: Annotated[
        float | None, typer.Option(min=0.01, max=1e6, help="Scored answers per hour in each slice; by default 60.")
    ] = None,
    level: Annotated[float | None, typer.Option(help="Mean of the metric while all is well, in its unit.")] = None,
    to: Annotated[float | None, typer.Option(help="The worse mean to detect; by default twice the failures.")] = None,
    spread: Annotated[
        float | None,
        typer.Option(
            min=0, help="Standard deviation of values; without it they are the worst or the best possible, as 0 or 1."
        ),
    ] = None,
    shares: Annotated[
        str,
        typer.Option(metavar="SHARE,...", help="Traffic shares of a candidate, each for an equal part of the rollout."),
    ] = "0.05,0.1,0.25,0.5",
    rollout: Annotated[str, typer.Option(metavar="LENGTH", help="Length of a rollout.")] = "1d",
    weeks: Annotated[
        int, typer.Option(min=1, max=520, help="Weeks without a change, in which false alarms are counted.")
    ] = 4,
    runs: Annotated[int, typer.Option(min=10, max=10_000, help="Simulated degradations, or candidates.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Random seed: the same seed gives the same figures.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line, one for each gate.")] = False,
    overrides: SetOption = None,
) -> int:
    """Simulate what to expect of gates: false alarms per week, and how soon they detect a worse mean.

    For release gates: how often an equally good candidate is rolled back, how often one worse by the margin is
    promoted, and after how many of its answers there is a verdict. Traffic is assumed, or derived from files or a
    store. Exit code 0, or 2 if the configuration, a file or an assumption cannot be used.
    """
    from collector.commands.plan import Assumptions, plan
    from collector.commands.replay import chosen
    from collector.errors import ConfigError

    if files and data is not None:
        raise ConfigError("give files of evaluations or a store with --data, not both")
    assumed = Assumptions(
        slices=slices,
        answers=answers,
        level=level,
        to=to,
        spread=spread,
        shares=shares,
        rollout=rollout,
        weeks=weeks,
        runs=runs,
        seed=seed,
    )
    wanted = chosen(load(config, data, overrides, gates_alone=True).gates, gate or [])
    return plan(wanted, assumed, files=files or [], data=data, as_json=as_json, out=standard_output(), err=sys.stderr)


@command
def evaluations_export(
    config: ConfigOption = None,
    data: DataOption = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "--metric", metavar="NAME", help="Only this metric; repeatable.", autocompletion=completion.metric_names
        ),
    ] = None,
) -> int:
    """Print evaluations and changes as JSONL, for `groundwire replay`. Exit code 0, or 2 if there is no store."""
    from collector.commands.evaluations import export

    where = load(config, data, None).data
    return export(data=where, metrics=metrics or [], out=standard_output())
