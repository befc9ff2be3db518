"""The runs of `groundwire evaluate` before they are made: the cases of each, what is scored, what it is made from."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple, TextIO

from adapters.schema import Answer
from collector.applications.callers import Caller, World, caller_of
from collector.applications.options import HttpApplication, PythonApplication
from collector.commands.configurations import NamedConfiguration
from collector.commands.panels import COMPUTING as PANEL_COMPUTING
from collector.commands.panels import ReferencePanel
from collector.commands.progress import Progress
from collector.commands.repeating import has_groups, repeated
from collector.commands.score import external_scores, selected, versions_of
from collector.commands.scoring import require_catalog
from collector.commands.suites.joining import Suite
from collector.commands.suites.read import read_suite
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.runs.journal import rows_of
from collector.runs.manifest import FileKind, RunManifest, SuiteFile, digest_of, files_at, listed
from collector.security.text import one_line
from collector.store.externalrows import PREFIX
from evaluation.consistency.citations import AGREEMENT_VERSION, CITATION_AGREEMENT
from evaluation.reference.panel import REFERENCE_METRICS
from evaluation.suites.expectations import Expectations
from gates.units.names import suggestion
from scorers import SCORERS
from scorers.base import Scorer
from scorers.grounding.rubric_groundedness import RubricGroundedness
from scorers.offline import OFFLINE_SCORERS

COMPUTING = ("numpy", "orjson", "pyarrow", "pydantic", "snowballstemmer", "phonenumbers")
"""Packages that scores and tables can depend on."""

NOT_AGAIN = "no question is asked again; give --repeats, or rows whose attribute paraphrase_of names another row"


class RunChoices(NamedTuple):
    """What is scored, as of when, by which release, and by how many processes, by default one for each core.

    ``junit`` is where what rows expect is written as tests, ``by`` the attribute by whose values it is counted,
    ``answers`` are files of answers in place of the suite's own. ``metrics`` are all if none is named, and ``None`` if
    only those of the reference ``panel`` and of the scorers ``beside`` those that are configured are wanted.
    ``agreement`` tells that agreement in citations is asked for by name.
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
    agreement: bool = False


class PlannedRun(NamedTuple):
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


def planned_runs(
    files: Sequence[Path],
    configurations: Sequence[NamedConfiguration],
    folder: Path,
    choices: RunChoices,
    world: World,
    directory: Path,
    progress: Progress,
    err: TextIO,
) -> list[PlannedRun]:
    """Return the runs of each configuration over a suite, its cases in ``directory``. Raises `ConfigError`."""
    suite_files = listed([*files, *choices.answers])
    suites: dict[bool, Suite] = {}
    runs: list[PlannedRun] = []
    taken: set[str] = set()
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
            shown = recorded if len(suite.configurations) > 1 else None
            name = "-".join(part for part in (configuration.name, shown) if part)
            if choices.repeats > 1 and not asks:
                raise ConfigError("--repeats: nobody is asked again for recorded answers; name an --application")
            cases = repeated(told, choices.repeats)
            again = has_groups(cases)
            if choices.agreement and not again:
                raise ConfigError(f"--metrics {CITATION_AGREEMENT}: {NOT_AGAIN}")
            wanted, panel, labelled = _scorers(configuration.config, choices, cases, suite.expected)
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
                catalog=_catalog(configuration),
                files=files_of,
                seeds=configuration.run.seeds,
                metrics=versions_of(configuration.config, wanted, panel)
                | ({} if choices.panel is None else dict(choices.panel.versions))
                | ({CITATION_AGREEMENT: AGREEMENT_VERSION} if again else {}),
            )
            where = folder / _folder_name(configuration.name, shown, taken) if name else folder
            size = suite.counts[recorded] * choices.repeats
            runs.append(PlannedRun(where, begun, cases, size, configuration, wanted, panel, labelled, caller))
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


def _folder_name(configured: str | None, recorded: str | None, taken: set[str]) -> str:
    """Return the name of a run as a folder may have it, with a number where another run has that name already."""
    safe = None
    if recorded is not None:
        safe = "".join(sign if sign.isalnum() or sign in "_.@+-" else "_" for sign in recorded)[:100].lstrip(".") or "_"
    whole = "-".join(part for part in (configured, safe) if part)
    found, number = whole, 1
    while found.casefold() in taken:  # some file systems do not tell upper case from lower case
        number += 1
        found = f"{whole}-{number}"
    taken.add(found.casefold())
    return found


def _caller(
    application: HttpApplication | PythonApplication, world: World
) -> tuple[Callable[[], Caller], tuple[SuiteFile, ...]]:
    """Return what makes callers of an application, and the files of its code, as far as they are here."""
    caller, file = caller_of(application, world)
    return caller, () if file is None else files_at(file)


def _scorers(
    config: Config, choices: RunChoices, cases: Path, expected: Mapping[str, str]
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
        raise ConfigError(f"{expected[name]}: expect: {name} is of the reference panel; add --panel reference")
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


def packages(names: Sequence[str] = COMPUTING) -> dict[str, str]:
    """Return the versions of Python and of the packages that scores are computed with."""
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _catalog(configuration: NamedConfiguration) -> tuple[SuiteFile, ...]:
    options = configuration.config.catalog
    if options is None or options.path is None:
        return ()
    try:
        require_catalog(options.path)
    except ConfigError as error:
        where = "" if configuration.file is None else f"{configuration.file}: "
        raise ConfigError(f"{where}{error}") from error
    return files_at(options.path)
