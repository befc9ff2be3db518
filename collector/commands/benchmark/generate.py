"""`groundwire benchmark generate`: documents, questions, evidence, answers of eight configurations, labels, reviews."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

import orjson
import yaml

from collector.commands.objects import object_line
from collector.commands.progress import watched
from collector.errors import ConfigError
from collector.writing import whole_file
from evaluation.benchmark.benchmark import Benchmark
from scorers import default_panel

MANIFEST = "manifest.json"
CATALOG, CONFIGURATION, ADJUDICATIONS, REVIEWS = (
    "catalog.jsonl",
    "groundwire.yaml",
    "adjudications.jsonl",
    "reviews.jsonl",
)
ANSWERS = "answers"
TOLD = ("seed", "questions", "answers", "configurations")
"""What is told of the manifest; the checksums stand there."""
FINE = 0
_RULES = (
    {"name": "left to an office", "when": {"attributes": {"expected": ["defer"]}}, "must": "defer"},
    {
        "name": "nothing found",
        "when": {"attributes": {"expected": ["answer"], "evidence": ["none"]}},
        "must": "refuse",
    },
    {
        "name": "answerable",
        "when": {"attributes": {"expected": ["answer"], "evidence": ["retrieved"]}},
        "must": "answer",
    },
)
_RULED = ("policy_boundary_handling", "refusal_appropriateness")
_OBJECTIVES: dict[str, dict[str, float]] = {
    "latency": {"objective_seconds": 5.0},
    "tokens": {"objective": 1000},
    "cost": {"objective_usd": 0.02},
}


def generate(folder: Path, *, seed: int, questions: int, as_json: bool, out: TextIO, err: TextIO) -> int:
    """Write the benchmark of a seed to a new folder, and return 0. The same seed writes the same bytes.

    Raises `ConfigError` for a number of questions that cannot be, and for a folder that holds files or is read-only.
    """
    try:
        benchmark = Benchmark(seed=seed, questions=questions)
    except ValueError as error:
        raise ConfigError(f"--questions: {error}") from error
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            hint = "" if (folder / MANIFEST).exists() else ", or delete what an interrupted `generate` left in it"
            raise ConfigError(f"{folder}: holds other files; name a new folder{hint}")
        with watched(out, err, at_end=True) as progress:
            written = {
                name: _write(folder / name, lines) for name, lines in progress.over(list(_files(benchmark)), "writing")
            }
        manifest = {
            "seed": seed,
            "questions": len(benchmark.asked),
            "configurations": [each.name for each in benchmark.configurations],
            "answers": len(benchmark.asked) * len(benchmark.configurations),
            "sha256": written,
        }
        _write(folder / MANIFEST, [orjson.dumps(manifest, option=orjson.OPT_INDENT_2)])
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written: {error.strerror}") from error
    if as_json:
        out.write(object_line({"benchmark": str(folder)} | {name: manifest[name] for name in TOLD}))
        return FINE
    out.write(
        f"{folder}: {manifest['questions']:,} questions, {manifest['answers']:,} answers of"
        f" {len(benchmark.configurations)} simulated configurations, seed {seed}\n"
    )
    return FINE


def _files(benchmark: Benchmark) -> Iterator[tuple[str, Iterable[bytes]]]:
    yield CATALOG, (_line(each.model_dump(mode="json", exclude_defaults=True)) for each in benchmark.documents())
    yield "documents.jsonl", (_line(each) for each in _manifest_of_documents(benchmark))
    yield "questions.jsonl", map(_line, benchmark.questions())
    yield "evidence.jsonl", map(_line, benchmark.evidence())
    for each in benchmark.configurations:
        yield f"configurations/{each.name}.yaml", [yaml.safe_dump(each.settings(), sort_keys=False).encode()]
        yield (
            f"{ANSWERS}/{each.name}.jsonl",
            (_line(record.answer.told()) for record in benchmark.records(each)),
        )
    yield ADJUDICATIONS, (_line(label) for each in benchmark.configurations for label in benchmark.labels(each))
    yield REVIEWS, map(_line, benchmark.reviews())
    yield CONFIGURATION, [_configuration()]


def _manifest_of_documents(benchmark: Benchmark) -> Iterator[dict[str, Any]]:
    for each in benchmark.documents():
        told = each.model_dump(mode="json", exclude_none=True, include={"effective_from", "effective_to", "authority"})
        checksum = hashlib.sha256((each.text or "").encode()).hexdigest()
        yield {"source_id": f"{each.reference}#{each.section}", "checksum": checksum, **told}


def _configuration() -> bytes:
    """Return the configuration that the answers are scored with: all metrics, with the rules of the benchmark."""
    scorers: list[dict[str, Any]] = []
    for scorer in default_panel():
        name = scorer.metric.name
        told: dict[str, Any] = {"type": name, **_OBJECTIVES.get(name, {})}
        if name in _RULED:
            told["rules"] = [dict(rule) for rule in _RULES]
        scorers.append(told)
    whole = {"catalog": {"path": CATALOG}, "scorers": scorers}
    begin = "# Run from this folder: groundwire evaluate answers/*.jsonl --config groundwire.yaml --to RUN\n"
    return (begin + yaml.safe_dump(whole, sort_keys=False)).encode()


def _line(row: Any) -> bytes:
    return orjson.dumps(row) + b"\n"


def _write(path: Path, lines: Iterable[bytes]) -> str:
    """Write a file and return its checksum."""
    path.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with whole_file(path) as file:
        for line in lines:
            file.write(line)
            digest.update(line)
    return digest.hexdigest()
