"""The figures of one run: means with intervals, categories, slices, cost, the worst answers, and what to repair."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from evaluation.consistency.metrics import RUN_METRICS
from evaluation.consistency.spread import PARAPHRASE_OF, REPEAT, REPEAT_OF
from evaluation.reports.content import (
    CountFigure,
    MetricFigure,
    ReportedAnswer,
    ReportedRun,
    ReportedScore,
    SliceFigure,
    UsageFigure,
)
from evaluation.reports.judged import EXTERNAL, judged_correlations, judged_helpfulness, judged_sections
from evaluation.reports.repairs import APPLICATION, CATEGORY, STAGE, fault_of, repairs
from evaluation.reports.repeated import repeated_sections
from evaluation.statistics.bootstrap import GroupTotals, bootstrap_intervals
from scorers.base import Metric

HEADLINES = ("composite", "case_composite", "faithfulness", "claim_support", "contradiction_absence")
"""Metrics that slices are shown by, the first that was scored."""
CAPPED = "composite"
NONE, NOT_JUDGED = "none", "not judged"
"""What is counted beside the kinds of faults."""
JUDGING = frozenset({*HEADLINES, "citation_support"} - {"case_composite"})
"""Metrics that look at what an answer claims. Of an answer that none of them has a value of, nobody knows a fault: it
refuses, or asks back, and nothing says whether it should have."""
MAX_SLICES, MAX_VALUES = 40, 30
"""Slices that are shown, and values of an attribute beyond which it is no slice."""
TELLING = ("faithfulness", "contradiction_absence", "citation_precision", "composite")
"""Metrics whose claims say most of what is wrong with an answer."""
BY_OTHERS = "Scores by another evaluator."
GROUPS = frozenset({REPEAT, REPEAT_OF, PARAPHRASE_OF})
"""Attributes that say what belongs together, and are no slices."""
LEAST_GROUPS = 2
LONGEST_TEXT = 4_000


def run_figures(
    name: str,
    answers: Sequence[ReportedAnswer],
    metrics: Mapping[str, Metric],
    rng: np.random.Generator,
    *,
    by: Sequence[str] | None = None,
    worst: int = 10,
    resamples: int = 2_000,
    origin: Mapping[str, str] | None = None,
) -> ReportedRun:
    """Return the figures of ``answers``.

    ``by`` names the attributes that slices are cut from; ``None`` are all that have few values.

    >>> from scorers import SCORERS
    >>> known = {scorer.metric.name: scorer.metric for scorer in SCORERS}
    >>> score = ReportedScore(metric="composite", value=80.0, label="uncapped")
    >>> answer = ReportedAnswer(id="a", scores=(score,), attributes={"domain": "travel"})
    >>> run = run_figures("r", [answer], known, np.random.default_rng(0))
    >>> run.metrics[0].mean, run.headline, run.slices[0].value
    (80.0, 'composite', 'travel')
    """
    scored = {answer.id: {score.metric: score for score in answer.scores} for answer in answers}
    names = sorted(
        {score.metric for answer in answers for score in answer.scores}, key=lambda one: _order(one, metrics)
    )
    headline = next((one for one in HEADLINES if one in names), names[0] if names else None)
    faults = {
        answer.id: fault or APPLICATION
        for answer in answers
        if (fault := fault_of(scored[answer.id])) is not None or answer.failed
    }
    unjudged = dict.fromkeys(
        one.id for one in answers if one.id not in faults and not one.expecting and JUDGING.isdisjoint(scored[one.id])
    )
    figures = tuple(
        figure
        for metric in names
        if (figure := _metric(metric, answers, scored, metrics.get(metric), rng, resamples)) is not None
    )
    return ReportedRun(
        name=name,
        answers=len(answers),
        failed=sum(answer.failed for answer in answers),
        faults=CountFigure(name="answers with a fault", count=len(faults), of=len(answers)),
        unjudged=tuple(unjudged),
        metrics=figures,
        caps=_counts(
            score.label for one in answers if (score := scored[one.id].get(CAPPED)) is not None and score.label
        ),
        categories=_counts(
            faults.get(one.id, NOT_JUDGED if one.id in unjudged else NONE)
            for one in answers
            if not scored[one.id].keys().isdisjoint({CATEGORY, STAGE})
        ),
        slices=tuple(_slices(answers, scored, faults, headline, by, rng, resamples)),
        usage=tuple(_usage(answers)),
        worst=tuple(_worst(answers, scored, faults, unjudged, headline, metrics, worst)),
        repairs=tuple(repairs(answers, faults, sorted(_cut_by(answers, by)))),
        sections=(*judged_sections(answers), *repeated_sections(answers, names)),
        correlations=judged_correlations(answers),
        helpfulness=judged_helpfulness(answers),
        headline=headline,
        origin=origin or {},
    )


_Scored = Mapping[str, Mapping[str, ReportedScore]]


def _order(name: str, metrics: Mapping[str, Metric]) -> tuple[bool, str, str]:
    return name not in HEADLINES[:1], metrics[name].family if name in metrics else "~", name


def _metric(
    name: str,
    answers: Sequence[ReportedAnswer],
    scored: _Scored,
    metric: Metric | None,
    rng: np.random.Generator,
    resamples: int,
) -> MetricFigure | None:
    chosen = [answer for answer in answers if name in scored[answer.id]]
    mean, low, high = _interval(chosen, [scored[one.id][name].value for one in chosen], rng, resamples)
    known = metric or RUN_METRICS.get(name)
    return MetricFigure(
        metric=name,
        family=known.family if known is not None else "external" if name.startswith(EXTERNAL) else "other",
        better=None if known is None else known.better,
        help=known.help if known is not None else BY_OTHERS if name.startswith(EXTERNAL) else "",
        n=len(chosen),
        unscored=len(answers) - len(chosen),
        mean=mean,
        low=low,
        high=high,
    )


def _interval(
    answers: Sequence[ReportedAnswer], values: Sequence[float], rng: np.random.Generator, resamples: int
) -> tuple[float, float | None, float | None]:
    """Return the weighted mean and its interval, by conversations, which fail together."""
    weights = np.array([answer.weight for answer in answers], np.float64)
    column = np.array(values, np.float64)
    mean = float((column * weights).sum() / weights.sum())
    names = {name: code for code, name in enumerate(dict.fromkeys(one.group or one.id for one in answers))}
    group = np.array([names[one.group or one.id] for one in answers], np.int64)
    if len(names) < LEAST_GROUPS:
        return mean, None, None
    sums, sizes = np.zeros((len(names), 1)), np.zeros((len(names), 1))
    np.add.at(sums[:, 0], group, column * weights)
    np.add.at(sizes[:, 0], group, weights)
    [interval] = bootstrap_intervals(
        GroupTotals(sums, sizes), np.zeros(len(names), np.int64), rng, level=0.95, resamples=resamples
    )
    return mean, float(interval.low), float(interval.high)


def _counts(names: Iterable[str]) -> tuple[CountFigure, ...]:
    counts = Counter(names)
    return tuple(
        CountFigure(name=name, count=count, of=counts.total())
        for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    )


def _slices(
    answers: Sequence[ReportedAnswer],
    scored: _Scored,
    faults: Mapping[str, str],
    headline: str | None,
    by: Sequence[str] | None,
    rng: np.random.Generator,
    resamples: int,
) -> Iterator[SliceFigure]:
    cut = _cut_by(answers, by)
    rows: list[SliceFigure] = []
    for name in sorted(cut):
        for value, chosen in sorted(cut[name].items()):
            having = [one for one in chosen if headline in scored[one.id]] if headline is not None else []
            mean, low, high = (
                _interval(having, [scored[one.id][headline or ""].value for one in having], rng, resamples)
                if having
                else (None, None, None)
            )
            failing = sum(one.id in faults for one in chosen)
            rows.append(
                SliceFigure(attribute=name, value=value, n=len(chosen), faults=failing, mean=mean, low=low, high=high)
            )
    yield from sorted(rows, key=lambda row: (row.attribute, -row.faults / row.n, row.value))[:MAX_SLICES]


def _cut_by(answers: Sequence[ReportedAnswer], by: Sequence[str] | None) -> dict[str, dict[str, list[ReportedAnswer]]]:
    """Return the answers by the attributes that cut slices, and by their values."""
    cut: dict[str, dict[str, list[ReportedAnswer]]] = defaultdict(lambda: defaultdict(list))
    for answer in answers:
        for name, value in answer.attributes.items():
            if (by is None and name not in GROUPS) or (by is not None and name in by):
                cut[name][value].append(answer)
    if by is not None:
        return cut
    # What differs for nearly every answer, such as the id of a case, cuts no slices.
    most = max(1, min(MAX_VALUES, len(answers) // 2))
    return {name: values for name, values in cut.items() if len(values) <= most}


def _usage(answers: Sequence[ReportedAnswer]) -> Iterator[UsageFigure]:
    for name, unit, field, summed in (
        ("latency", "ms", "latency_ms", False),
        ("cost", "USD", "cost_usd", True),
        ("tokens", "tokens", "total_tokens", True),
    ):
        values = np.array([value for one in answers if (value := getattr(one, field)) is not None], np.float64)
        if len(values):
            yield UsageFigure(
                name=name,
                unit=unit,
                n=len(values),
                mean=float(values.mean()),
                median=float(np.median(values)),
                p95=float(np.quantile(values, 0.95)),
                p99=float(np.quantile(values, 0.99)),
                total=float(values.sum()) if summed else None,
            )


def _worst(
    answers: Sequence[ReportedAnswer],
    scored: _Scored,
    faults: Mapping[str, str],
    unjudged: Collection[str],
    headline: str | None,
    metrics: Mapping[str, Metric],
    most: int,
) -> Iterator[ReportedAnswer]:
    """Yield the worst answers: those with a fault first, then those not judged, each by the headline metric.

    Others only where nothing tells of any answer whether it has a fault.
    """
    metric = metrics.get(headline or "")
    sign = -1.0 if metric is not None and metric.better == "lower" else 1.0

    def key(answer: ReportedAnswer) -> tuple[bool, bool, float, str]:
        found = scored[answer.id].get(headline or "")
        faulty, open_ = answer.id in faults, answer.id in unjudged
        return not faulty, not open_, sign * found.value if found is not None else float("inf"), answer.id

    known = any(not scored[one.id].keys().isdisjoint({CATEGORY, STAGE}) for one in answers)
    shown = [one for one in answers if not known or one.id in faults or one.id in unjudged]
    for answer in sorted(shown, key=key)[:most]:
        yield answer.model_copy(
            update={
                "question": _cut(answer.question),
                "answer": _cut(answer.answer),
                "passages": tuple(one.model_copy(update={"text": _cut(one.text)}) for one in answer.passages),
                "scores": tuple(sorted(answer.scores, key=_telling)),
            }
        )


def _telling(score: ReportedScore) -> tuple[bool, int, str]:
    """Return what scores of an answer are sorted by: those that look at claims first, of these faithfulness."""
    place = TELLING.index(score.metric) if score.metric in TELLING else len(TELLING)
    return not score.claims, place, score.metric


def _cut(text: str | None) -> str | None:
    return text if text is None or len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "\u2026"
