"""`groundwire evaluate`: the scores of a suite as a run folder, which is written once and says what it was made from.

A folder holds ``scores.jsonl``, the lines of `groundwire score --json`, and ``manifest.json``: checksums of the suite,
the configuration and the catalog, the versions of the metrics, and at the end the checksum of the scores. A run that
was interrupted goes on where it ended; a finished one is never changed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TextIO

import orjson
from pydantic import AwareDatetime, Field, ValidationError

from adapters.base import AdaptOptions, MalformedRecord
from adapters.schema import Answer
from collector.commands.progress import Progress, watched
from collector.commands.reading import answers
from collector.commands.score import REPORTED, ScoreOutput, selected, with_what_they_read
from collector.commands.scoring import ScoringPlan, catalog_at, scored
from collector.configuration.models import threads_of, workers_for
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.security.text import one_line
from gates.verdicts.summary import counted
from scorers.base import Value

FINE = 0
SCORES, MANIFEST, PART = "scores.jsonl", "manifest.json", "manifest.part"
BLOCK = 1024 * 1024
MAX_MANIFEST_BYTES = 10_000_000
READ_ONLY = 0o444

_Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class SuiteFile(Value):
    """A file of the suite, or of the catalog."""

    name: str
    sha256: _Digest
    size: int


class RunManifest(Value):
    """What a run was made from. ``scores`` and ``answers`` are known when it has ended."""

    manifest_version: Literal[1] = 1
    groundwire: str
    scored_as_of: AwareDatetime
    configuration: _Digest
    suite: tuple[SuiteFile, ...]
    catalog: tuple[SuiteFile, ...] = ()
    metrics: dict[str, str]
    answers: int | None = None
    scores: _Digest | None = None


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
    panel, wanted, labelled = selected(config, choices.metrics)
    begun = RunManifest(
        groundwire=choices.release,
        scored_as_of=choices.now,
        configuration=hashlib.sha256(
            orjson.dumps(config.model_dump(mode="json"), option=orjson.OPT_SORT_KEYS)
        ).hexdigest(),
        suite=tuple(_told(path) for path in files),
        catalog=_catalog(config),
        metrics={scorer.metric.name: scorer.metric.version for scorer in wanted},
    )
    with watched(out, err, at_end=True) as progress:
        suite = _suite(files, config.traces.options(), progress)
        manifest = _begun(folder, begun)
        done = _resumed(folder / SCORES)
        rest = [answer for answer in suite if answer.id not in done]
        shared = choices.workers or workers_for(config)
        with catalog_at(config.catalog, err) as catalog, (folder / SCORES).open("a", encoding="utf-8") as file:
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
            output = ScoreOutput({scorer.metric.name: scorer.metric for scorer in wanted}, labelled, "json", file, err)
            for answer, result in progress.over(scored(rest, plan, workers=shared), "scoring", "answers"):
                output.show(answer, result)
                file.flush()
            os.fsync(file.fileno())
    ended = manifest.model_copy(update={"answers": len(suite), "scores": _digest(folder / SCORES)})
    _write(folder / MANIFEST, ended)
    for name in (SCORES, MANIFEST):
        (folder / name).chmod(READ_ONLY)
    resumed = f", {len(done):,} of them before it was interrupted" if done else ""
    out.write(f"{folder}: {counted(len(suite), 'answer')} scored{resumed}\n")
    return FINE


def scores_of(folder: Path) -> Path:
    """Return the file of scores in a run folder. Raises `ConfigError` for an unfinished run, or scores that changed."""
    manifest = _manifest(folder)
    if manifest is None:
        raise ConfigError(f"{folder}: is no run folder: it has no {MANIFEST}")
    if manifest.scores is None:
        raise ConfigError(f"{folder}: the run did not end; finish it with the same command that began it")
    if _digest(folder / SCORES) != manifest.scores:
        raise ConfigError(f"{folder / SCORES}: was changed after the run ended: its checksum is not that of {MANIFEST}")
    return folder / SCORES


def _suite(files: Sequence[Path], options: AdaptOptions, progress: Progress) -> list[Answer]:
    found: dict[str, Answer] = {}
    problems: list[str] = []
    for path, item in answers(files, options, progress):
        if isinstance(item, MalformedRecord):
            problems.append(f"{path}: {one_line(str(item))}")
        elif item.id in found:
            problems.append(f"{path}: id: two answers have the id {one_line(item.id, 60)!r}")
        else:
            found[item.id] = item
    if len(problems) > REPORTED:
        problems[REPORTED:] = [f"{counted(len(problems), 'record')} cannot be used"]
    if not found and not problems:
        problems.append(f"{files[0]}: has no answers")
    if problems:
        raise ConfigError(*problems)
    return list(found.values())


def _catalog(config: Config) -> tuple[SuiteFile, ...]:
    path = None if config.catalog is None else config.catalog.path
    if path is None:
        return ()
    parts = sorted(part for part in path.rglob("*") if part.is_file()) if path.is_dir() else [path]
    return tuple(_told(part) for part in parts)


def _told(path: Path) -> SuiteFile:
    if not path.is_file():
        raise ConfigError(f"{path}: cannot be read: not a file")
    return SuiteFile(name=path.name, sha256=_digest(path), size=path.stat().st_size)


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(BLOCK):
                digest.update(block)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    return digest.hexdigest()


def _manifest(folder: Path) -> RunManifest | None:
    path = folder / MANIFEST
    try:
        with path.open("rb") as file:
            return RunManifest.model_validate_json(file.read(MAX_MANIFEST_BYTES))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def _begun(folder: Path, begun: RunManifest) -> RunManifest:
    """Return the manifest of the run in ``folder``, which is begun if there is none."""
    there = _manifest(folder)
    if there is None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(each.name != PART for each in folder.iterdir()):
                raise ConfigError(f"{folder}: holds other files; name a new folder")
            _write(folder / MANIFEST, begun)
        except OSError as error:
            raise ConfigError(f"{folder}: cannot be written: {error.strerror}") from error
        return begun
    if there.scores is not None:
        raise ConfigError(f"{folder}: holds a finished run, which is never changed; name a new folder")
    for name in ("groundwire", "configuration", "suite", "catalog", "metrics"):
        if getattr(there, name) != getattr(begun, name):
            raise ConfigError(f"{folder}: was begun with another {name}; name a new folder")
    return there


def _resumed(path: Path) -> frozenset[str]:
    """Return the answers that were scored, after taking away the last one: its lines may be cut short."""
    found: dict[str, int] = {}
    end = 0
    with suppress(FileNotFoundError), path.open("rb+") as file:
        for line in file:
            row = _row(line)
            if row is None:
                break
            found.setdefault(row["answer_id"], end)
            end += len(line)
        if found:
            _, begin = found.popitem()
            end = begin
        file.truncate(end)
    return frozenset(found)


def _row(line: bytes) -> Mapping[str, Any] | None:
    if not line.endswith(b"\n"):
        return None
    with suppress(orjson.JSONDecodeError):
        row = orjson.loads(line)
        if isinstance(row, dict) and isinstance(row.get("answer_id"), str):
            return row
    return None


def _write(path: Path, manifest: RunManifest) -> None:
    """Write a manifest whole or not at all."""
    part = path.with_name(PART)
    with part.open("wb") as file:
        file.write(manifest.model_dump_json(indent=2).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
