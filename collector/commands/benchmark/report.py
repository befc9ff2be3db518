"""`groundwire benchmark report`: the answers of a benchmark scored, evaluators fitted, and what was held out told."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import msgspec
import numpy as np
import orjson
from pydantic import ValidationError

from adapters.schema import Answer
from collector.commands.benchmark.generate import ADJUDICATIONS, ANSWERS, CATALOG, CONFIGURATION, MANIFEST, REVIEWS
from collector.commands.benchmark.pages import check_of, markdown
from collector.commands.benchmark.pictures import pictures
from collector.commands.fitting import FittedAnswer, as_plain, rows_of
from collector.commands.progress import watched
from collector.configuration.file import load
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.reports.plots import needs_matplotlib
from collector.security.text import one_line
from collector.writing import write_whole
from evaluation.fitting.configurations import AnswerFacts
from evaluation.fitting.report import BenchmarkReport, UnexpectedBehaviourError, report
from evaluation.fitting.table import AdjudicatedLabel, LabelledTable
from evaluation.statistics.agreement import ReviewerAgreement, agreement
from gates.verdicts.summary import counted

FINE, UNEXPECTED = 0, 1
REPORT, PAGE, TUNING = "report.json", "report.md", "tuning.jsonl"
SPLIT_SEED, BOOTSTRAP_SEED = 3107, 8821
"""Seeds of PROBE, A.1."""
MAX_LINE = 1_000_000


class _Label(msgspec.Struct, gc=False):
    answer_id: str
    configuration: str
    question_id: str
    acceptable: bool
    unsafe: bool
    category: str | None = None


class _Review(msgspec.Struct, gc=False):
    answer_id: str
    reviewer: str
    grounding: str
    acceptable: bool
    severe_safety: bool


class BenchmarkChoices(NamedTuple):
    """How a benchmark is reported on: see the options of the command."""

    resamples: int
    workers: int | None
    now: datetime
    release: str


def report_benchmark(folder: Path, to: Path, choices: BenchmarkChoices, *, out: TextIO, err: TextIO) -> int:
    """Score the answers of a benchmark, write the report to a new folder and print its page.

    Returns 0, or 1 where metrics do not behave as expected on known failures: nothing is claimed then. Raises
    `ConfigError` for a folder that is no benchmark, or whose files contradict each other.
    """
    needs_matplotlib()
    config, manifest = _configuration(folder), _manifest(folder)
    _whole(folder, manifest)
    labels = {label.answer_id: label for label in _read(folder / ADJUDICATIONS, _Label)}
    kappas = _agreement(folder / REVIEWS)
    begin(to)
    with watched(out, err, at_end=True) as progress, ExitStack() as files:
        answers = _labelled(_answers(folder, manifest["configurations"], files), labels, folder / ADJUDICATIONS)
        found = list(rows_of(answers, config, now=choices.now, workers=choices.workers, progress=progress, err=err))
        progress.tell("fitting and reporting")
        table, facts, unscored = _table(found, labels)
        try:
            told = report(
                table,
                facts,
                np.random.default_rng(BOOTSTRAP_SEED),
                np.random.default_rng(SPLIT_SEED),
                choices.resamples,
            )
        except UnexpectedBehaviourError as error:
            for change in error.changes:
                moved = f"it went from {change.sound:.3f} to {change.failing:.3f} over {counted(change.pairs)}"
                err.write(f"groundwire: {check_of(change)}, but {moved}\n")
            err.write("groundwire: metrics do not behave as expected on known failures, so nothing is reported\n")
            return UNEXPECTED
        except ValueError as error:
            raise ConfigError(f"{folder}: {error}") from error
    whole = {
        "groundwire": choices.release,
        "benchmark": {"seed": manifest["seed"], "sha256": _digest(folder / MANIFEST)},
        "seeds": {"split": SPLIT_SEED, "bootstrap": BOOTSTRAP_SEED},
        "resamples": choices.resamples,
        "unscored": unscored,
        "agreement": {name: each._asdict() for name, each in kappas.items()},
        **_plain(told),
    }
    page = markdown(told, kappas, unscored=unscored)
    for name, picture in pictures(told).items():
        write_whole(to / name, picture)
    write_whole(to / TUNING, b"".join(orjson.dumps(step._asdict()) + b"\n" for step in told.log))
    write_whole(to / PAGE, page.encode())
    write_whole(to / REPORT, orjson.dumps(whole, option=orjson.OPT_INDENT_2))
    out.write(page)
    if missing := [each for each in told.behaviour if not each.as_expected]:
        err.write(
            f"groundwire: {len(missing)} of {len(told.behaviour)} checks on known failures have too few answers; the"
            " page names them. Take the figures for a try, and generate more questions for a claim\n"
        )
    return FINE


def begin(folder: Path) -> None:
    """Make a new folder. Raises `ConfigError` for one that holds files or cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            hint = "" if (folder / REPORT).exists() else ", or delete what an interrupted `report` left in it"
            raise ConfigError(f"{folder}: holds other files; name a new folder{hint}")
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written: {error.strerror}") from error


def _configuration(folder: Path) -> Config:
    path = folder / CONFIGURATION
    config = load(_text(path), where=str(path))
    if config.catalog is None or config.catalog.path is None:
        return config
    catalog = config.catalog.model_copy(update={"path": folder / CATALOG})
    return config.model_copy(update={"catalog": catalog})


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        found = orjson.loads(_text(path))
    except orjson.JSONDecodeError as error:
        raise ConfigError(f"{path}: no JSON: {error}") from error
    names = found.get("configurations") if isinstance(found, dict) else None
    if not isinstance(names, list) or not names or not all(isinstance(name, str) and name for name in names):
        raise ConfigError(f"{path}: configurations: must be names of files in {ANSWERS}")
    if any("/" in name for name in names):
        raise ConfigError(f"{path}: configurations: a name has no slash")
    return {"seed": None, **found}


def _whole(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Refuse files that are not those of the manifest, where it has checksums."""
    sums = manifest.get("sha256", {})
    if not isinstance(sums, dict) or not all(isinstance(each, str) for each in sums.values()):
        raise ConfigError(f"{folder / MANIFEST}: sha256: must be an object of checksums by file")
    for name, checksum in sums.items():
        path = folder / name
        try:
            found = _digest(path)
        except OSError as error:
            raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
        if found != checksum:
            raise ConfigError(
                f"{path}: was changed after it was generated (its SHA-256 is not that of {MANIFEST}); generate the"
                f" benchmark again, or remove sha256 from {MANIFEST} if you meant to change it"
            )


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise ConfigError(f"{path}: cannot be read: {reason}") from error


def _answers(folder: Path, names: Sequence[str], files: ExitStack) -> Iterator[Answer]:
    """Yield the answers of all configurations to one question, then to the next: they share their passages."""
    paths = [folder / ANSWERS / f"{name}.jsonl" for name in names]
    try:
        streams = [files.enter_context(path.open("rb")) for path in paths]
    except OSError as error:
        raise ConfigError(f"{error.filename}: cannot be read: {error.strerror}") from error
    number, ended = 0, [False] * len(streams)
    while not all(ended):
        number += 1
        for place, (path, stream) in enumerate(zip(paths, streams, strict=True)):
            line = b"" if ended[place] else stream.readline(MAX_LINE)
            ended[place] = not line
            if line.strip():
                yield _answer(path, number, line)


def _answer(path: Path, number: int, line: bytes) -> Answer:
    try:
        return Answer.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ConfigError(f"{path}: line {number}: {one_line(f'{where}: ' if where else '')}{first['msg']}") from error


def _read(path: Path, kind: type[Any]) -> Iterator[Any]:
    decoder = msgspec.json.Decoder(kind)
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), b""), 1):
                try:
                    yield decoder.decode(line)
                except (msgspec.DecodeError, UnicodeDecodeError) as error:
                    raise ConfigError(f"{path}: line {number}: {one_line(str(error))}") from error
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error


def _agreement(path: Path) -> Mapping[str, ReviewerAgreement]:
    if not path.is_file():
        return {}
    by_axis: dict[str, dict[str, list[Hashable]]] = {"grounding": {}, "acceptability": {}, "severe safety": {}}
    for review in _read(path, _Review):
        said = (review.grounding, review.acceptable, review.severe_safety)
        for axis, label in zip(by_axis.values(), said, strict=True):
            axis.setdefault(review.answer_id, []).append(label)
    return {name: agreement(labels) for name, labels in by_axis.items()}


def _labelled(answers: Iterator[Answer], labels: Mapping[str, _Label], path: Path) -> Iterator[Answer]:
    """Yield the answers. Raises `ConfigError` at the first without a label, before all are scored."""
    for answer in answers:
        if answer.id not in labels:
            raise ConfigError(f"{path}: answer_id: answer {one_line(answer.id, 80)!r} has no label")
        yield answer


def _table(found: Sequence[FittedAnswer], labels: Mapping[str, _Label]) -> tuple[LabelledTable, AnswerFacts, int]:
    kept = [(each.answer, each.row, labels[each.answer.id]) for each in found if each.row is not None]
    table = LabelledTable.of(
        [row for _, row, _ in kept],
        [AdjudicatedLabel(label.acceptable, label.unsafe, label.category) for _, _, label in kept],
        [answer.attributes.get("group", answer.id) for answer, _, _ in kept],
        [_stratum(answer) for answer, _, _ in kept],
    )
    facts = AnswerFacts(
        [label.configuration for _, _, label in kept],
        [label.question_id for _, _, label in kept],
        [None if a.usage.latency_ms is None else a.usage.latency_ms / 1000.0 for a, _, _ in kept],
        [a.usage.cost_usd for a, _, _ in kept],
    )
    return table, facts, len(found) - len(kept)


def _stratum(answer: Answer) -> tuple[str | None, ...]:
    """Return what parts are balanced by: domain, task family, conflict, answerability (PROBE 3.4)."""
    told = answer.attributes
    conflict = "conflict" if "conflict" in told.get("flags", "") else "none"
    return told.get("domain"), told.get("task_family"), conflict, told.get("expected")


def _plain(told: BenchmarkReport) -> dict[str, Any]:
    """Return a report as JSON can hold it."""
    rule = told.rule
    return {
        "answers": told.answers,
        "rule": {
            "weights": rule.profile.weights.shares(),
            "regulated": rule.profile.override.model_dump(),
            "caps": rule.profile.caps.model_dump(),
            "thresholds": rule.thresholds._asdict(),
            "scaling": rule.scaling._asdict(),
        },
        "evaluators": [as_plain(each) for each in told.evaluators],
        "differences": [as_plain(each) for each in told.differences],
        "ablation": [as_plain(each) for each in told.ablation],
        "configurations": [as_plain(each) for each in told.configurations],
        "correlations": [as_plain(each) for each in told.correlations],
        "behaviour": [as_plain(each) for each in told.behaviour],
        "calibration": told.calibration,
        "confusion": told.confusion,
    }


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
