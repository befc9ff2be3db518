"""`groundwire threshold replay`: what a similarity threshold would have taken from recorded answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TextIO

import numpy as np
import orjson

from adapters.base import AdaptOptions
from adapters.schema import Answer
from collector.commands.columns import aligned
from collector.commands.compare import row_object
from collector.commands.kept import KeptAnswers, gathered
from collector.commands.objects import object_line
from collector.commands.progress import Progress, watched
from collector.commands.score import chosen, with_what_they_read
from collector.commands.scoring import ScoringPlan, catalog_at, plan_of, scored
from collector.configuration.models import workers_for
from collector.configuration.schema import Config
from collector.errors import ConfigError
from evaluation.comparison.compare import compare
from evaluation.comparison.pairing import paired
from evaluation.comparison.runs import Provenance, ScoredRun
from evaluation.thresholds.counterfactual import ThresholdEffect, judged, recommended
from evaluation.thresholds.retrieval import UnscoredContext, logged_scores, with_threshold
from gates.inputs.slices import attributes_of
from gates.verdicts.summary import counted
from scorers import default_panel
from scorers.base import Scorer

FINE = 0
MAX_THRESHOLDS = 50
DEFAULT_SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
"""Quantiles of the logged scores that are tried where no thresholds are named."""


class ReplayChoices(NamedTuple):
    """What is replayed, and how: see the options of the command."""

    thresholds: Sequence[float]
    metrics: Sequence[str]
    margin: float
    group: str | None
    alpha: float
    seed: int
    resamples: int


class _Recorded(NamedTuple):
    answer: Answer
    scores: dict[str, float]


def replay_thresholds(
    kept: KeptAnswers,
    config: Config,
    choices: ReplayChoices,
    *,
    now: datetime,
    workers: int | None,
    as_json: bool,
    out: TextIO,
    err: TextIO,
) -> int:
    """Judge each recorded answer against what each threshold would have left of its context; print, and return 0.

    Raises `ConfigError` where answers cannot be had, or none of them has a context with scores from retrieval.
    """
    panel = config.scorers if "scorers" in config.model_fields_set else default_panel()
    wanted = chosen(panel, choices.metrics)
    shared = workers or workers_for(config)
    with catalog_at(config.catalog, err) as catalog, watched(out, err, at_end=True) as progress:
        recorded, left_out = _recorded(kept, config.traces.options(), progress, err)
        if not recorded:
            raise ConfigError(
                f"no answer has a context with scores from retrieval: {_reasons(left_out) or 'no answers'}"
            )
        plan = plan_of(config, with_what_they_read(wanted, panel), catalog=catalog, now=now, workers=shared)
        thresholds = sorted(set(choices.thresholds)) or _quantiles(recorded)
        baseline = _run("as recorded", [each.answer for each in recorded], plan, wanted, shared, progress)
        effects = [
            _effect(threshold, recorded, baseline, plan, wanted, shared, choices, progress) for threshold in thresholds
        ]
    effects = judged(effects, margin=choices.margin)
    best = recommended(effects)
    if as_json:
        told = {
            "answers": len(recorded),
            "left_out": dict(left_out),
            "margin": choices.margin,
            "alpha": choices.alpha,
            "seed": choices.seed,
            "resamples": choices.resamples,
            "recommended": None if best is None else best.threshold,
            "thresholds": [_object(effect) for effect in effects],
        }
        out.write(object_line(told))
    else:
        out.writelines(_table(effects, best, len(recorded), left_out, choices))
    return FINE


def _recorded(
    kept: KeptAnswers, options: AdaptOptions, progress: Progress, err: TextIO
) -> tuple[list[_Recorded], Counter[str]]:
    found: list[_Recorded] = []
    left_out: Counter[str] = Counter()
    for _, answer, _ in gathered(kept, options, progress, err, left_out):
        context = logged_scores(answer)
        if isinstance(context, UnscoredContext):
            left_out[context.reason] += 1
        else:
            found.append(_Recorded(answer, dict(context.scores)))
    return found, left_out


def _quantiles(recorded: Sequence[_Recorded]) -> list[float]:
    logged = np.array([score for each in recorded for score in each.scores.values()])
    return sorted({float(value) for value in np.quantile(logged, DEFAULT_SHARES, method="lower")})


def _run(
    name: str,
    given: Sequence[Answer],
    plan: ScoringPlan,
    wanted: Sequence[Scorer],
    workers: int,
    progress: Progress,
) -> ScoredRun:
    values: dict[str, dict[str, float | None]] = {scorer.metric.name: {} for scorer in wanted}
    told: dict[str, Provenance] = {}
    for answer, result in progress.over(scored(given, plan, workers=workers), f"scoring {name}", "answers"):
        told[answer.id] = Provenance(answer.session_id, attributes_of(answer))
        for score in orjson.loads(result.evaluation)["scores"]:
            if score["metric"] in values:
                values[score["metric"]][answer.id] = score["value"]
    versions = {scorer.metric.name: scorer.metric.version for scorer in wanted}
    return ScoredRun(name, values, versions, told)


def _effect(
    threshold: float,
    recorded: Sequence[_Recorded],
    baseline: ScoredRun,
    plan: ScoringPlan,
    wanted: Sequence[Scorer],
    workers: int,
    choices: ReplayChoices,
    progress: Progress,
) -> ThresholdEffect:
    reduced = [with_threshold(each.answer, each.scores, minimum=threshold) for each in recorded]
    run = _run(f"at {threshold:g}", reduced, plan, wanted, workers, progress)
    kept = [len(answer.context or ()) for answer in reduced]
    rows = compare(
        baseline,
        [(run, paired(baseline, run, group=choices.group))],
        {scorer.metric.name: scorer.metric.better for scorer in wanted},
        np.random.default_rng(choices.seed),
        alpha=choices.alpha,
        resamples=choices.resamples,
    )
    return ThresholdEffect(
        threshold,
        kept=sum(kept) / sum(len(each.scores) for each in recorded),
        emptied=kept.count(0) / len(kept),
        rows=rows,
    )


def _object(effect: ThresholdEffect) -> dict[str, Any]:
    return {
        "threshold": effect.threshold,
        "kept": effect.kept,
        "emptied": effect.emptied,
        "admissible": effect.admissible,
        "rows": [row_object(row) for row in effect.rows],
    }


def _table(
    effects: Sequence[ThresholdEffect],
    best: ThresholdEffect | None,
    answers_judged: int,
    left_out: Counter[str],
    choices: ReplayChoices,
) -> Iterator[str]:
    yield counted(answers_judged, "answer") + (f"; left out: {_reasons(left_out)}\n" if left_out else "\n")
    level = f"{100 * (1 - choices.alpha):g} % interval"
    rows = [
        ["threshold", "kept", "no context", "metric", "recorded", "difference", level, f"margin {choices.margin:g}"]
    ]
    for effect in effects:
        for number, row in enumerate(effect.rows):
            first = (
                [f"{effect.threshold:.4g}", f"{effect.kept:.1%}", f"{effect.emptied:.1%}"] if not number else [""] * 3
            )
            interval = None if row.compared is None else row.compared.interval
            rows.append(
                [
                    *first,
                    row.metric,
                    "-" if row.baseline is None else f"{row.baseline:.4f}",
                    "-" if row.difference is None else f"{row.difference + 0.0:+.4f}",
                    "-" if interval is None else f"[{interval.low + 0.0:+.4f}, {interval.high + 0.0:+.4f}]",
                    "" if number else effect.admissible,
                ]
            )
    yield from aligned(rows, right={0, 1, 2, 4, 5})
    if best is None:
        yield f"recommendation: none of these thresholds: each may cost more than {choices.margin:g}\n"
    else:
        yield f"recommendation: {best.threshold:.4g} is the highest that costs at most {choices.margin:g}; it keeps "
        yield f"{best.kept:.1%} of the passages and leaves {best.emptied:.1%} of the answers without any\n"


def _reasons(left_out: Counter[str]) -> str:
    return ", ".join(f"{reason} {count:,}" for reason, count in left_out.most_common())
