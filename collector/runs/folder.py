"""A run folder: begun once, finished by the same command after a kill, and never changed after that.

While a run is under way the folder holds ``manifest.json`` and journals, files that are appended to. At its end they
become tables; the manifest then has the checksum of each, and everything is read-only.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from adapters.schema import Answer
from collector.errors import ConfigError
from collector.runs.journal import rows_of
from collector.runs.manifest import (
    FIXED,
    MANIFEST,
    PART,
    ChunkCount,
    RunManifest,
    RunOrigins,
    checksum_of,
    read_manifest,
    write_manifest,
)
from collector.runs.tables import (
    ANSWERS,
    CHECKS,
    PASSAGES,
    SCORES,
    TABLES,
    answer_row,
    chunk_checksum,
    passage_rows,
    read_table,
    score_row,
    write_table,
)
from collector.security.text import one_line
from evaluation.comparison.runs import RunLineError, RunReader, ScoredRun

ASKED, SCORED = "answers.jsonl", "scores.jsonl"
"""The journals: answers with what is expected of them, and lines of scores."""
READ_ONLY = 0o444
DISTINCT = 1_000
"""Models, versions and documents that a manifest lists by name; it counts the rest together."""
OTHERS = "(others)"
SCORE_COLUMNS = ("answer_id", "metric", "value", "outcome", "label", "scorer_version", "session_id", "attributes")


@contextmanager
def writing_into(folder: Path, hint: str) -> Iterator[None]:
    """Turn what the disk refuses into a `ConfigError` that names the folder, or a file elsewhere, and says ``hint``."""
    try:
        yield
    except OSError as error:
        names = [str(name) for name in (error.filename, error.filename2) if name is not None]
        mine = not names or any(Path(name).is_relative_to(folder) for name in names)
        where = folder if mine else names[0]
        raise ConfigError(f"{where}: cannot be written: {error.strerror or error}{hint}") from error


def begin(folder: Path, begun: RunManifest) -> RunManifest:
    """Return the manifest of the run in ``folder``, which is begun if there is none.

    Raises `ConfigError` for a folder with other files, a finished run, or a run that was begun with something else.
    """
    there = read_manifest(folder)
    if there is None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(each.name != PART for each in folder.iterdir()):
                raise ConfigError(f"{folder}: holds other files; name a new folder")
            write_manifest(folder, begun)
        except OSError as error:
            raise ConfigError(f"{folder}: cannot be written: {error.strerror}") from error
        return begun
    if there.ended:
        raise ConfigError(f"{folder}: holds a finished run, which is never changed; name a new folder")
    for name in FIXED:
        if getattr(there, name) != getattr(begun, name):
            raise ConfigError(f"{folder}: was begun with another {name}; name a new folder")
    return there


def finish(
    folder: Path, manifest: RunManifest, scores: Iterator[dict[str, Any]], checks: Iterator[dict[str, Any]]
) -> RunManifest:
    """Write journals, scores and checks as tables, their checksums to the manifest, and make the folder read-only."""
    run = manifest.name
    seen = _Seen()
    asked = folder / ASKED
    write_table(folder, ANSWERS, (answer_row(run, answer, expect) for answer, expect in seen.over(asked)))
    write_table(folder, PASSAGES, (row for answer, _ in _answers(asked) for row in passage_rows(run, answer)))
    write_table(folder, SCORES, (score_row(run, row) for row in scores))
    write_table(folder, CHECKS, checks)
    ended = manifest.model_copy(
        update={
            "answers": seen.answers,
            "failed": seen.failed,
            "observed": seen.observed(),
            "tables": {table: checksum_of(folder / table) for table in TABLES},
        }
    )
    write_manifest(folder, ended)
    for journal in (ASKED, SCORED):
        (folder / journal).unlink()
    for name in (*TABLES, MANIFEST):
        (folder / name).chmod(READ_ONLY)
    return ended


def finished(folder: Path, *tables: str) -> RunManifest:
    """Return the manifest of a finished run, of which ``tables`` are what they were when it ended.

    Raises `ConfigError` for a folder without a run, an unfinished run, and tables that changed.
    """
    manifest = read_manifest(folder)
    if manifest is None:
        raise ConfigError(f"{folder}: is no run folder: it has no {MANIFEST}")
    if manifest.tables is None:
        raise ConfigError(f"{folder}: the run did not end; finish it with the same command that began it")
    for table in tables:
        if checksum_of(folder / table) != manifest.tables.get(table):
            raise ConfigError(
                f"{folder / table}: was changed after the run ended: its checksum is not that of {MANIFEST}"
            )
    return manifest


def scored_run(folder: Path) -> ScoredRun:
    """Return the scores of a finished run, with what was asked.

    Raises `ConfigError` as `finished` does.
    """
    finished(folder, SCORES, ANSWERS)
    reader = RunReader(one_line(str(folder)))
    for number, row in enumerate(read_table(folder / SCORES, SCORE_COLUMNS), 1):
        try:
            reader.add_row(row, number=number)
        except RunLineError as error:
            raise ConfigError(f"{folder / SCORES}: row {number}: {one_line(str(error))}") from error
    rows = read_table(folder / ANSWERS, ("answer_id", "question"))
    return replace(reader.run(), questions={row["answer_id"]: row["question"] for row in rows if row["question"]})


def _answers(asked: Path) -> Iterator[tuple[Answer, Any]]:
    for row in rows_of(asked):
        yield Answer.model_validate(row["answer"]), row.get("expect")


class _Seen:
    """What the answers of a run say of themselves, counted while they pass."""

    def __init__(self) -> None:
        self.answers = 0
        self.failed = 0
        self._models: Counter[str] = Counter()
        self._versions: dict[str, Counter[str]] = {}
        self._documents: Counter[str] = Counter()
        self._chunks: set[bytes] = set()

    def over(self, asked: Path) -> Iterator[tuple[Answer, Any]]:
        for answer, expect in _answers(asked):
            self._add(answer)
            yield answer, expect

    def _add(self, answer: Answer) -> None:
        self.answers += 1
        self.failed += answer.status == "error"
        if answer.model is not None:
            self._models[answer.model] += 1
        for component, version in answer.versions.items():
            self._versions.setdefault(component, Counter())[version] += 1
        for passage in answer.passages or ():
            if passage.doc_id is not None:
                self._documents[
                    passage.doc_id if passage.version is None else f"{passage.doc_id}@{passage.version}"
                ] += 1
            if (checksum := chunk_checksum(passage)) is not None:
                self._chunks.add(bytes.fromhex(checksum))

    def observed(self) -> RunOrigins:
        chunks = hashlib.sha256(b"".join(sorted(self._chunks))).hexdigest()
        return RunOrigins(
            models=_named(self._models),
            versions={component: _named(counts) for component, counts in sorted(self._versions.items())},
            documents=_named(self._documents),
            chunks=ChunkCount(count=len(self._chunks), sha256=chunks) if self._chunks else None,
        )


def _named(counts: Counter[str]) -> dict[str, int]:
    shown = sorted(counts, key=lambda name: (-counts[name], name))[:DISTINCT]
    told = {name: counts[name] for name in sorted(shown)}
    rest = counts.total() - sum(told.values())
    return told | ({OTHERS: rest} if rest else {})
