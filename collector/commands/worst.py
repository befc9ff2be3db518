"""The worst answers by a metric, as a running agent finds them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from collector.api.evaluations import ExternalBody
from collector.commands.asking import AskedAgent, part_of, rows_of
from collector.errors import ConfigError
from gates.units.names import suggestion
from scorers import SCORERS

BANDS = (0.0, 0.1, 0.25, 0.5, 0.99)
"""Shares of a metric's range, from its worst value, in which answers are looked for until there are enough."""
NEWEST = 100
"""Answers that are looked at of a metric without a range."""
PAGES = 5
"""Pages of one search: each looks through a hundred thousand answers and may hold few of them."""


class MetricRange(NamedTuple):
    """Least and largest value of a metric, and whether high values are good; ``None`` for no largest."""

    lower: float
    upper: float | None
    higher_is_better: bool


class WorstFound(NamedTuple):
    """The worst answers with their scores, the worst first, and among which they were ``searched``, in words."""

    searched: str
    higher_is_better: bool
    answers: tuple[tuple[Mapping[str, Any], Mapping[str, Any]], ...]


def worst(agent: AskedAgent, metric: str, slice_: Mapping[str, str], limit: int) -> WorstFound:
    """Return the newest of the worst answers, each as score and body of the API.

    Raises `ConfigError` for a metric that neither the agent nor this version knows, and as `AskedAgent` does.
    """
    known = _range(agent, metric)
    for words, bound in _searches(known):
        searched = words
        most = limit if bound else NEWEST
        found = list(listed(agent, {**slice_, "metric": metric, **bound}, most))
        if len(found) >= limit:
            break
    # One that was given another evaluation while it was looked for has no value any more.
    scored = [(score, body) for body in found if (score := score_of(body, metric)) is not None]
    scored.sort(key=lambda each: each[0]["value"], reverse=not known.higher_is_better)
    return WorstFound(searched, known.higher_is_better, tuple(scored[:limit]))


def listed(agent: AskedAgent, wanted: Mapping[str, Any], most: int) -> Iterator[Mapping[str, Any]]:
    """Yield at most so many answers that the API lists for these parameters, newest first."""
    before, left = 0, most
    for _ in range(PAGES):
        body = agent.get("/v1/answers", {**wanted, "limit": left, "before": before})
        rows = rows_of(body, "answers")
        yield from rows
        left -= len(rows)
        following = body.get("next")
        if left <= 0 or not isinstance(following, int):
            return
        before = following


def score_of(body: Mapping[str, Any], metric: str) -> Mapping[str, Any] | None:
    """Return the score that an answer has by a metric, if it has one."""
    scores = [*rows_of(part_of(body, "evaluation"), "scores"), *rows_of(body, "external")]
    return next((each for each in scores if each.get("metric") == metric), None)


def _range(agent: AskedAgent, metric: str) -> MetricRange:
    for scorer in SCORERS:
        if scorer.metric.name == metric:
            known = scorer.metric
            return MetricRange(known.lower, known.upper, known.better == "higher")
    try:
        declared = ExternalBody.model_validate(agent.get("/v1/evaluations")).metrics
    except ValidationError as error:
        raise agent.unlike() from error
    for each in declared:
        if each.metric == metric:
            return MetricRange(*each.bounds, each.better == "higher")
    names = [*(each.metric for each in declared), *(scorer.metric.name for scorer in SCORERS)]
    near = suggestion(metric[:80], names)
    raise ConfigError(f"unknown metric {metric[:80]!r}{near}; known: {', '.join(names)}")


def _searches(known: MetricRange) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield which answers to look for, in words and as parameters of the API: the worst first, then more."""
    lower, upper, higher = known
    if upper is None:
        yield f"the newest {NEWEST} answers with a value", {}
        return
    for share in BANDS:
        bound = lower + share * (upper - lower) if higher else upper - share * (upper - lower)
        words = f"the newest answers with {'at most' if higher else 'at least'} {bound:g}"
        yield words, {"max_value" if higher else "min_value": bound}
