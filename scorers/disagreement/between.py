"""The passages of an answer that are held against each other, and what was found."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.schema import Answer, Passage
from scorers.base import Absent, missing_input, not_applicable
from scorers.disagreement.disagreement import Disagreement, disagreements


@dataclass(frozen=True, slots=True)
class Between:
    """The distinct passages of an answer, and every pair that was compared, the surest disagreement first."""

    passages: tuple[Passage, ...]
    pairs: tuple[Disagreement, ...]


def between(answer: Answer) -> Between | Absent:
    """Compare the retrieved passages of ``answer``, or say why there is nothing to compare.

    A text that was retrieved twice is one passage.
    """
    question = answer.question or ""
    if not question.strip():
        return not_applicable("the question has no words")
    distinct: dict[str, Passage] = {}
    for passage in answer.passages or ():
        if passage.text and passage.text.strip():
            distinct.setdefault(passage.text, passage)
    if len(distinct) > 1:
        return Between(tuple(distinct.values()), disagreements(question, tuple(distinct)))
    if any(passage.text is None for passage in answer.passages or ()):
        return missing_input("text of the passages")
    return not_applicable("fewer than two passages")
