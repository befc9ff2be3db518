"""`groundwire evaluate`: a suite with one or more configurations, each into a run folder that is never changed.

A run asks an application or takes recorded answers, scores them, and checks what rows expect. It works from journals in
its folder (`collector.runs`), so that a run that was interrupted goes on where it ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import TextIO

import orjson

from adapters.schema import Answer
from collector.applications.asking import Asking
from collector.applications.callers import World
from collector.commands.checks import CheckReport, checks_of
from collector.commands.configurations import NamedConfiguration
from collector.commands.made_run import MadeRun
from collector.commands.objects import object_line
from collector.commands.planned_runs import PlannedRun, RunChoices, planned_runs
from collector.commands.progress import Progress, watched
from collector.commands.repeating import agreement_rows, shared_citations, spreads_of, with_agreement
from collector.commands.score import lines, with_what_they_read
from collector.commands.scoring import catalog_at, plan_of, scored
from collector.commands.valued import MetricCounts
from collector.configuration.models import workers_for
from collector.errors import ConfigError
from collector.runs.folder import ASKED, SCORED, begin, finish, writing_into
from collector.runs.journal import Journal, resumed, rows_of
from collector.runs.lock import alone_in
from collector.runs.tables import needs_pyarrow
from collector.writing import check_writable
from evaluation.consistency.citations import CITATION_AGREEMENT

KEPT, MISSED = 0, 1
ELSEWHERE = "; the environment variable TMPDIR names another folder for temporary files"
GOES_ON = "; what is there is kept, and the same command goes on from it"


def evaluate_suite(
    files: Sequence[Path],
    configurations: Sequence[NamedConfiguration],
    folder: Path,
    choices: RunChoices,
    world: World,
    *,
    as_json: bool,
    out: TextIO,
    err: TextIO,
) -> int:
    """Run a suite into ``folder``, or into a folder for each configuration there; return 0, or 1 if a row was missed.

    Raises `ConfigError` for a suite with a record that cannot be used, before anything is written, and for a folder
    that holds a finished run, or one that was begun with something else.
    """
    needs_pyarrow()
    if choices.junit is not None:
        check_writable(choices.junit, option="--junit")
    report = CheckReport(choices.by)
    with watched(out, err, at_end=True) as progress, TemporaryDirectory(prefix="groundwire-") as directory:
        with writing_into(Path(directory), ELSEWHERE):
            planned = planned_runs(files, configurations, folder, choices, world, Path(directory), progress, err)
        made: list[MadeRun] = []
        for run in planned:
            try:
                with alone_in(run.folder), writing_into(run.folder, GOES_ON):
                    made.append(_made(run, choices, world, report, progress, err))
            except ConfigError as error:
                # A pipeline that finds no file takes the job for one without tests.
                if choices.junit is not None:
                    report.write_junit(choices.junit, broken=(run.begun.name, str(error)))
                raise
    if choices.junit is not None:
        report.write_junit(choices.junit)
        if report.empty:
            err.write(
                f"groundwire: --junit {choices.junit}: has no tests: no row has `expect`, which says what to test\n"
            )
    if as_json:
        out.write(object_line({"runs": [run.told() for run in made], **report.told()}))
    else:
        out.writelines(run.line() for run in made)
        out.writelines(chain.from_iterable(run.spread_lines() for run in made))
        report.write(out)
    return MISSED if report.missed else KEPT


def _made(
    run: PlannedRun,
    choices: RunChoices,
    world: World,
    report: CheckReport,
    progress: Progress,
    err: TextIO,
) -> MadeRun:
    """Make a run, or finish it; return what there is to say of it."""
    manifest = begin(run.folder, run.begun)
    asked_before = _asked(run, world, progress)
    done = resumed(run.folder / SCORED, several=True)
    config = run.configuration.config
    shared = choices.workers or workers_for(config)
    with catalog_at(config.catalog, err) as catalog, Journal(run.folder / SCORED) as scores:
        plan = plan_of(
            config,
            with_what_they_read(run.wanted, run.panel),
            catalog=catalog,
            now=manifest.scored_as_of,
            workers=shared,
        )
        rows = rows_of(run.folder / ASKED)
        rest = (Answer.model_validate(row["answer"]) for row in rows if row["answer_id"] not in done)
        scoring = scored(rest, plan, workers=shared)
        size = run.size - len(done)
        for answer, result in progress.over(scoring, f"{run.begun.name}: scoring", "answers", of=size):
            shown = _shown(run, answer)
            told = (each.encode() for each in lines(orjson.loads(result.evaluation), shown, answer, config.external))
            scores.append_lines(told if choices.panel is None else chain(told, choices.panel.lines(answer)))
    agreement = agreement_rows(run.folder) if CITATION_AGREEMENT in run.begun.metrics else {}
    spreads = spreads_of(run.folder, agreement)
    counts = MetricCounts()
    every = counts.over(with_agreement(rows_of(run.folder / SCORED), agreement))
    unanswered, unasked = _lacking(run.folder / ASKED)
    # Without --metrics all are scored, and many need labels that few suites have.
    asked_for = [scorer.metric.name for scorer in run.wanted] if choices.metrics else []
    ended = finish(run.folder, manifest, every, checks_of(run.folder, run.begun.name, report))
    return MadeRun(
        name=run.begun.name,
        folder=run.folder,
        answers=run.size,
        resumed=max(len(done), asked_before),
        failed=ended.failed or 0,
        unanswered=unanswered,
        unasked=unasked,
        spreads=spreads,
        shared=shared_citations(agreement),
        metrics=counts.told(),
        without_value=tuple(counts.without_value(asked_for, run.size)),
    )


def _lacking(asked: Path) -> tuple[int, int]:
    """Return how many rows of a run have no answer though none failed, and how many no question."""
    unanswered = unasked = 0
    for row in rows_of(asked):
        answer = row["answer"]
        unanswered += answer.get("answer") is None and answer.get("status") != "error"
        unasked += answer.get("question") is None
    return unanswered, unasked


def _asked(run: PlannedRun, world: World, progress: Progress) -> int:
    """Put the answers of a run into its journal; return how many an application had given before."""
    target = run.folder / ASKED
    application = run.configuration.run.application
    if application is None or run.caller is None:
        part = target.with_name(f"{target.name}.part")
        copyfile(run.cases, part)
        part.replace(target)
        return 0
    done = resumed(target)
    asking = Asking(application, run.caller, world.now, world.monotonic, world.random)
    expected = (row for row in rows_of(run.cases) if row["answer_id"] not in done)
    questions = (Answer.model_validate(row["answer"]) for row in rows_of(run.cases) if row["answer_id"] not in done)
    with Journal(target) as journal, closing(asking.all(questions)) as answers:
        for answer, row in zip(
            progress.over(answers, f"{run.begun.name}: asking", "questions", every=1, of=run.size - len(done)),
            expected,
            strict=True,
        ):
            told = answer.model_dump(mode="json", exclude_defaults=True)
            journal.append([{"answer_id": answer.id, "answer": told, **{k: row[k] for k in ("expect",) if k in row}}])
    return len(done)


def _shown(run: PlannedRun, answer: Answer) -> dict[str, str]:
    """Return the metrics that an answer has the labels for, with their versions."""
    versions = run.begun.metrics
    return {
        name: versions[name]
        for name in (scorer.metric.name for scorer in run.wanted)
        if all(getattr(answer, label) is not None for label in run.labelled.get(name, ()))
    }
