"""What a row of a suite expects of its answer, and whether the answer keeps it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple

from pydantic import Field, ValidationError, model_validator

from adapters.files import problems
from adapters.schema import Answer
from evaluation.reference.panel import REFERENCE_PANEL
from gates.units.names import suggestion
from scorers import SCORERS
from scorers.base import Metric, Value
from scorers.offline import OFFLINE_SCORERS

MOST = 100
_Text = Annotated[str, Field(min_length=1, max_length=2_000)]
_Texts = Annotated[tuple[_Text, ...], Field(max_length=MOST)]
_Finite = Annotated[float, Field(allow_inf_nan=False)]
METRICS: Mapping[str, Metric] = {scorer.metric.name: scorer.metric for scorer in (*SCORERS, *OFFLINE_SCORERS)}
Scores = Mapping[str, Mapping[str, Any]]
"""Lines of scores by metric."""
STAGE, CATEGORY, REFUSAL = "first_failed_stage", "failure_category", "refusal"
PASSES, REFUSES = "pass", "refuses"
UNSCORED = "not scored"


class CheckedExpectation(NamedTuple):
    """One expectation of one answer: whether it was kept, what was observed, and why it was not kept."""

    expectation: str
    kept: bool
    observed: str
    why: str | None = None


class Expectations(Value):
    """What must be so of an answer; what is left out is not looked at.

    ``must_cite`` names passages or documents (``id`` or ``id@version``) that the answer must cite. ``release`` says
    whether the answer may be released, which is so where no stage failed. ``first_failed_stage``,
    ``failure_category`` and ``label`` are labels of metrics; ``at_least`` and ``at_most`` bound their values.
    ``must_say`` and ``must_not_say`` are words of the answer, whatever their case.

    >>> try:
    ...     Expectations(must_refuse=True, must_not_refuse=True)
    ... except ValueError as error:
    ...     "must_refuse contradicts must_not_refuse" in str(error)
    True
    """

    must_cite: _Texts = ()
    must_not_cite: _Texts = ()
    must_refuse: bool = False
    must_not_refuse: bool = False
    must_say: _Texts = ()
    must_not_say: _Texts = ()
    release: bool | None = None
    first_failed_stage: _Text | None = None
    failure_category: _Text | None = None
    at_least: Mapping[str, _Finite] = {}
    at_most: Mapping[str, _Finite] = {}
    label: Mapping[str, _Text] = {}

    @model_validator(mode="after")
    def _consistent(self) -> Expectations:
        problem = next(self._problems(), None)
        if problem is not None:
            raise ValueError(problem)
        return self

    def _problems(self) -> Iterator[str]:
        if self.must_refuse and self.must_not_refuse:
            yield "must_refuse contradicts must_not_refuse"
        if self.must_refuse and self.must_cite:
            yield "must_refuse contradicts must_cite"
        both = sorted(set(self.must_cite) & set(self.must_not_cite))
        if both:
            yield f"must_cite contradicts must_not_cite: {both[0]!r}"
        passes = self.first_failed_stage == PASSES
        if None not in (self.release, self.first_failed_stage) and self.release != passes:
            yield f"release: {str(self.release).lower()} contradicts first_failed_stage: {self.first_failed_stage}"
        if not self.named():
            yield "nothing is expected"
        yield from self._measure_problems()

    def _measure_problems(self) -> Iterator[str]:
        for name, low in self.at_least.items():
            if low > self.at_most.get(name, low):
                yield f"at_least.{name}: {low:g} contradicts at_most.{name}: {self.at_most[name]:g}"
        for where, bounds in (("at_least", self.at_least), ("at_most", self.at_most)):
            for name, bound in bounds.items():
                if name in METRICS and not _within(METRICS[name], bound):
                    yield f"{where}.{name}: {bound:g} is no value of this metric, which has {_range(METRICS[name])}"
        for where, name, label in self._labels():
            known = METRICS[name].labels if name in METRICS else ()
            if not known:
                yield f"{where}: no metric with labels has this name"
            elif label not in known:
                yield f"{where}: {label!r} is none of the labels {', '.join(known)}"

    def _labels(self) -> Iterator[tuple[str, str, str]]:
        if self.first_failed_stage is not None:
            yield STAGE, STAGE, self.first_failed_stage
        if self.failure_category is not None:
            yield CATEGORY, CATEGORY, self.failure_category
        for name, label in self.label.items():
            yield f"label.{name}", name, label

    def named(self) -> bool:
        """Whether anything is expected."""
        return bool(self.model_dump(exclude_defaults=True))

    def metrics(self) -> frozenset[str]:
        """Return the metrics that tell whether this is kept."""
        needed = {*self.at_least, *self.at_most, *self.label}
        if self.must_refuse or self.must_not_refuse:
            needed.add(REFUSAL)
        if self.release is not None or self.first_failed_stage is not None:
            needed.add(STAGE)
        if self.failure_category is not None:
            needed.add(CATEGORY)
        return frozenset(needed)

    def told(self) -> dict[str, Any]:
        """Return what is expected as JSON, without what is not."""
        return self.model_dump(mode="json", exclude_defaults=True)

    def checked(self, answer: Answer, scores: Scores) -> list[CheckedExpectation]:
        """Return each expectation with whether it was kept, by the answer's ``scores`` (lines by metric).

        >>> score = {"value": 0.2, "label": "unsupported", "explanation": "1 of 2 claims"}
        >>> wanted = Expectations(at_least={"faithfulness": 0.5})
        >>> wanted.checked(Answer(id="a", answer="Yes."), {"faithfulness": score})[0].why
        'faithfulness is 0.2, expected at least 0.5: 1 of 2 claims'
        """
        return list(self._checked(answer, scores))

    def _checked(self, answer: Answer, scores: Scores) -> Iterator[CheckedExpectation]:
        cited = _cited(answer)
        observed = ", ".join(sorted(cited)) or "nothing"
        for name in self.must_cite:
            yield _check(
                f"must cite {name}",
                name in cited,
                observed,
                f"cites {observed}, but not {name}" if cited else "cites nothing",
            )
        for name in self.must_not_cite:
            yield _check(f"must not cite {name}", name not in cited, observed, f"cites {name}")
        said = (answer.answer or "").casefold()
        for words in self.must_say:
            yield _check(f"must say {words!r}", words.casefold() in said, "", f"does not say {words!r}")
        for words in self.must_not_say:
            yield _check(f"must not say {words!r}", words.casefold() not in said, "", f"says {words!r}")
        yield from self._checked_labels(scores)
        for name, low in self.at_least.items():
            yield _bounded(f"{name} at least {low:g}", name, scores, low, None)
        for name, high in self.at_most.items():
            yield _bounded(f"{name} at most {high:g}", name, scores, None, high)

    def _checked_labels(self, scores: Scores) -> Iterator[CheckedExpectation]:
        if self.must_refuse:
            yield _labelled("must refuse", REFUSAL, scores, frozenset({REFUSES}), "the answer complies")
        if self.must_not_refuse:
            others = frozenset(METRICS[REFUSAL].labels) - {REFUSES}
            yield _labelled("must not refuse", REFUSAL, scores, others, "the answer refuses")
        if self.release is not None:
            stages = frozenset({PASSES}) if self.release else frozenset(METRICS[STAGE].labels) - {PASSES}
            text = f"release {'allowed' if self.release else 'blocked'}"
            yield _labelled(text, STAGE, scores, stages, "first failed stage: {}")
        for _, name, expected in self._labels():
            yield _labelled(f"{name} is {expected}", name, scores, frozenset({expected}), f"{name} is {{}}")


def expectations_of(raw: Any) -> Expectations:
    """Return what the key ``expect`` of a row holds. Raises `ValueError` naming the field that is wrong.

    >>> expectations_of({"must_cite": ["HR-1"]}).must_cite
    ('HR-1',)
    """
    if not isinstance(raw, dict):
        raise ValueError("expect: must be an object")  # noqa: TRY004 - every bad row is a ValueError
    for name in raw:
        if name not in Expectations.model_fields:
            raise ValueError(f"expect.{name}: unknown; known: {', '.join(Expectations.model_fields)}")
    for bound in ("at_least", "at_most"):
        for name in raw.get(bound) or ():
            if name not in METRICS and name not in REFERENCE_PANEL and not str(name).startswith("external."):
                known = (*METRICS, *REFERENCE_PANEL)
                raise ValueError(f"expect.{bound}.{name}: no such metric{suggestion(str(name), known)}")
    try:
        return Expectations.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(["expect", *map(str, first["loc"])])
        raise ValueError(f"{place}: {problems.told(first)}") from error


def _within(metric: Metric, bound: float) -> bool:
    return metric.lower <= bound and (metric.upper is None or bound <= metric.upper)


def _range(metric: Metric) -> str:
    return f"{metric.lower:g} and more" if metric.upper is None else f"{metric.lower:g} to {metric.upper:g}"


def _cited(answer: Answer) -> set[str]:
    """Return everything by which what an answer cites may be named."""
    passages = {passage.id: passage for passage in answer.passages or ()}
    found = set()
    for citation in answer.citations or ():
        if citation.passage_id is None:
            continue
        found.add(citation.passage_id)
        passage = passages.get(citation.passage_id)
        if passage is not None and passage.doc_id is not None:
            found.add(passage.doc_id)
            if passage.version is not None:
                found.add(f"{passage.doc_id}@{passage.version}")
    return found


def _check(expectation: str, kept: bool, observed: str, why: str) -> CheckedExpectation:  # noqa: FBT001 - the outcome
    return CheckedExpectation(expectation, kept, observed, None if kept else why)


def _labelled(expectation: str, name: str, scores: Scores, expected: frozenset[str], why: str) -> CheckedExpectation:
    score = scores.get(name, {})
    label = score.get("label")
    if label is None:
        return _unscored(expectation, name, score)
    return _check(expectation, label in expected, label, why.format(label) + _because(score))


def _bounded(expectation: str, name: str, scores: Scores, low: float | None, high: float | None) -> CheckedExpectation:
    score = scores.get(name, {})
    value = score.get("value")
    if value is None:
        return _unscored(expectation, name, score)
    kept = (low is None or value >= low) and (high is None or value <= high)
    wanted = expectation.removeprefix(f"{name} ")
    return _check(expectation, kept, f"{value:.4g}", f"{name} is {value:.4g}, expected {wanted}{_because(score)}")


def _unscored(expectation: str, name: str, score: Mapping[str, Any]) -> CheckedExpectation:
    reason = score.get("reason")
    why = f"{name} has no value" + (f": {reason}" if reason else "") + _because(score)
    return CheckedExpectation(expectation, kept=False, observed=UNSCORED, why=why)


def _because(score: Mapping[str, Any]) -> str:
    return f": {score['explanation']}" if score.get("explanation") else ""
