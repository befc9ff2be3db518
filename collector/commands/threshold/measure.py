"""`groundwire threshold measure`: labelled answers into the rows of a sweep.

Either the answers were given at several thresholds, and each says at which; or they were given at one, with the scores
of their passages, and what other thresholds would have left of the context is worked out. A generator answers anew from
that; without one, what the context still supports is measured instead.
"""

from __future__ import annotations

import csv
import gzip
import io
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import orjson

from adapters.schema import Answer, Usage
from collector.applications.callers import function_at
from collector.commands.encoders import encoder_in, wordnet_in
from collector.commands.kept import KeptAnswers, gathered
from collector.commands.progress import Progress, watched
from collector.commands.scoring import ScoringPlan, catalog_at, plan_of, scored
from collector.configuration.models import workers_for
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.runs.manifest import digest_of, files_at
from collector.security.text import one_line
from evaluation.reference.panel import REFERENCE_METRICS, ReferenceTools, against_reference
from evaluation.thresholds.retrieval import UnscoredContext, logged_scores, normal_mode, score_mode, with_passages
from evaluation.thresholds.sweep import CONFIGURATION, QUESTION, RETRIEVAL, THRESHOLD, TIMES
from gates.verdicts.summary import counted
from scorers.base import Measured
from scorers.grounding.claim_support import ClaimSupport

FINE = 0
SUPPORT, REFERENCE_SUPPORT, PASSAGES = "claim_support", "reference_support", "context_passages"
BASELINE = 0.0
"""Threshold of the rows in normal mode: the ``k`` best passages, whatever their similarity."""


class MeasureChoices(NamedTuple):
    """How rows are made: see the options of the command."""

    thresholds: Sequence[float]
    max_k: int
    normal_k: int
    threshold_of: str
    question: str | None
    generator: str | None
    model: Path | None
    wordnet: Path | None
    to: Path | None
    release: str


class _Variant(NamedTuple):
    """An answer at a threshold."""

    question: str
    threshold: float
    answer: Answer
    retrieval: Mapping[str, Any]
    named: str | None = None
    """The version that is the threshold."""


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
        variants = list(_counterfactual(given, choices, left_out) if choices.thresholds else _recorded(given, choices))
        if not variants:
            reasons = ", ".join(f"{reason} {count:,}" for reason, count in left_out.most_common())
            raise ConfigError(f"no answer can be measured: {reasons or 'none has a reference'}")
        plan = plan_of(config, (ClaimSupport(),), catalog=catalog, now=now, workers=shared)
        fixed = bool(choices.thresholds) and choices.generator is None
        supports = _supports(variants, plan, shared, progress, reference=fixed)
        made = _made_by(config, choices)
        rows = [
            _row(each, support, tools, made)
            for each, support in progress.over(zip(variants, supports, strict=True), "panel")
        ]
    _write(rows, choices.to, out)
    if choices.to is not None:
        told = f"{counted(len({each.question for each in variants}), 'question')} at "
        told += f"{counted(len({each.threshold for each in variants}), 'threshold')}"
        told += "".join(f"; left out: {reason} {count:,}" for reason, count in left_out.most_common())
        out.write(f"{choices.to}: {told}\n")
    return FINE


def _recorded(given: Sequence[Answer], choices: MeasureChoices) -> Iterator[_Variant]:
    """Yield answers that were given at several thresholds."""
    name = choices.threshold_of
    for answer in given:
        if not (answer.reference or "").strip():
            continue
        said = answer.attributes.get(name, answer.versions.get(name))
        try:
            threshold = float(said or "")
        except ValueError as error:
            problem = "missing" if said is None else f"{one_line(said, 60)!r} is no number"
            raise ConfigError(
                f"answer {one_line(answer.id, 60)}: attributes.{name}: {problem}; name another with --threshold-of, "
                "or thresholds to try with --at-least"
            ) from error
        mode = {"mode": "recorded", "at_least": threshold}
        yield _Variant(_question(answer, choices), threshold, answer, mode, name)


def _counterfactual(given: Sequence[Answer], choices: MeasureChoices, left_out: Counter[str]) -> Iterator[_Variant]:
    """Yield each answer as of each threshold: with what it would have left of the passages that were retrieved."""
    generate = None if choices.generator is None else function_at(choices.generator, Path.cwd())[0]
    for answer in given:
        if not (answer.reference or "").strip():
            left_out["no reference"] += 1
            continue
        # All that was retrieved, whatever of it was put before the model.
        context = logged_scores(answer.model_copy(update={"context": None}))
        if isinstance(context, UnscoredContext):
            left_out[context.reason] += 1
            continue
        normal = {"mode": "normal", "k": choices.normal_k}
        modes: dict[float, tuple[Sequence[str], Mapping[str, Any]]] = {
            BASELINE: (normal_mode(context.scores, k=choices.normal_k), normal)
        }
        for threshold in choices.thresholds:
            mode = {"mode": "score", "at_least": threshold, "max_k": choices.max_k}
            modes[threshold] = (score_mode(context.scores, minimum=threshold, max_k=choices.max_k), mode)
        for threshold, (chosen, retrieval) in modes.items():
            variant = with_passages(answer, chosen)
            if generate is not None:
                variant = _generated(variant, generate)
            variant = variant.model_copy(update={"id": f"{answer.id}@{threshold!r}"})
            yield _Variant(_question(answer, choices), threshold, variant, retrieval)


def _generated(answer: Answer, generate: Callable[..., Any]) -> Answer:
    texts = [passage.text or "" for passage in answer.context_passages() or ()]
    began = time.perf_counter()
    try:
        said = generate(answer.question or "", texts)
    except Exception as error:
        raise ConfigError(
            f"--generator: question {one_line(answer.question or '', 60)!r}: {type(error).__name__}: "
            f"{one_line(str(error))}"
        ) from error
    if not isinstance(said, str):
        raise ConfigError(f"--generator: returned {type(said).__name__}, not a text")
    took = Usage(latency_ms=1000.0 * (time.perf_counter() - began))
    return answer.model_copy(update={"answer": said, "citations": None, "usage": took})


def _question(answer: Answer, choices: MeasureChoices) -> str:
    if choices.question is None:
        return (answer.question or answer.id).strip()
    said = answer.attributes.get(choices.question)
    if said is None:
        raise ConfigError(f"answer {one_line(answer.id, 60)}: attributes.{choices.question}: missing")
    return said


def _supports(
    variants: Sequence[_Variant], plan: ScoringPlan, workers: int, progress: Progress, *, reference: bool
) -> list[dict[str, float | None]]:
    """Return for each variant the support of its answer, and with ``reference`` that of the reference answer too."""
    asked = [each.answer for each in variants]
    columns = {SUPPORT: asked}
    if reference:
        columns[REFERENCE_SUPPORT] = [each.model_copy(update={"answer": each.reference}) for each in asked]
    made: list[dict[str, float | None]] = [{} for _ in variants]
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
    variant: _Variant, supports: Mapping[str, float | None], tools: ReferenceTools, made: Mapping[str, Any]
) -> dict[str, Any]:
    answer = variant.answer
    usage = answer.usage
    found = against_reference(answer.reference, answer.answer or "", tools)
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
    try:
        to.write_bytes(gzip.compress(data, mtime=0) if to.suffix == ".gz" else data)
    except OSError as error:
        raise ConfigError(f"{to}: cannot be written: {error.strerror}") from error
