"""One score of an answer by an evaluator that is not ours: a judge, a feedback button, an annotator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from adapters.schema import MAX_AMOUNT, Finite, Instant, Record, ResponseId

MAX_NAME = 200
"""Characters of a score's name, a label, an evaluator and a version."""
MAX_ID = 1024
"""Characters of an answer's id, a trace's or a span's."""
MAX_EXPLANATION = 2_000
"""Characters that are kept of an explanation."""
OURS = "groundwire"
"""How evaluators begin whose scores this agent wrote: never read back, or it would judge itself."""


def _shortened(text: str) -> str:
    return text[:MAX_EXPLANATION]


def _number(value: Any) -> Any:
    """Take true and false for 1 and 0: a thumb is a score."""
    return float(value) if isinstance(value, bool) else value


ScoreText = Annotated[str, Field(min_length=1, max_length=MAX_NAME)]
AnswerRef = Annotated[str, Field(min_length=1, max_length=MAX_ID)]


class ScoreOrigin(Record):
    """Which answer an evaluation is of, and who made it.

    The answer is named by ``answer_id``, by ``trace_id`` and, where its trace has several answers, ``span_id``, or by
    ``response_id``: the id that the model's provider gave to a completion of it.
    ``evaluator`` and ``version`` say who measured: values of different versions are never compared. ``probability`` is
    how likely the answer was to be evaluated, above 0 and up to 1; it matters where some were likelier than others.
    ``at`` is when the score was given.
    """

    answer_id: AnswerRef | None = None
    trace_id: AnswerRef | None = None
    span_id: AnswerRef | None = None
    response_id: ResponseId | None = None
    evaluator: ScoreText | None = None
    version: ScoreText | None = None
    probability: float = Field(default=1.0, gt=0, le=1)
    at: Instant | None = None

    @model_validator(mode="after")
    def _of_an_answer(self) -> Self:
        if self.answer_id is None and self.trace_id is None and self.response_id is None:
            raise ValueError("give answer_id, trace_id or response_id")
        return self


class ExternalScore(ScoreOrigin):
    """What an evaluator said of one answer: a ``value``, a ``label``, or both.

    >>> ExternalScore(name="thumbs", value=True, answer_id="a-17").value
    1.0
    """

    name: ScoreText
    value: Annotated[Finite | None, BeforeValidator(_number)] = None
    label: ScoreText | None = None
    explanation: Annotated[str, AfterValidator(_shortened)] | None = None

    @model_validator(mode="after")
    def _of_something(self) -> Self:
        if self.value is None and self.label is None:
            raise ValueError("give a value or a label")
        return self

    @property
    def ours(self) -> bool:
        """Whether this agent wrote it to where it comes from."""
        return (self.evaluator or "").lower().startswith(OURS)

    @property
    def measured_by(self) -> str:
        """Evaluator and version as one text; empty where neither is known.

        >>> ExternalScore(name="n", value=1, trace_id="t", evaluator="judge", version="3").measured_by
        'judge@3'
        """
        return "@".join(part for part in (self.evaluator, self.version) if part)


def number_or_text(value: Any) -> Mapping[str, Any]:
    """Return what a tool calls a score's value as ``value`` or ``label``; nothing where it is neither.

    >>> number_or_text(4), number_or_text("good"), number_or_text([1])
    ({'value': 4}, {'label': 'good'}, {})
    """
    if isinstance(value, bool):
        return {"value": value}
    if isinstance(value, int | float):
        return {"value": value} if -MAX_AMOUNT <= value <= MAX_AMOUNT else {}
    return {"label": value} if isinstance(value, str) and value else {}
