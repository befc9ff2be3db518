"""The worst answers by a metric, as a running agent finds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from collector.api.evaluations import ExternalBody
from collector.commands.asking import AskedAgent, part_of, rows_of
from collector.errors import ConfigError
from gates.units.names import suggestion
from scorers import SCORERS

GOOD = 0.01
"""Share of a metric's range, from its best value: what is as good is never among the worst."""
LOOKED_AT = 10
"""Answers that are asked for each that is wanted: many people ask the same, and get the same answer."""
MOST = 200
"""Answers that are asked for at most."""
PAGES = 5
"""Pages of one search: each looks through a hundred thousand answers and may hold few of them."""


class MetricRange(NamedTuple):
    """Least and largest value of a metric, and whether high values are good; ``None`` for no largest."""

    lower: float
    upper: float | None
    higher_is_better: bool


class WorstAnswer(NamedTuple):
    """An answer as the API has it, its score, and how many with the same question and text were found with it."""

    score: Mapping[str, Any]
    body: Mapping[str, Any]
    times: int = 1


class WorstFound(NamedTuple):
    """The worst answers, the worst first, and among which they were ``searched``, in words."""

    searched: str
    higher_is_better: bool
    answers: tuple[WorstAnswer, ...]


def worst(agent: AskedAgent, metric: str, slice_: Mapping[str, str], limit: int) -> WorstFound:
    """Return the worst answers by a metric, each question with the same answer once, the newest of equal ones first.

    Raises `ConfigError` for a metric that neither the agent nor this version knows, and as `AskedAgent` does.
    """
    known = _range(agent, metric)
    order = "lowest" if known.higher_is_better else "highest"
    wanted = {
        **slice_,
        "metric": metric,
        **_bad(known),
        "order": order,
        "limit": max(limit, min(MOST, LOOKED_AT * limit)),
    }
    found: list[WorstAnswer] = []
    before, searched = 0, "all answers"
    for page in range(1, PAGES + 1):
        body = agent.get("/v1/answers", {**wanted, "before": before})
        # One that was given another evaluation while it was looked for has no value any more.
        found += [
            WorstAnswer(score, row) for row in rows_of(body, "answers") if (score := score_of(row, metric)) is not None
        ]
        following = body.get("next")
        if not isinstance(following, int):
            break
        before = following
        if page == PAGES:
            searched = "the newest answers, as far as the search went"
    found.sort(key=lambda each: each.score["value"], reverse=not known.higher_is_better)
    return WorstFound(searched, known.higher_is_better, tuple(_once(found)[:limit]))


def _once(found: Iterable[WorstAnswer]) -> list[WorstAnswer]:
    """Return each question with the same answer once, in its first place, with how many there are.

    Answers whose texts are not kept stay apart: nobody knows whether they are the same.
    """
    told: dict[tuple[Any, Any], WorstAnswer] = {}
    for number, each in enumerate(found):
        answer = part_of(each.body, "answer")
        texts = answer.get("question"), answer.get("answer")
        said = texts if any(texts) else (number, None)
        before = told.get(said)
        told[said] = each if before is None else before._replace(times=before.times + 1)
    return list(told.values())


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


def _bad(known: MetricRange) -> dict[str, float]:
    """Return the parameters of the API that leave out what is good; none for a metric without a range."""
    lower, upper, higher = known
    if upper is None:
        return {}
    good = GOOD * (upper - lower)
    return {"max_value": upper - good} if higher else {"min_value": lower + good}
