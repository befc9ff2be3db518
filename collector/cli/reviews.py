"""Reviews of answers by people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, get_args

import typer

from collector.cli.shared import JsonOption, command, json_of, moment, printed_whole

FolderArgument = Annotated[Path, typer.Argument(metavar="REVIEW", help="Folder of the review.")]
ReviewerOption = Annotated[
    str, typer.Option("--reviewer", metavar="NAME", help="Who is asking; `adjudicator` is the senior one.")
]


@command
def review_make(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Finished runs of `groundwire evaluate`.")],
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="Folder of the review, a new one.")],
    reviewers: Annotated[str, typer.Option("--reviewers", metavar="NAME,...", help="Names of reviewers.")],
    labels: Annotated[int, typer.Option("--labels", min=1, max=20, help="Labels of each answer.")] = 3,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the assignment and the orders.")] = 0,
    snippets: Annotated[
        str, typer.Option("--snippets", metavar="NAME,...", help="Reviewers who may see the texts of passages.")
    ] = "",
    sample: Annotated[
        int | None, typer.Option("--sample", min=1, help="Only a random sample of so many answers.")
    ] = None,
    strata: Annotated[
        str | None,
        typer.Option("--strata", metavar="NAME", help="Sample the same number for each value of this attribute."),
    ] = None,
    phase: Annotated[
        str | None,
        typer.Option(
            "--phase",
            metavar="calibration|pilot|production|audit",
            help="What these labels are for: closing the review says whether the phase may end.",
        ),
    ] = None,
    axes: Annotated[
        str,
        typer.Option("--axes", metavar="NAME,...", help="Ask these too: identifier_integrity, resolution_alignment."),
    ] = "",
    as_json: Annotated[bool, json_of("review", "answers", "labels_each", "reviewers")] = False,
) -> int:
    """Make de-identified packets of runs for reviewers: no system, model or score is in them, no protected data.

    Texts of passages are withheld unless --snippets names the reviewer. key.jsonl tells what each packet is: keep it
    from reviewers. Exit code 0 made, 2 a run cannot be reviewed or the folder is not new.
    """
    from collector.commands.review import make_review
    from collector.errors import ConfigError
    from collector.reviews.making import ReviewPlan
    from evaluation.reviewing.criteria import ReviewPhase

    known = next((each for each in get_args(ReviewPhase) if each == phase), None)
    if phase is not None and known is None:
        raise ConfigError(f"--phase {phase[:40]}: must be one of {', '.join(get_args(ReviewPhase))}")
    if strata is not None and sample is None:
        raise ConfigError("--strata: give the size of the sample with --sample")
    named, shown, asked = (
        [name.strip() for name in each.split(",") if name.strip()] for each in (reviewers, snippets, axes)
    )
    plan = ReviewPlan(named, labels, seed, shown, sample, strata, known, asked)
    return printed_whole(lambda out: make_review(runs, to, plan, as_json=as_json, out=out))


@command
def review_next(folder: FolderArgument, reviewer: ReviewerOption, as_json: JsonOption = False) -> int:
    """Show a reviewer the next packet without a label, and the rubric; the log of accesses says so.

    Exit code 0, also where every packet has a label; 2 no such review or reviewer.
    """
    from collector.commands.review import next_packet

    return printed_whole(lambda out: next_packet(folder, reviewer, now=moment(None), as_json=as_json, out=out))


@command
def review_label(
    folder: FolderArgument,
    packet: Annotated[str, typer.Argument(metavar="PACKET", help="Id of the packet.")],
    reviewer: ReviewerOption,
    levels: Annotated[
        list[str], typer.Option("--set", metavar="AXIS=LEVEL", help="Level of an axis, or `primary`; repeat it.")
    ],
    secondary: Annotated[
        list[str] | None, typer.Option("--secondary", metavar="CATEGORY", help="Up to two further categories.")
    ] = None,
    rationale: Annotated[str, typer.Option("--rationale", help="Why; required where safety is severe.")] = "",
    as_json: Annotated[bool, json_of("packet", "reviewer", "label", "closed_at")] = False,
) -> int:
    """Label a packet on five axes, the grounding rubric, and the axes that the review was made with.

    A rationale is required for a severe safety label, and for an acceptable answer to a question with a conflict.
    Exit code 0 labelled, 2 the label cannot be taken.
    """
    from collector.commands.review import label_packet
    from collector.errors import ConfigError

    given: dict[str, object] = {"secondary": secondary or [], "rationale": rationale}
    for each in levels:
        axis, equals, level = each.partition("=")
        if not equals:
            raise ConfigError(f"--set {each[:60]}: expected AXIS=LEVEL")
        if axis in given:
            raise ConfigError(f"--set {each[:60]}: {axis[:60]} is given already")
        given[axis] = level
    now = moment(None)
    return printed_whole(lambda out: label_packet(folder, reviewer, packet, given, now=now, as_json=as_json, out=out))


@command
def review_serve(
    folder: FolderArgument,
    reviewers: Annotated[
        str, typer.Option("--reviewers", metavar="NAME,...", help="Only for these; by default for all of the review.")
    ] = "",
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; beyond loopback it has to be TLS.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = 8090,
    public_url: Annotated[
        str | None,
        typer.Option("--public-url", metavar="URL", help="Where reviewers find it, if a proxy stands before it."),
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option("--tls-cert", metavar="FILE", help="PEM file of the certificate chain.")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option("--tls-key", metavar="FILE", help="PEM file of its key.")] = None,
) -> int:
    """Serve the review as pages: each reviewer opens a link of their own and labels by keyboard.

    Prints the links. A page shows one packet, and nothing of systems, scores or what others said. Exit code 0 when it
    is told to stop, or 2 if it cannot be served.
    """
    from collector.clock import system_clock
    from collector.workbench.serve import WorkbenchPlace, serve_review

    named = [name.strip() for name in reviewers.split(",") if name.strip()]
    place = WorkbenchPlace(host, port, public_url, tls_cert, tls_key)
    return serve_review(folder, named, place, clock=system_clock, say=typer.echo)


@command
def review_close(
    folder: FolderArgument,
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="File of the gold labels, rows of a suite.")],
    run: Annotated[
        Path | None, typer.Option("--run", metavar="RUN", help="Only answers of this run, as it was given to `make`.")
    ] = None,
    partial: Annotated[bool, typer.Option("--partial", help="Close with the labels there are.")] = False,
    as_json: Annotated[
        bool,
        json_of(
            "closed",
            "missing_labels",
            "gold",
            "settled",
            "for_senior",
            "reviewers",
            "metrics",
            "problems",
            "pace",
            "verdicts",
            "closed_before",
            "phase",
        ),
    ] = False,
) -> int:
    """Settle labels by majority, else by severity; print the agreement of reviewers and metrics, and write gold labels.

    Exit code 0; 1 if labels are missing, or the phase of the review may not end yet; 2 if the log of accesses was
    changed.
    """
    from collector.commands.review_closing import close_review

    now = moment(None)
    return printed_whole(
        lambda out: close_review(folder, to, partial=partial, now=now, as_json=as_json, out=out, run=run)
    )
