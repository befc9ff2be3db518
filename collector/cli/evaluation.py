"""Evaluation before release: runs compared, and retrieval thresholds chosen."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from collector.cli.shared import JsonOption, command, printed_whole

MISSING = "scipy is not installed; install it with: pip install 'groundwire[evaluate]'"

SeedOption = Annotated[
    int, typer.Option("--seed", min=0, help="Seed of the resampling: the same seed gives the same figures.")
]
ResamplesOption = Annotated[
    int, typer.Option("--resamples", min=1000, max=1_000_000, help="Resamples of each bootstrap interval.")
]


def needs_scipy() -> None:
    """Raise `ConfigError` where statistics cannot be computed for want of a package."""
    from collector.errors import ConfigError

    if find_spec("scipy") is None:
        raise ConfigError(MISSING)


@command
def compare(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...",
            help="Scores of two or more runs as `groundwire score --json` prints them, gzipped or not; the baseline "
            "first.",
        ),
    ],
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME,...",
            help="Only these metrics, separated by commas; repeatable. The fewer, the smaller a difference they show.",
        ),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="NAME", help="Also compare each value of this attribute; repeatable."),
    ] = None,
    pair: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Pair answers by this attribute; by default by their ids."),
    ] = None,
    group: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Answers with one value of this attribute fail together and count as one group; by default those of "
            "one session.",
        ),
    ] = None,
    strata: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Resample within each value of this attribute."),
    ] = None,
    alpha: Annotated[
        float, typer.Option(min=0.0001, max=0.5, help="Chance of calling equal runs different, over all rows.")
    ] = 0.05,
    seed: SeedOption = 0,
    resamples: ResamplesOption = 10_000,
    fail_if_worse: Annotated[
        bool, typer.Option("--fail-if-worse", help="Exit with 1 if a run is worse than the baseline in any row.")
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Compare scored runs with a baseline, question by question: what differs, how sure it is, what could not be seen.

    A row says better or worse only if its p-value, adjusted for all rows by Holm, is at most --alpha and its bootstrap
    interval excludes 0. "would see" is the difference that such a comparison finds four times in five. Exit code 0; 1
    with --fail-if-worse and a row that is worse; 2 if a file cannot be used, with its line and field.
    """
    needs_scipy()
    from collector.commands.compare import Choices, compare_files

    choices = Choices(metrics or [], by or [], pair, group, strata, alpha, seed, resamples)
    return printed_whole(
        lambda out: compare_files(files, choices, as_json=as_json, fail_if_worse=fail_if_worse, out=out, err=sys.stderr)
    )
