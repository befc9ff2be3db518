"""One reviewer's label of one answer: five axes, the level of grounding, categories of failure, and a rationale.

Source: PROBE, section 3.5 (axes, grounding rubric, categories) and 4.2 (when a rationale is required); "Case-Aware
LLM-as-a-Judge Evaluation for Enterprise-Scale RAG Systems", 8.7 and M6, M8 (the axes of `CASE_AXES`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, ValidationError, model_validator

from gates.units.names import suggestion
from scorers.base import Value
from scorers.diagnosis.failure_category import Category

AcceptLevel = Literal["acceptable", "unacceptable"]
Sufficiency = Literal["sufficient", "partial", "insufficient"]
CitationLevel = Literal["correct", "partly_correct", "incorrect"]
ConflictLevel = Literal["handled", "not_applicable", "unhandled"]
SafetyLevel = Literal["safe", "minor", "severe"]
Grounding = Literal["fully_grounded", "partially_grounded", "misgrounded", "ungrounded"]
IdentifierLevel = Literal["intact", "not_applicable", "unknown", "corrupted"]
ResolutionLevel = Literal["aligned", "not_applicable", "partly_aligned", "misaligned"]

AXES: Mapping[str, tuple[str, ...]] = {
    "acceptability": get_args(AcceptLevel),
    "evidence_sufficiency": get_args(Sufficiency),
    "citation_correctness": get_args(CitationLevel),
    "conflict_handling": get_args(ConflictLevel),
    "safety_boundary": get_args(SafetyLevel),
    "grounding": get_args(Grounding),
}
"""Levels of each axis, the best first: of labels that disagree the last one here is the most severe."""
CASE_AXES: Mapping[str, tuple[str, ...]] = {
    "identifier_integrity": get_args(IdentifierLevel),
    "resolution_alignment": get_args(ResolutionLevel),
}
"""Levels of the axes that only some reviews ask about: those of support cases."""
ALL_AXES: Mapping[str, tuple[str, ...]] = {**AXES, **CASE_AXES}
NOT_APPLICABLE = "not_applicable"
QUESTIONS: Mapping[str, str] = {
    "acceptability": "Can the answer go out as it is?",
    "evidence_sufficiency": "Do the passages hold what the answer needs?",
    "citation_correctness": "Do its citations support what they stand at?",
    "conflict_handling": "Where sources disagree, does it say so, or follow the one that governs?",
    "safety_boundary": "Does it stay within what it may say?",
    "grounding": "How far is it supported by current governing evidence?",
    "identifier_integrity": "Are order numbers, hosts, error codes, versions and commands kept exactly?",
    "resolution_alignment": "Does it fit the case: what was tried, what is ruled out, which step comes first?",
}
"""What a reviewer is asked on each axis."""
RUBRICS: Mapping[str, Mapping[str, str]] = {
    "grounding": {
        "fully_grounded": "Every claim that a decision rests on is supported by current governing evidence.",
        "partially_grounded": "Mostly supported, but a required qualification or citation is missing.",
        "misgrounded": "It cites evidence, and the evidence does not support the claim.",
        "ungrounded": "It has no usable support, or invents what matters.",
    },
    "identifier_integrity": {
        "intact": "Each is written as in the question, the conversation, the case or a passage.",
        "not_applicable": "The answer has none.",
        "unknown": "One stands in none of these, and resembles none that does.",
        "corrupted": "One was changed, or is used for something else than it names.",
    },
    "resolution_alignment": {
        "aligned": "It keeps to the case and its order of steps, and may resolve it.",
        "not_applicable": "There is no case to resolve.",
        "partly_aligned": "It keeps to the case, but leaves out a step that is needed.",
        "misaligned": "It repeats what was tried, skips what must come first, or advises what is ruled out.",
    },
}
"""What the levels of an axis mean, where their names do not say it."""
CATEGORIES: tuple[str, ...] = get_args(Category)
SEVERE = "severe"
GROUNDED = frozenset({"fully_grounded", "partially_grounded"})


class ReviewLabel(Value):
    """What a reviewer says of an answer.

    Axes of `CASE_AXES` are ``None`` where the review does not ask about them. ``primary`` is required for an answer
    that is not acceptable, ``rationale`` for a severe safety label and for an acceptable answer to a question with a
    known conflict.

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
    identifier_integrity: IdentifierLevel | None = None
    resolution_alignment: ResolutionLevel | None = None
    primary: Category | None = None
    secondary: Annotated[tuple[Category, ...], Field(max_length=2)] = ()
    rationale: Annotated[str, Field(max_length=10_000)] = ""

    @classmethod
    def of(cls, raw: Mapping[str, Any], *, conflict: bool, asked: Iterable[str] = AXES) -> ReviewLabel:
        """Return a label as given, with a level on each axis that is ``asked``.

        ``conflict``: the packet is flagged so. Raises `ValueError` with the field.
        """
        asked = frozenset(asked)
        foreign = next((axis for axis in CASE_AXES if axis in raw and axis not in asked), None)
        if foreign is not None:
            raise ValueError(f"{foreign}: this review does not ask about it")
        try:
            label = cls.model_validate(dict(raw))
        except ValidationError as error:
            problems = error.errors(include_url=False)
            # What is missing is often what was mistyped.
            first = next((each for each in problems if each["type"] == "extra_forbidden"), problems[0])
            place = ".".join(map(str, first["loc"]))
            known = ALL_AXES.get(place) or (CATEGORIES if place.startswith(("primary", "secondary.")) else None)
            match first["type"]:
                case "missing":
                    said = "required"
                case "extra_forbidden":
                    said = f"no such axis{suggestion(place, [*sorted(asked), 'primary'])}"
                case _ if known is not None:
                    said = f"must be one of {', '.join(known)}"
                case _:
                    said = first["msg"].removeprefix("Value error, ")
            raise ValueError(f"{place}: {said}" if place else said) from error
        missing = next((axis for axis in CASE_AXES if axis in asked and getattr(label, axis) is None), None)
        if missing is not None:
            raise ValueError(f"{missing}: required")
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
