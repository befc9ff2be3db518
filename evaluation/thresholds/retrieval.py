"""What a retriever with a similarity threshold would have returned, from the scores that were logged.

In normal mode a retriever returns the ``k`` most similar passages, whatever their similarity; in score mode those of at
least a minimum similarity, and ``k`` at most. A higher score is a closer passage.

A recorded answer cannot be written anew, but its context can be reduced to what a threshold would have left of it, and
the answer judged against that: what it loses is support that production would have lost. What other passages would have
added is not known, so only thresholds above what production used can be judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from adapters.schema import Answer


class ScoredContext(NamedTuple):
    """The passages that an answer was given, with their scores from retrieval, in the order of the context."""

    scores: Mapping[str, float]


class UnscoredContext(NamedTuple):
    """Why it is not known what a threshold would have left of an answer's context."""

    reason: str


def normal_mode(scores: Mapping[str, float], *, k: int) -> tuple[str, ...]:
    """Return the ids of the ``k`` passages with the highest scores, the highest first.

    >>> normal_mode({"a": 0.4, "b": 0.9, "c": 0.7}, k=2)
    ('b', 'c')
    """
    return tuple(sorted(scores, key=lambda name: -scores[name])[:k])


def score_mode(scores: Mapping[str, float], *, minimum: float, max_k: int) -> tuple[str, ...]:
    """Return the ids of the passages with a score of at least ``minimum``, the highest first, ``max_k`` at most.

    >>> score_mode({"a": 0.4, "b": 0.9, "c": 0.7}, minimum=0.5, max_k=10)
    ('b', 'c')
    """
    return tuple(name for name in normal_mode(scores, k=max_k) if scores[name] >= minimum)


def logged_scores(answer: Answer) -> ScoredContext | UnscoredContext:
    """Return the scores with which the passages of an answer's context were retrieved, or why they are not known.

    They are those of the steps of retrieval, the best where several found a passage; where steps have none, those that
    passages themselves bear, if no later step gave them.

    >>> from adapters.schema import Passage
    >>> logged_scores(Answer(id="a", passages=(Passage(id="p", score=0.8), Passage(id="q", score=0.3)), context=("p",)))
    ScoredContext(scores={'p': 0.8})
    """
    context = answer.context_passages()
    if not context:
        return UnscoredContext("no context")
    known: dict[str, float] = {}
    for stage in answer.stages or ():
        if stage.kind == "retrieve":
            for name, score in zip(stage.output_ids or (), stage.scores or (), strict=False):
                if score is not None:
                    known[name] = max(score, known.get(name, score))
    if not known:
        known = {
            passage.id: passage.score
            for passage in context
            if passage.score is not None and passage.stage in {None, "retrieve"}
        }
    if any(passage.id not in known for passage in context):
        return UnscoredContext("a passage without a retrieval score")
    return ScoredContext({passage.id: known[passage.id] for passage in context})


def with_passages(answer: Answer, chosen: Sequence[str]) -> Answer:
    """Return the answer as if its context were the passages ``chosen`` by their ids, in this order, and no others.

    >>> from adapters.schema import Passage
    >>> answer = Answer(id="a", passages=(Passage(id="p"), Passage(id="q")))
    >>> with_passages(answer, ["q"]).context
    ('q',)
    """
    by_id = {passage.id: passage for passage in reversed(answer.passages or ())}
    passages = tuple(by_id[name] for name in chosen)
    citations = answer.citations and tuple(
        each if each.passage_id in {None, *chosen} else each.model_copy(update={"passage_id": None})
        for each in answer.citations
    )
    update = {"passages": passages, "context": tuple(chosen), "citations": citations, "stages": None}
    return answer.model_copy(update=update)


def with_threshold(answer: Answer, scores: Mapping[str, float], *, minimum: float) -> Answer:
    """Return the answer as if its context had only the passages with a score of at least ``minimum``.

    Its passages are reduced as well: what was retrieved and not selected is no evidence either.

    >>> from adapters.schema import Passage
    >>> answer = Answer(id="a", passages=(Passage(id="p"), Passage(id="q")), context=("p", "q"))
    >>> reduced = with_threshold(answer, {"p": 0.8, "q": 0.3}, minimum=0.5)
    >>> [passage.id for passage in reduced.passages], reduced.context
    (['p'], ('p',))
    """
    return with_passages(answer, [name for name, score in scores.items() if score >= minimum])
