"""Labelled answers as of each threshold: given at several, or given at one and worked out for others."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from adapters.schema import Answer, Usage
from collector.applications.callers import function_at
from collector.commands.kept import GatheredAnswer
from collector.commands.problems import RecordProblems
from collector.errors import ConfigError
from collector.security.text import one_line
from evaluation.thresholds.retrieval import UnscoredContext, logged_scores, normal_mode, score_mode, with_passages

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


class ThresholdVariant(NamedTuple):
    """An answer at a threshold."""

    question: str
    threshold: float
    answer: Answer
    retrieval: Mapping[str, Any]
    named: str | None = None
    """The version that is the threshold."""


def variants(
    given: Sequence[GatheredAnswer], choices: MeasureChoices, left_out: Counter[str]
) -> list[ThresholdVariant]:
    """Return the answers that have a reference, as of each threshold; what cannot be measured is counted.

    Raises `ConfigError`, with file, line and field, where answers do not say what is asked of them.
    """
    _check(given, choices)
    return list(_counterfactual(given, choices, left_out) if choices.thresholds else _recorded(given, choices))


def _check(given: Sequence[GatheredAnswer], choices: MeasureChoices) -> None:
    """Refuse answers that do not say what is asked of them. Raises `ConfigError` with file, line and field of each."""
    problems = RecordProblems()
    for where, answer, _ in sorted(given, key=lambda each: each.number):
        if (answer.reference or "").strip():
            place = f"{where}: answer {one_line(answer.id, 60)}"
            for problem in _problems(answer, choices):
                problems.add(place, problem)
    if problems.bad:
        raise ConfigError(*problems.lines())


def _problems(answer: Answer, choices: MeasureChoices) -> Iterator[str]:
    if choices.question is not None and choices.question not in answer.attributes:
        yield f"attributes.{choices.question}: missing"
    if choices.thresholds:
        return
    name = choices.threshold_of
    said = _attribute(answer, name)
    try:
        known = math.isfinite(float(said or ""))
    except ValueError:
        known = False
    if not known:
        problem = "missing" if said is None else f"{one_line(said, 60)!r} is no number"
        yield f"attributes.{name}: {problem}; name another with --threshold-of, or thresholds to try with --at-least"


def _attribute(answer: Answer, name: str) -> str | None:
    return answer.attributes.get(name, answer.versions.get(name))


def _recorded(given: Sequence[GatheredAnswer], choices: MeasureChoices) -> Iterator[ThresholdVariant]:
    """Yield answers that were given at several thresholds."""
    name = choices.threshold_of
    for _, answer, _ in given:
        if not (answer.reference or "").strip():
            continue
        threshold = float(_attribute(answer, name) or "")
        mode = {"mode": "recorded", "at_least": threshold}
        yield ThresholdVariant(_question(answer, choices), threshold, answer, mode, name)


def _counterfactual(
    given: Sequence[GatheredAnswer], choices: MeasureChoices, left_out: Counter[str]
) -> Iterator[ThresholdVariant]:
    """Yield each answer as of each threshold: with what it would have left of the passages that were retrieved."""
    generate = None if choices.generator is None else function_at(choices.generator, Path.cwd())[0]
    for where, answer, _ in given:
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
                variant = _generated(where, variant, generate)
            variant = variant.model_copy(update={"id": f"{answer.id}@{threshold!r}"})
            yield ThresholdVariant(_question(answer, choices), threshold, variant, retrieval)


def _generated(where: str, answer: Answer, generate: Callable[..., Any]) -> Answer:
    texts = [passage.text or "" for passage in answer.context_passages() or ()]
    began = time.perf_counter()
    try:
        said = generate(answer.question or "", texts)
    except Exception as error:
        raise ConfigError(
            f"--generator: {where}: question {one_line(answer.question or '', 60)!r}: {type(error).__name__}: "
            f"{one_line(str(error))}"
        ) from error
    if not isinstance(said, str):
        raise ConfigError(f"--generator: {where}: returned {type(said).__name__}, not a text")
    took = Usage(latency_ms=1000.0 * (time.perf_counter() - began))
    return answer.model_copy(update={"answer": said, "citations": None, "usage": took})


def _question(answer: Answer, choices: MeasureChoices) -> str:
    if choices.question is None:
        return (answer.question or answer.id).strip()
    return answer.attributes[choices.question]
