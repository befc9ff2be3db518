"""What is declared of scores by other evaluators: under which names they come, their range and direction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from math import inf
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from adapters.external.case_record import CASE_INPUTS
from adapters.external.score import ExternalScore
from collector.store.externalrows import PREFIX
from scorers.base import Metric
from scorers.composite.case_profile import PROFILES, CaseProfileName, weighted_sum

STEPS = 10
"""Buckets of a bounded metric's histogram."""
AMOUNTS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 100.0, 1000.0, 10_000.0)
"""Buckets above the least value of one that has no upper bound."""
SHOWN = 60
"""Characters of a name or a label that a reason repeats."""

ScoreName = Annotated[str, Field(min_length=1, max_length=200)]


class UntakenScoreError(ValueError):
    """A score that is of a declared metric and cannot be a value of it."""


class ExternalMetric(BaseModel):
    """A metric whose values somebody else's evaluator gives: `external.NAME`.

    >>> tone = ExternalMetric(name="tone", bounds=(1, 5), values={"rude": 1, "kind": 5})
    >>> tone.value_of(ExternalScore(name="tone", label="kind", answer_id="a"))
    5.0
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(
        pattern=r"^[a-z][a-z0-9_]{0,47}$", description="Name of the metric; gates call it `external.` and this."
    )
    scores: tuple[ScoreName, ...] = Field(
        default=(), max_length=20, description="Names under which its scores come; by default its own."
    )
    evaluators: tuple[ScoreName, ...] = Field(
        default=(),
        max_length=20,
        description="Only scores of these evaluators; by default of any. Others are another metric's, or nobody's.",
    )
    bounds: tuple[float, float | None] = Field(
        default=(0.0, 1.0),
        description="Least and largest value, such as `[1, 5]`; null for no upper bound. A score outside is refused.",
    )
    better: Literal["higher", "lower"] = Field(default="higher", description="Which values are good.")
    values: Mapping[ScoreName, float] = Field(
        default_factory=dict,
        max_length=50,
        description="Values of labels, for scores that come as a label alone: `{correct: 1, incorrect: 0}`.",
    )
    profile: CaseProfileName | None = Field(
        default=None,
        description="Its values are the weighted sum of the eight scores of a case-aware judge, by this profile: of "
        "each record, or of scores of one answer and evaluator that come together. It declares the eight as well.",
    )
    help: str = Field(default="", max_length=300, description="What it says, for boards and lists.")

    @model_validator(mode="after")
    def _one_origin(self) -> ExternalMetric:
        own = {"scores", "values", "bounds", "better"} & self.model_fields_set
        if self.profile is not None and own:
            raise ValueError(f"profile: works its values out of eight scores; leave out {', '.join(sorted(own))}")
        return self

    @field_validator("bounds")
    @classmethod
    def _range(cls, bounds: tuple[float, float | None]) -> tuple[float, float | None]:
        lower, upper = bounds
        if not (-inf < lower < inf and (upper is None or lower < upper < inf)):
            raise ValueError("expected two numbers, the lower one first")
        return bounds

    @property
    def incoming(self) -> tuple[str, ...]:
        """The names under which its scores come; none of one that is worked out."""
        return () if self.profile is not None else self.scores or (self.name,)

    @cached_property
    def metric(self) -> Metric:
        """The metric as gates, boards and lists know it."""
        lower, upper = self.bounds
        width = None if upper is None else upper - lower
        steps = (
            [lower + each for each in AMOUNTS] if width is None else [lower + width * n / STEPS for n in range(1, 11)]
        )
        text = self.help or (
            f"Scores by another evaluator, as {' or '.join(self.incoming)}"
            if self.profile is None
            else f"Weighted sum of the eight scores of a case-aware judge, profile {self.profile}"
        )
        return Metric(
            name=f"{PREFIX}{self.name}",
            family="external",
            unit="ratio" if self.bounds == (0.0, 1.0) else "points",
            lower=lower,
            upper=upper,
            better=self.better,
            help=text if text.endswith(".") else f"{text}.",
            formula="the evaluator's own" if self.profile is None else "sum of weight x score over the eight scores",
            source="The evaluator that sends the scores.",
            cost="elsewhere",
            limits="As good as its evaluator; a score without an evaluator's version hides a new one.",
            buckets=tuple(round(each, 9) for each in steps),
        )

    def takes(self, score: ExternalScore) -> bool:
        """Whether a score is of this metric."""
        return score.name in self.incoming and (not self.evaluators or score.evaluator in self.evaluators)

    def value_of(self, score: ExternalScore) -> float:
        """Return the value of a score. Raises `UntakenScoreError` for one that is none of this metric."""
        value = self.values.get(score.label or "") if score.value is None else score.value
        if value is None:
            raise UntakenScoreError(
                f"label {score.label[:SHOWN]!r} has no value: give it one under `values` of {self.name}"
                if score.label
                else "there is no value"
            )
        lower, upper = self.bounds
        if not lower <= value <= (inf if upper is None else upper):
            end = "and up" if upper is None else f"to {upper:g}"
            raise UntakenScoreError(f"{value:g} is outside the bounds of {self.name}, {lower:g} {end}")
        return float(value)

    def sum_of(self, scores: Mapping[str, float]) -> float | None:
        """Return the weighted sum of a judge's scores by name; ``None`` where one is missing, or nothing is summed.

        >>> metric = ExternalMetric(name="s_final", profile="uniform")
        >>> metric.sum_of(dict.fromkeys(CASE_INPUTS, 0.5)), metric.sum_of({"hallucination": 0.5})
        (0.5, None)
        """
        if self.profile is None or not all(0.0 <= scores.get(name, -1.0) <= 1.0 for name in CASE_INPUTS):
            return None
        return weighted_sum({name: scores[name] for name in CASE_INPUTS}, PROFILES[self.profile])

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the labels' values, each as ``path: problem``."""
        lower, upper = self.bounds
        for label, value in self.values.items():
            if not lower <= value <= (inf if upper is None else upper):
                end = "and up" if upper is None else f"to {upper:g}"
                yield f"{where}.values.{label}: {value:g} is outside the bounds, {lower:g} {end}"


def with_inputs(declared: Iterable[Any]) -> list[Any]:
    """Return what is declared, as a configuration has it, with the eight scores that sums among it are made of.

    >>> [each["name"] for each in with_inputs([{"name": "s_final", "profile": "uniform"}])][:3]
    ['s_final', 'hallucination', 'retrieval_correctness']
    """
    given = list(declared)
    sums = [each for each in given if isinstance(each, dict) and each.get("profile") is not None]
    if not sums:
        return given
    names = {each.get("name") for each in given if isinstance(each, dict)}
    limits = [each.get("evaluators") or () for each in sums]
    evaluators = list(dict.fromkeys(name for limit in limits for name in limit)) if all(limits) else []
    return given + [{"name": name, "evaluators": evaluators} for name in CASE_INPUTS if name not in names]


def clashes(declared: Sequence[ExternalMetric]) -> Iterator[str]:
    """Yield which metrics would take the same score, each as ``path: problem``."""
    for (first, one), (second, other) in combinations(enumerate(declared), 2):
        names = sorted(set(one.incoming) & set(other.incoming))
        apart = one.evaluators and other.evaluators and not set(one.evaluators) & set(other.evaluators)
        if names and not apart and one.name != other.name:
            yield (
                f"external[{second}].scores: {names[0]!r} is taken by external[{first}] ({one.name}) as well; give "
                "both `evaluators`, with none in common"
            )
