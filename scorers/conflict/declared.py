"""Conflicts that labels declare: which retrieved passages are their sides, and which side an answer takes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice, product

from adapters.caching import cached_by_text
from adapters.schema import Answer, GoldLabel, Passage
from scorers.disagreement.taking import Taken
from scorers.memory import Memory, once
from scorers.statements.comparison import compare
from scorers.support.attribution import attribution
from scorers.support.claims import claims_of
from scorers.support.resting import rests_on
from scorers.text.sentences import split_sentences

MAX_CONFLICTS = 10
MAX_CLAIMS = 20
MAX_SENTENCES = 40
"""Conflicts of one answer, claims of it, and sentences of a side that are looked at."""

CONFLICT = "conflict"
"""What PROBE flags a question with whose sources disagree."""

Sides = tuple[Passage, Passage]


def labels_of(answer: Answer) -> dict[str, GoldLabel]:
    """Return the label of each passage; of several the one that stands first."""
    given = answer.gold.passages if answer.gold is not None else ()
    return {label.id: label.label for label in reversed(given)}


def names_conflict(answer: Answer) -> bool:
    """Tell whether labels say that sources are in conflict: by a passage, or by a flag of the question (PROBE, A.3).

    >>> from adapters.schema import Gold, GoldPassage
    >>> labels = (GoldPassage(id="policy", label="sufficient"), GoldPassage(id="memo", label="conflicting"))
    >>> [names_conflict(Answer(id="a", gold=Gold(passages=some))) for some in (labels, labels[:1])]
    [True, False]
    """
    gold = answer.gold
    return gold is not None and (CONFLICT in gold.safety_flags or "conflicting" in labels_of(answer).values())


def declared(answer: Answer) -> tuple[Sides, ...]:
    """Return the retrieved sides of each conflict that labels declare.

    A passage labelled conflicting is against each that is labelled sufficient; where none of those was retrieved,
    against each other one labelled conflicting.

    >>> from adapters.schema import Gold, GoldPassage
    >>> labels = (GoldPassage(id="policy", label="conflicting"), GoldPassage(id="memo", label="sufficient"))
    >>> passages = (Passage(id="policy"), Passage(id="memo"), Passage(id="other"))
    >>> found = declared(Answer(id="a", gold=Gold(passages=labels), passages=passages))
    >>> [(one.id, other.id) for one, other in found]
    [('policy', 'memo')]
    """
    labels = labels_of(answer)
    retrieved = {passage.id: passage for passage in reversed(answer.passages or ())}
    against = [passage for name, passage in retrieved.items() if labels.get(name) == "conflicting"]
    governing = [passage for name, passage in retrieved.items() if labels.get(name) == "sufficient"]
    against.sort(key=lambda passage: passage.id)
    governing.sort(key=lambda passage: passage.id)
    pairs: Iterator[Sides] = product(against, governing) if governing else combinations(against, 2)
    return tuple(islice(pairs, MAX_CONFLICTS))


@once
def sides_taken(answer: Answer, memory: Memory) -> tuple[tuple[Sides, Taken], ...]:
    """Return the `declared` conflicts of ``answer``, each with the side that it takes.

    That which its claims do not contradict while they contradict the other; else that which it cites or rests on. An
    answer that cites both gives both.
    """
    return tuple((pair, _side_taken(answer, pair, memory)) for pair in declared(answer))


def _side_taken(answer: Answer, pair: Sides, memory: Memory) -> Taken:
    first, second = (_contradicts(answer, passage, memory) for passage in pair)
    if first != second:
        return Taken.SECOND if first else Taken.FIRST
    cited = {citation.passage_id for citation in answer.citations or ()}
    one, other = (passage.id in cited for passage in pair)
    if one and other:
        return Taken.BOTH
    if not one and not other:
        passages = answer.passages or ()
        resting = {passages[at].id for places in rests_on(attribution(answer, memory)) for at in places}
        one, other = (passage.id in resting for passage in pair)
    if one == other:
        return Taken.NEITHER
    return Taken.FIRST if one else Taken.SECOND


def _contradicts(answer: Answer, passage: Passage, memory: Memory) -> bool:
    return any(
        _is_contradicted(claim.words, passage.text or "", answer.question)
        for claim in claims_of(answer, memory)[:MAX_CLAIMS]
    )


@cached_by_text(cost=2)
def _is_contradicted(claim: str, text: str, question: str | None) -> bool:
    sentences = [sentence.words for sentence in split_sentences(text)[:MAX_SENTENCES]]
    return bool(sentences) and compare(claim, sentences, question).outcome == "contradicts"
