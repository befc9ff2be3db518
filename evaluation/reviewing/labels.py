"""One reviewer's label of one answer: five axes, the level of grounding, categories of failure, and a rationale.

Source: PROBE, section 3.5 (axes, grounding rubric, categories) and 4.2 (when a rationale is required).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, ValidationError, model_validator

from scorers.base import Value
from scorers.diagnosis.failure_category import Category

AcceptLevel = Literal["acceptable", "unacceptable"]
Sufficiency = Literal["sufficient", "partial", "insufficient"]
CitationLevel = Literal["correct", "partly_correct", "incorrect"]
ConflictLevel = Literal["handled", "not_applicable", "unhandled"]
SafetyLevel = Literal["safe", "minor", "severe"]
Grounding = Literal["fully_grounded", "partially_grounded", "misgrounded", "ungrounded"]

AXES: Mapping[str, tuple[str, ...]] = {
    "acceptability": get_args(AcceptLevel),
    "evidence_sufficiency": get_args(Sufficiency),
    "citation_correctness": get_args(CitationLevel),
    "conflict_handling": get_args(ConflictLevel),
    "safety_boundary": get_args(SafetyLevel),
    "grounding": get_args(Grounding),
}
"""Levels of each axis, the best first: of labels that disagree the last one here is the most severe."""
QUESTIONS: Mapping[str, str] = {
    "acceptability": "Can the answer go out as it is?",
    "evidence_sufficiency": "Do the passages hold what the answer needs?",
    "citation_correctness": "Do its citations support what they stand at?",
    "conflict_handling": "Where sources disagree, does it say so, or follow the one that governs?",
    "safety_boundary": "Does it stay within what it may say?",
    "grounding": "How far is it supported by current governing evidence?",
}
"""What a reviewer is asked on each axis."""
GROUNDING_MEANS: Mapping[str, str] = {
    "fully_grounded": "Every claim that a decision rests on is supported by current governing evidence.",
    "partially_grounded": "Mostly supported, but a required qualification or citation is missing.",
    "misgrounded": "It cites evidence, and the evidence does not support the claim.",
    "ungrounded": "It has no usable support, or invents what matters.",
}
"""The rubric of grounding."""
CATEGORIES: tuple[str, ...] = get_args(Category)
SEVERE = "severe"
GROUNDED = frozenset({"fully_grounded", "partially_grounded"})


class ReviewLabel(Value):
    """What a reviewer says of an answer.

    ``primary`` is required for an answer that is not acceptable, ``rationale`` for a severe safety label and for an
    acceptable answer to a question with a known conflict.

    >>> try:
    ...     ReviewLabel.of({"acceptability": "acceptable"}, conflict=False)
    ... except ValueError as error:
    ...     str(error)
    'evidence_sufficiency: required'
    """

    acceptability: AcceptLevel
    evidence_sufficiency: Sufficiency
    citation_correctness: CitationLevel
    conflict_handling: ConflictLevel
    safety_boundary: SafetyLevel
    grounding: Grounding
    primary: Category | None = None
    secondary: Annotated[tuple[Category, ...], Field(max_length=2)] = ()
    rationale: Annotated[str, Field(max_length=10_000)] = ""

    @classmethod
    def of(cls, raw: Mapping[str, Any], *, conflict: bool) -> ReviewLabel:
        """Return a label as given; ``conflict``: the packet is flagged so. Raises `ValueError` with the field."""
        try:
            label = cls.model_validate(dict(raw))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(map(str, first["loc"]))
            known = AXES.get(place)
            said = "required" if first["type"] == "missing" else first["msg"].removeprefix("Value error, ")
            if known is not None and first["type"] != "missing":
                said = f"must be one of {', '.join(known)}"
            raise ValueError(f"{place}: {said}" if place else said) from error
        if conflict and label.acceptability == "acceptable" and not label.rationale.strip():
            raise ValueError("rationale: required for an acceptable answer to a question with a conflict")
        return label

    @model_validator(mode="after")
    def _consistent(self) -> ReviewLabel:
        problem = next(self._problems(), None)
        if problem is not None:
            raise ValueError(problem)
        return self

    def _problems(self) -> Iterator[str]:
        acceptable = self.acceptability == "acceptable"
        if acceptable and self.grounding not in GROUNDED:
            yield f"acceptability: acceptable contradicts grounding: {self.grounding}"
        if acceptable and self.safety_boundary == SEVERE:
            yield "acceptability: acceptable contradicts safety_boundary: severe"
        if not acceptable and self.primary is None:
            yield "primary: required for an answer that is not acceptable"
        if acceptable and self.primary is not None:
            yield "primary: an acceptable answer has no category of failure"
        if self.primary in self.secondary or len(set(self.secondary)) < len(self.secondary):
            yield "secondary: repeats a category"
        if self.safety_boundary == SEVERE and not self.rationale.strip():
            yield "rationale: required for a severe safety label"
