"""Acceptability: whether the people who read an answer accept it."""

from __future__ import annotations

from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Measured, Metric, Scorer, not_applicable


class Acceptability(Scorer):
    """Whether a person accepts the answer (``gold.acceptable``): 1 yes, 0 no. Without that label ``not_applicable``.

    It estimates nothing: it lets gates, slices and comparisons stand on people's verdicts beside what is measured.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Gold
    >>> answer = Answer(id="a", answer="It is so.", gold=Gold(acceptable=False))
    >>> Acceptability().score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC))).label
    'unacceptable'
    """

    metric: ClassVar[Metric] = Metric(
        name="acceptability",
        family="composite",
        languages="any",
        unit="ratio",
        better="higher",
        help="Whether a person accepts an answer: 1 yes, 0 no.",
        formula="the label",
        source="PROBE 3.5 and 5.2 (adjudicated business acceptability).",
        bases=("gold",),
        cost="fields",
        limits="A label, and only as good as its annotators; says nothing about unlabelled traffic.",
        buckets=(0.5, 1.0),
    )
    needs: ClassVar[frozenset[str]] = frozenset({"gold"})
    type: Literal["acceptability"] = "acceptability"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002 - the contract's signature
        """Return the label, or say that there is none."""
        accepted = answer.gold.acceptable if answer.gold is not None else None
        if accepted is None:
            return not_applicable("the labels do not say whether the answer is acceptable")
        return Measured(float(accepted), basis="gold", label="acceptable" if accepted else "unacceptable")
