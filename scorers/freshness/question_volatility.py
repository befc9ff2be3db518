"""Question volatility: the right answer to the question changes with time."""

from __future__ import annotations

from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Measured, Metric, Scorer, not_applicable
from scorers.models.linear import linear_model
from scorers.wording.changing import MAX_READ, volatility


class QuestionVolatility(Scorer):
    """Probability that the right answer to the question changes with time: 1 it does, 0 it stays what it is.

    It says how much a stale source would hurt, and weighs the freshness metrics. Only the wording of the question is
    read ("current", "who is the coach of", "last won", against a year, "who invented"): it is trained on
    questions of the open web in English, says nothing of *how soon* an answer changes (that did not transfer), and
    cannot see a false premise.

    >>> from datetime import UTC, datetime
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> for question in ("Who is the current prime minister of Japan?", "Who wrote Moby Dick?"):
    ...     score = QuestionVolatility().score(Answer(id="a", question=question), env)
    ...     print(score.label, round(score.value, 1))
    changes 1.0
    stays 0.0
    """

    metric: ClassVar[Metric] = Metric(
        name="question_volatility",
        family="freshness",
        languages=("en",),
        words=("question",),
        unit="ratio",
        better="lower",
        circumstance=True,
        help="Probability that the right answer to a question changes with time: 1 it changes, 0 it stays.",
        formula="calibrated logistic model over the wording of the question and its n-grams of one to three words, "
        "years and other numbers masked; label changes at .5 and above; docs/models/question_volatility.md",
        source="Zhang and Choi 2021, SituatedQA (labels); Vu et al. 2023, FreshQA; the model is ours.",
        labels=("stays", "changes"),
        cost="wording",
        limits="English questions of the open web; does not say how soon an answer changes, and cannot detect a false "
        "premise.",
        version="2",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"question"})
    type: Literal["question_volatility"] = "question_volatility"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002 - the contract's signature
        """Return the probability that the right answer changes, or why that cannot be said."""
        question = answer.question or ""
        if not question.strip():
            return not_applicable("the question has no words")
        value = volatility(question[:MAX_READ])
        changes = value >= linear_model("question_volatility").threshold
        return Measured(value=value, label="changes" if changes else "stays")
