"""`groundwire evaluate`: the scores of a suite as a run folder, which is written once and says what it was made from.

A folder holds Parquet tables and ``manifest.json`` (`collector.runs`). A run that was interrupted goes on where it
ended; a finished one is never changed.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import move
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TextIO

import orjson

from adapters.base import AdaptOptions, MalformedRecord
from adapters.schema import Answer
from collector.commands.progress import Progress, watched
from collector.commands.reading import answers
from collector.commands.score import REPORTED, lines, selected, with_what_they_read
from collector.commands.scoring import ScoringPlan, catalog_at, scored
from collector.configuration.models import threads_of, workers_for
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.runs.folder import ASKED, SCORED, begin, finish
from collector.runs.journal import Journal, resumed, rows_of
from collector.runs.manifest import RunManifest, SuiteFile, files_at, listed
from collector.runs.tables import needs_pyarrow
from collector.security.text import one_line
from gates.verdicts.summary import counted
from scorers.base import Metric, Scorer

FINE = 0
COMPUTING = ("numpy", "orjson", "pyarrow", "pydantic", "snowballstemmer", "phonenumbers")
"""Packages that scores and tables can depend on."""


class RunChoices(NamedTuple):
    """What is scored, as of when, by which release, and by how many processes, by default one for each core."""

    metrics: Sequence[str]
    now: datetime
    release: str
    workers: int | None


def evaluate_suite(
    files: Sequence[Path],
    config: Config,
    folder: Path,
    choices: RunChoices,
    *,
    out: TextIO,
    err: TextIO,
) -> int:
    """Score the recorded answers of a suite into ``folder``, or finish what was begun there; return 0.

    Raises `ConfigError` for a suite with a record that cannot be read or an id that comes twice, and for a folder that
    holds a finished run, or one of another suite, configuration, catalog or release.
    """
    needs_pyarrow()
    panel, wanted, labelled = selected(config, choices.metrics)
    begun = RunManifest(
        groundwire=choices.release,
        name=folder.resolve().name,
        scored_as_of=choices.now,
        packages=packages(),
        configuration=hashlib.sha256(
            orjson.dumps(config.model_dump(mode="json"), option=orjson.OPT_SORT_KEYS)
        ).hexdigest(),
        suite=listed(files),
        catalog=_catalog(config),
        metrics={scorer.metric.name: scorer.metric.version for scorer in wanted},
    )
    with watched(out, err, at_end=True) as progress, TemporaryDirectory(prefix="groundwire-") as directory:
        spool = Path(directory) / ASKED
        n_answers = _spooled(files, config.traces.options(), progress, spool)
        manifest = begin(folder, begun)
        _moved(spool, folder / ASKED)
        done = resumed(folder / SCORED, several=True)
        shared = choices.workers or workers_for(config)
        with catalog_at(config.catalog, err) as catalog, Journal(folder / SCORED) as scores:
            plan = ScoringPlan(
                panel=with_what_they_read(wanted, panel),
                catalog=catalog,
                now=manifest.scored_as_of,
                timeout=config.scoring.timeout.total_seconds(),
                max_text_chars=config.traces.options().max_text_chars,
                compares=False,
                entailment=config.scoring.entailment,
                threads=threads_of(shared),
            )
            rows = rows_of(folder / ASKED)
            rest = (Answer.model_validate(row["answer"]) for row in rows if row["answer_id"] not in done)
            left = _Sized(scored(rest, plan, workers=shared), n_answers - len(done))
            for answer, result in progress.over(left, "scoring", "answers"):
                scores.append_lines(_lines(orjson.loads(result.evaluation), wanted, labelled, answer))
        finish(folder, manifest, iter(()))
    before = f", {len(done):,} of them before it was interrupted" if done else ""
    out.write(f"{folder}: {counted(n_answers, 'answer')} scored{before}\n")
    return FINE


class _Sized:
    """An iterable of which is known how many it will yield."""

    def __init__(self, items: Iterator[Any], size: int) -> None:
        self._items = items
        self._size = size

    def __iter__(self) -> Iterator[Any]:
        return self._items

    def __len__(self) -> int:
        return self._size


def _lines(
    evaluation: dict[str, Any], wanted: Sequence[Scorer], labelled: Mapping[str, frozenset[str]], answer: Answer
) -> Iterator[bytes]:
    shown: dict[str, Metric] = {
        scorer.metric.name: scorer.metric
        for scorer in wanted
        if all(getattr(answer, label) is not None for label in labelled.get(scorer.metric.name, ()))
    }
    return (line.encode() for line in lines(evaluation, shown, answer))


def packages() -> dict[str, str]:
    """Return the versions of Python and of the packages that scores are computed with."""
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for name in COMPUTING:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _spooled(files: Sequence[Path], options: AdaptOptions, progress: Progress, spool: Path) -> int:
    """Write the answers of a suite to ``spool``, so that few are in memory; return their number."""
    ids: set[bytes] = set()
    problems: list[str] = []
    with Journal(spool) as journal:
        for path, item in answers(files, options, progress):
            if isinstance(item, MalformedRecord):
                problems.append(f"{path}: {one_line(str(item))}")
                continue
            digest = hashlib.blake2b(item.id.encode(), digest_size=16).digest()
            if digest in ids:
                problems.append(f"{path}: id: two answers have the id {one_line(item.id, 60)!r}")
            ids.add(digest)
            if not problems:
                told = item.model_dump(mode="json", exclude_defaults=True)
                journal.append([{"answer_id": item.id, "answer": told}])
    if len(problems) > REPORTED:
        problems[REPORTED:] = [f"{counted(len(problems), 'record')} cannot be used"]
    if not ids and not problems:
        problems.append(f"{files[0]}: has no answers")
    if problems:
        raise ConfigError(*problems)
    return len(ids)


def _catalog(config: Config) -> tuple[SuiteFile, ...]:
    return () if config.catalog is None or config.catalog.path is None else files_at(config.catalog.path)


def _moved(source: Path, target: Path) -> None:
    """Put a file in its place whole or not at all, from another file system if need be."""
    part = target.with_name(f"{target.name}.part")
    move(source, part)
    part.replace(target)
