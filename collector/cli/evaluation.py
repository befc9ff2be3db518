"""Evaluation before release: suites run, and runs compared."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from collector.cli import completion
from collector.cli.shared import (
    AnswersAtOption,
    JsonOption,
    MetricsOption,
    WorkersOption,
    command,
    installed,
    json_of,
    moment,
    printed_whole,
)

if TYPE_CHECKING:
    from collector.applications.callers import World

MISSING = "{} is not installed; install it with: pip install 'groundwire[evaluate]'"

ModelOption = Annotated[
    Path | None,
    typer.Option(
        "--model", metavar="DIR", help="Folder of a language encoder for BERTScore, cosine, Pearson and B-RT."
    ),
]
WordNetOption = Annotated[
    Path | None, typer.Option("--wordnet", metavar="DIR", help="Folder of nltk's data with WordNet, for METEOR.")
]
PairOption = Annotated[
    str | None,
    typer.Option(
        "--pair",
        metavar="NAME",
        help="Pair answers by this attribute, or those of run folders by `question`; by default by their ids.",
    ),
]
GroupOption = Annotated[
    str | None,
    typer.Option(
        "--group",
        metavar="NAME",
        help="Answers with one value of this attribute fail together and count as one group; by default those of one "
        "session.",
    ),
]
SeedOption = Annotated[
    int, typer.Option("--seed", min=0, help="Seed of the resampling: the same seed gives the same figures.")
]
ResamplesOption = Annotated[
    int, typer.Option("--resamples", min=1000, max=1_000_000, help="Resamples of each bootstrap interval.")
]


def needs_packages(*names: str) -> None:
    """Raise `ConfigError` where statistics cannot be computed for want of one of these packages."""
    from collector.errors import ConfigError

    for name in names:
        if find_spec(name) is None:
            raise ConfigError(MISSING.format(name))


def needs_scipy() -> None:
    """Raise `ConfigError` where statistics cannot be computed for want of scipy."""
    needs_packages("scipy")


def world() -> World:
    """Return what commands that ask an application take from outside."""
    import os
    import random
    import time
    from datetime import UTC, datetime

    from collector.applications.callers import World

    return World(lambda: datetime.now(UTC), time.monotonic, random.random, os.environ, Path.cwd())


def needs_reference() -> None:
    """Raise `ConfigError` where reference metrics cannot be computed for want of a package."""
    from collector.errors import ConfigError

    for name in ("nltk", "rouge", "scipy"):
        if find_spec(name) is None:
            raise ConfigError(f"{name} is not installed; install it with: pip install 'groundwire[evaluate]'")


@command
def evaluate(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="SUITE...",
            help="Questions, labels, recorded answers and expectations, in one file or several: JSON, JSON lines, CSV, "
            "qrels and runs of TREC, traces, or a run folder to score again.",
        ),
    ],
    to: Annotated[
        Path,
        typer.Option(
            "--to",
            metavar="DIR",
            help="Folder of the run, new or to be finished; with several runs, one in it for each.",
        ),
    ],
    configs: Annotated[
        list[Path] | None,
        typer.Option("--config", "-c", metavar="FILE", help="Configuration of the scores; repeat it to run each."),
    ] = None,
    configurations: Annotated[
        Path | None,
        typer.Option(
            "--configurations",
            metavar="FILE",
            help="Named configurations of application and scores as YAML, to run each.",
        ),
    ] = None,
    application: Annotated[
        str | None,
        typer.Option(
            "--application",
            metavar="URL|MODULE:FUNCTION",
            help='Ask this application: an endpoint that takes {"question": ...}, or a function of Python.',
        ),
    ] = None,
    answers: Annotated[
        list[Path] | None,
        typer.Option(
            "--answers", metavar="FILE", help="Answers to the suite's questions, in place of its own; repeatable."
        ),
    ] = None,
    repeats: Annotated[
        int,
        typer.Option(
            "--repeats", min=1, max=100, help="Ask the application each question so many times, and tell what moves."
        ),
    ] = 1,
    metrics: MetricsOption = None,
    panel: Annotated[
        list[str] | None,
        typer.Option(
            "--panel",
            metavar="reference|claims",
            help="`reference`: also hold answers against the reference answers of their rows: METEOR, ROUGE, BLEU, "
            "token F1, perplexities; with --model BERTScore, cosine, Pearson and B-RT. `claims`: also hold claims "
            "against the first passage, and the first three. Repeatable.",
        ),
    ] = None,
    model: ModelOption = None,
    wordnet: WordNetOption = None,
    at: AnswersAtOption = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write what rows expect as JUnit XML.")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="NAME", help="Count the rows that kept their expectations by this attribute."),
    ] = None,
    workers: WorkersOption = None,
    as_json: Annotated[bool, json_of("runs", "expectations", "missed", "by", "slices")] = False,
) -> int:
    """Run a suite: ask an application or take recorded answers, score them, and check what rows expect.

    Each run is a folder of Parquet tables with a manifest that holds checksums of all it was made from; it is never
    changed. Give the command again to finish a run that was interrupted. Exit code 0; 1 if an answer is not as its row
    expects; 2 if the suite has a record that cannot be used, with its file, line and field, or the application cannot
    be asked.
    """
    if "reference" in (panel or []):
        needs_reference()
    from collector.commands.configurations import chosen
    from collector.commands.evaluate import evaluate_suite
    from collector.commands.panels import chosen_panels
    from collector.commands.planned_runs import RunChoices

    panels = chosen_panels(panel or [], model, wordnet, metrics or [])
    choices = RunChoices(
        panels.metrics,
        moment(at),
        installed(),
        workers,
        junit,
        by,
        answers or [],
        panels.reference,
        repeats,
        panels.scorers,
        panels.agreement,
    )
    runs = chosen(configs or [], configurations, application)
    return printed_whole(
        lambda out: evaluate_suite(files, runs, to, choices, world(), as_json=as_json, out=out, err=sys.stderr)
    )


@command
def compare(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...",
            help="Two or more runs, the baseline first: folders of `groundwire evaluate`, or what "
            "`groundwire score --json` prints, gzipped or not.",
        ),
    ],
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME,...",
            help="Only these metrics, separated by commas; repeatable. The fewer, the smaller a difference they show.",
            autocompletion=completion.metric_names,
        ),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="NAME", help="Also compare each value of this attribute; repeatable."),
    ] = None,
    pair: PairOption = None,
    group: GroupOption = None,
    strata: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Resample within each value of this attribute."),
    ] = None,
    alpha: Annotated[
        float, typer.Option(min=0.0001, max=0.5, help="Chance of calling equal runs different, over all rows.")
    ] = 0.05,
    seed: SeedOption = 0,
    resamples: ResamplesOption = 10_000,
    by_conversation: Annotated[
        bool,
        typer.Option(
            "--by-conversation", help="Compare means of conversations, by session_id, instead of single answers."
        ),
    ] = False,
    test: Annotated[
        str,
        typer.Option(
            metavar="means|ranks",
            help="What verdicts rest on: McNemar's test and the paired t-test, or Wilcoxon's signed-rank test.",
        ),
    ] = "means",
    evaluators: Annotated[
        bool,
        typer.Option(
            "--evaluators",
            help="The two runs are of the same answers by different evaluators: show how far they rank them alike.",
        ),
    ] = False,
    labels: Annotated[
        bool,
        typer.Option("--labels", help="Also say how far labels agree (Cohen's kappa), and which ones change."),
    ] = False,
    disputed: Annotated[
        Path | None,
        typer.Option("--disputed", metavar="FILE", help="Write the answers whose labels differ, a line each."),
    ] = None,
    fail_if_worse: Annotated[
        bool,
        typer.Option(
            "--fail-if-worse",
            help="Exit with 1 if any row is worse, with 3 if the comparison does not tell of all answers.",
        ),
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Compare scored runs with a baseline, question by question: what differs, how sure it is, what could not be seen.

    A row says better or worse only if its p-value, adjusted for all rows by Holm, is at most --alpha and its bootstrap
    interval excludes 0. "would see" is the difference that such a comparison finds four times in five. A metric that
    the runs scored by different versions, or with other options, is left out with a note. Exit code 0; 2 if a file
    cannot be used, with its line and field. With --fail-if-worse also 1 if a row is worse, and 3 if none is but a
    metric was left out, a run has more unscored answers, or a tenth of the baseline's answers have no partner.
    """
    needs_scipy()
    from collector.commands.agreement import compare_evaluators
    from collector.commands.compare import Choices, compare_files
    from collector.errors import ConfigError

    if test not in ("means", "ranks"):
        raise ConfigError(f"--test {test[:40]}: must be means or ranks")
    if by_conversation and (labels or disputed is not None):
        raise ConfigError("--by-conversation: a conversation has no labels; give --labels and --disputed without it")
    choices = Choices(
        metrics or [],
        by or [],
        pair,
        group,
        strata,
        alpha,
        seed,
        resamples,
        by_conversation,
        test == "ranks",
        labels,
        disputed,
    )
    if evaluators:
        if fail_if_worse or labels or disputed or group is not None or strata is not None:
            raise ConfigError("--evaluators: goes without --fail-if-worse, --labels, --disputed, --group and --strata")
        return printed_whole(lambda out: compare_evaluators(files, choices, as_json=as_json, out=out, err=sys.stderr))
    return printed_whole(
        lambda out: compare_files(files, choices, as_json=as_json, fail_if_worse=fail_if_worse, out=out, err=sys.stderr)
    )
