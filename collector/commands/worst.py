"""The worst answers by a metric, as a running agent finds them."""

from __future__ import annotations

import math
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
MOST = 100
"""Answers of one page at most: with their passages they stay below the bytes at which the agent ends a page."""
EQUAL = 1000
"""Answers of a page of those with one value: where such a page ends early, it says where to go on."""
PAGES = 5
"""Pages of one search: each looks through a hundred thousand answers and may hold few of them."""
REQUESTS = 20
"""Pages in all: each may keep the agent busy for two seconds, and a million answers may be equally bad."""


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
    search = _Search(agent, {**slice_, "metric": metric}, metric, known)
    bounds = _bad(known)
    while True:
        end = search.page_by_value(bounds, max(limit, min(MOST, LOOKED_AT * limit)))
        if end is None or len(_once(search.worse_than(end))) >= limit:
            break
        # Further answers with this very value may be left, such as many people's to one question.
        search.all_with(end)
        if search.more or len(_once([each for each in search.sorted() if not search.better(each, end)])) >= limit:
            break
        bounds |= _beyond(end, known)
    return WorstFound(search.searched, known.higher_is_better, tuple(_once(search.sorted())[:limit]))


class _Search:
    """Bad answers as they are asked for, the worst first, in a bounded number of requests."""

    def __init__(self, agent: AskedAgent, wanted: Mapping[str, Any], metric: str, known: MetricRange) -> None:
        self._agent = agent
        self._wanted = wanted
        self._metric = metric
        self._higher = known.higher_is_better
        self._left = REQUESTS
        self._found: dict[Any, WorstAnswer] = {}
        self.more = False
        """Whether the requests were used up before all was looked through that may be among the worst."""
        self._older = False

    @property
    def searched(self) -> str:
        """Among which answers the worst were looked for, in words."""
        if self.more:
            return f"the {len(self._found):,} worst that were looked through (there are more)"
        return "the newest answers, as far as the search went" if self._older else "all answers"

    def page_by_value(self, bounds: Mapping[str, float], size: int) -> float | None:
        """Find the worst within bounds; return the value from which on some may be left out, ``None`` if none is."""
        order = "lowest" if self._higher else "highest"
        ends: list[float] = []
        for rows, scored in self._pages({**bounds, "order": order, "limit": size}, PAGES):
            if rows >= size and scored:
                ends.append(scored[-1].score["value"])
        return (min if self._higher else max)(ends) if ends and not self.more else None

    def all_with(self, value: float) -> None:
        """Find the answers with one value, the newest first."""
        for _ in self._pages({"min_value": value, "max_value": value, "limit": EQUAL}, REQUESTS):
            pass

    def _pages(self, wanted: Mapping[str, Any], most: int) -> Iterator[tuple[int, list[WorstAnswer]]]:
        """Yield how many rows each page has, and those of them with a value, which are kept."""
        before = 0
        for _ in range(most):
            if self._left == 0:
                self.more = True
                return
            self._left -= 1
            body = self._agent.get("/v1/answers", {**self._wanted, **wanted, "before": before})
            rows = rows_of(body, "answers")
            # One that was given another evaluation while it was looked for has no value any more.
            pairs = [(score_of(row, self._metric), row) for row in rows]
            scored = [WorstAnswer(score, row) for score, row in pairs if score is not None]
            for each in scored:
                self._found.setdefault(part_of(each.body, "answer").get("id"), each)
            yield len(rows), scored
            following = body.get("next")
            if not isinstance(following, int):
                return
            before = following
        self._older = True

    def sorted(self) -> list[WorstAnswer]:
        """Return what was found, the worst first."""
        return sorted(self._found.values(), key=lambda each: each.score["value"], reverse=not self._higher)

    def better(self, answer: WorstAnswer, value: float) -> bool:
        """Whether an answer has a better value than this one."""
        found: float = answer.score["value"]
        return found > value if self._higher else found < value

    def worse_than(self, value: float) -> list[WorstAnswer]:
        """Return what was found that is worse than this value, the worst first."""
        return [each for each in self.sorted() if each.score["value"] != value and not self.better(each, value)]


def _beyond(value: float, known: MetricRange) -> dict[str, float]:
    """Return the parameter of the API that asks only for what is better than a value."""
    if known.higher_is_better:
        return {"min_value": math.nextafter(value, math.inf)}
    return {"max_value": math.nextafter(value, -math.inf)}


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
