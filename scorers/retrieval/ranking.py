"""What was retrieved, in its order, and what a person says of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field

from adapters.schema import Answer, GoldLabel, Stage
from scorers.base import not_applicable

GRADES: Mapping[GoldLabel, float] = {"sufficient": 1.0, "partial": 0.5}
"""The relevance of each label; what is superseded, conflicting or prohibited has none."""

Depth = Annotated[int, Field(ge=1, le=1000)]
"""How far down the ranking is looked."""

DEPTH = 10
LISTED = 5
"""Passages that the evidence lists."""


NOTHING_RELEVANT = not_applicable("no gold passage is labelled sufficient or partial")


def retrieved(answer: Answer) -> tuple[str, ...]:
    """Return the ids that retrieval found, before any reranking, each once: what all its steps put out."""
    steps = [stage.output_ids for stage in answer.stages or () if stage.kind == "retrieve" and stage.output_ids]
    found = dict.fromkeys(name for output in steps for name in output)
    return tuple(found) if found else _passages(answer)


def ranked(answer: Answer) -> tuple[str, ...]:
    """Return the ids in the order in which they were handed on, each once.

    The output of the last reranker; else of the retriever, if there is one; else the passages as they are listed.

    >>> from adapters.schema import Passage
    >>> steps = (Stage(kind="retrieve", output_ids=("a", "b")), Stage(kind="rerank", output_ids=("b", "a")))
    >>> ranked(Answer(id="x", stages=steps, passages=(Passage(id="a"), Passage(id="b"))))
    ('b', 'a')
    """
    stage = ranking_stage(answer)
    return _passages(answer) if stage is None else tuple(dict.fromkeys(stage.output_ids or ()))


def ranking_stage(answer: Answer) -> Stage | None:
    """Return the step that gave the final order: the last reranker, else the only retriever."""
    told = [stage for stage in answer.stages or () if stage.output_ids]
    rerankers = [stage for stage in told if stage.kind == "rerank"]
    if rerankers:
        return rerankers[-1]
    retrievers = [stage for stage in told if stage.kind == "retrieve"]
    return retrievers[0] if len(retrievers) == 1 else None


def selected(answer: Answer) -> tuple[str, ...]:
    """Return the ids of the context passages, in order, each once; all retrieved where no selection is known."""
    return tuple(dict.fromkeys(passage.id for passage in answer.context_passages() or ()))


def relevant(answer: Answer) -> dict[str, float]:
    """Return the grade (above 0) of each passage that is relevant by the gold labels; of two labels the better."""
    grades: dict[str, float] = {}
    for passage in answer.gold.passages if answer.gold is not None else ():
        grade = GRADES.get(passage.label, 0.0)
        if grade > grades.get(passage.id, 0.0):
            grades[passage.id] = grade
    return grades


def shown(names: Iterable[str]) -> str:
    """Return a few ids as text, cut to what fits a row."""
    some = list(names)
    told = ", ".join(name[:80] for name in some[:LISTED])
    return told + (f" and {len(some) - LISTED} more" if len(some) > LISTED else "")


def _passages(answer: Answer) -> tuple[str, ...]:
    return tuple(dict.fromkeys(passage.id for passage in answer.passages or ()))
