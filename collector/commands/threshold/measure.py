"""`groundwire threshold measure`: labelled answers into the rows of a sweep.

Either the answers were given at several thresholds, and each says at which; or they were given at one, with the scores
of their passages, and what other thresholds would have left of the context is worked out. A generator answers anew from
that; without one, what the context still supports is measured instead.
"""

from __future__ import annotations

import csv
import gzip
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

import orjson

from collector.applications.callers import function_at
from collector.commands.encoders import encoder_in, wordnet_in
from collector.commands.kept import KeptAnswers, gathered
from collector.commands.progress import Progress, watched
from collector.commands.scoring import ScoringPlan, catalog_at, plan_of, scored
from collector.commands.threshold.variants import MeasureChoices, ThresholdVariant, variants
from collector.configuration.models import workers_for
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.runs.manifest import digest_of, files_at
from collector.writing import write_whole
from evaluation.reference.panel import REFERENCE_METRICS, ReferenceTools, against_reference, without_markers
from evaluation.thresholds.sweep import CONFIGURATION, QUESTION, RETRIEVAL, THRESHOLD, TIMES
from gates.verdicts.summary import counted
from scorers.base import Measured
from scorers.grounding.claim_support import ClaimSupport

FINE = 0
SUPPORT, REFERENCE_SUPPORT, PASSAGES = "claim_support", "reference_support", "context_passages"


def measure_thresholds(
    kept: KeptAnswers,
    config: Config,
    choices: MeasureChoices,
    *,
    now: datetime,
    workers: int | None,
    out: TextIO,
    err: TextIO,
) -> int:
    """Write a row for each question and threshold, and return 0.

    Raises `ConfigError` for what cannot be used, and where no answer has a reference.
    """
    tools = ReferenceTools(wordnet_in(choices.wordnet), None if choices.model is None else encoder_in(choices.model))
    if tools.synonyms is None:
        err.write(
            "groundwire: METEOR is left out: it needs WordNet, the nltk data in the folder that --wordnet names\n"
        )
    left_out: Counter[str] = Counter()
    shared = workers or workers_for(config)
    with watched(out, err, at_end=True) as progress, catalog_at(config.catalog, err) as catalog:
        given = gathered(kept, config.traces.options(), progress, err, left_out)
        found = variants(given, choices, left_out)
        if not found:
            reasons = ", ".join(f"{reason} {count:,}" for reason, count in left_out.most_common())
            raise ConfigError(f"no answer can be measured: {reasons or 'none has a reference'}")
        plan = plan_of(config, (ClaimSupport(),), catalog=catalog, now=now, workers=shared)
        fixed = bool(choices.thresholds) and choices.generator is None
        supports = _supports(found, plan, shared, progress, reference=fixed)
        made = _made_by(config, choices)
        rows = [
            _row(each, support, tools, made)
            for each, support in progress.over(zip(found, supports, strict=True), "panel")
        ]
    _write(rows, choices.to, out)
    if choices.to is not None:
        told = f"{counted(len({each.question for each in found}), 'question')} at "
        told += f"{counted(len({each.threshold for each in found}), 'threshold')}"
        told += "".join(f"; left out: {reason} {count:,}" for reason, count in left_out.most_common())
        out.write(f"{choices.to}: {told}\n")
    return FINE


def _supports(
    given: Sequence[ThresholdVariant], plan: ScoringPlan, workers: int, progress: Progress, *, reference: bool
) -> list[dict[str, float | None]]:
    """Return for each variant the support of its answer, and with ``reference`` that of the reference answer too."""
    asked = [each.answer for each in given]
    columns = {SUPPORT: asked}
    if reference:
        columns[REFERENCE_SUPPORT] = [each.model_copy(update={"answer": each.reference}) for each in asked]
    made: list[dict[str, float | None]] = [{} for _ in given]
    for name, answers in columns.items():
        results = progress.over(scored(answers, plan, workers=workers), f"scoring {name}", "answers")
        for row, (_, result) in zip(made, results, strict=True):
            values = [score["value"] for score in orjson.loads(result.evaluation)["scores"]]
            row[name] = values[0] if values else None
    return made


def _made_by(config: Config, choices: MeasureChoices) -> Mapping[str, Any]:
    """Return what all rows are made by: what answers and measures, with the checksums of its files."""
    told: dict[str, Any] = {
        "groundwire": choices.release,
        "scoring": digest_of(config.model_dump(mode="json")),
        "encoder": None if choices.model is None else digest_of([each.sha256 for each in files_at(choices.model)]),
    }
    if choices.generator is not None:
        _, file = function_at(choices.generator, Path.cwd())
        code = None if file is None else files_at(file)[0].sha256
        told["generator"] = {"entry": choices.generator, "code": code}
    return told


def _row(
    variant: ThresholdVariant, supports: Mapping[str, float | None], tools: ReferenceTools, made: Mapping[str, Any]
) -> dict[str, Any]:
    answer = variant.answer
    usage = answer.usage
    found = against_reference(answer.reference, without_markers(answer) or "", tools)
    panel = {name: each.value for name, each in found.items() if isinstance(each, Measured)}
    versions = {name: version for name, version in answer.versions.items() if name != variant.named}
    told = {**made, RETRIEVAL: variant.retrieval, "model": answer.model, "versions": versions}
    times = dict(zip(TIMES, (usage.latency_ms, usage.first_token_ms), strict=True))
    context = answer.context_passages()
    configuration = orjson.dumps(told, option=orjson.OPT_SORT_KEYS).decode()
    passages = None if context is None else len(context)
    known = {**panel, **supports, PASSAGES: passages, **times, CONFIGURATION: configuration}
    return {QUESTION: variant.question, THRESHOLD: variant.threshold, **known}


def _write(rows: Sequence[Mapping[str, Any]], to: Path | None, out: TextIO) -> None:
    head = [QUESTION, THRESHOLD, *REFERENCE_METRICS, SUPPORT, REFERENCE_SUPPORT, PASSAGES, *TIMES, CONFIGURATION]
    there = [name for name in head if any(row.get(name) is not None for row in rows)]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(there)
    writer.writerows([["" if row.get(name) is None else row[name] for name in there] for row in rows])
    if to is None:
        out.write(text.getvalue())
        return
    data = text.getvalue().encode()
    write_whole(to, gzip.compress(data, mtime=0) if to.suffix == ".gz" else data)
