"""Whether answers to one question, asked again or in other words, cite the same documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from adapters.schema import Answer

CITATION_AGREEMENT, AGREEMENT_VERSION = "citation_agreement", "1"
"""The metric of a run that has such answers, and its version."""
NO_CITATION = "no answer of its group cites anything"
ALONE = "no other answer of its group"


def cited_documents(answer: Answer) -> frozenset[str]:
    """Return what an answer cites, by document where its passages say of which they are.

    Chunks of one document are one source: what is asked again may well be found in the chunk beside.

    >>> from adapters.schema import Citation, Passage
    >>> passages = (Passage(id="p1", doc_id="HR-1"), Passage(id="p2", doc_id="HR-1"), Passage(id="p3"))
    >>> cited = tuple(Citation(start=0, end=1, marker="[1]", passage_id=each.id) for each in passages)
    >>> sorted(cited_documents(Answer(id="a", passages=passages, citations=cited)))
    ['HR-1', 'p3']
    """
    passages = {passage.id: passage.doc_id or passage.id for passage in answer.passages or ()}
    cited = (each.passage_id for each in answer.citations or () if each.passage_id is not None)
    return frozenset(passages.get(name, name) for name in cited)


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return how much two sets share of what either has; 1 for two empty ones.

    >>> jaccard(frozenset("ab"), frozenset("bc"))
    0.3333333333333333
    """
    return len(one & other) / len(one | other) if one or other else 1.0


def citation_agreement(groups: Sequence[Mapping[str, frozenset[str]]]) -> Mapping[str, float | str]:
    """Return for each answer the mean Jaccard index of what it cites with each other answer of its group.

    ``groups`` have by answer what it cites. A text says why there is no value: an answer has no other beside it, or
    none of its group cites anything, which is no agreement of citations. Source: hybrid verified review, section 4.1
    (consistency).

    >>> found = citation_agreement([{"a": frozenset({"x"}), "b": frozenset({"x"}), "c": frozenset({"x", "y"})}])
    >>> found["a"], found["c"]
    (0.75, 0.5)
    >>> citation_agreement([{"a": frozenset(), "b": frozenset()}])["a"]
    'no answer of its group cites anything'
    """
    found: dict[str, float | str] = {}
    for group in groups:
        if len(group) == 1 or not any(group.values()):
            found |= dict.fromkeys(group, ALONE if len(group) == 1 else NO_CITATION)
            continue
        totals = dict.fromkeys(group, 0.0)
        for one, other in combinations(group, 2):
            shared = jaccard(group[one], group[other])
            totals[one] += shared
            totals[other] += shared
        found |= {name: total / (len(group) - 1) for name, total in totals.items()}
    return found
