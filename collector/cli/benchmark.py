"""The generated benchmark: written to a folder, and reported on; and weights fitted to labels."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from collector.cli.evaluation import ResamplesOption, SeedOption, needs_packages
from collector.cli.shared import (
    AnswersAtOption,
    ConfigOption,
    JsonOption,
    WorkersOption,
    command,
    installed,
    json_of,
    load,
    moment,
    printed_whole,
)

SEED = 3107
_NEEDED = ("scipy", "statsmodels", "sklearn")


@command
def benchmark_generate(
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="Folder to write: a new one.")],
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Seed: the same one writes the same bytes.")] = SEED,
    questions: Annotated[
        int, typer.Option(metavar="N", help="Number of questions, a multiple of 12 from 300 to 2400.")
    ] = 2_400,
    as_json: Annotated[bool, json_of("benchmark", "seed", "questions", "answers", "configurations")] = False,
) -> int:
    """Generate a benchmark after PROBE: three regulated domains, twelve task families, eight simulated configurations.

    Questions come as direct, paraphrased and adversarial variants, with conflicts (30 %), stale near misses (24 %), two
    sources (18 %) and policy boundaries (12 %). Nothing is retrieved or generated: failures are drawn with the rates
    and shares that PROBE printed. Exit code 0, or 2 if the folder cannot be written.
    """
    from collector.commands.benchmark.generate import generate

    return printed_whole(
        lambda out: generate(to, seed=seed, questions=questions, as_json=as_json, out=out, err=sys.stderr)
    )


@command
def benchmark_report(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder of `groundwire benchmark generate`, or of the same form.")
    ],
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="Folder of the report: a new one.")],
    resamples: ResamplesOption = 10_000,
    workers: WorkersOption = None,
    at: AnswersAtOption = None,
) -> int:
    """Score a benchmark, fit weights and thresholds, and report on the fifth that was held out.

    Says how evaluators go with acceptability, what each part of the rule is worth, and how configurations compare.
    Exit code 0; 1 if a metric does not move as expected on known failures, as then nothing is claimed; 2 if the folder
    cannot be used.
    """
    needs_packages(*_NEEDED)
    from collector.commands.benchmark.report import BenchmarkChoices, report_benchmark

    choices = BenchmarkChoices(resamples, workers, moment(at), installed())
    return printed_whole(lambda out: report_benchmark(folder, to, choices, out=out, err=sys.stderr))


@command
def fit(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="LABELLED...",
            help="Answers with `gold.acceptable`, or with --reviews: files that `groundwire score` reads.",
        ),
    ],
    reviews: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Labels of reviewers as JSON lines: answer_id, reviewer, acceptable, unsafe."
        ),
    ] = None,
    group: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Answers with one value of this attribute stay in one part, such as the paraphrases of a question; by "
            "default those of one session.",
        ),
    ] = None,
    strata: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Attribute that parts are balanced by, beside the label; repeatable."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the configuration to a file.")
    ] = None,
    config: ConfigOption = None,
    seed: SeedOption = 0,
    resamples: ResamplesOption = 10_000,
    workers: WorkersOption = None,
    at: AnswersAtOption = None,
    as_json: JsonOption = False,
) -> int:
    """Fit composite weights, caps and gate thresholds to your own labels of acceptable answers.

    Three fifths of the groups are fitted on, one is tuned on, and all figures are of the last one. Prints what the
    defaults would have done beside it, how far probabilities are calibrated, how far reviewers agree, and a
    configuration to paste. Exit code 0, or 2 if the files cannot be used or have too few labels.
    """
    needs_packages(*_NEEDED)
    from collector.commands.fit import FitChoices, fit_files

    choices = FitChoices(group, strata or [], reviews, out, seed, resamples, workers, moment(at))
    return printed_whole(
        lambda stream: fit_files(files, load(config, None, None), choices, as_json=as_json, out=stream, err=sys.stderr)
    )
