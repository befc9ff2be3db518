"""Run folders as the rows of a sweep: the same questions answered at several thresholds, and scored."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.errors import ConfigError
from collector.runs.folder import finished
from collector.runs.manifest import RunManifest, read_manifest
from collector.runs.tables import ANSWERS, SCORES, read_table
from collector.security.text import one_line
from evaluation.reference.panel import REFERENCE_PANEL
from evaluation.thresholds.sweep import CONFIGURATION, QUESTION, THRESHOLD, TIMES

SweepRow = Mapping[str, object]


def runs_in(folder: Path) -> list[Path]:
    """Return the run in a folder, or the runs in the folders of it. Raises `ConfigError` for a folder with neither."""
    if read_manifest(folder) is not None:
        return [folder]
    runs = sorted(each for each in folder.iterdir() if each.is_dir() and read_manifest(each) is not None)
    if not runs:
        raise ConfigError(f"{folder}: holds no run; name a folder of `groundwire evaluate`, or a file")
    return runs


def run_rows(folder: Path, metrics: Collection[str]) -> Iterator[tuple[str, SweepRow | str]]:
    """Yield the answers of the runs in a folder with their values of ``metrics``, each with its place.

    An answer says at which threshold it was given: in its attribute or version ``threshold``. A text says what is wrong
    with one. Raises `ConfigError` for runs that are not finished, were changed, or lack a metric.
    """
    for run in runs_in(folder):
        manifest = finished(run, ANSWERS, SCORES)
        _has(run, manifest, metrics)
        values: dict[str, dict[str, float]] = {}
        for row in read_table(run / SCORES, ("answer_id", "metric", "value")):
            if row["metric"] in metrics and row["value"] is not None:
                values.setdefault(row["answer_id"], {})[row["metric"]] = row["value"]
        columns = ("answer_id", "question", "model", "versions", "attributes", *TIMES)
        for number, row in enumerate(read_table(run / ANSWERS, columns), 1):
            where = f"{run / ANSWERS}: row {number}, answer {one_line(row['answer_id'], 60)}"
            threshold = _threshold(row)
            if isinstance(threshold, str):
                yield where, threshold
                continue
            known = values.get(row["answer_id"], {})
            yield (
                where,
                {
                    QUESTION: (row["question"] or row["answer_id"]).strip(),
                    THRESHOLD: threshold,
                    CONFIGURATION: _configuration(row, manifest),
                    **{name: known.get(name) for name in metrics},
                    **{name: row[name] for name in TIMES},
                },
            )


def _has(run: Path, manifest: RunManifest, metrics: Collection[str]) -> None:
    lacking = [name for name in metrics if name not in manifest.metrics]
    if lacking:
        how = "groundwire evaluate --panel reference" if lacking[0] in REFERENCE_PANEL else "groundwire evaluate"
        raise ConfigError(
            f"{run}: has no metric {one_line(lacking[0], 60)}; score it with {how}, or name other metrics with --panel"
        )


def _threshold(row: Mapping[str, Any]) -> float | str:
    """Return the threshold an answer was given at, or what is wrong with it."""
    said = row["attributes"].get(THRESHOLD, row["versions"].get(THRESHOLD))
    if said is None:
        return (
            f"attributes.{THRESHOLD}: missing; set it in the rows of the suite, or as a version of the application in "
            "--configurations"
        )
    try:
        return float(said)
    except ValueError:
        return f"attributes.{THRESHOLD}: {one_line(said, 60)!r} is no number"


def _configuration(row: Mapping[str, Any], manifest: RunManifest) -> dict[str, Any]:
    """Return what answered, and how it was scored: what must be the same at every threshold of a sweep."""
    versions = {name: version for name, version in sorted(row["versions"].items()) if name != THRESHOLD}
    return {
        "model": row["model"],
        "versions": versions,
        "scoring": manifest.configuration,
        "groundwire": manifest.groundwire,
        "suite": [each.sha256 for each in manifest.suite],
    }
