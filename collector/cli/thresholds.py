"""A similarity threshold of retrieval: measured, swept over and replayed."""

from __future__ import annotations

import sys
from math import isfinite
from pathlib import Path
from typing import Annotated

import typer

from collector.cli import completion
from collector.cli.evaluation import (
    ModelOption,
    ResamplesOption,
    SeedOption,
    WordNetOption,
    needs_reference,
    needs_scipy,
)
from collector.cli.shared import (
    AgentOption,
    ConfigOption,
    JsonOption,
    NewestOption,
    SampleOption,
    ScopeOption,
    TokenOption,
    WorkersOption,
    command,
    installed,
    kept_answers,
    load,
    moment,
    printed_whole,
)


@command
def threshold_sweep(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="One sweep each, as CSV or JSON lines, gzipped or not: question, threshold, and the value of each "
            "metric, empty where there is none; or a folder of `groundwire evaluate`, with a run for each threshold.",
        ),
    ],
    baseline: Annotated[
        float | None,
        typer.Option(
            metavar="THRESHOLD", help="Threshold of the rows that others are compared with; by default the lowest."
        ),
    ] = None,
    panel: Annotated[
        Path | None,
        typer.Option(
            metavar="PANEL",
            help="Metrics of the composite score with weight, better and range, as YAML; or passer, the default, "
            "passer-pilot or lexical, which needs no model.",
        ),
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Draw gains, significance and correlations of metrics here, as SVG."),
    ] = None,
    alpha: Annotated[
        float, typer.Option(min=0.0001, max=0.5, help="Chance of calling equal thresholds different, over a sweep.")
    ] = 0.05,
    seed: SeedOption = 0,
    resamples: ResamplesOption = 10_000,
    as_json: JsonOption = False,
) -> int:
    """Choose a similarity threshold from labelled runs: the same questions, answered at several thresholds.

    Each answer has a composite score (CPS) of its metrics; T-CPS weighs the mean of a threshold with its spread.
    Recommended is, of the thresholds that are shown to be better than the baseline, the one with the highest T-CPS.
    Files of one name in two folders are one model in two domains, and are set side by side. Exit code
    0, or 2 if a file cannot be used, with its line and column.
    """
    needs_scipy()
    from collector.commands.threshold.sweep import SweepChoices, sweep_files

    choices = SweepChoices(baseline, panel, plots, alpha, seed, resamples)
    return printed_whole(lambda out: sweep_files(files, choices, as_json=as_json, out=out, err=sys.stderr))


@command
def threshold_measure(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE...",
            help="Answers with a reference answer each, and either the threshold they were given at, or passages with "
            "their similarity: everything that `groundwire score` reads.",
        ),
    ] = None,
    agent: AgentOption = None,
    token_file: TokenOption = None,
    scope: ScopeOption = None,
    newest: NewestOption = 10_000,
    sample: SampleOption = None,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="Write CSV here, packed for .gz, not to the output.")
    ] = None,
    at_least: Annotated[
        list[float] | None,
        typer.Option(
            "--at-least",
            metavar="THRESHOLD",
            help="Score mode: keep of each recorded retrieval the passages with at least this similarity; repeatable.",
        ),
    ] = None,
    max_k: Annotated[int, typer.Option(min=1, max=1000, help="Score mode: so many passages at most.")] = 100,
    normal_k: Annotated[
        int, typer.Option(min=1, max=1000, help="Normal mode, the baseline: the so many best passages.")
    ] = 5,
    threshold_of: Annotated[
        str,
        typer.Option(metavar="NAME", help="Without --at-least: attribute or version that has an answer's threshold."),
    ] = "threshold",
    question: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Attribute that names the question; by default its text."),
    ] = None,
    generator: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:FUNCTION",
            help="With --at-least: a function of question and texts that answers anew from what a threshold leaves.",
        ),
    ] = None,
    model: ModelOption = None,
    wordnet: WordNetOption = None,
    config: ConfigOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
) -> int:
    """Measure labelled answers at several similarity thresholds: the rows that `groundwire threshold sweep` reads.

    Each row has the reference panel (METEOR, ROUGE, BLEU, token F1, perplexities; with --model BERTScore, cosine,
    Pearson and B-RT), claim_support, and what the answer took. Exit code 0, or 2 if answers cannot be used.
    """
    needs_reference()
    from collector.commands.threshold.measure import measure_thresholds
    from collector.commands.threshold.variants import MeasureChoices
    from collector.errors import ConfigError

    tried = sorted(set(at_least or []))
    if not all(isfinite(each) and each > 0.0 for each in tried):
        raise ConfigError("--at-least: must be finite numbers above 0, which stands for normal mode")
    if generator is not None and not tried:
        raise ConfigError("--generator: needs thresholds to answer at; give them with --at-least")
    choices = MeasureChoices(tried, max_k, normal_k, threshold_of, question, generator, model, wordnet, to, installed())
    return printed_whole(
        lambda out: measure_thresholds(
            kept_answers(files, agent, token_file, scope, newest, sample, seed),
            load(config, None, None),
            choices,
            now=moment(None),
            workers=workers,
            out=out,
            err=sys.stderr,
        )
    )


@command
def threshold_replay(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="Recorded answers with the scores of retrieval: everything that `groundwire score` reads.",
        ),
    ] = None,
    agent: AgentOption = None,
    token_file: TokenOption = None,
    scope: ScopeOption = None,
    newest: NewestOption = 10_000,
    sample: SampleOption = None,
    thresholds: Annotated[
        list[float] | None,
        typer.Option(
            "--at-least",
            metavar="THRESHOLD",
            help="Try this threshold; repeatable. By default five, spread over the scores.",
        ),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME,...",
            help="Metrics that must not lose; by default claim_support; repeatable.",
            autocompletion=completion.metric_names,
        ),
    ] = None,
    margin: Annotated[
        float, typer.Option(min=0.0, help="What a metric may lose in the mean, on its own scale.")
    ] = 0.01,
    group: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Answers with one value of this attribute count as one group; by default those of a session.",
        ),
    ] = None,
    alpha: Annotated[
        float, typer.Option(min=0.0001, max=0.5, help="Chance that an interval misses, on both sides.")
    ] = 0.05,
    config: ConfigOption = None,
    seed: SeedOption = 0,
    resamples: ResamplesOption = 10_000,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> int:
    """Find the similarity threshold that production should use, from the answers it gave: in files, or in an agent.

    Each answer is judged against the passages of its context that a threshold would have kept. Recommended is the
    highest threshold at which no metric loses more than --margin, by the far end of its interval. Exit code 0, or 2 if
    answers cannot be had or log no scores.
    """
    needs_scipy()
    from collector.commands.threshold.replay import MAX_THRESHOLDS, ReplayChoices, replay_thresholds
    from collector.errors import ConfigError

    tried = thresholds or []
    if len(tried) > MAX_THRESHOLDS or not all(map(isfinite, tried)):
        raise ConfigError(f"--at-least: must be at most {MAX_THRESHOLDS} finite numbers")
    choices = ReplayChoices(tried, metrics or ["claim_support"], margin, group, alpha, seed, resamples)
    return printed_whole(
        lambda out: replay_thresholds(
            kept_answers(files, agent, token_file, scope, newest, sample, seed),
            load(config, None, None),
            choices,
            now=moment(None),
            workers=workers,
            as_json=as_json,
            out=out,
            err=sys.stderr,
        )
    )
