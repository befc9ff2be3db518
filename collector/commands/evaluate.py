"""`groundwire evaluate`: a suite with one or more configurations, each into a run folder that is never changed.

A run asks an application or takes recorded answers, scores them, and checks what rows expect. It works from journals in
its folder (`collector.runs`), so that a run that was interrupted goes on where it ended.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import NamedTuple, TextIO

import orjson

from adapters.schema import Answer
from collector.applications.asking import Asking
from collector.applications.callers import Caller, World, caller_of
from collector.applications.options import HttpApplication, PythonApplication
from collector.commands.checks import CheckReport, checks_of
from collector.commands.configurations import NamedConfiguration
from collector.commands.made_run import MadeRun
from collector.commands.objects import object_line
from collector.commands.panels import COMPUTING as PANEL_COMPUTING
from collector.commands.panels import ReferencePanel
from collector.commands.progress import Progress, watched
from collector.commands.repeating import (
    agreement_rows,
    has_groups,
    repeated,
    shared_citations,
    spreads_of,
    with_agreement,
)
from collector.commands.score import external_scores, lines, selected, versions_of, with_what_they_read
from collector.commands.scoring import catalog_at, plan_of, scored
from collector.commands.suites.joining import Suite
from collector.commands.suites.read import read_suite
from collector.configuration.models import workers_for
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.runs.folder import ASKED, SCORED, begin, finish, writing_into
from collector.runs.journal import Journal, resumed, rows_of
from collector.runs.lock import alone_in
from collector.runs.manifest import FileKind, RunManifest, SuiteFile, digest_of, files_at, listed
from collector.runs.tables import needs_pyarrow
from collector.security.text import one_line
from collector.store.externalrows import PREFIX
from collector.writing import check_writable
from evaluation.consistency.citations import AGREEMENT_VERSION, CITATION_AGREEMENT
from evaluation.reference.panel import REFERENCE_METRICS
from evaluation.suites.expectations import Expectations
from gates.units.names import suggestion
from scorers import SCORERS
from scorers.base import Scorer
from scorers.grounding.rubric_groundedness import RubricGroundedness
from scorers.offline import OFFLINE_SCORERS

KEPT, MISSED = 0, 1
ELSEWHERE = "; the environment variable TMPDIR names another folder for temporary files"
GOES_ON = "; what is there is kept, and the same command goes on from it"
COMPUTING = ("numpy", "orjson", "pyarrow", "pydantic", "snowballstemmer", "phonenumbers")
"""Packages that scores and tables can depend on."""


class RunChoices(NamedTuple):
    """What is scored, as of when, by which release, and by how many processes, by default one for each core.

    ``junit`` is where what rows expect is written as tests, ``by`` the attribute by whose values it is counted,
    ``answers`` are files of answers in place of the suite's own. ``metrics`` are all if none is named, and ``None`` if
    only those of the reference ``panel`` and of the scorers ``beside`` those that are configured are wanted.
    """

    metrics: Sequence[str] | None
    now: datetime
    release: str
    workers: int | None
    junit: Path | None = None
    by: str | None = None
    answers: Sequence[Path] = ()
    panel: ReferencePanel | None = None
    repeats: int = 1
    beside: Sequence[Scorer] = ()


class _Planned(NamedTuple):
    """A run that is to be made: its folder, what it is made from, its cases and their number."""

    folder: Path
    begun: RunManifest
    cases: Path
    size: int
    configuration: NamedConfiguration
    wanted: Sequence[Scorer]
    panel: Sequence[Scorer]
    labelled: Mapping[str, frozenset[str]]
    caller: Callable[[], Caller] | None


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
            planned = _planned(files, configurations, folder, choices, world, Path(directory), progress, err)
        made: list[MadeRun] = []
        for run in planned:
            with alone_in(run.folder), writing_into(run.folder, GOES_ON):
                made.append(_made(run, choices, world, report, progress, err))
    if choices.junit is not None:
        report.write_junit(choices.junit)
    if as_json:
        out.write(object_line({"runs": [run.told() for run in made], **report.told()}))
    else:
        out.writelines(run.line() for run in made)
        out.writelines(chain.from_iterable(run.spread_lines() for run in made))
        report.write(out)
    return MISSED if report.missed else KEPT


def _planned(
    files: Sequence[Path],
    configurations: Sequence[NamedConfiguration],
    folder: Path,
    choices: RunChoices,
    world: World,
    directory: Path,
    progress: Progress,
    err: TextIO,
) -> list[_Planned]:
    suite_files = listed([*files, *choices.answers])
    suites: dict[bool, Suite] = {}
    runs: list[_Planned] = []
    for configuration in configurations:
        application = configuration.run.application
        asks = application is not None
        if asks not in suites:
            where = directory / ("asked" if asks else "recorded")
            where.mkdir()
            options = configuration.config.traces.options()
            suites[asks] = read_suite(
                files, options, where, progress, asks=asks, err=err, answered_in=() if asks else choices.answers
            )
        suite = suites[asks]
        caller, code = (None, ()) if application is None else _caller(application, world)
        for recorded, told in suite.configurations.items():
            name = "-".join(part for part in (configuration.name, _as_name(recorded, suite)) if part)
            if choices.repeats > 1 and not asks:
                raise ConfigError("--repeats: nobody is asked again for recorded answers; name an --application")
            cases = repeated(told, choices.repeats)
            wanted, panel, labelled = _scorers(configuration.config, choices, cases)
            files_of = _files_of(configuration, choices.panel, code)
            begun = RunManifest(
                groundwire=choices.release,
                name=name or folder.resolve().name,
                scored_as_of=choices.now,
                packages=packages(COMPUTING if choices.panel is None else (*COMPUTING, *PANEL_COMPUTING)),
                configuration=digest_of(configuration.config.model_dump(mode="json")),
                application=None
                if application is None
                else {**application.told, "options": digest_of(application.model_dump(mode="json"))},
                suite=suite_files,
                catalog=_catalog(configuration.config),
                files=files_of,
                seeds=configuration.run.seeds,
                metrics=versions_of(configuration.config, wanted, panel)
                | ({} if choices.panel is None else dict(choices.panel.versions))
                | ({CITATION_AGREEMENT: AGREEMENT_VERSION} if has_groups(cases) else {}),
            )
            where = folder / name if name else folder
            size = suite.counts[recorded] * choices.repeats
            runs.append(_Planned(where, begun, cases, size, configuration, wanted, panel, labelled, caller))
    return runs


def _files_of(
    configuration: NamedConfiguration, panel: ReferencePanel | None, code: tuple[SuiteFile, ...]
) -> dict[FileKind, tuple[SuiteFile, ...]]:
    """Return the files that a run is made from, by their kind."""
    found: dict[FileKind, tuple[SuiteFile, ...]] = {
        kind: listed(paths) for kind, paths in configuration.run.files.items()
    }
    added: dict[FileKind, tuple[SuiteFile, ...]] = {"code": code, "models": () if panel is None else panel.files}
    for kind, more in added.items():
        if more:
            found[kind] = (*found.get(kind, ()), *more)
    return found


def _as_name(recorded: str | None, suite: Suite) -> str | None:
    """Return the name of a recorded configuration, where there are several, as a folder may have it."""
    if recorded is None or len(suite.configurations) == 1:
        return None
    return "".join(sign if sign.isalnum() or sign in "_.@+-" else "_" for sign in recorded)[:100].lstrip(".") or "_"


def _made(
    run: _Planned,
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
    every = with_agreement(rows_of(run.folder / SCORED), agreement)
    ended = finish(run.folder, manifest, every, checks_of(run.folder, run.begun.name, report))
    return MadeRun(
        name=run.begun.name,
        folder=run.folder,
        answers=run.size,
        resumed=max(len(done), asked_before),
        failed=ended.failed or 0,
        spreads=spreads,
        shared=shared_citations(agreement),
    )


def _asked(run: _Planned, world: World, progress: Progress) -> int:
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


def _caller(
    application: HttpApplication | PythonApplication, world: World
) -> tuple[Callable[[], Caller], tuple[SuiteFile, ...]]:
    """Return what makes callers of an application, and the files of its code, as far as they are here."""
    caller, file = caller_of(application, world)
    return caller, () if file is None else files_at(file)


def _scorers(
    config: Config, choices: RunChoices, cases: Path
) -> tuple[Sequence[Scorer], Sequence[Scorer], Mapping[str, frozenset[str]]]:
    """Return what is scored: what is asked for, and what the expectations of rows need; then the panel, and labels."""
    needed: set[str] = set()
    for row in rows_of(cases):
        if "expect" in row:
            needed |= Expectations.model_validate(row["expect"]).metrics()
        if "judgements" in row["answer"]:
            # What cannot be used is known before anything is scored.
            external_scores(Answer.model_validate(row["answer"]), config.external)
        if choices.metrics == [] and (row["answer"].get("gold") or {}).get("rubric"):
            needed.add(RubricGroundedness.metric.name)
    needed = {name for name in needed if not name.startswith(PREFIX)}
    there = () if choices.panel is None else choices.panel.names
    for name in sorted(needed & set(REFERENCE_METRICS) - set(there)):
        raise ConfigError(f"expect: {name}: is of the reference panel; add --panel reference")
    needed -= set(there)
    metrics = choices.metrics or ()
    panel, wanted, labelled = selected(config, metrics)
    if choices.metrics is None:
        wanted = ()
    known = {scorer.metric.name: scorer for scorer in (*panel, *choices.beside)}
    for name in sorted(needed - known.keys()):
        added = next((scorer for scorer in (*SCORERS, *OFFLINE_SCORERS) if scorer.metric.name == name), None)
        if added is None:
            raise ConfigError(f"expect: {one_line(name)}: no such metric{suggestion(name, list(known))}")
        known[name] = added()
    chosen = {scorer.metric.name for scorer in (*wanted, *choices.beside)} | needed
    every = tuple(known.values())
    labels = labelled if metrics else {**labelled}
    for name in needed:
        labels = {each: of for each, of in labels.items() if each != name}
    return tuple(scorer for scorer in every if scorer.metric.name in chosen), every, labels


def _shown(run: _Planned, answer: Answer) -> dict[str, str]:
    """Return the metrics that an answer has the labels for, with their versions."""
    versions = run.begun.metrics
    return {
        name: versions[name]
        for name in (scorer.metric.name for scorer in run.wanted)
        if all(getattr(answer, label) is not None for label in run.labelled.get(name, ()))
    }


def packages(names: Sequence[str] = COMPUTING) -> dict[str, str]:
    """Return the versions of Python and of the packages that scores are computed with."""
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _catalog(config: Config) -> tuple[SuiteFile, ...]:
    return () if config.catalog is None or config.catalog.path is None else files_at(config.catalog.path)
