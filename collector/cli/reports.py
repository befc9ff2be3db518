"""Reports for people who decide."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from collector.cli.evaluation import GroupOption, PairOption, SeedOption, needs_packages
from collector.cli.shared import (
    LOCAL,
    ConfigOption,
    TokenOption,
    UrlOption,
    asked_agent,
    command,
    installed,
    json_of,
    load,
    printed_whole,
)

if TYPE_CHECKING:
    from gates.base.gate import Gate


def _gate_named(name: str | None, config: Path | None) -> Gate | None:
    from collector.commands.replay import chosen
    from collector.errors import ConfigError

    if name is None:
        if config is not None:
            raise ConfigError("--config: has gates; name the one that decides with --gate")
        return None
    if config is None:
        raise ConfigError("--gate: give the configuration that has it with --config")
    return chosen(load(config, None, None, gates_alone=True).gates, [name])[0]


@command
def report(
    runs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="RUN...", help="Folders of `groundwire evaluate`; of several the first is the baseline."
        ),
    ] = None,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="Where to write it; .html, .md or .json says the form.")
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="DURATION", help="Report the traffic of a running agent since then, such as 7d."),
    ] = None,
    by: Annotated[
        list[str] | None, typer.Option("--by", metavar="NAME", help="Cut slices from this attribute; repeatable.")
    ] = None,
    pair: PairOption = None,
    group: GroupOption = None,
    worst: Annotated[int, typer.Option("--worst", min=0, max=200, help="How many of the worst answers to show.")] = 10,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="Title of the report.")] = None,
    bundle: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write runs, report, checksums and environment into one .tar.gz."),
    ] = None,
    verify: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Verify a bundle instead, of this or another machine.")
    ] = None,
    gate: Annotated[
        str | None,
        typer.Option(
            "--gate",
            metavar="NAME",
            help="Let this gate of --config decide over the last run: its release rule, with exit code 0, 1 or 3.",
        ),
    ] = None,
    config: ConfigOption = None,
    record: Annotated[
        bool, typer.Option("--record", help="Chain the checksum of the report into the decision log of the agent.")
    ] = False,
    seed: SeedOption = 0,
    url: UrlOption = LOCAL,
    token_file: TokenOption = None,
    as_json: Annotated[bool, json_of("report", "sha256", "verdict", "decision", "bundle", "recorded_as")] = False,
) -> int:
    """Write a report: the decision first, then why, what to repair, figures with intervals, and the worst answers.

    With --verify the fields of --json are bundle, intact, files and sha256.

    Exit code 0, or 2 if a run, a bundle or an agent cannot be used, or a bundle was changed. With --gate 0 if it
    passes, 1 if it fails or the comparison says hold, 3 if there are too few answers to tell.
    """
    from collector.errors import ConfigError

    if verify is not None:
        from collector.commands.verify_bundle import verify_file

        if runs or to is not None or since is not None or bundle is not None or gate is not None or record:
            raise ConfigError("--verify: goes alone; it writes nothing")
        return printed_whole(lambda out: verify_file(verify, as_json=as_json, out=out))
    if to is None:
        raise ConfigError("give the file to write with --to")
    if bool(runs) == (since is not None):
        raise ConfigError("give run folders, or --since for the traffic of a running agent")
    needs_packages("scipy", "pyarrow")
    from collector.commands.report import ReportChoices, report_runs, report_traffic
    from gates.units.duration import parse_duration

    agent = asked_agent(url, token_file)
    choices = ReportChoices(by, pair, group, worst, seed, title, installed(), datetime.now(UTC))
    judge = _gate_named(gate, config)
    if (pair is not None or group is not None) and len(runs or []) <= 1:
        raise ConfigError(f"{'--pair' if pair is not None else '--group'}: is for several runs; give two or more")
    if since is not None:
        if judge is not None:
            raise ConfigError("--gate: judges runs; of traffic, ask the agent with groundwire gate")
        if bundle is not None:
            raise ConfigError("--bundle: holds runs; traffic stays with its agent")
        try:
            length = parse_duration(since)
        except ValueError as error:
            raise ConfigError(f"--since: {error}") from error
        return printed_whole(
            lambda out: report_traffic(agent, length, to, choices, record=record, as_json=as_json, out=out)
        )
    return printed_whole(
        lambda out: report_runs(
            runs or [],
            to,
            choices,
            bundle=bundle,
            agent=agent if record else None,
            as_json=as_json,
            out=out,
            gate=judge,
        )
    )
