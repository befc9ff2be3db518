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
    configuration are used; they may listen to any metric, scored here or elsewhere, in any slices.

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


def gate_plan(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE...]", help="Evaluations to take traffic from, as for `groundwire replay`."),
    ] = None,
    config: ConfigOption = None,
    data: DataOption = None,
    gate: Annotated[
        list[str] | None, typer.Option("--gate", metavar="NAME", help="Only this gate; may be given again.")
    ] = None,
    slices: Annotated[int | None, typer.Option(min=1, max=20_000, help="Slices that are watched.")] = None,
    answers: Annotated[
        float | None, typer.Option(min=0.01, max=1e6, help="Scored answers an hour, in each slice; 60.")
    ] = None,
    level: Annotated[float | None, typer.Option(help="Mean of the metric while all is well, in its unit.")] = None,
    to: Annotated[float | None, typer.Option(help="The worse mean that is to be found; twice the failures.")] = None,
    spread: Annotated[
        float | None,
        typer.Option(min=0, help="Standard deviation of values; without it they are 0 or 1, as bad or good as can be."),
    ] = None,
    shares: Annotated[
        str, typer.Option(metavar="SHARE,...", help="Of a candidate, each for an equal part of the rollout.")
    ] = "0.05,0.1,0.25,0.5",
    rollout: Annotated[str, typer.Option(metavar="LENGTH", help="How long a candidate is compared.")] = "1d",
    weeks: Annotated[int, typer.Option(min=1, max=520, help="Quiet weeks in which false alarms are counted.")] = 4,
    runs: Annotated[int, typer.Option(min=10, max=10_000, help="Slices that go wrong, or candidates.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Of all randomness: the same seed, the same figures.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one gate a line, for programs.")] = False,
    overrides: SetOption = None,
) -> None:
    """Say what can be expected of gates, by simulation: false alarms a week, and how soon they find a worse mean.

    Of release gates: how often a candidate that is as good is rolled back, one worse by the margin promoted, and after
    how many answers of it there is a verdict. Traffic is assumed, or taken from files or a store. Exit code 0, or 2 if
    the configuration, a file or an assumption cannot be used.
    """
    with problems(crashes=True):
        from collector.commands.plan import Assumed, plan
        from collector.commands.replay import chosen
        from collector.errors import ConfigError

        if files and data is not None:
            raise ConfigError("give files of evaluations, or a store with --data, and not both")
        assumed = Assumed(
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
        code = plan(
            wanted, assumed, files=files or [], data=data, as_json=as_json, out=standard_output(), err=sys.stderr
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
