"""Another index or retriever, judged by recorded answers before it serves anybody."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from collector.cli.evaluation import ResamplesOption, SeedOption, needs_scipy, world
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
    kept_answers,
    load,
    printed_whole,
)


@command
def retrieval_compare(
    retriever: Annotated[
        Path,
        typer.Argument(metavar="RETRIEVER", help="File that says how it is asked: docs/retrieval.md."),
    ],
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE...", help="Recorded answers: everything that `groundwire score` reads."),
    ] = None,
    agent: AgentOption = None,
    token_file: TokenOption = None,
    scope: ScopeOption = None,
    newest: NewestOption = 10_000,
    sample: SampleOption = None,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="DIR", help="Keep what was retrieved here; the same command then goes on."),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,...", help="Metrics that must not lose; by default claim_support; repeatable."),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="NAME", help="Judge each value of this attribute too; repeatable."),
    ] = None,
    margin: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="What a metric may lose in the mean, on its own scale.")
    ] = 0.02,
    alpha: Annotated[
        float, typer.Option(min=0.0001, max=0.5, help="Chance of a wrong interval, over all rows together.")
    ] = 0.05,
    max_failed: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of questions that may fail for the verdict to be a pass.")
    ] = 0.01,
    group: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Answers with one value of this attribute count as one group; by default those of a session.",
        ),
    ] = None,
    config: ConfigOption = None,
    seed: SeedOption = 0,
    resamples: ResamplesOption = 10_000,
    workers: WorkersOption = None,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the verdict as JUnit XML.")] = None,
    markdown: Annotated[Path | None, typer.Option(metavar="FILE", help="Append the verdict as Markdown.")] = None,
    as_json: JsonOption = False,
) -> int:
    """Judge another index or retriever by answers that production gave, before it serves anybody.

    Each recorded question is put to the retriever, and the recorded answer is judged against what comes back: which
    support it loses, with which documents, and what is no longer in force. Exit code 0 if every metric loses at most
    --margin, 1 if one is shown to lose more, 3 if neither is shown, 2 for what cannot be used.
    """
    needs_scipy()
    from collector.commands.retrieval.compare import ReplayFiles, RetrievalChoices, compare_retrieval

    kept = kept_answers(files, agent, token_file, scope, newest, sample, seed)
    choices = RetrievalChoices(
        retriever, metrics or ["claim_support"], by or [], margin, alpha, max_failed, group, seed, resamples
    )
    return printed_whole(
        lambda out: compare_retrieval(
            kept,
            load(config, None, None),
            choices,
            ReplayFiles(to, junit, markdown, as_json),
            world=world(),
            workers=workers,
            out=out,
            err=sys.stderr,
        )
    )
